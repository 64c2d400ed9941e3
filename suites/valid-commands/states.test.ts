import { expect, test } from 'vitest';
import type { Budget } from '../../src/model/configured.ts';
import type { JsonObject } from '../../src/model/json.ts';
import { stepsOf } from '../../src/model/scenario.ts';
import { object, operation } from '../../src/selftest/shapes/document.ts';
import { contractOf } from '../../src/testing/contracts.ts';
import { planned } from '../../src/testing/plans.ts';
import validCommands from '../valid-commands.ts';

const text = { type: 'string' };
const room = object({ id: text, name: text }, ['id', 'name']);
const read = { effect: { read: 'seeRoom' } };

/** What a deletion of a room comes after, where there are such actions on it. */
async function actionsBefore(
  budget: Budget,
  ...actions: readonly (readonly [path: string, id: string, more?: JsonObject])[]
) {
  const contract = await contractOf(
    operation('POST /rooms', 'addRoom', {
      governed: { effect: { read: 'seeRoom', list: 'rooms' } },
      body: object({ name: text }, ['name']),
      result: room,
    }),
    operation('GET /rooms', 'rooms', { result: object({ items: { type: 'array', items: room } }) }),
    operation('GET /rooms/{roomId}', 'seeRoom', { result: room }),
    operation('DELETE /rooms/{roomId}', 'dropRoom', { governed: read }),
    ...actions.map(([path, id, more]) =>
      operation(`POST /rooms/{roomId}${path}`, id, { governed: read, result: room, ...more }),
    ),
  );
  return planned(validCommands, contract, { budget })
    .probes({ probe: 'plain', operation: 'dropRoom' })
    .flatMap(({ scenarios }) => scenarios)
    .filter(({ title }) => title.startsWith('a valid command after'))
    .map(({ bodies, waves }) => ({
      acts: stepsOf(waves).find(({ id }) => id === 'acted')?.operation,
      steps: stepsOf(waves).map(({ id }) => id),
      sends: bodies['acted']?.value,
    }));
}

test('a record is deleted after an action on it, with reads before and after', async () => {
  const body = object({ reason: text }, ['reason']);
  expect(await actionsBefore('quick', ['/suspend', 'suspendRoom', { body }])).toEqual([
    {
      acts: 'suspendRoom',
      steps: ['make-roomId', 'acted', 'before', 'before-again', 'command', 'after'],
      sends: { reason: expect.any(String) },
    },
  ]);
});

test('an action may follow a colon, and above the quick budget there are more', async () => {
  const both = [
    [':lock', 'lockRoom'],
    ['/extend', 'extendRoom'],
  ] as const;
  expect((await actionsBefore('quick', ...both)).map(({ acts }) => acts)).toEqual(['lockRoom']);
  expect((await actionsBefore('standard', ...both)).map(({ acts }) => acts)).toEqual([
    'lockRoom',
    'extendRoom',
  ]);
});

test.each([
  ['/cancel', 'cancelRoom'],
  [':archive', 'archiveRoom'],
  ['/state', 'closeRoom'],
])('none comes after %s, which ends the record', async (path, id) => {
  expect(await actionsBefore('standard', [path, id])).toEqual([]);
});
