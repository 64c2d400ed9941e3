import { mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { capture } from '../../bench/captured.ts';
import { startFaulty } from '../../bench/faulty-run.ts';
import { assess } from '../run/assess.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';

const never = new AbortController().signal;
let reference: Awaited<ReturnType<typeof startFaulty>>;
beforeEach(async () => {
  reference = await startFaulty({}, 'harness.config.yaml');
});
afterEach(async () => {
  delete process.env['ASSAY_TOKEN_FULL'];
  await reference.reference.close();
});

const place = async (): Promise<string> =>
  join(await mkdtemp(join(tmpdir(), 'assay-init-')), 'my.config.yaml');
const flags = (output: string) => ({
  baseUrl: reference.reference.url,
  contract: undefined,
  output,
  force: false,
});

test('init writes a configuration that doctor accepts and a run can use as it is', async () => {
  const output = await place();
  const said = capture();
  expect(await init(flags(output), said.output)).toBe(0);
  expect(said.text()).toContain(`assay doctor --config ${output}`);
  process.env['ASSAY_TOKEN_FULL'] = reference.principals.find(({ name }) => name === 'full')?.token;
  const seen = capture();
  expect(await doctor(output, {}, seen.output, never)).toBe(3);
  expect(seen.text()).toMatch(/^ok {7}principal full: POST \/cases returned 201$/m);
  expect(seen.text()).toContain('A run can begin');
  const folder = await mkdtemp(join(tmpdir(), 'assay-assess-'));
  const events: string[] = [];
  const { report } = await assess({
    config: output,
    suites: ['missing-keys'],
    budget: 'quick',
    output: folder,
    onEvent: ({ kind }) => events.push(kind),
  });
  expect(report.verdict.outcome).toBe('conformant');
  expect(events).toContain('probe-started');
});

test('doctor names what a wrong token needs', async () => {
  const output = await place();
  await init(flags(output), capture().output);
  process.env['ASSAY_TOKEN_FULL'] = 'not-the-token-of-anybody';
  const said = capture();
  expect(await doctor(output, {}, said.output, never)).toBe(2);
  expect(said.text()).toMatch(/trouble {2}principal full: POST \/cases returned 401\n +check the token/);
  expect(said.text()).not.toContain('not-the-token-of-anybody');
});

test('init reads permissions from an OpenAPI document and keeps an existing file', async () => {
  const output = await place();
  const contract = resolve('fixtures/contracts/extended-catalogue.yaml');
  await init({ ...flags(output), contract }, capture().output);
  const text = await readFile(output, 'utf8');
  expect(text).toMatch(/permissions: \[.*case\.create.*\]/);
  await writeFile(output, 'mine\n');
  await expect(init(flags(output), capture().output)).rejects.toThrow(
    'the file exists already; choose another with --output, or replace it with --force',
  );
  expect(await readFile(output, 'utf8')).toBe('mine\n');
});

test('init asks for the base URL on a terminal, and names the flag elsewhere', async () => {
  const output = await place();
  const asked: string[] = [];
  await init({ ...flags(output), baseUrl: undefined }, capture().output, async (question) => {
    asked.push(question);
    return reference.reference.url;
  });
  expect(asked).toEqual(['Base URL of the target: ']);
  await expect(
    init({ ...flags(await place()), baseUrl: undefined }, capture().output, undefined),
  ).rejects.toThrow('--base-url: a value is needed');
});
