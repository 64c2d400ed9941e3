import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { replay } from '../evidence/replay.ts';
import { InputError } from '../model/input-error.ts';
import { isArray, isObject, type JsonObject } from '../model/json.ts';
import {
  attestationFile,
  type BundleDigests,
  type Envelope,
  isSignedBy,
  keyId,
  parseEnvelope,
  resultOf,
  statementIn,
  statementOf,
} from '../report/attestation.ts';
import { differences } from '../report/differences.ts';
import type { Report } from '../report/report.ts';
import { evidenceFile, readReport, reportFile } from './bundle.ts';
import type { NamedKey } from './keys.ts';
import { judged } from './rejudge.ts';

/** What was found wrong with a bundle, and what was found right. */
export type Inspection = {
  /** Undefined where the log or the report is too damaged to be read. */
  readonly report: Report | undefined;
  readonly digests: BundleDigests;
  readonly envelope: Envelope | undefined;
  readonly problems: readonly string[];
  /** What holds, a line each. */
  readonly holds: readonly string[];
  /** What could not be checked, and why. */
  readonly unchecked: readonly string[];
};

/** Checks a bundle against itself: log, report, signatures. Needs no network. @throws InputError where there is no bundle */
export async function inspect(folder: string, keys: readonly NamedKey[]): Promise<Inspection> {
  const evidence = join(folder, evidenceFile);
  const integrity = await logProblems(evidence);
  const again = await judged(evidence).catch((error: unknown) => {
    if (integrity.length === 0) throw error;
    return { reason: error instanceof Error ? error.message : String(error) };
  });
  if ('reason' in again)
    return {
      report: undefined,
      digests: {},
      envelope: undefined,
      problems: [...integrity, `${evidence}: it cannot be judged any more (${again.reason})`],
      holds: [],
      unchecked: [],
    };
  const { report: recomputed, problems: found } = again;
  const problems = found.map(({ line, problem }) => `${evidence}:${line}: ${problem}`);
  const holds: string[] = [];
  const unchecked: string[] = [];
  if (problems.length === 0)
    holds.push(`${evidenceFile}: ${recomputed.evidence.lines} lines agree with the digest of their footer`);
  const report = await readReport(folder).catch((error: unknown) => {
    if (error instanceof InputError) return error.message;
    throw error;
  });
  if (typeof report === 'string')
    return {
      report: undefined,
      digests: {},
      envelope: undefined,
      problems: [...problems, report],
      holds,
      unchecked,
    };
  if (report.evidence.sha256 !== recomputed.evidence.sha256)
    problems.push(
      `${join(folder, reportFile)}: it was made from other evidence (SHA-256 ${report.evidence.sha256}, and the log has ${recomputed.evidence.sha256})`,
    );
  // A damaged log changes much of what follows from it; then the verdicts alone are told.
  const damaged = problems.length > 0;
  const other = differences(report, recomputed).filter(({ at }) =>
    damaged ? at.startsWith('/cells') : !at.startsWith('/evidence'),
  );
  problems.push(...other.map(({ at, problem }) => `${join(folder, reportFile)}: ${at}: ${problem}`));
  if (other.length === 0)
    holds.push(`${reportFile}: all ${recomputed.cells.length} verdicts follow from the evidence`);
  else if (report.baseline.judgedBy.version !== recomputed.baseline.judgedBy.version)
    unchecked.push(
      `the report was made by version ${report.baseline.judgedBy.version}, and this is ${recomputed.baseline.judgedBy.version}: verify it with that version too`,
    );
  const digests = {
    [evidenceFile]: recomputed.evidence.sha256,
    [reportFile]: createHash('sha256')
      .update(await readFile(join(folder, reportFile)))
      .digest('hex'),
  };
  const attestation = await attestationOf(folder, recomputed, digests, keys);
  return {
    report,
    digests,
    envelope: attestation.envelope,
    problems: [...problems, ...attestation.problems],
    holds: [...holds, ...attestation.holds],
    unchecked: [...unchecked, ...attestation.unchecked],
  };
}

/** Reads the log as far as it goes, and judges nothing. */
async function logProblems(file: string): Promise<readonly string[]> {
  const { tell, problems } = replay(file);
  try {
    for await (const _ of tell);
  } catch (error) {
    return [`${file}: ${error instanceof Error ? error.message : String(error)}`];
  }
  return problems.map(({ line, problem }) => `${file}:${line}: ${problem}`);
}

type Checked = Pick<Inspection, 'envelope' | 'problems' | 'holds' | 'unchecked'>;

async function attestationOf(
  folder: string,
  recomputed: Report,
  digests: BundleDigests,
  keys: readonly NamedKey[],
): Promise<Checked> {
  const file = join(folder, attestationFile);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const none = { envelope: undefined, holds: [], unchecked: [] };
  if (text === undefined)
    return keys.length === 0
      ? { ...none, problems: [], unchecked: ['there is no attestation: nobody signed this run'] }
      : { ...none, problems: keys.map((key) => `${file}: there is none, so ${key.file} did not sign`) };
  const envelope = parseEnvelope(text);
  if (envelope === undefined) return { ...none, problems: [`${file}: it is no DSSE envelope`] };
  const statement = statementIn(envelope);
  const problems =
    statement === undefined
      ? [`${file}: it holds no in-toto statement`]
      : statementProblems(statement, recomputed, digests).map((problem) => `${file}: ${problem}`);
  const holds: string[] = problems.length === 0 ? [`${attestationFile}: it speaks of these files`] : [];
  if (envelope.signatures.length === 0) problems.push(`${file}: it has no signature`);
  for (const { file: name, key } of keys)
    if (isSignedBy(envelope, key))
      holds.push(`${attestationFile}: signed with ${name} (key ${keyId(key).slice(0, 16)})`);
    else problems.push(`${file}: no signature is by the key in ${name} (key ${keyId(key).slice(0, 16)})`);
  const known = new Set(keys.map(({ key }) => keyId(key)));
  const unchecked = envelope.signatures
    .filter(({ keyid }) => !known.has(keyid))
    .map(
      ({ keyid }) =>
        `the signature said to be of key ${keyid.slice(0, 16) || '(unnamed)'} is not checked: give its public key with --key`,
    );
  return { envelope, problems, holds, unchecked };
}

/** What a statement says otherwise than the bundle. */
function statementProblems(
  statement: JsonObject,
  recomputed: Report,
  digests: BundleDigests,
): readonly string[] {
  const own = statementOf(recomputed, digests);
  const subjects = new Map<string, string>();
  for (const subject of isArray(statement['subject']) ? statement['subject'] : []) {
    if (!isObject(subject) || !isObject(subject['digest'])) continue;
    const { name } = subject;
    const { sha256 } = subject['digest'];
    if (typeof name === 'string' && typeof sha256 === 'string') subjects.set(name, sha256);
  }
  const problems: string[] = [];
  for (const [name, digest] of Object.entries(digests)) {
    const signed = subjects.get(name);
    if (signed === undefined) problems.push(`it does not speak of ${name}`);
    else if (signed !== digest)
      problems.push(`${name} is not what was signed (SHA-256 ${signed} was, and it is ${digest})`);
  }
  const predicate = isObject(statement['predicate']) ? statement['predicate'] : {};
  const result = resultOf(recomputed);
  if (predicate['result'] !== result)
    problems.push(
      `it says ${JSON.stringify(predicate['result'] ?? null)}, and by the evidence the result is "${result}"`,
    );
  if (statement['predicateType'] !== own['predicateType'] || statement['_type'] !== own['_type'])
    problems.push('it is no test result of in-toto');
  return problems;
}
