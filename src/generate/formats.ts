import fc from 'fast-check';
import { bounded } from './bounded.ts';

/** Text of one format: how to write it, and text that clearly is not of it. */
export type TextFormat = {
  readonly arbitrary: fc.Arbitrary<string>;
  readonly smallest: string;
  /** What says more than the smallest, best first. */
  readonly typical?: readonly string[];
  readonly wrong: readonly string[];
};

const two = (value: number): string => String(value).padStart(2, '0');
const chars = (set: string, min: number, max: number): fc.Arbitrary<string> =>
  fc.string({ unit: fc.constantFrom(...set), minLength: min, maxLength: max, size: 'max' });
const LOWER = 'abcdefghijklmnopqrstuvwxyz';
const HEX = '0123456789abcdef';

const date = fc
  .tuple(
    fc.integer({ min: 1970, max: 2099 }),
    fc.integer({ min: 1, max: 12 }),
    fc.integer({ min: 1, max: 28 }),
  )
  .map(([year, month, day]) => `${year}-${two(month)}-${two(day)}`);
const time = fc
  .tuple(
    fc.integer({ min: 0, max: 23 }),
    fc.integer({ min: 0, max: 59 }),
    fc.integer({ min: 0, max: 59 }),
    fc.constantFrom('', '.5', '.123', '.123456'),
    fc.constantFrom('Z', '+00:00', '+02:00', '-05:30'),
  )
  .map(
    ([hour, minute, second, fraction, zone]) =>
      `${two(hour)}:${two(minute)}:${two(second)}${fraction}${zone}`,
  );
const label = fc
  .tuple(chars(LOWER, 1, 1), chars(`${LOWER}0123456789`, 0, 8))
  .map(([first, rest]) => first + rest);
const hostname = fc
  .tuple(fc.array(label, { minLength: 1, maxLength: 2 }), fc.constantFrom('example', 'test', 'example.org'))
  .map(([labels, top]) => [...labels, top].join('.'));
const octet = fc.integer({ min: 0, max: 255 });
const ipv4 = fc.tuple(octet, octet, octet, octet).map((octets) => octets.join('.'));
const group = fc.integer({ min: 0, max: 0xffff }).map((value) => value.toString(16));
const path = fc
  .array(chars(`${LOWER}0123456789-_`, 1, 8), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part}`).join(''));
const uri = fc
  .tuple(fc.constantFrom('https', 'http'), hostname, path, fc.constantFrom('', '?q=1', '?a=b&c=%20', '#top'))
  .map(([scheme, host, where, more]) => `${scheme}://${host}${where}${more}`);
const token = chars(`${LOWER}ABC0123456789`, 1, 6);
const pointer = fc
  .array(fc.oneof(token, fc.constantFrom('~0', '~1', 'a b', 'é')), { maxLength: 3 })
  .map((parts) => parts.map((part) => `/${part}`).join(''));
const uuid = fc
  .tuple(
    chars(HEX, 8, 8),
    chars(HEX, 4, 4),
    chars(HEX, 3, 3),
    fc.constantFrom('8', '9', 'a', 'b'),
    chars(HEX, 3, 3),
    chars(HEX, 12, 12),
  )
  .map(([a, b, c, variant, d, e]) => `${a}-${b}-4${c}-${variant}${d}-${e}`);
const email = fc
  .tuple(label, fc.constantFrom('', '.x', '+tag', '_y'), hostname)
  .map(([name, more, host]) => `${name}${more}@${host}`);
const duration = fc
  .tuple(fc.integer({ min: 1, max: 30 }), fc.constantFrom('Y', 'M', 'D', 'W', 'TH', 'TM', 'TS'))
  .map(([count, unit]) => (unit.startsWith('T') ? `PT${count}${unit.slice(1)}` : `P${count}${unit}`));
const base64 = fc
  .tuple(
    fc.array(chars(`${LOWER}ABCXYZ0123456789+/`, 4, 4), { maxLength: 6 }),
    fc.constantFrom('', 'QQ==', 'QUI='),
  )
  .map(([quads, end]) => quads.join('') + end);

/** Amounts: services may refuse 0, and what is below it. */
export const usualDecimals: readonly string[] = ['1.00', '1', '10'];
const decimal = fc
  .tuple(fc.integer({ min: 1, max: 9_999 }), fc.constantFrom('', '.5', '.25'))
  .map(([whole, fraction]) => `${whole}${fraction}`);

const FORMATS: ReadonlyMap<string, TextFormat> = new Map<string, TextFormat>([
  [
    'date',
    {
      arbitrary: date,
      smallest: '2024-01-01',
      wrong: ['not-a-date', '2024-13-45', '2024-02-30', '01/02/2024'],
    },
  ],
  ['time', { arbitrary: time, smallest: '00:00:00Z', wrong: ['not-a-time', '25:61:61Z', '12:00'] }],
  [
    'date-time',
    {
      arbitrary: fc.tuple(date, time).map(([day, hour]) => `${day}T${hour}`),
      smallest: '2024-01-01T00:00:00Z',
      wrong: ['not-a-date-time', '2024-13-45T25:61:61Z', '2024-01-01', '2024-01-01T00:00:00'],
    },
  ],
  ['iso-time', { arbitrary: time, smallest: '00:00:00Z', wrong: ['not-a-time', '25:61:61'] }],
  [
    'iso-date-time',
    {
      arbitrary: fc.tuple(date, time).map(([day, hour]) => `${day}T${hour}`),
      smallest: '2024-01-01T00:00:00Z',
      wrong: ['not-a-date-time', '2024-13-45T25:61:61Z'],
    },
  ],
  ['duration', { arbitrary: duration, smallest: 'P1D', wrong: ['not-a-duration', 'P', '1D', 'PT'] }],
  [
    'email',
    {
      arbitrary: email,
      smallest: 'a@b.example',
      wrong: ['not-an-email', 'a@', '@b.example', 'a b@c.example'],
    },
  ],
  ['idn-email', { arbitrary: email, smallest: 'a@b.example', wrong: ['not-an-email', '@'] }],
  [
    'hostname',
    {
      arbitrary: hostname,
      smallest: 'a.example',
      wrong: ['-not-a-host-.example', 'a..b', 'under_score!', ' '],
    },
  ],
  ['idn-hostname', { arbitrary: hostname, smallest: 'a.example', wrong: ['a..b', ' '] }],
  ['ipv4', { arbitrary: ipv4, smallest: '0.0.0.0', wrong: ['not-an-address', '256.256.256.256', '1.2.3'] }],
  [
    'ipv6',
    {
      arbitrary: fc.oneof(
        fc.array(group, { minLength: 8, maxLength: 8 }).map((groups) => groups.join(':')),
        fc.array(group, { minLength: 1, maxLength: 4 }).map((groups) => `2001:db8::${groups.join(':')}`),
      ),
      smallest: '::1',
      wrong: ['not-an-address', '1::2::3', '12345::', '1.2.3.4'],
    },
  ],
  [
    'uri',
    {
      arbitrary: uri,
      smallest: 'http://a.example',
      wrong: ['not a uri', '//a.example/no-scheme', 'http://a b.example'],
    },
  ],
  [
    'url',
    {
      arbitrary: bounded(uri, (text) => !text.includes('_'), 'http://a.example'),
      smallest: 'http://a.example',
      wrong: ['not a url', 'a.example'],
    },
  ],
  ['iri', { arbitrary: uri, smallest: 'http://a.example', wrong: ['not an iri'] }],
  [
    'uri-reference',
    { arbitrary: fc.oneof(uri, path), smallest: '/a', wrong: ['not a reference', '\\\\share\\file', '#a#b'] },
  ],
  [
    'iri-reference',
    { arbitrary: fc.oneof(uri, path), smallest: '/a', wrong: ['not a reference', '\\\\share\\file'] },
  ],
  [
    'uri-template',
    {
      arbitrary: fc.tuple(uri, token).map(([base, name]) => `${base.split(/[?#]/)[0]}/{${name}}`),
      smallest: '/{a}',
      wrong: ['/{a', 'a b'],
    },
  ],
  [
    'uuid',
    {
      arbitrary: uuid,
      smallest: '00000000-0000-4000-8000-000000000000',
      wrong: [
        'not-a-uuid',
        '00000000-0000-4000-8000-00000000000',
        '00000000000040008000000000000000',
        'g0000000-0000-4000-8000-000000000000',
      ],
    },
  ],
  [
    'regex',
    {
      arbitrary: fc.constantFrom('^a+$', '[a-z]{2,4}', '\\d+', 'a|b', '.*'),
      smallest: 'a',
      wrong: ['(', '[', '*a'],
    },
  ],
  ['json-pointer', { arbitrary: pointer, smallest: '/a', wrong: ['not/a/pointer', '/~2', '/~'] }],
  [
    'json-pointer-uri-fragment',
    {
      arbitrary: fc
        .array(token, { maxLength: 3 })
        .map((parts) => `#${parts.map((part) => `/${part}`).join('')}`),
      smallest: '#',
      wrong: ['no-hash', '#/~2'],
    },
  ],
  [
    'decimal',
    {
      arbitrary: decimal,
      smallest: '0',
      typical: usualDecimals,
      wrong: ['not-a-number', '1,5', '-', '1.2.3'],
    },
  ],
  [
    'relative-json-pointer',
    {
      arbitrary: fc.tuple(fc.nat(9), fc.oneof(pointer, fc.constant('#'))).map(([up, rest]) => `${up}${rest}`),
      smallest: '0',
      wrong: ['/no-number', '-1', '01'],
    },
  ],
  ['byte', { arbitrary: base64, smallest: 'QQ==', wrong: ['not base64!', 'QQ=', '=QQ='] }],
]);

/** How to write text of a format (JSON Schema validation, section 7.3, and those of OpenAPI); undefined where nothing is known of it. */
export function textFormat(name: string): TextFormat | undefined {
  return FORMATS.get(name);
}
