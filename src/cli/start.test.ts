import { access, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import { assess } from '../run/assess.ts';
import { shapes } from '../selftest/shapes/catalogue.ts';
import { configurationFor } from '../selftest/shapes/configuration.ts';
import { blocksOf } from '../testing/blocks.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { doctor } from './doctor.ts';
import { init } from './init.ts';
import { plan } from './plan.ts';

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

test('init says whether the target responds, whether the token is there, and what the document suggests', async () => {
  const output = await place();
  const contract = join(output, '../c.yaml');
  const document = blocksOf('docs/contract.md', await readFile('docs/contract.md', 'utf8')).find(
    ({ mark }) => mark === 'example: contract',
  )?.text;
  await writeFile(contract, document ?? '');
  const said = capture();
  await init({ ...flags(output), contract }, said.output);
  expect(said.text()).toContain(
    `target: ${reference.reference.url} responds\ntoken: ASSAY_TOKEN_FULL is not set yet\n`,
  );
  expect(said.text()).toContain('  closeCase: x-governed: { effect: { read: getCase } }\n');
  expect(said.text()).not.toContain('permissions:');
  process.env['ASSAY_TOKEN_FULL'] = reference.principals.find(({ name }) => name === 'full')?.token;
  const checked = capture();
  await doctor(output, {}, checked.output, never);
  expect(checked.text()).toContain(
    'warning  closeCase leaves out what the contract document suggests\n         add what is correct: x-governed: { effect: { read: getCase } } (docs/contract.md)\n',
  );
  await writeFile(contract, document?.replaceAll(/serverToken: \[case\.\w+\]/g, 'serverToken: []') ?? '');
  const unnamed = capture();
  await init({ ...flags(output), contract, force: true }, unnamed.output);
  expect(unnamed.text()).toContain(
    'permissions: no operation names its permission, so nothing tests who may',
  );
  process.env['ASSAY_TOKEN_FULL'] = 'short';
  const other = capture();
  await init({ ...flags(output), contract, baseUrl: 'http://127.0.0.1:1', force: true }, other.output);
  expect(other.text()).toContain(
    'target: no response from http://127.0.0.1:1: the connection was refused; start the service, or correct the port in target.baseUrl\n',
  );
  expect(other.text()).toContain('token: ASSAY_TOKEN_FULL has fewer than 8 characters');
  expect(other.text()).not.toContain('short');
});

test('init names the file that it cannot write, with a contract of its own too', async () => {
  const output = join(await place(), 'nowhere', 'harness.config.yaml');
  await expect(init(flags(output), capture().output)).rejects.toThrow(
    /governed-command-1\.27\.0\.yaml: it cannot be written \(ENO(ENT|TDIR).*choose a folder that you may write/,
  );
});

test('init tries the token without an effect, and never prints it', async () => {
  const tried = async (token: string): Promise<string> => {
    process.env['ASSAY_TOKEN_FULL'] = token;
    const output = await place();
    const said = capture();
    await init(flags(output), said.output);
    for (const text of [said.text(), await readFile(output, 'utf8')]) expect(text).not.toContain(token);
    return (
      said
        .text()
        .split('\n')
        .find((line) => line.startsWith('token:')) ?? ''
    );
  };
  const known = reference.principals.find(({ name }) => name === 'full')?.token ?? '';
  expect(await tried(known)).toBe(
    'token: ASSAY_TOKEN_FULL is accepted: POST /cases without a key and a body returned 422 (without a token 401)',
  );
  expect(await tried('not-the-token-of-anybody')).toBe(
    'token: ASSAY_TOKEN_FULL is not accepted: POST /cases without a key and a body returned 401 (without a token 401)',
  );
  const nobody = reference.principals.find(({ name }) => name === 'nobody')?.token ?? '';
  expect(await tried(nobody)).toBe(
    'token: ASSAY_TOKEN_FULL lacks the permission, or is not accepted: POST /cases without a key and a body returned 403 (without a token 401)',
  );
});

test('doctor looks at each hook without calling it, and says what the run costs', async () => {
  const output = await place();
  await init(flags(output), capture().output);
  process.env['ASSAY_TOKEN_FULL'] = reference.principals.find(({ name }) => name === 'full')?.token;
  const hooks = {
    slow: { http: { url: `${reference.reference.url}/__reference/slow` } },
    revoke: { http: { url: 'http://127.0.0.1:1/revoke' } },
    restore: { command: 'touch called-by-doctor' },
    refresh: { command: './no-such-program.sh now' },
    failAfterCommit: { command: 'if' },
  };
  await writeFile(output, `${await readFile(output, 'utf8')}hooks: ${JSON.stringify(hooks)}\n`);
  const said = capture();
  await doctor(output, { maxRequests: 50 }, said.output, never);
  const lines = said.text();
  expect(lines).toMatch(/^ok {7}hook slow: http:/m);
  expect(lines).toMatch(/^warning {2}hook revoke: nothing listens at 127\.0\.0\.1:1$/m);
  expect(lines).toMatch(/^ok {7}hook restore: touch called-by-doctor$/m);
  expect(lines).toMatch(/^warning {2}hook refresh: there is no program \.\/no-such-program\.sh$/m);
  expect(lines).toMatch(/^warning {2}hook failAfterCommit: the shell cannot read its command$/m);
  expect(lines).toMatch(
    /^ok {7}plan: \d+ probes at the standard budget, about \d+ requests \(up to \d+ to provoke 429\) and \d+ s;/m,
  );
  expect(lines).toMatch(/^warning {2}the run ends after 50 requests\n +raise --max-requests/m);
  await expect(access('called-by-doctor')).rejects.toThrow();
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

test.each([
  [
    409,
    'a run tries other commands on the record first, and other bodies; if none helps, give records that are ready',
  ],
  [422, 'a run tries other bodies; if it finds none, give one under operations.<name>.examples'],
])('doctor says what helps a command that returns %s', async (status, remedy) => {
  const server = createServer((_, response) => response.writeHead(status).end('{}'));
  await new Promise<void>((listening) => {
    server.listen(0, '127.0.0.1', listening);
  });
  const { port } = server.address() as AddressInfo;
  const output = await place();
  process.env['ASSAY_TOKEN_FULL'] = 'the-token-of-somebody';
  await init({ ...flags(output), baseUrl: `http://127.0.0.1:${port}` }, capture().output);
  const said = capture();
  await doctor(output, {}, said.output, never);
  server.close();
  expect(said.text()).toContain(`POST /cases returned ${status}\n         ${remedy}`);
});

test('https at a port of http: one line for each finding, with what to do', async () => {
  const output = await place();
  const said = capture();
  const baseUrl = reference.reference.url.replace('http:', 'https:');
  process.env['ASSAY_TOKEN_FULL'] = 'not-the-token-of-anybody';
  await init({ ...flags(output), baseUrl }, said.output);
  expect(said.text()).toMatch(
    /^target: no response from https:\S+: no TLS connection: .* \(\w+\); it does not use TLS at this port: write http:/m,
  );
  const seen = capture();
  await doctor(output, {}, seen.output, never);
  expect(seen.text()).toMatch(
    /^trouble {2}principal full: POST \/cases returned nothing \(no TLS connection: [^:]* \(\w+\)\)\n {9}it does not use TLS/m,
  );
});

test('init reads permissions from an OpenAPI document and keeps an existing file', async () => {
  const output = await place();
  const contract = resolve('fixtures/contracts/extended-catalogue.yaml');
  await init({ ...flags(output), contract }, capture().output);
  const text = await readFile(output, 'utf8');
  expect(text).toMatch(/permissions: \[.*case\.create.*\]/);
  await writeFile(output, 'mine\n');
  await expect(init(flags(output), capture().output)).rejects.toThrow(
    'the file already exists; choose another with --output, or replace it with --force',
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

test('doctor blames a hook that fails, where it is configured, and names nothing that the target has none of', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-hooks-'));
  const text = shapes.find(({ name }) => name === 'verified-within')?.text ?? '';
  await writeFile(join(folder, 'contract.yaml'), text);
  const config = configurationFor(await parseContract(text, 'contract.yaml'));
  const file = join(folder, 'assay.json');
  await writeFile(file, config.replace('reference:/verify', 'http://127.0.0.1:1/verify'));
  const seen = capture();
  expect(await doctor(file, {}, seen.output, never)).toBe(2);
  const line = config.split('\n').findIndex((each) => each.includes('"verify"')) + 1;
  expect(seen.text()).toMatch(/^trouble {2}principal exact-\d: .*the hook 'verify' failed/m);
  expect(seen.text()).toContain(`correct hooks.verify (${file}:${line}:`);
  expect(seen.text()).not.toContain('target.baseUrl');
  expect(seen.text()).not.toContain('No value of its query fields is wrong');
  const planned = capture();
  await plan(file, { overrides: {} }, planned.output);
  expect(planned.text()).not.toContain('No value of its query fields is wrong');
});

test.each([
  ['harness.config.yaml', 'raise --max-seconds, or declare G15: reads are given 5 s to show a write'],
  ['fixtures/contracts/extended.config.yaml', 'raise --max-seconds, or part'],
])('the plan of %s says what makes room for a run that waits too long', async (file, remedy) => {
  const said = capture();
  expect(await plan(file, { overrides: { maxSeconds: 1, budget: 'quick' } }, said.output)).toBe(0);
  expect(said.text()).toContain(`warning: the run ends after 1 s; ${remedy}`);
});
