import { key } from './keys.ts';
import { says } from './says.ts';
import { absent, type Case, type Line, missing, negative } from './trace.ts';

const keyless = (
  status: number | undefined,
  more: Partial<Line> = {},
  control: Partial<Line> = {},
): Case['trace'] => negative(key('absent'), status, { key: 'none', name: 'own', ...more }, control);
const blank = (status: number, more: Partial<Line> = {}, control: Partial<Line> = {}): Case['trace'] =>
  negative(key('blank'), status, { key: { use: 'literal', value: ' ' }, name: 'own', ...more }, control);
const onRead = (records: readonly string[], one: Case): Case => ({ ...one, shows: { own: records } });
const read = 'read-1 read-2 read-3';
const ids = 'holds probe (ids only)';

const missingKeys: readonly Case[] = [
  ...[400, 409, 422].map((status) =>
    says('IDM-1', `refused with ${status}`, keyless(status), 'holds probe', ids),
  ),
  says('IDM-1', 'it is accepted', keyless(201), 'violated probe (conclusive)'),
  onRead(
    ['case_9'],
    says(
      'IDM-1',
      'it is refused, and leaves a record',
      keyless(422),
      'holds probe',
      `violated probe ${read} (conclusive)`,
    ),
  ),
  onRead(
    [],
    says('IDM-1', 'it is refused, and leaves none', keyless(422), 'holds probe', `holds probe ${read}`),
  ),
  says('IDM-1', 'throttled', keyless(429), 'inconclusive probe'),
  ...[500, undefined].map((status) => says('IDM-1', `it comes to ${status}`, keyless(status))),
  says('IDM-1', 'a blank key', blank(201)),
  says('IDM-1', 'another fault', negative(missing, 422)),
  says('IDM-1', 'another fault as well', negative([key('absent'), missing], 422, { key: 'none' })),

  says('IDM-2', '422', keyless(422), 'holds probe'),
  says('IDM-2', '400', keyless(400), 'holds probe (advisory)'),
  says('IDM-2', '409', keyless(409), 'holds probe (advisory)'),
  says('IDM-2', '404', keyless(404), 'violated probe'),
  says(
    'IDM-2',
    'the valid command is refused as well',
    keyless(404, {}, { status: 404 }),
    'inconclusive probe',
  ),
  says('IDM-2', 'the service fails', keyless(500), 'violated probe'),
  says('IDM-2', 'a blank key', blank(409)),
  says('IDM-2', 'another fault', negative(missing, 409)),

  says('IDM-3', '422', blank(422), 'holds probe', ids),
  says('IDM-3', 'it is accepted', blank(201), 'violated probe (conclusive)'),
  onRead(
    ['case_9'],
    says(
      'IDM-3',
      'it is refused, and leaves a record',
      blank(422),
      'holds probe',
      `violated probe ${read} (conclusive)`,
    ),
  ),
  says('IDM-3', 'no key', keyless(422)),
  says('IDM-3', 'another fault', negative(missing, 422)),
  says('IDM-3', 'another fault as well', negative([key('blank'), missing], 422)),
];

const plain = (status: number, more: Partial<Line> = {}): Line => ({
  id: 'read',
  operation: 'listCases',
  status,
  ...more,
});
const keyed = (status: number, more: Partial<Line> = {}): Line => ({
  ...plain(status),
  id: 'keyed',
  key: 'k',
  controls: 'read',
  ...more,
});

const reads: readonly Case[] = [
  says('IDM-21', 'it is served without a key', [plain(200)], 'holds read'),
  ...[400, 499].map((status) =>
    says(
      'IDM-21',
      `${status} without, and served with one`,
      [plain(status), keyed(200)],
      'violated read keyed',
    ),
  ),
  ...[403, 404, 429, 500].map((status) =>
    says('IDM-21', `${status} without one`, [plain(status), keyed(200)]),
  ),
  says('IDM-21', 'refused with one as well', [plain(422), keyed(422)]),
  says('IDM-21', 'another read was served with one', [plain(422), keyed(200, { controls: 'other' })]),
  says(
    'IDM-21',
    'another read was served without one',
    [plain(422), keyed(200, { key: 'none' })],
    'holds keyed',
  ),
  says('IDM-21', 'a read with another fault', [plain(401, { deviations: [absent] }), keyed(200)]),
  says('IDM-21', 'a read with a key', [plain(422, { key: 'k' }), keyed(200)]),
  says('IDM-21', 'a command', [
    { id: 'read', status: 422, key: 'none' },
    { id: 'b', status: 201, controls: 'read' },
  ]),
];

export const missingKeyCases: readonly Case[] = [...missingKeys, ...reads];
