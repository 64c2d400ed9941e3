import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, record, reuse } from './trace.ts';

type Parts = { readonly [Id in 'first' | 'second' | 'third' | 'fourth' | 'after']?: Partial<Line> } & {
  readonly on?: Partial<Line>;
  /** One with other values before the duplicates. */
  readonly changed?: Partial<Line>;
  readonly other?: Line;
};
const look = (id: string, body: Json | undefined, more: Partial<Line> = {}): Line => ({
  ...{ id, observes: 'holder', operation: 'getCase', role: 'readback', on: 'made', status: 200 },
  body: record('case_7', { state: body ?? null }),
  ...more,
});

/** A part that is made four times under one key, and what the record that holds it shows: before, twice between, and after. */
const held = (
  when: string,
  [before, between, after, again = between]: readonly [JsonObject, JsonObject, JsonObject, JsonObject?],
  verdict: 'violated' | '',
  parts: Parts = {},
): Case => {
  const command: Partial<Line> = { operation: 'addPart', on: 'made', key: 'key', body: { id: 'part_1' } };
  const duplicate = (id: 'second' | 'third' | 'fourth'): Line => ({
    ...{ id, role: 'test', status: 201, deviations: [reuse('first')] },
    ...{ ...command, ...parts.on, ...parts[id] },
  });
  return says(
    'IDM-4',
    `the record that holds it: ${when}`,
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      { id: 'near', role: 'setup', status: 201, result: 'case_8', name: 'near' },
      look('zero', before),
      { id: 'first', role: 'control', status: 201, ...command, ...parts.on, ...parts.first },
      look('one', between),
      ...(parts.changed === undefined
        ? []
        : [{ id: 'changed', status: 200, ...command, ...parts.on, key: 'changed', ...parts.changed }]),
      look('same', again),
      duplicate('second'),
      duplicate('third'),
      duplicate('fourth'),
      ...(parts.other === undefined ? [] : [parts.other]),
      look('last', after, parts.after),
    ],
    ...['second', 'third', 'fourth'].map((id) => `holds ${id} first (ids only)`),
    ...(verdict === '' ? [] : ['violated second third fourth first zero one same last']),
  );
};
const task: Partial<Line> = { operation: 'addTask' };
const paid = (sent: JsonObject): Parts => ({ on: { ...task, sent: JSON.stringify(sent) } });
const conflict: Partial<Line> = { status: 409, body: {} };

/** The amount of a line is set, then another one, and the first command comes again. */
const set = (of: Parts = {}): Parts => ({
  on: {
    operation: 'updateCase',
    on: 'near',
    status: 200,
    sent: JSON.stringify({ amount: 5 }),
    body: record('case_8'),
  },
  changed: { sent: JSON.stringify({ amount: 7 }) },
  ...of,
});

export const heldCountCases: readonly Case[] = [
  held(
    'each that sets it is added',
    [{ total: 0 }, { total: 5 }, { total: 27 }, { total: 12 }],
    'violated',
    set(),
  ),
  held(
    'the one that sets it last counts',
    [{ total: 0 }, { total: 5 }, { total: 7 }, { total: 7 }],
    '',
    set(),
  ),
  held('it is set back', [{ total: 0 }, { total: 5 }, { total: 5 }, { total: 7 }], '', set()),
  held(
    'the other one is queued',
    [{ total: 0 }, { total: 5 }, { total: 27 }, { total: 12 }],
    '',
    set({ changed: { status: 202 } }),
  ),
  held('each duplicate is counted', [{ partCount: 0 }, { partCount: 1 }, { partCount: 4 }], 'violated'),
  held('each is counted down', [{ openParts: 5 }, { openParts: 4 }, { openParts: 1 }], 'violated'),
  held('each is listed', [{ parts: [] }, { parts: ['a'] }, { parts: ['a', 'a', 'a', 'a'] }], 'violated'),
  held('the target is held by it', [{ openCases: 1 }, { openCases: 0 }, { openCases: -3 }], 'violated', {
    on: { operation: 'closeCase', on: 'near', status: 200 },
  }),
  held('refused duplicates are counted', [{ partCount: 0 }, { partCount: 1 }, { partCount: 4 }], 'violated', {
    second: conflict,
    third: conflict,
    fourth: conflict,
  }),
  held(
    'accepted duplicates are counted',
    [{ partCount: 0 }, { partCount: 1 }, { partCount: 2 }],
    'violated',
    { second: conflict, third: conflict },
  ),
  held(
    'each amount is added',
    [{ total: '10.00' }, { total: '12.50' }, { total: '20.00' }],
    'violated',
    paid({ amount: 2.5 }),
  ),
  held(
    'each product is added',
    [{ total: 0 }, { total: 6 }, { total: 24 }],
    'violated',
    paid({ count: 3, price: '2' }),
  ),
  held(
    'each amount of one is added',
    [{ totalValue: 0 }, { totalValue: 1 }, { totalValue: 4 }],
    'violated',
    paid({ amount: 1 }),
  ),
  held('no duplicate is counted', [{ partCount: 0 }, { partCount: 1 }, { partCount: 1 }], ''),
  held('each read is counted', [{ partViews: 1 }, { partViews: 2 }, { partViews: 7 }, { partViews: 3 }], ''),
  held('each read of any name is counted', [{ parts: 1 }, { parts: 2 }, { parts: 5 }, { parts: 3 }], ''),
  held('attempts are counted', [{ partAttempts: 0 }, { partAttempts: 1 }, { partAttempts: 4 }], ''),
  held('requests are counted', [{ partRequests: 0 }, { partRequests: 1 }, { partRequests: 4 }], ''),
  held('something is counted', [{ tally: 0 }, { tally: 1 }, { tally: 4 }], ''),
  held('a version is counted', [{ version: 1 }, { version: 2 }, { version: 5 }], ''),
  held('numbers are given out', [{ lastPartNo: 0 }, { lastPartNo: 1 }, { lastPartNo: 4 }], ''),
  held('a log has each', [{ events: [] }, { events: [1] }, { events: [1, 2, 3, 4] }], ''),
  held('the time of the change', [{ updated_at: 1000 }, { updated_at: 1001 }, { updated_at: 1004 }], ''),
  held('a total is late', [{ partCount: 0 }, { partCount: 0 }, { partCount: 1 }], ''),
  held('a total of two commands is late', [{ partCount: 0 }, { partCount: 1 }, { partCount: 2 }], ''),
  held('it moves the other way', [{ partCount: 0 }, { partCount: 1 }, { partCount: -2 }], ''),
  held(
    'the amount is not the one sent',
    [{ total: 0 }, { total: 7 }, { total: 28 }],
    '',
    paid({ amount: 2.5 }),
  ),
  held(
    'one more, and an amount of one was sent',
    [{ tally: 0 }, { tally: 1 }, { tally: 4 }],
    '',
    paid({ amount: 1 }),
  ),
  held('the command was queued', [{ partCount: 0 }, { partCount: 1 }, { partCount: 4 }], '', {
    first: { status: 202 },
  }),
  held('it could not be read', [{ partCount: 0 }, { partCount: 1 }, { partCount: 4 }], '', {
    after: { status: 503, body: {} },
  }),
  held('another command came', [{ partCount: 0 }, { partCount: 1 }, { partCount: 4 }], '', {
    other: { id: 'other', operation: 'addTask', on: 'made', status: 201, name: 'other' },
  }),
];
