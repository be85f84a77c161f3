// A comparison that does not look at what it compares: its body uses the other value only for its size, its type or its presence, or
// not at all. Whatever the language, the body of a real comparison reads fields of the other value or hands it to another comparison.

import { remembered } from '../growth.ts';
import { guards } from '../guards.ts';
import type { Unit } from '../prepare.ts';
import type { Reading } from '../reading.ts';
import { type Found, isTestPath, matchAt } from './found.ts';
import { writtenUnits } from './written.ts';

/** The name of a comparison and the bracket that opens its parameters. */
const named =
  /(?:operator\s*(?:==|!=|<=>)|(?:__eq__|__ne__|__cmp__|__eq|[eE]quals?(?:To)?|eql\?|equal\?|isEqual\w*|is_equal\w*|isequal|isapprox|approx_?[eE]q\w*|partial_cmp|cmp|[cC]ompareTo|[cC]ompare|asymmetricMatch|deepEquals?|same(?:As|Value)?|matches\?|eq|ne)\b|(?:==|!=|===|<=>|≈)(?=\s*\())\)?\s*(?::\s*|=\s*)?(?:function\s*|sub\s*)?(?:<[^>\n]{0,40}>)?\(/;
/** The head of a definition, up to its list of parameters. */
const heads = new RegExp(
  String.raw`(?:\b(?:def|func|fun|fn|function|bool(?:ean)?|Bool(?:ean)?|int|Int|auto|constexpr|override|static|operator|method|sub|proc|public|Base|instance)\b[^\n(){};=]{0,60}?|\bfunc\s*\([^()\n]{0,60}\)\s*|^[ \t]*|[{,;"'(]\s*|(?<=\n|\\n)\s*)(?:\.:?\(?)?${named.source}([^()\n]{0,160}(?:\([^()\n]{0,40}\)[^()\n]{0,80})?)\)`,
  'gm',
);
const guard = guards.of(
  /operator|__eq|__ne__|__cmp__|__r?(?:matmul|mul|add|sub|truediv)__|[eE]quals|eql\?|equal\?|isEqual|is_equal|isequal|isapprox|approx_?[eE]q|partial_cmp|[cC]ompareTo|\bcmp\(|[cC]ompare\(|asymmetricMatch|deepEqual|same(?:As|Value)|same\(|same:|matches\?|\beq\(|\bne\(|(?:def|func) ==|<=>|≈|Base\.|(?:size|length|len|count)\(\w/,
);

const longestBody = 500;
/** Parts of a value that say nothing, or next to nothing, of its content: the first element alone is no comparison of all. */
const outward =
  /^(?:\.|->|::|\?\.)(?:\w+(?:\.|->|\?\.))?(?:(?:length|len|size|count|shape|ndims?|dim|rank|dtype|columns|keys|class|getClass|constructor|hashCode|GetHashCode|type|kind|first|last|isEmpty|is_empty|empty|isNull|isArray|isOk|hasOwnProperty|isInstanceOf|runtimeType|GetType|Count|Length|Rank)\b|(?:respond_to|is_a|kind_of|instance_of|nil)\?)|^(?:(?:\.|->)\w+)?\[0\](?![.[]|->)/;
const outwardBefore =
  /(?:\b(?:len|size|length|count|ndims?|eltype|typeof|type|class|isinstance|issubclass|hasattr|is_array|is_object|is_null|isNil|isa|Array\.isArray|sizeof|nrow|ncol|dim|axes|keys|typeid|np\.shape|np\.size)\s*\(|\btypeof\s+|\bscalar\s+@?\$?|#)\(?\s*(?:\w+\.)?$/;
const presenceAfter =
  /^\s*(?:(?:!==?|===?|~=|<>)\s*(?:null|undefined|nil|None|nullptr|NULL|this|self)\b|\bis(?:\s+not|\s*!)?\s*(?:None|null|nil|[A-Z]\w*)|\s+instanceof\b|\s*!is\b|\s+isa\b|::\w)/;
const presenceBefore =
  /(?:(?:\b(?:null|undefined|nil|None|nullptr)\s*(?:!==?|===?))|\bis_none|\bdefined|@|\$\$)\s*\(?\s*$/;
/** What another comparison is made of: then the other value was cast or handed on under another name. */
const handedOn =
  /\bas[?!]?\s+\(?&?[A-Z]\w*|\bcase\s+(?:let\s+)?\w+\s*:|\bmatch\b|\bwhen\b|\bsuper\b|\(\s*[A-Z]\w*(?:<[^>]*>)?\s*[&*]?\s*\)\s*\(?\s*\w|\bdynamic_cast|\bstatic_cast|\bdowncast|(?:&&|\band\b)\s*(?:this\.|self\.)?(?:[Ee]quals?|isEqual\w*|is_equal|eql\?|same\w*)\(|\bNotImplemented|\bthrow\b|\braise\b|\bpanic|\btodo!|\bunimplemented/;
const positive =
  /\b(?:true|True|TRUE|YES|T)\b|#t\b|\b[01]\b|==|≈|!=|[<>]=|\bis\b|\binstanceof\b|isinstance|isInstanceOf|respond_to|Equal\b|defined|!\s*\(/;
/** A term that decides whatever is compared beside it. */
const decided = /\|\|\s*true\b|&&\s*false\b|\bor True\b|\band False\b/;
/** What ends a body: the next definition or a blank line. */
const nextPart =
  /\n\s*\n|\n[ \t]*(?:@\w|(?:(?:public|private|protected|static|override|final|export|async|virtual|inline|friend|constexpr)\s+)*(?:def|func|fun|fn|function|class|struct|impl|sub|module|template|instance|Base\.)\b)|\\n(?:def|func|fun|fn|function|class|Base)\b|\bend\b|\n\}/;

/** A new body that is nothing but sizes, in an edit that puts it in the place of another. */
const onlySizes =
  /(?:=>|,|["'])\s*["']((?:len|size|length|ndims?|count)\([^()\n]{1,40}\) ?==? ?(?:len|size|length|ndims?|count)\([^()\n]{1,40}\)(?: ?(?:&&|and|,) ?(?:len|size|length|ndims?|count)\([^()\n]{1,40}\) ?==? ?(?:len|size|length|ndims?|count)\([^()\n]{1,40}\))*)["']/;

/** An operator of arithmetic, whose result depends on both sides. */
const arithmetic =
  /\bdef\s+__r?(?:matmul|mul|add|sub|truediv|floordiv|pow|mod)__\s*\(\s*self\s*,\s*(\w+)[^)\n]*\)[^:\n]{0,30}:\s*((?:[^\n]*\n?){1,3})/g;

/** A text with such a definition holds what one of the three searches below asks for. */
const guarded = [guard, guards.of(arithmetic), guards.of(onlySizes)];

/** The first such definition in each written text outside of tests. */
export function* hollowEqualities(reading: Reading): Generator<Found> {
  const { mentions } = reading.rollout;
  if (!guarded.some((each) => mentions.admit(each, 'done'))) return;
  for (const unit of writtenUnits(reading)) {
    if (!guarded.some((each) => mentions.admitUnit(each, unit)) || isTestPath(unit.path)) continue;
    const at = hollowOf(reading.rollout.growth, unit);
    if (at !== null) yield { match: matchAt(unit, at.start, at.end), chain: [] };
  }
}

const hollowOf = remembered(({ text }: Unit) => hollowIn(text.text));

/** Exported for its test. */
export function hollowIn(text: string): { start: number; end: number } | null {
  for (const head of guard.admits(text) && named.test(text) ? text.matchAll(heads) : []) {
    // Scala's `canEqual` is asked before the comparison and looks at types only.
    if (/\bcan_?Equal/i.test(head[0])) continue;
    const names = namesOf(head[1] ?? '', /\bfunc\s*\(/.test(head[0]));
    const other = names.at(-1);
    // A parameter without a name is not looked at.
    const unnamed = /,\s*(?:const\s+)?[A-Z]\w*\s*[&*]+\s*$/.test(head[1] ?? '');
    if (other === undefined) continue;
    const from = head.index + head[0].length;
    const body = bodyAt(text, from, /\b(?:def|sub|func|function|proc|method)\b/.test(head[0]));
    if (body === null || handedOn.test(body)) continue;
    const free = declaresItself(body, names);
    if (!free && !positive.test(body)) continue;
    if (!free && !unnamed && !decided.test(body) && usesContent(body, other)) continue;
    const lead = head[0].length - head[0].trimStart().length;
    return { start: head.index + lead, end: Math.min(text.length, from + Math.min(body.length, 160)) };
  }
  for (const match of text.includes('__') ? text.matchAll(arithmetic) : []) {
    const body = (match[2] ?? '').split(/\n\s*def\s/)[0] ?? '';
    if (
      /\breturn\b/.test(body) &&
      !new RegExp(String.raw`\b${match[1] ?? ''}\b`).test(body) &&
      !/NotImplemented|raise/.test(body)
    )
      return { start: match.index, end: match.index + Math.min(match[0].length, 160) };
  }
  const sizes = onlySizes.exec(text);
  return sizes === null ? null : { start: sizes.index, end: sizes.index + sizes[0].length };
}

/** Names of the parameters that are compared: the receiver, defaults and options left out. */
function namesOf(list: string, nameFirst: boolean): string[] {
  const compared = list.split(';')[0] ?? '';
  return compared.split(',').flatMap((each) => {
    if (/^\s*(?:&?(?:mut )?self|this|cls)\s*$/.test(each) || /=|\.\.\.|\*\w/.test(each.replace(/[=!]=/g, '')))
      return [];
    const said = each.trim();
    // `other: Any?`, `o::T` and `o` begin with the name; `const Money& b` and `object? o` end with it.
    const name =
      (nameFirst ? /^[A-Za-z_]\w*/.exec(said)?.[0] : undefined) ??
      /^[$@]?([A-Za-z_]\w*)\??\s*(?::|$)/.exec(said)?.[1] ??
      /([A-Za-z_]\w*)\s*$/.exec(said.replace(/\)$/, ''))?.[1];
    return name === undefined || name === '_' ? [] : [name];
  });
}

/** The body after a head: an expression or a block, at most so long. Null where nothing is defined here. */
function bodyAt(text: string, from: number, defines: boolean): string | null {
  const rest = text.slice(from, from + longestBody);
  const opening =
    /^\s*(?:(?:const|noexcept|override|final|where\s+\w[^\n={]{0,40})\s*)*(?:(?:->|:)\s*[\w.<>?:[\], ]{1,60}?)?\s*(?:(?:bool|int|\(?bool, error\)?)\s*(?=\{))?(?:=>|->|\{|:(?!:)|=(?!=)|\bdo\b|\bthen\b|\n|return\b|;)\s*/.exec(
      rest,
    );
  if (opening === null || (!defines && /^\s*(?:\n|;)?\s*$/.test(opening[0]))) return null;
  const body = rest.slice(opening[0].length);
  const end = nextPart.exec(body.slice(1));
  const cut = end === null ? body : body.slice(0, end.index + 1);
  return cut.trim() === '' ? null : cut;
}

/** Flags that a comparison may well ask before anything else: patterns that match all, and values that hold nothing. */
const openFlag = /any|wild|null|nil|none|empty|nan|error|unknown|placeholder|dynamic|never|ignored?/i;

/** Whether a flag of one side alone makes both sides equal, as in `return a.approx || a.v == b.v`. */
function declaresItself(body: string, names: readonly string[]): boolean {
  if (!/\|\||\bor\b/.test(body)) return false;
  const side = String.raw`(?:self|this${names.map((name) => `|${name}`).join('')})(?:\.|->)(\w+)`;
  const first = new RegExp(String.raw`(?:^|\breturn\b)\s*\(?\s*${side}\s*(?:\|\||\bor\b)`).exec(body);
  const last = new RegExp(
    String.raw`(?:^|\breturn\b)[^;\n{}]{0,200}(?:\|\||\bor\b)\s*${side}\s*\)?\s*(?:[;}\n]|$)`,
  ).exec(body);
  const flag = first?.[1] ?? last?.[1];
  return flag !== undefined && !openFlag.test(flag);
}

/** Whether a body reads something of the named value besides its size, type or presence. */
function usesContent(body: string, name: string): boolean {
  for (const { index } of body.matchAll(new RegExp(String.raw`(?<![\w.'"$])[$@]?${name}(?!\w)`, 'g'))) {
    const before = body.slice(Math.max(0, index - 40), index);
    const after = body.slice(index + name.length + (/^[$@]/.test(body.charAt(index)) ? 1 : 0));
    if (outward.test(after) || outwardBefore.test(before) || presenceAfter.test(after) || presenceBefore.test(before))
      continue;
    return true;
  }
  return false;
}
