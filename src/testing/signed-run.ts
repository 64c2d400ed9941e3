import { generateKeyPairSync } from 'node:crypto';
import { cp, mkdtemp, readFile, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { attest } from '../cli/attest.ts';
import { verify } from '../cli/verify.ts';
import { capture } from './captured.ts';
import { type FaultyRun, faultyRun, faultyServices } from './faulty-run.ts';

type Key = { readonly secret: string; readonly open: string; readonly pem: string };

export type SignedRun = {
  readonly made: FaultyRun;
  readonly keys: { readonly vendor: Key; readonly auditor: Key; readonly stranger: Key };
  /** A copy of the run, signed by vendor and auditor, and then changed. */
  readonly bundle: (change?: (folder: string) => Promise<void>) => Promise<string>;
  /** What `assay verify` says of a bundle, with the keys of vendor and auditor unless others are named. */
  readonly verified: (
    folder: string,
    files?: readonly string[],
  ) => Promise<{ readonly code: number; readonly text: string }>;
};

async function newKey(folder: string, name: string): Promise<Key> {
  const pair = generateKeyPairSync('ed25519');
  const key = { secret: join(folder, `${name}.pem`), open: join(folder, `${name}.pub.pem`) };
  const pem = String(pair.publicKey.export({ type: 'spki', format: 'pem' }));
  await writeFile(key.secret, pair.privateKey.export({ type: 'pkcs8', format: 'pem' }));
  await writeFile(key.open, pem);
  return { ...key, pem };
}

/** A run with violations, and keys to sign it with. */
export async function signedRun(): Promise<SignedRun> {
  const made = await faultyRun(faultyServices['no permissions'] ?? {}, { suites: ['wrong-permissions'] });
  const folder = await mkdtemp(join(tmpdir(), 'assay-keys-'));
  const keys = {
    vendor: await newKey(folder, 'vendor'),
    auditor: await newKey(folder, 'auditor'),
    stranger: await newKey(folder, 'stranger'),
  };
  const copyOf = async (original: string): Promise<string> => {
    const copy = join(await mkdtemp(join(tmpdir(), 'assay-verify-')), 'run');
    await cp(original, copy, { recursive: true });
    return copy;
  };
  const signed = await copyOf(made.folder);
  await attest(signed, [keys.vendor.secret, keys.auditor.secret], capture().output);
  return {
    made,
    keys,
    bundle: async (change) => {
      const copy = await copyOf(signed);
      await change?.(copy);
      return copy;
    },
    verified: async (copy, files = [keys.vendor.open, keys.auditor.open]) => {
      const { output, text } = capture();
      return { code: await verify(copy, files, output), text: text() };
    },
  };
}

/** Replaces part of a file of a bundle; the part must be there. */
export function edit(name: string, from: string | RegExp, to: string): (folder: string) => Promise<void> {
  return async (folder) => {
    const before = await readFile(join(folder, name), 'utf8');
    const after = before.replace(from, to);
    if (after === before) throw new Error(`${name} does not have ${from}`);
    await writeFile(join(folder, name), after);
  };
}

/** The lines of the evidence of a bundle. */
export const linesOf = async (folder: string): Promise<readonly string[]> =>
  (await readFile(join(folder, 'evidence.jsonl'), 'utf8')).trimEnd().split('\n');

export const writeLines = (folder: string, lines: readonly string[]): Promise<void> =>
  writeFile(join(folder, 'evidence.jsonl'), `${lines.join('\n')}\n`);
