// Every state of the app survives the trip through the address bar.

import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { formatRoute, parseRoute, type Route } from '../../../renderer/routes.ts';
import { splitToken } from '../../../renderer/token.ts';

/** Absent and undefined parameters mean the same. */
function plain(route: Route): Record<string, unknown> {
  return Object.fromEntries(Object.entries(route).filter(([, value]) => value !== undefined && value !== ''));
}

const text = fc.option(fc.string({ minLength: 1, unit: 'grapheme' }), { nil: undefined });
const index = fc.option(fc.nat({ max: 1e9 }), { nil: undefined });
const routes: fc.Arbitrary<Route> = fc.oneof(
  fc.record({
    screen: fc.constant('library' as const),
    where: text,
    sort: text,
    q: text,
    sel: text,
    by: fc.constantFrom('task' as const, 'group' as const, undefined),
  }),
  fc.record({
    screen: fc.constant('rollout' as const),
    id: fc.string({ minLength: 1, unit: 'grapheme' }),
    seg: index,
    item: index,
    marker: text,
    run: text,
    find: text,
    token: index,
  }),
  fc.record({
    screen: fc.constant('advantages' as const),
    tab: fc.constantFrom('runs' as const, undefined),
    where: text,
    critic: text,
    expect: text,
    job: text,
    show: text,
    sort: text,
    sel: text,
    est: text,
    a: text,
    b: text,
  }),
  fc.record({ screen: fc.constant('imports' as const), file: index }),
  fc.record({
    screen: fc.constant('filter' as const),
    threshold: fc.constantFrom(undefined, 0, 0.35, 1),
    weighted: fc.constantFrom(undefined, true as const),
  }),
  fc.record({
    screen: fc.constant('adjudicate' as const),
    show: fc.constantFrom('all' as const, undefined),
    kind: text,
    a: text,
    b: text,
    queue: text,
    sel: text,
  }),
  fc.record({ screen: fc.constant('schemas' as const), version: text, with: text }),
  fc.record({
    screen: fc.constant('agreement' as const),
    on: fc.constantFrom('marker' as const, undefined),
    cell: fc.constantFrom('hack-clean' as const, undefined),
    changed: text,
    reference: text,
    sel: text,
  }),
  fc.record({ screen: fc.constant('settings' as const) }),
);

describe('routes', () => {
  it('reads back what it wrote', () => {
    fc.assert(
      fc.property(routes, (route) => {
        expect(plain(parseRoute(formatRoute(route)))).toEqual(plain(route));
      }),
    );
  });

  it('shows the library for an address it does not know', () => {
    for (const hash of ['', '#', '#/', '#/nothing', '#/rollout/', '#nonsense']) {
      expect(parseRoute(hash).screen).toBe('library');
    }
  });

  it('leaves out what it cannot read', () => {
    expect(plain(parseRoute('#/rollout/r-1?seg=-3&item=1e9&marker=m-2'))).toEqual({
      screen: 'rollout',
      id: 'r-1',
      marker: 'm-2',
    });
    expect(plain(parseRoute('#/filter?threshold=7'))).toEqual({ screen: 'filter' });
    expect(plain(parseRoute('#/library?by=colour'))).toEqual({ screen: 'library' });
  });

  it('survives a broken escape', () => {
    expect(parseRoute('#/rollout/%E0%A4%A')).toMatchObject({ screen: 'rollout', id: '%E0%A4%A' });
  });
});

describe('the token in the address', () => {
  it.each([
    ['#token=abc', 'abc', ''],
    ['#token=abc&/rollout/r-1?seg=2', 'abc', '#/rollout/r-1?seg=2'],
    ['#token=abc/rollout/r-1', 'abc', '#/rollout/r-1'],
    ['#/library?token=abc', 'abc', '#/library'],
    ['#/library?q=x&token=abc', 'abc', '#/library?q=x'],
    ['#/library?token=abc&q=x', 'abc', '#/library?q=x'],
    ['#/library?q=token', null, '#/library?q=token'],
    ['', null, ''],
  ])('%s', (hash, token, rest) => {
    expect(splitToken(hash)).toEqual({ token, rest });
  });
});
