import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, record, reuse } from './trace.ts';

type Parts = {
  readonly [Id in 'first' | 'third' | 'fourth' | 'next' | 'unmoved' | 'settled']?: Partial<Line>;
} & { readonly other?: Line };

/** What a record shows before a queued command, after it, after three duplicates, and after one command more. */
type States = readonly [initial: JsonObject, between: JsonObject, after: JsonObject, later: JsonObject];

const close: Partial<Line> = { operation: 'closeCase', on: 'made', status: 202, body: { id: 'job_1' } };
const look = (id: string, observes: Line['observes'], body: JsonObject): Line => ({
  ...{ id, ...(observes === undefined ? {} : { observes }), body: record('case_7', body) },
  ...{ operation: 'getCase', role: 'readback', on: 'made', status: 200 },
});
const all = 'second third fourth first zero one same two three last next';

const queued = (
  when: string,
  [initial, between, after, later]: States,
  ruling: `${'holds' | 'inconclusive'}${'' | ' (ids only)'}` | 'violated',
  parts: Parts = {},
): Case => {
  const duplicate = (id: 'second' | 'third' | 'fourth', of: Partial<Line> = {}): Line => ({
    ...{ id, role: 'test', status: 202, deviations: [reuse('first')], key: 'key', ...close, ...of },
  });
  const [verdict, ...only] = (ruling === 'violated' ? 'inconclusive' : ruling).split(' ');
  return says(
    'IDM-4',
    `a queued command: ${when}`,
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      look('zero', 'initial', initial),
      { id: 'first', status: 202, role: 'control', key: 'key', ...close, ...parts.first },
      look('one', 'before', between),
      { ...look('same', 'before', between), ...parts.unmoved },
      duplicate('second'),
      duplicate('third', parts.third),
      duplicate('fourth', parts.fourth),
      look('two', 'after', after),
      ...(parts.other === undefined ? [] : [parts.other]),
      { id: 'next', status: 202, role: 'control', key: 'other', ...close, ...parts.next },
      look('three', 'later', later),
      { ...look('last', 'settled', later), ...parts.settled },
    ],
    ...['second', 'third', 'fourth'].map((id) => [`${verdict} ${id} first one two`, ...only].join(' ')),
    ...(ruling === 'violated' ? [`violated ${all}`] : []),
  );
};
/** Four states in which a member has four values. */
const states = (name: string, values: readonly [Json, Json, Json, Json]): States => {
  const [one, two, three, four] = values;
  return [{ [name]: one }, { [name]: two }, { [name]: three }, { [name]: four }];
};
const count = (...numbers: readonly [number, number, number, number]): States => states('shipped', numbers);
const conflict: Partial<Line> = { status: 409, body: {} };

export const queuedCountCases: readonly Case[] = [
  queued('its duplicates leave it', count(0, 1, 1, 2), 'holds'),
  queued('each duplicate runs', count(0, 1, 4, 5), 'violated'),
  queued('each is counted down', count(9, 7, 1, -1), 'violated'),
  queued('the version shows each', states('version', ['1', '2', '5', '6']), 'violated'),
  queued('each list grows', states('parcels', [[], [1], [1, 1, 1, 1], [1, 1, 1, 1, 1]]), 'violated'),
  queued('a duplicate that was refused runs', count(0, 1, 4, 5), 'violated', { third: conflict }),
  queued('the accepted duplicates run', count(0, 1, 2, 3), 'violated', { third: conflict, fourth: conflict }),
  queued('one of them runs', count(0, 1, 2, 3), 'inconclusive'),
  queued('no read shows it', count(0, 0, 0, 0), 'holds (ids only)'),
  queued('it is late', count(0, 0, 1, 2), 'inconclusive'),
  queued('it goes on', count(0, 25, 100, 25), 'inconclusive'),
  queued('it goes on in steps, as the next one does', count(0, 1, 4, 5), 'inconclusive', {
    settled: { body: record('case_7', { shipped: 8 }) },
  }),
  queued('the next one does more', count(0, 1, 4, 8), 'inconclusive'),
  queued('the next one is refused', count(0, 1, 4, 5), 'inconclusive', { next: conflict }),
  queued('the next one was sent twice', count(0, 1, 4, 5), 'inconclusive', { next: { earlier: [503] } }),
  queued('reads are counted', count(0, 1, 4, 5), 'inconclusive', {
    unmoved: { body: record('case_7', { shipped: 2 }) },
  }),
  queued('attempts are counted', states('attempts', [0, 1, 4, 5]), 'inconclusive'),
  queued('another command comes between', count(0, 1, 4, 5), 'inconclusive', {
    other: { id: 'else', status: 200, operation: 'updateCase', on: 'made', body: record('case_7') },
  }),
];
