import { Buffer } from 'node:buffer';
import zlib from 'node:zlib';
import type { HeaderList, HttpResponse } from '../model/exchange.ts';

/** However long a response is, this much is read of it: 16 MiB. */
export const hardCap = 16 * 1024 * 1024;

export type Received = {
  readonly chunks: readonly Buffer[];
  /** All bytes that came, those beyond the cap included. */
  readonly bytes: number;
};

/** Collects a body up to `cap` bytes, and counts the rest. */
export class Collector {
  readonly #cap: number;
  readonly #chunks: Buffer[] = [];
  #kept = 0;
  #bytes = 0;

  constructor(cap: number) {
    this.#cap = cap;
  }

  /** False once {@link hardCap} is passed: there is no point in reading on. */
  add(chunk: Buffer): boolean {
    this.#bytes += chunk.length;
    const room = this.#cap - this.#kept;
    if (room > 0) {
      const part = chunk.length > room ? chunk.subarray(0, room) : chunk;
      this.#chunks.push(part);
      this.#kept += part.length;
    }
    return this.#bytes <= hardCap;
  }

  get received(): Received {
    return { chunks: this.#chunks, bytes: this.#bytes };
  }

  get overflowed(): boolean {
    return this.#bytes > this.#cap;
  }
}

/**
 * The response as a value. Content codings (RFC 9110, 8.4) are undone up to `cap` bytes; a body that is not what
 * its Content-Encoding says stays as it came.
 *
 * @param cut true where reading was given up before the body's end
 */
export async function answerOf(
  head: { readonly status: number; readonly headers: HeaderList },
  received: Received,
  cap: number,
  cut: boolean,
): Promise<HttpResponse> {
  const raw = join(received.chunks);
  const codings = codingsOf(head.headers);
  const short = cut || received.bytes > raw.length;
  const plain = codings.length === 0 || raw.length === 0 ? undefined : await decode(raw, codings, cap, short);
  const bytes = plain?.bytes ?? raw;
  const truncated = short || (plain?.truncated ?? false);
  const { headers, status } = head;
  const miscoded =
    plain === undefined && raw.length > 0 && !short && codings.length === 1 && known.has(codings[0] ?? '');
  return {
    ...{ status, headers, body: textOf(bytes, truncated), bodyBytes: received.bytes, truncated },
    ...(miscoded ? { miscoded } : {}),
  };
}

function join(chunks: readonly Buffer[]): Buffer {
  const [first] = chunks;
  if (first === undefined) return Buffer.alloc(0);
  return chunks.length === 1 ? first : Buffer.concat(chunks);
}

/** A character that the cut went through is left out; broken ones in the middle become U+FFFD. */
function textOf(bytes: Buffer, truncated: boolean): string {
  if (!truncated) return bytes.toString('utf8');
  return new TextDecoder('utf-8', { ignoreBOM: true }).decode(bytes, { stream: true });
}

function codingsOf(headers: HeaderList): readonly string[] {
  return headers
    .filter(([name]) => name.toLowerCase() === 'content-encoding')
    .flatMap(([, value]) => value.toLowerCase().split(','))
    .map((coding) => coding.trim())
    .filter((coding) => coding !== '' && coding !== 'identity');
}

/** Clients ignore others, such as the name of a charset. */
const known = new Set(['gzip', 'x-gzip', 'br', 'deflate']);

type Plain = { readonly bytes: Buffer; readonly truncated: boolean };

/** Three codings at most are undone: no service has a reason for more. */
async function decode(
  raw: Buffer,
  codings: readonly string[],
  cap: number,
  short: boolean,
): Promise<Plain | undefined> {
  if (codings.length > 3) return undefined;
  let plain: Plain | undefined = { bytes: raw, truncated: short };
  for (const coding of codings.toReversed()) {
    if (plain === undefined) return undefined;
    plain = await undo(coding, plain, cap);
  }
  return plain;
}

/** Decompresses as a stream, so that a bomb costs no more than `cap` bytes. */
function undo(coding: string, { bytes, truncated }: Plain, cap: number): Promise<Plain | undefined> {
  const stream = decoderOf(coding, bytes);
  if (stream === undefined) return Promise.resolve(undefined);
  return new Promise((resolve) => {
    const chunks: Buffer[] = [];
    let length = 0;
    const finish = (result: Plain | undefined): void => {
      resolve(result);
      stream.destroy();
    };
    stream.on('data', (chunk: Buffer) => {
      chunks.push(chunk);
      length += chunk.length;
      if (length > cap) finish({ bytes: Buffer.concat(chunks).subarray(0, cap), truncated: true });
    });
    stream.on('end', () => finish({ bytes: Buffer.concat(chunks), truncated }));
    stream.on('error', () => finish(truncated ? { bytes: Buffer.concat(chunks), truncated } : undefined));
    stream.end(bytes);
  });
}

function decoderOf(coding: string, bytes: Buffer): zlib.Gunzip | zlib.BrotliDecompress | undefined {
  switch (coding) {
    case 'gzip':
    case 'x-gzip':
      return zlib.createGunzip();
    case 'br':
      return zlib.createBrotliDecompress();
    case 'deflate':
      // Some servers leave the zlib header (RFC 1950) out; its first byte says CM = 8 in the low bits.
      return ((bytes[0] ?? 0) & 0x0f) === 8 ? zlib.createInflate() : zlib.createInflateRaw();
    default:
      return undefined;
  }
}
