// The trainer check of the inspector: its words and figures, its states, and that its segments are those of the screen.

import { ORPCError } from '@orpc/client';
import type { ReactElement } from 'react';
import { renderToStaticMarkup } from 'react-dom/server';
import { describe, expect, it } from 'vitest';
import type { Fit, RolloutVerification } from '../../../app/contract/index.ts';
import { verifyRollouts } from '../../../app/domain/advantage/verify/verify.ts';
import {
  firstDivergence,
  formatAgreeing,
  formatCompared,
  formatDifference,
  onScreen,
  placeName,
} from '../../../renderer/data/trainer-check.ts';
import { hasLogged, TrainerCheckSection } from '../../../renderer/features/rollout/TrainerCheck.tsx';
import { advantages, log, makeBatch } from '../advantage/verify-batches.ts';
import { segment } from './builders.ts';

const fit: Fit = {
  estimator: 'gae_cross',
  params: {},
  presets: ['compactionrl-paper'],
  label: 'gae_cross, γ 1, λ 0.999',
  max: 0.7136,
  p99: 0.7,
  agreeing: 0.297,
};

function finding(change: Partial<RolloutVerification> = {}): RolloutVerification {
  return {
    id: 'r-000000000001',
    status: 'found',
    compared: 'advantages',
    tokens: 1521,
    precision: 'fp32',
    tolerance: 2e-5,
    critic: 'logged values',
    fits: [fit],
    divergences: [
      { segment: 0, kind: 'execution', token: 303, logged: 0.2, recomputed: 0.1, differing: 4, compared: 9 },
      { segment: 2, kind: 'execution', token: 1384, logged: -0.2, recomputed: 0.1, differing: 5, compared: 5 },
    ],
    diagnosis: {
      code: 'siblings-missing',
      title: 'siblings missing',
      sentence: 'The log is reproduced when segment 1 is not counted.',
      confidence: 0.94,
      evidence: ['It fits only without segment 1: lost or on another rank.'],
    },
    alternatives: [],
    returns: null,
    ...change,
  };
}

const clean = finding({
  status: 'clean',
  fits: [{ ...fit, max: 0, p99: 0, agreeing: 1 }],
  divergences: [],
  diagnosis: { code: 'clean', title: 'clean', sentence: 'Follows it.', confidence: 0.99, evidence: [] },
});

const segments = [
  segment({ index: 0, tokens: 400, axisStart: 0 }),
  segment({ index: 1, kind: 'summary', tokens: 100, axisStart: 400 }),
  segment({ index: 2, tokens: 2000, axisStart: 500 }),
];

function section(change: Partial<Parameters<typeof TrainerCheckSection>[0]>): ReactElement {
  return (
    <TrainerCheckSection
      check={undefined}
      error={null}
      segments={segments}
      onRetry={() => undefined}
      onGo={() => undefined}
      {...change}
    />
  );
}

/** The text of an element as a person reads it. */
function textOf(element: ReactElement): string {
  return renderToStaticMarkup(element)
    .replaceAll(/<[^>]+>/g, ' ')
    .replaceAll('&gt;', '>')
    .replaceAll('&lt;', '<')
    .replaceAll(/\s+/g, ' ');
}

describe('figures', () => {
  it('keeps no difference and a tiny one apart, and large ones short', () => {
    expect([0, 8.94e-8, 0.71357, 2.5, 24, 1.3e7, null].map(formatDifference)).toEqual([
      'none',
      '8.9e-8',
      '71.4 %',
      '250.0 %',
      '24×',
      '1.3e+7×',
      '–',
    ]);
  });

  it('says all and none only when it is so', () => {
    expect([1, 0.99999, 0.297, 0.0001, 0].map((share) => formatAgreeing(share, 1521))).toEqual([
      'all 1,521 tokens',
      '> 99.9 % of 1,521 tokens',
      '29.7 % of 1,521 tokens',
      '< 0.1 % of 1,521 tokens',
      'none of 1,521 tokens',
    ]);
  });

  it('shows what is compared with digits that tell it apart', () => {
    expect([0.17333, -0.5, 0, -4.5e-7, 2.5e8].map(formatCompared)).toEqual([
      '0.1733',
      '−0.5000',
      '0.0000',
      '−4.50e-7',
      '2.50e+8',
    ]);
  });
});

describe('places', () => {
  it('start at the token that is last in time, in the words of the screen', () => {
    const first = firstDivergence(finding());
    expect(first === null ? null : placeName(first)).toBe('segment 3, token 1,384');
    expect(firstDivergence(clean)).toBeNull();
  });

  it('count segments from 1 in sentences and leave other numbers alone', () => {
    expect(onScreen('segment 0, tokens 5–9: the same ids as in segment 2 from token 7')).toBe(
      'segment 1, tokens 5–9: the same ids as in segment 3 from token 7',
    );
    expect(onScreen('segment 1, 2 is not counted')).toBe('segment 2, 3 is not counted');
    expect(onScreen('Segment 9 parts at token 9: 3 of 4 tokens differ.')).toBe(
      'Segment 10 parts at token 9: 3 of 4 tokens differ.',
    );
    const counts = 'The factors count 1279 of 1521 trainable tokens: without the 242 of 2 summary segments.';
    expect(onScreen(counts)).toBe(counts);
  });

  it('agree with what the comparison itself writes about a log that nothing explains', () => {
    const recipe = { style: 'local', gamma: 1, lambda: 0.95 } as const;
    const cases = makeBatch(7, { groups: 1, members: 1, segments: 2, tail: 'trained' });
    const columns = cases.map((one) => advantages(one, recipe));
    for (const column of columns[0] ?? []) {
      for (let t = 0; t < column.length - 4; t += 1) column[t] = (column[t] ?? 0) + 0.3 * Math.sin(t);
    }
    const { input, logged } = log(cases, columns, { named: recipe });
    const [check] = verifyRollouts(input, logged);
    if (check === undefined) throw new Error('no result');
    expect(check.diagnosis.code).toBe('unexplained');
    expect(check.divergences).toHaveLength(2);
    const evidence = check.diagnosis.evidence.map(onScreen).join('\n');
    for (const one of check.divergences) expect(evidence).toContain(`Segment ${one.segment + 1} parts at token`);
  });
});

describe('the section', () => {
  it('is for rollouts with logged advantages or returns only', () => {
    expect(hasLogged([segment(), segment({ columns: ['ids', 'loss_mask', 'values'] })])).toBe(false);
    expect(hasLogged([segment(), segment({ columns: ['advantages'] })])).toBe(true);
    expect(hasLogged([segment({ columns: ['returns'] })])).toBe(true);
  });

  it('names fit, agreement, worst difference, place and diagnosis of a finding', () => {
    const text = textOf(section({ check: finding() }));
    for (const part of [
      'finding',
      'best fit compactionrl-paper',
      'agreeing 29.7 % of 1,521 tokens',
      'worst difference 71.4 %',
      'first divergence segment 3, token 1,384',
      'diagnosis siblings missing 94 % sure',
      'when segment 2 is not counted',
      'only without segment 2:',
      '5 of 5 differ logged −0.2000 , recomputed 0.1000',
    ]) {
      expect(text).toContain(part);
    }
  });

  it('does not say that a log parts from the convention it follows everywhere', () => {
    const agreeing = { ...fit, max: 0, agreeing: 1 };
    const text = textOf(section({ check: finding({ fits: [agreeing] }) }));
    expect(text).toContain('first divergence segment 3, token 1,384 from what is expected');
    expect(textOf(section({ check: finding() }))).not.toContain('from what is expected');
  });

  it('lists fits that read the same once, with the nearest figures', () => {
    const fits = [fit, { ...fit, max: 0.9 }, { ...fit, label: 'gae_local, γ 1, λ 1', max: 2.5 }];
    const markup = renderToStaticMarkup(section({ check: finding({ fits }) }));
    expect(markup.match(/worst [^<]+/g)).toEqual(['worst difference', 'worst 71.4 %', 'worst 250.0 %']);
  });

  it('goes to the token on the axis of the rollout', () => {
    // Rendered by hand: the place of the last divergence is the first button of the section.
    const went: number[] = [];
    const element = section({ check: finding(), onGo: (token) => went.push(token) });
    for (const click of clicksIn(element)) click();
    expect(went).toEqual([1884, 1884, 303]);
  });

  it('says clean in its colour and with its word, and that nothing parts', () => {
    const markup = renderToStaticMarkup(section({ check: clean }));
    expect(markup).toContain('<span class="chip clean">clean</span>');
    expect(markup).toContain('<span class="trainer-check-clean">clean</span>');
    expect(textOf(section({ check: clean }))).toContain('first divergence none');
    expect(markup).not.toContain('<button');
  });

  it('keeps its rows while it waits and says so', () => {
    const markup = renderToStaticMarkup(section({}));
    expect(markup).toContain('aria-busy="true"');
    expect(markup).toMatch(/role="status"[^>]*>Comparing/);
    for (const name of ['best fit', 'worst difference', 'first divergence', 'diagnosis']) {
      expect(markup).toContain(`<dt>${name}</dt>`);
    }
  });

  it('tells a failure with what the engine says to do', () => {
    const error = new ORPCError('busy', {
      message: 'The reader ended.',
      data: { code: 'busy', hint: 'Open it again.' },
    });
    const markup = renderToStaticMarkup(section({ error }));
    expect(markup).toContain('role="alert"');
    expect(markup).toContain('The reader ended. Open it again.');
    expect(markup).toContain('Compare again</button>');
    expect(markup).not.toContain('aria-busy="true"');
  });

  it('gives the reason of a refusal and no figures', () => {
    const text = textOf(
      section({
        check: finding({
          status: 'refused',
          fits: [],
          divergences: [],
          diagnosis: {
            code: 'refused',
            title: 'cannot be compared',
            sentence: 'No critic values are logged.',
            confidence: 1,
            evidence: [],
          },
        }),
      }),
    );
    expect(text).toContain('not comparable');
    expect(text).toContain('No critic values are logged.');
    expect(text).not.toContain('best fit');
  });

  it('lists no more places than can be read, the last in time first', () => {
    const divergences = Array.from({ length: 40 }, (_, at) => ({
      segment: at,
      kind: 'execution',
      token: at,
      logged: 1,
      recomputed: 0,
      differing: 1,
      compared: 1,
    }));
    const text = textOf(section({ check: finding({ divergences }) }));
    expect(text).toContain('segment 40, token 39');
    expect(text).toContain('and 28 earlier segments');
    expect(text).not.toContain('segment 28, token 27');
  });
});

/** The click handlers of the buttons below an element, rendering its components as plain functions (none has hooks). */
function clicksIn(node: unknown): (() => void)[] {
  if (Array.isArray(node)) return node.flatMap(clicksIn);
  if (typeof node !== 'object' || node === null || !('type' in node) || !('props' in node)) return [];
  const { type, props } = node;
  if (typeof type === 'function') return clicksIn(type(props));
  if (typeof props !== 'object' || props === null) return [];
  const children = 'children' in props ? clicksIn(props.children) : [];
  if (type !== 'button' || !('onClick' in props) || typeof props.onClick !== 'function') return children;
  const { onClick } = props;
  return [() => void onClick(), ...children];
}
