import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { dirname, join, resolve } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formatsOfAjv from 'ajv-formats';
import jsonld from 'jsonld';
import { XmlDocument, XsdValidator } from 'libxml2-wasm';
import { beforeAll, describe, expect, test } from 'vitest';
import { faults } from '../reference/faults/catalogue.ts';
import { formats } from '../report/formats.ts';
import { gateOf } from '../report/gate.ts';
import { parseReport } from '../report/read.ts';
import { announce } from '../run/ci.ts';
import { capture } from '../testing/captured.ts';
import { echoing, encodings, type FaultyRun, faultyRun, faultyServices } from '../testing/faulty-run.ts';
import { attest } from './attest.ts';
import { diff } from './diff.ts';
import { report } from './report.ts';
import { run } from './run.ts';
import { verify } from './verify.ts';

const suites = ['missing-keys', 'credentials', 'wrong-permissions', 'valid-commands'];
const sarifSchema = 'node_modules/@microsoft/sarif-multitool-ts/assets/sarif-2.1.0.schema.json';
/** As `assay serve --fault I07` serves it: a catalogue of several operations, of which one is selected. */
const seeded = 'a second effect for a duplicate (I07)';
const runs = new Map<string, FaultyRun>();
beforeAll(async () => {
  for (const [name, behaviour] of Object.entries(faultyServices))
    runs.set(name, await faultyRun(behaviour, { suites }));
  runs.set(
    seeded,
    await faultyRun(faults.find(({ id }) => id === 'I07')?.change ?? {}, {
      config: 'fixtures/contracts/extended.config.yaml',
      suites: ['lost-responses'],
      operations: ['createCase'],
    }),
  );
}, 120_000);

const file = (run: FaultyRun | undefined, name: string): Promise<string> =>
  readFile(join(run?.folder ?? '', name), 'utf8');

describe.each([...Object.keys(faultyServices), seeded])('a run against a service with %s', (name) => {
  test('finds violations, and writes every format', async () => {
    const run = runs.get(name);
    expect(run?.exitCode).toBe(1);
    expect(run?.report?.violations.length).toBeGreaterThan(0);
    expect(new Set(await readdir(run?.folder ?? ''))).toEqual(
      new Set(['created.jsonl', 'evidence.jsonl', 'report.json', ...formats.map((format) => format.file)]),
    );
  });

  test('report.json is valid against its published schema', async () => {
    const text = await file(runs.get(name), 'report.json');
    const ajv = new Ajv2020({ strict: false });
    formatsOfAjv.default(ajv);
    const schema = JSON.parse(await readFile('docs/report.schema.json', 'utf8'));
    const validate = ajv.compile(schema);
    validate(JSON.parse(text));
    expect(validate.errors ?? []).toEqual([]);
    expect(parseReport(text, 'report.json')).toEqual(JSON.parse(JSON.stringify(runs.get(name)?.report)));
  });

  test('JUnit XML is valid against its XSD, with a failure for each violation', async () => {
    const run = runs.get(name);
    const text = await file(run, 'junit.xml');
    using xsd = XmlDocument.fromString(await readFile('fixtures/schemas/junit.xsd', 'utf8'));
    using validator = XsdValidator.fromDoc(xsd);
    using document = XmlDocument.fromString(text);
    validator.validate(document);
    const names = document.find('//testcase[failure]/@name').map((node) => node.content);
    expect(names.map((one) => one.split(' ')[0])).toEqual(
      run?.report?.violations.map(({ clause }) => clause),
    );
    expect(document.get('/testsuites/@failures')?.content).toBe(String(names.length));
    expect(document.find('//testcase').length).toBe(Number(document.get('/testsuites/@tests')?.content));
  });

  test('SARIF is valid against the schema of OASIS', async () => {
    const run = runs.get(name);
    const text = await file(run, 'report.sarif');
    const ajv = new Ajv2020({ strict: false });
    formatsOfAjv.default(ajv);
    const validate = ajv.compile(JSON.parse(await readFile(sarifSchema, 'utf8')));
    validate(JSON.parse(text));
    expect(validate.errors ?? []).toEqual([]);
    expect(validate(JSON.parse(text.replace('"level": "error"', '"level": "fatal"')))).toBe(false);
    const [first] = JSON.parse(text).runs;
    expect(
      first.results
        .filter((result: { level: string }) => result.level === 'error')
        .map(
          (result: { partialFingerprints: Record<string, string> }) =>
            result.partialFingerprints['assayFinding/v1'],
        ),
    ).toEqual(run?.report?.violations.map(({ id }) => id));
  });

  test('EARL passes a JSON-LD processor without network, with an assertion for each binding cell', async () => {
    const run = runs.get(name);
    const refuse = (url: string): Promise<never> => Promise.reject(new Error(`no network: ${url}`));
    const expanded = await jsonld.expand(JSON.parse(await file(run, 'earl.jsonld')), {
      documentLoader: refuse,
    });
    const quads = await jsonld.toRDF(expanded, { format: 'application/n-quads', documentLoader: refuse });
    const lines = String(quads).split('\n');
    const earl = 'http://www.w3.org/ns/earl#';
    const count = (object: string): number =>
      lines.filter((line) => line.includes(`<${earl}${object}>`)).length;
    const { counts } = run?.report ?? { counts: undefined };
    expect(count('passed')).toBe(counts?.pass);
    expect(count('failed')).toBe((counts?.fail ?? 0) + (counts?.unstable ?? 0));
    expect(count('inapplicable')).toBe(counts?.['not-applicable']);
    expect(count('untested')).toBe(counts?.['not-tested']);
  });

  test('the Markdown summary names each violation', async () => {
    const run = runs.get(name);
    const text = await file(run, 'summary.md');
    expect(text).toMatch(/^## ❌ Assay: PARTIAL: violations\n/);
    for (const { id } of run?.report?.violations ?? []) expect(text).toContain(`| \`${id}\` |`);
  });
});

describe('assay report', () => {
  const run = (): FaultyRun | undefined => runs.get('no permissions');

  test('renders the same again, the chosen formats, into another folder', async () => {
    const into = await mkdtemp(join(tmpdir(), 'assay-report-'));
    const { output, text } = capture();
    const folder = run()?.folder ?? '';
    await report(folder, { format: ['junit', 'markdown'], output: into, support: undefined }, output);
    expect((await readdir(into)).sort()).toEqual(['junit.xml', 'summary.md']);
    expect(text()).toBe(`${join(into, 'junit.xml')}\n${join(into, 'summary.md')}\n`);
    for (const name of await readdir(into))
      expect(await readFile(join(into, name), 'utf8')).toBe(await readFile(join(folder, name), 'utf8'));
  });

  test.each([
    [
      { format: ['junti'], support: undefined },
      "--format: there is no format 'junti'; did you mean 'junit'?",
    ],
    [
      { support: 'PRM-1/createCas' },
      "--support: the run has no finding 'PRM-1/createCas'; did you mean 'PRM-1/createCase'?",
    ],
  ])('%j is one clear error', async (flags, message) => {
    await expect(
      report(run()?.folder ?? '', { ...flags, output: undefined }, capture().output),
    ).rejects.toThrow(message);
  });

  test('a folder without a report is one clear error', async () => {
    await expect(
      report('reports/nowhere', { output: undefined, support: undefined }, capture().output),
    ).rejects.toThrow('reports/nowhere/report.json: there is no such report; name the folder of a run');
  });

  test.each([
    ['empty', ''],
    ['foreign', '{"line":"header"}\n'],
  ])('a log that is %s is one clear error, and nothing is written', async (_, log) => {
    const into = await mkdtemp(join(tmpdir(), 'assay-report-'));
    await cp(join(run()?.folder ?? '', 'report.json'), join(into, 'report.json'));
    await writeFile(join(into, 'evidence.jsonl'), log);
    await expect(report(into, {}, capture().output)).rejects.toThrow(
      'evidence.jsonl: this is not the log that report.json was made from, or it was altered; name an unaltered run',
    );
    expect((await readdir(into)).sort()).toEqual(['evidence.jsonl', 'report.json']);
  });

  test('a report without its log is rendered, and says what is missing', async () => {
    const into = await mkdtemp(join(tmpdir(), 'assay-report-'));
    await cp(join(run()?.folder ?? '', 'report.json'), join(into, 'report.json'));
    const { output, text } = capture();
    expect(await report(into, { format: ['junit'] }, output)).toBe(0);
    expect(text()).toContain(`${into} has no evidence.jsonl: the renderings show no requests of the run`);
  });

  test('a support request holds what the contract asks for, and nothing sensitive', async () => {
    const { output, text } = capture();
    await report(run()?.folder ?? '', { output: undefined, support: 'PRM-1/createCase' }, output);
    const finding = run()?.report?.violations.find(({ id }) => id === 'PRM-1/createCase');
    expect(text()).toMatch(/^Contract version: +1\.27\.0/m);
    expect(text()).toMatch(/^Environment: +test$/m);
    expect(text()).toMatch(/^Operation: +POST \/cases \(createCase\)$/m);
    expect(text()).toMatch(/^Timestamp: +\d{4}-\d\d-\d\dT/m);
    expect(text()).toContain(`Correlation ID:   ${finding?.requestIds.join(', ')}`);
    for (const exchange of finding?.exchanges ?? []) {
      for (const [name, value] of exchange.requestHeaders)
        if (/authorization|key/i.test(name)) expect(text()).not.toContain(value);
      if (exchange.requestBody !== undefined) expect(text()).not.toContain(exchange.requestBody);
    }
  });
});

describe('assay diff', () => {
  const folder = (name: string): string => runs.get(name)?.folder ?? '';

  test('names what is violated now and was not before, and what was fixed', async () => {
    const { output, text } = capture();
    expect(await diff(folder('no ID on 401'), folder('no permissions'), { json: false }, output)).toBe(1);
    expect(text()).toMatch(/regression \(\d+\)[\s\S]*PRM-1\/createCase +pass -> fail/);
    expect(text()).toMatch(/fixed \(1\)\n +RID-3\/createCase +fail -> pass/);
  });

  test('a run does not differ from itself', async () => {
    const { output, text } = capture();
    expect(await diff(folder('no permissions'), folder('no permissions'), { json: true }, output)).toBe(0);
    expect(JSON.parse(text())).toMatchObject({ changes: [], obstacles: [] });
  });

  test('a report against an earlier run shows the changes', async () => {
    const into = await mkdtemp(join(tmpdir(), 'assay-report-'));
    await report(
      folder('no permissions'),
      { format: ['markdown'], output: into, support: undefined, against: folder('no ID on 401') },
      capture().output,
    );
    expect(await readFile(join(into, 'summary.md'), 'utf8')).toMatch(
      /### Changes since [\s\S]*\*\*regression\*\* `PRM-1\/createCase`: pass, now fail/,
    );
  });
});

test('no token reaches a file of the bundle, an attestation, a support request or the terminal', async () => {
  const run = await faultyRun({ ...echoing, isGranted: () => true }, { suites });
  const { output, text } = capture();
  await attest(run.folder, [await newKey()], output);
  await verify(run.folder, [], output);
  await diff(runs.get('no ID on 401')?.folder ?? '', run.folder, { json: false }, output);
  for (const { id } of run.report?.violations ?? [])
    await report(run.folder, { output: undefined, support: id }, output);
  const names = await readdir(run.folder);
  expect(names).toContain('attestation.dsse.json');
  const files = await Promise.all(names.map((name) => readFile(join(run.folder, name), 'utf8')));
  // The payload of the attestation is base64, which hides nothing from a reader.
  const payload = Buffer.from(
    JSON.parse(files[names.indexOf('attestation.dsse.json')] ?? '{}').payload,
    'base64',
  ).toString();
  const everything = [run.terminal, text(), payload, ...files];
  expect(everything.join('\n')).toMatch(/X-Echo-5[\s\S]*ASSAY_TOKEN_FULL/);
  for (const token of run.tokens)
    for (const form of encodings(token))
      for (const [index, each] of everything.entries())
        expect(each.includes(form), `${form} in ${names[index - 3] ?? 'the terminal'}`).toBe(false);
  expect(run.report?.redaction.removals.length).toBeGreaterThan(0);
  expect(new Set(run.report?.redaction.removals.map(({ form }) => form))).toEqual(
    new Set(['text, percent-encoded or escaped', 'bytes', 'hexadecimal', 'base64']),
  );
});

test('neither the key of a gateway nor a proof of stronger verification reaches a file', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-secrets-'));
  const config = join(folder, 'harness.config.yaml');
  const key = 'Gateway-Canary-4711';
  const text = await readFile('fixtures/contracts/extended.config.yaml', 'utf8');
  await writeFile(
    config,
    text
      .replace(/^contract: .*$/m, `contract: ${resolve('fixtures/contracts/extended-catalogue.yaml')}`)
      .replace(/^target:\n/m, `target:\n  headers: { X-Api-Key: ${key} }\n`),
  );
  const proofs = new Set<string>();
  const { output, text: printed } = capture();
  const { report: made } = await run(
    config,
    {
      overrides: { budget: 'quick', seed: 1, output: folder },
      suites: ['stronger-verification'],
      operations: ['approveCase'],
      quiet: true,
      reference: {
        change: {
          ...echoing,
          finish: (incoming, answer) => {
            for (const [name, value] of incoming.request.headers)
              if (name.toLowerCase() === 'x-verification') proofs.add(value);
            return echoing.finish?.(incoming, answer) ?? answer;
          },
        },
      },
    },
    output,
    new AbortController().signal,
  );
  const written = join(folder, made?.run.id ?? '');
  const files = await Promise.all(
    (await readdir(written)).map((name) => readFile(join(written, name), 'utf8')),
  );
  // The one of zeros was issued by nobody: the suite makes it up.
  const issued = [...proofs].filter((proof) => proof.length >= 16 && !/0{16}/.test(proof));
  expect(issued.length).toBeGreaterThan(0);
  for (const secret of [key, ...issued])
    for (const form of encodings(secret))
      for (const each of [printed(), ...files]) expect(each.includes(form), form).toBe(false);
  expect(files.join('\n')).toContain('$ASSAY_TOKEN_HEADER_X_API_KEY');
});

test('waivers: one in effect, one expired, one not tested', async () => {
  const folder = await mkdtemp(join(tmpdir(), 'assay-waivers-'));
  const config = join(folder, 'harness.config.yaml');
  const text = await readFile('harness.config.yaml', 'utf8');
  const waivers = [
    '  - { clause: PRM-1, owner: Ada, reason: fixed in 2.0, expires: 2999-12-31 }',
    '  - { clause: PRM-3, operation: createCase, owner: Ada, reason: soon, expires: 2020-12-31 }',
    '  - { clause: VAL-1, owner: Ada, reason: later, expires: 2999-12-31 }',
  ];
  const written = text
    .replace('./fixtures', resolve('fixtures'))
    .replace(/^waivers: .*$/m, `waivers:\n${waivers.join('\n')}`);
  await writeFile(config, written);
  const run = await faultyRun(
    { ...faultyServices['no permissions'] },
    { suites: ['wrong-permissions'], config },
  );
  expect(run.report?.waivers.map(({ clause, state }) => [clause, state])).toEqual([
    ['PRM-1', 'in effect'],
    ['PRM-3', 'expired'],
    ['VAL-1', 'not tested'],
  ]);
  expect(run.exitCode).toBe(1);
  expect(run.terminal).toContain('PRM-3 createCase: expired on 2020-12-31, without effect; Ada: soon');
  expect(run.terminal).toMatch(/PRM-1 createCase .* waived by Ada until 2999-12-31/);
  expect(run.report?.verdict.shortfalls).toContain('there are waivers');
});

async function newKey(): Promise<string> {
  const file = join(await mkdtemp(join(tmpdir(), 'assay-key-')), 'vendor.pem');
  await writeFile(file, generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }));
  return file;
}

test('the summary is appended to the page of the CI job, where there is one', async () => {
  const folder = runs.get('no permissions')?.folder ?? '';
  const page = join(await mkdtemp(join(tmpdir(), 'assay-page-')), 'page.md');
  await writeFile(page, 'before\n');
  const outputs = join(dirname(page), 'outputs');
  const read = parseReport(await readFile(join(folder, 'report.json'), 'utf8'), 'report.json');
  const gate = gateOf(read, { failOn: 'any', unstable: 'fail' }, undefined);
  expect((await announce(folder, read, gate, {})).lines).toEqual([]);
  expect(await readFile(page, 'utf8')).toBe('before\n');
  const { lines, troubles } = await announce(folder, read, gate, {
    GITHUB_ACTIONS: 'true',
    GITHUB_STEP_SUMMARY: page,
    GITHUB_OUTPUT: outputs,
  });
  expect(troubles).toEqual([]);
  expect(lines[0]).toMatch(/^::error file=.*,line=\d+,col=\d+,title=[A-Z]+-\d+\/createCase::/);
  expect(await readFile(page, 'utf8')).toBe(`before\n${await readFile(join(folder, 'summary.md'), 'utf8')}`);
  expect(await readFile(outputs, 'utf8')).toMatch(/^verdict=violations\nexit-code=1\ngate=failed\n/);
  expect((await announce(folder, read, gate, { GITHUB_OUTPUT: '/nowhere/at/all' })).troubles).toHaveLength(1);
});
