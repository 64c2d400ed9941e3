import { execFile, spawn } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { beforeAll, describe, expect, test } from 'vitest';
import { inProcess } from '../run/in-process.ts';
import { capture } from '../testing/captured.ts';
import { run } from './run.ts';

const root = resolve('.');
type Ended = { readonly code: number; readonly out: string; readonly err: string };

function call(command: string, args: readonly string[], cwd: string): Promise<Ended> {
  return new Promise((done) => {
    execFile(
      command,
      [...args],
      { cwd, env: { ...process.env, NO_COLOR: '1' }, maxBuffer: 64 * 1024 * 1024 },
      (error, out, err) => {
        done({ code: error === null ? 0 : typeof error.code === 'number' ? error.code : 1, out, err });
      },
    );
  });
}

const assay = (args: readonly string[], cwd = root): Promise<Ended> =>
  call(process.execPath, [join(root, 'dist/src/cli/main.js'), ...args], cwd);

describe('the command line', () => {
  test('--help shows the commands, and help of a command its exit codes', async () => {
    expect((await assay(['--help'])).out).toMatch(
      /run \[options\][\s\S]*judge <run>[\s\S]*serve \[options\]/,
    );
    expect((await assay(['run', '--help'])).out).toContain(
      'Exit codes: 0 conformant, 1 violations, 2 the harness or its configuration failed, 3 not fully verified.',
    );
  });

  test.each([
    [
      ['run', '--suite', 'missing-kyes'],
      /^assay: --suite: there is no suite 'missing-kyes'; did you mean 'missing-keys'\?\n$/,
    ],
    [
      ['run', '--operation', 'createCas'],
      /^assay: --operation: there is no operation 'createCas'; did you mean 'createCase'\?\n$/,
    ],
    [['serve', '--fault', 'II07'], /^assay: --fault: there is no fault 'II07'; did you mean 'I07'\?\n$/],
    [['serve', '--fault', 'nothing'], /^assay: --fault: there is no fault 'nothing'; known are: R01, .+\n$/],
    [['run', '--config', 'nowhere.yaml'], /^assay: nowhere\.yaml: there is no such file; .+\n$/],
    [['run', '--base-url', 'ftp://x'], /^assay: --base-url: .+; .+\n$/],
    [['run', '--config', ''], /^assay: --config: the name of the file is empty; .+\n$/],
    [['run', 'a', 'b'], /^assay: too many arguments .+; `assay --help` lists .+\n$/],
    [['runn'], /^assay: unknown command 'runn'; did you mean run\?\n$/],
    [['run', '--frobnicate'], /^assay: unknown option '--frobnicate'; .+ --help.+\n$/],
    [['verify', 'reports/nowhere'], /^assay: reports\/nowhere: there is no such folder; .+\n$/],
    [['judge', 'reports/nowhere'], /^assay: reports\/nowhere\/evidence\.jsonl: there is no such log; .+\n$/],
  ])('%j is one clear line, exit 2', async (args, line) => {
    const { code, err } = await assay(args);
    expect(err).toMatch(line);
    expect(code).toBe(2);
  });

  test('without a configuration nothing is tested: exit 2, and how to go on', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-cli-'));
    const said =
      /^assay: harness\.config\.yaml: there is no such file.*; name one with --config, write one with assay init, or add --base-url reference .+\n$/;
    for (const args of [
      ['run'],
      ['plan'],
      ['list', 'operations'],
      ['run', '--base-url', 'http://127.0.0.1:1'],
    ]) {
      const { code, err, out } = await assay(args, folder);
      expect(err, args.join(' ')).toMatch(said);
      expect([code, out]).toEqual([2, '']);
    }
    expect((await assay(['list', 'suites', '--base-url', 'reference'], folder)).out).toContain(
      'missing-keys',
    );
    expect((await assay(['list', 'clauses'], folder)).code).toBe(0);
    expect((await assay(['plan', '-b', 'quick', '-u', 'reference'], folder)).out).toContain('probes');
  });

  test('list, explain and plan answer without sending anything', async () => {
    expect((await assay(['list', 'clauses'])).out.trim().split('\n')).toHaveLength(115);
    expect((await assay(['list', 'operations'])).out).toMatch(
      /^createCase +POST \/cases +case\.create +command\n$/,
    );
    expect((await assay(['explain', 'idm-8'])).out).toMatch(
      /^IDM-8 stated\n[\s\S]*Source[\s\S]*Test[\s\S]*Violation[\s\S]*Fix[\s\S]*Code +src\/clauses\/\S+:\d+\nFaults +src\/reference\/faults\/\S+:\d+ \(I\w+\)\n[\s\S]*Traces +src\/clauses\/cases\/\S+:\d+\n[\s\S]*Suites +suites\/\S+:\d+ \(\S+\)\n/,
    );
    expect((await assay(['explain', 'g8'])).out).toContain(
      'Declare    declares.G8 in the configuration: write unthrottled, limits such as',
    );
    expect(await assay(['explain', 'IDM-99'])).toMatchObject({
      code: 2,
      err: expect.stringContaining("unknown clause or open point 'IDM-99'"),
    });
    const { out, code } = await assay(['plan', '--budget', 'quick', '--seed', '1']);
    expect(out).toMatch(
      /missing-keys +\d+ probes, about \d+ requests[\s\S]*all +\d+ probes, about \d+ requests at the quick budget, seed 1/,
    );
    expect(code).toBe(0);
  });

  test.each([
    ['rid-3', [], 'RID-3\n  No probe is aimed at it: it is judged on every response'],
    ['VER-1', [], 'VER-1\n  No operation of this selection has what the clause is about.'],
    ['IDM-4', ['--suite', 'credentials'], 'IDM-4\n  The other filters leave out the probes'],
  ])('plan says why no probe is aimed at %s', async (clause, more, because) => {
    const { out, code } = await assay(['plan', '--clause', clause, ...more]);
    expect(out).toContain(because);
    expect(out).toMatch(/^all +0 probes/m);
    expect(code).toBe(0);
    expect((await assay(['run', '--quiet', '--clause', clause, ...more])).err).toContain(
      because.split('\n')[1]?.trim(),
    );
  });

  test('a bad configuration and a bad contract are reported with line and column', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-cli-'));
    await writeFile(
      join(folder, 'harness.config.yaml'),
      'target: { baseUrl: reference, environment: test }\ncontract: ./contract.yaml\nprincipls: {}\n',
    );
    expect((await assay(['run'], folder)).err).toMatch(
      /^assay: harness\.config\.yaml:3:1: unknown key 'principls'; did you mean 'principals'\?/,
    );
    await writeFile(
      join(folder, 'harness.config.yaml'),
      'target: { baseUrl: reference, environment: test }\ncontract: ./contract.yaml\nprincipals: { a: { token: { value: 0123456789abcdef }, permissions: [] } }\n',
    );
    expect((await assay(['run'], folder)).err).toBe(
      'assay: harness.config.yaml:2:1: contract.yaml: there is no such file; check the path of the contract\n',
    );
    await writeFile(
      join(folder, 'contract.yaml'),
      'openapi: 3.1.1\ninfo: { title: x, version: 1 }\npaths: {}\n',
    );
    expect((await assay(['run'], folder)).err).toMatch(/^assay: .*contract\.yaml:\d+:\d+: .+; .+\n$/);
  });

  test('plan names the operation that cannot be tested, and why', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-cli-'));
    await writeFile(
      join(folder, 'harness.config.yaml'),
      'target: { baseUrl: reference, environment: test }\ncontract: ./contract.yaml\nprincipals: { a: { token: { value: 0123456789abcdef }, permissions: [] } }\n',
    );
    const document = await readFile(join(root, 'fixtures/contracts/governed-command-1.27.0.yaml'), 'utf8');
    await writeFile(
      join(folder, 'contract.yaml'),
      document.replace(
        /^paths:\n/m,
        "paths:\n  /notes:\n    post:\n      operationId: addNote\n      responses: { '201': { description: added } }\n",
      ),
    );
    const { err, code } = await assay(['plan'], folder);
    expect(err).toMatch(/^assay: POST \/notes is left out: .*contract\.yaml:\d+:\d+: .+; .+\n$/);
    expect(code).toBe(0);
  });
});

test('serve --fault serves the reference service with that fault', async () => {
  const child = spawn(
    process.execPath,
    [join(root, 'dist/src/cli/main.js'), 'serve', '--port', '0', '--fault', 'm01'],
    { env: { ...process.env, NO_COLOR: '1' }, stdio: ['ignore', 'pipe', 'inherit'] },
  );
  try {
    let said = '';
    for await (const chunk of child.stdout) {
      said += String(chunk);
      if (said.includes('Press Ctrl-C')) break;
    }
    expect(said).toMatch(
      /^Fault M01: A command that creates a record returns 200\.\n {2}breaks CMD-1\n {2}assay run --config \S+extended\.config\.yaml --base-url http:\S+ --operation createCase$/m,
    );
    const url = /Reference service: (\S+)/.exec(said)?.[1] ?? '';
    const answer = await fetch(`${url}/cases`, {
      method: 'POST',
      headers: {
        authorization: `Bearer ${/^ {2}full +(\S+)/m.exec(said)?.[1]}`,
        'content-type': 'application/json',
        'idempotency-key': '00000000-0000-4000-8000-000000000001',
      },
      body: JSON.stringify({ subject: 'Served with a fault' }),
    });
    expect(answer.status).toBe(200);
    expect(await answer.json()).toMatchObject({ status: 'open' });
  } finally {
    child.kill();
  }
});

describe('the package', () => {
  let folder = '';
  beforeAll(async () => {
    folder = await mkdtemp(join(tmpdir(), 'assay-pack-'));
    const packed = await call(
      'npm',
      ['pack', '--silent', '--ignore-scripts', '--pack-destination', folder],
      root,
    );
    await writeFile(
      join(folder, 'package.json'),
      '{ "name": "vendor", "private": true, "type": "module" }\n',
    );
    const installed = await call(
      'npm',
      [
        'install',
        '--silent',
        '--no-audit',
        '--no-fund',
        join(folder, packed.out.trim().split('\n').at(-1) ?? ''),
      ],
      folder,
    );
    expect(installed.code, installed.err).toBe(0);
  }, 180_000);

  test('runs from its bin in an empty folder', async () => {
    const bin = join(folder, 'node_modules/.bin/assay');
    expect((await call(bin, ['--help'], folder)).out).toContain('Conformance test harness');
    const { code, out } = await call(
      bin,
      ['run', '--quiet', '--budget', 'quick', '--suite', 'missing-keys', '--base-url', 'reference'],
      folder,
    );
    expect(out).toContain('Verdict: PARTIAL: conformant');
    expect(code).toBe(0);
    // The package belongs to npm: its runs go to the folder of the one who started them.
    expect(await readdir(join(folder, 'reports'))).toContain('latest');
    const none = await call(bin, ['run', '--quiet', '--base-url', 'http://127.0.0.1:1'], folder);
    expect(none).toMatchObject({ code: 2 });
    expect(none.err).toContain('name one with --config');
  });

  test('knows the self-test that it passed, without its figures and pictures', async () => {
    const its = join(folder, 'node_modules/@governed-command/assay');
    const files = await readdir(its, { recursive: true });
    expect(files.filter((file) => /accuracy\.json$|\.png$/.test(file))).toEqual([]);
    const written = JSON.parse(await readFile(join(its, 'dist/self-test.json'), 'utf8'));
    const accuracy = await readFile(join(root, 'docs/accuracy.json'));
    expect(written.sha256).toBe(createHash('sha256').update(accuracy).digest('hex'));
    // The figures in the repository may be of an earlier build: this one is made to be the one that passed.
    const digest = await call(
      process.execPath,
      [
        '-e',
        'import(process.argv[1]).then((m) => m.buildDigest()).then((d) => console.log(d))',
        join(its, 'dist/src/run/package.js'),
      ],
      folder,
    );
    await writeFile(
      join(its, 'dist/self-test.json'),
      JSON.stringify({ ...written, build: digest.out.trim(), passed: true }),
    );
    await call(
      join(folder, 'node_modules/.bin/assay'),
      [
        'run',
        '--quiet',
        '--budget',
        'quick',
        '--suite',
        'missing-keys',
        '--base-url',
        'reference',
        '--output',
        'own',
      ],
      folder,
    );
    const report = JSON.parse(await readFile(join(folder, 'own/latest/report.json'), 'utf8'));
    expect(report.baseline.selfTest).toBe(written.sha256);
    expect((await call(join(folder, 'node_modules/.bin/assay'), ['explain', 'IDM-8'], folder)).out).toMatch(
      /Code +\S*src\/clauses\/\S+\d+\n/,
    );
  }, 180_000);

  test('a gate, a name for the run and JSON on standard output', async () => {
    const bin = join(folder, 'node_modules/.bin/assay');
    const reference = ['--base-url', 'reference', '--quiet', '--budget', 'quick', '--suite', 'missing-keys'];
    const { code, out } = await call(
      bin,
      ['run', ...reference, '--format', 'json', '--run-name', 'ci', '--fail-on', 'unwaived'],
      folder,
    );
    expect(JSON.parse(out)).toMatchObject({ verdict: { outcome: 'conformant', partial: true } });
    expect(code).toBe(0);
    expect(await readdir(join(folder, 'reports/ci'))).toEqual(
      expect.arrayContaining(['gate.json', 'report.html', 'code-quality.json']),
    );
    const none = await call(bin, ['run', ...reference, '--fail-on', 'new'], folder);
    expect(none).toMatchObject({ code: 2, out: '' });
    expect(none.err).toContain("'new' needs an earlier run to compare with; name its folder with --against");
    const bad = await call(bin, ['run', ...reference, '--run-name', '../x'], folder);
    expect(bad.code).toBe(2);
  });

  test('has a typed import', async () => {
    await writeFile(
      join(folder, 'suite.ts'),
      `import { clauses, defineSuite, type Suite } from '@governed-command/assay';\nconst suite: Suite = defineSuite({ name: 'mine', title: 'Mine', *propose() {} });\nconst codes: readonly string[] = clauses.map((clause) => clause.code);\nexport default [suite, codes];\n`,
    );
    const checked = await call(
      join(root, 'node_modules/.bin/tsc'),
      ['--noEmit', '--strict', '--target', 'es2023', '--module', 'nodenext', '--skipLibCheck', 'suite.ts'],
      folder,
    );
    expect(checked.out).toBe('');
    const loaded = await call(
      process.execPath,
      [
        '--input-type=module',
        '-e',
        "import { clauses } from '@governed-command/assay'; console.log(clauses.length)",
      ],
      folder,
    );
    expect(loaded.out.trim()).toBe('115');
  });
});

test("the README's output is what a run prints", async () => {
  const shown =
    /<!-- output: npm start -->\n```text\n([\s\S]*?)```/.exec(await readFile('README.md', 'utf8'))?.[1] ?? '';
  const said = capture();
  // A machine that is too slow to reach the limit of the service would say so: here only waits and latency pass.
  await run(
    'harness.config.yaml',
    {
      overrides: { output: await mkdtemp(join(tmpdir(), 'assay-readme-')), seed: 1 },
      operations: undefined,
      quiet: true,
      means: inProcess(1),
    },
    said.output,
    new AbortController().signal,
  );
  // Counts and times differ from machine to machine; what is said and in which order does not.
  const still = (text: string): readonly string[] =>
    text
      .split('\n')
      .flatMap(
        (line) =>
          /^(?:Verdict: .*| {2}contract .*|Clauses by class| {2}class .*)$|^ {2}[A-Z]{3} /.exec(line)?.[0] ??
          [],
      );
  expect(still(said.text())).toEqual(still(shown));
});

test('a fault that there is not, to serve or to try, is one clear error', async () => {
  expect(await assay(['serve', '--port', '0', '--fault', 'I99'])).toMatchObject({
    code: 2,
    err: expect.stringMatching(/^assay: --fault: there is no fault 'I99'; did you mean 'I\d\d'\?\n$/),
  });
  expect(await assay(['selftest', '--variant', 'W99'])).toMatchObject({
    code: 2,
    err: expect.stringContaining("--variant: there is no variant 'W99'"),
  });
});

test('one fault is tried on one random contract', async () => {
  const on = (skip: number, fault: string): Promise<Ended> =>
    assay(
      `selftest --contracts 1 --contract-faults 1 --seed 1 --jobs 1 --skip ${skip} --fault ${fault}`.split(
        ' ',
      ),
    );
  expect(await on(29, 'V68')).toMatchObject({
    code: 0,
    // Which shapes a seed draws depends on how many there are.
    err: expect.stringMatching(/^caught seed 30: [^,]+, fault V68 on (\w+): VAL-13\/\1,/m),
  });
  expect(await on(5, 'G89')).toMatchObject({
    code: 1,
    out: expect.stringContaining('not tried  G89: can show in none of these contracts'),
  });
  expect(await on(5, 'G999')).toMatchObject({ code: 2 });
}, 120_000);

test('a folder without a run is nothing to verify', async () => {
  expect(await assay(['verify', 'suites'])).toMatchObject({
    code: 2,
    err: 'assay: suites: this folder holds no run; name the folder of a run, such as reports/latest\n',
  });
});
