// What the shell lets a page do, as pure functions: navigation, requests, permissions, links, and who may call the main
// process. No electron in here, so that every rule is a table in a test.

import { type GivenLimits, limitArgument } from '../../contract/index.ts';

/** The scheme and origin of the screens. `app` is registered as a standard, secure scheme, so it has a real origin. */
export const appScheme = 'app';
const appHost = 'rollscope';
const appOrigin = `${appScheme}://${appHost}`;
export const startUrl = `${appOrigin}/`;

/** Channels between preload and main. There are no others. */
export const channels = {
  /** Page asks for a port to the engine; main answers on `port` with the nonce and the port. */
  connect: 'rollscope:connect',
  port: 'rollscope:port',
  /** Opens the native file dialog; resolves to the chosen paths. */
  pickFiles: 'rollscope:pick-files',
} as const;

/** Whether a URL is one of our own pages or files. */
export function isOwnUrl(url: string): boolean {
  const parsed = parse(url);
  return parsed !== null && parsed.protocol === `${appScheme}:` && parsed.hostname === appHost && parsed.port === '';
}

/** A window may only ever show the start page (its fragment is its state); a reload of it is the one navigation. */
export function mayNavigate(url: string): boolean {
  const parsed = parse(url);
  return parsed !== null && isOwnUrl(url) && parsed.pathname === '/' && parsed.search === '';
}

/** Whether a download is a file that one of our own pages made: an export of labels. */
export function maySave(url: string): boolean {
  return url.startsWith(`blob:${appOrigin}/`);
}

/**
 * Which requests leave the network layer at all: our own files and what our pages made, images in data: URLs, and developer
 * tools if allowed.
 */
export function mayRequest(url: string, developerTools: boolean): boolean {
  if (isOwnUrl(url) || maySave(url)) return true;
  const protocol = parse(url)?.protocol;
  return protocol === 'data:' || (developerTools && protocol === 'devtools:');
}

/** Permissions of the page: writing text to the clipboard, for our own origin, and nothing else. */
export function mayUse(permission: string, requestingUrl: string): boolean {
  return permission === 'clipboard-sanitized-write' && isOwnUrl(requestingUrl);
}

/**
 * The address to hand to the system's browser after the person agreed, or null for what is never opened: only https,
 * no user name or password in it.
 */
export function externalUrl(url: string): string | null {
  const parsed = parse(url);
  if (parsed === null || parsed.protocol !== 'https:' || parsed.username !== '' || parsed.password !== '') return null;
  return parsed.href;
}

/** What is known about the sender of a message to the main process. */
export interface Sender {
  /** Id of the WebContents that sent it. */
  readonly webContents: number;
  /** Whether the frame is the top frame of that WebContents; false as well when the frame is gone. */
  readonly isTopFrame: boolean;
  readonly origin: string;
}

/** Whether a message comes from the top frame of a window of ours that shows our own page. */
export function isTrustedSender(sender: Sender, ours: ReadonlySet<number>): boolean {
  return ours.has(sender.webContents) && sender.isTopFrame && sender.origin === appOrigin;
}

/** A nonce as the preload makes it: 32 hex digits. */
export function isNonce(value: unknown): value is string {
  return typeof value === 'string' && /^[0-9a-f]{32}$/.test(value);
}

export interface DesktopArguments {
  readonly db: string | undefined;
  readonly developerTools: boolean;
  readonly selfTest: boolean;
  /** Limits of the importer other than the usual ones. */
  readonly limits: GivenLimits;
  /** Files and folders to import, as they were typed: untrusted, and relative to the caller's folder. */
  readonly paths: readonly string[];
}

/**
 * Reads the app's own arguments (the executable and script already taken off). Chromium's and unknown switches are left
 * alone; what follows `--` is always a path.
 */
export function parseArguments(argv: readonly string[]): DesktopArguments {
  const paths: string[] = [];
  const limits: GivenLimits = {};
  let db: string | undefined;
  let developerTools = false;
  let selfTest = false;
  for (let at = 0; at < argv.length; at += 1) {
    const each = argv[at] ?? '';
    if (each === '--') {
      paths.push(...argv.slice(at + 1));
      break;
    }
    if (each === '--db') {
      db = argv[at + 1];
      at += 1;
    } else if (each.startsWith('--db=')) db = each.slice('--db='.length);
    else if (each === '--devtools') developerTools = true;
    else if (each === '--self-test') selfTest = true;
    else if (each.startsWith('-')) {
      const limit = limitArgument(each);
      if (limit !== null) limits[limit.name] = limit.value;
    } else if (each !== '') paths.push(each);
  }
  return { db, developerTools, selfTest, limits, paths };
}

/** Workspaces are opened, everything else is imported. */
export function splitPaths(paths: readonly string[]): {
  readonly workspace: string | undefined;
  readonly logs: string[];
} {
  const isWorkspace = (path: string): boolean => path.toLowerCase().endsWith('.rollscope');
  return { workspace: paths.find(isWorkspace), logs: paths.filter((path) => !isWorkspace(path)) };
}

function parse(url: string): URL | null {
  return URL.canParse(url) ? new URL(url) : null;
}
