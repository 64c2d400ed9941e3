import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import type { JsonObject } from '../src/model/json.ts';
import { conduct } from '../src/run/conduct.ts';
import { packageRoot } from '../src/run/place.ts';
import { openSession } from '../src/run/session.ts';
import { inTemporaryFolder } from '../src/run/temporary-folder.ts';
import { documentOf, idText, linkTo, object, operation } from '../src/selftest/shapes/document.ts';
import { longListsPage, type Measured, styles } from './long-lists-page.ts';
import { optionsOf } from './options.ts';
import { startService } from './service.ts';

/**
 * Requests and seconds of a quick run on a service whose list holds 0, 10,000 and 1,000,000 older records, for each way
 * to read a list. Writes docs/long-lists.md.
 *
 * node long-lists.js [--records 0,10000,1000000] [--style cursor,newest,page,filter,search] [--budget quick] [--dry]
 */
const values = optionsOf('long-lists', {
  records: { type: 'string', default: '0,10000,1000000' },
  style: { type: 'string', default: Object.keys(styles).join(',') },
  budget: { type: 'string', default: 'quick' },
  dry: { type: 'boolean', default: false },
});
const budget = values.budget === 'standard' ? 'standard' : 'quick';
const principals = {
  full: { scope: 'a', permissions: ['item.create', 'item.read'] },
  peer: { scope: 'a', permissions: ['item.create', 'item.read'] },
  elsewhere: { scope: 'b', permissions: ['item.create', 'item.read'] },
  reader: { scope: 'a', permissions: ['item.read'] },
  writer: { scope: 'a', permissions: ['item.create'] },
};
const tokenOf = (name: string): string => `List-Bench-Token-${name}`;
const all: Measured[] = [];
for (const style of values.style.split(','))
  for (const records of values.records.split(',').map(Number)) {
    const measured = await inTemporaryFolder('lists', (folder) => measure(folder, style, records));
    console.log(JSON.stringify(measured));
    all.push(measured);
  }
if (!values.dry) await writeFile(join(packageRoot(), 'docs/long-lists.md'), longListsPage(all, budget));

async function measure(folder: string, style: string, records: number): Promise<Measured> {
  const tokens = Object.fromEntries(Object.entries(principals).map(([name, one]) => [tokenOf(name), one]));
  const options = { style, records: String(records), tokens: JSON.stringify(tokens) };
  const service = await startService('list-service.js', options);
  try {
    await writeFile(join(folder, 'contract.json'), JSON.stringify(contractOf(style)));
    await writeFile(
      join(folder, 'assay.json'),
      JSON.stringify({
        target: { baseUrl: service.origin, environment: 'test', exclusive: true },
        contract: './contract.json',
        principals: Object.fromEntries(
          Object.entries(principals).map(([name, one]) => [
            name,
            { ...one, token: { value: tokenOf(name) } },
          ]),
        ),
        declares: { G15: { seconds: 0 }, G8: 'unthrottled' },
      }),
    );
    const session = await openSession(join(folder, 'assay.json'), {
      output: join(folder, 'runs'),
      budget,
      seed: 1,
    });
    const started = performance.now();
    const conducted = await conduct(session, {}, new AbortController().signal);
    if (conducted.kind === 'void') throw new Error(conducted.because);
    const named = (...verdicts: readonly string[]): readonly string[] =>
      conducted.cells
        .filter(({ level, verdict }) => level !== 'advisory' && verdicts.includes(verdict))
        .map(({ clause, operation }) => `${clause}/${operation}`);
    return {
      style,
      records,
      requests: conducted.requests,
      seconds: (performance.now() - started) / 1000,
      accused: named('fail', 'unstable'),
      inconclusive: named('inconclusive'),
      passed: named('pass').length,
    };
  } finally {
    service.stop();
  }
}

function contractOf(style: string): JsonObject {
  const item = object({ id: idText, subject: idText });
  const paging =
    style === 'page'
      ? { limit: 'limit', cursor: 'page', style: 'page', items: '/items' }
      : { limit: 'limit', cursor: 'cursor', style: 'cursor', items: '/items', next: '/nextCursor' };
  return documentOf([
    operation('POST /items', 'createItem', {
      permission: 'item.create',
      body: object({ subject: idText }),
      result: item,
      governed: { effect: { read: 'getItem', list: 'listItems', id: '/id' } },
      links: linkTo('getItem', 'itemId'),
    }),
    operation('GET /items', 'listItems', {
      permission: 'item.read',
      parameters: [
        { name: 'limit', in: 'query', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        style === 'page'
          ? { name: 'page', in: 'query', schema: { type: 'integer', minimum: 1 } }
          : { name: 'cursor', in: 'query', schema: { type: 'string' } },
        ...(style === 'filter' || style === 'search'
          ? [{ name: 'subject', in: 'query', schema: idText, 'x-governed': { filters: '/subject' } }]
          : []),
      ],
      result: object({ items: { type: 'array', items: item }, nextCursor: { type: 'string' } }, ['items']),
      governed: { pagination: paging },
    }),
    operation('GET /items/{itemId}', 'getItem', { permission: 'item.read', result: item }),
  ]);
}
