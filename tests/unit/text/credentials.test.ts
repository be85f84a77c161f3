// Credentials in texts: what is found, what only looks like one, and that nothing of a masked one is left. All secrets here
// are made up; tokens with a checksum are computed.

import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { entropy, hasTokenChecksum } from '../../../app/domain/text/credential-checks.ts';
import { credentialTitle, findCredentials, maskCredentials, maskJson } from '../../../app/domain/text/credentials.ts';

const alphabet = '0123456789ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz';

/** Characters that look drawn at random, the same at every run. */
function noise(length: number, from = alphabet, seed = 7): string {
  let state = seed;
  let text = '';
  for (let i = 0; i < length; i++) {
    state = (Math.imul(state, 1_103_515_245) + 12_345) >>> 0;
    text += from[(state >>> 16) % from.length];
  }
  return text;
}

function checksummed(prefix: string): string {
  const body = noise(30);
  let rest = crc32(body);
  let sum = '';
  for (let i = 0; i < 6; i++) {
    sum = (alphabet[rest % 62] ?? '') + sum;
    rest = Math.floor(rest / 62);
  }
  return prefix + body + sum;
}

const base64Lines = (count: number): string =>
  Array.from({ length: count }, (_, i) => noise(64, `${alphabet}+/`, i + 1)).join('\n');
const jwt = `${Buffer.from('{"alg":"HS256","typ":"JWT"}').toString('base64url')}.${Buffer.from('{"sub":"1","name":"mira"}').toString('base64url')}.${noise(43)}`;

const positives: readonly (readonly [kind: string, certainty: string, text: string, secret: string])[] = [
  ['aws-access-key', 'definite', 'id = AKIA', `AKIA${noise(16, 'ABCDEFGHIJKLMNOPQRSTUVWXYZ234567')}`],
  ['aws-secret-key', 'definite', 'aws_secret_access_key = ', noise(40, `${alphabet}/+`)],
  ['github-token', 'definite', 'export GH=', checksummed('ghp_')],
  ['github-token', 'likely', 'export GH=', `gho_${noise(36)}`],
  ['github-token', 'definite', '', `github_pat_${noise(22)}_${noise(59)}`],
  ['npm-token', 'definite', '//registry.npmjs.org/:_authToken=', checksummed('npm_')],
  ['gitlab-token', 'definite', 'PRIVATE-TOKEN: ', `glpat-${noise(20)}`],
  ['slack-token', 'definite', '', `xoxb-${noise(12, '0123456789')}-${noise(24)}`],
  [
    'slack-webhook',
    'definite',
    'https://hooks.slack.com/services/',
    `T${noise(8, 'ABCDEF0123')}/B${noise(8, 'ABCDEF0123')}/${noise(24)}`,
  ],
  ['huggingface-token', 'definite', 'HF: ', `hf_${noise(34)}`],
  ['google-key', 'definite', '?key=', `AIza${noise(35)}`],
  ['anthropic-key', 'definite', '', `sk-ant-api03-${noise(95)}`],
  ['openai-key', 'definite', '', `sk-proj-${noise(40)}T3BlbkFJ${noise(40)}`],
  ['openrouter-key', 'definite', '', `sk-or-v1-${noise(64, '0123456789abcdef')}`],
  ['api-key', 'likely', 'key sk-', `sk-${noise(32)}`],
  ['stripe-key', 'definite', '', `sk_live_${noise(24)}`],
  ['sendgrid-key', 'definite', '', `SG.${noise(22)}.${noise(43)}`],
  ['pypi-token', 'definite', '', `pypi-AgE${noise(120)}`],
  ['jwt', 'definite', 'cookie: session=', jwt],
  ['url-password', 'definite', 'postgres://app:', 'p4ssw%21rd'],
  ['authorization-header', 'definite', 'Authorization: Basic ', Buffer.from('mira:hunter22').toString('base64')],
  ['authorization-header', 'definite', '{"Authorization": "Bearer ', noise(40)],
  ['bearer-token', 'likely', "curl -H 'X-Auth: Bearer ", noise(40)],
  ['assigned-secret', 'likely', 'PASSWORD=', 'aB3#fG7!kL9@'],
  ['assigned-secret', 'likely', '{\\"api_key\\": \\"', noise(40, '0123456789abcdef')],
  ['assigned-secret', 'likely', 'client_secret: ', noise(32)],
  ['assigned-secret', 'likely', 'auth_token => ', noise(32)],
];

describe('found', () => {
  it.each(positives)('%s (%s) after "%s"', (kind, certainty, before, secret) => {
    const lead = before.endsWith(secret.slice(0, 3)) ? before.slice(0, -3) : before.replace(/(?:AKIA|sk-)$/u, '');
    const tail = kind === 'url-password' ? '@db.internal:5432/x' : ' and on';
    const text = `x ${lead}${secret}${tail}`;
    expect(findCredentials(text)).toEqual([
      { kind, certainty, start: 2 + lead.length, end: 2 + lead.length + secret.length },
    ]);
    const masked = maskCredentials(text);
    expect(masked.text).toBe(`x ${lead}[masked ${kind}]${tail}`);
    expect(masked.found).toHaveLength(1);
    expect(credentialTitle(kind)).not.toBe('');
  });

  it('a private key with its whole body, also where its line ends are escaped or its end is cut off', () => {
    const body = base64Lines(20);
    const whole = `-----BEGIN RSA PRIVATE KEY-----\n${body}\n-----END RSA PRIVATE KEY-----`;
    for (const text of [whole, whole.replaceAll('\n', '\\n'), whole.slice(0, 700)]) {
      const masked = maskCredentials(`before ${text} after`);
      expect(masked.found.map(({ kind }) => kind)).toEqual(['private-key']);
      for (const line of body.split('\n')) expect(masked.text).not.toContain(line.slice(0, 24));
      expect(masked.text).toContain('before -----BEGIN RSA PRIVATE KEY-----[masked private-key]');
    }
  });

  it('several in one text, in order', () => {
    const text = `a AKIA${noise(16, 'ABCDEFGH234567')} b ${checksummed('ghs_')} c ${jwt}`;
    expect(findCredentials(text).map(({ kind }) => kind)).toEqual(['aws-access-key', 'github-token', 'jwt']);
  });
});

describe('not credentials', () => {
  it.each([
    ['a git hash', `commit ${noise(40, '0123456789abcdef')}`],
    ['an id', 'request_id: 3f2b8c1e-9d4a-4c7b-8f1e-2a6b5d9c0e13'],
    ['an id in a token field', '{"token": "3f2b8c1e-9d4a-4c7b-8f1e-2a6b5d9c0e13"}'],
    ['an image as base64', `data:image/png;base64,${noise(4000, `${alphabet}+/`)}`],
    [
      'a lock file',
      `"integrity": "sha512-${noise(86, `${alphabet}+/`)}==",\n"resolved": "https://registry.npmjs.org/x/-/x-1.2.3.tgz"`,
    ],
    ['a cargo checksum', `checksum = "${noise(64, '0123456789abcdef')}"`],
    ['a key of a manual', 'AKIAIOSFODNN7EXAMPLE'],
    ['a stand-in', 'OPENAI_API_KEY=sk-your-key-goes-here-1234567890'],
    ['a template', 'https://user:$PASSWORD@host/ password="{password}" token=<TOKEN>'],
    ['stars', 'password: ************'],
    ['code', 'password = os.environ["DB_PASSWORD"]; token = tokenizer.encode(text); secret: string;'],
    ['a call', 'api_key=get_api_key(config)'],
    ['tokens that are counted', '"total_tokens": 12345, "max_token": 4096, prompt_token: 8192'],
    ['names with digits', 'token: special_token_12 and password: password1'],
    ['a port', 'http://localhost:8080/x?a=b@c'],
    ['a mail address', 'ssh://git@github.com:22/mira/repo.git'],
    ['a mention of a private key', "if '-----BEGIN PRIVATE KEY-----' in text: raise"],
    ['a public key', `-----BEGIN PUBLIC KEY-----\n${base64Lines(4)}\n-----END PUBLIC KEY-----`],
    ['words', 'task-force-sk-learn-classifier-with-many-words ask-me-anything-you-want-to'],
    ['base64 that begins like a JWT', `eyJ${noise(40)}.eyJ${noise(40)}.${noise(40)}`],
    ['the words of a header', 'send an Authorization: Bearer token with the request'],
    ['a special token', 'eos_token: "<|endoftext|>" pad_token="</s>"'],
  ])('%s', (_what, text) => {
    expect(findCredentials(text)).toEqual([]);
    expect(maskCredentials(text).text).toBe(text);
  });
});

describe('masking', () => {
  it('changes nothing when it is done again, whatever the text', () => {
    const piece = fc.oneof(
      fc.string(),
      fc.constantFrom(
        ...positives.map(([, , before, secret]) => `${before}${secret}`),
        '\n',
        ' ',
        '"',
        '://',
        'token=',
      ),
    );
    fc.assert(
      fc.property(fc.array(piece, { maxLength: 8 }), (pieces) => {
        const once = maskCredentials(pieces.join(' ')).text;
        expect(maskCredentials(once).text).toBe(once);
      }),
    );
  });

  it('gives places inside the text, in order and apart', () => {
    fc.assert(
      fc.property(fc.array(fc.constantFrom(...positives.map(([, , a, b]) => a + b)), { maxLength: 6 }), (pieces) => {
        const text = pieces.join('\n');
        let last = 0;
        for (const { start, end } of findCredentials(text)) {
          expect(start).toBeGreaterThanOrEqual(last);
          expect(end).toBeGreaterThan(start);
          last = end;
        }
        expect(last).toBeLessThanOrEqual(text.length);
      }),
    );
  });

  it('masks strings of a line of JSON and leaves every other byte', () => {
    const secret = checksummed('ghp_');
    const json = `{"n": 1.50, "big": 12345678901234567890, "a\\u0041": ["${secret}", "x\\"y"], "c": "{\\"password\\": \\"aB3#fG7!kL9@\\"}"}`;
    const masked = maskJson(json);
    expect(masked).toEqual({
      masked: 2,
      json: json.replace(secret, '[masked github-token]').replace('aB3#fG7!kL9@', '[masked assigned-secret]'),
    });
    expect(maskJson('{"plain": "tokens: 3"}').json).toBe('{"plain": "tokens: 3"}');
  });

  it('is linear: a megabyte of anchors is no trap', () => {
    for (const trap of ['-----BEGIN PRIVATE KEY-----', 'password=', '://a:', 'eyJ', 'sk-', 'Authorization: Bearer ']) {
      const text = trap.repeat(Math.ceil(1_000_000 / trap.length));
      const started = performance.now();
      maskCredentials(text);
      expect(performance.now() - started).toBeLessThan(2_000);
    }
  });
});

it('checks the checksum and measures entropy', () => {
  const token = checksummed('ghp_');
  expect(hasTokenChecksum(token)).toBe(true);
  expect(hasTokenChecksum(`${token.slice(0, -1)}${token.endsWith('a') ? 'b' : 'a'}`)).toBe(false);
  expect(entropy('aaaa')).toBe(0);
  expect(entropy('abcd')).toBe(2);
});
