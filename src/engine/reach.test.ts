import { expect, test } from 'vitest';
import type { OperationId } from '../model/contract.ts';
import { eventClock } from '../testing/event-clock.ts';
import { makeReach, type Reach } from './reach.ts';
import type { Sender } from './rooms.ts';

const sender = (operation: OperationId, principal = 'full'): Sender => ({
  principal,
  operation,
  kind: operation.startsWith('get') ? 'read' : 'command',
});
const [create, update, get] = [sender('createCase'), sender('updateCase'), sender('getCase')];

/** So many requests were sent before the first 429, which asks for so many seconds. */
function resting(sent: number, seconds = 10): { readonly reach: Reach; readonly advance: Advance } {
  const clock = eventClock();
  const reach = makeReach(clock.monotonic);
  for (let index = 0; index < sent; index += 1) reach.count();
  // As a wait is honoured: with a margin of 5%.
  reach.throttled(create, { startedAt: 0, endedAt: 0, until: seconds * 1050 });
  return { reach, advance: (milliseconds) => clock.until(clock.sleep(milliseconds)) };
}
type Advance = (milliseconds: number) => Promise<void>;

function scouted(reach: Reach, one: Sender, served: number): boolean {
  let isFound = false;
  for (let index = 0; index < served && !isFound; index += 1) {
    if (!reach.mayScout(one)) return false;
    reach.count();
    isFound = reach.scout(one)({ startedAt: 0, was: 'served' });
  }
  return isFound;
}

const isTogether = (reach: Reach, one: Sender, other: Sender): boolean =>
  reach.groupOf(one) === reach.groupOf(other);

test('all requests of a caller are counted together until more of another operation are served than came before', () => {
  const { reach } = resting(100);
  expect(isTogether(reach, create, update)).toBe(true);
  expect(scouted(reach, update, 130)).toBe(false);
  expect(isTogether(reach, create, update)).toBe(true);
  expect(scouted(reach, update, 1)).toBe(true);
  expect(isTogether(reach, create, update)).toBe(false);
  expect(isTogether(reach, update, get)).toBe(false);
  expect(reach.mayScout(get)).toBe(false);
});

test('where only reads go on, commands are counted together, until a command of another operation goes on', () => {
  const { reach } = resting(100);
  expect(scouted(reach, get, 131)).toBe(true);
  expect(isTogether(reach, create, update)).toBe(true);
  expect(isTogether(reach, create, get)).toBe(false);
  expect(reach.mayScout(get)).toBe(false);
  expect(reach.resting().map((rest) => rest.sender)).toEqual([create]);
  expect(scouted(reach, update, 131)).toBe(true);
  expect(isTogether(reach, create, update)).toBe(false);
});

test('a few requests show nothing, however few came before', () => {
  const { reach } = resting(1);
  expect(scouted(reach, update, 7)).toBe(false);
  expect(scouted(reach, update, 1)).toBe(true);
});

test('no scout goes for the same operation, another caller, or once the wait is over', async () => {
  const { advance, reach } = resting(10);
  expect(reach.mayScout(create)).toBe(false);
  expect(reach.mayScout(sender('updateCase', 'peer'))).toBe(false);
  await advance(9999);
  expect(reach.mayScout(update)).toBe(true);
  await advance(2);
  expect(reach.mayScout(update)).toBe(false);
});

test('scouts go one by one until some are served', () => {
  const { reach } = resting(100);
  const first = reach.scout(update);
  expect(reach.mayScout(update)).toBe(false);
  first({ startedAt: 0, was: 'served' });
  reach.scout(update);
  expect(reach.mayScout(update)).toBe(true);
  reach.scout(update);
  expect(reach.mayScout(update)).toBe(false);
});

test('a scout that is refused ends the search for this rest, and a second one for good', async () => {
  const { advance, reach } = resting(10);
  const refused = { startedAt: 0, was: { throttled: 1000 } } as const;
  reach.scout(update)(refused);
  expect(reach.mayScout(get)).toBe(false);
  await advance(10_001);
  reach.throttled(create, { startedAt: 10_001, endedAt: 10_001, until: 20_501 });
  expect(reach.mayScout(get)).toBe(true);
  reach.scout(get)(refused);
  await advance(10_001);
  reach.throttled(create, { startedAt: 20_002, endedAt: 20_002, until: 30_502 });
  expect(reach.mayScout(get)).toBe(false);
});

test('served after another scout was refused shows nothing', () => {
  const { reach } = resting(1);
  expect(scouted(reach, update, 7)).toBe(false);
  const late = reach.scout(update);
  reach.scout(update)({ startedAt: 0, was: { throttled: 1000 } });
  expect(late({ startedAt: 0, was: 'served' })).toBe(false);
  expect(isTogether(reach, create, update)).toBe(true);
});

test('the most requests between two rests count, of any caller', async () => {
  const { advance, reach } = resting(100);
  await advance(10_001);
  reach.count();
  reach.throttled(create, { startedAt: 10_001, endedAt: 10_001, until: 20_501 });
  expect(scouted(reach, update, 130)).toBe(false);
  expect(scouted(reach, update, 1)).toBe(true);
});

test('what was found out can be forgotten', () => {
  const { reach } = resting(1);
  expect(scouted(reach, update, 8)).toBe(true);
  reach.forget();
  expect(isTogether(reach, create, update)).toBe(true);
  expect(reach.resting()).toEqual([]);
});
