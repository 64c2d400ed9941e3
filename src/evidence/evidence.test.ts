import { createHash } from 'node:crypto';
import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { trace as literal } from '../clauses/cases/trace.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import { openedGate, openGate } from './gate.ts';
import type { HeaderLine, LogLine } from './log.ts';
import { logLineOf } from './log-line.ts';
import { type LogEntry, replay } from './replay.ts';
import { evidenceFormat } from './schema.ts';
import { openLog } from './write.ts';

const token = 'Reference-Token-Full-0001';

describe('redaction', () => {
  const encodings: readonly (readonly [string, (secret: string, before: string) => string])[] = [
    ['plain', (secret) => secret],
    ['lower case', (secret) => secret.toLowerCase()],
    [
      'percent-encoded',
      (secret) => [...secret].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
    ],
    ['hexadecimal', (secret) => Buffer.from(secret).toString('hex')],
    [
      'JSON escapes',
      (secret) =>
        [...secret].map((letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`).join(''),
    ],
    ['character references', (secret) => [...secret].map((letter) => `&#${letter.charCodeAt(0)};`).join('')],
    [
      'base64, whatever precedes it',
      (secret, before) => Buffer.from(`${before}${secret}:`).toString('base64'),
    ],
    [
      'base64 in JSON with escaped slashes',
      (secret, before) => Buffer.from(`${before}${secret}`).toString('base64').replaceAll('/', '\\/'),
    ],
    [
      'base64, percent-encoded',
      (secret, before) => encodeURIComponent(Buffer.from(`${before}${secret}`).toString('base64')),
    ],
    ['base64url', (secret, before) => Buffer.from(`${before}${secret}`).toString('base64url')],
  ];
  test.each(encodings)('%s', (_, encode) => {
    fc.assert(
      fc.property(
        fc.stringMatching(/^[A-Za-z0-9._~+-]{12,60}$/),
        fc.string({ maxLength: 8 }),
        (secret, before) => {
          const written = encode(secret, before);
          const result = openGate([{ name: 'full', value: secret }], 'salt').text(`x ${written} y`);
          expect(result).toContain('$ASSAY_TOKEN_FULL');
          // No run of the written secret survives that would give it away.
          expect(result).not.toContain(written.slice(4, -4));
        },
      ),
      { numRuns: 60 },
    );
  });

  test('each character in an encoding of its own: the secret goes, and nothing else', () => {
    const ways: readonly ((letter: string) => string)[] = [
      (letter) => letter,
      (letter) => letter.toUpperCase(),
      (letter) => `%${letter.charCodeAt(0).toString(16)}`,
      (letter) => `%25${letter.charCodeAt(0).toString(16).toUpperCase()}`,
      (letter) => `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      (letter) => `\\\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      (letter) => `&#x0${letter.charCodeAt(0).toString(16)};`,
      (letter) => `&#${letter.charCodeAt(0)};`,
      (letter) => `\\${letter}`,
    ];
    fc.assert(
      fc.property(
        // A backslash before u and digits would be an escape.
        fc.stringMatching(/^[A-Zac-tv-z0-9._~+-]{8,40}$/),
        fc.array(fc.nat(ways.length - 1), { minLength: 40, maxLength: 40 }),
        (secret, chosen) => {
          const written = [...secret].map((letter, index) => ways[chosen[index] ?? 0]?.(letter)).join('');
          const { text } = openGate([{ name: 'full', value: secret }], 'salt');
          expect(text(`5 % of {"a":"${written}", "b":"\\n"}`)).toBe(
            '5 % of {"a":"$ASSAY_TOKEN_FULL", "b":"\\n"}',
          );
        },
      ),
    );
  });

  test('a long text is cleaned like a short one', () => {
    const { text } = openGate([{ name: 'full', value: token }], 'salt');
    const line = `{"a":"b \\"c\\" ${encodeURIComponent(`${token}/`)}"}`;
    const clean = '{"a":"b \\"c\\" $ASSAY_TOKEN_FULL%2F"}';
    expect(text(Array.from({ length: 5000 }, () => line).join('\n'))).toBe(
      Array.from({ length: 5000 }, () => clean).join('\n'),
    );
  });

  test('a secret within another leaves no rest, and two that touch are both replaced', () => {
    const { text } = openGate(
      [
        { name: 'short', value: 'Token-0001' },
        { name: 'long', value: 'Long-Token-0001-More' },
      ],
      'salt',
    );
    expect(text('Long-Token-0001-MoreToken-0001token-0001 Token-000')).toBe(
      '$ASSAY_TOKEN_LONG$ASSAY_TOKEN_SHORT$ASSAY_TOKEN_SHORT Token-000',
    );
  });

  test('text without the secret is left as it is', () => {
    const { text, manifest } = openGate([{ name: 'full', value: token }], 'salt');
    fc.assert(fc.property(fc.string(), (given) => text(given) === given));
    expect(manifest()).toEqual([]);
  });

  test('a secret learned later is redacted from then on, and counted', () => {
    const redactor = openGate([], 'salt');
    expect(redactor.text(`value ${token}`)).toBe(`value ${token}`);
    redactor.add('late-one', token);
    expect(redactor.text(`value ${token}`)).toBe('value $ASSAY_TOKEN_LATE_ONE');
    expect(redactor.document(`{"value":"${token}"}`)).toBe('{"value":"$ASSAY_TOKEN_LATE_ONE"}');
    expect(redactor.manifest()).toEqual([
      { secret: 'ASSAY_TOKEN_LATE_ONE', form: 'text, percent-encoded or escaped', count: 2 },
    ]);
  });
});

const header: HeaderLine = {
  line: 'header',
  format: evidenceFormat,
  harness: { name: 'assay', version: '0' },
  contract: { title: 't', version: '1', digest: 'd'.repeat(64), file: 'f', text: '' },
  configuration: { file: 'c', digest: 'd'.repeat(64) },
  suites: { digest: 'd'.repeat(64), names: [] },
  declaration: {},
  principals: [],
  seed: 1,
  nonce: 'n',
  budget: 'quick',
  limits: { maxRequests: 1, maxSeconds: 1 },
  partial: false,
  target: {
    baseUrl: 'reference',
    environment: 'test',
    product: undefined,
    vendor: undefined,
    version: undefined,
  },
  startedAt: '2026-01-01T00:00:00.000Z',
  throttling: {},
  hooks: [],
  waivers: [],
  environment: { node: 'v', platform: 'p' },
  selfTest: undefined,
};

test.each([
  [[{ file: 'cases.yaml', text: 'a: 1' }], true],
  [[{ file: 'cases.yaml' }], false],
  ['cases.yaml', false],
])('the files that a contract refers to are there with their texts: %j', (beside, read) => {
  const line = { ...header, contract: { ...header.contract, beside } };
  expect(logLineOf(JSON.stringify(line)) !== undefined).toBe(read);
});

function exchange(id: string, body: string): Exchange {
  return {
    id,
    trace: 't1',
    step: 's',
    ordinal: 0,
    operation: 'createCase',
    principal: 'full',
    request: { method: 'POST', path: '/cases', headers: [['A', 'b']], body },
    answer: { status: 201, headers: [['X-Request-Id', 'req_1']], body, bodyBytes: 1, truncated: false },
    noAnswer: undefined,
    requestIds: ['req_1'],
    connection: 0,
    earlier: [],
    startedAt: 1,
    sentAt: 2,
    endedAt: 3,
    time: '2026-01-01T00:00:00.000Z',
  };
}

const trace = (exchanges: readonly Exchange[]): Trace =>
  literal([], { id: 't1', suite: 'x', probe: 'y', exchanges });

async function written(bodies: readonly string[]): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-log-')), 'evidence.jsonl');
  const log = await openLog(file);
  await log.append(openedGate.value(header));
  await log.append(openedGate.value({ line: 'plan', probes: [] }));
  const exchanges = bodies.map((body, index) => exchange(`x${index + 1}`, body));
  for (const one of exchanges) await log.append(openedGate.value({ line: 'exchange', exchange: one }));
  const { exchanges: _exchanges, effects: _effects, ...rest } = trace(exchanges);
  await log.append(
    openedGate.value({ line: 'trace', trace: rest, exchanges: exchanges.map((one) => one.id) }),
  );
  await log.append(openedGate.value({ line: 'effects', trace: 't1', effects: 'none' }));
  await log.close(
    openedGate.value({
      end: 'complete',
      counts: { exchanges: exchanges.length, traces: 1 },
      endedAt: '2026-01-01T00:00:01.000Z',
      elapsedMs: 1,
      redaction: [],
    }),
  );
  return file;
}

async function replayed(file: string): Promise<{
  readonly lines: readonly LogEntry[];
  readonly problems: readonly { readonly line: number; readonly problem: string }[];
}> {
  const { entries, problems } = replay(file);
  const lines: LogEntry[] = [];
  for await (const line of entries) lines.push(line);
  return { lines, problems };
}

describe('the log', () => {
  test('replays what was written', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(fc.string({ unit: 'binary' }), { maxLength: 5 }), async (bodies) => {
        const { lines, problems } = await replayed(await written(bodies));
        expect(problems).toEqual([]);
        expect(lines.map((line) => line.kind)).toEqual([
          'header',
          ...bodies.map(() => 'exchange'),
          'trace',
          'effects',
          'footer',
        ]);
        const seen = lines.find((line) => line.kind === 'trace');
        expect(seen?.kind === 'trace' ? seen.trace : undefined).toEqual(
          trace(bodies.map((body, index) => exchange(`x${index + 1}`, body))),
        );
      }),
      { numRuns: 25 },
    );
  });

  test('torn at any byte, it is read as far as it goes, and says so', async () => {
    const file = await written(['one', 'two']);
    const bytes = await readFile(file);
    const torn = `${file}.torn`;
    for (let length = 1; length < bytes.length - 1; length += 97) {
      await writeFile(torn, bytes.subarray(0, length));
      expect((await replayed(torn)).problems.length).toBeGreaterThan(0);
    }
  });

  test('a trace that lacks an exchange is left out: what is left of it could show what never happened', async () => {
    const file = await written(['one', 'two']);
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.filter((line) => !line.includes('"two"')).join('\n'));
    const { lines: kinds, problems } = await replayed(file);
    expect(kinds.map(({ kind }) => kind)).toEqual(['header', 'exchange', 'footer']);
    expect(problems.map(({ problem }) => problem)).toContain('exchanges of trace t1 are missing');
  });

  test('one changed byte is found by the digest of the footer', async () => {
    const file = await written(['one', 'two']);
    const text = await readFile(file, 'utf8');
    await writeFile(file, text.replace('"two"', '"tow"'));
    expect((await replayed(file)).problems).toEqual([
      { line: 7, problem: expect.stringContaining('the digest of the lines before is') },
    ]);
  });

  /** The log with its lines changed and its footer made to agree, as a forger would. */
  async function forged(change: (lines: LogLine[]) => void): Promise<readonly string[]> {
    const file = await written(['one', 'two']);
    const lines = (await readFile(file, 'utf8'))
      .trimEnd()
      .split('\n')
      .map((line): LogLine => JSON.parse(line));
    change(lines);
    const footer = lines.pop();
    const body = lines.map((line) => `${JSON.stringify(line)}\n`).join('');
    const sha256 = createHash('sha256').update(body).digest('hex');
    await writeFile(file, `${body}${JSON.stringify({ ...footer, sha256 })}\n`);
    return (await replayed(file)).problems.map(({ line, problem }) => `${line}: ${problem}`);
  }

  /** Lines: 0 header, 1 plan, 2 and 3 exchanges, 4 trace, 5 effects, 6 footer. */
  test.each<[string, (lines: LogLine[]) => void, string]>([
    ['a second header', (lines) => void lines.splice(1, 0, header), '2: the log has a second header'],
    ['no plan', (lines) => void lines.splice(1, 1), '6: the log has no plan'],
    [
      'a second plan',
      (lines) => void lines.splice(2, 0, { line: 'plan', probes: [] }),
      '3: the log has a second plan',
    ],
    [
      'an exchange that no trace refers to',
      (lines) => {
        lines.splice(6, 0, { line: 'exchange', exchange: exchange('x3', 'three') });
        Object.assign(lines[7] ?? {}, { counts: { exchanges: 3, traces: 1 } });
      },
      '8: no trace refers to exchange x3',
    ],
    [
      'ids with a gap',
      (lines) => {
        Object.assign(lines[3] ?? {}, { exchange: exchange('x4', 'two') });
        Object.assign(lines[4] ?? {}, { exchanges: ['x1', 'x4'] });
      },
      '4: exchange x4 is where x2 belongs: lines were left out, repeated, altered or put into another order',
    ],
    [
      'an ID of another form',
      (lines) => {
        Object.assign(lines[3] ?? {}, { exchange: exchange('y2', 'two') });
        Object.assign(lines[4] ?? {}, { exchanges: ['x1', 'y2'] });
      },
      '4: exchange y2 is where x2 belongs: lines were left out, repeated, altered or put into another order',
    ],
    [
      'one trace twice',
      (lines) => {
        const [line] = lines.slice(4, 5);
        if (line?.line === 'trace') lines.splice(6, 0, { ...line, exchanges: [] });
        Object.assign(lines[7] ?? {}, { counts: { exchanges: 2, traces: 2 } });
      },
      '7: there are two traces t1',
    ],
    [
      'an exchange in a trace that is not its own',
      (lines) => {
        Object.assign(lines[3] ?? {}, { exchange: { ...exchange('x2', 'two'), trace: 't9' } });
      },
      '5: exchange x2 belongs to another trace than t1',
    ],
    [
      'no line of effects',
      (lines) => void lines.splice(5, 1),
      '6: the line with the effects of trace t1 is missing',
    ],
    [
      'an exchange without its request',
      (lines) => {
        Object.assign(lines[3] ?? {}, { exchange: { ...exchange('x2', 'two'), request: null } });
      },
      '4: the line is not one of a log',
    ],
  ])('%s is refused, whatever the footer says', async (_, change, problem) => {
    expect(await forged(change)).toContain(problem);
  });
});
