import { expect, test } from 'vitest';
import { conflict, history, ok, open, refused, unknown } from '../testing/histories.ts';
import { explain, smallestUnexplained } from './history.ts';

test.each([
  ['a duplicate with another ID', history({ outcome: ok('1') }, { outcome: ok('2') }), 'c0 c1', 'duplicate'],
  [
    'another body that is carried out',
    history({ outcome: ok('1') }, { body: 'c', outcome: ok('2') }),
    'c0 c1',
    'other-request',
  ],
  [
    'another body that replays',
    history({ outcome: ok('1') }, { body: 'c', outcome: ok('1') }),
    'c0 c1',
    'other-request',
  ],
  [
    'a conflict under an unused key',
    history({ outcome: ok('1') }, { key: 'l', outcome: conflict }),
    'c1',
    'other-key unused-key',
  ],
  [
    'two winners of a race',
    history({ wave: 0, outcome: ok('1') }, { wave: 0, outcome: ok('2') }),
    'c0 c1',
    'race',
  ],
  [
    'a race without a winner',
    history({ wave: 0, outcome: conflict }, { wave: 0, outcome: conflict }),
    'c0 c1',
    'race unused-key',
  ],
  [
    "another scope's result",
    history({ outcome: ok('1') }, { caller: 'b', scope: 't', outcome: ok('1') }),
    'c0 c1',
    'other-caller',
  ],
  [
    "another operation's result",
    history({ outcome: ok('1') }, { operation: 'other', outcome: ok('1') }),
    'c0 c1',
    'other-operation',
  ],
  [
    'a duplicate that fails validation',
    history({ outcome: ok('1') }, { outcome: { kind: 'other', status: 422 } }),
    'c0 c1',
    'duplicate',
  ],
  // One reading for the whole history: the first pair shows keys of the caller, the second keys of all.
  [
    'two readings of the key space',
    history(
      { outcome: ok('1') },
      { caller: 'b', outcome: ok('2') },
      { key: 'l', outcome: ok('3') },
      { key: 'l', caller: 'b', outcome: conflict },
    ),
    'c0 c1 c3',
    'other-key',
  ],
  [
    'a result that another command has',
    history({ outcome: ok('1') }, { key: 'l', outcome: ok('1') }),
    'c0 c1',
    'other-key',
  ],
  [
    "another caller's key with another request",
    history({ outcome: ok('1') }, { caller: 'b', body: 'c', outcome: ok('1') }),
    'c0 c1',
    'other-request other-caller',
  ],
  [
    'another ID after a lost answer',
    history({ outcome: unknown }, { outcome: ok('1') }, { outcome: ok('2') }),
    'c1 c2',
    'duplicate',
  ],
  [
    'a conflict before its key was used',
    history({ wave: 1, outcome: ok('1') }, { wave: 0, outcome: conflict }),
    'c1',
    'unused-key',
  ],
  [
    'a conflict before, with two digits',
    history({ wave: 10, outcome: ok('1') }, { wave: 9, outcome: conflict }),
    'c1',
    'unused-key',
  ],
  [
    'a conflict for an equal body',
    history({ outcome: ok('1') }, { key: 'l', outcome: conflict }),
    'c1',
    'other-key unused-key',
  ],
  // Keys are shared by all, and one operation takes no notice of them: nobody's result was opened, no unused key refused.
  [
    'a key whose first use by another operation left no trace',
    history(
      { operation: 'put', body: 'p', outcome: ok('9') },
      { key: 'l', body: 'c', outcome: ok('1') },
      { key: 'l', body: 'd', caller: 'b', scope: 't', outcome: conflict },
      { outcome: ok('2') },
    ),
    'c0 c2 c3',
    'other-request',
  ],
  // Each of the two could have been left out; the one whose key was used before shows most.
  [
    'one result for two keys at once',
    history({ outcome: ok('1') }, { wave: 1, key: 'l', outcome: ok('2') }, { wave: 1, outcome: ok('2') }),
    'c0 c2',
    'duplicate',
  ],
  // Leaving out one does not do.
  [
    'two that are wrong at once',
    history({ outcome: ok('1') }, { wave: 1, outcome: ok('2') }, { wave: 1, outcome: ok('3') }),
    'c0 c1',
    'duplicate',
  ],
  [
    'two that are wrong at once, found by what was fine',
    history({ outcome: ok('1') }, { wave: 1, key: 'l', outcome: ok('4') }, { wave: 1, outcome: ok('2') }),
    'c0 c2',
    'duplicate',
  ],
  // What comes later is not needed.
  [
    'a wrong one before others',
    history(
      { outcome: ok('1') },
      { outcome: ok('2') },
      { outcome: ok('3') },
      { key: 'l', outcome: conflict },
    ),
    'c0 c1',
    'duplicate',
  ],
  [
    'a refusal of what was replayed',
    history({ outcome: ok('1') }, { outcome: ok('1') }, { outcome: refused }),
    'c0 c2',
    'duplicate',
  ],
  [
    "another command's result after a lost answer",
    history({ outcome: unknown }, { key: 'l', outcome: ok('2') }, { outcome: ok('2') }),
    'c1 c2',
    'other-key',
  ],
  // Either could have been left out; the one whose key was used before shows most.
  [
    'one result for two commands at once, one of them sent before',
    history({ outcome: unknown }, { wave: 1, key: 'l', outcome: ok('2') }, { wave: 1, outcome: ok('2') }),
    'c1 c2',
    'other-key',
  ],
  // No caller's key counts for another: what the first caller gets wrong does not accuse the space of keys.
  [
    'two lapses of one caller after another caller had used the key',
    history(
      { caller: 'b', outcome: ok('9') },
      { outcome: ok('1') },
      { body: 'c', outcome: ok('2') },
      { outcome: ok('3') },
    ),
    'c1 c2',
    'other-request',
  ],
  // A service that carries out every other request under a key, and is right in all else: neither a first use nor a
  // replay of it is at fault.
  [
    'another request twice, and the first again',
    history(
      { outcome: ok('1') },
      { body: 'c', outcome: ok('2') },
      { body: 'c', outcome: ok('3') },
      { outcome: ok('1') },
    ),
    'c0 c1',
    'other-request',
  ],
  [
    'another request twice at once with the first',
    history(
      { wave: 0, outcome: ok('1') },
      { wave: 0, body: 'c', outcome: ok('2') },
      { wave: 0, body: 'c', outcome: ok('3') },
    ),
    'c0 c1',
    'other-request',
  ],
  // The first key is one for both operations, or the second is one for each: another operation was carried out under it.
  [
    'another operation that is carried out next to the first, and refused under another key',
    history(
      { wave: 0, outcome: ok('1') },
      { wave: 0, operation: 'other', outcome: ok('2') },
      { wave: 0, caller: 'b', outcome: ok('3') },
      { wave: 1, key: 'l', body: 'c', outcome: ok('4') },
      { wave: 2, key: 'l', operation: 'other', outcome: conflict },
    ),
    'c0 c1 c4',
    'other-request other-key',
  ],
  // The refusal cannot be right either. That another key had an equal request does not make the keys the cause.
  [
    'another request that is refused, and then carried out',
    history(
      { wave: 0, body: 'c', outcome: conflict },
      { wave: 0, outcome: ok('1') },
      { wave: 0, key: 'l', body: 'c', outcome: ok('2') },
      { wave: 1, body: 'c', outcome: ok('3') },
    ),
    'c1 c3',
    'other-request',
  ],
  [
    'the first result for two other requests at once, next to another key',
    history(
      { wave: 0, key: 'l', outcome: ok('9') },
      { wave: 0, outcome: ok('1') },
      { wave: 1, body: 'c', outcome: ok('1') },
      { wave: 1, body: 'c', outcome: ok('1') },
      { wave: 1, key: 'l', outcome: ok('9') },
    ),
    'c1 c2',
    'other-request',
  ],
  [
    'a conflict after a throttled command',
    history({ outcome: { kind: 'throttled' } }, { outcome: conflict }),
    'c0 c1',
    'throttled unused-key',
  ],
] as const)('%s is not', (_, commands, unexplained, defects) => {
  const explanation = explain(commands, open);
  expect(
    smallestUnexplained(commands, open)
      .map(({ id }) => id)
      .join(' '),
  ).toBe(unexplained);
  expect(explanation.explained ? undefined : explanation.defects.join(' ')).toBe(defects);
});
