import type { Json } from '../../model/json.ts';
import { made, read } from './list-lines.ts';
import { says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

const sent = '{"subject":"a","status":"open"}';
const old = { id: 'case_a', status: 'open', subject: 'a', version: '1' };
const young = { ...old, id: 'case_z' };

/** An old record and a young one, a list asked for the value of both, and the read of the old one. */
const aged = (
  items: readonly Json[],
  more: {
    readonly old?: Partial<Line>;
    readonly young?: Partial<Line>;
    readonly list?: Partial<Line>;
    readonly read?: Partial<Line>;
    readonly between?: readonly Line[];
    readonly next?: string;
  } = {},
): Case['trace'] => [
  made('a', { body: old, sent, at: 0, ...more.old }),
  made('z', { body: young, sent, at: 1000, ...more.young }),
  ...(more.between ?? []),
  read(
    'list',
    { items, nextCursor: more.next ?? null },
    { query: 'limit=9&status=open', role: 'readback', at: 7000, ...more.list },
  ),
  {
    ...{ id: 'shown', operation: 'getCase', role: 'readback', observes: 'made', on: 'a', at: 7100 },
    status: 200,
    body: old,
    ...more.read,
  },
];

const alone = (more: Parameters<typeof aged>[1] = {}, items: readonly Json[] = []): Case['trace'] =>
  aged(items, more).filter((part) => !('id' in part) || part.id !== 'z');
const hidden = (when: string, trace: Case['trace'], ...rulings: readonly string[]): Case =>
  says('RDS-3', `a list with a filter is empty: ${when}`, trace, ...rulings);
const unsent = '{"subject":"a"}';

/** A filter that lets no record pass. */
const hiddenCases: readonly Case[] = [
  hidden('the value of a record was sent', alone(), 'violated list shown'),
  hidden('its result shows the value', alone({ old: { sent: unsent } }), 'violated list shown'),
  hidden(
    'the service gave it the value later',
    alone({ old: { sent: unsent, body: { id: 'case_a', status: 'new' } } }),
  ),
  hidden('it has another value by now', alone({ read: { body: { ...old, status: 'closed' } } })),
  hidden('it was read before', alone({ read: { at: 6000 } })),
  hidden('it cannot be read', alone({ read: { status: 404, body: {} } })),
  hidden('it was made right before', alone({ old: { at: 6000 } })),
  hidden('its command was queued', alone({ old: { status: 202 } })),
  hidden('it was not', alone({}, [{ ...old, id: 'case_c' }])),
  hidden('there may be another page', alone({ next: 'c1' })),
  hidden('it was asked for something else as well', alone({ list: { query: 'limit=9&status=open&text=b' } })),
  hidden(
    'another command came between',
    alone({ between: [{ id: 'close', operation: 'closeCase', on: 'a', status: 200, at: 7050 }] }),
  ),
];

const lost = (when: string, trace: Case['trace'], ...rulings: readonly string[]): Case =>
  says('RDS-3', `a young record alone is found: ${when}`, trace, ...rulings);

/** A filter that is applied to the newest records alone. */
export const listAgeCases: readonly Case[] = [
  ...hiddenCases,
  lost('the read of the old one shows the value', aged([young]), 'violated list shown'),
  lost('both are', aged([young, old])),
  lost(
    'it is found at first, and later neither is',
    [...aged([young], { list: { id: 'early', at: 1100 } }).slice(0, 3), ...aged([]).slice(2)],
    'violated list shown early',
    'violated list shown',
  ),
  lost('it is found at first, and later both are', [
    ...aged([young], { list: { id: 'early', at: 1100 } }).slice(0, 3),
    ...aged([young, old]).slice(2),
  ]),
  lost('neither is', aged([]), 'violated list shown'),
  lost('the page may be followed by another one', aged([young], { next: 'c1' })),
  lost(
    'the old one has another value by now',
    aged([young], { read: { body: record('case_a', { status: 'closed' }) } }),
  ),
  lost('the old one cannot be read', aged([young], { read: { status: 404, body: {} } })),
  lost('the read came before the list', aged([young], { read: { at: 6000 } })),
  lost('the list may not show the old one yet', aged([young], { old: { at: 6000 }, young: { at: 6500 } })),
  lost('the value of the old one was not sent', aged([young], { old: { sent: '{"subject":"a"}' } })),
  lost('the value of the young one was not sent', aged([young], { young: { sent: '{"subject":"a"}' } })),
  lost('it is the older one', aged([young], { young: { at: -1000 } })),
  lost(
    'the old one is in another state',
    aged([{ ...young, archived: false }], { read: { body: { ...old, archived: true } } }),
    'inconclusive list',
  ),
  lost(
    'the old one is archived by now, as a date says',
    aged([{ ...young, archivedAt: null }], {
      read: { body: { ...old, archivedAt: '2026-09-01T10:00:00Z' } },
    }),
    'inconclusive list',
  ),
  lost(
    'the old one is archived by now, and items do not show that',
    aged([young], { read: { body: { ...old, archived: true } } }),
    'inconclusive list',
  ),
  lost(
    'items show less, and the old one is as it was made',
    aged([young], {
      old: { body: { ...old, archived: false } },
      read: { body: { ...old, archived: false } },
    }),
    'violated list shown',
  ),
  lost(
    'the list was asked for something else as well',
    aged([young], { list: { query: 'limit=9&status=open&mine=true' } }),
  ),
  lost('another caller reads the old one', aged([young], { read: { as: 'peer' } })),
  lost(
    'a command was run on the old one',
    aged([young], { between: [{ id: 'close', operation: 'closeCase', on: 'a', status: 200, at: 2000 }] }),
  ),
];
