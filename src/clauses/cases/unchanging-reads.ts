import { apart, says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

const keyed = (read: Partial<Line>, command: Partial<Line>, fresh: Partial<Line> = {}): Case['trace'] => [
  { id: 'read', operation: 'listCases', role: 'test', status: 200, key: 'k', ...read },
  { id: 'command', role: 'test', status: 409, key: 'k', ...command },
  { id: 'fresh', controls: 'command', status: 201, ...fresh },
];
const keys: readonly Case[] = [
  says('RDS-8', 'the key is free', keyed({}, { status: 201 }), 'holds read command'),
  says('RDS-8', 'the key is spent', keyed({}, {}), 'violated read command'),
  says(
    'RDS-8',
    'the fresh key is refused as well',
    keyed({}, {}, { status: 409 }),
    'inconclusive read command',
  ),
  says(
    'RDS-8',
    'the fresh key is for another probe',
    keyed({}, {}, { controls: 'other' }),
    'inconclusive read command',
  ),
  says('RDS-8', 'the read is refused', keyed({ status: 404 }, { status: 201 }), 'inconclusive read command'),
  says('RDS-8', 'a refused read spends the key', keyed({ status: 404 }, {}), 'violated read command'),
  says('RDS-8', 'throttled', keyed({}, { status: 429 })),
  says('RDS-8', 'another key', keyed({}, { key: 'other' })),
  says('RDS-8', 'a key that is no plain one', keyed({}, { key: { use: 'literal', value: 'k' } })),
  says(
    'RDS-8',
    'the read has no key, or is no probe',
    apart(keyed({ key: 'none' }, {}), keyed({ role: 'control' }, {})),
  ),
  says('RDS-8', 'another read has the key', [
    { id: 'read', operation: 'listCases', role: 'test', status: 200, key: 'k' },
    { id: 'second', operation: 'listCases', role: 'control', status: 200, key: 'k' },
  ]),
];

/** A record that is read three times, and a command with the version of the first read; then one with that of a last read. */
const readAgain = (
  when: string,
  versions: readonly [number, number, number],
  [status, control]: readonly [number, number?],
  ...rulings: readonly string[]
): Case => {
  const look = (id: string, version: number): Line => ({
    id,
    operation: 'getCase',
    on: 'a',
    role: 'setup',
    status: 200,
    body: record('case_7', { version }),
  });
  const put = (id: string, from: string, of: number): Line => ({
    id,
    operation: 'updateCase',
    on: 'a',
    status: of,
    version: { use: 'of', ref: { step: from, at: '/version' } },
  });
  const [one, two, three] = versions;
  return says(
    'RDS-8',
    `the version of a read: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      ...[look('one', one), look('two', two), look('three', three)],
      { ...put('command', 'one', status), role: 'test' },
      ...(control === undefined
        ? []
        : [look('last', three + 1), { ...put('control', 'last', control), controls: 'command' }]),
    ],
    ...rulings,
  );
};
const versions: readonly Case[] = [
  readAgain('it is still good', [1, 1, 1], [200], 'holds two command'),
  readAgain('it is shown in another form each time', [1, 2, 3], [200], 'holds two command'),
  readAgain('each read moves it on', [1, 2, 3], [409, 200], 'violated two command control'),
  readAgain('the last one is refused as well', [1, 2, 3], [409, 409], 'inconclusive two command'),
  readAgain('it moved on once, by itself', [1, 2, 2], [409, 200], 'inconclusive two command'),
  readAgain('it is refused, and did not move', [1, 1, 1], [409, 200]),
];

/** A record that is read several times in turn, the last time after a pause. */
const readOften = (
  when: string,
  versions: readonly number[],
  ruling: string | undefined,
  {
    at = '/version',
    gap = 10,
    pause = 1500,
    prefix = '',
  }: { readonly at?: string; readonly gap?: number; readonly pause?: number; readonly prefix?: string } = {},
): Case =>
  says(
    'RDS-8',
    `read ${versions.length} times: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      ...versions.map(
        (version, index): Line => ({
          id: `read-${index + 1}`,
          operation: 'getCase',
          on: 'a',
          status: 200,
          at: (index + 2) * gap + (index > 0 && index === versions.length - 1 ? pause : 0),
          ...(at === 'ETag' ? { headers: [[at, `"${prefix}${version}"`]] } : {}),
          body: record('case_7', { version: 'a', ...(at === 'ETag' ? {} : { [at.slice(1)]: version }) }),
        }),
      ),
    ],
    ...(ruling === undefined
      ? []
      : [`${ruling} ${versions.map((_, index) => `read-${index + 1}`).join(' ')}`]),
  );
const often: readonly Case[] = [
  readOften('its version is the same', [5, 5, 5, 5], 'holds'),
  readOften('its version rises each time', [5, 6, 7, 8], 'violated'),
  readOften('its ETag rises each time', [5, 6, 7, 8], 'violated', { at: 'ETag' }),
  readOften('its ETag rises after a letter', [5, 6, 7, 8], 'violated', { at: 'ETag', prefix: 'v' }),
  readOften('its ETag stays', [5, 5, 5, 5], 'holds', { at: 'ETag', prefix: 'rev-' }),
  readOften('its ETag is another hash each time', [5, 6, 8, 7], undefined, { at: 'ETag', prefix: 'ab' }),
  readOften('its version rises with time', [5, 6, 7, 90], undefined),
  readOften('its version rises, and nobody waited', [5, 6, 7, 8], undefined, { pause: 0 }),
  readOften('it counts its views', [5, 6, 7, 8], undefined, { at: '/views' }),
  readOften('it was read three times', [5, 6, 7], undefined),
  readOften('its version rises each time', [5, 6, 7, 8, 9, 10, 11], 'violated'),
  readOften('its version rises every second time', [5, 5, 6, 6, 7, 7, 8], 'violated'),
  readOften('its version rises every second time', [5, 6, 6, 7, 7, 8, 8], 'violated'),
  readOften('its version rises every second time, as few reads say', [5, 5, 6, 6], undefined),
  readOften('its version rises now and then', [5, 5, 6, 7, 7, 7, 8], undefined),
  readOften('its version rises with time', [5, 5, 6, 6, 7, 7, 90], undefined),
  readOften('its version rises, and the pause was little longer than others', [5, 6, 7, 8], undefined, {
    gap: 900,
  }),
];

/** A record that is read twice, and again after each of three reads of its list, the last time after a pause. */
const readBetween = (
  when: string,
  versions: readonly [number, number, number, number, number],
  ruling: string | undefined,
  more: {
    readonly at?: '/version' | 'ETag' | '/updatedAt';
    readonly pause?: number;
    readonly listed?: string;
    readonly target?: Partial<Line>;
    readonly second?: number;
  } = {},
): Case => {
  const { at = '/version', listed = 'case_7', pause = 1500, target = { on: 'a' } } = more;
  const [one, two, three, four, five] = versions;
  const look = (id: string, version: number): Line => ({
    ...{ id, operation: 'getCase', status: 200, role: 'test', observes: 'before' },
    ...target,
    ...(at === 'ETag' ? { headers: [['ETag', `"h${version}x"`]] } : {}),
    body: { id: 'case_7', [at === 'ETag' ? 'subject' : at.slice(1)]: at === 'ETag' ? 's' : version },
  });
  const list = (id: string): Line => ({
    ...{ id, operation: 'listCases', role: 'test', observes: 'item', status: 200 },
    body: { items: [{ id: listed }], nextCursor: null },
  });
  const parts: readonly Line[] = [
    ...[look('a1', one), look('a2', more.second ?? one)],
    ...[list('list-1'), look('b1', two), look('b2', two)],
    ...[list('list-2'), look('c1', three), look('c2', three)],
    ...[list('list-3'), look('d1', four), look('d2', four)],
  ];
  return says(
    'RDS-8',
    `read between reads of its list: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      ...parts,
      { ...look('last', five), at: parts.length * 10 + 20 + pause },
    ],
    ...(ruling === undefined ? [] : [`${ruling} list-1 list-2 list-3 a1 a2 b1 b2 c1 c2 d1 d2 last`]),
  );
};
const between: readonly Case[] = [
  readBetween('its version stays', [5, 5, 5, 5, 5], 'holds'),
  readBetween('its version rises each time', [5, 6, 7, 8, 8], 'violated'),
  readBetween('its ETag is another one each time', [5, 6, 7, 8, 8], 'violated', { at: 'ETag' }),
  readBetween('its time of change is another one each time', [5, 6, 7, 8, 8], 'violated', {
    at: '/updatedAt',
  }),
  readBetween('its version rises with time', [5, 6, 7, 8, 40], undefined),
  readBetween('its version rises, and nobody waited', [5, 6, 7, 8, 8], undefined, { pause: 0 }),
  readBetween('its version rises between other reads as well', [5, 7, 8, 9, 9], undefined, { second: 6 }),
  readBetween('its version rises twice', [5, 6, 6, 7, 7], undefined),
  readBetween('the list does not show it', [5, 5, 5, 5, 5], undefined, { listed: 'case_8' }),
  readBetween('the record was given, and others may change it', [5, 6, 7, 8, 8], undefined, {
    target: { given: 'case_7' },
  }),
];

export const unchangingReadCases: readonly Case[] = [...keys, ...versions, ...often, ...between];
