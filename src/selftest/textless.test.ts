import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { isObject } from '../model/json.ts';
import { conforming } from '../reference/conforming.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { conduct } from '../run/conduct.ts';
import { openSession, type ReferenceChange } from '../run/session.ts';
import { contractOfShapes } from './random-contracts.ts';
import { configurationFor } from './shapes/configuration.ts';

/** What a run says of duplicates of a command whose body has no free text: `fail`, or `pass (ids only)`. */
async function duplicatesOn(
  shape: string,
  change: ReferenceChange['change'] = {},
): Promise<readonly string[]> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-textless-'));
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
      { suites: undefined, operations: undefined, clauses: ['IDM-4', 'IDM-8'], reference: { change } },
      new AbortController().signal,
    );
    if (conducted.kind === 'void') return [conducted.because];
    return conducted.cells
      .filter(({ clause, operation }) => /^IDM-[48]$/.test(clause) && operation === 'createNote')
      .map(({ clause, idsOnly, verdict }) => `${clause} ${verdict}${idsOnly ? ' (ids only)' : ''}`);
  } finally {
    await rm(folder, { recursive: true, force: true });
  }
}

const again = faults.find(({ id }) => id === 'I07')?.change ?? {};
/** A business rule of which the schema says nothing. */
const modest: ReferenceChange['change'] = {
  validateBody: (call, value, schema) => {
    const count = isObject(value) ? value['count'] : undefined;
    return conforming.validateBody(call, typeof count === 'number' && count > 1e6 ? {} : value, schema);
  },
};

test.concurrent.each<[string, string, ReferenceChange['change'], string]>([
  ['a second record with the first ID is seen', 'transfer', again, 'fail'],
  ['one record is one effect', 'meter-reading', {}, 'pass'],
  ['what a business rule refuses marks nothing', 'meter-reading', modest, 'pass (ids only)'],
])('a body without free text: %s', async (_, shape, change, verdict) => {
  expect(await duplicatesOn(shape, change)).toEqual([`IDM-4 ${verdict}`, `IDM-8 ${verdict}`]);
});
