import { mkdtemp, readdir, readFile, truncate } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { describe, expect, test } from 'vitest';
import { clauses } from '../clauses/catalogue.ts';
import { judge } from '../cli/judge.ts';
import { run } from '../cli/run.ts';
import type { LogLine } from '../evidence/log.ts';
import { replay } from '../evidence/replay.ts';
import { openLog } from '../evidence/write.ts';
import type { Clause, Ruling } from '../model/clause.ts';
import type { NoResponse, Trace } from '../model/exchange.ts';
import type { WireOutcome } from '../model/wire.ts';
import { capture } from '../testing/captured.ts';
import { type OpenWire, openWire } from '../wire/wire.ts';
import { type Means, usualMeans } from './means.ts';
import { judged } from './rejudge.ts';

// The target is the embedded reference service, which conforms: whatever is violated here is a false accusation.

async function runWith(means: Partial<Means>, suites?: readonly string[]) {
  const captured = capture();
  const output = await mkdtemp(join(tmpdir(), 'assay-broken-'));
  const result = await run(
    'harness.config.yaml',
    {
      overrides: { output, budget: 'quick', seed: 3 },
      suites,
      operations: undefined,
      quiet: true,
      means: { ...usualMeans, ...means },
    },
    captured.output,
    new AbortController().signal,
  );
  const [name = ''] = await readdir(output);
  return { ...result, text: captured.text(), folder: join(output, name) };
}

/** A run that is void says so in one line, gives no verdict, and leaves its evidence alone behind. */
async function expectVoid(
  { exitCode, report, text, folder }: Awaited<ReturnType<typeof runWith>>,
  line: RegExp,
): Promise<void> {
  expect(text).toMatch(line);
  expect(text.trimEnd().split('\n')).toHaveLength(1);
  expect({ exitCode, report }).toEqual({ exitCode: 2, report: undefined });
  expect(await readdir(folder)).toEqual(['evidence.jsonl']);
}

/** What is left can be judged, says that it is incomplete, and accuses of nothing. */
async function expectIncomplete(folder: string): Promise<void> {
  const { report } = await judged(join(folder, 'evidence.jsonl'));
  expect(report.violations).toEqual([]);
  expect(report.verdict).toMatchObject({ outcome: 'not fully verified', certifiable: false });
  expect(report.verdict.shortfalls).toContain('the run was interrupted');
  const { output, text } = capture();
  expect(await judge(folder, output)).toBe(3);
  expect(text()).toContain('not fully verified');
}

async function problemsOf(folder: string): Promise<readonly string[]> {
  const { entries, problems } = replay(join(folder, 'evidence.jsonl'));
  for await (const _ of entries);
  return problems.map(({ problem }) => problem);
}

describe('a clause that throws makes its cells inconclusive, and the run is exit 2', () => {
  const sound: Clause = {
    code: 'BAD-1',
    level: 'stated',
    text: 'None.',
    source: { where: 'nowhere', quote: '' },
    test: '',
    violation: '',
    fix: '',
    applies: () => true,
    judges: [],
  };
  const fails = (): never => {
    throw new TypeError("Cannot read properties of undefined (reading 'status')");
  };
  const accusation = (trace: Trace): Ruling => ({
    operation: 'createCase',
    verdict: 'violated',
    exchanges: trace.exchanges.map(({ id }) => id),
    expected: '',
    actual: '',
    because: 'it is broken itself',
    conclusive: true,
  });
  const aTrace = /BAD-1 cannot judge trace t\d+ \([a-z-]+ [^)]+\): TypeError: Cannot read/;

  test.each<[string, Partial<Clause>, RegExp]>([
    ['at once', { judges: [{ over: 'trace', rule: fails }] }, aTrace],
    [
      'after it accused',
      {
        judges: [
          {
            over: 'trace',
            *rule(_, trace) {
              yield accusation(trace);
              fails();
            },
          },
        ],
      },
      aTrace,
    ],
    ['about effects', { judges: [{ over: 'effects', rule: fails }] }, aTrace],
    ['as it starts on a run', { judges: [{ over: 'run', start: fails }] }, aTrace],
    [
      'late in a run',
      {
        judges: [
          {
            over: 'run',
            start: () => {
              let seen = 0;
              return { see: () => (++seen > 20 ? fails() : []), finish: () => [] };
            },
          },
        ],
      },
      aTrace,
    ],
    [
      'on a random case alone',
      { judges: [{ over: 'trace', rule: (_, { path }) => (path === undefined ? [] : fails()) }] },
      aTrace,
    ],
    ['where it applies', { applies: fails }, /BAD-1 cannot say whether it applies to createCase: TypeError/],
  ])('%s', async (_, part, line) => {
    const broken = { ...sound, ...part };
    const { exitCode, report, text, folder } = await runWith({ clauses: async () => [...clauses, broken] }, [
      'missing-keys',
      'schema-violations',
    ]);
    expect(text).toMatch(line);
    expect(text).toMatch(
      /^assay: the harness itself failed, which says nothing about the target: clause BAD-1 /,
    );
    expect(exitCode).toBe(2);
    expect(report?.verdict).toMatchObject({ outcome: 'not fully verified', exitCode: 2, certifiable: false });
    expect(report?.verdict.shortfalls).toContainEqual(expect.stringMatching(line));
    expect(report?.run.ended).toBe('complete');
    expect(report?.violations).toEqual([]);
    const cell = report?.cells.find((one) => one.clause === 'BAD-1');
    expect(cell).toMatchObject({ verdict: 'inconclusive', because: expect.stringMatching(line) });
    expect(report?.cells.find((one) => one.clause === 'IDM-1')?.verdict).toBe('pass');
    expect(await readdir(folder)).toContain('report.html');
    expect(await problemsOf(folder)).toEqual([]);
    // Judging again with the clause that failed says the same; without it the run is as any other.
    const again = await judged(join(folder, 'evidence.jsonl'), [...clauses, broken]);
    expect(again.report.verdict).toEqual(report?.verdict);
    expect((await judged(join(folder, 'evidence.jsonl'))).failures).toEqual([]);
  });
});

describe('evidence that cannot be kept makes the run void', () => {
  const full = (): Promise<never> =>
    Promise.reject(Object.assign(new Error('ENOSPC: no space left on device, write'), { code: 'ENOSPC' }));

  /** A log on a disk that is full from the n-th line of a kind on. */
  const fullFrom =
    (kind: LogLine['line'] | 'close', count: number): Means['openLog'] =>
    async (file) => {
      const log = await openLog(file);
      let seen = 0;
      let over = false;
      return {
        append: (line) => {
          if (line.line === kind) seen += 1;
          over ||= seen >= count;
          return over ? full() : log.append(line);
        },
        flush: log.flush,
        close: async (footer) => {
          if (!over && kind !== 'close') return log.close(footer);
          // The file is closed, and its footer lost.
          await log.close(footer);
          const text = await readFile(file, 'utf8');
          await truncate(file, Buffer.byteLength(text.slice(0, text.lastIndexOf('{"line":"footer"'))));
          return full();
        },
      };
    };

  test.each<[LogLine['line'] | 'close', number]>([
    ['plan', 1],
    ['exchange', 1],
    ['exchange', 60],
    ['trace', 12],
    ['effects', 12],
    ['close', 1],
  ])('a disk that is full from %s %i on', async (kind, count) => {
    const ended = await runWith({ openLog: fullFrom(kind, count) }, ['missing-keys', 'duplicate-keys']);
    await expectVoid(
      ended,
      /^assay: the evidence cannot be written \(ENOSPC: no space left on device, write\); free some space or choose another --output\. The run is void\. What was written is in \S+\n$/,
    );
    expect(await problemsOf(ended.folder)).toContain('there is no footer: the run did not end');
    await expectIncomplete(ended.folder);
  });

  test('full from its first line on: there is nothing to judge, and that is said', async () => {
    const ended = await runWith({ openLog: fullFrom('header', 1) }, ['missing-keys']);
    await expectVoid(ended, /^assay: the evidence cannot be written \(ENOSPC/);
    await expect(judged(join(ended.folder, 'evidence.jsonl'))).rejects.toThrow(
      /evidence\.jsonl: there is no footer: the run did not end; name the folder of a run of Assay$/,
    );
  });
});

describe('a wire that breaks accuses nobody', () => {
  /** The usual wire, with its n-th request and each of both functions in the hands of `breaks`. */
  const wireWith =
    (breaks: (count: number, send: () => Promise<WireOutcome>) => Promise<WireOutcome>): Means['openWire'] =>
    (target, clock) => {
      const wire = openWire(target, clock);
      let count = 0;
      const one = (send: () => Promise<WireOutcome>): Promise<WireOutcome> => breaks(++count, send);
      const broken: OpenWire = {
        send: (request, signal) => one(() => wire.send(request, signal)),
        sendTogether: async (requests, signal) => {
          const outcomes = await wire.sendTogether(requests, signal);
          return Promise.all(outcomes.map((outcome) => one(() => Promise.resolve(outcome))));
        },
        close: wire.close,
      };
      return broken;
    };
  const lost = (outcome: WireOutcome, reason: NoResponse['reason']): WireOutcome => ({
    ...outcome,
    answer: undefined,
    noAnswer: { reason, detail: 'injected', partial: undefined },
  });

  test.each([1, 5, 40])('that throws at request %i: void', async (at) => {
    const ended = await runWith(
      {
        openWire: wireWith((count, send) =>
          count === at ? Promise.reject(new Error('socket is not a function')) : send(),
        ),
      },
      ['missing-keys', 'duplicate-keys', 'schema-violations'],
    );
    await expectVoid(
      ended,
      /^assay: the harness itself failed, which says nothing about the target: socket is not a function\. The run is void\./,
    );
    expect(await problemsOf(ended.folder)).toEqual([]);
    await expectIncomplete(ended.folder);
  });

  // Every suite meets every reason: they take turns, so that one run is enough for several.
  test.each<[string, number, readonly NoResponse['reason'][], 'unsent' | 'sent']>([
    ['every 5th answer is lost, late or cut', 5, ['reset', 'timeout', 'closed'], 'sent'],
    ['every 4th request is not sent', 4, ['harness', 'tls'], 'unsent'],
  ])('%s', async (_, every, reasons, how) => {
    const { exitCode, report } = await runWith({
      openWire: wireWith(async (count, send) => {
        // Preflight passes.
        if (count <= 20 || count % every !== 0) return send();
        const reason = reasons[(count / every) % reasons.length] ?? 'reset';
        if (how === 'sent') return lost(await send(), reason);
        return {
          answer: undefined,
          noAnswer: { reason, detail: 'injected', partial: undefined },
          connection: -1,
          startedAt: 0,
          sentAt: undefined,
          endedAt: 0,
        };
      }),
    });
    expect(
      report?.cells
        .filter(({ verdict }) => verdict === 'fail' || verdict === 'unstable')
        .map(({ clause, because }) => `${clause}: ${because}`),
    ).toEqual([]);
    expect([0, 3]).toContain(exitCode);
  });

  test.each<[string, number, 'before' | 'after']>([
    ['one of 37 requests, which the service never sees', 37, 'before'],
    ['one of 43 requests, which the service carries out', 43, 'after'],
  ])('a gateway answers %s with 502', async (_, share, when) => {
    const { exitCode, report } = await runWith(
      {
        openWire: wireWith(async (count, send) => {
          // Scattered, so that repeats of as many requests do not meet it each time.
          if (count <= 20 || Math.imul(count, 2_654_435_761) >>> 0 > 2 ** 32 / share) return send();
          const outcome = when === 'after' ? await send() : undefined;
          const body = '<html><body>Bad Gateway</body></html>';
          return {
            connection: 0,
            startedAt: outcome?.startedAt ?? 0,
            sentAt: outcome?.sentAt ?? 0,
            endedAt: outcome?.endedAt ?? 0,
            noAnswer: undefined,
            answer: {
              status: 502,
              headers: [['Content-Type', 'text/html']],
              body,
              bodyBytes: body.length,
              truncated: false,
            },
          };
        }),
        // Where a hook makes the service fail, a gateway's failure in its place cannot be distinguished from it.
      },
      ['missing-keys', 'wrong-permissions', 'schema-violations', 'duplicate-keys', 'combined-faults'],
    );
    expect(
      report?.cells
        .filter(
          ({ level, verdict }) => level !== 'advisory' && (verdict === 'fail' || verdict === 'unstable'),
        )
        .map(({ clause, because, repeats }) => `${clause}: ${because} ${JSON.stringify(repeats)}`),
    ).toEqual([]);
    expect([0, 3]).toContain(exitCode);
  });
});
