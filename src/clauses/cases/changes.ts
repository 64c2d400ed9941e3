import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

/** A change of a record: the reads around it, and its result. */
const change = (
  when: string,
  [before, after]: readonly [Line['body'], Line['body']],
  more: Partial<Line>,
  ...rulings: readonly string[]
): Case => {
  const look = (id: 'before' | 'after', value: Line['body']): Line => ({
    id,
    observes: id,
    operation: 'getCase',
    role: 'readback',
    on: 'a',
    status: value === undefined ? 404 : 200,
    ...(value === undefined ? {} : { body: value }),
  });
  return says(
    'CMD-6',
    `a change: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      look('before', before),
      { id: 'put', operation: 'closeCase', on: 'a', role: 'test', status: 200, ...more },
      look('after', after),
    ],
    ...rulings,
  );
};
const open = { id: 'case_7', status: 'open', version: 1 };
const shut = { id: 'case_7', status: 'closed', version: 2 };
export const changeCases: readonly Case[] = [
  change('the record shows it', [open, shut], { body: shut }, 'holds put before after'),
  change(
    'the record shows something else',
    [open, { ...open, status: 'held' }],
    { body: shut },
    'holds put before after',
  ),
  change('the record reads as before', [open, open], { body: shut }, 'violated put before after'),
  change(
    'the record reads as before, except for its version',
    [open, { ...open, version: 2 }],
    { body: shut },
    'violated put before after',
  ),
  change(
    'the result is wrapped',
    [{ data: open }, { data: open }],
    { body: { data: shut } },
    'violated put before after',
  ),
  ...(
    [
      ['of the record', { id: 'case_7', note: 'b' }, 'violated'],
      ['which does not say of what', { note: 'b' }, 'inconclusive'],
      ['of a request for the change', { changeId: 'chg_1', note: 'b', state: 'pending' }, 'inconclusive'],
    ] as const
  ).map(([of, body, ruling]) =>
    change(
      `what was asked for is in the result ${of}`,
      [
        { id: 'case_7', note: 'a', kind: 'c' },
        { id: 'case_7', note: 'a', kind: 'c' },
      ],
      { sent: '{"note":"b"}', body },
      `${ruling} put before after`,
    ),
  ),
  change(
    'the result is another document',
    [open, open],
    { body: { id: 'job_1', status: 'done' } },
    'inconclusive put before after',
  ),
  change('the result says nothing', [open, open], { status: 204, body: '' }, 'inconclusive put before after'),
  change('it was only taken in', [open, open], { status: 202, body: shut }, 'inconclusive put before after'),
  change('the result is as the record was', [open, open], { body: open }, 'inconclusive put before after'),
  change(
    'there is a record where there was none',
    [undefined, open],
    { body: open },
    'holds put before after',
  ),
  change(
    'there is no record where one was put',
    [undefined, undefined],
    { body: open },
    'violated put before after',
  ),
  change(
    'another caller, which may see its own records alone, finds no record where one was put',
    [undefined, undefined],
    { body: open, as: 'peer' },
    'inconclusive put before after',
  ),
  change('it was refused', [open, open], { status: 409, body: {} }),
];
