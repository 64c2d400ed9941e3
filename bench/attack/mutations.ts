import { createHash, createPrivateKey, generateKeyPairSync, type KeyObject } from 'node:crypto';
import { cp, mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import fc from 'fast-check';
import { InputError } from '../../src/model/input-error.ts';
import { isArray, isObject, type Json, parseJson } from '../../src/model/json.ts';
import { envelopeOf, parseEnvelope, signed, statementIn } from '../../src/report/attestation.ts';
import { inspect } from '../../src/run/inspect.ts';
import { faultyRun, faultyServices } from '../../src/testing/faulty-run.ts';

const kinds = ['byte', 'line', 'field', 'statement', 'rendering'] as const;
type Mutation = { readonly kind: (typeof kinds)[number]; readonly at: number; readonly to: number };

const forger = createPrivateKey(
  generateKeyPairSync('ed25519').privateKey.export({ type: 'pkcs8', format: 'pem' }),
);
export type AttackResult = { readonly summary: string; readonly failures: readonly string[] };

const renderings = [
  'report.html',
  'junit.xml',
  'summary.md',
  'report.sarif',
  'earl.jsonld',
  'code-quality.json',
];

/**
 * Changes a signed bundle in random ways, each of which changes what it says, and signs what a forger would sign again
 * with a key of their own. `verify` must refuse every one and name file and place, and be given no key where none is
 * needed for that.
 */
export async function tryMutations(count: number, seed: number): Promise<AttackResult> {
  const pair = generateKeyPairSync('ed25519');
  const keyFile = join(await mkdtemp(join(tmpdir(), 'assay-key-')), 'vendor.pem');
  await writeFile(keyFile, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  const vendor = [{ file: 'vendor.pub.pem', key: pair.publicKey }];
  const made = await faultyRun(faultyServices['no permissions'] ?? {}, {
    suites: ['missing-keys'],
    keys: [keyFile],
  });
  const clean = await inspect(made.folder, vendor);
  if (clean.problems.length > 0)
    return { summary: 'the bundle itself is refused', failures: [...clean.problems] };
  const mutations = fc.sample(
    fc.record({ kind: fc.constantFrom(...kinds), at: fc.nat(), to: fc.integer({ min: 1, max: 255 }) }),
    { numRuns: count, seed },
  );
  const failures: string[] = [];
  const tally = new Map<string, number>();
  for (const [index, mutation] of mutations.entries()) {
    const folder = join(await mkdtemp(join(tmpdir(), 'assay-attack-')), 'run');
    await cp(made.folder, folder, { recursive: true });
    const file = await mutate(folder, mutation);
    tally.set(mutation.kind, (tally.get(mutation.kind) ?? 0) + 1);
    const keys = mutation.kind === 'byte' ? vendor : [];
    const { problems } = await inspect(folder, keys).catch((error: unknown) => ({
      problems: [error instanceof InputError ? error.message : ''],
    }));
    const what = `${index}: ${JSON.stringify(mutation)} in ${file}`;
    if (problems.length === 0) failures.push(`accepted ${what}`);
    else if (!problems.some((problem) => placed(file).test(problem)))
      failures.push(`without file and place ${what}: ${problems[0] ?? ''}`);
    await rm(folder, { recursive: true, force: true });
  }
  return {
    summary: `${count} mutations (${[...tally].map(([kind, times]) => `${times} ${kind}`).join(', ')}): ${failures.length} accepted, or refused without file and place`,
    failures,
  };
}

function placed(file: string): RegExp {
  return new RegExp(`${file.replaceAll('.', '\\.')}:(?:\\d+:| /)`);
}

/** Changes the bundle in one way; resolves to the file that a refusal must name. */
async function mutate(folder: string, { kind, at, to }: Mutation): Promise<string> {
  if (kind === 'byte') {
    const name = ['evidence.jsonl', 'report.json', 'attestation.dsse.json'][at % 3] ?? '';
    const bytes = await readFile(join(folder, name));
    const place = at % bytes.length;
    bytes[place] = (bytes[place] ?? 0) ^ to;
    await writeFile(join(folder, name), bytes);
    return name;
  }
  if (kind === 'line') {
    const file = join(folder, 'evidence.jsonl');
    const lines = (await readFile(file, 'utf8')).trimEnd().split('\n');
    const place = 1 + (at % (lines.length - 2));
    if (to % 3 === 0) lines.splice(place, 1);
    else if (to % 3 === 1) lines.splice(place, 0, lines[place] ?? '');
    else lines[place] = JSON.stringify(changed(parseJson(lines[place] ?? '') ?? null, at, to));
    await writeFile(file, `${(to % 2 === 0 ? lines : refooted(lines)).join('\n')}\n`);
    return to % 2 === 0 || to % 3 !== 2 ? 'evidence.jsonl' : 'report.json';
  }
  if (kind === 'field') {
    const file = join(folder, 'report.json');
    const report = changed(parseJson(await readFile(file, 'utf8')) ?? null, at, to);
    const text = `${JSON.stringify(report, undefined, 2)}\n`;
    await writeFile(file, text);
    await restate(folder, forger, (statement) =>
      reportReplaced(statement, createHash('sha256').update(text).digest('hex')),
    );
    return 'report.json';
  }
  if (kind === 'statement') {
    await restate(folder, forger, (statement) => changed(statement, at, to));
    return 'attestation.dsse.json';
  }
  const name = renderings[at % renderings.length] ?? '';
  const text = await readFile(join(folder, name), 'utf8');
  await writeFile(
    join(folder, name),
    `${text.slice(0, at % text.length)}<!-- ${to} -->${text.slice(at % text.length)}`,
  );
  return name;
}

/** The lines with a footer that agrees with them, as a forger writes it. */
function refooted(lines: readonly string[]): readonly string[] {
  const body = lines.slice(0, -1);
  const footer = parseJson(lines.at(-1) ?? '');
  const sha256 = createHash('sha256')
    .update(`${body.join('\n')}\n`)
    .digest('hex');
  return [...body, JSON.stringify({ ...(isObject(footer) ? footer : {}), sha256 })];
}

function changed(value: Json, at: number, to: number): Json {
  const leaves = leavesOf(value, []);
  const path = leaves[at % Math.max(1, leaves.length)] ?? [];
  const set = (inner: Json, rest: readonly (string | number)[]): Json => {
    const [head, ...tail] = rest;
    if (head === undefined) return otherThan(inner, to);
    if (isArray(inner)) return inner.map((item, index) => (index === head ? set(item, tail) : item));
    if (!isObject(inner)) return inner;
    return Object.fromEntries(
      Object.entries(inner).map(([name, member]) => [name, name === head ? set(member, tail) : member]),
    );
  };
  return set(value, path);
}

function leavesOf(
  value: Json,
  path: readonly (string | number)[],
): readonly (readonly (string | number)[])[] {
  if (isArray(value))
    return value.length === 0 ? [path] : value.flatMap((item, index) => leavesOf(item, [...path, index]));
  if (isObject(value)) {
    const members = Object.entries(value);
    return members.length === 0
      ? [path]
      : members.flatMap(([name, member]) => leavesOf(member, [...path, name]));
  }
  return [path];
}

function otherThan(value: Json, to: number): Json {
  if (typeof value === 'string') return `${value}${String.fromCharCode(97 + (to % 26))}`;
  if (typeof value === 'number') return value + to;
  if (typeof value === 'boolean') return !value;
  if (isArray(value)) return [...value, to];
  return isObject(value) ? { ...value, added: to } : to;
}

async function restate(folder: string, key: KeyObject, change: (statement: Json) => Json): Promise<void> {
  const file = join(folder, 'attestation.dsse.json');
  const envelope = parseEnvelope(await readFile(file, 'utf8'));
  const statement = envelope === undefined ? undefined : statementIn(envelope);
  if (envelope === undefined || statement === undefined) throw new Error('the attestation cannot be read');
  const other = change(statement);
  const again = signed(envelopeOf(isObject(other) ? other : {}), key);
  await writeFile(file, `${JSON.stringify(again, undefined, 2)}\n`);
}

function reportReplaced(statement: Json, sha256: string): Json {
  if (!isObject(statement) || !isArray(statement['subject'])) return statement;
  return {
    ...statement,
    subject: statement['subject'].map((subject) =>
      isObject(subject) && subject['name'] === 'report.json' ? { ...subject, digest: { sha256 } } : subject,
    ),
  };
}
