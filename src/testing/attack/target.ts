import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import zlib from 'node:zlib';
import { readDocument } from '../../document/document.ts';
import { isArray, isObject, type Json } from '../../model/json.ts';

/** What a hostile target sends for one request, piece by piece. */
export type SentPart =
  /** Characters up to U+00FF are bytes. `{token}`, `{n}` and `{elsewhere}` are filled in. */
  | { readonly text: string; readonly times: number; readonly everyMs: number }
  /** What one content coding makes of a text. */
  | { readonly packed: 'gzip' | 'br' | 'deflate'; readonly text: string; readonly times: number }
  /** A part of the response that the reference service gives to the same request. */
  | { readonly own: 'status' | 'headers' | 'body' }
  /** Without an end the connection stays open for the next request. */
  | { readonly end: 'close' | 'reset' | 'silence' };

export type HostileTarget = {
  readonly name: string;
  readonly what: string;
  /** Requests to be met so; the others get the response of the reference service. */
  readonly to: { readonly method: string | undefined; readonly status: number | undefined };
  readonly contract: 'small' | 'extended';
  /** Sent as soon as a connection is open, before any request. */
  readonly greets: readonly SentPart[];
  readonly sends: readonly SentPart[];
  /** What it sends is, or could be read as, a whole response: only such bytes support a violation. */
  readonly whole: boolean;
};

const folder = 'fixtures/hostile';

export function hostileTargets(): readonly HostileTarget[] {
  return readdirSync(folder)
    .filter((file) => file.endsWith('.yaml'))
    .sort()
    .map((file) => targetOf(file, readFileSync(join(folder, file), 'utf8')));
}

function targetOf(file: string, text: string): HostileTarget {
  const { value } = readDocument(text, file);
  if (!isObject(value)) throw new TypeError(`${file}: this is not a mapping`);
  const { what, to, contract, greets, sends, whole } = value;
  const requests = isObject(to) ? to : {};
  return {
    name: file.replace(/\.yaml$/, ''),
    what: String(what),
    to: {
      method: requests['method'] === undefined ? undefined : String(requests['method']),
      status: requests['status'] === undefined ? undefined : Number(requests['status']),
    },
    contract: contract === 'extended' ? 'extended' : 'small',
    greets: partsOf(file, greets ?? []),
    sends: partsOf(file, sends ?? []),
    whole: whole === true,
  };
}

function partsOf(file: string, given: Json): readonly SentPart[] {
  if (!isArray(given)) throw new TypeError(`${file}: parts are a sequence`);
  return given.map((part): SentPart => {
    if (!isObject(part)) throw new TypeError(`${file}: a part is a mapping`);
    const { text, packed, own, end, times, everyMs } = part;
    const count = times === 'endless' ? Number.POSITIVE_INFINITY : Number(times ?? 1);
    if (packed === 'gzip' || packed === 'br' || packed === 'deflate')
      return { packed, text: String(text), times: count };
    if (typeof text === 'string') return { text, times: count, everyMs: Number(everyMs ?? 0) };
    if (own === 'status' || own === 'headers' || own === 'body') return { own };
    if (end === 'close' || end === 'reset' || end === 'silence') return { end };
    throw new TypeError(`${file}: unknown part ${JSON.stringify(part)}`);
  });
}

const packedBefore = new Map<string, Buffer>();

/** In pieces of a megabyte: a bomb is small only when it is packed. */
export async function packedBytes({
  packed,
  text,
  times,
}: Extract<SentPart, { packed: string }>): Promise<Buffer> {
  const id = `${packed} ${times} ${text}`;
  const before = packedBefore.get(id);
  if (before !== undefined) return before;
  const packer =
    packed === 'gzip'
      ? zlib.createGzip({ level: 1 })
      : packed === 'deflate'
        ? zlib.createDeflate({ level: 1 })
        : zlib.createBrotliCompress({ params: { [zlib.constants.BROTLI_PARAM_QUALITY]: 1 } });
  const chunks: Buffer[] = [];
  packer.on('data', (chunk: Buffer) => chunks.push(chunk));
  const ended = new Promise<void>((resolve) => packer.on('end', resolve));
  const at = Math.max(1, Math.floor(2 ** 20 / Math.max(1, text.length)));
  for (let left = times; left > 0; left -= at)
    if (!packer.write(Buffer.from(text.repeat(Math.min(at, left)), 'latin1')))
      await new Promise<void>((resolve) => packer.once('drain', resolve));
  packer.end();
  await ended;
  const bytes = Buffer.concat(chunks);
  if (!text.includes('{')) packedBefore.set(id, bytes);
  return bytes;
}
