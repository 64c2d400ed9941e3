import { describe, expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { contractOfShapes, coverage, drawContracts } from './random-contracts.ts';
import { shapes } from './shapes/catalogue.ts';

describe('random contracts', () => {
  test('are the same for the same seed, and others for another', () => {
    expect(drawContracts(20, 3)).toEqual(drawContracts(20, 3));
    expect(drawContracts(20, 3)).not.toEqual(drawContracts(20, 4));
  });

  test('of a seed are the same in parts as at once', () => {
    expect(drawContracts(30, 3).slice(0, 20)).toEqual(drawContracts(20, 3));
  });

  test('a thousand hold each shape thirty times and every pair that can meet', () => {
    const { shapes: times, pairs } = coverage(drawContracts(1000, 1));
    expect(Math.min(...times.values())).toBeGreaterThanOrEqual(30);
    expect(pairs.met).toBe(pairs.possible);
  });

  test('are contracts: each of twelve is read, with the operations of all its shapes', async () => {
    const kept = new Map<string, number>();
    const count = async (name: string): Promise<number> => {
      const shape = shapes.find((one) => one.name === name);
      const operations =
        kept.get(name) ?? (await parseContract(shape?.text ?? '', 'contract.yaml')).operations.length;
      kept.set(name, operations);
      return operations;
    };
    for (const { shapes: names } of drawContracts(12, 7)) {
      const { text, operations } = contractOfShapes(names);
      const contract = await parseContract(text, 'contract.yaml');
      const counts = await Promise.all(names.map((name) => count(name)));
      expect(contract.operations, names.join('+')).toHaveLength(counts.reduce((sum, one) => sum + one, 0));
      const ids = new Set([
        ...contract.operations.map(({ id }) => id),
        ...(contract.leftOut ?? []).map(({ id }) => id),
      ]);
      for (const id of Object.keys(operations ?? {})) expect(ids).toContain(id);
    }
  });
});
