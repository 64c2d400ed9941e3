import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { shapes } from './shapes/catalogue.ts';
import { canShow } from './showing.ts';

async function shows(fault: string, shape: string): Promise<readonly string[]> {
  const text = shapes.find(({ name }) => name === shape)?.text ?? '';
  const contract = await parseContract(text, 'c.yaml');
  return contract.operations.filter((one) => canShow(fault, one, contract)).map(({ id }) => id);
}

test.each([
  ['I07', 'link-pages', ['createTag']],
  // Nothing reads what the command creates.
  ['I07', 'optional-body', []],
  // A lost response leaves the ID of the record unknown, and nothing lists the records.
  ['I36', 'read-only', []],
  ['I36', 'link-pages', ['createTag']],
  ['I36', 'close-declared', ['createNote']],
  ['I36', 'singleton-version', ['putSettings']],
  ['I28', 'no-content', []],
  ['I40', 'verified-within', []],
  // A body of one number is never as long as what the fault compares.
  ['I71', 'meter-reading', []],
  ['I71', 'empty-object', []],
  ['I71', 'map-of-texts', ['createItem']],
  ['I71', 'root-array', ['createItem']],
  ['I71', 'any-root', ['createItem']],
  ['I47', 'delete', ['deleteNote']],
  ['G03', 'link-pages', ['listTags']],
  ['G03', 'unpaged-list', []],
  ['I75', 'root-array', ['createItem']],
  ['I75', 'short-text', []],
  ['V73', 'deep', ['createItem']],
  ['V71', 'deep', []],
  ['C60', 'singleton-version', ['putSettings']],
  ['C61', 'singleton-version', []],
  ['G02', 'link-pages', []],
  ['G12', 'link-pages', []],
  // No version is in what this read shows.
  ['G12', 'read-only', []],
  ['G12', 'close-declared', ['getNote']],
  // The number of a page has no characters of Base64.
  ['G89', 'limit-enum', []],
  ['G89', 'link-pages', ['listTags']],
  ['G89', 'close-declared', ['listNotes']],
  // The schema of its body requires the version.
  ['C07', 'close-declared', []],
  ['C07', 'delete-with-version', ['deleteNote', 'renameNote']],
  ['G90', 'close-declared', ['getNote']],
  ['E04', 'any-json', []],
  ['E04', 'root-array', ['createItem']],
  ['V62', 'deep', ['createItem']],
  ['V62', 'short-text', []],
  ['I70', 'header-link', []],
  ['I70', 'close-declared', ['createNote', 'closeNote']],
  ['I81', 'close-declared', []],
  // Without a result and without a list a second record shows nowhere.
  ['I82', 'no-content', []],
  ['I82', 'close-declared', ['createNote']],
  ['I82', 'delete-with-version', ['createNote']],
  // Closing a second time is a conflict, whatever the version.
  ['C12', 'close-declared', ['createNote', 'listNotes', 'getNote']],
  ['T13', 'empty-object', []],
  // A refusal names no record, and nothing lists what there is.
  ['P15', 'read-only', []],
  ['P15', 'link-pages', ['createTag']],
  ['G81', 'client-chosen-within', []],
  ['G10', 'singleton-undeclared', []],
  ['G10', 'link-pages', ['listTags']],
  ['M60', 'header-link', []],
  ['M60', 'link-pages', ['createTag']],
  ['I60', 'singleton-version', ['getSettings']],
  ['T13', 'link-pages', ['createTag']],
])('%s shows in %s on %j', async (fault, shape, operations) => {
  expect(await shows(fault, shape)).toEqual(operations);
});
