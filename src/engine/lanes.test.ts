import { expect, test } from 'vitest';
import { createSignal } from '../model/signal.ts';
import { type Lane, type LaneUse, makeLanes } from './lanes.ts';

const turn = (): Promise<void> => new Promise((resolve) => setImmediate(resolve));

/** Enters without waiting, and says who has a lane by now. */
function door(width: number) {
  const lanes = makeLanes(width);
  const inside = new Map<string, Lane>();
  const come = (name: string, alone?: LaneUse['alone'], uses: readonly string[] = ['full']): void => {
    void lanes.enter({ uses, alone }).then((lane) => inside.set(name, lane));
  };
  /** Comes for the whole target, and is due until the returned function is called. */
  const comeDue = (name: string): (() => void) => {
    let tired = (): void => undefined;
    const due = (): Promise<void> =>
      new Promise((resolve) => {
        tired = resolve;
      });
    void lanes.enter({ uses: ['hasty'], alone: 'target', due }).then((lane) => inside.set(name, lane));
    return () => tired();
  };
  const comeLasting = (name: string): void => {
    void lanes.enter({ uses: ['full'], lasting: true }).then((lane) => inside.set(name, lane));
  };
  /** What a scenario does between two requests. */
  const pass = (name: string): void => {
    const lane = inside.get(name);
    inside.delete(name);
    void lane?.rest.pass?.().then(() => inside.set(name, lane));
  };
  const go = (name: string): void => {
    inside.get(name)?.leave();
    inside.delete(name);
  };
  /** Rests until the returned function is called. */
  const rest = (name: string, why?: 'pace' | 'pace before a wait'): (() => void) => {
    const lane = inside.get(name);
    inside.delete(name);
    let wake = (): void => undefined;
    const until = new Promise<void>((resolve) => {
      wake = resolve;
    });
    void lane?.rest(() => until, why).then(() => inside.set(name, lane));
    return wake;
  };
  const who = async (): Promise<string> => {
    await turn();
    return [...inside.keys()].sort().join(' ');
  };
  return { come, comeDue, comeLasting, go, lanes, pass, rest, who };
}

test('so many at a time, in order', async () => {
  const { come, go, who } = door(2);
  for (const name of ['a', 'b', 'c', 'd']) come(name);
  expect(await who()).toBe('a b');
  go('a');
  expect(await who()).toBe('b c');
});

test('who waits holds no lane, and comes back before others begin', async () => {
  const { come, go, rest, who } = door(1);
  for (const name of ['a', 'b', 'c']) come(name);
  await who();
  const wake = rest('a');
  expect(await who()).toBe('b');
  wake();
  expect(await who()).toBe('b');
  go('b');
  expect(await who()).toBe('a');
});

test('the target is kept for one alone when nobody else has anything to send, waits of its own included', async () => {
  const { come, go, rest, who } = door(4);
  come('a');
  come('burst', 'target');
  come('b');
  expect(await who()).toBe('a b');
  const wake = rest('a');
  go('b');
  expect(await who()).toBe('burst');
  wake();
  const over = rest('burst');
  expect(await who()).toBe('');
  over();
  expect(await who()).toBe('burst');
  go('burst');
  expect(await who()).toBe('a');
});

test('who will have to wait later is not held up by one that needs the target alone', async () => {
  const { come, go, rest, who } = door(4);
  come('patient');
  come('burst', 'target');
  await who();
  const wake = rest('patient', 'pace before a wait');
  expect(await who()).toBe('');
  wake();
  expect(await who()).toBe('patient');
  go('patient');
  expect(await who()).toBe('burst');
});

test('a principal is kept for one alone, from its first lane to its last', async () => {
  const { come, go, rest, who } = door(4);
  come('lock', { principal: 'peer' }, ['peer', 'full']);
  come('uses', undefined, ['peer']);
  come('other', undefined, ['full']);
  expect(await who()).toBe('lock other');
  const wake = rest('lock');
  expect(await who()).toBe('other');
  wake();
  expect(await who()).toBe('lock other');
  go('lock');
  expect(await who()).toBe('other uses');
});

test('more lanes let in more at once', async () => {
  const { come, lanes, who } = door(1);
  for (const name of ['a', 'b', 'c']) come(name);
  await who();
  lanes.resize({ lanes: 3, held: 1 });
  expect(await who()).toBe('a b c');
});

test('who needs the whole target has its turn at a record before it has a lane', async () => {
  const lanes = makeLanes(2);
  const records = [{ record: '/settings', alone: true }];
  const first = await lanes.enter({ uses: ['full'], records });
  const second = lanes.enter({ uses: ['full'], alone: 'target', records });
  // It comes back from its rest, since the other one does not keep the target quiet yet.
  await first.rest(turn);
  first.leave();
  (await second).leave();
});

test('who no longer needs the whole target keeps one principal', async () => {
  const { come, lanes, who } = door(4);
  const lane = await lanes.enter({ uses: ['hasty'], alone: 'target', narrowsTo: 'hasty' });
  come('other', undefined, ['full']);
  come('same', undefined, ['hasty']);
  expect(await who()).toBe('');
  lane.rest.narrow?.();
  expect(await who()).toBe('other');
  await lane.rest(turn);
  expect(await who()).toBe('other');
  lane.leave();
  expect(await who()).toBe('other same');
});

test('the others wait for one that is due: none begins or comes back, and who is on the way stops between two requests', async () => {
  const { come, comeDue, go, pass, rest, who } = door(4);
  for (const name of ['a', 'b', 'c']) come(name);
  await who();
  const wake = rest('a', 'pace before a wait');
  comeDue('burst');
  come('d');
  wake();
  expect(await who()).toBe('b c');
  pass('b');
  expect(await who()).toBe('c');
  go('c');
  expect(await who()).toBe('burst');
  go('burst');
  expect(await who()).toBe('a b d');
});

test('nobody stops where none is due', async () => {
  const { come, pass, who } = door(4);
  come('a');
  await who();
  pass('a');
  come('burst', 'target');
  expect(await who()).toBe('a');
});

test('the others go on while one keeps a request in flight on purpose, but no other begins to', async () => {
  const { come, comeDue, comeLasting, go, pass, who } = door(4);
  comeLasting('held');
  await who();
  comeDue('burst');
  come('a');
  comeLasting('held later');
  pass('a');
  expect(await who()).toBe('a held');
  go('held');
  expect(await who()).toBe('a');
  go('a');
  expect(await who()).toBe('burst');
  go('burst');
  expect(await who()).toBe('held later');
});

test('who waits for its turn to send what is held lets one that is due go first', async () => {
  const { comeDue, comeLasting, go, rest, who } = door(4);
  comeLasting('held');
  comeLasting('held later');
  await who();
  const wake = rest('held later', 'pace');
  comeDue('burst');
  wake();
  expect(await who()).toBe('held');
  go('held');
  expect(await who()).toBe('burst');
  go('burst');
  expect(await who()).toBe('held later');
});

test('who is due no longer lets the others go on, and takes the target when nobody sends', async () => {
  const { come, comeDue, go, who } = door(4);
  come('hung');
  await who();
  const tired = comeDue('burst');
  come('a');
  expect(await who()).toBe('hung');
  tired();
  expect(await who()).toBe('a hung');
  go('a');
  go('hung');
  expect(await who()).toBe('burst');
});

test('those that read while nobody writes share the quiet target, and the others wait for the last of them', async () => {
  const { come, go, lanes, who } = door(4);
  const [one, other] = [await lanes.enter({ uses: ['full'] }), await lanes.enter({ uses: ['full'] })];
  const since: number[] = [];
  const quieten = (lane: Lane, at: number): void => {
    void lane.rest.quieten?.(() => at).then((quiet) => since.push(quiet.since));
  };
  quieten(one, 10);
  await who();
  expect(since).toEqual([]);
  quieten(other, 20);
  await who();
  expect(since).toEqual([10, 10]);
  come('writer');
  await one.rest(turn);
  one.rest.release?.();
  expect(await who()).toBe('');
  other.leave();
  expect(await who()).toBe('writer');
  one.leave();
  go('writer');
  const later = await lanes.enter({ uses: ['full'] });
  quieten(later, 30);
  await who();
  expect(since).toEqual([10, 10, 30]);
  later.leave();
});

test('who has the whole target has it quiet already', async () => {
  const lanes = makeLanes(2);
  const lane = await lanes.enter({ uses: ['full'], alone: 'target' });
  expect(await lane.rest.quieten?.(() => 7)).toEqual({ since: 7 });
  lane.rest.release?.();
  lane.leave();
  (await lanes.enter({ uses: ['full'], alone: 'target' })).leave();
});

test('a principal is kept from the moment its scenario asks for it, until it is given back', async () => {
  const { come, go, lanes, who } = door(4);
  const lane = await lanes.enter({ uses: ['peer'], reserves: 'peer' });
  come('a', undefined, ['peer']);
  expect(await who()).toBe('a');
  let kept = false;
  void lane.rest.reserve?.().then(() => {
    kept = true;
  });
  await who();
  expect(kept).toBe(false);
  go('a');
  await who();
  expect(kept).toBe(true);
  come('b', undefined, ['peer']);
  expect(await who()).toBe('');
  lane.rest.release?.();
  expect(await who()).toBe('b');
  lane.leave();
});

test('nobody gets a quiet target while one keeps a principal, and none a principal while it is quiet', async () => {
  const { lanes, who } = door(4);
  const keeper = await lanes.enter({ uses: ['peer'], reserves: 'peer' });
  await keeper.rest.reserve?.();
  const reader = await lanes.enter({ uses: ['full'] });
  const got: string[] = [];
  void reader.rest.quieten?.(() => 0).then(() => got.push('quiet'));
  // It withdraws something, and waits for that meanwhile.
  await keeper.rest(turn);
  await who();
  expect(got).toEqual([]);
  keeper.leave();
  await who();
  expect(got).toEqual(['quiet']);
  const second = lanes.enter({ uses: ['peer'], reserves: 'peer' });
  void second.then(async (lane) => {
    await lane.rest.reserve?.();
    got.push('peer');
  });
  await who();
  expect(got).toEqual(['quiet']);
  reader.leave();
  (await second).leave();
});

test('what a scenario needs for itself, it gets after the others', async () => {
  const lanes = makeLanes(4);
  const others = createSignal();
  const lane = await lanes.enter({ uses: ['peer'], reserves: 'peer', after: others.wait });
  let kept = false;
  const keeping = lane.rest.reserve?.().then(() => {
    kept = true;
  });
  (await lanes.enter({ uses: ['peer'] })).leave();
  await turn();
  expect(kept).toBe(false);
  others.give();
  await keeping;
  expect(kept).toBe(true);
  lane.leave();
});

test('one that keeps a request in flight for long takes no lane from the others, and there are only so many', async () => {
  const { come, comeLasting, go, lanes, who } = door(1);
  for (const name of ['held', 'held later']) comeLasting(name);
  for (const name of ['a', 'b']) come(name);
  expect(await who()).toBe('a held');
  expect(lanes.holding()).toBe(1);
  lanes.resize({ lanes: 1, held: 2 });
  expect(await who()).toBe('a held held later');
  come('burst', 'target');
  for (const name of ['a', 'held', 'held later']) go(name);
  expect(await who()).toBe('b');
  go('b');
  expect(await who()).toBe('burst');
});

test('where few lanes are wanted, one that keeps a request in flight for long takes one of them', async () => {
  const lanes = makeLanes(1, 0);
  const held = await lanes.enter({ uses: ['full'], lasting: true });
  let inside = false;
  const other = lanes.enter({ uses: ['full'] }).then((lane) => {
    inside = true;
    return lane;
  });
  lanes.resize({ lanes: 1, held: 0 });
  await turn();
  expect(inside).toBe(false);
  held.leave();
  (await other).leave();
});
