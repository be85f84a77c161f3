// Golden vectors through the estimators that the app uses; re-exported here because hosts reach the domain only through the engine.

export { runVectors, type VectorsReport } from '../../domain/advantage/vectors.ts';
