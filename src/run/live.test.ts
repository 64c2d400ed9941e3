import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { faults } from '../reference/faults/catalogue.ts';
import { reportText } from '../report/read.ts';
import { conduct } from './conduct.ts';
import { judged } from './rejudge.ts';
import { openSession } from './session.ts';

test.each<[string | undefined, readonly string[]]>([
  [undefined, ['duplicate-keys', 'reads']],
  ['R02', ['valid-commands', 'credentials', 'schema-violations']],
])(
  'with the fault %s, a run reports what its log amounts to, byte for byte',
  async (id, suites) => {
    const fault = faults.find((one) => one.id === id);
    expect(fault?.id).toBe(id);
    const output = await mkdtemp(join(tmpdir(), 'assay-live-'));
    const session = await openSession('fixtures/contracts/extended.config.yaml', {
      output,
      budget: 'quick',
      seed: 5,
      concurrency: 8,
    });
    const conducted = await conduct(
      session,
      {
        suites,
        // A creation, a change, a read and a list: no other kind is reported otherwise.
        operations: ['createCase', 'updateCase', 'getCase', 'listCases'],
        reference: fault === undefined ? undefined : { change: fault.change },
      },
      new AbortController().signal,
    );
    if (conducted.kind === 'void') throw new Error(conducted.because);
    const live = conducted.judged();
    const again = await judged(join(conducted.folder, 'evidence.jsonl'));
    expect(reportText(live.report) === reportText(again.report)).toBe(true);
    expect(live.failures).toEqual(again.failures);
    expect(live.report.violations.length > 0).toBe(id !== undefined);
  },
  240_000,
);
