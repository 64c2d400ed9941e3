import type { Json } from '../../model/json.ts';
import { says } from './says.ts';
import type { Case, Line } from './trace.ts';

const list = (id: 'list-before' | 'list-after', body: Json, more: Partial<Line>): Line => ({
  id,
  observes: id,
  operation: 'listParts',
  role: 'readback',
  on: 'a',
  status: 200,
  body,
  ...more,
});

/** A record made within another one, and the list there before and after. */
const made = (
  when: string,
  [before, after]: readonly [Json, Json],
  ruling: string,
  more: { readonly command?: Partial<Line>; readonly look?: Partial<Line> } = {},
): Case =>
  says(
    'CMD-6',
    `a record within another one: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      list('list-before', before, {}),
      {
        id: 'add',
        operation: 'addPart',
        on: 'a',
        role: 'test',
        status: 201,
        body: { id: 'part_1' },
        ...more.command,
      },
      list('list-after', after, more.look ?? {}),
    ],
    ruling,
  );

const part = { id: 'part_1' };
const other = { id: 'part_0' };
const [shown, missing, unsure] = [
  'holds add list-after',
  'violated add list-before list-after',
  'inconclusive add list-after',
];

/** CMD-6: what the list shows that a record was made in. */
export const madeWithinCases: readonly Case[] = [
  made('the list shows it', [[], [part]], shown),
  made('the list has it within its one member', [{ parts: [] }, { parts: [other, part] }], shown),
  made('the list shows it by what was sent', [[], [{ id: 2, subject: 'note-t' }]], shown, {
    command: { sent: '{"subject":"note-t"}', body: {} },
  }),
  made('the list does not show it', [[], []], missing),
  made('the list does not show it next to others', [[other], [other]], missing),
  made('the list shows another one more', [[], [other]], unsure),
  made('the result names no record', [[], []], unsure, { command: { body: {} } }),
  made('the result names no record, and the list shows one more', [[], [part]], shown, {
    command: { body: {} },
  }),
  made('it was only taken in', [[], []], unsure, { command: { status: 202 } }),
  made('another caller reads, who may be shown less', [[], []], unsure, { look: { as: 'peer' } }),
  made('the list could not be read', [[], []], unsure, { look: { status: 503 } }),
  made(
    'the list has no items where they are looked for',
    [
      { a: [], b: [] },
      { a: [], b: [] },
    ],
    unsure,
  ),
];
