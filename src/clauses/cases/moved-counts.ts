import type { Json } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, record, reuse } from './trace.ts';

const close: Partial<Line> = { operation: 'closeCase', on: 'made', key: 'key', role: 'test' };

/** A target before a command that failed, after its retry, and after the same command under another key. */
const counts = (
  states: readonly [Json, Json, Json],
  retry: Partial<Line> = {},
  next: Partial<Line> = {},
  unmoved?: Json,
): Case['trace'] => {
  const look = (observes: 'before' | 'after' | 'later', body: Json): Line => ({
    ...{ id: observes, observes, operation: 'getCase', role: 'readback', on: 'made', status: 200 },
    body: record('case_7', { state: body }),
  });
  return [
    { id: 'made', role: 'setup', status: 201, result: 'case_7' },
    look('before', states[0]),
    ...(unmoved === undefined ? [] : [{ ...look('before', unmoved), id: 'before-again' }]),
    { id: 'failed', status: 503, ...close, deviations: [{ kind: 'fault', how: 'after-commit' }] },
    { id: 'retry', status: 204, ...close, deviations: [reuse('failed')], ...retry },
    look('after', states[1]),
    { id: 'next', status: 204, ...close, key: 'other', role: 'control', ...next },
    look('later', states[2]),
  ];
};
const on = 'retry failed before after next later';
const effects = (when: string, trace: Case['trace'], ...rulings: readonly string[]): Case =>
  says('IDM-15', when, trace, 'holds retry failed', ...rulings);

/** A change that failed, and reads of its record right after it, and after its retry. */
const changes = (then: Json, later: Json, retry: Partial<Line> = {}): Case['trace'] => {
  const change: Partial<Line> = { operation: 'updateCase', on: 'made', key: 'key', role: 'test' };
  const look = (observes: 'before' | 'after', body: Json): Line => ({
    ...{ id: observes, observes, operation: 'getCase', role: 'readback', on: 'made', status: 200 },
    body: record('case_7', { state: body }),
  });
  return [
    { id: 'made', role: 'setup', status: 201, result: 'case_7', name: 'made' },
    { id: 'failed', status: 503, ...change, deviations: [{ kind: 'fault', how: 'after-commit' }] },
    look('before', then),
    { id: 'retry', status: 200, ...change, deviations: [reuse('failed')], ...retry },
    look('after', later),
  ];
};
const done: Json = { text: 'asy-t-body', revision: 2 };
const again: Json = { text: 'asy-t-body', revision: 3 };
const undone: Json = { text: 'of before', revision: 1 };
const read = 'retry failed before after';

export const movedCountCases: readonly Case[] = [
  effects('its effect is there, and the retry leaves it', changes(done, done), `holds ${read}`),
  effects('its effect is there, and the retry has one more', changes(done, again), `violated ${read}`),
  effects('the command is queued and goes on', changes(done, again, { status: 202 }), `inconclusive ${read}`),
  effects('nothing is there before the retry', changes(undone, done)),
  says(
    'IDM-15',
    'its effect is there, and the retry fails as well',
    changes(done, again, { status: 503 }),
    'inconclusive retry failed',
  ),
  effects('a count shows two commands', counts([1, 3, 4]), `violated ${on}`),
  effects('a decimal shows two', counts(['100.50', '80.00', '69.75']), `violated ${on}`),
  effects('a list shows two', counts([[], ['a', 'a'], ['a', 'a', 'a']]), `violated ${on}`),
  effects('a count shows one', counts([1, 2, 3]), `holds ${on}`),
  effects('reads are counted', counts([1, 3, 4], {}, {}, 2)),
  effects('no read moves the count', counts([1, 3, 4], {}, {}, 1), `violated ${on}`),
  effects('others move the count as well', counts([1, 5, 6]), `inconclusive ${on}`),
  effects(
    'one count shows two, and another one',
    counts([
      { a: 0, b: 0 },
      { a: 2, b: 1 },
      { a: 3, b: 2 },
    ]),
  ),
  effects('a version is written twice', counts([{ version: 1 }, { version: 3 }, { version: 4 }])),
  effects('attempts are counted', counts([{ attempts: 0 }, { attempts: 2 }, { attempts: 3 }])),
  effects('a log has both', counts([{ events: [] }, { events: [1, 2] }, { events: [1, 2, 3] }])),
  effects('nothing is counted', counts(['a', 'b', 'c'])),
  effects('the last command was queued', counts([1, 3, 4], {}, { status: 202 })),
  effects('the last command was sent twice', counts([1, 3, 4], {}, { earlier: [503] })),
  says('CMD-6', 'the accepted retry moved nothing', counts([1, 1, 2]), `violated ${on}`),
  says('CMD-6', 'the retry was queued, and moved nothing yet', counts([1, 1, 2], { status: 202 })),
  says('CMD-6', 'the target shows nothing of the command', counts([1, 1, 1])),
  says('CMD-6', 'a refused retry moved nothing', counts([1, 1, 2], { status: 409 })),
];
