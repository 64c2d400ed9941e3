import { execFile } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { startExpress } from '../../fixtures/third-party/express.ts';
import { startFastify } from '../../fixtures/third-party/fastify.ts';
import { loadConfig } from '../config/load.ts';
import { placeholder } from '../evidence/gate.ts';
import { faults } from '../reference/faults/catalogue.ts';
import { faultyRun, startFaulty } from '../testing/faulty-run.ts';
import { run } from './run.ts';

async function shell(
  program: string,
  commands: readonly string[],
  principals: readonly { readonly name: string; readonly token: string }[],
): Promise<string> {
  const tokens = Object.fromEntries(principals.map(({ name, token }) => [placeholder(name), token]));
  return new Promise((resolve) =>
    execFile(program, ['-c', commands.join('\n')], { env: { ...process.env, ...tokens } }, (_, out) =>
      resolve(out),
    ),
  );
}

test.each([
  ['Express', startExpress, 'bash'],
  ['Fastify', startFastify, 'sh'],
] as const)(
  'the printed curl commands show every violation of a service with %s',
  async (_, start, program) => {
    const { principals, tokens } = await loadConfig('harness.config.yaml');
    const known = principals.map((principal) => {
      const source = tokens.get(principal.name);
      return { ...principal, token: source !== undefined && 'value' in source ? source.value : '' };
    });
    const service = await start({
      tokens: known.filter(({ state }) => state === 'valid'),
      id: () => randomUUID().replaceAll('-', ''),
    });
    try {
      const output = {
        out: () => undefined,
        err: () => undefined,
        live: false,
        columns: 100,
        colours: pc.createColors(false),
      };
      const overrides = {
        baseUrl: service.url,
        budget: 'quick',
        seed: 5,
        output: await mkdtemp(join(tmpdir(), 'assay-curl-')),
      } as const;
      const { report } = await run(
        'harness.config.yaml',
        { overrides, suites: undefined, operations: undefined, quiet: true },
        output,
        new AbortController().signal,
      );
      expect(report?.violations.length).toBeGreaterThan(0);
      for (const violation of report?.violations ?? []) {
        const text = await shell(program, violation.curl, known);
        const statuses = [...text.matchAll(/HTTP\/1\.1 (\d{3})/g)].map((match) => Number(match[1]));
        expect(statuses, `${violation.clause}\n${violation.curl.join('\n')}\n${text}`).toEqual(
          violation.exchanges.map((exchange) => exchange.status),
        );
      }
    } finally {
      await service.close();
    }
  },
);

test('where only a read shows a violation, the last command is that read', async () => {
  const change = faults.find(({ id }) => id === 'I07')?.change ?? {};
  const config = 'fixtures/contracts/extended.config.yaml';
  const { report } = await faultyRun(change, {
    config,
    suites: ['lost-responses'],
    operations: ['createCase'],
  });
  const violation = report?.violations.find(({ id }) => id === 'IDM-4/createCase');
  expect(violation?.curl.slice(-2)).toEqual([
    ": 'Count the records that hold $MARKER_1, on every page (cursor):'",
    expect.stringMatching(/^curl .*\/cases -H 'Authorization: Bearer '"\$\{ASSAY_TOKEN_FULL\}"/),
  ]);
  // A service that was just started holds these records alone.
  const { reference, principals } = await startFaulty(change, config);
  try {
    const there = violation?.curl.map((line) =>
      line.replaceAll(report?.subject.asserted.baseUrl ?? '', reference.url),
    );
    const text = await shell('sh', [...(there ?? []), 'echo "marker=$MARKER_1"'], principals);
    const marker = /marker=(asy-[0-9a-f]{16})/.exec(text)?.[1] ?? 'none';
    const page = text.slice(text.lastIndexOf('HTTP/1.1 200'), text.lastIndexOf('marker='));
    expect(page.split(marker).length - 1, text).toBeGreaterThan(1);
  } finally {
    await reference.close();
  }
});
