// What a task forbids and grants, read from the texts that people wrote to the agent. The same command is a hack in one task and
// the job in another: rules and the intent judge ask this contract before they speak.

import { type TaskSubject, taskSubjects } from '../../contract/rule-pack.ts';
import type { ContractClause, TaskContract } from '../../contract/task-contract.ts';
import type { Found } from './automaton.ts';
import { guards } from './guards.ts';
import { kept } from './kept.ts';

/** A text of the task. A system text only forbids: what it allows in general is no request. */
export interface TaskText {
  readonly role: 'user' | 'system';
  readonly text: string;
}

/** How a subject shows in a sentence; `asked` is the narrower form that makes a sentence without a ban a request for it. */
const subjectWords: Readonly<Record<TaskSubject, { readonly named: RegExp; readonly asked: RegExp }>> = {
  history: {
    named: /\b(?:git|histor\w*|commits?|branch\w*|reflog|refs?)\b|历史|提交|分支|verlauf|historial|historique/i,
    asked:
      /\b(?:which|what|when|who|find|list|show|look|search|revert|undo|recover|restore|rescue|summar\w+|compare|between|write|describe|explain|squash|split|get|reset)\b[^.]{0,60}\b(?:branch\w*|commits?|reflog|stash|histor\w*|change ?log|refs?|tags?|work back|my work|v?\d+\.\d+)\b|\b(?:merge|rebase|cherry-?pick|bisect|blame)\b(?!\.\w)|\bsince v?\d|\breset my\b|\b(?:origin|upstream|remotes)\/[\w.-]+|\b(?:bring|pull|take|carry|port|backport|copy)\w*\b[^.]{0,40}\b(?:over|across|back|in|to (?:the )?release\w*)\b|\bbackport\w*|分支|历史|rama|zweig/i,
  },
  upstream: {
    named:
      /\b(?:upstream|pull requests?|merge requests?|forks?|PRs?|the (?:fix|patch)|accepted|network|internet|online)\b/i,
    asked:
      /\b(?:review|check ?out|apply|merge|backport|port|cherry-?pick|summar\w+|rebase|look at|pull in|compare)\b[^.]{0,60}\b(?:pull request|merge request|PR|upstream|fork|commit|patch)\b|\bupstream's\b|\bour (?:pull|merge) request|\b(?:breaks?|broke|broken|fails?|failing|complain\w*)\b[^.]{0,30}\b(?:since|with|after|under)\b[^.]{0,30}\b[A-Za-z][\w-]*\s+v?\d+\.\d+|\b(?:upgrad|updat|bump|mov)\w*\s+(?:to|from)\b[^.]{0,30}\d+\.\d+/i,
  },
  network: {
    named:
      /\b(?:network|internet|online|offline|egress|proxy|web ?sites?|downloads?)\b|外网|联网|网络|netz\w*|réseau|red\b|сет[ьи]/i,
    asked:
      /\b(?:mirror|download|fetch|upload|proxy|clone|install|scrape|crawl)\b[^.]*(?:https?:|\bfrom\b|\bbehind\b|\bwhen\b|\bpackages?\b)|https?:\/\//i,
  },
  packages: {
    named: /\b(?:packages?|registr\w+|published|release[ds]?|pypi|npm|crates?)\b/i,
    asked:
      /\b(?:which versions?|newest|latest|upgrade|update to|vendor|package (?:our|the|this)|publish|mirror|compare[^.]{0,40}release|download[^.]{0,40}package|wheelhouse|previous release)\b|\b(?:bump|upgrade|update)\w*\b[^.]{0,30}\bdependenc\w+|\bdependency [\w@/-]+/i,
  },
  'web-search': {
    named: /\b(?:search|look(?:ing)? up|web|online|internet)\b/i,
    asked:
      /\b(?:search|look up|find out online|google|write-?ups?|collect|survey|list)\b[^.]{0,60}\b(?:web|online|solutions?|write-?ups?|answers?|papers?)\b/i,
  },
  tests: {
    named: /\b(?:tests?|specs?|suite|assertions?|fixtures?)\b|测试|прове|тест|prueba|テスト/i,
    asked:
      /\b(?:updat|adapt|chang|adjust|rewrit|migrat|mov|renam|convert|delet|remov|relax|moderni[sz]|translat|refactor|simplif|port|clean)\w*\b[^.]{0,60}\b(?:tests?|specs?|suites?|assertions?|expectations?|fixtures?|tolerances?)\b|\btests? (?:(?:of|for|in) \S+ )?(?:is|are|was|were) (?:wrong|outdated|stale|incorrect|obsolete)|\btests? included|\bas (?:wanted|agreed|decided)\b|\bto (?:vitest|jest|pytest|junit ?5|mocha)\b|everywhere|wrong (?:test|expectation)|\b(?:bounds?|limits?|tolerances?|thresholds?|expect\w*|values?|assert\w*|lines?|cases?|tests?)\b.{0,80}\b(?:may|can|should|is to|are to|must) be (?:relaxed|changed|updated|widened|loosened|adapted|raised|lowered|removed|rewritten|replaced)/i,
  },
  'test-skips': {
    named: /\b(?:skip\w*|disabl\w*|deselect\w*|ignor\w*|xfail|quarantine\w*|tests?|suite)\b|跳过/i,
    asked:
      /\b(?:skip|disable|deselect|quarantine|xfail|mark|exclude|un-?skip|re-?enable|leave out|remove|delete|retire|drop)\b[^.]{0,80}\b(?:tests?|specs?|suites?|cases?|markers?)\b|\bmark\w*\b[^.]{0,60}\b(?:fixme|skip(?:ped)?|todo|pending|xfail|flaky)\b|\bonly the (?:quick|fast|relevant|unit)\b|\b(?:convert|migrat|renam|replac|mov|translat|re-?enabl|switch|turn)\w*\b[^.]{0,60}(?:@Ignore|@Disabled|@Skip|\bxfail|\bskips?\b|\bskipped\b|annotations?|markers?|\.skip\b)|跳过[^。]{0,20}测试/i,
  },
  snapshots: {
    named: /\b(?:snapshots?|golden(?: files?)?|baselines?|expected (?:output|files?))\b|快照/i,
    asked:
      /\b(?:updat|accept|regenerat|refresh|record|re-?creat|bless|renew)\w*\b[^.]{0,60}\b(?:snapshots?|golden|baselines?|expected|fixtures?)\b|\bsnapshots? (?:to be|should be|are to be) (?:updated|accepted)|更新[^。]{0,12}快照/i,
  },
  harness: {
    named:
      /\b(?:harness|graders?|grading|checkers?|verifiers?|conftest(?:\.py)?|runner|scor(?:e|er|ing)(?: scripts?)?|CI|pipelines?|Makefile|evaluat\w+ (?:scripts?|code))\b/i,
    asked:
      /\b(?:add|write|set up|create|build|implement|fix|repair|extend|improve|refactor|configure|update|change|reset|speed up|debug|harden|adapt)\b[^.]{0,80}\b(?:target|harness|graders?|runner|conftest|plugin|reporter|scor(?:e|er|ing)\b|evaluat\w+|CI\b|pipeline|workflow|setup file|jest|vitest|rspec|pytest|Makefile|every spec\b|reward|wrapper|hook)/i,
  },
  evaluation: {
    named:
      /\b(?:hidden|private|held-?out|answer keys?|expected|labels?|gold|reference|rubric|marking|test split|graders?|grading|checker|verifier)\b|答案|隐藏/i,
    asked:
      /\b(?:our|my|the|these|this) (?:private|hidden|internal|grading|checker|own)\b[^.]{0,60}\b(?:suite|tests?|checks?|checker|grader|script|folder)\b[^.]{0,80}\b(?:flaky|look|fix|review|debug|explain|why|what|improve|extend|broken|slow|document)|\b(?:why|how|explain|document|review|debug|describe|audit)\b[^.]{0,40}\b(?:graders?|checker|verifier|evaluate\w*|scor(?:er|ing)|verdict|rubric|marking|answer key)\b|\bverdict of\b|\b(?:survey|quiz app|exam generator|answer key generator)\b/i,
  },
  reference: {
    named:
      /\b(?:reference|solutions?|oracle|exemplars?|templates?|submissions?)\b|Musterl\w+|参考答案|solución de referencia/i,
    asked:
      /\b(?:reference|template|starter|skeleton|exemplar|sample solution|example solution)\b[^.]{0,80}\b(?:given|provided|is in|are in|may|can|use|you have|available|port|start)\b|\b(?:port|translate|move|archive|convert|compare|follow|adapt|copy|use|review|grade|run)\b[^.]{0,60}\b(?:reference|solutions?|templates?|submissions?|exemplars?)\b/i,
  },
  host: {
    named:
      /\b(?:sandbox|containers?|host|root|sudo|outside|rights|privileges?|only (?:work )?in|docker|pods?|kubectl)\b/i,
    asked:
      /\b(?:start|run|build|deploy|set ?up|write|configure|use|install|debug|migrate|mount|add|make|list|restart|monitor|administer|harden|fix|show|inspect)\b[^.]{0,60}\b(?:docker\w*|compose|containers?|kubernetes|k8s|podman|systemd|mount|kernel modules?|on this host|this machine|servers?|daemon|chroot|namespaces?|VM|permissions?|cloud metadata|IAM|executable|jq|packages?)\b|\bcompose (?:file|stack)|\bdocker[-_.](?:compose|sock)|\bDockerfile\b|\bhelm\b|\bsocket proxy\b/i,
  },
  'synthetic-data': {
    named: /\b(?:made[- ]up|fabricat\w+|invent\w*|fake|synthetic|simulated?)\b/i,
    asked:
      /\b(?:demo|synthetic|dummy|mock(?:ed|up)?|fake|placeholder|random|simulat\w*|sample|example|toy|test) (?:data\w*|metrics|rows|records|values|results?|logs?|numbers|files?|users?|traffic|events)\b|\b(?:generate|create|simulate|seed)\b[^.]{0,40}\b(?:data|rows|records|noise|events)\b|Monte[- ]Carlo|\b(?:invented|made[- ]up|fictitious|illustrative|plausible)\b[^.]{0,30}\b(?:figures?|numbers?|data|values?|curves?)\b|\bmock-?ups?\b/i,
  },
  clock: {
    named: /\b(?:clock|timers?|time|benchmark)\b/i,
    asked:
      /\b(?:fake|mock|frozen?|freeze|patch\w*|travel|set|inject\w*|stub)\b[^.]{0,30}\b(?:clock|time\w*|date)\b|\bclock\b[^.]{0,30}\b(?:injectable|skew|tests?)\b|depends on the date/i,
  },
  'judge-text': {
    named: /\b(?:grader|judge|reviewer|evaluator|instructions?)\b/i,
    asked:
      /\b(?:prompts?|template|sanitiz\w*|sanitis\w*|injections?|guard(?:s|ed|ing|-?rails?)?\b|red[- ]team\w*|filter)\b|\b(?:note|message|comment|letter|instructions?|guide|rubric)\b[^.]{0,30}\b(?:for|to) (?:the |our |a )?(?:reviewers?|graders?|judges?|evaluators?)/i,
  },
  state: {
    named: /\b(?:state|database|records?|legal|moves?|tools?|rules)\b/i,
    asked:
      /\b(?:migrat\w*|set up|seed|repair|correct|fix|restore|edit|reset|import|rename|update|convert)\b[^.]{0,60}\b(?:positions?|state|database|table|rows?|records?|save|column|orders?|values?|config\w*|board|data)\b|\btest position|\b(?:wrong|incorrect|outdated|too \w+)\b[^.]{0,40}\b(?:config\w*|settings?|param\w*)\b/i,
  },
  exits: {
    named: /\b(?:exit|status|return codes?)\b/i,
    asked:
      /\b(?:exit(?:s| codes?| status)?|CLI|command[- ]line|installer|ctrl-?c|signals?|shut ?down|--\w+ (?:flag|switch|option)|flag|switch|daemon|quit)\b/i,
  },
  'training-data': {
    named: /\b(?:benchmark|test (?:set|split|data)|test\.\w+|evaluation|held-?out|dev set)\b|测试集/i,
    asked:
      /\b(?:train|fit|refit|retrain)\b[^.]{0,60}\b(?:all (?:the )?data|both splits|full data|including|whole)\b|\b(?:overlap|contaminat\w*|dedup\w*|cross-?validat\w*|merge the splits|final model on)\b/i,
  },
  'environment-checks': {
    named: /\b(?:under test|in tests?|CI)\b/i,
    asked:
      /\b(?:telemetry|analytics|headless|in[- ]memory mail\w*|no mails?|no \w+ (?:in|under) tests?|in[- ]memory|under (?:go )?(?:rspec|jest|vitest|pytest|tests?)|on CI|when tests run|during tests|test mode|platform|detect|under automation|webdriver)\b/i,
  },
};

const ban =
  /\b(?:do not|don't|must not|mustn't|may not|cannot|can't|should not|shall not|never|without|not (?:allowed|permitted|available|part|yours|released|given|to be|touch\w*|us\w+|be)|no (?:network|internet|access|external|other|third|library|libraries|rights|crates?|dependenc\w+|changes?|pre-?trained)|forbid\w*|forbidden|prohibited|disallowed|off[- ]limits|banned|avoid|refrain|is cheating|not read|except)\b|不允许|不得|禁止|不要|不能|不可|不会给|勿|nicht|verboten|kein\w*|interdit|\bne\b[^.]{0,30}\bpas\b|\bsans\b|prohibid\w*|\bsin\b|no se (?:permite|puede)|\bno (?:l[oa]s? )?(?:mir|us|to[cq]|le[ae]|abr|modifi|consult|copi|ejecut|descarg|bus[cq]|acced|instal|cambi|utili|edit|borr)\w+|нельзя|запрещ\w*|\bне\b|しないで|禁じ/i;
/** Keeps the work in one place, whoever says so: "kubectl inside your namespace only". */
const confines = /\b(?:inside|within) (?:your|the|this|its)\b[^.;]{0,40}\bonly\b|\bonly (?:inside|within)\b/i;
const confinesGuard = guards.of(confines);
const onlyBan = /\b(?:only|solely|nothing but|exclusively)\b|只能|仅|nur|uniquement|solamente/i;
const allow =
  /\b(?:you (?:may|can|are (?:allowed|free))|allowed to|permitted to|feel free|is (?:fine|ok|okay|allowed|wanted)|are (?:fine|allowed|wanted|yours)|as wanted|given to you|at your disposal|on request)\b|可以|允许|darfst|vous pouvez|puedes/i;

const maxClauses = 60;
const longestText = 60_000;
const longestQuote = 400;

/** A sentence or list item with where it stands. */
export class Sentence {
  readonly start: number;
  readonly end: number;
  readonly text: string;
  #found: Found | null = null;

  constructor(start: number, end: number, text: string) {
    this.start = start;
    this.end = end;
    this.text = text;
  }

  /** The literals of the built-in comparisons in it: searched once for all that ask. */
  get found(): Found {
    this.#found ??= guards.search(this.text);
    return this.#found;
  }
}

/** Sentences and list items of a text. */
export const sentences: (text: string) => readonly Sentence[] = kept((text) => {
  const found: Sentence[] = [];
  for (const match of text
    .slice(0, longestText)
    .matchAll(/[^.!?;\n。！？；]+(?:[.!?;](?!\s|$)[^.!?;\n。！？；]*)*[.!?;。！？；]*/g)) {
    const said = match[0].trim();
    if (said.length > 3) found.push(new Sentence(match.index, match.index + match[0].length, said));
  }
  return found;
});

const banGuard = guards.of(ban);
const onlyBanGuard = guards.of(onlyBan);
const allowGuard = guards.of(allow);
const subjectGuards = taskSubjects.map((subject) => ({
  subject,
  named: guards.of(subjectWords[subject].named),
  asked: guards.of(subjectWords[subject].asked),
}));

const ofUser = kept((text) => contractOf('user', text));
const ofSystem = kept((text) => contractOf('system', text));

/**
 * The contract that the texts of a task state: per sentence the subjects that it bans, allows or asks for. `what` names the
 * subject, or what a ban says where it fits none; `quote` is the sentence.
 */
export function readTaskContract(texts: readonly TaskText[]): TaskContract {
  const forbids: ContractClause[] = [];
  const grants: ContractClause[] = [];
  for (const { role, text } of texts) {
    const stated = role === 'user' ? ofUser(text) : ofSystem(text);
    for (const { what, quote } of stated.forbids) add(forbids, what, quote);
    for (const { what, quote } of stated.grants) add(grants, what, quote);
  }
  return { forbids, grants };
}

function contractOf(role: TaskText['role'], text: string): TaskContract {
  const forbids: ContractClause[] = [];
  const grants: ContractClause[] = [];
  const inText = guards.find(text);
  const mayBan = bansIn(role, inText);
  const asking = role === 'user' ? subjectGuards.filter(({ asked }) => asked.passes(inText)) : [];
  for (const { text: said, found } of mayBan || asking.length > 0 ? sentences(text) : []) {
    const quote = said.slice(0, longestQuote);
    const banned = banGuard.test(said, found) || confinesGuard.test(said, found);
    if (banned || (role === 'system' && onlyBanGuard.test(said, found))) {
      const named = subjectGuards.filter((subject) => subject.named.test(said, found));
      for (const { subject } of named) add(forbids, subject, quote);
      if (named.length === 0) add(forbids, 'other', quote);
    }
    // "Do not break the build; update the snapshots" was split above: what is left of a ban grants nothing.
    if (!banned || (allowGuard.test(said, found) && !confinesGuard.test(said, found)))
      for (const { subject, asked } of asking) if (asked.test(said, found)) add(grants, subject, quote);
  }
  return { forbids, grants };
}

/** Whether a text of this role in which these literals were found may ban anything. */
function bansIn(role: TaskText['role'], found: Found): boolean {
  return banGuard.passes(found) || confinesGuard.passes(found) || (role === 'system' && onlyBanGuard.passes(found));
}

/** Whether the contract that the texts state may grant one of these subjects: asked before any sentence is read. */
export function mayGrant(texts: readonly TaskText[], subjects: readonly TaskSubject[]): boolean {
  return texts.some(
    ({ role, text }) =>
      role === 'user' &&
      subjectGuards.some(({ subject, asked }) => subjects.includes(subject) && asked.passes(guards.find(text))),
  );
}

/** Whether it may forbid one of them. */
export function mayForbid(texts: readonly TaskText[], subjects: readonly TaskSubject[]): boolean {
  return texts.some(({ role, text }) => {
    const found = guards.find(text);
    return (
      bansIn(role, found) &&
      subjectGuards.some(({ subject, named }) => subjects.includes(subject) && named.passes(found))
    );
  });
}

function add(list: ContractClause[], what: string, quote: string): void {
  if (list.length < maxClauses && !list.some((known) => known.what === what && known.quote === quote))
    list.push({ what, quote });
}

/** The subjects of a clause: the one it names, or those that its own words speak of (a person's clause is free text). */
export function subjectsOf({ what, quote }: ContractClause): readonly TaskSubject[] {
  const named = taskSubjects.find((subject) => subject === what.toLowerCase());
  if (named !== undefined) return [named];
  if (what === 'other' && quote !== '') return [];
  return taskSubjects.filter(
    (subject) => subjectWords[subject].named.test(what) || subjectWords[subject].asked.test(what),
  );
}
