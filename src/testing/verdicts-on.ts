import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { parseContract } from '../contract/load.ts';
import type { ClauseCode } from '../model/clause.ts';
import { conduct } from '../run/conduct.ts';
import { openSession, type ReferenceChange } from '../run/session.ts';
import { contractOfShapes } from '../selftest/random-contracts.ts';
import { configurationFor } from '../selftest/shapes/configuration.ts';

/** What a run on a shape of contract says of clauses on one operation: `IDM-4 fail`, or `IDM-4 pass (ids only)`. */
export async function verdictsOn(
  shape: string,
  operation: string,
  clauses: readonly ClauseCode[],
  change: ReferenceChange['change'] = {},
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-verdicts-'));
  try {
    const { text, operations } = contractOfShapes([shape]);
    await writeFile(join(folder, 'contract.yaml'), text);
    await writeFile(
      join(folder, 'assay.json'),
      configurationFor(await parseContract(text, 'contract.yaml'), operations),
    );
    const session = await openSession(
      join(folder, 'assay.json'),
      { output: folder, budget: 'quick', seed: 5 },
      {},
    );
    const conducted = await conduct(
      session,
      { suites: undefined, operations: undefined, clauses, reference: { change } },
      new AbortController().signal,
    );
    if (conducted.kind === 'void') return [conducted.because];
    return conducted.cells
      .filter((cell) => clauses.includes(cell.clause) && cell.operation === operation)
      .map(({ clause, idsOnly, verdict }) => `${clause} ${verdict}${idsOnly ? ' (ids only)' : ''}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}
