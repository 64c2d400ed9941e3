import { createHash } from 'node:crypto';
import { readdir, readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  binderOf,
  bindingNonce,
  bindingsOf,
  markerOf,
  segmentPart,
  shardPart,
  sharedMark,
} from '../engine/bind.ts';
import type { HeaderLine } from '../evidence/log.ts';
import { regularText } from '../evidence/regular-file.ts';
import { replay } from '../evidence/replay.ts';
import type { Trace } from '../model/exchange.ts';
import { InputError, trouble } from '../model/input-error.ts';
import { messageOf } from '../model/thrown.ts';
import { attestationFile, type BundleDigests, type Envelope } from '../report/attestation.ts';
import { differences } from '../report/differences.ts';
import { formats } from '../report/formats.ts';
import { reportText } from '../report/read.ts';
import type { Comparison, Report } from '../report/report.ts';
import {
  comparisonFile,
  evidenceFile,
  gateFile,
  readComparison,
  readReport,
  rendered,
  reportFile,
} from './bundle.ts';
import { createdFile, isCreatedRight } from './created.ts';
import { attestationFindings, type Findings } from './inspect-attestation.ts';
import type { NamedKey } from './keys.ts';
import { judged } from './rejudge.ts';
import { stampOf, timestampFile } from './timestamp.ts';

export type Inspection = Findings & {
  /** Undefined where the log or the report is too damaged to be read. */
  readonly report: Report | undefined;
  readonly digests: BundleDigests;
  readonly envelope: Envelope | undefined;
  /** Whether a key that the caller trusts signed the bundle. */
  readonly origin: 'checked' | 'not checked';
};

/**
 * Checks a bundle against itself: log, report, renderings, signatures. Needs no network.
 * @param challenge what the caller gave before the run; undefined where nothing was given
 * @throws InputError where there is no bundle
 */
export async function inspect(
  folder: string,
  keys: readonly NamedKey[],
  challenge?: string,
): Promise<Inspection> {
  const files = await readdir(folder).catch(() => undefined);
  if (files === undefined || ![evidenceFile, reportFile, attestationFile].some((one) => files.includes(one)))
    throw trouble(
      folder,
      files === undefined ? 'there is no such folder' : 'this folder holds no run',
      'name the folder of a run, such as reports/latest',
    );
  const evidence = join(folder, evidenceFile);
  const unreadable = (problems: readonly string[], holds: readonly string[] = []): Inspection => ({
    report: undefined,
    digests: {},
    envelope: undefined,
    origin: 'not checked',
    problems,
    holds,
    unchecked: [],
  });
  const integrity = await logProblems(evidence);
  const again = await judged(evidence).catch((error: unknown) => {
    if (integrity.length === 0) throw error;
    return { reason: messageOf(error) };
  });
  if ('reason' in again)
    return unreadable([...integrity, `${evidence}: it can no longer be judged (${again.reason})`]);
  const { report: recomputed, problems: found } = again;
  const log: Findings = {
    problems: [
      ...new Set([...found.map(({ line, problem }) => `${evidence}:${line}: ${problem}`), ...integrity]),
    ],
    holds:
      found.length + integrity.length === 0
        ? [`${evidenceFile}: its ${recomputed.evidence.lines} lines agree with the digest in their footer`]
        : [],
    unchecked: [],
  };
  const text = await regularText(join(folder, reportFile));
  const report = await readReport(folder).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    if (text === undefined) return error.message;
    return `${error.file}:${placeOfDifference(text, reportText(recomputed))}: ${error.problem}; ${error.remedy}`;
  });
  if (typeof report === 'string' || text === undefined)
    return unreadable([...log.problems, String(report)], log.holds);
  const digests = {
    [evidenceFile]: recomputed.evidence.sha256,
    [reportFile]: createHash('sha256').update(text).digest('hex'),
  };
  const attestation = await attestationFindings(folder, recomputed, digests, keys);
  const all = [
    log,
    reportFindings(folder, report, text, recomputed, log.problems.length > 0),
    await renderingFindings(folder, recomputed),
    attestation,
    challengeFindings(evidence, recomputed, challenge),
    await timestampFindings(folder, recomputed.evidence.sha256),
  ];
  return {
    report,
    digests,
    envelope: attestation.envelope,
    origin: attestation.origin,
    problems: all.flatMap(({ problems }) => problems),
    holds: all.flatMap(({ holds }) => holds),
    unchecked: all.flatMap(({ unchecked }) => unchecked),
  };
}

/** A run that carries the caller's challenge cannot have been made before the caller gave it. */
function challengeFindings(file: string, report: Report, given: string | undefined): Findings {
  const { challenge } = report.baseline;
  if (given === undefined)
    return {
      problems: [],
      holds: [],
      unchecked:
        challenge === undefined
          ? []
          : [`the run carries the challenge ${JSON.stringify(challenge)}: compare it with --challenge`],
    };
  return challenge === given
    ? { problems: [], holds: ['the run carries the challenge given'], unchecked: [] }
    : {
        problems: [
          `${file}:1: ${challenge === undefined ? 'it carries no challenge' : `its challenge is ${JSON.stringify(challenge)}`}, and ${JSON.stringify(given)} was given`,
        ],
        holds: [],
        unchecked: [],
      };
}

/** A time-stamp proves that the evidence existed at that time; the caller checks who signed it. */
async function timestampFindings(folder: string, sha256: string): Promise<Findings> {
  const file = join(folder, timestampFile);
  const der = await readFile(file).catch(() => undefined);
  if (der === undefined) return { problems: [], holds: [], unchecked: [] };
  const stamp = stampOf(der, sha256);
  if (typeof stamp === 'string') return { problems: [`${file}:1: ${stamp}`], holds: [], unchecked: [] };
  return {
    problems: [],
    holds: [`${timestampFile}: it belongs to this evidence; its time is ${stamp.at}`],
    unchecked: [
      `${timestampFile}: who signed it; \`openssl ts -verify -data ${evidenceFile} -in ${timestampFile} -CAfile <certificate of the authority>\``,
    ],
  };
}

/** Reads the log as far as it goes, and judges nothing. */
async function logProblems(file: string): Promise<readonly string[]> {
  const { entries, problems, totals } = replay(file);
  let nonce = '';
  let mark: string | undefined;
  let header: HeaderLine | undefined;
  const strangeKeys: string[] = [];
  try {
    for await (const entry of entries)
      if (entry.kind === 'header' || entry.kind === 'shard') {
        header = entry.header;
        nonce = bindingNonce(header.nonce, header.challenge, ...partsOf(header));
        mark = header.shard === undefined ? undefined : sharedMark(header.nonce);
      } else if (entry.kind === 'segment' && header !== undefined)
        nonce = bindingNonce(header.nonce, header.challenge, ...partsOf(header), segmentPart(entry.segment));
      else if (entry.kind === 'trace' && !keysFollow(entry.trace, nonce, mark) && strangeKeys.length === 0)
        strangeKeys.push(
          `${file}:${totals.lines}: the keys of trace ${entry.trace.id} do not derive from the nonce and challenge in the header`,
        );
  } catch (error) {
    return [`${file}: ${messageOf(error)}`];
  }
  return [...problems.map(({ line, problem }) => `${file}:${line}: ${problem}`), ...strangeKeys];
}

function partsOf({ shard }: HeaderLine): readonly string[] {
  return shard === undefined ? [] : [shardPart(shard)];
}

/** Whether keys and markers are those of this run; after a burst a plain name stands for one of its numbered ones. */
function keysFollow(trace: Trace, nonce: string, mark: string | undefined): boolean {
  const binder = binderOf(nonce, trace, mark);
  const own = bindingsOf(trace.scenario, binder);
  const follow = (
    names: Readonly<Record<string, string>>,
    bound: Readonly<Record<string, string>>,
    derived: (name: string) => string,
  ): boolean =>
    Object.entries(names).every(
      ([name, value]) =>
        bound[name] === value ||
        Object.keys(bound).some((other) => other.startsWith(`${name}#`) && bound[name] === derived(other)),
    );
  return (
    follow(own.keys, trace.bound.keys, (name) => binder(`key ${name}`).key) &&
    follow(own.markers, trace.bound.markers, (name) => markerOf(trace.scenario, binder, name))
  );
}

/** Every member of the report must follow from the evidence; otherwise a signature could cover anything. */
function reportFindings(
  folder: string,
  report: Report,
  text: string,
  recomputed: Report,
  damaged: boolean,
): Findings {
  const file = join(folder, reportFile);
  const problems: string[] = [];
  const { sha256, lines } = recomputed.evidence;
  if (report.evidence.sha256 !== sha256) {
    // The footer has the digest of the lines before it. Only the report has a digest that covers the footer.
    if (!damaged)
      problems.push(
        `${join(folder, evidenceFile)}:${lines}: this footer, or the digest in ${reportFile}, was changed: the lines before it are intact, but the digest of the whole file differs`,
      );
    problems.push(
      `${file}: /evidence/sha256: it was made from other evidence (SHA-256 ${report.evidence.sha256}, and the log has ${sha256})`,
    );
  }
  // A damaged log changes much of the report, so only the verdicts are compared.
  const other = differences(report, recomputed).filter(
    ({ at }) => !(damaged || problems.length > 0) || at.startsWith('/cells'),
  );
  problems.push(...other.map(({ at, problem }) => `${file}: ${at}: ${problem}`));
  if (report.baseline.judgedBy.version !== recomputed.baseline.judgedBy.version)
    problems.push(
      `${file}: the report names version ${report.baseline.judgedBy.version} of Assay, and this is ${recomputed.baseline.judgedBy.version}: verify it with that version, or judge it again with \`assay judge\``,
    );
  // With duplicate or reordered members, other readers could see something else than we do.
  if (problems.length === 0 && text !== reportText(report))
    problems.push(
      `${file}:${placeOfDifference(text, reportText(report))}: it is not written as Assay writes it (members twice, or another layout)`,
    );
  return {
    problems,
    holds:
      problems.length === 0 && !damaged
        ? [
            `${reportFile}: every member follows from the evidence, ${recomputed.cells.length} verdicts among them`,
          ]
        : [],
    unchecked: [],
  };
}

/** The renderings that people read must show what the report says: each is made again and compared. */
async function renderingFindings(folder: string, recomputed: Report): Promise<Findings> {
  const names = new Set(await readdir(folder));
  const problems: string[] = [];
  const same: string[] = [];
  const unchecked: string[] = [];
  let comparison: Comparison | undefined;
  try {
    comparison = await readComparison(folder);
  } catch (error) {
    if (!(error instanceof InputError)) throw error;
    problems.push(error.message);
  }
  if (comparison !== undefined)
    unchecked.push(
      `${comparisonFile}: it also depends on another run; compare them again with \`assay diff\``,
    );
  if (names.has(gateFile)) unchecked.push(`${gateFile}: the policy of a pipeline, not evidence`);
  for (const format of formats) {
    if (!names.has(format.file)) continue;
    const found = await readFile(join(folder, format.file), 'utf8');
    const own = await rendered(folder, recomputed, format, comparison);
    if (found === own) same.push(format.file);
    else
      problems.push(
        `${join(folder, format.file)}:${placeOfDifference(found, own)}: it does not show what the evidence says; render it again with \`assay report ${folder} --format ${format.name}\``,
      );
  }
  const created = await isCreatedRight(folder);
  if (created === true) same.push(createdFile);
  else if (created === false)
    problems.push(
      `${join(folder, createdFile)}: it does not list the records that the evidence shows; list them with \`assay cleanup ${folder}\``,
    );
  const known = new Set([
    createdFile,
    evidenceFile,
    reportFile,
    attestationFile,
    comparisonFile,
    gateFile,
    timestampFile,
    ...formats.map(({ file }) => file),
  ]);
  const foreign = [...names].filter((name) => !known.has(name)).sort();
  if (foreign.length > 0) unchecked.push(`${foreign.join(', ')}: not derived from the evidence`);
  return {
    problems,
    holds: same.length === 0 ? [] : [`${same.join(', ')}: derived again from the evidence, and identical`],
    unchecked,
  };
}

/** Line and column of the first difference between two texts. */
function placeOfDifference(found: string, own: string): string {
  let at = 0;
  while (at < found.length && found[at] === own[at]) at += 1;
  const before = found.slice(0, at).split('\n');
  return `${before.length}:${(before.at(-1)?.length ?? 0) + 1}`;
}
