import { expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import type { Json } from '../model/json.ts';
import { stepsOf } from '../model/scenario.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { planningOf, present } from '../testing/plans.ts';
import { drawn, mainText } from './drawn-texts.ts';
import { sceneOf } from './scene.ts';

const text = { type: 'string' };
const short = { type: 'string', maxLength: 30 };

/** What follows a refusal of such a body. */
async function following(body: Json) {
  const schema = object({ note: { type: 'string', maxLength: 60 }, size: { type: 'integer' } });
  const contract = await contractOf(operation('POST /notes', 'addNote', { body: schema }));
  const planning = planningOf(contract);
  const addNote = operationOf(contract, 'addNote');
  const scene = present(sceneOf(planning, addNote));
  const { after, bodies, deviations } = drawn(scene, planning.values(addNote), body);
  return {
    sent: stepsOf(after('command')).map(({ controls, id }) => `${id} controls ${controls}`),
    plain: bodies['plain-text']?.value,
    deviations,
  };
}

test('a body with an unusual text is followed by one with a plain text of its length, and by the plain body', async () => {
  expect(await following({ note: 'Größe Ж', size: 7 })).toEqual({
    sent: ['plain-text controls command', 'plain controls plain-text'],
    plain: { note: 'xxxxxxx', size: 7 },
    deviations: [{ kind: 'text-noise', at: '/note' }],
  });
});

test.each([
  ['a plain text', 'Conformance 17'],
  ['a blank at its end', 'Größe '],
  ['a sign that nobody sees', '\ufeffGröße'],
  ['more characters than its schema allows with the marker', 'Ж'.repeat(50)],
  ['more UTF-16 units than that', '💥'.repeat(30)],
])('one with %s is followed by the plain body alone', async (_, note) => {
  expect(await following({ note, size: 7 })).toEqual({
    sent: ['plain controls command'],
    plain: undefined,
    deviations: [],
  });
});

test.each<readonly [string, Parameters<typeof object>[0], readonly string[], string | undefined]>([
  ['the text of the marker, wherever it is', { code: text, note: text }, ['note'], '/note'],
  ['a text of the plain body', { code: short, note: short }, ['note'], '/note'],
  ['none that may be left out', { code: short }, [], undefined],
])('texts are tried in %s', async (_, members, required, at) => {
  const body = { ...object(members), required };
  const contract = await contractOf(operation('POST /notes', 'addNote', { body }));
  const values = planningOf(contract).values(operationOf(contract, 'addNote'));
  expect(mainText(operationOf(contract, 'addNote'), values)).toBe(at);
});
