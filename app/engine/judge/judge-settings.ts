// What the workspace keeps for the judge: settings, consent, the prompt in force. Never the key.

import {
  type JudgeChanges,
  type JudgePrompt,
  type JudgeSettings,
  type JudgeState,
  judgeDefaults,
  judgeSettings,
} from '../../contract/judge.ts';
import { promptProblems, shippedPrompt, shippedVersion } from '../../domain/judge/prompt.ts';
import { Refusal } from '../../shared/errors.ts';
import type { Services } from '../services.ts';
import { chatUrl } from './judge-client.ts';
import { keyVariable } from './judge-key.ts';

const settingsKey = 'judge.settings';
const consentKey = 'judge.consent';
const promptKey = 'judge.prompt';

type Reading = Pick<Services, 'threads'>;

async function stored(services: Reading, key: string): Promise<unknown> {
  const text = await services.threads.screen.call('setting', { key });
  try {
    return text === null ? null : JSON.parse(text);
  } catch {
    return null;
  }
}

/** Settings of the workspace over the defaults. */
export async function storedSettings(services: Reading): Promise<JudgeSettings> {
  const parsed = judgeSettings.safeParse({ ...judgeDefaults, ...Object(await stored(services, settingsKey)) });
  return parsed.success ? parsed.data : judgeDefaults;
}

/** Settings with the ones that a run changes. */
export function withChanges(settings: JudgeSettings, changes: JudgeChanges): JudgeSettings {
  const given = Object.entries(changes).filter(([, value]) => value !== undefined);
  return judgeSettings.parse({ ...settings, ...Object.fromEntries(given) });
}

type Consent = NonNullable<JudgeState['consent']>;

function isConsent(value: unknown): value is Consent {
  return (
    typeof value === 'object' &&
    value !== null &&
    ['endpoint', 'by', 'at'].every((name) => typeof Object.getOwnPropertyDescriptor(value, name)?.value === 'string')
  );
}

/** Settings, consent and where the key comes from. */
export async function judgeState(services: Reading & Pick<Services, 'judgeKey'>): Promise<JudgeState> {
  const consent = await stored(services, consentKey);
  return {
    settings: await storedSettings(services),
    key: services.judgeKey.origin(),
    keyFile: services.judgeKey.file(),
    keyVariable,
    consent: isConsent(consent) ? consent : null,
  };
}

/** Stores settings. */
export async function saveSettings(services: Services, settings: JudgeSettings): Promise<void> {
  await services.threads.writer.call('setSetting', { key: settingsKey, value: JSON.stringify(settings) });
}

/** Keeps that the person agreed to an endpoint; null takes it back. */
export async function saveConsent(services: Services, endpoint: string | null, by: string): Promise<void> {
  const consent = endpoint === null ? null : { endpoint, by, at: new Date().toISOString() };
  await services.threads.writer.call('setSetting', { key: consentKey, value: JSON.stringify(consent) });
}

/**
 * Refuses a run that nobody agreed to: the endpoint must be the one named for this run, or the one of the consent.
 * @throws Refusal `judge-off` without endpoint or model, `judge-consent`.
 */
export function checkConsent(settings: JudgeSettings, state: JudgeState, named: string | undefined): void {
  if (settings.endpoint === '' || settings.model === '') {
    throw new Refusal(
      'judge-off',
      'The judge is off: no endpoint and model are set.',
      'Name an OpenAI-compatible endpoint and a model, for example --endpoint http://127.0.0.1:8000/v1 --model NAME.',
    );
  }
  const agreed = named ?? state.consent?.endpoint;
  if (agreed !== undefined && chatUrl(agreed) === chatUrl(settings.endpoint)) return;
  throw new Refusal(
    'judge-consent',
    `Nobody has agreed that excerpts of rollouts are sent to ${settings.endpoint}.`,
    'Look at what would be sent, then agree on the Judge screen, or name the endpoint on the command line.',
  );
}

/** All prompts, newest first; the shipped one last. */
export async function allPrompts(services: Reading): Promise<JudgePrompt[]> {
  const own = await services.threads.screen.call('judgePrompts', undefined);
  const wanted = Number(await stored(services, promptKey));
  const current = own.some(({ version }) => version === wanted) ? wanted : shippedVersion;
  const shipped = {
    version: shippedVersion,
    text: shippedPrompt,
    note: 'As shipped with Rollscope.',
    author: null,
    createdAt: null,
  };
  return [...own, shipped].map((prompt) => ({ ...prompt, current: prompt.version === current }));
}

/** The prompt in force. */
export async function currentPrompt(services: Reading): Promise<JudgePrompt> {
  const prompts = await allPrompts(services);
  const current = prompts.find((prompt) => prompt.current);
  if (current === undefined)
    throw new Refusal('prompt-missing', 'The judge has no prompt.', 'Put the shipped one in force.');
  return current;
}

/**
 * Puts a text in force. A text that is known keeps its version.
 * @throws Refusal `prompt-invalid`.
 */
export async function savePrompt(
  services: Services,
  prompt: { readonly text: string; readonly note: string; readonly author: string },
): Promise<JudgePrompt> {
  const { text } = prompt;
  const [problem] = promptProblems(text);
  if (problem !== undefined) throw new Refusal('prompt-invalid', problem, 'Correct the prompt and save it again.');
  const version = text === shippedPrompt ? shippedVersion : await services.threads.writer.call('judgePrompt', prompt);
  await services.threads.writer.call('setSetting', { key: promptKey, value: JSON.stringify(version) });
  return currentPrompt(services);
}
