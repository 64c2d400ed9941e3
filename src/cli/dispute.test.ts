import { readFileSync } from 'node:fs';
import { mkdtemp, readFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { beforeAll, expect, test } from 'vitest';
import { evidenceSchema } from '../evidence/schema.ts';
import { isObject, type Json, type JsonObject } from '../model/json.ts';
import { readReport } from '../run/bundle.ts';
import { judged } from '../run/rejudge.ts';
import { capture } from '../testing/captured.ts';
import { type FaultyRun, faultyRun, faultyServices } from '../testing/faulty-run.ts';
import { report } from './report.ts';

let run: FaultyRun;
beforeAll(async () => {
  run = await faultyRun(faultyServices['wrong status and no IDs at all'] ?? {}, {
    suites: ['missing-keys', 'valid-commands'],
  });
}, 120_000);

const flags = { output: undefined, support: undefined };

test('each finding has a bundle of its own, from which it follows again', async () => {
  const whole = await readReport(run.folder);
  expect(whole.violations.length).toBeGreaterThan(1);
  for (const { id, verdict } of whole.violations.slice(0, 3)) {
    const into = join(await mkdtemp(join(tmpdir(), 'assay-dispute-')), 'bundle');
    const said = capture();
    expect(await report(run.folder, { ...flags, finding: id, output: into }, said.output)).toBe(0);
    expect(said.text()).toContain(`${id} ${verdict} follows from them`);
    const again = await judged(join(into, 'evidence.jsonl'));
    expect(again.problems).toEqual([]);
    expect(again.report.violations.find((one) => one.id === id)).toMatchObject({ verdict });
    // It is a part, and says of what.
    expect(again.report.verdict).toMatchObject({ partial: true, certifiable: false });
    const [header = ''] = (await readFile(join(into, 'evidence.jsonl'), 'utf8')).split('\n');
    expect(JSON.parse(header)).toMatchObject({ excerpt: { of: whole.evidence.sha256, finding: id } });
  }
});

test('a bundle has exchanges of its finding, and not those of others', async () => {
  const whole = await readReport(run.folder);
  const into = join(await mkdtemp(join(tmpdir(), 'assay-dispute-')), 'bundle');
  await report(run.folder, { ...flags, finding: 'CMD-1/createCase', output: into }, capture().output);
  const part = await readReport(into);
  expect(part.run.exchanges).toBeLessThan(whole.run.exchanges / 2);
});

test('a finding that there is not, no folder, and a folder in use are clear errors', async () => {
  const wrong = (more: { readonly finding: string; readonly output?: string }): Promise<number> =>
    report(run.folder, { ...flags, ...more }, capture().output);
  await expect(wrong({ finding: 'CMD-1/createCas', output: '/nowhere' })).rejects.toThrow(
    "--finding: the run has no finding 'CMD-1/createCas'; did you mean 'CMD-1/createCase'?",
  );
  await expect(wrong({ finding: 'CMD-1/createCase' })).rejects.toThrow(
    '--finding: the bundle of a finding needs a folder of its own; name one with --output',
  );
  await expect(wrong({ finding: 'CMD-1/createCase', output: run.folder })).rejects.toThrow(
    'evidence already exists here; name a new folder with --output',
  );
});

test('every line of a log is as the schema of evidence says, and no member is undocumented', async () => {
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  const validate = ajv.compile(evidenceSchema);
  const lines = (await readFile(join(run.folder, 'evidence.jsonl'), 'utf8')).trim().split('\n');
  const unknown = new Set<string>();
  for (const text of lines) {
    const line: JsonObject = JSON.parse(text);
    validate(line);
    expect(validate.errors ?? [], text.slice(0, 300)).toEqual([]);
    walk(line, definition(String(line['line'])), String(line['line']), unknown);
  }
  expect([...unknown]).toEqual([]);
});

function definition(name: string): Json {
  const all = evidenceSchema['$defs'];
  return (isObject(all) ? all[name] : undefined) ?? null;
}

/** Collects the members that the schema does not have; an object of which it names none is open. */
function walk(value: Json, schema: Json | undefined, path: string, unknown: Set<string>): void {
  if (!isObject(schema)) return;
  const reference = schema['$ref'];
  if (typeof reference === 'string') {
    walk(value, definition(reference.replace('#/$defs/', '')), path, unknown);
    return;
  }
  if (Array.isArray(value)) for (const item of value) walk(item, schema['items'], `${path}[]`, unknown);
  if (!isObject(value)) return;
  const either = schema['anyOf'];
  const properties = schema['properties'] ?? (Array.isArray(either) ? either.find(hasProperties) : undefined);
  if (!isObject(properties)) return;
  const known = isObject(properties['properties']) ? properties['properties'] : properties;
  for (const [name, member] of Object.entries(value))
    if (Object.hasOwn(known, name)) walk(member, known[name], `${path}.${name}`, unknown);
    else unknown.add(`${path}.${name}`);
}

const hasProperties = (one: Json): boolean => isObject(one) && isObject(one['properties']);

test('the published schema of evidence is the one in use', () => {
  expect(JSON.parse(readFileSync('docs/evidence.schema.json', 'utf8'))).toEqual(evidenceSchema);
});
