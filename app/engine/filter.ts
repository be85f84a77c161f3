// The filter language for hosts, which reach the domain only through the engine.

export { parseFilter } from '../domain/filter/filter.ts';
