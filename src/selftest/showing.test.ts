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
  ['I47', 'delete', ['deleteNote']],
  ['G03', 'link-pages', ['listTags']],
  ['G03', 'unpaged-list', []],
  ['I75', 'root-array', ['createItem']],
  ['I75', 'short-text', []],
  ['V73', 'deep', ['createItem']],
  ['V71', 'deep', []],
  ['C60', 'singleton-version', ['putSettings']],
  ['C61', 'singleton-version', []],
])('%s shows in %s on %j', async (fault, shape, operations) => {
  expect(await shows(fault, shape)).toEqual(operations);
});
