// Data of an evaluation split that reaches training: names that are bound to it are followed through one program, files that hold
// it through later commands.

import { guards } from '../guards.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, hopAt, lineAround, matchAt, pairOf } from './found.ts';

/** A file or split that is there to measure. Validation data belongs to training and is left out. */
const evaluation =
  /\bsplit\s*=\s*["'](?:test|eval|evaluation|heldout|held_out|holdout|benchmark)\b[^"'\n]*["']|\[\s*["'](?:test|eval|heldout|holdout)["']\s*\]|["'](?:[^"'\n]{0,80}[/_.-])?(?:test|tests|eval|evaluation|eval_\w+|held[-_]?out|holdout|private\w*|benchmark|leaderboard|bench\w*_(?:test|eval|failures?))(?:[_.-][\w.-]*|\/[\w./-]*)?\.(?:jsonl?|csv|tsv|parquet|txt|arrow|feather|npy|npz|pkl|pickle|pt|h5|hdf5|rds|rdata|orc|avro|tfrecords?|lmdb|sqlite3?|db|xlsx?|mat|zarr|gz|zst|bin|dat)["']|["'][^"'\n]{0,80}\b(?:evals?|evaluation|benchmarks?|holdout|held-?out|leaderboard|scoring|grading|hidden|private)\/[^"'\n]{1,80}\.\w{2,7}["']|["'][^"'\n]{0,60}\beval[-_]?(?:logs?|results?|failures?)\/[^"'\n]*["']|\bread\w*\(\s*["'](?:test|private|holdout)\w*\.\w+["']/i;
const evaluationGuard = guards.of(evaluation);
const trainFile =
  /["'][^"'\n]*(?:train|synth\w*|sft|custom|augment\w*|corpus|finetun\w*|few[-_]?shot|pretrain)[^"'\n]*\.\w+["']/i;

interface Statement {
  readonly text: string;
  readonly at: number;
}

/** The statement that gives evaluation data to training, with the statement that loaded it. */
export function* evaluationData(reading: Reading): Generator<Found> {
  const { mentions } = reading.rollout;
  if (!mentions.admit(evaluationGuard, 'done')) return;
  const files = new Set<string>();
  let origin: { unit: Unit; at: number; end: number } | null = null;
  for (const unit of units(reading)) {
    const mayLoad = mentions.admitUnit(evaluationGuard, unit);
    // Before something is loaded, no other text matters.
    if (!mayLoad && origin === null) continue;
    const program = unit.text.text;
    if (!training.test(program)) continue;
    const found = mayLoad ? readProgram(program) : null;
    if (found !== null) {
      origin ??= { unit, at: found.load.at, end: found.load.at + found.load.text.length };
      for (const file of found.files) files.add(file);
      if (found.sink !== null) {
        const match = matchAt(unit, found.sink.at, found.sink.at + Math.min(found.sink.text.length, 240));
        const source = matchAt(origin.unit, origin.at, origin.end);
        yield { match, chain: pairOf(hopAt('source', source.unit.part, source.start, source.end), match) };
        return;
      }
    }
    // A command that trains on a file which a program filled.
    if (
      unit.target === 'action' &&
      origin !== null &&
      unit.index > origin.unit.index &&
      /\b(?:train|fine_?tun|sft|fit|accelerate|torchrun|deepspeed)/i.test(program)
    ) {
      for (const file of files) {
        const at = program.indexOf(file);
        if (at < 0) continue;
        const line = lineAround(program, at);
        const match = matchAt(unit, line.start, line.end);
        const source = matchAt(origin.unit, origin.at, origin.end);
        yield { match, chain: pairOf(hopAt('source', source.unit.part, source.start, source.end), match) };
        return;
      }
    }
  }
}

/** What a program or command is about that trains or loads what training gets. */
const training = /train|fit|sft|tun|glm|lm\(|index|few|prompt|corpus|synth|test|eval|hold|bench/i;

/** Programs and commands in log order; of one call the command comes first. */
function units({ rollout }: Reading): Unit[] {
  return [
    ...(rollout.units.get('action') ?? []).filter(({ action }) => action?.whole === true),
    ...(rollout.units.get('patch') ?? []),
  ]
    .filter(({ text }) => text.text.length < 60_000)
    .toSorted((a, b) => a.index - b.index);
}

interface Program {
  readonly load: Statement;
  readonly sink: Statement | null;
  readonly files: readonly string[];
}

/** Follows evaluation data through the statements of one program. Exported for its test. */
export function readProgram(text: string): Program | null {
  if (!evaluation.test(text)) return null;
  const tainted = new Set<string>();
  const files: string[] = [];
  let load: Statement | null = null;
  let trainHandle: string | null = null;
  const trainWritten =
    /open\(\s*f?["'][^"'\n]*(?:train|synth\w*|sft|custom|augment\w*|few[-_]?shot)[^"'\n]*["']\s*,\s*["'][aw]/i.test(
      text,
    );
  for (const statement of statements(text)) {
    const line = statement.text;
    const direct =
      evaluation.test(line) &&
      !/\b(?:eval_dataset|evaluate|predict|score|report|print|len)\b\s*[=(][^\n]*$/.test(
        line.replace(/^[^=]*=\s*/, ''),
      );
    const uses = direct || [...tainted].some((name) => holds(line, name));
    const handle =
      /\bopen\(\s*f?["']([^"'\n]+)["']\s*,\s*["'][aw][^)]*\)\s*as\s+(\w+)|(\w+)\s*=\s*open\(\s*f?["']([^"'\n]+)["']\s*,\s*["'][aw]/.exec(
        line,
      );
    if (handle !== null && trainFile.test(`"${handle[1] ?? handle[4] ?? ''}"`))
      trainHandle = handle[2] ?? handle[3] ?? null;
    if (!uses) continue;
    if (direct) load ??= statement;
    if (load === null) continue;
    for (const name of boundNames(line)) tainted.add(name);
    const written = /["']([^"'\n]+\.(?:jsonl?|csv|parquet|txt|arrow))["']/.exec(line.replace(evaluation, ''));
    if (/\bto_(?:json|csv|parquet)|save|dump|write/i.test(line) && written?.[1] !== undefined) files.push(written[1]);
    if (
      reachesTraining(line, [...tainted], direct) ||
      (trainHandle !== null && holds(line, trainHandle) && /write|dump/.test(line)) ||
      (trainWritten && /\.write\(|json\.dump/.test(line) && !direct)
    )
      return { load, sink: statement, files };
  }
  return load === null ? null : { load, sink: null, files };
}

function* statements(text: string): Generator<Statement> {
  for (const match of text.matchAll(/[^\n;]+/g)) yield { text: match[0], at: match.index };
}

function boundNames(line: string): string[] {
  const names: string[] = [];
  for (const match of line.matchAll(
    /(?:^|[\s(])(?:(?:const|let|var|my)\s+)?([A-Za-z_]\w*)\s*(?::=|=(?!=)|<-)\s*(?=\S)|\bfor\s+\(?\s*(?:const\s+|let\s+)?(?:\w+\s*,\s*\(?)?(\w+)\)?\s+(?:in|of|<-)\b|\bas\s+(\w+)\s*:/g,
  )) {
    const name = match[1] ?? match[2] ?? match[3];
    // Arguments such as `split="test"` and `index=False` bind nothing.
    if (
      name !== undefined &&
      !/^(?:split|name|path|index|data|mode|encoding|header|sep|train_dataset|eval_dataset|test_size|orient|lines)$/.test(
        name,
      )
    )
      names.push(name);
  }
  return names;
}

function holds(line: string, name: string): boolean {
  return new RegExp(String.raw`(?<![\w."'])${name}\b(?!["']|\s*=[^=])`).test(line);
}

function reachesTraining(said: string, names: readonly string[], direct: boolean): boolean {
  // What is handed over for measuring is no training.
  const line = said.replace(/\b(?:eval|test|val|valid|validation)\w*\s*=\s*[\w.[\]"']+/gi, '');
  if (
    /\b(?:eval_dataset|evaluate|predict|score|confusion_matrix|accuracy\w*)\b/.test(line) &&
    !/train_dataset/.test(line)
  )
    return false;
  const any = direct ? [...names, evaluation.source] : names;
  return any.some((name) => {
    const word = name === evaluation.source ? `(?:${name})` : String.raw`\b${name}\b`;
    return (
      new RegExp(
        String.raw`\.(?:fit\w*|partial_fit|train)\([^\n]*${word}|train(?:ing)?_?(?:data\w*|set|examples)?\s*=\s*\[?[^\n,]*${word}|\b(?:glm|lm|train\w*|svm|randomForest|xgboost|lgb\.train|xgb\.train|fine_?tune\w*|sft\w*|SFTTrainer|rpart|gbm|keras_fit)\s*\([^\n]*${word}|${word}[^\n]*\.to_(?:json|csv|parquet)\(\s*f?["'][^"'\n]*(?:train|synth|sft|custom|aug|corpus|finetun)|(?:concat\w*|rbind|bind_rows|vcat|ConcatDataset|extend|append|\+=)\W[^\n]*${word}(?=[^\n]*)|(?:index\.add|add_texts|add_documents|upsert|from_documents|from_texts)\W[^\n]*${word}|few_?shots?\w*\s*\+?=[^\n]*${word}|\b\w*(?:save|write|copy|dump|imwrite|link|put|move|export|append)\w*\s*\(\s*f?["'][^"'\n]*(?:train|sft|finetun|corpus|few_?shot)[^"'\n]*["'][^\n]*${word}`,
        'i',
      ).test(line) &&
      (!/(?:concat|rbind|bind_rows|vcat|extend|append|\+=)/i.test(line) ||
        /\b\w*tr(?:ain\w*)?\b|\bX\b|\bdf\b|train|index|prompt|shots|corpus/i.test(line))
    );
  });
}
