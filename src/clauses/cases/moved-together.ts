import type { Json, JsonObject } from '../../model/json.ts';
import { says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

const look = (id: string, state: Json): Line => ({
  ...{ id, observes: 'holder', operation: 'getCase', role: 'readback', on: 'made', status: 200 },
  body: record('case_7', { state }),
});

type Parts = {
  /** Of all commands. */
  readonly all?: Partial<Line>;
  /** Of the third of those at once. */
  readonly third?: Partial<Line>;
  readonly another?: Partial<Line>;
  /** What the second read before them shows. */
  readonly again?: JsonObject;
  readonly more?: Line;
};

type States = readonly [JsonObject, JsonObject, JsonObject, JsonObject];

/** Three parts that are made at once, between one before and one after them: what the record that holds them shows. */
const together = (
  when: string,
  [before, between, after, later]: States,
  ruling: string | undefined,
  { again = before, all, another, more, third }: Parts = {},
): Case => {
  const command = (id: string, parts: Partial<Line> = {}): Line => ({
    ...{ id, role: 'test', status: 201, operation: 'addPart', on: 'made', body: { id: `part_${id}` } },
    ...all,
    ...parts,
  });
  return says(
    'CMD-6',
    `commands at once on one record: ${when}`,
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      look('zero', before),
      look('same', again),
      command('single'),
      look('one', between),
      [command('a'), command('b'), command('c', third)],
      ...(more === undefined ? [] : [more]),
      look('many', after),
      command('another', another),
      look('last', later),
    ],
    ...(ruling === undefined ? [] : [ruling]),
  );
};
const named = (name: string, one: Json, two: Json, three: Json, four: Json): States => [
  { [name]: one },
  { [name]: two },
  { [name]: three },
  { [name]: four },
];
const counts = (one: number, two: number, three: number, four: number): States =>
  named('partCount', one, two, three, four);
const on = 'a b c single another zero same one many last';
const withoutThird = 'a b single another zero same one many last';
const refused: Partial<Line> = { status: 409, body: {} };

export const movedTogetherCases: readonly Case[] = [
  together('all are counted', counts(0, 1, 4, 5), `holds ${on}`),
  together('one is not counted', counts(0, 1, 3, 4), `violated ${on}`),
  together('only one is counted', counts(0, 1, 2, 3), `violated ${on}`),
  together('none is counted', counts(0, 1, 1, 2), undefined),
  together('the count has come to its end', counts(0, 1, 3, 3), undefined),
  together('the count catches up later', counts(0, 1, 3, 5), undefined),
  together('more than these are counted', counts(0, 1, 5, 6), `holds ${on}`),
  together('the count moves by itself', counts(0, 2, 4, 6), undefined, { again: { partCount: 1 } }),
  together('one of them is refused', counts(0, 1, 3, 4), `holds ${withoutThird}`, { third: refused }),
  together('one is refused, and one is not counted', counts(0, 1, 2, 3), `violated ${withoutThird}`, {
    third: refused,
  }),
  together('one of them fails', counts(0, 1, 3, 4), undefined, { third: { status: 503, body: {} } }),
  together('one of them was sent again', counts(0, 1, 3, 4), undefined, { third: { earlier: [503] } }),
  together('one of them is queued', counts(0, 1, 3, 4), undefined, { third: { status: 202 } }),
  together('the last one is refused', counts(0, 1, 3, 3), undefined, { another: refused }),
  together('what else is counted', named('requestCount', 0, 1, 3, 4), undefined),
  together('a version', named('version', 1, 2, 4, 5), undefined),
  together('another command comes between', counts(0, 1, 3, 4), undefined, {
    more: { id: 'else', operation: 'closeCase', on: 'made', status: 200 },
  }),
  together('a total lacks the amount of one', named('total', 0, 30, 90, 120), `violated ${on}`, {
    all: { operation: 'addStep', sent: '{"amount":30}' },
  }),
  together('a total of decimals has all', named('total', '0.00', '0.30', '1.20', '1.50'), `holds ${on}`, {
    all: { operation: 'addStep', sent: '{"amount":0.3}' },
  }),
];
