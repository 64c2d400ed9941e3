import { createHash } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import type { Exchange } from '../model/exchange.ts';
import { openGate, placeholder } from './gate.ts';

const tokens = [
  'Canary-7f3Kq9Zx-Token',
  'eyJhbGciOiJIUzI1NiJ9.eyJzdWIiOiJjYW5hcnkifQ.dBjftJeZ4CVP-mB92K27uhbUJU1p1r',
];
const secrets = tokens.map((value, index) => ({ name: `t${index}`, value }));

type Encoding = readonly [name: string, encode: (text: string) => string];
const codes = (text: string, as: (code: number) => string): string =>
  [...text].map((letter) => as(letter.charCodeAt(0))).join('');
const hexOf = (code: number, digits = 2): string => code.toString(16).padStart(digits, '0');
const every = (text: string, length: number, by: string): string =>
  text.match(new RegExp(`[\\s\\S]{1,${length}}`, 'g'))?.join(by) ?? text;
const utf16 = (text: string): Buffer => Buffer.from(text, 'utf16le');
const encodings: readonly Encoding[] = [
  ['as it is', (text) => text],
  ['percent', (text) => codes(text, (code) => `%${hexOf(code)}`)],
  ['percent, doubled', (text) => codes(text, (code) => `%25${hexOf(code)}`)],
  ['%uXXXX', (text) => codes(text, (code) => `%u${hexOf(code, 4)}`)],
  ['\\x', (text) => codes(text, (code) => `\\x${hexOf(code)}`)],
  ['\\u', (text) => codes(text, (code) => `\\u${hexOf(code, 4)}`)],
  ['\\u{}', (text) => codes(text, (code) => `\\u{${code.toString(16)}}`)],
  ['octal', (text) => codes(text, (code) => `\\${code.toString(8).padStart(3, '0')}`)],
  ['decimal references', (text) => codes(text, (code) => `&#${code};`)],
  [
    'unterminated references',
    (text) =>
      codes(text, (code) =>
        code >= 48 && code < 58 ? String.fromCharCode(code) : `&#x${hexOf(code)};`,
      ).replaceAll(/;(?![0-9a-f])/gi, ''),
  ],
  [
    'named references',
    (text) =>
      text
        .replaceAll('-', '&hyphen;')
        .replaceAll('.', '&period;')
        .replaceAll('+', '&plus;')
        .replaceAll('=', '&equals;'),
  ],
  [
    'quoted-printable',
    (text) =>
      every(
        codes(text, (code) => `=${hexOf(code).toUpperCase()}`),
        75,
        '=\r\n',
      ),
  ],
  ['base64', (text) => Buffer.from(text).toString('base64')],
  ['base64url', (text) => Buffer.from(`>${text}`).toString('base64url')],
  ['base64 with line breaks', (text) => every(Buffer.from(`ab${text}`).toString('base64'), 16, '\r\n')],
  ['base64 with blanks', (text) => every(Buffer.from(text).toString('base64'), 4, ' ')],
  ['base64 through a form', (text) => Buffer.from(text).toString('base64').replaceAll('+', ' ')],
  ['base64 of UTF-16', (text) => utf16(text).toString('base64')],
  ['hexadecimal', (text) => Buffer.from(text).toString('hex')],
  ['hexadecimal with colons', (text) => every(Buffer.from(text).toString('hex'), 2, ':')],
  ['hexadecimal dump', (text) => every(Buffer.from(text).toString('hex').toUpperCase(), 4, ' ')],
  ['0x', (text) => codes(text, (code) => `0x${hexOf(code)}, `)],
  ['decimal bytes', (text) => [...Buffer.from(text)].join(',')],
  ['UTF-16', (text) => utf16(text).toString()],
  ['UTF-16, big-endian', (text) => utf16(text).swap16().toString()],
  ['UTF-32', (text) => codes(text, (code) => `${String.fromCharCode(code)}\0\0\0`)],
  ['in JSON', (text) => JSON.stringify({ a: text }).slice(6, -2)],
];

const places: readonly (readonly [string, (text: string) => Partial<Exchange>])[] = [
  ['body', (body) => ({ answer: { ...plain, body } })],
  ['JSON value', (text) => ({ answer: { ...plain, body: JSON.stringify({ a: [{ b: text }] }) } })],
  ['JSON name', (text) => ({ answer: { ...plain, body: JSON.stringify({ [text]: 1 }) } })],
  ['page', (text) => ({ answer: { ...plain, body: `<p title="x">${text}</p>` } })],
  ['header', (text) => ({ answer: { ...plain, headers: [['X-Debug', text]] } })],
  ['name of a header', (text) => ({ answer: { ...plain, headers: [[text, 'x']] } })],
  ['cookie', (text) => ({ answer: { ...plain, headers: [['Set-Cookie', `session=${text}; Path=/`]] } })],
  [
    'request ID',
    (text) => ({
      answer: { ...plain, headers: [['X-Request-Id', `req_${text}`]] },
      requestIds: [`req_${text}`],
    }),
  ],
  [
    'head of a broken response',
    (text) => ({ noAnswer: { ...broken, partial: { status: 200, headers: [['X-Debug', text]] } } }),
  ],
  ['detail of an error', (text) => ({ noAnswer: { ...broken, detail: `unexpected ${text}` } })],
  [
    'throttled before',
    (text) => ({ earlier: [{ ...before, answer: { ...plain, body: text, headers: [['X-Debug', text]] } }] }),
  ],
  [
    'broken before',
    (text) => ({
      earlier: [
        { ...before, noAnswer: { ...broken, partial: { status: 200, headers: [['Location', text]] } } },
      ],
    }),
  ],
];

const plain = { status: 401, headers: [], body: '{}', bodyBytes: 2, truncated: false };
const broken = { reason: 'closed', detail: 'closed', partial: undefined } as const;
const before = { answer: undefined, noAnswer: undefined, startedAt: 0, endedAt: 1, waited: 0 };
const exchange: Exchange = {
  id: 'x1',
  trace: 't1',
  step: 's',
  ordinal: 0,
  operation: 'createCase',
  principal: 'full',
  request: { method: 'POST', path: '/cases', headers: [], body: undefined },
  answer: undefined,
  noAnswer: undefined,
  requestIds: [],
  connection: 0,
  earlier: [],
  startedAt: 1,
  sentAt: 2,
  endedAt: 3,
  time: '2026-01-01T00:00:00.000Z',
};

/** A third of the middle of what was written, where it is in the text: its edges may be syntax, or come from letters before. */
function shows(text: string, written: readonly string[]): string | undefined {
  return written
    .flatMap((one) => {
      const length = Math.ceil(one.length / 3);
      return Array.from({ length: length + 1 }, (_, at) =>
        one.slice(Math.floor(length / 2) + at).slice(0, length),
      );
    })
    .find((part) => text.includes(part));
}

const composition = fc.record({
  token: fc.constantFrom(...tokens),
  by: fc.array(fc.constantFrom(...encodings), { minLength: 1, maxLength: 3 }),
  place: fc.constantFrom(...places),
});

describe('no token passes the gate', () => {
  test('in 500 compositions of encodings at 12 places', () => {
    fc.assert(
      fc.property(composition, ({ token, by, place: [, place] }) => {
        const written = by.reduce((text, [, encode]) => encode(text), token);
        const out = JSON.stringify(
          openGate(secrets, 's').exchange({ ...exchange, ...place(`x ${written} y`) }),
        );
        expect(out).toContain('$ASSAY_TOKEN_T');
        expect(shows(out, [token, written, JSON.stringify(written).slice(1, -1)])).toBeUndefined();
      }),
      {
        numRuns: 500,
        examples: encodings.flatMap((one) =>
          tokens.map((token): [{ token: string; by: Encoding[]; place: (typeof places)[number] }] => [
            { token, by: [one], place: places[1] ?? ['', () => ({})] },
          ]),
        ),
      },
    );
  });

  test('in base64 of UTF-16 that was encoded twice more, with line breaks that JSON escapes', () => {
    const names = ['base64 of UTF-16', 'percent', 'base64 with line breaks'];
    const written = names.reduce(
      (text, name) => encodings.find(([known]) => known === name)?.[1](text) ?? '',
      'Canary-7f3Kq9Zx-Token',
    );
    const body = JSON.stringify({ echoed: written });
    const out = openGate(secrets, 's').exchange({ ...exchange, answer: { ...plain, body } });
    expect(out.answer?.body).toMatch(/^\{"echoed":"[^"]{0,8}\$ASSAY_TOKEN_T\d/);
  });

  test('in any record of a long list, in any composition', () => {
    const texts = Array.from({ length: 3000 }, (_, index) => `a text \\ with %20 and &amp; ${index}`);
    fc.assert(
      fc.property(composition, fc.nat({ max: texts.length }), ({ token, by }, at) => {
        const written = by.reduce((text, [, encode]) => encode(text), token);
        const body = JSON.stringify(texts.toSpliced(at, 0, `x ${written} y`));
        const out = openGate(secrets, 's').exchange({ ...exchange, answer: { ...plain, body } }).answer;
        expect(out?.withheld).toBeUndefined();
        // Without a message of vitest: it would print the whole body.
        expect(out?.body.includes('$ASSAY_TOKEN_T')).toBe(true);
        expect(
          shows(out?.body ?? '', [token, written, JSON.stringify(written).slice(1, -1)]),
        ).toBeUndefined();
      }),
      { numRuns: 60 },
    );
  });

  test('cut anywhere by the end of what is kept, in any composition', () => {
    fc.assert(
      fc.property(composition, fc.double({ min: 0, max: 1, noNaN: true }), ({ token, by }, share) => {
        const written = by.reduce((text, [, encode]) => encode(text), token);
        const body = `${'{"a":"b"} '.repeat(10_000)}${written.slice(0, Math.ceil(written.length * share))}`;
        const cut = { ...plain, body, truncated: true };
        const out = openGate(secrets, 's').exchange({ ...exchange, answer: cut });
        // Without a message of vitest: it would print the whole body.
        expect(out.answer?.body.includes(` ${written.slice(0, 4)}`)).toBe(false);
        expect(out.answer?.withheld).toMatch(/^all behind character \d+: a secret could be cut there$/);
      }),
      { numRuns: 500 },
    );
  });
});

test('of a long body that is not text the start is kept, without the secrets that the cut went through', () => {
  const [secret] = secrets;
  const gate = openGate(secrets, 's');
  const kept = (body: string) => gate.exchange({ ...exchange, answer: { ...plain, body } }).answer;
  const archive = `PK${'\0\u0001\u0002a'.repeat(20_000)}`;
  expect(kept(archive)).toMatchObject({
    body: archive.slice(0, 4096),
    truncated: false,
    withheld: 'all behind character 4096: the body is not text',
  });
  const across = `\0${'a b '.repeat(1022)}${secret?.value} and more\0`;
  expect(kept(across)?.body).toBe(`\0${'a b '.repeat(1022)}$ASSAY_`);
  const late = `${'a'.repeat(5000)}\0${'a'.repeat(5000)}`;
  expect(kept(late)?.body).toBe(`${'a'.repeat(5000)}\0`);
  for (const whole of ['\0'.repeat(4096), 'a'.repeat(9000)])
    expect(kept(whole)).toMatchObject({ body: whole, truncated: false });
  expect(kept('a'.repeat(9000))).not.toHaveProperty('withheld');
});

test('what would take too much work to decode is withheld, and an ordinary long body is not', () => {
  const gate = openGate(secrets, 's');
  let bomb = 'a'.repeat(60_000);
  for (const _ of [1, 2, 3]) bomb = Buffer.from(bomb).toString('base64');
  const bombs = Array.from({ length: 8 }, () => bomb).join('"');
  const held = gate.exchange({ ...exchange, answer: { ...plain, body: bombs } });
  expect(held.answer).toMatchObject({
    body: '',
    truncated: true,
    withheld: expect.stringContaining('withheld'),
  });
  const record = {
    id: 'case_01HZX9V4K8',
    subject: 'A subject of a few words, as people write it',
    at: '2026-01-01T00:00:00Z',
    n: [1, 2, 3],
  };
  const body = JSON.stringify(
    Array.from({ length: 1800 }, () => ({ ...record, uuid: '7b0c2d9e-11f4-4c6a-9d3b-5a1e8f7c6b2d' })),
    undefined,
    2,
  );
  expect(body.length).toBeGreaterThan(256 * 1024);
  expect(gate.exchange({ ...exchange, answer: { ...plain, body } }).answer).toEqual({ ...plain, body });
});

test.each([
  ['all kinds', 1750, 5, ['"double" \\slash\\', 'one\ntwo\r\nthree\ttab', '&amp; <b>', '%s %d %00 %20']],
  // Of some, escapes undone in another order give another text: that must not make all be read again.
  [
    'a few kinds',
    2000,
    100,
    ['\\\\ =22&39;Y %0', '&%00 %2', '\\\\GTV =3D &', '%5C %, \\', '&Y= \\ /', '%26#39; \\n'],
  ],
] as const)('a long list of texts with escapes of %s is kept', (_, length, every, texts) => {
  const list = Array.from({ length }, (_, index) => ({
    id: `note_${createHash('sha256').update(String(index)).digest('hex').slice(0, 24)}`,
    title: `${texts[index % every] ?? 'a sentence of it'} asy-${createHash('sha256').update(`t${index}`).digest('hex').slice(0, 16)}`,
  }));
  const body = JSON.stringify(list);
  expect(body.length).toBeGreaterThan(140_000);
  const kept = openGate(secrets, 's').exchange({ ...exchange, answer: { ...plain, body } }).answer;
  expect(kept?.withheld).toBeUndefined();
  expect(kept?.body === body).toBe(true);
});

test('a secret that is written twice in one way is found twice', () => {
  const written = Buffer.from(tokens[0] ?? '').toString('base64');
  const body = JSON.stringify({ one: written, other: written, third: `%22${written}%22` });
  const out = openGate(secrets, 's').exchange({ ...exchange, answer: { ...plain, body } }).answer?.body;
  expect(out?.split('$ASSAY_TOKEN_T0')).toHaveLength(4);
});

test('a long request of our own is kept, but for its secrets', () => {
  const body = (token: string): string => `{"a":"${'a'.repeat(3_000_000)}${token}"}`;
  const request = { ...exchange.request, body: body(tokens[0] ?? '') };
  const out = openGate(secrets, 's').exchange({ ...exchange, request });
  expect(out.request.body === body('$ASSAY_TOKEN_T0')).toBe(true);
});

test('names that differ have placeholders that differ', () => {
  const names = ['a-b', 'a_b', 'A-b', 'a b', 'a--b', 'ab', 'a.b', 'é', 'è'];
  expect(new Set(names.map(placeholder)).size).toBe(names.length);
  expect(placeholder('full-b')).toBe('ASSAY_TOKEN_FULL_B');
});

test('a secret that is too short to be redacted is refused', () => {
  expect(() => openGate([{ name: 'a', value: 'seven-7' }], 's')).toThrow(RangeError);
});
