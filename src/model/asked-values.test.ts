import { expect, test } from 'vitest';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { asksForItself } from './asked-values.ts';
import { operationOf } from './contract.ts';
import type { JsonObject } from './json.ts';

/** Whether a list whose items have such a status, filtered by a field of another schema, shows the value it is asked for. */
async function asks(wanted: string, field: JsonObject, status: JsonObject) {
  const list = operationOf(
    await contractOf(
      operation('GET /notes', 'listNotes', {
        parameters: [{ name: 'status', in: 'query', schema: field, 'x-governed': { filters: '/status' } }],
        result: object({ items: { type: 'array', items: object({ id: { type: 'string' }, status }) } }),
      }),
    ),
    'listNotes',
  );
  const [query] = list.queryFields;
  return query !== undefined && asksForItself(list, query, wanted);
}

const text = { type: 'string' };
const states = { enum: ['in-progress', 'closed'] };

test.each<[string, JsonObject, JsonObject, boolean]>([
  ['all', { enum: ['open', 'all'] }, text, false],
  ['ANY', { enum: ['open', 'ANY'] }, text, false],
  ['open', { enum: ['open', 'all'] }, text, true],
  ['allowed', { enum: ['allowed'] }, text, true],
  ['all', text, text, true],
  ['IN_PROGRESS', { enum: ['IN_PROGRESS', 'ACTIVE'] }, states, true],
  ['ACTIVE', { enum: ['IN_PROGRESS', 'ACTIVE'] }, states, false],
  ['ACTIVE', text, states, true],
  ['all', { enum: ['all', 'none'] }, { enum: ['all', 'none'] }, true],
  [
    'STATE_UNSPECIFIED',
    { enum: ['STATE_UNSPECIFIED', 'OPEN'] },
    { enum: ['STATE_UNSPECIFIED', 'OPEN'] },
    false,
  ],
  ['stateUnspecified', text, text, false],
  ['unknown', { enum: ['unknown', 'open'] }, text, false],
  ['unknownParty', { enum: ['unknownParty', 'open'] }, text, true],
  ['7', { enum: [7, 8] }, { enum: [7, 8] }, true],
  [
    'red',
    { type: 'array', items: { enum: ['red', 'warm'] } },
    { type: 'array', items: { enum: ['red'] } },
    true,
  ],
  [
    'warm',
    { type: 'array', items: { enum: ['red', 'warm'] } },
    { type: 'array', items: { enum: ['red'] } },
    false,
  ],
])('a filter with %s, described as %j, of items described as %j', async (wanted, field, status, expected) => {
  expect(await asks(wanted, field, status)).toBe(expected);
});
