import { mkdtemp, readFile, rm } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, onTestFinished, test } from 'vitest';
import type { Exchange, Trace } from '../model/exchange.ts';
import { makeTrials } from '../selftest/trial.ts';

type Line =
  | { readonly line: 'exchange'; readonly exchange: Exchange }
  | { readonly line: 'trace'; readonly trace: Trace };

test.each([
  ['createCase', 'duplicate-keys', 'mismatch'],
  // Its scenarios are all under way when the first of them still waits for its record.
  ['getCase', 'credentials', 'absent'],
])(
  '%s: a burst begins when the scenarios that tell most are over',
  async (operation, suite, probe) => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-order-'));
    onTestFinished(() => rm(folder, { recursive: true, force: true }));
    const keep = join(folder, 'evidence.jsonl');
    const of = { change: {}, operations: [operation], seed: 1, budget: 'quick', keep } as const;
    await makeTrials()(of, new AbortController().signal);
    const lines = (await readFile(keep, 'utf8')).trim().split('\n');
    const parsed = lines.map((line) => JSON.parse(line) as Line);
    const traceOf = (suite: string, probe: string): string | undefined =>
      parsed.flatMap((one) =>
        one.line === 'trace' && one.trace.suite === suite && one.trace.probe === probe ? [one.trace.id] : [],
      )[0];
    const sent = (trace: string | undefined): readonly number[] =>
      parsed.flatMap((one) =>
        one.line === 'exchange' && one.exchange.trace === trace ? [one.exchange.startedAt] : [],
      );
    const burst = sent(traceOf('throttling', 'burst'));
    const telling = sent(traceOf(suite, probe));
    expect([burst.length > 50, telling.length > 3]).toEqual([true, true]);
    expect(Math.min(...burst)).toBeGreaterThan(Math.max(...telling));
  },
  60_000,
);
