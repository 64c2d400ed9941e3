import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  attestationFile,
  type BundleDigests,
  type Envelope,
  envelopeOf,
  isSignatureBy,
  isSignedBy,
  keyId,
  parseEnvelope,
  statementIn,
  statementOf,
} from '../report/attestation.ts';
import { statementDifferences } from '../report/differences.ts';
import type { Report } from '../report/report.ts';
import type { NamedKey } from './keys.ts';

/** What was checked of a bundle, a line each. */
export type Findings = {
  readonly problems: readonly string[];
  readonly holds: readonly string[];
  readonly unchecked: readonly string[];
};

type Checked = Findings & {
  readonly envelope: Envelope | undefined;
  readonly origin: 'checked' | 'not checked';
};

/** Whether the attestation states what report and evidence say, and who signed it. */
export async function attestationFindings(
  folder: string,
  recomputed: Report,
  digests: BundleDigests,
  keys: readonly NamedKey[],
): Promise<Checked> {
  const file = join(folder, attestationFile);
  const text = await readFile(file, 'utf8').catch(() => undefined);
  const none = { envelope: undefined, origin: 'not checked', holds: [], unchecked: [] } as const;
  if (text === undefined)
    return keys.length === 0
      ? { ...none, problems: [], unchecked: ['there is no attestation: nobody signed this run'] }
      : { ...none, problems: keys.map((key) => `${file}: it does not exist, so ${key.file} did not sign`) };
  const envelope = parseEnvelope(text);
  if (envelope === undefined) return { ...none, problems: [`${file}:1:1: it is not a DSSE envelope`] };
  const problems = statementProblems(envelope, recomputed, digests).map((problem) => `${file}: ${problem}`);
  // Some readers take the first of two members of one name, and some the last.
  if (JSON.stringify(JSON.parse(text)) !== text.replaceAll(/("(?:[^"\\]|\\.)*")|\s+/g, '$1'))
    problems.push(`${file}:1:1: the envelope has a member twice, or is not plain JSON`);
  const holds: string[] =
    problems.length === 0
      ? [`${attestationFile}: it states what report and evidence say, and nothing else`]
      : [];
  if (envelope.signatures.length === 0) problems.push(`${file}: /signatures: it has no signature`);
  const { invalid, unknown } = signaturesOf(envelope, keys);
  for (const { at, keyid } of invalid)
    problems.push(
      `${file}: /signatures/${at}: the signature of key ${shortKey(keyid)} was not made with that key`,
    );
  for (const { file: name, key } of keys)
    if (isSignedBy(envelope, key))
      holds.push(`${attestationFile}: signed with ${name} (key ${shortKey(keyId(key))})`);
    else
      problems.push(
        `${file}: /signatures: no signature was made with the key in ${name} (key ${shortKey(keyId(key))})`,
      );
  return {
    envelope,
    origin: keys.length > 0 && problems.length === 0 ? 'checked' : 'not checked',
    problems,
    holds,
    unchecked: unknown.map(
      (keyid) => `the signature of key ${shortKey(keyid)}: give its public key with --key to check it`,
    ),
  };
}

const shortKey = (keyid: string): string => keyid.slice(0, 16) || '(unnamed)';

/** Signatures that are not by the key that they name, and names of keys that the caller did not give. */
function signaturesOf(
  envelope: Envelope,
  keys: readonly NamedKey[],
): {
  readonly invalid: readonly { readonly at: number; readonly keyid: string }[];
  readonly unknown: readonly string[];
} {
  const known = new Map(keys.map(({ key }) => [keyId(key), key]));
  const invalid: { readonly at: number; readonly keyid: string }[] = [];
  const unknown: string[] = [];
  for (const [at, { keyid, sig }] of envelope.signatures.entries()) {
    const named = known.get(keyid);
    const fits = keys.some(({ key }) => isSignatureBy(envelope, sig, key));
    if (named === undefined && !fits) unknown.push(keyid);
    // Readers show the name: it must be that of the key which signed.
    else if (named === undefined || !isSignatureBy(envelope, sig, named)) invalid.push({ at, keyid });
  }
  return { invalid, unknown };
}

/** What a statement says otherwise than the one that report and evidence amount to. */
function statementProblems(
  envelope: Envelope,
  recomputed: Report,
  digests: BundleDigests,
): readonly string[] {
  const statement = statementIn(envelope);
  if (statement === undefined) return ['/payload: it holds no in-toto statement'];
  const own = statementOf(recomputed, digests);
  const problems = statementDifferences(statement, own).map(({ at, problem }) => `${at}: ${problem}`);
  // A member twice is read by some as the first and by others as the last.
  if (problems.length === 0 && envelopeOf(own).payload !== envelope.payload)
    problems.push(
      '/payload: its statement is not written as Assay writes it (members twice, or another layout)',
    );
  return problems;
}
