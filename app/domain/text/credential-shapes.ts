// The shapes of credentials: what each looks like, how sure it is, and the checks that tell it from what merely resembles it.
// A shape is tried only where one of its anchors stands (see credentials.ts), so its pattern may be slow but never unbounded.

import {
  decodesToJwtHeader,
  hasTokenChecksum,
  isPlaceholder,
  looksRandom,
  looksSecret,
  mixesCharacters,
} from './credential-checks.ts';

export type Certainty = 'definite' | 'likely';

export interface Shape {
  readonly kind: string;
  /** What a person calls it, in the singular. */
  readonly title: string;
  readonly certainty: Certainty;
  /** Matches where the anchor stands, which is at `lastIndex`. The group `secret`, else the whole match, is what is masked. */
  readonly pattern: RegExp;
  /** Whether the secret is one; `likely` when it may be one, for shapes that carry a checksum. True when absent. */
  readonly check?: (secret: string) => boolean | Certainty;
}

/** Nothing of a longer word or of base64 data before the anchor. */
const fresh = '(?<![A-Za-z0-9_/+-])';

function token(
  kind: string,
  title: string,
  body: string,
  check?: Shape['check'],
  certainty: Certainty = 'definite',
): Shape {
  return {
    kind,
    title,
    certainty,
    pattern: new RegExp(`${fresh}(?<secret>${body})(?![A-Za-z0-9_])`, 'dy'),
    check: (secret) => !isPlaceholder(secret) && (check === undefined || check(secret)),
  };
}

const checksummed = (secret: string): Certainty | boolean => (hasTokenChecksum(secret) ? 'definite' : 'likely');

const openAi = token(
  'openai-key',
  'OpenAI key',
  'sk-(?:proj-|svcacct-|admin-)?[A-Za-z0-9_-]{16,200}T3BlbkFJ[A-Za-z0-9_-]{16,200}',
);
const anthropic = token('anthropic-key', 'Anthropic key', 'sk-ant-[a-z]{2,8}\\d\\d-[A-Za-z0-9_-]{24,200}');
const openRouter = token('openrouter-key', 'OpenRouter key', 'sk-or-v1-[0-9a-f]{64}');
const otherSk = token(
  'api-key',
  'API key',
  'sk-[A-Za-z0-9_-]{20,200}',
  (secret) => looksRandom(secret.slice(3)),
  'likely',
);

const assignedName =
  '(?:[Aa][Pp][Ii][_-]?[Kk][Ee][Yy]|[Ss][Ee][Cc][Rr][Ee][Tt](?:[_-]?[Aa][Cc][Cc][Ee][Ss][Ss])?(?:[_-]?[Kk][Ee][Yy])?|[Pp][Aa][Ss][Ss][Ww](?:[Oo][Rr])?[Dd]|[_-]?[Tt][Oo][Kk][Ee][Nn]|[Aa]ccount[Kk]ey)';
const assignment = `${assignedName}(?:\\\\?["'])?\\s{0,4}(?:=>|:=|[:=])\\s{0,4}(?:\\\\?["'])?`;

const assigned: Shape = {
  kind: 'assigned-secret',
  title: 'secret in an assignment',
  certainty: 'likely',
  pattern: new RegExp(`${assignment}(?<secret>[^\\s"'\`\\\\,;<>(){}\\[\\]]{8,512})`, 'dy'),
  check: looksSecret,
};
const awsSecret: Shape = {
  kind: 'aws-secret-key',
  title: 'AWS secret access key',
  certainty: 'definite',
  pattern:
    /[Ss][Ee][Cc][Rr][Ee][Tt][_-]?[Aa][Cc][Cc][Ee][Ss][Ss][_-]?[Kk][Ee][Yy](?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'])?(?<secret>[A-Za-z0-9/+]{40})(?![A-Za-z0-9/+=])/dy,
  check: (secret) => !isPlaceholder(secret) && looksRandom(secret),
};
const azureKey: Shape = {
  kind: 'azure-storage-key',
  title: 'Azure storage key',
  certainty: 'definite',
  pattern: /[Aa]ccount[Kk]ey\s{0,4}=\s{0,4}(?<secret>[A-Za-z0-9+/]{86}==)/dy,
  check: (secret) => !isPlaceholder(secret),
};

/** The shapes by the anchor that announces them, the surest first. An anchor is written as it stands in a text. */
export const shapesByAnchor: readonly (readonly [anchor: string, shapes: readonly Shape[]])[] = [
  ['sk-', [anthropic, openAi, openRouter, otherSk]],
  ['AKIA', [token('aws-access-key', 'AWS access key', '(?:AKIA)[A-Z2-7]{16}')]],
  ['ASIA', [token('aws-access-key', 'AWS access key', '(?:ASIA)[A-Z2-7]{16}')]],
  ...['ghp_', 'gho_', 'ghu_', 'ghs_', 'ghr_'].map((anchor): [string, Shape[]] => [
    anchor,
    [token('github-token', 'GitHub token', `${anchor}[A-Za-z0-9]{36,251}`, checksummed)],
  ]),
  ['github_pat_', [token('github-token', 'GitHub token', 'github_pat_[A-Za-z0-9]{22}_[A-Za-z0-9]{59}')]],
  ['npm_', [token('npm-token', 'npm token', 'npm_[A-Za-z0-9]{36}', checksummed)]],
  ['glpat-', [token('gitlab-token', 'GitLab token', 'glpat-[A-Za-z0-9_-]{20,64}', mixesCharacters)]],
  ...['xoxb-', 'xoxp-', 'xoxa-', 'xoxr-', 'xoxs-'].map((anchor): [string, Shape[]] => [
    anchor,
    [token('slack-token', 'Slack token', `${anchor}[A-Za-z0-9-]{20,200}`, mixesCharacters)],
  ]),
  [
    'hooks.slack.com/services/',
    [
      {
        kind: 'slack-webhook',
        title: 'Slack webhook',
        certainty: 'definite',
        pattern: /hooks\.slack\.com\/services\/(?<secret>T[A-Z0-9]{6,14}\/B[A-Z0-9]{6,14}\/[A-Za-z0-9]{20,32})/dy,
        check: (secret) => !isPlaceholder(secret),
      },
    ],
  ],
  ['hf_', [token('huggingface-token', 'Hugging Face token', 'hf_[A-Za-z0-9]{34,40}', looksRandom)]],
  ['AIza', [token('google-key', 'Google API key', 'AIza[A-Za-z0-9_-]{35}')]],
  ['ya29.', [token('google-token', 'Google access token', 'ya29\\.[A-Za-z0-9_-]{24,1024}')]],
  ['GOCSPX-', [token('google-client-secret', 'Google client secret', 'GOCSPX-[A-Za-z0-9_-]{28}')]],
  ...['sk_live_', 'rk_live_', 'sk_test_'].map((anchor): [string, Shape[]] => [
    anchor,
    [token('stripe-key', 'Stripe key', `${anchor}[A-Za-z0-9]{16,200}`, looksRandom)],
  ]),
  ['SG.', [token('sendgrid-key', 'SendGrid key', 'SG\\.[A-Za-z0-9_-]{22}\\.[A-Za-z0-9_-]{43}')]],
  ['pypi-AgE', [token('pypi-token', 'PyPI token', 'pypi-AgE[A-Za-z0-9_-]{50,512}')]],
  ...['gsk_', 'xai-', 'pplx-'].map((anchor): [string, Shape[]] => [
    anchor,
    [token('model-provider-key', 'model provider key', `${anchor}[A-Za-z0-9]{40,120}`, looksRandom)],
  ]),
  ['nvapi-', [token('model-provider-key', 'model provider key', 'nvapi-[A-Za-z0-9_-]{60,80}', looksRandom)]],
  ['r8_', [token('model-provider-key', 'model provider key', 'r8_[A-Za-z0-9]{37}', looksRandom)]],
  ['dapi', [token('databricks-token', 'Databricks token', 'dapi[0-9a-f]{32}(?:-\\d)?')]],
  ['hvs.', [token('vault-token', 'Vault token', 'hvs\\.[A-Za-z0-9_-]{24,200}', looksRandom)]],
  [
    'eyJ',
    [
      token(
        'jwt',
        'JSON web token',
        'eyJ[A-Za-z0-9_-]{8,4096}\\.eyJ[A-Za-z0-9_-]{8,8192}\\.[A-Za-z0-9_-]{16,2048}',
        (secret) => decodesToJwtHeader(secret.slice(0, secret.indexOf('.'))),
      ),
    ],
  ],
  [
    '-----BEGIN ',
    [
      {
        kind: 'private-key',
        title: 'private key',
        certainty: 'definite',
        pattern:
          /-----BEGIN (?:[A-Z0-9]{1,12} ){0,3}PRIVATE KEY(?: BLOCK)?-----(?<secret>(?:[A-Za-z0-9+/=\s:,.]|-(?!----)|\\{1,4}[nrt]){40,65536})/dy,
        check: (secret) => /[A-Za-z0-9+/]{24}/u.test(secret),
      },
    ],
  ],
  [
    '://',
    [
      {
        kind: 'url-password',
        title: 'password in a URL',
        certainty: 'definite',
        pattern: /(?<=[a-z0-9+]):\/\/[^\s/:@"'`<>\\]{0,128}:(?<secret>[^\s/:@"'`<>\\]{1,256})@[A-Za-z0-9.[_-]/dy,
        check: (secret) => !isPlaceholder(secret) && !/^[{$%<*(]|^\d{1,5}$/u.test(secret),
      },
    ],
  ],
  [
    'uthorization',
    [
      {
        kind: 'authorization-header',
        title: 'Authorization header',
        certainty: 'definite',
        pattern:
          /uthorization(?:\\?["'])?\s{0,4}[:=]\s{0,4}(?:\\?["'])?(?:Bearer|Basic|Token|token|bearer|basic|ApiKey)\s{1,4}(?<secret>[A-Za-z0-9._~+/=-]{8,8192})/dy,
        check: (secret) => !isPlaceholder(secret) && mixesCharacters(secret),
      },
    ],
  ],
  [
    'Bearer ',
    [
      {
        kind: 'bearer-token',
        title: 'bearer token',
        certainty: 'likely',
        pattern: /Bearer (?<secret>[A-Za-z0-9._~+/=-]{20,8192})/dy,
        check: (secret) => !isPlaceholder(secret) && looksRandom(secret),
      },
    ],
  ],
  ...['ecret', 'ECRET'].map((anchor): [string, Shape[]] => [anchor, [awsSecret, assigned]]),
  ...['assw', 'ASSW', 'oken', 'OKEN', 'pi_key', 'PI_KEY', 'piKey', 'pi-key', 'PI-KEY', 'pi-Key', 'pikey'].map(
    (anchor): [string, Shape[]] => [anchor, [assigned]],
  ),
  ['ccountKey', [azureKey]],
];

/** Characters before an anchor at which the pattern of its shapes begins: `ecret` announces what starts at `S`. */
export const lead: ReadonlyMap<string, number> = new Map(
  [
    ...[
      'ecret',
      'ECRET',
      'assw',
      'ASSW',
      'oken',
      'OKEN',
      'pi_key',
      'PI_KEY',
      'piKey',
      'pi-key',
      'PI-KEY',
      'pi-Key',
      'pikey',
      'ccountKey',
    ],
  ].map((anchor) => [anchor, 1]),
);
