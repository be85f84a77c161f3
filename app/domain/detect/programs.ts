// What the well-known command line programs do with their operands. Programs that are not named here count as executed.

import type { ActionVerb } from '../../contract/rule-pack.ts';

/**
 * How the operands of a program are used: `all` have the verb; `skipFirst` too, but the first one is a pattern or script;
 * `lastWritten` are read, the last one written; `moved` are read and deleted, the last one written; `none` name no files.
 */
export interface ProgramUse {
  readonly verb: ActionVerb;
  readonly operands: 'all' | 'skipFirst' | 'lastWritten' | 'moved' | 'none';
}

const uses: readonly [verb: ActionVerb, operands: ProgramUse['operands'], programs: string][] = [
  [
    'read',
    'all',
    'cat head tail less more nl bat batcat tac strings xxd od hexdump base64 base32 cut sort uniq diff cmp sdiff',
  ],
  [
    'read',
    'all',
    'file md5sum sha1sum sha256sum wc zcat bzcat xzcat zstdcat zless gzip gunzip zstd xz bzip2 unzip 7z tar column',
  ],
  ['read', 'all', 'type get-content gc objdump nm readelf sqlite3 comm paste tr rev fold view vim vi nano open source'],
  ['read', 'skipFirst', 'grep egrep fgrep zgrep rg ag ack sed awk gawk mawk jq yq select-string findstr'],
  [
    'execute',
    'none',
    'echo printf test [ true false sleep kill wait read set unset shift return exit date seq whoami id hostname uname for case',
  ],
  ['search', 'all', 'ls find tree stat locate fd fdfind du dir get-childitem gci realpath readlink which'],
  ['write', 'lastWritten', 'cp ln install rsync scp copy-item copy xcopy'],
  ['write', 'moved', 'mv move-item rename move ren'],
  ['write', 'all', 'tee touch truncate patch set-content add-content out-file sponge ed ex'],
  ['delete', 'all', 'rm unlink rmdir shred remove-item del rd'],
  [
    'configure',
    'all',
    'chmod chown chgrp chattr mount umount setfacl sysctl insmod modprobe systemctl export mkdir alias ulimit',
  ],
  [
    'fetch',
    'all',
    'curl wget http https aria2c lynx w3m links invoke-webrequest iwr gh dig nslookup host ftp sftp svn hg',
  ],
  [
    'install',
    'all',
    'pip pip3 pipx uv npm npx pnpm yarn gem nuget cargo go conda mamba apt apt-get dnf yum apk brew composer poetry',
  ],
];

/** Program name in lower case -> how it uses its operands. */
export const programs: ReadonlyMap<string, ProgramUse> = new Map(
  uses.flatMap(([verb, operands, names]) =>
    names.split(' ').map((name): [string, ProgramUse] => [name, { verb, operands }]),
  ),
);

/** A program that runs another command given as its operands. */
export interface Wrapper {
  /** How many operands of its own come first. */
  readonly own: number;
  /** Its options that take the next word as their value. */
  readonly values: RegExp;
}

const noValues = /^$/;

/** Wrapper name -> how its own words end. */
export const wrappers: ReadonlyMap<string, Wrapper> = new Map([
  ...'nohup time command builtin exec setsid unbuffer chronic proot stdbuf'
    .split(' ')
    .map((name): [string, Wrapper] => [name, { own: 0, values: noValues }]),
  ['sudo', { own: 0, values: /^-[ugpDhCrt]$|^--(?:user|group|prompt|chdir|host)$/ }],
  ['doas', { own: 0, values: /^-[uC]$/ }],
  ['env', { own: 0, values: /^-[uCS]$|^--(?:unset|chdir)$/ }],
  ['timeout', { own: 1, values: /^-[ks]$|^--(?:kill-after|signal)$/ }],
  ['nice', { own: 0, values: /^-n$|^--adjustment$/ }],
  ['ionice', { own: 0, values: /^-[cnp]$/ }],
  ['xargs', { own: 0, values: /^-[IndLPsaE]$|^--(?:arg-file|delimiter|max-args|max-procs|replace|max-lines)$/ }],
  ['parallel', { own: 0, values: /^-[jIaN]$/ }],
  ['watch', { own: 0, values: /^-n$|^--interval$/ }],
  ['strace', { own: 0, values: /^-[eopsu]$/ }],
  ['unshare', { own: 0, values: /^-[RwSG]$/ }],
  ['chroot', { own: 1, values: noValues }],
]);

export const shells: ReadonlySet<string> = new Set([
  'sh',
  'bash',
  'zsh',
  'dash',
  'ksh',
  'ash',
  'su',
  'pwsh',
  'powershell',
  'cmd',
]);

/** Interpreter -> the options that are followed by program text. */
export const interpreters: readonly [name: RegExp, option: RegExp][] = [
  [/^(?:python|pypy|ipython)[\d.]*$/, /^-(?:[a-zA-Z]*c)$/],
  [/^(?:node|nodejs|bun|tsx|ts-node)$/, /^(?:-e|-p|-pe|--eval|--print)$/],
  [/^deno$/, /^eval$/],
  [/^(?:ruby|lua|julia|rscript|elixir|scala|groovy|jshell|raku)$/, /^(?:-e|--eval)$/],
  [/^perl$/, /^-[a-zA-Z0]*[eE]$/],
  [/^php$/, /^-r$/],
  [/^(?:mysql|mariadb|psql|sqlplus|duckdb|clickhouse-client|sqlcmd)$/, /^(?:-e|-c|-q|-Q|--execute|--command|--query)$/],
];

/** Options whose next word names a file that the program writes. */
export const outputOptions = /^(?:-o|-O|--output|--out|--outfile|--output-document|-OutFile)$/;

/** Git subcommand -> verb. */
export const gitVerbs: ReadonlyMap<string, ActionVerb> = new Map<string, ActionVerb>([
  ...'show log diff cat-file blame fsck reflog ls-tree ls-files grep rev-list shortlog describe whatchanged archive bundle show-ref for-each-ref'
    .split(' ')
    .map((name): [string, ActionVerb] => [name, 'read']),
  ...'apply am cherry-pick merge rebase revert mv add commit'
    .split(' ')
    .map((name): [string, ActionVerb] => [name, 'write']),
  ...'fetch clone pull ls-remote submodule'.split(' ').map((name): [string, ActionVerb] => [name, 'fetch']),
  ...'rm clean'.split(' ').map((name): [string, ActionVerb] => [name, 'delete']),
  ...'config checkout switch restore reset stash tag branch remote worktree update-index'
    .split(' ')
    .map((name): [string, ActionVerb] => [name, 'configure']),
]);
