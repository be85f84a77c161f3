// Golden vectors through the registry: the shared set when it is there, and the project's own set always.
//
// After a change to an own case: `UPDATE_GOLDEN=1 npx vitest run tests/golden`, then `npx biome format --write tests/golden/own`.

import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { estimators } from '../../app/domain/advantage/registry.ts';
import { runVectors, type VectorsReport } from '../../app/domain/advantage/vectors.ts';
import { sharedPath } from '../shared-material.ts';
import { ownFiles } from './own-files.ts';

const ownFolder = join(import.meta.dirname, 'own');
if (process.env.UPDATE_GOLDEN === '1') {
  for (const [name, cases] of Object.entries(ownFiles)) {
    const file = { schema: 'rollscope-golden-1', cases: cases() };
    writeFileSync(join(ownFolder, name), `${JSON.stringify(file, null, 2)}\n`);
  }
}

const sharedFolder = sharedPath('golden');
if (sharedFolder === null) console.log('Skipped: the shared golden vectors are not here (see ROLLSCOPE_SHARED).');

function run(path: string): VectorsReport {
  return runVectors(JSON.parse(readFileSync(path, 'utf8')));
}

const notPassed = (report: VectorsReport) => report.cases.filter((one) => one.status !== 'pass');

describe('own golden vectors', () => {
  for (const [name, cases] of Object.entries(ownFiles)) {
    it(`${name} passes`, () => {
      const report = run(join(ownFolder, name));
      expect(notPassed(report)).toEqual([]);
      expect(report.passed).toBe(cases().length);
    });

    it(`${name} is what the slow reference gives`, () => {
      const file: unknown = JSON.parse(readFileSync(join(ownFolder, name), 'utf8'));
      // Once through JSON, so that -0 and undefined compare as they are written.
      expect(file).toEqual({ schema: 'rollscope-golden-1', cases: JSON.parse(JSON.stringify(cases())) });
    });
  }

  it('has a case that gives numbers for every estimator of the registry', () => {
    const covered = new Set(
      Object.values(ownFiles)
        .flatMap((cases) => cases())
        .filter((one) => one.expected.error === undefined)
        .map((one) => one.estimator),
    );
    expect(estimators.map(({ id }) => id).filter((id) => !covered.has(id))).toEqual([]);
  });
});

describe.skipIf(sharedFolder === null)('shared golden vectors (skipped where the reference material is absent)', () => {
  const folder = sharedFolder ?? '';
  const files = sharedFolder === null ? [] : readdirSync(folder).filter((name) => name.endsWith('.json'));

  it('are all there and pass', () => {
    const table = files.sort().map((name) => {
      const report = run(join(folder, name));
      expect(notPassed(report)).toEqual([]);
      return { file: name, passed: report.passed, worst: Math.max(...report.cases.map((one) => one.worst ?? 0)) };
    });
    console.table(table);
    expect(table.reduce((sum, row) => sum + row.passed, 0)).toBe(164);
  });
});
