import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { parseJson } from '../model/json.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { variants } from '../reference/variants/catalogue.ts';
import { isAccuracy } from './accuracy.ts';
import { reread } from './selftest.ts';

/** What `npm run accuracy` wrote. */
const text = await readFile('docs/accuracy.json', 'utf8');

describe('the published accuracy', () => {
  const accuracy: unknown = parseJson(text);
  if (!isAccuracy(accuracy)) throw new Error('docs/accuracy.json is no result of a self-test');

  test('speaks of every fault and every legal choice that there is', () => {
    const tried = (budget: string, seed: number): readonly string[] =>
      accuracy.faults.filter((line) => line.budget === budget && line.seed === seed).map(({ id }) => id);
    const all = faults.map(({ id }) => id).sort();
    expect([...tried('quick', 1)].sort()).toEqual(all);
    for (const seed of [1, 2, 3]) expect([...tried('standard', seed)].sort()).toEqual(all);
    const alone = accuracy.variants.map(({ id }) => id).filter((id) => !id.includes('+') && id !== '(none)');
    expect([...new Set(alone)].sort()).toEqual(variants.map(({ id }) => id).sort());
    expect(accuracy.variants.length).toBeGreaterThanOrEqual(variants.length + 200);
  });

  test('is that of a self-test that passed: nothing missed at the standard budget, nothing accused', () => {
    expect(accuracy.passed).toBe(true);
    const wrong = [...accuracy.faults.filter(({ budget }) => budget === 'standard'), ...accuracy.variants];
    expect(wrong.filter(({ missed, unexpected }) => missed.length + unexpected.length > 0)).toEqual([]);
  });

  test('stands in docs/accuracy.md as the command writes it, by what the faults may touch', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-accuracy-'));
    const [json, page] = [join(folder, 'accuracy.json'), join(folder, 'accuracy.md')];
    expect(await reread('docs/accuracy.json', { json, write: page })).toBe(0);
    expect(await readFile(json, 'utf8')).toBe(text);
    expect(await readFile('docs/accuracy.md', 'utf8')).toBe(await readFile(page, 'utf8'));
    await expect(reread('package.json', { json, write: page })).rejects.toThrow(/no result of a self-test/);
  });
});
