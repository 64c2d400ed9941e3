import { execFile } from 'node:child_process';
import type { Config, Signing } from '../config/config.ts';
import { folderOf } from '../config/folder.ts';
import { ownHeaders } from '../config/load.ts';
import type { HeaderList } from '../model/exchange.ts';
import { type InputError, type InputProblem, trouble } from '../model/input-error.ts';
import { parseJson } from '../model/json.ts';
import { defaultExport } from '../suite-kit/module.ts';
import { asBytes } from '../wire/request.ts';

/** A request as it will be sent, but for `Host`, `Content-Length` and `Connection`. Each character is one byte. */
export type SignRequest = {
  readonly method: string;
  readonly url: string;
  readonly headers: readonly (readonly [name: string, value: string])[];
  /** Empty where the request has no body. */
  readonly body: Uint8Array;
};

export type SignedHeaders = Readonly<Record<string, string>> | readonly (readonly [string, string])[];

/** What the module under `target.sign` exports by default. */
export type SignModule = (request: SignRequest) => SignedHeaders | Promise<SignedHeaders>;

/** Makes the headers that one request needs in addition, or says in words what went wrong. It never rejects. */
export type Signer = {
  readonly sign: (request: SignRequest, signal: AbortSignal) => Promise<Signed>;
  /** What went wrong, with the place in the configuration. */
  readonly blame: (problem: string) => InputProblem;
};

export type Signed = { readonly headers: HeaderList } | { readonly problem: string };

/** A wave asks for many at once, and each command is a process. */
const mostCommands = 8;
const mostOutputBytes = 64 * 1024;
const mostHeaders = 32;
const mostHeaderBytes = 16 * 1024;

/** The signer of the configuration, ready; undefined where it has none. @throws InputError where it cannot be loaded */
export async function openSigner(config: Config): Promise<Signer | undefined> {
  const { sign } = config.target;
  if (sign === undefined) return undefined;
  const blame = (problem: string): InputProblem => ({
    file: config.file,
    position: config.positions.get('/target/sign'),
    problem: `signing failed: ${problem}`,
    remedy: 'fix what target.sign names; this says nothing about the target',
  });
  const make =
    'module' in sign ? await moduleSigner(sign.module, config) : commandSigner(sign.command, sign, config);
  return {
    blame,
    sign: async (request, signal) => {
      try {
        return checked(await within(sign, signal, (ended) => make(request, ended)));
      } catch (error) {
        return { problem: error instanceof SigningFailure ? error.message : 'it threw an error' };
      }
    },
  };
}

/** In words that show nothing of what the signer knows. */
class SigningFailure extends Error {}

type Make = (request: SignRequest, signal: AbortSignal) => Promise<unknown>;

async function within(
  { timeoutSeconds }: Signing,
  signal: AbortSignal,
  make: (ended: AbortSignal) => Promise<unknown>,
): Promise<unknown> {
  const ended = new AbortController();
  const end = (): void => ended.abort();
  signal.addEventListener('abort', end, { once: true });
  if (signal.aborted) end();
  const over = new Promise<never>((_resolve, reject) => {
    ended.signal.addEventListener('abort', () => reject(new SigningFailure('the run ended')), { once: true });
  });
  over.catch(() => undefined);
  let late = false;
  const timer = setTimeout(() => {
    late = true;
    end();
  }, timeoutSeconds * 1000);
  try {
    if (ended.signal.aborted) throw new SigningFailure('the run ended');
    return await Promise.race([make(ended.signal), over]);
  } catch (error) {
    throw late ? new SigningFailure(`it took longer than ${timeoutSeconds} s`) : error;
  } finally {
    clearTimeout(timer);
    signal.removeEventListener('abort', end);
  }
}

async function moduleSigner(file: string, config: Config): Promise<Make> {
  const unusable = (problem: string, remedy: string): InputError =>
    trouble(config.file, problem, remedy, config.positions.get('/target/sign/module'));
  const sign = await defaultExport(file, (why, remedy = 'check the path, and fix the module') =>
    unusable(`the module ${file} ${why}`, remedy),
  );
  if (typeof sign !== 'function')
    throw unusable(
      `the default export of ${file} is not a function`,
      "write `export default (request) => ({ 'X-Signature': ... })`",
    );
  return async (request) => {
    const made: unknown = await sign(request);
    return made;
  };
}

function commandSigner(command: string, { timeoutSeconds }: Signing, config: Config): Make {
  const free = slots(mostCommands);
  return async (request, signal) => {
    const release = await free();
    try {
      if (signal.aborted) throw new SigningFailure('the run ended');
      return await printed(command, request, {
        cwd: folderOf(config),
        timeout: timeoutSeconds * 1000,
        signal,
      });
    } finally {
      release();
    }
  };
}

function printed(
  command: string,
  { body, headers, method, url }: SignRequest,
  options: { readonly cwd: string; readonly timeout: number; readonly signal: AbortSignal },
): Promise<unknown> {
  return new Promise((settle, fail) => {
    const child = execFile(
      '/bin/sh',
      ['-c', command],
      { ...options, env: { ...process.env }, maxBuffer: mostOutputBytes },
      (error, stdout) => {
        // What it printed may hold a secret even where it failed.
        if (error === null) settle(parseJson(stdout));
        else if (error.code === 'ERR_CHILD_PROCESS_STDIO_MAXBUFFER')
          fail(new SigningFailure(`its command printed more than ${mostOutputBytes / 1024} KiB`));
        else
          fail(
            new SigningFailure(
              `its command ended with ${typeof error.code === 'number' ? `code ${error.code}` : 'a signal'}; run it by itself to see why`,
            ),
          );
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(
      JSON.stringify({ method, url, headers, bodyBase64: Buffer.from(body).toString('base64') }),
    );
  });
}

/** Lets so many in at once. */
function slots(count: number): () => Promise<() => void> {
  const waiting: (() => void)[] = [];
  let left = count;
  const release = (): void => {
    const next = waiting.shift();
    if (next === undefined) left += 1;
    else next();
  };
  return async () => {
    if (left > 0) left -= 1;
    else await new Promise<void>((resume) => waiting.push(resume));
    return release;
  };
}

const headerName = /^[!#$%&'*+\-.^_`|~0-9A-Za-z]+$/;
const headerValue = /^[\t\x20-\x7e\x80-\xff]*$/;

function checked(given: unknown): Signed {
  const pairs: readonly unknown[] | undefined = Array.isArray(given)
    ? given
    : typeof given === 'object' && given !== null
      ? Object.entries(given)
      : undefined;
  if (pairs === undefined)
    return { problem: 'it returned no headers; return an object such as { "X-Signature": "..." }' };
  const headers: (readonly [string, string])[] = [];
  for (const pair of pairs) {
    const [name, value]: readonly unknown[] = Array.isArray(pair) ? pair : [];
    if (typeof name !== 'string' || typeof value !== 'string')
      return { problem: 'it returned a header whose name or value is not text' };
    if (!headerName.test(name)) return { problem: 'it returned a header whose name is not valid' };
    const bytes = asBytes(value);
    if (!headerValue.test(bytes)) return { problem: `its '${name}' has characters that no header can carry` };
    if (ownHeaders.includes(name.toLowerCase()))
      return { problem: `it returned '${name}', which the harness itself sets` };
    headers.push([name, value]);
  }
  const size = headers.reduce((sum, [name, value]) => sum + name.length + value.length + 4, 0);
  if (headers.length > mostHeaders || size > mostHeaderBytes)
    return {
      problem: `it returned more than ${mostHeaders} headers, or ${mostHeaderBytes / 1024} KiB of them`,
    };
  return { headers };
}
