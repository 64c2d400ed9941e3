import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { expect, test } from 'vitest';
import { loadContract } from '../contract/load.ts';
import { blocksOf } from '../testing/blocks.ts';
import { suggestionsOf } from './proposals.ts';

/** The document of docs/contract.md. */
const text = blocksOf('docs/contract.md', await readFile('docs/contract.md', 'utf8')).find(
  ({ mark }) => mark === 'example: contract',
)?.text;

async function suggested(document: string) {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-proposals-')), 'c.yaml');
  await writeFile(file, document);
  return suggestionsOf(await loadContract(file));
}

/** The document without any `x-governed`. */
const bare = (text ?? '')
  .replaceAll(/^ {6}x-governed:\n(?: {8}.*\n)+/gm, '')
  .replaceAll(/^ *x-governed: \{.*\}\n/gm, '')
  .replaceAll(', x-governed: { filters: /status }', '');

test('what a document suggests is what its author wrote', async () => {
  expect(bare).not.toContain('x-governed');
  expect(await suggested(bare)).toEqual([
    { where: 'createCase', text: 'x-governed: { effect: { read: getCase, list: listCases } }' },
    {
      where: 'listCases',
      text: 'x-governed: { pagination: { limit: limit, cursor: cursor, items: /items, next: /nextCursor } }',
    },
    { where: 'listCases, query field status', text: 'x-governed: { filters: /status }' },
    {
      where: 'updateCase',
      text: 'x-governed: { effect: { read: getCase }, version: { carrier: { in: header, name: If-Match }, source: { operation: getCase, in: body, at: /version } } }',
    },
    {
      where: 'closeCase',
      text: 'x-governed: { effect: { read: getCase }, verification: { carrier: { in: header, name: X-Verification }, hook: verify } }',
    },
  ]);
});

test('what is there is not suggested again', async () => {
  expect(await suggested(text ?? '')).toEqual([
    { where: 'closeCase', text: 'x-governed: { effect: { read: getCase } }' },
  ]);
});

test('a version that no member holds is in the ETag, pages are known by their names, and other members are ignored', async () => {
  const other = bare
    .replaceAll('required: [id, status, version]', 'required: [id, status]')
    .replaceAll('version: { type: integer }, ', '')
    .replaceAll(
      'name: cursor, in: query, schema: { type: string }',
      'name: page, in: query, schema: { type: integer }',
    );
  const found = new Map((await suggested(other)).map(({ text: one, where }) => [where, one]));
  expect(found.get('updateCase')).toContain('source: { operation: getCase, in: header, name: ETag }');
  expect(found.get('listCases')).toBe(
    'x-governed: { pagination: { limit: limit, cursor: page, style: page, items: /items } }',
  );
  const plain = bare.replaceAll('name: limit', 'name: depth').replaceAll('name: If-Match', 'name: X-If');
  const rest = (await suggested(plain)).map(({ text: one }) => one).join();
  expect(rest).not.toMatch(/pagination|version:/);
});
