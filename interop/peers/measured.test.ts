import { expect, test } from 'vitest';
import { cpuOf, measured } from './measured.ts';

test('the last line of times counts, user and system', () => {
  expect(cpuOf('done\n0m0.010s 0m0.020s\n1m2.500000s 0m0.250000s\n')).toBeCloseTo(62.75);
});

test('a program is run with its arguments as they are', async () => {
  const { code, output } = await measured('node', ['-e', 'console.log(process.argv[1])', "a b'c"], '.');
  expect(code).toBe(0);
  expect(output).toContain("a b'c\n");
});
