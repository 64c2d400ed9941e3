import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

const before: JsonObject = { id: 'case_7', subject: 'one', status: 'open', version: '1', assigned: false };
const closed: JsonObject = { ...before, status: 'closed', version: '2', assigned: true };
const other: JsonObject = { id: 'case_8', subject: 'two', status: 'open' };

/** A command that closes a record, with the record and the list that shows it before and after. */
const listed = (
  when: string,
  [was, is, still]: readonly [Json, Json, Json],
  ruling: string | undefined,
  more: {
    readonly before?: JsonObject;
    readonly after?: JsonObject;
    readonly last?: JsonObject;
    readonly first?: string;
    readonly command?: Partial<Line>;
    readonly between?: readonly Line[];
    readonly target?: Partial<Line>;
  } = {},
): Case => {
  const { after = closed, last = after, between = [], target = { on: 'a' } } = more;
  const look = (id: string, observes: Line['observes'], body: JsonObject): Line => ({
    ...{ id, operation: 'getCase', role: 'readback', status: 200, body },
    ...(observes === undefined ? {} : { observes }),
    ...target,
  });
  const page = (observes: NonNullable<Line['observes']>, item: Json): Line => ({
    ...{ id: observes, operation: 'listCases', role: 'readback', status: 200, observes },
    body: { items: [other, ...(item === null ? [] : [item])], nextCursor: null },
  });
  return says(
    'CMD-6',
    `a command changes a record: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      look('before', 'before', more.before ?? before),
      look('before-again', 'before', more.before ?? before),
      page('item-before', was),
      {
        id: 'close',
        operation: 'closeCase',
        role: 'test',
        status: 200,
        body: {},
        ...target,
        ...more.command,
      },
      ...between,
      look('after', 'after', after),
      page('item', is),
      page('item-again', still),
      look('item-read', 'item-read', last),
    ],
    `${more.first ?? 'holds'} close before-again after`,
    ...(ruling === undefined ? [] : [ruling]),
  );
};

const { assigned: _, version: __, ...few } = before;
const violated = 'violated close item-before after item-read item item-again';
const holds = 'holds close item-before after item-read item-again';

export const staleItemCases: readonly Case[] = [
  listed('its list shows it as before, and later as well', [before, before, before], violated),
  listed('its list shows fewer members, as before', [few, few, few], violated),
  listed('its list shows it as before, and the read in an envelope', [before, before, before], violated, {
    before: { data: before },
    after: { data: closed },
  }),
  listed(
    'its list shows one change and not the other',
    [before, before, { ...closed, status: 'open' }],
    violated,
  ),
  listed('its list shows the change', [before, closed, closed], holds),
  listed('its list shows the change a little later', [before, before, closed], holds),
  listed(
    'its list shows another value from the start',
    [
      { ...before, status: 'new' },
      { ...before, status: 'new' },
      { ...before, status: 'new' },
    ],
    undefined,
  ),
  listed('its list shows no status', [{ id: 'case_7' }, { id: 'case_7' }, { id: 'case_7' }], undefined),
  listed('its list no longer shows it', [before, null, null], undefined),
  listed('its list shows an earlier version alone', [before, before, before], undefined, {
    after: { ...before, version: '2' },
    first: 'inconclusive',
  }),
  listed('its list leaves a member unset', [before, before, before], undefined, {
    after: { ...before, assigned: true },
  }),
  listed(
    'its list says in another member that a change is waiting',
    [before, { ...before, draft: true }, { ...before, draft: true }],
    'inconclusive close item-before after item-read item-again',
  ),
  listed('the record goes back to what its list shows', [before, before, before], undefined, {
    last: before,
  }),
  listed('it was only queued', [before, before, before], undefined, { command: { status: 202 } }),
  listed('the list is stale, of a record that was given', [before, before, before], undefined, {
    target: { given: 'case_7' },
  }),
  listed('the list is stale, and another command came after it', [before, before, before], undefined, {
    between: [{ id: 'approve', operation: 'approveCase', on: 'a', status: 200, body: {} }],
  }),
];
