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
    pause = 1500,
    prefix = '',
  }: { readonly at?: string; readonly pause?: number; readonly prefix?: string } = {},
): Case =>
  says(
    'RDS-8',
    `read four times: ${when}`,
    [
      { id: 'a', role: 'setup', status: 201, result: 'case_7' },
      ...versions.map(
        (version, index): Line => ({
          id: `read-${index + 1}`,
          operation: 'getCase',
          on: 'a',
          status: 200,
          at: (index + 2) * 10 + (index === 3 ? pause : 0),
          ...(at === 'ETag' ? { headers: [[at, `"${prefix}${version}"`]] } : {}),
          body: record('case_7', { version: 'a', ...(at === 'ETag' ? {} : { [at.slice(1)]: version }) }),
        }),
      ),
    ],
    ...(ruling === undefined ? [] : [`${ruling} read-1 read-2 read-3 read-4`]),
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
];

export const unchangingReadCases: readonly Case[] = [...keys, ...versions, ...often];
