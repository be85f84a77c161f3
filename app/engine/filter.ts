// The filter language for hosts, which reach the domain only through the engine.

export { formatFilter, parseFilter } from '../domain/filter/filter.ts';
