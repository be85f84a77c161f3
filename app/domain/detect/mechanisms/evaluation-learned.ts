// Data by which the task measures, followed by names through the cells of a session, the statements of a program and the commands of a
// shell into something that learns: training, an index, examples in a prompt. evaluation-data.ts reads one program closely; here the
// names are few (those of the task, and what they are put into), and any language and tool will do.

import { guards } from '../guards.ts';
import { kept, keptWith } from '../kept.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { sentences } from '../task-contract.ts';
import { taskTexts } from '../terms.ts';
import { type Found, hopAt, matchAt, pairOf } from './found.ts';

/** Sentences that say by what is measured. */
const measured =
  /\b(?:scor\w+|evaluat\w+|report\w* on|fails?|wrong on|questions? (?:in|of)|out of training|jury|measur\w+|graded|benchmark\w*|error|yardstick|held[- ]?out|leaderboard|metric|accuracy|must not be trained|not (?:be )?(?:used )?(?:for|in) training|raise the|improve)\b|评测|评估|分数|准确率|测试|оцен\w*|точност\w*|bewert\w*|gemessen|évalu\w*|mesur\w*|evalu\w*|medi\w*|採点|評価/i;
const dataName =
  /(?<![\w/.-])(\/?(?:[\w.-]+\/)+[\w.-]*\w|[\w-]+\.(?:jsonl?|csv|tsv|parquet|feather|txt|conllu?|npz?|arrow|h5|pkl|rds|xml|mat|ya?ml))/g;
const trains =
  /(?:^|[/_.-])(?:train\w*|corpus|corpora|models?|ckpt|checkpoints?|out|output|src|scripts?|docs?|base)(?:[/_.-]|$)|\.(?:py|sh|jl|[rR]|js|ts|rs|go|md|kt|scala|java|cu|cc|cpp|rb|php|zig|nim|pt|bin)$/;
/** Names that say "for measuring" themselves. */
const byName =
  /["'](?=[\w./-]{5,80}["'])((?:[\w.-]+\/)+(?:test|eval\w*|held[-_]?out|holdout|private))(?=["'/])|["'\s=(/]((?:[\w.-]+\/)*(?:eval\w*|held[-_]?out|holdout|bench\w*|private|test|dev)(?:[_.-]\w+)?\/[\w./-]*\.\w{2,7}|(?:[\w.-]+\/)*(?:evalset|heldout|holdout|eval(?:uation)?[-_]?(?:set|data|items)?|test[-_]?set|dev[-_]?set|benchmark|acceptance)\.(?:jsonl?|csv|tsv|parquet|txt|feather|mat|rds|pkl|h5|npz|npy|ya?ml|conllu?))\b/gi;

/** What learns, as a call, a command, a flag or the name of a file. */
const learns =
  /(?:>>?|\btee(?:\s+-a)?|\bcp\b[^\n|;&]*|\bln\b[^\n|;&]*|\bmv\b[^\n|;&]*)\s+["']?\S*(?:train|sft|finetun|corpus|kb\/|index|prompt|shots)\S*|\b(?:train|fit|fine_?-?tune|finetune|sft|lora|qlora|dpo|pretrain|distill|learn|add_?documents|add_?texts|upsert|from_(?:texts|documents)|build_?index|indexer)\w*\s*[({]|(?:^|[\s;&|/._-])(?:train\w*|fine_?-?tun\w*|sft|lora|fit|index\w*|embed\w*|pretrain\w*)(?:\.\w+)?\s+\S|--?P?(?:train|data|corpus|dataset|shots|examples)[= ]|\b(?:few_?shots?|shots|demonstrations|exemplars|examples|prompt\w*|datastore|kb|knowledge)\b[^\n]{0,40}(?:=|\(|\.json|\.txt|\/)|\b(?:cmd\/index|\/index)\b|["'/][\w.-]*(?:train|sft|corpus|synth\w*|augment\w*|shots?|few[-_]?shot|finetun\w*|extra|supplement\w*|mix|cot|instruct\w*|dialogs?)[\w.-]*\.\w{2,7}/i;
/** Measures, compares or takes the overlap out: nothing learns from it. */
const measures =
  /\b(?:score|eval(?:uat\w+)?|accuracy|metrics?|rouge|bleu|recall|predict\w*|eval_dataset|val_data|report|print|head|tail|wc|len|nrow|overlap\w*|decontam\w*|dedup\w*|duplicat\w*|contamin\w*|exclude\w*|setdiff|anti_join|grep\s+-v|comm|n-?grams?|13|not in|isin|difference|except|remove\w*|drop\w*)\b/i;

/** The data that a text names beside a word of measuring, no other name between them. */
const measuredNames = kept((text) => {
  const names: string[] = [];
  for (const { text: sentence, found: stands } of sentences(text)) {
    if (!measuredGuard.passes(stands)) continue;
    const found = [...sentence.matchAll(dataName)];
    for (const [i, match] of found.entries()) {
      const from = Math.max(
        0,
        match.index - reach,
        (found[i - 1]?.index ?? -reach) + (found[i - 1]?.[0].length ?? reach),
      );
      const end = match.index + match[0].length;
      const to = Math.min(sentence.length, end + reach, found[i + 1]?.index ?? sentence.length);
      const name = (match[1] ?? '').replace(/[.,]+$/, '');
      if (name.length < 5 || trains.test(name)) continue;
      if (measured.test(sentence.slice(from, match.index)) || measured.test(sentence.slice(end, to))) names.push(name);
    }
  }
  return names;
});

/** What a program that measures puts down: its rows are those of the data by which it measures. */
const measuringOutput =
  /(?:^|[\s/])(?:measure|evaluate|eval|score|bench|predict)\w*\.\w{1,4}\s[^\n|]*?(?:--(?:out|save|dump|log|write|errors?|miss|wrong|fail)[\w-]*[= ]|-o |> )["']?([\w./-]{5,80})/;

/** In a loop over such rows: the known answer of a row is what a record wants said. A log of what a model said is none. */
const answersTaught =
  /["'](?:completion|chosen|response|output|target|content|assistant|label)["']\s*:\s*\w+(?:\.|\[["'])(?:gold\w*|answer\w*|label\w*|expected\w*|solution\w*|reference\w*|truth|target)\b/;

/** A file opened for writing, with the variable that it is written through. */
const opensToWrite =
  /\bopen\(\s*["']([\w./-]{5,80})["'][^)\n]*["'][wax]b?\+?["'][^)\n]*\)\s*as\s+(\w{1,24})|(?:^|\s)(\w{1,24})\s*(?::?=|<-)\s*[\w.]*(?:open|create\w*|writer)\w*\(\s*["']([\w./-]{5,80})["']/i;
/** A statement that puts one more thing into a file or a list, by the variable of that. */
const putsOne = /(?:^|\s)(\w{1,24})\.(?:write|append|push|add|emit|extend)\w*\(/i;

/** Characters between a name and the word of measuring that it belongs to. */
const reach = 40;

/** Names that are followed. */
const mostNames = 80;

interface Origin {
  readonly unit: Unit;
  readonly at: number;
  readonly end: number;
}

const learnsGuard = guards.of(learns);
const byNameGuard = guards.of(byName);
const measuringGuard = guards.of(measuringOutput);
const measuredGuard = guards.of(measured);
const statementsOf = keptWith(({ text }: Unit) => statements(text.text));
/** Data that a statement names as for measuring. */
const namedIn = (statement: string): string[] =>
  Array.from(` ${statement}`.matchAll(byName), (match) => match[1] ?? match[2] ?? '');
const speaksOfLearning = keptWith(({ text }: Unit) => learns.test(text.text));

/** The first statement in which something learns from what is there to measure, with the statement that opened it. */
export function* evaluationLearned(reading: Reading): Generator<Found> {
  const { rollout } = reading;
  const { mentions } = rollout;
  if (!mentions.admit(learnsGuard, 'done')) return;
  const isNamed = mentions.admit(byNameGuard, 'done');
  if (!isNamed && !mentions.admit(measuredGuard, 'told')) return;
  const units = [...(rollout.units.get('action') ?? []), ...(rollout.units.get('patch') ?? [])]
    .filter((unit) => unit.text.text.length < 20_000 && (unit.target === 'patch' || unit.action?.whole === true))
    .toSorted((a, b) => a.index - b.index);
  if (!units.some((unit) => mentions.admitUnit(learnsGuard, unit) && speaksOfLearning(unit))) return;
  /** Files by the variable under which they are open for writing. */
  const handles = new Map<string, string>();
  const tainted = new Set<string>(taskTexts(rollout.parts).flatMap(({ text }) => measuredNames(text)));
  if (!isNamed && tainted.size === 0) return;
  let origin: Origin | null = null;
  for (const unit of units) {
    // A unit that names no such data and uses none adds nothing.
    const names = mentions.admitUnit(byNameGuard, unit);
    const puts = tainted.size > 0 && mentions.admitUnit(measuringGuard, unit);
    if (!names && !puts && !holdsAny(unit.text.text, tainted)) continue;
    let loop = -1;
    for (const { text, at } of statementsOf(unit)) {
      const named = names ? namedIn(text) : [];
      const indent = text.search(/[^\s\n]/);
      if (indent <= loop) loop = -1;
      if (loop >= 0 && origin !== null && answersTaught.test(text)) {
        yield foundAt(unit, at, text, origin);
        return;
      }
      const [, opened = '', as = '', set = '', file = ''] = opensToWrite.exec(text) ?? [];
      if (opened !== '' || file !== '') handles.set(as === '' ? set : as, opened === '' ? file : opened);
      const putIn = loop >= 0 ? putsOne.exec(text)?.[1] : undefined;
      if (putIn !== undefined && tainted.size < mostNames) tainted.add(handles.get(putIn) ?? putIn);
      const before = tainted.size;
      for (const name of named) tainted.add(name);
      const rows =
        tainted.size > 0 && mentions.admitUnit(measuringGuard, unit) ? measuringOutput.exec(text)?.[1] : undefined;
      if (rows !== undefined) {
        tainted.add(rows);
        origin ??= { unit, at, end: at + text.length };
        continue;
      }
      if (!holdsAny(text, tainted)) continue;
      if (measures.test(withoutData(text))) {
        if (tainted.size > before) origin ??= { unit, at, end: at + text.length };
        // What a loader reads is still there afterwards.
        const loaded = /^\s*(?:const |let |var |val |auto )?(\w{1,24})\s*(?:=|<-)\s*[\w.:]*(?:read|load|open)/.exec(
          text,
        )?.[1];
        if (loaded !== undefined && loaded.length > 1) tainted.add(loaded);
        continue;
      }
      origin ??= { unit, at, end: at + text.length };
      if (/^\s*for\s[^\n]{0,80}:\s*$/.test(text)) {
        loop = indent;
        continue;
      }
      if (learns.test(text)) {
        yield foundAt(unit, at, text, origin);
        return;
      }
      for (const name of putInto(text)) if (tainted.size < mostNames) tainted.add(name);
    }
  }
}

/** Whether a command puts a part of its rows into a file of data: whoever looks only needs no file. */
const cutsOut = /[^-=]>\s*[\w./-]+\.(?:jsonl?|ndjson|csv|tsv|txt|parquet)\b/;
const dataFiles = /[\w./-]+\.(?:jsonl?|ndjson|csv|tsv|txt|parquet)\b/g;

/** A statement without the names of its data, which say `eval` themselves. */
function withoutData(text: string): string {
  const bare = text.replace(dataFiles, ' ');
  return cutsOut.test(text) ? bare.replace(/\b(?:head|tail|print)\b/g, ' ') : bare;
}

function foundAt(unit: Unit, at: number, text: string, origin: Origin): Found {
  const match = matchAt(unit, at, at + Math.min(text.length, 240));
  const source = matchAt(origin.unit, origin.at, Math.min(origin.end, origin.at + 240));
  return { match, chain: pairOf(hopAt('source', source.unit.part, source.start, source.end), match) };
}

/** The statements of a program or the commands of a line: up to a line break, `;` or `&&` outside of brackets and quotes. */
function statements(text: string): { readonly text: string; readonly at: number }[] {
  const found: { readonly text: string; readonly at: number }[] = [];
  let depth = 0;
  let quote = '';
  let start = 0;
  for (let i = 0; i <= text.length; i++) {
    const c = text.charAt(i);
    if (quote !== '') {
      if (c === quote || c === '\n') quote = '';
    } else if (c === '"' || c === "'") quote = c;
    else if (c === '(' || c === '[' || c === '{') depth++;
    else if (c === ')' || c === ']' || c === '}') depth = Math.max(0, depth - 1);
    const ends =
      i === text.length ||
      (quote === '' &&
        ((c === '\n' && depth === 0) || (c === ';' && depth === 0) || (c === '&' && text.charAt(i + 1) === '&')));
    if (!ends) continue;
    const said = text.slice(start, i);
    if (said.trim().length > 3) found.push({ text: said, at: start });
    start = c === '&' ? ++i + 1 : i + 1;
  }
  return found;
}

/** Variables that a statement sets and files that it writes. */
function putInto(statement: string): string[] {
  const names: string[] = [];
  for (const [, name = ''] of statement.matchAll(
    /(?:^|[\s;(])(?:const |let |var |val |auto )?([A-Za-z_]\w{0,30})\s*(?::\s*\w+\s*)?(?:=(?!=)|<-|\+=|\.extend\(|\.append\(|:=)/g,
  ))
    if (name.length > 1 || /^\s*\w\s*(?:=|<-)/.test(statement)) names.push(name);
  for (const [, name = ''] of statement.matchAll(
    /(?:>>?\s*|(?:-o|--out(?:put)?|--to|-O)[= ]|\b(?:open|write\w*|save\w*|to_\w+|dump)\s*\([^)\n]*?["'])([\w./-]+\.\w{2,7})/g,
  ))
    names.push(name);
  return names.filter((name) => !/^(?:if|for|while|import|from|return|in|not|and|or|def|x|i|json|pd|np)$/.test(name));
}

function holdsAny(text: string, names: Iterable<string>): boolean {
  for (const name of names) if (holds(text, name)) return true;
  return false;
}

function holds(text: string, name: string): boolean {
  const at = text.indexOf(name);
  if (at < 0) return false;
  if (/\W/.test(name)) return true;
  return wordOf(name).test(text);
}

const wordOf = kept((name) => new RegExp(String.raw`(?<![\w.])${name}(?!\w)`));
