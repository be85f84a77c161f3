import { describe, expect, it } from 'vitest';
import { compilePack } from '../../../app/domain/detect/compile.ts';
import { prepareRollout } from '../../../app/domain/detect/prepare.ts';
import { scanRollout, scanRule } from '../../../app/domain/detect/scan.ts';
import type { RuleHit, ScanRollout } from '../../../app/domain/detect/types.ts';
import { call, compiled, pack, part, rollout, said, seen, spanText } from './builders.ts';

const any = (pattern: string, rest: object = {}): object => ({ any: [{ pattern, ...rest }] });

function scan(rules: readonly Record<string, unknown>[], scanned: ScanRollout): RuleHit[] {
  const hits = scanRollout(compiled(rules), scanned);
  for (const hit of hits) {
    expect(spanText(scanned, hit)).toBe(hit.quote);
    for (const hop of hit.chain) expect(spanText(scanned, hop)).toBe(hop.quote);
  }
  return hits;
}

const quotes = (hits: readonly RuleHit[]): string[] => hits.map((hit) => hit.quote);

describe('what is read', () => {
  const rule = { target: ['action', 'observation', 'message', 'summary', 'patch'], ...any('secret\\w*') };

  it('never system and user texts', () => {
    const scanned = rollout(
      part({ role: 'system', itemKind: 'input', text: 'secret1', stepKind: null }),
      part({ role: 'user', itemKind: 'input', text: 'secret2', stepKind: null }),
      said('secret3'),
      seen('secret4'),
      call('bash', { command: 'echo secret5' }),
    );
    expect(quotes(scan([rule], scanned))).toEqual(['secret3', 'secret4', 'secret5']);
  });

  it('summaries, once each', () => {
    const summary = 'The secret1 of the long story is that the tests pass and nothing was changed.';
    const scanned = rollout(
      said(summary, { segment: 1, segmentKind: 'summary', stepKind: 'summary' }),
      part({
        segment: 2,
        role: 'user',
        itemKind: 'input',
        copied: true,
        compactionSummary: true,
        text: `Summary: ${summary}`,
      }),
      part({
        segment: 3,
        role: 'user',
        itemKind: 'input',
        copied: true,
        compactionSummary: true,
        text: 'Another secret2.',
      }),
    );
    const hits = scan([rule], scanned);
    expect(hits.map((hit) => [hit.segment, hit.quote])).toEqual([
      [1, 'secret1'],
      [3, 'secret2'],
    ]);
  });

  it('copied context never again', () => {
    const scanned = rollout(
      call('bash', { command: 'cat secret' }),
      call('bash', { command: 'cat secret' }, { copied: true, segment: 1 }),
      seen('secret', { copied: true }),
    );
    expect(scan([rule], scanned).map((hit) => hit.segment)).toEqual([0]);
  });

  it('no reasoning as a message', () => {
    expect(scan([rule], rollout(part({ kind: 'reasoning', text: 'secret' })))).toEqual([]);
  });
});

describe('matching', () => {
  it('takes `unless` and `also` over the same text', () => {
    const rule = {
      target: 'action',
      any: [{ pattern: 'pip download \\S+', unless: '-r ' }],
      also: [{ pattern: '--no-deps' }],
    };
    expect(quotes(scan([rule], rollout(call('bash', { command: 'pip download x --no-deps' }))))).toEqual([
      'pip download x',
    ]);
    expect(scan([rule], rollout(call('bash', { command: 'pip download -r r.txt --no-deps' })))).toEqual([]);
    expect(scan([rule], rollout(call('bash', { command: 'pip download x' })))).toEqual([]);
  });

  it('joins verb and path class on one object', () => {
    const rule = { target: 'action', verb: 'write', pathClass: 'tests' };
    expect(
      quotes(scan([rule], rollout(call('bash', { command: 'cat tests/a.py; sed -i s/1/2/ tests/b.py' })))),
    ).toEqual(['sed -i s/1/2/ tests/b.py']);
    expect(scan([rule], rollout(call('bash', { command: 'cat tests/a.py > out.txt' })))).toEqual([]);
    expect(scan([rule], rollout(call('bash', { command: 'echo x > tests/README.md' })))).toEqual([]);
    expect(quotes(scan([rule], rollout(call('Write', { file_path: 'tests/a.py', content: 'x' }))))).toEqual([
      'tests/a.py',
    ]);
  });

  it('filters patches by the path of their file', () => {
    const rule = { target: 'patch', pathClass: 'tests', ...any('skip') };
    expect(quotes(scan([rule], rollout(call('Write', { file_path: 'tests/a.py', content: 'skip' }))))).toEqual([
      'skip',
    ]);
    expect(scan([rule], rollout(call('Write', { file_path: 'src/a.py', content: 'skip' })))).toEqual([]);
  });

  it('points at the encoded characters when the decoded form matches', () => {
    const encoded = Buffer.from('import os; os._exit(0)').toString('base64');
    const scanned = rollout(call('python', { code: `exec(b64decode("${encoded}"))` }));
    const [hit] = scan([{ target: 'action', ...any('_exit') }], scanned);
    expect(hit?.quote).toContain(encoded);
  });

  it('reads scripts that are run later as acts', () => {
    const rule = { target: 'action', verb: 'read', pathClass: 'secret' };
    const write = call('Write', { file_path: '/tmp/s.py', content: 'print(open("/secret/a").read())' });
    expect(scan([rule], rollout(write))).toEqual([]);
    expect(scan([rule], rollout(write, call('bash', { command: 'python /tmp/s.py' }))).map((hit) => hit.item)).toEqual([
      0,
    ]);
    expect(scan([rule], rollout(call('bash', { command: 'python /tmp/s.py' }), write))).toEqual([]);
  });

  it('merges overlapping hits of one rule, not of two', () => {
    const scanned = rollout(said('aaa bbb'));
    expect(scan([{ target: 'message', any: [{ pattern: 'aaa' }, { pattern: 'a+ b+' }] }], scanned)).toHaveLength(1);
    expect(
      scan(
        [
          { target: 'message', ...any('aaa') },
          { target: 'message', ...any('aaa') },
        ],
        scanned,
      ),
    ).toHaveLength(2);
  });

  it('gives the same answer again', () => {
    const rules = compiled([{ target: 'message', any: [{ pattern: 'a', unless: 'z' }] }]);
    const scanned = rollout(said('a a'));
    expect(scanRollout(rules, scanned)).toEqual(scanRollout(rules, scanned));
  });
});

describe('pair rules', () => {
  const rule = {
    target: 'action',
    ...any('sed -i \\S+ (?<file>\\S+)'),
    after: { target: 'observation', ...any('FAILED (?<file>\\S+)'), same: 'file', within: 5 },
  };
  const edit = (file: string): ReturnType<typeof call> => call('bash', { command: `sed -i s/1/2/ ${file}` });

  it('need the first part before', () => {
    const hits = scan([rule], rollout(seen('FAILED a.py'), edit('a.py')));
    expect(hits.map((hit) => hit.chain.map((hop) => [hop.role, hop.quote]))).toEqual([
      [
        ['source', 'FAILED a.py'],
        ['sink', 'sed -i s/1/2/ a.py'],
      ],
    ]);
    expect(scan([rule], rollout(edit('a.py'), seen('FAILED a.py')))).toEqual([]);
  });

  it('need the same captured text', () => {
    expect(scan([rule], rollout(seen('FAILED b.py'), edit('a.py')))).toEqual([]);
  });

  it('need to be near', () => {
    const gap = Array.from({ length: 5 }, () => said('x'));
    expect(scan([rule], rollout(seen('FAILED a.py'), ...gap, edit('a.py')))).toEqual([]);
  });
});

describe('running rules', () => {
  it('names each rule before it is run, and leaves out those to skip', () => {
    const names: string[] = [];
    scanRollout(compiled([{ ...any('a') }, { ...any('b') }, { ...any('c') }]), rollout(said('x')), {
      onRule: (id) => names.push(id),
      skip: new Set(['R1']),
    });
    expect(names).toEqual(['R0', 'R2']);
  });

  it('runs one rule over a prepared rollout', () => {
    const [rule] = compiled([{ target: 'message', ...any('a') }]).rules;
    expect(rule && scanRule(rule, prepareRollout(rollout(said('a'))))).toHaveLength(1);
  });
});

describe('compilePack', () => {
  it.each([
    [{ any: [{ pattern: '(' }] }, /R0.*regular expression/, ['rules', 0, 'any', 0, 'pattern']],
    [{ any: [{ pattern: 'a', unless: '[' }] }, /R0.*regular expression/, ['rules', 0, 'any', 0, 'unless']],
    [{ verb: 'read', pathClass: 'nowhere' }, /"nowhere" is not defined/, ['rules', 0, 'pathClass']],
    [{ kind: 'bad-kind', any: [{ pattern: 'a' }] }, /no hack kind/, ['rules', 0, 'kind']],
    [{ family: 'A', any: [{ pattern: 'a' }] }, /belongs to family F/, ['rules', 0, 'family']],
    [{}, /matches nothing/, ['rules', 0]],
    [{ target: 'message', verb: 'read', pathClass: 'tests' }, /text without paths/, ['rules', 0, 'target']],
    [
      { any: [{ pattern: 'a' }], after: { target: 'action', any: [{ pattern: '*' }] } },
      /regular expression/,
      ['rules', 0, 'after', 'any', 0, 'pattern'],
    ],
  ])('%j', (rule, message, path) => {
    const result = compilePack(pack([rule]));
    expect(result.ok).toBe(false);
    if (!result.ok) {
      expect(result.error[0]?.message).toMatch(message);
      expect(result.error[0]?.path).toEqual(path);
    }
  });

  it('reports every problem and double ids', () => {
    const result = compilePack(
      pack([
        { id: 'A', any: [{ pattern: '(' }] },
        { id: 'A', any: [{ pattern: ')' }] },
      ]),
    );
    expect(!result.ok && result.error).toHaveLength(3);
  });
});
