import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import pc from 'picocolors';
import { expect, test } from 'vitest';
import { run } from '../cli/run.ts';
import { extendedConfig } from './place.ts';

/** The configuration of the extended catalogue with every hook replaced by one that fails. */
async function withHooks(hook: string): Promise<string> {
  const text = await readFile(extendedConfig(), 'utf8');
  const changed = text
    .replace('contract: ./', `contract: ${resolve('fixtures/contracts')}/`)
    .replaceAll(/^( {2}\w+): \{ http: \{ url: "reference:\/\w+" \} \}$/gm, `$1: ${hook}`);
  expect(changed).not.toContain('reference:/');
  const file = join(await mkdtemp(join(tmpdir(), 'assay-hooks-')), 'harness.config.yaml');
  await writeFile(file, changed);
  return file;
}

test.each([
  ['that fail', '{ command: "echo broken >&2; exit 1" }'],
  ['that nobody answers', '{ http: { url: "http://127.0.0.1:1/hook" } }'],
  ['that hang', '{ command: "exec sleep 60", timeoutSeconds: 1 }'],
])('hooks %s accuse nobody', async (_, hook) => {
  const ignore = (): void => undefined;
  const { exitCode, report } = await run(
    await withHooks(hook),
    {
      overrides: {
        output: await mkdtemp(join(tmpdir(), 'assay-hooks-')),
        budget: 'quick',
        seed: 7,
      },
      suites: ['wrong-permissions', 'lost-responses'],
      operations: ['createCase'],
      quiet: true,
    },
    { out: ignore, err: ignore, live: false, columns: 100, colours: pc.createColors(false) },
    new AbortController().signal,
  );
  expect(report?.violations.map(({ clause, actual }) => `${clause}: ${actual}`)).toEqual([]);
  expect(
    report?.cells
      .filter(
        ({ verdict, because }) =>
          verdict === 'inconclusive' &&
          /^The hook of '[^']+' failed \(.+\), so nothing follows/.test(because),
      )
      .map(({ clause }) => clause),
  ).toContain('PRM-10');
  expect([0, 3]).toContain(exitCode);
});

test('a hook that hangs does not outlive the seconds of the run', async () => {
  const ignore = (): void => undefined;
  const output = await mkdtemp(join(tmpdir(), 'assay-hooks-'));
  const { exitCode } = await run(
    await withHooks('{ command: "exec sleep 600", timeoutSeconds: 600 }'),
    {
      overrides: { output, budget: 'quick', seed: 7, maxSeconds: 2 },
      suites: ['lost-responses'],
      operations: ['createCase'],
      quiet: true,
    },
    { out: ignore, err: ignore, live: false, columns: 100, colours: pc.createColors(false) },
    new AbortController().signal,
  );
  expect(exitCode).toBe(3);
  const [name = ''] = await readdir(output);
  expect(await readFile(join(output, name, 'evidence.jsonl'), 'utf8')).toContain('"end":"budget"');
});
