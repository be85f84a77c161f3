// τ²-bench results: one document with the settings of a run and its simulations, or (voice runs) the settings in
// `results.json` and each simulation in a file of its own under `simulations/`. A rollout is a simulation, the trials of a
// task are a group. The user is simulated too and may call tools of its own: the agent never sees those.

import { basename, dirname, isAbsolute, join } from 'node:path';
import type { AlertDraft, IngestEvent, Json, Place } from '../../contract/ingest.ts';
import { Refusal } from '../../shared/errors.ts';
import { fileAt } from '../beside.ts';
import { alertEvent, alertOf, keyRegister } from '../emit.ts';
import { cutObject } from '../json-object.ts';
import type { Detection, Format, ReadContext, Sniff, SourceFile, SourceGroup } from '../source.ts';
import { array, get, isObject, type JsonObject, object, text } from '../values.ts';
import { findObject, objectsOf, readObjects, unknownAlert } from './harness.ts';
import { type Run, runOf, simulationEvents } from './tau2-bench-simulation.ts';

/** The settings of a run; its simulations may stand elsewhere. */
function isRun(value: JsonObject): boolean {
  const info = get(value, 'info');
  return isObject(info) && isObject(get(info, 'environment_info')) && isObject(get(info, 'agent_info'));
}

function isSimulation(value: JsonObject): boolean {
  const talks = Array.isArray(get(value, 'messages')) || Array.isArray(get(value, 'ticks'));
  return get(value, 'task_id') !== undefined && text(value, 'termination_reason') !== null && talks;
}

function detect(sniff: Sniff): Detection | null {
  for (const value of objectsOf(sniff)) {
    if (isRun(value)) return { confidence: 0.96, reason: 'info with agent_info and environment_info of a run' };
    if (isSimulation(value)) return { confidence: 0.93, reason: 'a simulation with task_id and termination_reason' };
  }
  return null;
}

async function* read(source: SourceGroup, context: ReadContext): AsyncGenerator<IngestEvent> {
  const state = { keyOf: keyRegister(), simulations: 0 };
  try {
    yield* readWhole(source.main, context, state);
  } catch (error) {
    if (!(error instanceof Refusal) || error.code !== 'limit-exceeded' || state.simulations > 0) throw error;
    yield* readByPieces(source.main, context, state);
  }
}

interface State {
  readonly keyOf: ReturnType<typeof keyRegister>;
  simulations: number;
}

async function* readWhole(file: SourceFile, context: ReadContext, state: State): AsyncGenerator<IngestEvent> {
  let beside: Run | null | undefined;
  for await (const record of readObjects(file, context)) {
    if (record.kind === 'alert') {
      yield alertEvent(record.alert);
      continue;
    }
    const { value, place } = record;
    if (isSimulation(value)) {
      beside ??= await runBeside(file, context);
      yield* one(value, beside, place, state);
    } else if (isRun(value)) {
      const run = runOf(value);
      const simulations = array(value, 'simulations') ?? [];
      for (const simulation of simulations) yield* one(simulation, run, place, state);
      if (simulations.length === 0) yield emptyAlert(value, place);
    } else {
      yield alertEvent(unknownAlert(value, 'A record that is neither a run nor a simulation', place));
    }
  }
}

/** A run over the limit of documents: its simulations one by one. Its settings stand before them. */
async function* readByPieces(file: SourceFile, context: ReadContext, state: State): AsyncGenerator<IngestEvent> {
  const alerts: AlertDraft[] = [];
  const members = new Map<string, Json>();
  const pieces = cutObject(file.open(), new Set(['simulations']), context.limits, (alert) => alerts.push(alert));
  for await (const { key, element, value } of pieces) {
    context.checkCancelled();
    yield* alerts.splice(0).map(alertEvent);
    if (!element) {
      members.set(key, value);
      continue;
    }
    const place: Place = { line: 1, offset: 0 };
    context.fields?.take(value, place);
    yield* one(value, runOf(Object.fromEntries(members)), place, state);
  }
  yield* alerts.map(alertEvent);
}

function* one(value: Json, run: Run | null, place: Place, state: State): Generator<IngestEvent> {
  if (!isObject(value)) {
    yield alertEvent(unknownAlert(value, 'A simulation that is no object', place));
    return;
  }
  state.simulations++;
  yield* simulationEvents(value, run, place, state.keyOf);
}

/** The run of a simulation that stands in a file of its own: `results.json` beside its folder. */
async function runBeside(file: SourceFile, context: ReadContext): Promise<Run | null> {
  const folder = dirname(file.path);
  if (!isAbsolute(file.path) || basename(folder) !== 'simulations') return null;
  const results = await fileAt(join(dirname(folder), 'results.json'), context.limits);
  if (results === null) return null;
  const quiet = { ...context, bookmark: undefined, fields: undefined };
  try {
    return await findObject(results, quiet, (value) => (isRun(value) ? runOf(value) : null));
  } catch (error) {
    // Importing the results themselves says what is wrong with them.
    if (error instanceof Refusal && error.code !== 'cancelled') return null;
    throw error;
  }
}

function emptyAlert(run: JsonObject, place: Place): IngestEvent {
  const listed = array(run, 'simulation_index')?.length ?? 0;
  const message =
    listed === 0
      ? 'The run has no simulation in this file: they stand in files of their own (simulations/*.json), or it broke off before the first. Nothing was imported from it.'
      : `The settings of a run whose ${listed} simulations stand in files of their own (simulations/*.json): import those.`;
  return alertEvent(alertOf('record-only', 'info', message, { place, raw: JSON.stringify(object(run, 'info')) }));
}

export const format: Format = { id: 'tau2-bench', title: 'τ²-bench results', detect, read };
