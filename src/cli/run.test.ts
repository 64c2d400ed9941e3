import { randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { createServer, type Server } from 'node:net';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterEach, describe, expect, test } from 'vitest';
import { expectedOfExpress, expectedOfFastify } from '../../fixtures/third-party/expected.ts';
import { startExpress } from '../../fixtures/third-party/express.ts';
import { startFastify } from '../../fixtures/third-party/fastify.ts';
import type { Overrides } from '../config/config.ts';
import { loadConfig } from '../config/load.ts';
import { usualMeans } from '../run/means.ts';
import { capture } from '../testing/captured.ts';
import { judge } from './judge.ts';
import { type RunFlags, run } from './run.ts';
import type { Output } from './terminal/output.ts';

const config = 'harness.config.yaml';

async function runAgainst(
  overrides: Overrides,
  more: {
    readonly suites?: readonly string[];
    readonly operations?: readonly string[];
    readonly config?: string;
    readonly signal?: AbortSignal;
    /** Requests that the embedded reference service takes in its window; low where a busy machine must reach it. */
    readonly rateLimit?: number;
  } = {},
) {
  const captured = capture();
  const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
  const result = await run(
    more.config ?? config,
    {
      overrides: { output: folder, budget: 'quick', seed: 11, ...overrides },
      suites: more.suites,
      operations: more.operations,
      quiet: true,
      ...(more.rateLimit === undefined
        ? {}
        : { reference: { change: {}, settings: { rateLimit: more.rateLimit } } }),
    },
    captured.output,
    more.signal ?? new AbortController().signal,
  );
  const [name] = await readdir(folder);
  return { ...result, text: captured.text(), bundle: join(folder, name ?? '') };
}

/** Tokens of the default configuration, with what they are permitted. */
async function issued() {
  const { principals, tokens } = await loadConfig(config);
  return principals.map((principal) => {
    const source = tokens.get(principal.name);
    return {
      token: source !== undefined && 'value' in source ? source.value : '',
      permissions: principal.permissions,
      state: principal.state,
    };
  });
}

const closers: (() => Promise<void> | void)[] = [];
afterEach(async () => {
  for (const close of closers.splice(0)) await close();
});

describe('the embedded reference service', () => {
  test('is conformant, and its log is judged again with the same verdict', async () => {
    const { exitCode, report, bundle } = await runAgainst({}, { rateLimit: 20 });
    expect(report?.violations.map((violation) => `${violation.clause}: ${violation.actual}`)).toEqual([]);
    expect(report?.verdict.outcome).toBe('conformant');
    expect(exitCode).toBe(0);
    const before = JSON.parse(await readFile(join(bundle, 'report.json'), 'utf8'));
    const again = capture();
    expect(await judge(bundle, again.output)).toBe(0);
    const after = JSON.parse(await readFile(join(bundle, 'report.json'), 'utf8'));
    expect(after.cells).toEqual(before.cells);
    expect(after.verdict).toEqual(before.verdict);
    expect(again.text()).not.toContain('altered');
    const file = join(bundle, 'evidence.jsonl');
    const lines = (await readFile(file, 'utf8')).split('\n');
    await writeFile(file, lines.with(20, '{"line":').join('\n'));
    const altered = capture();
    await judge(bundle, altered.output);
    expect(altered.text()).toContain('evidence.jsonl:21: the line is not one of a log');
    expect(altered.text()).toContain(
      'assay: the log is incomplete, or was altered; finish the run with `assay run --resume`, or judge an unaltered copy',
    );
  });

  test('no token reaches the bundle or the terminal, plain, in base64, or percent-encoded', async () => {
    const { bundle, text } = await runAgainst({});
    const written = await Promise.all(
      (await readdir(bundle)).map((name) => readFile(join(bundle, name), 'utf8')),
    );
    const everything = [text, ...written].join('\n');
    expect(everything).toContain('ASSAY_TOKEN_FULL');
    for (const { token } of await issued()) {
      const base64 = Buffer.from(token).toString('base64').replace(/=+$/, '');
      for (const form of [
        token,
        token.toLowerCase(),
        base64,
        base64.slice(0, -1),
        Buffer.from(token).toString('hex'),
        [...token].map((letter) => `%${letter.charCodeAt(0).toString(16)}`).join(''),
      ])
        expect(everything.includes(form), form).toBe(false);
      // `Basic base64(token:token)` begins as the token's own base64 does, but for its last characters.
      expect(everything.includes(base64.slice(0, 24))).toBe(false);
    }
  });

  test('one seed gives one plan, and names are bound afresh', async () => {
    const plans = await Promise.all([
      runAgainst({}, { suites: ['missing-keys', 'duplicate-keys'] }),
      runAgainst({}, { suites: ['missing-keys', 'duplicate-keys'] }),
    ]);
    const logs = await Promise.all(
      plans.map(async ({ bundle }) =>
        (await readFile(join(bundle, 'evidence.jsonl'), 'utf8'))
          .trim()
          .split('\n')
          .map((line) => JSON.parse(line)),
      ),
    );
    // A case that met a throttle or a lost connection runs again, so each is counted once.
    const [one, other] = logs.map((lines) => [
      ...new Set(
        lines
          .filter((line) => line.line === 'trace' && line.trace.suite !== 'preflight')
          .map((line) =>
            JSON.stringify([
              line.trace.suite,
              line.trace.probe,
              line.trace.scenarioIndex,
              line.trace.scenario,
            ]),
          )
          .sort(),
      ),
    ]);
    expect(one?.length).toBeGreaterThan(10);
    expect(one).toEqual(other);
    const [keys, others] = logs.map(
      (lines) =>
        new Set(
          lines
            .filter((line) => line.line === 'trace')
            .flatMap((line) => Object.values(line.trace.bound.keys)),
        ),
    );
    expect([...(keys ?? [])].filter((key) => others?.has(key))).toEqual([]);
  });

  test('a part of the suites gives a PARTIAL verdict', async () => {
    const { report, text } = await runAgainst({}, { suites: ['missing-keys'] });
    expect(report?.verdict).toMatchObject({ partial: true, certifiable: false, outcome: 'conformant' });
    expect(text).toContain('PARTIAL');
  });

  test('an operation that no principal may call is not fully verified', async () => {
    const place = await mkdtemp(join(tmpdir(), 'assay-test-'));
    const file = join(place, 'assay.yaml');
    await writeFile(
      file,
      [
        'target: { baseUrl: reference, environment: test }',
        `contract: ${join(process.cwd(), 'fixtures/contracts/extended-catalogue.yaml')}`,
        'principals: { full: { token: { value: Reference-Token-0001 }, permissions: [case.create], scope: a } }',
      ].join('\n'),
    );
    const { bundle, exitCode, report, text } = await runAgainst(
      {},
      { config: file, operations: ['createContact'] },
    );
    expect(exitCode).toBe(3);
    expect(report?.verdict.outcome).toBe('not fully verified');
    expect(text).toContain('not fully verified');
    expect(await readFile(join(bundle, 'junit.xml'), 'utf8')).toMatch(/<error [^>]*Not fully verified: /);
    expect(await readFile(join(bundle, 'summary.md'), 'utf8')).toContain('not fully verified');
  });

  test.each<[string, readonly string[] | undefined]>([
    ['its plan', undefined],
    ['a plan that filters may leave empty', ['createCase']],
  ])('a run that is stopped before it has %s is void', async (_, operations) => {
    const captured = capture();
    const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
    const stop = new AbortController();
    const flags: RunFlags = {
      ...{ overrides: { output: folder, budget: 'quick' }, operations, quiet: false },
      // Asked for once the contract is read.
      get means() {
        stop.abort();
        return usualMeans;
      },
    };
    const { exitCode, report } = await run(config, flags, captured.output, stop.signal);
    expect([exitCode, report]).toEqual([2, undefined]);
    expect(captured.text()).toBe('assay: stopped while the plan was made; nothing was tested\n');
  });

  test('a run that is stopped while its contract is read says so, and leaves nothing', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
    const overrides = { output: folder, budget: 'quick' } as const;
    const running = run(config, { overrides, quiet: true }, capture().output, AbortSignal.abort());
    await expect(running).rejects.toThrow('stopped while the contract was read; nothing was tested');
    expect(await readdir(folder)).toEqual([]);
  });

  test('an interrupted run is not fully verified, and its log is whole', async () => {
    const stop = new AbortController();
    const captured = capture();
    const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
    const output: Output = {
      ...captured.output,
      err: (text) => text.includes('duplicate-keys') && stop.abort(),
    };
    const { exitCode, report } = await run(
      config,
      {
        overrides: { output: folder, budget: 'quick' },
        suites: undefined,
        operations: undefined,
        quiet: false,
      },
      output,
      stop.signal,
    );
    expect(exitCode).toBe(3);
    expect(report?.violations).toEqual([]);
    const [name] = await readdir(folder);
    expect(
      (await readFile(join(folder, name ?? '', 'evidence.jsonl'), 'utf8')).trim().split('\n').at(-1),
    ).toContain('"end":"interrupted"');
  });
});

describe('services made of published packages', () => {
  test.each([
    ['Express', startExpress, expectedOfExpress],
    ['Fastify', startFastify, expectedOfFastify],
  ] as const)(
    '%s: the expected violations, each with request IDs',
    async (_, start, expected) => {
      const tokens = (await issued()).filter(({ state }) => state === 'valid');
      const service = await start({ tokens, id: () => randomUUID().replaceAll('-', '') });
      closers.push(service.close);
      for (const seed of [1, 2, 3]) {
        const { exitCode, report } = await runAgainst({ baseUrl: service.url, seed });
        expect(report?.violations.map((violation) => violation.clause).sort()).toEqual(
          Object.keys(expected).sort(),
        );
        expect(exitCode).toBe(1);
        for (const violation of report?.violations ?? []) {
          expect(violation.requestIds.length).toBeGreaterThan(0);
          expect(violation.curl.join('\n')).toMatch(/\$\{ASSAY_TOKEN_\w+\}/);
        }
      }
    },
    180_000,
  );
});

describe('targets that are broken or hostile never crash the harness, and are never accused of what is not theirs', () => {
  async function raw(answer: (socket: import('node:net').Socket) => void): Promise<string> {
    const server: Server = createServer((socket) => {
      socket.on('error', () => socket.destroy());
      socket.once('data', () => answer(socket));
    });
    await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
    closers.push(() => new Promise((resolve) => void server.close(() => resolve())));
    const address = server.address();
    return `http://127.0.0.1:${typeof address === 'object' ? address?.port : 0}`;
  }

  test('nobody listens: exit 2, and one line with the URL and the remedy', async () => {
    const { exitCode, text, report } = await runAgainst({ baseUrl: 'http://127.0.0.1:1' });
    expect(exitCode).toBe(2);
    expect(report).toBeUndefined();
    expect(text).toContain(
      'assay: no response from http://127.0.0.1:1: the connection was refused; start the service, or correct the port in target.baseUrl\n',
    );
  });

  test.each([
    [
      'HTML',
      'HTTP/1.1 200 OK\r\nContent-Type: text/html\r\nContent-Length: 13\r\nConnection: close\r\n\r\n<html></html>',
    ],
    [
      'invalid JSON',
      'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 4\r\nConnection: close\r\n\r\n{"id',
    ],
    [
      'redirects',
      'HTTP/1.1 302 Found\r\nLocation: http://127.0.0.1:1/\r\nContent-Length: 0\r\nConnection: close\r\n\r\n',
    ],
    [
      'a body shorter than its Content-Length',
      'HTTP/1.1 201 Created\r\nContent-Type: application/json\r\nContent-Length: 500\r\nConnection: close\r\n\r\n{}',
    ],
    ['an answer cut in its head', 'HTTP/1.1 201 Cre'],
    ['what is not HTTP', 'SSH-2.0-OpenSSH_9.6\r\n'],
    ['404 throughout', 'HTTP/1.1 404 Not Found\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'],
    ['5xx throughout', 'HTTP/1.1 503 Service Unavailable\r\nContent-Length: 0\r\nConnection: close\r\n\r\n'],
  ])('%s', async (_, bytes) => {
    const url = await raw((socket) => socket.end(bytes));
    const { exitCode, report, text } = await runAgainst(
      { baseUrl: url, maxSeconds: 20 },
      { suites: ['missing-keys', 'credentials'] },
    );
    expect([1, 2, 3]).toContain(exitCode);
    if (exitCode === 2)
      expect(text).toMatch(
        /no valid request succeeds|no response from http|fails at every request|knows none of the paths|redirects every request|returns a web page/,
      );
    if (bytes.includes(' 404 ')) expect(text).toContain('check the path of target.baseUrl');
    if (bytes.includes(' 503 ')) expect(text).toContain('the target fails at every request');
    // What is found must rest on a response.
    for (const violation of report?.violations ?? [])
      expect(violation.exchanges.some((exchange) => exchange.status !== undefined)).toBe(true);
  });

  test('a service that dies in the middle: nothing is invented, exit 3', async () => {
    const tokens = (await issued()).filter(({ state }) => state === 'valid');
    const { startReference } = await import('../reference/server.ts');
    const { loadContract } = await import('../contract/load.ts');
    const { machineClock } = await import('../run/clock.ts');
    const { principals } = await loadConfig(config);
    const reference = await startReference({
      contract: await loadContract('fixtures/contracts/governed-command-1.27.0.yaml'),
      principals: principals.map((principal, index) => ({
        ...principal,
        token: tokens[index]?.token ?? `none-${index}-none`,
      })),
      clock: machineClock,
      randomBytes: (length) =>
        Buffer.from(randomUUID().replaceAll('-', '').repeat(2), 'hex').subarray(0, length),
    });
    closers.push(reference.close);
    const captured = capture();
    const folder = await mkdtemp(join(tmpdir(), 'assay-test-'));
    let killed: Promise<void> | undefined;
    const output: Output = {
      ...captured.output,
      err: (text) => {
        captured.output.err(text);
        if (text.includes('missing-keys')) killed ??= reference.close();
      },
    };
    const impatient = join(folder, 'impatient.yaml');
    const text = (await readFile(config, 'utf8'))
      .replace('timeoutMs: 10000', 'timeoutMs: 10000\n  returnSeconds: 1')
      .replace('contract: ./', `contract: ${process.cwd()}/`);
    await writeFile(impatient, text);
    const { exitCode, report } = await run(
      impatient,
      {
        overrides: { output: folder, budget: 'quick', baseUrl: reference.url },
        suites: undefined,
        operations: undefined,
        quiet: false,
      },
      output,
      new AbortController().signal,
    );
    await killed;
    expect(captured.text()).toMatch(
      /ended: target stopped responding; .* The last requests before:\n {4}x\d+ createCase: POST/,
    );
    expect(report?.violations).toEqual([]);
    expect(exitCode).toBe(3);
  });
});
