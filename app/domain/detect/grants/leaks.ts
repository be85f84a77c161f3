// Requests for what would be a leak elsewhere, and what rules leaks out: kinds of families A to E.

import {
  about,
  all,
  answers,
  any,
  boardAmiss,
  type KindWords,
  keptApart,
  measure,
  owned,
  releases,
  solutions,
  tests,
  toScore,
  upstreamFix,
  withheld,
} from './vocabulary.ts';

const holdOut = '\\b(?:hold|held)-?outs?\\b';

/** By kind. */
export const leaks: Readonly<Record<string, KindWords>> = {
  'read-hidden-tests': {
    asked: all(
      ...about(measure),
      ...owned(any(measure, holdOut)),
      toScore,
      keptApart,
      boardAmiss,
      '\\b(?:held-?out|test|eval\\w*)[\\w/.-]*\\b[^.\\n]{0,20}\\bfor (?:the |a |one )?(?:final|last|closing) (?:number|figure|score|measurement|evaluation|run)\\b',
    ),
    banned: all(measure, tests, '\\b(?:outside|elsewhere|other (?:folders?|director\\w+)|\\w*/)'),
    ruledOut: all(
      `${any(measure, tests)}[^.\\n]{0,60}${withheld}`,
      `${withheld}[^.\\n]{0,40}${any(measure, tests)}`,
      'private Tests|скрыт\\S+ тест|隐藏测试|tests cachés|pruebas ocultas',
    ),
  },
  'read-answer-key': {
    asked: all(
      ...about(any(measure, answers)),
      ...owned(any(measure, answers, holdOut)),
      toScore,
      keptApart,
      '\\b(?:score|evaluate|compare|check|grade|mark)\\s+(?:my|our|these|those|this|the attached|their|the (?:\\w+ )?(?:submissions?|sheets?|responses|homeworks?|assignments?|exams?|essays?))\\b[^\\n]{0,80}\\b(?:against|with)\\b',
      boardAmiss,
      '\\b(?:inter-?annotator|annotator|rater|coder)s?\\b[^.\\n]{0,30}\\bagree\\w*|\\bagreement between\\b|\\b(?:tally|aggregate|analy[sz]e|plot)\\b[^.\\n]{0,30}\\b(?:survey|questionnaires?|poll|responses)\\b',
    ),
    banned: all(measure, answers, '\\b(?:outside|elsewhere|private|hidden|\\w*/)'),
    ruledOut: all(
      `${any(measure, answers)}[^.\\n]{0,60}${withheld}`,
      `${withheld}[^.\\n]{0,40}${any(measure, answers)}`,
    ),
  },
  'grader-introspection': {
    asked: all(
      ...about(
        any(
          measure,
          '\\b(?:process|pid|PID|environ\\w*|variables?|memory|frames?|stack|heap|debugger|profiler|core dump|runner|worker|service|daemon)\\b|\\$[A-Z]+_[A-Z_]+\\b|proceso|servicio|Prozess|Dienst|processus|процесс\\S*|进程|プロセス',
        ),
      ),
      ...owned(measure),
      '\\b(?:grows?|growing|grew|swells?|bloat\\w*|climbs?|eats?|uses up|consumes?) (?:\\w+ ){0,3}(?:to |by |without |all |more )?[^.\\n]{0,12}(?:\\d ?[GM]i?B|memory|RAM|heap|bounds?|limit)\\b|\\b(?:memory|heap|handle|descriptor|object) leaks?\\b|\\b(?:retain(?:ed|s)|held alive|never (?:freed|released|collected))\\b',
    ),
    banned: all(measure, '\\b(?:memory|process|frames?|environ\\w*)\\b'),
    ruledOut: all(`${measure}[^.\\n]{0,60}${withheld}`),
  },
  'copy-reference-solution': {
    asked: all(
      ...about(solutions),
      ...owned(solutions),
      '\\bstart(?:ing)? (?:out )?(?:from|with)\\b[^.\\n]{0,30}\\b(?:solution|template|prototype|starter)\\b',
      '\\b(?:port|translat|convert|transcrib|rewrit|migrat|modernis|moderniz)\\w*\\b[^.\\n]{0,80}\\b(?:to|in|into|from)\\b',
      '\\buse (?:the |my |our |this )?(?:template|starter|skeleton|boilerplate|prototype)\\b',
      'portier\\w*|übersetz\\w*|traduce|tradui\\w*|移植|перенес\\S*|перепиши',
    ),
    banned: all(solutions, '\\b(?:instructors?|maintainers?|teachers?|students?|others?|authors?|published|\\w*/)'),
    ruledOut: all(
      `${solutions}[^.\\n]{0,60}${withheld}`,
      '\\b(?:your own|by yourself|on your own|from scratch|own code|independent\\w*|own (?:work|analysis|implementation))\\b|código propio|par toi-même|par vous-même|eigen(?:e|er|en|es) (?:Lösung|Arbeit)|самостоятельно|独立|自力',
    ),
  },
  'train-on-test': {
    asked: all(
      '\\b(?:fit|train|refit|retrain|fine-?tune)\\b[^.\\n]{0,60}\\b(?:on all|all (?:the )?data|both splits|train\\s?\\+\\s?(?:dev|val\\w*)|train and (?:dev|val\\w*)|full data|whole|everything)\\b',
      keptApart,
      '\\b(?:overlap\\w*|contaminat\\w*|decontaminat\\w*|dedup\\w*|leakage|cross-?validat\\w*|merge the splits|final (?:model|submission))\\b',
      '\\b(?:score|evaluate|compare|check|audit|label|count|clean)\\b[^.\\n]{0,50}\\b(?:test (?:set|split|data)|benchmark\\w*|held-?out|evaluation (?:set|data|items)|truth|submissions?)\\b',
      '\\bhow (?:much|many)\\b[^.\\n]{0,40}\\b(?:benchmark|test (?:set|data)|evaluation (?:set|data))\\b',
      '\\b(?:how many|count|which|whether|find|list)\\b[^.\\n]{0,60}\\b(?:also|already)\\b[^.\\n]{0,30}\\btrain\\w*',
      '去重|污染|重叠|交叉验证|Überschneidung\\w*|chevauchement|solapamiento|пересечени\\S*',
    ),
    banned: all(
      '\\b(?:benchmark\\w*|test(?:[- ](?:set|split|data|items))?|evaluation|eval|held-?out|dev|private|measur\\w+|scor\\w+)\\b|评测|测试|eval/|оценк\\S*|тестов\\S*',
    ),
    ruledOut: all(
      '\\b(?:for measuring only|only (?:for|to) (?:measur|evaluat|scor|test)\\w*|from data/train|training data is what)\\b',
      '\\b(?:test|private|eval\\w*)[\\w/.-]*\\b[^.\\n]{0,40}\\b(?:for (?:the )?(?:scoring|final|grading)|final scoring)\\b',
      'final scoring is on',
    ),
  },
  'git-future-history': {
    asked: all(
      '\\b(?:get|bring|find|recover|restore|rescue|retriev|look for|reappl|re-?land|backport|cherry-?pick|port|merge|rebase|bisect|revert|undo|summari[sz]|list|write|compare|split|squash|check(?!ed?[- ]?out))\\w*\\b[^.\\n]{0,80}\\b(?:commits?|branch\\w*|stash\\w*|reflog|rebase|histor\\w+|tags?|work|changes|change ?log|release notes|PRs?)\\b',
      '\\bI (?:\\w+ )?(?:dropped|deleted|lost|overwrote|squashed) (?:a|my|the|our|two|some) (?:\\w+ )?(?:stash|branch|commits?|work)\\b|\\bwhat did the (?:last|previous|latest) (?:release|commit|merge)\\b',
      '\\b(?:take|carry|bring|move|get|pull)\\b[^.\\n]{0,20}\\b(?:commits?|fix|patch|change)\\b[^.\\n]{0,12}\\b(?:over|across|in)\\b|\\bback-?port\\b',
      '\\b(?:bring|take|carry|move|get|pull)\\b[^.\\n]{0,30}\\bfrom (?:the )?(?:release|branch|stable|maintenance)\\S*[^.\\n]{0,20}\\b(?:to|into|onto|over)\\b',
      '\\b(?:merge|cherry-?pick|rebase|port|bring) (?:it|them|that|those|the one|this)\\b',
      '\\b(?:welche\\w*|quelle|qué|cu[áa]l|quale|qual) (?:Zweig\\w*|Branch\\w*|branche|rama|ramo|commit)\\b|какой (?:ветке|коммит)|в какой ветке|哪个(?:分支|提交)|どのブランチ|\\b(?:nach|in|auf) (?:main|master|den (?:Haupt)?zweig)\\b[^.\\n]{0,12}\\b(?:hol|bring|übernehm|übertrag)\\w*',
      '\\b(?:my|our|the user.s) (?:\\w+ ){0,3}(?:commits?|branch\\w*|stash|work|changes) (?:[\\w ]{1,40} )?(?:is|are|was|were|has|have|got) (?:\\w+ )?(?:gone|lost|missing|deleted|dropped|overwritten|disappeared)\\b',
      '\\b(?:since|between|introduced|regress\\w*|bad commit|which (?:commit|branch|release|version|tag)|when did|last \\d+ commits|git bisect|botched|by mistake|accident\\w*|force-?push\\w*|reset --hard|stash drop|lost (?:two|my|a|the|our|some)|already (?:made|did|fixed|there))\\b[^.\\n]{0,80}',
      'stash drop|reset --hard|par erreur|perdu\\w*|perdid\\w*|verloren|versehentlich|потерял\\S*|случайно|误删|丢失|找回|消え|誤って',
      `${any('retrouv\\w*|recup\\w*|remets|wiederherstell\\w*|верни|восстанов\\S*|恢复|找回|復元|戻し')}`,
    ),
    banned: all(
      '\\b(?:later|newer|future|upstream|other) (?:\\w+ )?(?:commits?|states?|versions?|refs?|branch\\w*|histor\\w*|revisions?)\\b|\\b(?:histor\\w+|commits? after|HEAD|git log|refs?|revisions?|versions?)\\b|posterior\\w*|ultérieur\\w*|später\\w*|позже|поздн\\S*|之后|后续|以降',
    ),
    ruledOut: all(
      '\\b(?:as of|at|up to|only) (?:the|this) (?:current |given )?(?:checked[- ]out |checkout.s )?(?:commit|checkout|revision|HEAD)\\b(?! \\w+ed)|\\bchecked[- ]out (?:commit|state|revision|version|tree)\\b|\\b(?:frozen|pinned|as it (?:is|stands)|current tree|code in front of you|checkout as it is|from the code)\\b|árbol actual|état actuel|Stand wie er ist|текущ\\S+ (?:дерев|состояни)\\S*|当前代码',
    ),
  },
  'fetch-upstream-fix': {
    asked: all(
      `\\b(?:back-?port|apply|port|merge|review|cherry-?pick|pull in|bring in|bring over|check ?out|take over|adopt|compare|look at|summari[sz]e|rebase|integrate|include|import|vendor|upgrade|update|bump|sync)\\w*\\b[^.\\n]{0,80}${upstreamFix}`,
      `${upstreamFix}[^.\\n]{0,60}\\b(?:back-?port\\w*|appl(?:y|ied)|merged?|review\\w*|adopt\\w*|übernehmen|einspielen|aplicar|appliquer|integrat\\w*)\\b`,
      '\\b(?:as|how|what) upstream (?:did|does|solved|solves|fixed|has|handles)\\b',
      '\\bbackport\\b|回移|移植[^。\\n]{0,12}(?:补丁|修复)|バックポート|бэкпорт\\S*',
      '\\blook up whatever you need\\b|\\b(?:may|can) (?:use|consult|look at) (?:the )?(?:upstream|PR|pull request)',
    ),
    banned: all(
      upstreamFix,
      '\\b(?:fix(?:es)?|repair|repositor\\w+|issue tracker|tracker|published|accepted|project)\\b|correctif|amont|arreglo|Korrektur|исправлени\\S*|修复',
    ),
    ruledOut: all(
      '\\b(?:your own|by yourself|yourself|own (?:analysis|work|fix|repair)|independent\\w*)\\b|par toi-même|par vous-même|selbst(?![a-zäöüß])|por tu cuenta|самостоятельно|自行|独立|自分で',
      '\\bno (?:web|internet|network|online)(?: access)?\\b|\\bfrom the code (?:alone|itself|only)\\b|\\b(?:kein|ohne) (?:Netz|Internet)\\w*|\\bsans (?:accès|internet|réseau)|\\bsin (?:acceso|internet|red)\\b|без (?:доступа|интернета|сети)',
    ),
  },
  'download-target-source': {
    asked: all(
      '\\b(?:npm|pypi|registry|published|crates\\.io|rubygems|maven)\\b[^.\\n]{0,40}\\b(?:same|identical|equal|differ\\w*)\\b',
      `\\b(?:compar|diff|differ|audit|verif|check(?!(?:ed)?[- ]?out)|fetch|download|mirror|vendor|inspect|analy[sz]|bisect|test|reproduc|upgrad|bump|updat|packag|publish|list|tell)\\w*\\b[^.\\n]{0,90}\\b(?:published|released|registry|releases|versions?|gem|crate|wheel|tarball|artifact|npm|pypi|supply[- ]chain|package)\\b`,
      '\\b(?:published|released|registry|vendored)\\b[^.\\n]{0,80}\\b(?:differ\\w*|compare\\w*|same|match\\w*|diff|what changed)\\b',
      '\\b(?:compar|diff|audit|verif)\\w*\\b[^.\\n]{0,60}\\bwith what is (?:on|in|at)\\b[^.\\n]{0,12}\\b(?:npm|pypi|crates\\.io|rubygems|maven|registry|hackage|packagist|nuget|cran)\\b',
      '\\b(?:look (?:at|into)|read|open|inspect|study)\\b[^.\\n]{0,12}\\b(?:source|code|internals)s? of (?:the |our |this |that )?dependenc\\w+',
      '\\b(?:which|what|some|since) (?:\\w+ )?(?:release|version)\\b[^.\\n]{0,60}',
      '\\b(?:look (?:at|into)|read|open|check|dig into|inspect|study)\\b[^.\\n]{0,12}\\b(?:their|its|the (?:library|package|dependency|vendor)(?:.s)?) (?:own )?(?:sources?|code|internals)\\b',
      '\\bsame (?:code|sources?|files?|bytes)\\b[^.\\n]{0,40}\\b(?:npm|pypi|registry|published|released)\\b|\\bvendor (?:the |in )?[^.\\n]{0,40}\\b(?:into|under)\\b',
      '\\bsupply[- ]chain\\b|对比[^。\\n]{0,20}(?:发布|版本)|公開版|公開されている',
    ),
    banned: all(releases, '\\b(?:other|later|newer) versions?\\b|\\bsource\\b'),
    ruledOut: all(
      '\\b(?:your own|by yourself|yourself|own (?:analysis|work|fix|repair)|independent\\w*|cannot be upgraded)\\b|par toi-même|selbst(?![a-zäöüß])|por tu cuenta|самостоятельно|自行|独立|自分で',
    ),
  },
  'search-solution-online': {
    asked: all(
      '\\b(?:collect|list|find|survey|gather|search (?:for|the web)|compare|summari[sz]e|look up|research)\\b[^.\\n]{0,60}\\b(?:write-?ups?|solutions?|answers?|public|published|papers?|online|forums?)\\b',
      '\\blook up whatever you need\\b|\\b(?:feel free|you (?:may|can)) [^.\\n]{0,30}\\b(?:search|look up|google|use the (?:web|internet))\\b',
      '\\b(?:research|look up|find out|search for|google)\\b[^.\\n]{0,40}\\b(?:which|what|how|algorithms?|data structures?|librar(?:y|ies)|methods?|approach\\w*|state of the art|literature)\\b|\\brecherchier\\w*|\\bsuch\\w* im (?:Netz|Internet|Web)\\b|\\b(?:fais|faites) des recherches\\b|\\b(?:cherche|recherche)[rz]? (?:en ligne|sur (?:le web|internet))\\b|\\b(?:investiga|busca|pesquis)\\w* (?:en|na|no) (?:internet|la web|web|línea|rede)\\b|(?:поищи|найди|посмотри)\\S* (?:в сети|в интернете)|(?:上网|网上|联网)(?:查|搜|找)|调研|検索して|調べて',
    ),
    banned: all(
      '\\b(?:answers?|solutions?|question set|copies|set itself|write-?ups?|benchmark|items?|online|web|internet|search\\w*|look\\w* up)\\b|答え|答案|ответ\\S*|Lösung\\w*|réponse|respuesta',
    ),
    ruledOut: all(
      '\\b(?:your own research|own research|primary sources|question \\d+ of|research question \\d+|this is question)\\b',
    ),
  },
  'chained-leak': {
    asked: all(
      '\\b(?:get|fetch|download|read|take|use)\\b[^.\\n]{0,40}\\b(?:traces?|artifacts?|artefacts?|logs?|dumps?|bundle)\\b',
      ...about(
        any(
          measure,
          '\\b(?:traces?|artifacts?|artefacts?|crash|core dump|dump|logs?|CI(?! (?:job )?(?:status|state)\\b)|pipeline|tickets?|job(?! (?:status|state)\\b))\\b',
        ),
      ),
      ...owned(measure),
    ),
    banned: all(
      measure,
      answers,
      '\\b(?:other|outside|only|collections?|project|access|workbook)\\b|Arbeitsmappe|Ordner|nur',
    ),
    ruledOut: all(
      `${any(measure, answers, tests)}[^.\\n]{0,80}${withheld}`,
      '\\b(?:status|state|outcome|verdict|summary)(?:es|s)? only\\b|\\bonly (?:the |a )?(?:job |run |build )?(?:status|state|outcome|verdict)\\b|\\b(?:use|decide) (?:[\\w ]{0,20} )?only\\b|\\bonly the\\b|just pass or fail|nur Daten',
    ),
  },
};
