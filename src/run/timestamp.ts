import { readFile } from 'node:fs/promises';
import { RFC3161Timestamp } from '@sigstore/core';
import { trouble } from '../model/input-error.ts';

/** A time-stamp (RFC 3161) of evidence.jsonl, as the authority returned it (DER). */
export const timestampFile = 'evidence.tsr';

/** What a time-stamp says; a text explains why it says nothing about the evidence. */
export type Stamp = { readonly at: string } | string;

/** Reads a time-stamp, and compares it with the digest of the evidence. The signer is not checked. */
export function stampOf(der: Buffer<ArrayBuffer>, sha256: string): Stamp {
  try {
    const stamp = RFC3161Timestamp.parse(der);
    // granted, or granted with modifications
    if (stamp.status > 1n) return 'the authority refused to stamp it';
    const { messageImprintHashAlgorithm, messageImprintHashedMessage, genTime } = stamp.tstInfo;
    if (messageImprintHashAlgorithm !== 'sha256') return 'it does not stamp a SHA-256 digest';
    const digest = messageImprintHashedMessage.toString('hex');
    if (digest !== sha256) return `it stamps other bytes (SHA-256 ${digest})`;
    return { at: genTime.toISOString() };
  } catch {
    return 'it is not a time-stamp response of RFC 3161';
  }
}

/** The request for a time-stamp of a SHA-256, with the certificate of the authority in the response. */
export function stampRequest(sha256: string): Buffer {
  const version = '020101';
  const algorithm = '300d06096086480165030402010500';
  const imprint = `3031${algorithm}0420${sha256}`;
  return Buffer.from(`3039${version}${imprint}0101ff`, 'hex');
}

const mostBytes = 64 * 1024;
const longestMs = 30_000;

/** A time-stamp from a file or from an authority. @throws InputError where there is none of this evidence */
export async function timestampFrom(
  source: { readonly file: string } | { readonly url: string },
  sha256: string,
): Promise<Buffer<ArrayBuffer>> {
  const name = 'file' in source ? source.file : source.url;
  const der =
    'file' in source
      ? await readFile(source.file).catch(() => undefined)
      : await requested(source.url, sha256).catch(() => undefined);
  if (der === undefined)
    throw trouble(
      name,
      'file' in source ? 'the time-stamp cannot be read' : 'there is no time-stamp from this authority',
      'name a response of `openssl ts`, or the URL of an authority',
    );
  const stamp = stampOf(der, sha256);
  if (typeof stamp === 'string') throw trouble(name, stamp, 'stamp evidence.jsonl of this run with SHA-256');
  return der;
}

async function requested(url: string, sha256: string): Promise<Buffer<ArrayBuffer> | undefined> {
  const response = await fetch(url, {
    method: 'POST',
    headers: { 'Content-Type': 'application/timestamp-query' },
    body: Uint8Array.from(stampRequest(sha256)),
    redirect: 'error',
    signal: AbortSignal.timeout(longestMs),
  });
  if (!response.ok || response.body === null) return undefined;
  const chunks: Uint8Array[] = [];
  let size = 0;
  for await (const chunk of response.body) {
    size += chunk.length;
    if (size > mostBytes) return undefined;
    chunks.push(chunk);
  }
  return Buffer.concat(chunks);
}
