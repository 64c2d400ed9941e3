import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../model/json.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { variants } from '../reference/variants/catalogue.ts';
import { isAccuracy, unready } from './accuracy.ts';
import { reread } from './selftest.ts';

/** What `npm run accuracy` wrote. */
const text = await readFile('docs/accuracy.json', 'utf8');

describe('the published accuracy', () => {
  const accuracy: unknown = parseJson(text);
  if (!isAccuracy(accuracy)) throw new Error('docs/accuracy.json is no result of a self-test');

  test('speaks of every fault and every legal choice that there is', () => {
    const tried = (budget: string, seed: number): readonly string[] =>
      accuracy.faults.filter((line) => line.budget === budget && line.seed === seed).map(({ id }) => id);
    const measured = (
      all: readonly { readonly id: string; readonly unmeasured?: true }[],
    ): readonly string[] =>
      all
        .filter(({ unmeasured }) => unmeasured !== true)
        .map(({ id }) => id)
        .sort();
    const all = measured(faults);
    expect(tried('quick', 1)).toEqual(expect.arrayContaining([...all]));
    for (const seed of [1, 2, 3]) expect(tried('standard', seed)).toEqual(expect.arrayContaining([...all]));
    const alone = accuracy.variants.map(({ id }) => id).filter((id) => !id.includes('+') && id !== '(none)');
    expect(alone).toEqual(expect.arrayContaining([...measured(variants)]));
    expect(accuracy.variants.length).toBeGreaterThanOrEqual(measured(variants).length + 200);
    const known = new Set([...faults, ...variants].map(({ id }) => id));
    expect([...tried('quick', 1), ...alone].filter((id) => !known.has(id))).toEqual([]);
  });

  test('is that of a self-test that passed: nothing missed at the standard budget, nothing accused', () => {
    expect(accuracy.passed).toBe(true);
    const wrong = [...accuracy.faults.filter(({ budget }) => budget === 'standard'), ...accuracy.variants];
    expect(wrong.filter(({ missed, unexpected }) => missed.length + unexpected.length > 0)).toEqual([]);
  });

  test('is in docs/accuracy.md as the command writes it, by what the faults may touch', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-accuracy-'));
    const [json, page] = [join(folder, 'accuracy.json'), join(folder, 'accuracy.md')];
    expect(await reread('docs/accuracy.json', { json, write: page })).toBe(0);
    expect(await readFile(json, 'utf8')).toBe(text);
    expect(await readFile('docs/accuracy.md', 'utf8')).toBe(await readFile(page, 'utf8'));
    await expect(reread('package.json', { json, write: page })).rejects.toThrow(
      /not the result of a self-test/,
    );
  });

  test('a release needs every fault and choice measured, by this build', () => {
    const measured = [...new Set([...accuracy.faults, ...accuracy.variants].map(({ id }) => id))];
    const all = measured.map((id) => ({ id }));
    expect(unready(accuracy, accuracy.build, all)).toEqual([]);
    expect(
      unready({ ...accuracy, passed: false }, 'other', [...all, { id: 'X1', unmeasured: true }]),
    ).toEqual([
      'the self-test did not pass',
      'the self-test is of another build',
      'X1 has not been measured',
      "X1 is still marked 'unmeasured'",
    ]);
  });
});
