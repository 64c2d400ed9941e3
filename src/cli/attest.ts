import { readdir } from 'node:fs/promises';
import { join } from 'node:path';
import { openedGate } from '../evidence/gate.ts';
import { trouble } from '../model/input-error.ts';
import { attestationFile, envelopeOf, resultOf, signed, statementOf } from '../report/attestation.ts';
import { formats } from '../report/formats.ts';
import { readReport, writeFormats } from '../run/bundle.ts';
import { inspect } from '../run/inspect.ts';
import { type NamedKey, signingKeys } from '../run/keys.ts';
import { timestampFile, timestampFrom } from '../run/timestamp.ts';
import { writeOwnFile } from '../run/write-file.ts';
import type { Output } from './terminal/output.ts';

/** Signs a run with one more key, once it holds. @throws InputError where it does not, or a key is no key */
export async function attest(
  folder: string,
  keyFiles: readonly string[],
  output: Output,
  timestamp?: { readonly file: string } | { readonly url: string },
): Promise<number> {
  const keys = await signingKeys(keyFiles, process.env);
  if (timestamp !== undefined) output.out(`${await addTimestamp(folder, timestamp)}\n`);
  output.out(`${await addSignatures(folder, keys)}\n`);
  // Renderings that are there name the signers.
  const there = new Set(await readdir(folder));
  await writeFormats(
    folder,
    folder,
    await readReport(folder),
    formats.filter(({ file }) => there.has(file)),
  );
  return 0;
}

/** Keeps a time-stamp of the evidence in the folder; resolves to what was done, in a line. */
async function addTimestamp(
  folder: string,
  source: { readonly file: string } | { readonly url: string },
): Promise<string> {
  const report = await readReport(folder);
  const der = await timestampFrom(source, report.evidence.sha256);
  const file = join(folder, timestampFile);
  await writeOwnFile(file, der, 'stamp again');
  return `${file}: a time-stamp of the evidence`;
}

/** Signs the bundle in a folder; resolves to what was done, in a line. */
export async function addSignatures(folder: string, keys: readonly NamedKey[]): Promise<string> {
  const { report, digests, envelope: before, problems } = await inspect(folder, []);
  const [problem] = problems;
  if (problem !== undefined || report === undefined)
    throw trouble(
      folder,
      `the run does not verify, and is not signed (${problem ?? 'its log cannot be judged'})`,
      `see \`assay verify ${folder}\`${before === undefined ? '' : `; where the run was judged again, remove ${attestationFile} and let every signer sign again`}`,
    );
  let envelope = before ?? envelopeOf(statementOf(report, digests));
  for (const { key } of keys) envelope = signed(envelope, key);
  const file = join(folder, attestationFile);
  await writeOwnFile(file, openedGate.document(`${JSON.stringify(envelope, undefined, 2)}\n`), 'sign again');
  const signers = envelope.signatures.map(({ keyid }) => keyid.slice(0, 16)).join(', ');
  return `${file}: ${resultOf(report)}, signed with ${keys.map((each) => each.file).join(', ')}; keys ${signers}`;
}
