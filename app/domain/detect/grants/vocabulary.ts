// What the tables of grants/ have in common: verbs of requests, owners, and the things that requests are about, in several languages.
// The sources are parts of regular expressions.

/** How the texts of a task speak of the acts of one kind. */
export interface KindWords {
  /** The request makes the object or the act of this kind its job; read where a sentence bans nothing. */
  readonly asked: RegExp;
  /** What a sentence that bans something is about, when it bans this kind. */
  readonly banned: RegExp;
  /** Rules the kind out without a ban: "tests that you do not have", "the repair should be your own". */
  readonly ruledOut?: RegExp;
}

export const any = (...words: readonly string[]): string => `(?:${words.join('|')})`;
export const all = (...sources: readonly string[]): RegExp => new RegExp(sources.join('|'), 'i');

/** Where a request begins: a clause, or a word that leads to a verb. */
const opens =
  '(?:^\\W{0,3}|[,;:–—(]\\s*|\\b(?:please|and|then|to|also|now|first|just|you|I|us|bitte|und|zu|et|de|y|can|could|i)\\s+)';
/** The work must only satisfy the thing named: no request to look into it. */
const satisfies =
  '(?:\\b(?:pass|passes|satisf\\w*|through|against|until|so that|scored|graded|judged|evaluated|checked|measured|verified|marked|decides?|uses|for (?:our|the|your)|afterwards|after you|bis|jusqu\\S{0,3}|hasta|damit|pour que|para que|чтобы)\\b|[(])';
export const near = (reach: number): string => `(?:(?!${satisfies})[^.\\n。]){0,${reach}}?`;

/** To use something as it is. */
const use = 'run|re-?run|score|rescore|grade|mark|count|list|compare|measure|test';
/** To look into, mend, make or hand out something. */
const workOn = any(
  'explain|tell|say|find|figure out|review|audit|inspect|debug|diagnose|investigate|look (?:at|into)|(?:have|take) a (?:close )?look|see why|check (?:why|whether|what|that|if|our|the)|document|describe|summari[sz]e|show|read|open|attach',
  'fix|repair|mend|correct|improve|extend|refactor|rewrite|clean(?: up)?|simplify|speed up|update|adapt|migrate|port|translate|convert|move|rename|split|harden|stabili[sz]e|deflake|bring|change|adjust',
  'teach|write|implement|create|build|add|design|set up|develop|generate|prepare|collect|archive|copy|restore|recover|rescue|publish|tune|monitor',
  'erklär\\w*|prüf\\w*|untersuch\\w*|find\\w*|beheb\\w*|repar\\w*|schreib\\w*|bau\\w*|erstell\\w*|entwick\\w*|zähl\\w*|wert\\w*|stell\\w*|korrigier\\w*',
  'expliqu\\w*|trouv\\w*|retrouv\\w*|corrig\\w*|écri\\w*|ajout\\w*|répar\\w*|vérifi\\w*|compt\\w*|dépouill\\w*|remet\\w*',
  'explica\\w*|averigu\\w*|encuentra\\w*|arregl\\w*|escrib\\w*|añad\\w*|revis\\w*|cuent\\w*|crea\\w*|investig\\w*|recuper\\w*|conserte|escreva|encontre',
  'объясни\\w*|найди\\w*|исправ\\w*|почини\\w*|напиши\\w*|добавь\\w*|проверь\\w*|выясни\\w*|посчитай\\w*|верни\\w*|восстанов\\w*',
);
const asking =
  '\\b(?:why|what exactly|how does|how do|where does|warum|wieso|pourquoi|por qué|почему|what .{1,40} (?:checks?|does|do|reads?|means?)|how many|which of|wie viele|welche|combien|lesquels|cuántos|cuáles|сколько|какие|quantos)\\b';
const workCjk = any(
  '解释|说明|查明|检查|查一下|修复|修正|编写|实现|添加|统计|为什么|恢复|找回|调查|調べ|直し|修正|書い|作成|集計|作っ|説明|戻し',
);
const workLast =
  '\\b(?:anpassen|aktualisieren|prüfen|erklären|reparieren|beheben|finden|schreiben|auswerten|wiederherstellen|zurückholen|übernehmen|vergleichen|umstellen|einbinden)\\b';
/** It is theirs who ask: "I maintain". */
const keeps =
  '\\b(?:I|we|you)(?:.re| are)? (?:maintain|own|run the|wrote|operate|administer|host|build|prepare|responsible for)\\b';
/** What is the matter with something. */
const ailing = any(
  '\\b(?:is|are|has been|have been|was|were|gets?|seems?|went) (?:\\w+ )?(?:flaky|red|broken|wrong|slow\\w*|stuck|down|failing|hung|hanging|outdated|stale|missing|unstable|too \\w+)\\b',
  '\\b(?:hangs?|hung|crash\\w*|breaks?|leaks?|times? out|takes \\d|(?:marks?|treats?|counts?|regards?|takes) [\\w-]+ [\\w ]{0,30}as|gives? (?:full|wrong|no|a|everyone|zero|nothing)|says? [\\w ]{1,20} although|claims?|rejects?|has (?:an? |one |two |some )?(?:flaky|failing|broken|wrong|slow|outdated|unstable|stale) \\w+|follows? instructions|fails? (?:about|on|every|since|at|in|when|if|for)|has shown|differs?)\\b',
  '\\b(?:hängt|spinnt|kaputt|fehlerhaft|instabil|plante|échoue|instable|falla|inestable|падает|завис\\w+|не работает)\\b|失败|不稳定|卡住|落ち|壊れ',
);

const work = any(use, workOn);

/** An object is what the request is about; `verbs` is what is to be done with it. */
export const about = (objects: string, verbs: string = work): string[] => [
  `${opens}${verbs}\\b(?!\\s*[=:]|/|\\.\\w)${near(60)}${objects}`,
  `${asking}${near(60)}${objects}`,
  `${objects}${near(50)}${ailing}`,
  `${workCjk}[^。\\n]{0,24}${objects}|${objects}[^。\\n]{0,24}${workCjk}`,
  `${objects}[^.\\n]{0,60}${workLast}`,
];
/** The same where using an object as it is does not count: to run a check is no request to change it. */
export const aboutChange = (objects: string): string[] => about(objects, workOn);
/** The object belongs to who asks, and they say so. */
export const owned = (objects: string): string[] => [
  `${keeps}[^.\\n]{0,40}${objects}`,
  `\\b(?:ich (?:pflege|betreue|verwalte)|j'entretiens|yo mantengo|я (?:веду|поддерживаю)|我维护|私が管理)`,
  `${objects}[^.\\n]{0,40}\\b(?:is|are|belongs? to) (?:ours|mine|me|us|the user's|(?:my|our) team|yours to (?:read|use|run|change)|there for you)\\b`,
  `\\b(?:engineer|maintainer|analyst|administrator|developer|owner|team|researcher|auditor)s?\\b[^.\\n]{0,24}\\b(?:for|of|in|at)\\b[^.\\n]{0,20}${objects}`,
  '\\byou (?:are|act as) (?:its|their) (?:\\w+ )?(?:admin\\w*|maintainer|owner|operator|keeper)s?\\b',
  `\\byou (?:help|support|assist|run(?! as\\b)|do|build|prepare|organi[sz]e)\\b[^.\\n]{0,30}${objects}`,
];

/** What measures the work. */
export const measure = any(
  '\\b(?:hidden|private|held[- ]?(?:out|back)|withheld|secret|acceptance|conformance|grading|internal)[- ](?:\\w+[- ]){0,2}?(?:tests?|suites?|specs?|cases|checks?|vectors|modules?|crate)\\b',
  '\\b(?:graders?|grading|checkers?|verifiers?|verify|verification|judges?|scor(?:ers?|ing)|evaluators?|evaluation|eval|autograders?|reward|rubrics?|oracle|acceptance|exam|health ?check|conformance|comparator|harness|leaderboard)\\b',
  '(?:скрыты\\S+|закрыты\\S+|приёмочн\\S+) тест\\S*|проверяющ\\S+ (?:скрипт|программ)\\S*',
  '隐藏测试|私有测试|验收测试|评分(?:器|脚本|程序)|评测(?:器|脚本|程序)|判题|採点|評価スクリプト',
  '\\b(?:versteckte\\w*|private\\w*|Abnahme)[- ]?tests?|Abnahme(?:suite|fälle)\\w*|Prüf(?:skript|suite|fälle|ung)|Bewertungs(?:skript|dienst)|tests? (?:cachés|privés)|script de notation|pruebas? (?:ocultas?|privadas?)|evaluador\\b|corrector\\b',
);
export const answers = any(
  '(?<![/.\\w-])(?:answers?(?! with\\b)|answer[- ]keys?|labels?|gold|ground[- ]truth|truth|marking schemes?|criteria|solution keys?|expected (?:outputs?|values?|answers?|results?|totals?)|responses|submissions|annotations|survey|quiz|questionnaires?)\\b(?!\\.\\w)',
  '答案|标注|问卷|回答|アンケート|ответ\\S*|разметк\\S*|опрос\\S*|Antworten(?!\\.\\w)|Umfrage|Lösungsschlüssel|réponses|sondage|corrigés|respuestas|encuesta',
);
export const solutions = any(
  '\\b(?:reference|solutions?|exemplars?|templates?|submissions?|starter|prototype|original|legacy)\\b',
  'Musterl\\w+|Referenz\\w*|Vorlage|référence|modèle|referencia|plantilla|参考|模板|эталон\\S*|шаблон\\S*|リファレンス|テンプレート',
);
export const upstreamFix = any(
  '\\b(?:upstream|pulls? (?:no\\.? )?[#!]?\\d+|pull requests?|merge requests?|PRs?|MRs?|patch(?:es)?|commits?|fork|back-?port\\w*|CVE-[\\d-]+|hotfix|advisory)\\b|(?:pull|merge_requests|commit|pulls)/\\w+|合并请求|上游|補丁|補正|アップストリーム',
);
export const releases = any(
  '\\b(?:published|released|registry|registries|releases?|versions?|packages?|gems?|crates?|wheels?|tarballs?|artifacts?|npm|pypi|maven|nuget|vendored?|mirror|supply[- ]chain|dependenc\\w+|upgrade|bump)\\b|版本|发布|软件包|パッケージ|リリース|Version\\w*|Paket\\w*|paquete|paquets?|versi[oó]n\\w*|верси\\S*|пакет\\S*',
);

export const tests = any(
  '\\b(?:tests?|specs?|suites?|assertions?|expectations?|tolerances?|snapshots?|golden|baselines?|fixtures?|expected)\\b|测试|快照|用例|テスト|スナップショット|Testf[äa]ll\\w*|cas de test|casos de prueba|тест\\S*|снимк\\S*|pruebas?|essais?',
);

/** Predictions that are there are to be scored against truth that the request names: the truth must be opened for that. */
export const toScore =
  '\\b(?:compute|calculate|report|determine|give|berechne\\w*|calcul\\w+)\\b[^.\\n]{0,24}\\b(?:AUC|ROC|accuracy|F1|BLEU|ROUGE|WER|CER|RMSE|MAE|metrics?|scores?|error(?: rates?)?|loss|kappa|recall|precision|Genauigkeit|exactitude|precisi[óo]n)\\b[^.\\n]{0,60}(?:\\.\\w+)?\\b[^.\\n]{0,20}\\b(?:against|gegen|contre|contra)\\b';

/** Evaluation data is to be kept out of training, for which it must be looked at. */
export const keptApart =
  '\\b(?:overlap\\w*|contaminat\\w*|decontaminat\\w*|dedup\\w*)\\b|\\b(?:none of|no|any of|whether any of)\\b[^.\\n]{0,30}\\b(?:items?|questions?|rows?|examples?|documents?|images?|prompts?)\\b[^.\\n]{0,30}\\b(?:is|are|be|occurs?|appears?|stands?|ends? up)?\\s?in [^.\\n]{0,20}\\btrain|去重|污染|Überschneidung\\w*|chevauchement|solapamiento|пересечени\\S*';

/** Something of the evaluation is somebody else's or comes later. */
export const withheld =
  '(?:(?:that|which)? ?(?:you|we|the agent) (?:do(?:es)? not|don.t|won.t|will not|cannot) (?:have|get|see|know)|not (?:yours|for you|part of|in your|released|available|accessible|public|shown|given)|(?:is|are|stays?|remains?|kept) (?:private|hidden|closed|secret|sealed|withheld|confidential|with (?:us|the)|on our side)|belongs? to (?:another|the (?!user)|other)|nothing of|stays? with|no access|do not get|bleib\\w* (?:bei|beim)|\\bbeim? [^.]{0,24}bleib\\w*|nicht (?:bekannt|Teil|zugänglich|ausgehändigt|herausgegeben)|unter Verschluss|rest\\w* (?:chez|entre les mains)|entre les mains|pas fourni\\w*|no se (?:entrega|facilita|muestra)\\w*|queda\\w* (?:en manos|con)|не (?:выда|предостав|доступ|показ)\\S*|不提供|不公开|不给|保密|持有|非公開|渡され|公開されない)';

/** An entry of a board or a register of results is wrong, and the request is to set it right: for that the store must be opened. */
export const boardAmiss =
  '\\b(?:(?:score|leader)?board|scoreboard|ranking|results? (?:table|list|register)|register)\\b[^.\\n]{0,40}\\b(?:wrong|misspel\\w*|typo|incorrect|outdated|twice|duplicate\\w*|wrongly|mistake\\w*|missing)\\b|\\b(?:typo|mistake|misspelling|wrong (?:name|title|date|entry))\\b[^.\\n]{0,40}\\b(?:(?:score|leader)?board|ranking|results? (?:table|list|register))\\b';
