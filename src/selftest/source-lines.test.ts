import { readFileSync } from 'node:fs';
import { expect, test } from 'vitest';
import { clauses } from '../clauses/catalogue.ts';
import { unshown } from '../reference/faults/catalogue.ts';
import { sourceLines, writtenLines } from './source-lines.ts';

const lines = sourceLines('.');

/** Judged on every response, whatever sent the request. */
const ofNoSuite = ['ERR-3', 'RID-3'];

test.each(clauses.map(({ code }) => code))('every line listed for %s has the code', (code) => {
  const { clause = [], faults = [], traces = [], suites = [] } = lines[code] ?? {};
  for (const { file, line } of [...clause, ...faults, ...traces, ...suites])
    expect(readFileSync(file, 'utf8').split('\n')[line - 1], `${file}:${line}`).toContain(code);
  expect(clause).toHaveLength(1);
  expect(traces).not.toEqual([]);
  expect(faults.length === 0).toBe(code in unshown);
  expect(suites.length === 0).toBe(ofNoSuite.includes(code));
});

test('the line of a fault is its own, whatever else it breaks', () => {
  const faults = lines['IDM-6']?.faults.filter(({ of }) => of === 'I06') ?? [];
  expect(faults).toEqual([
    expect.objectContaining({ file: expect.stringContaining('repeated-commands.ts') }),
  ]);
  for (const { file, line } of faults)
    expect(
      readFileSync(file, 'utf8')
        .split('\n')
        .slice(line - 3, line)
        .join(),
    ).toContain("id: 'I06'");
});

test('what a build writes down is read back', () => {
  const text = JSON.stringify(lines);
  for (const { code } of clauses) expect(writtenLines(text, code)).toEqual(lines[code]);
  expect(writtenLines(text, 'IDM-99')).toBeUndefined();
  expect(writtenLines('{', 'IDM-8')).toBeUndefined();
});
