import type { Json } from '../../model/json.ts';
import { again, closed, first, form, made, secondAgain } from './repeats.ts';
import { says } from './says.ts';
import { type Case, type Line, missing, record, reuse, type Shown } from './trace.ts';

const read = 'read-1 read-2 read-3';
const one = (status: number | undefined, more: Partial<Line> = {}): Line => ({ ...first, status, ...more });
const other = (status: number | undefined, more: Partial<Line> = {}): Line =>
  again(status, { id: 'other', role: 'control', ...more });
const three = (status: number, more: Partial<Line> = {}): Line => again(status, { id: 'three', ...more });
const retry = (status: number): Line => again(status, { id: 'retry' });
/** A valid command of its own, which is some probe's control. */
const control: Line = { id: 'control', status: 201, name: 'own', controls: 'first' };
const onRead = (shows: Shown, trace: Case['trace'], ...rulings: readonly string[]): Case => ({
  ...says('IDM-8', `a read shows ${shows.body?.length}`, trace, ...rulings),
  shows,
});
const ids = 'holds other first (ids only)';
const unmet = 'inconclusive other first';
/** Nothing was accepted, so there is no effect that could be a second one. */
const nothing = 'inconclusive other first';

const at = (id: string, on: string, version: number, status: Json = 'open'): Line => ({
  ...{ id, on, observes: 'after', role: 'readback', operation: 'getCase', status: 200 },
  body: record('case_7', { version, status }),
});
/** A command on a target at once, and once on its twin. */
const alongsideTwin = (
  when: string,
  [raced, single]: readonly [number, number],
  ruling: string,
  more: Partial<Line> = {},
  created: readonly [number, number] = [1, 1],
  status?: Json,
): Case =>
  says(
    'IDM-8',
    `on a target, ${when}`,
    [
      { ...made, body: record('case_7', { version: created[0] }) },
      { ...made, id: 'other-made', body: record('case_8', { version: created[1] }) },
      { ...closed, id: 'single', key: 'single', status: 200, on: 'other-made', controls: '*', ...more },
      [
        { ...one(200), ...closed },
        { ...other(200), ...closed },
      ],
      at('after', 'made', raced, status),
      at('after-single', 'other-made', single),
    ],
    'holds first other',
    ruling,
  );
const unread = 'holds other first (ids only)';
const twins: readonly Case[] = [
  alongsideTwin('its version is as after one', [2, 2], 'holds first other single after after-single'),
  alongsideTwin('its version is one more', [3, 2], 'violated first other single after after-single'),
  alongsideTwin('it went on by itself', [3, 2], unread, {}, [1, 1], 'processing'),
  alongsideTwin(
    'its count is another one',
    [3, 2],
    'violated first other single after after-single',
    {},
    [1, 1],
    2,
  ),
  alongsideTwin('its version is many more', [5, 2], unread),
  alongsideTwin('versions have gaps', [4, 3], unread),
  alongsideTwin(
    'versions have gaps, and it has that of its twin',
    [3, 3],
    'holds first other single after after-single',
  ),
  alongsideTwin('its version is less', [1, 2], unread),
  alongsideTwin('all records share their versions', [43, 42], unread),
  alongsideTwin('records share their versions from the first on', [4, 3], unread, {}, [1, 2]),
  alongsideTwin('the other command was only queued', [3, 2], unread, { status: 202 }),
  alongsideTwin('the other command was sent twice', [2, 2], unread, { earlier: [503] }),
  alongsideTwin('the other command was refused', [3, 2], unread, { status: 409 }),
];

/** Equal commands that are sent at once. */
export const raceCases: readonly Case[] = [
  ...twins,
  says('IDM-8', 'one result', [[first, other(201)]], 'holds first other', ids),
  says('IDM-8', 'one result, and a conflict', [[first, other(409)]], 'holds first other', ids),
  says(
    'IDM-8',
    'a gateway gave up on the one that the hook held',
    [[one(504, { deviations: [{ kind: 'fault', how: 'slow' }] }), other(201)]],
    'holds first other',
    ids,
  ),
  says(
    'IDM-8',
    'two results',
    [[first, other(201, { result: 'case_2' })]],
    'violated first other (conclusive)',
    'violated other first (conclusive, ids only)',
  ),
  onRead({ body: ['case_1'] }, [[first, other(409)]], 'holds first other', `holds other first ${read}`),
  onRead(
    { body: ['case_1', 'case_2'] },
    [[first, other(409)]],
    'holds first other',
    `violated other first ${read} (conclusive)`,
  ),
  says(
    'IDM-8',
    'two results, where a hook holds the first one',
    [[one(201, { deviations: [{ kind: 'fault', how: 'slow' }] }), other(201, { result: 'case_2' })]],
    'violated first other (conclusive)',
    'violated other first (conclusive, ids only)',
  ),
  says('IDM-8', 'the loser fails', [[first, other(500)]], 'violated other first', ids),
  says('IDM-8', 'the loser gets 422', [[first, other(422)]], 'violated other first', ids),
  says('IDM-8', 'both fail', [[one(500), other(500)]], 'inconclusive first other', nothing),
  says(
    'IDM-8',
    'both fail, where others are accepted',
    [[one(500), other(500)], control],
    'violated first other',
    nothing,
  ),
  says(
    'IDM-8',
    'both fail, and so does the control',
    [[one(500), other(500)], { ...control, status: 500 }],
    'inconclusive first other',
    nothing,
  ),
  says(
    'IDM-8',
    'both fail, and what is accepted is no control',
    [[one(500), other(500)], secondAgain],
    'inconclusive first other',
    nothing,
  ),
  says(
    'IDM-8',
    'of many that fail six are named',
    [[first, ...Array.from({ length: 7 }, (_, at) => other(500, { id: `d${at}` }))]],
    'violated d0 d1 d2 d3 d4 d5',
    'holds d0 first d1 d2 d3 d4 d5 d6 (ids only)',
  ),
  says('IDM-8', 'one is throttled: no race', [[first, other(429)]], 'inconclusive first other', unmet),
  says('IDM-8', 'one is not answered', [[first, other(undefined)]], unmet),
  says(
    'IDM-8',
    'the second was sent when the first had ended',
    [[first, other(409, { at: 16 })]],
    'inconclusive first other',
    unmet,
  ),
  says(
    'IDM-8',
    'it was sent as the first ended',
    [[first, other(409, { at: 15 })]],
    'holds first other',
    ids,
  ),
  says(
    'IDM-8',
    'the first was sent as the second ended',
    [[one(201, { at: 15 }), other(409, { at: 10 })]],
    'holds first other',
    ids,
  ),
  says(
    'IDM-8',
    'a third came when both had ended',
    [[first, other(409), three(409, { at: 100 })]],
    'holds first other three',
    'holds other first three (ids only)',
  ),
  says('IDM-8', 'all are conflicts', [[one(409), other(409)]], 'inconclusive first other', nothing),
  says(
    'IDM-8',
    'all are conflicts until one is sent again',
    [[one(409), other(409)], retry(201)],
    'holds first other',
    'holds other first retry (ids only)',
  ),
  says(
    'IDM-8',
    'all are conflicts, and so is the retry',
    [[one(409), other(409)], retry(409)],
    'inconclusive first other',
    'inconclusive other first retry',
  ),
  says(
    'IDM-8',
    'all are conflicts, and only a fresh key is accepted',
    [[one(409), other(409)], control],
    'inconclusive first other',
    nothing,
  ),
  says('IDM-8', 'one after the other', [first, { wait: 10 }, again(422)]),
  says('IDM-8', 'keys of their own', [[first, other(422, { key: 'k', deviations: [] })]]),
  says('IDM-8', 'no keys', [[one(201, { key: 'none' }), other(422, { key: 'none', deviations: [] })]]),
  says('IDM-8', 'another form', [[first, other(422, form)]]),
  says('IDM-8', 'one has a fault', [[first, other(422, { deviations: [missing] })]]),
  says('IDM-8', 'two forms at once', [
    [first, other(422, form), three(201, { deviations: [reuse('other', 'form')] })],
  ]),
];
