import { Agent, request as open } from 'node:http';
import type { Clock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import { isObject, type Json, type JsonObject, type JsonPointer, parseJson, valueAt } from '../model/json.ts';
import { createSignal } from '../model/signal.ts';
import type { ReferencePrincipal } from '../reference/behaviour.ts';
import { hooksPath } from '../reference/hooks.ts';
import { type Reference, type ReferenceOptions, startReference } from '../reference/server.ts';

/** A clock that stands still until it is moved. */
export type TrialClock = Clock & {
  readonly advance: (milliseconds: number) => void;
  /** Resolves when this many (default: one) sleep on the clock. */
  readonly sleeping: (count?: number) => Promise<void>;
};

export type Ask = {
  /** Name of a principal; `nobody-at-all` sends no credential. */
  readonly as?: string;
  readonly key?: string;
  readonly body?: Json;
  /** In place of a body: these bytes, as JSON. */
  readonly text?: string;
  /** Further header lines; repeated names stay repeated. */
  readonly headers?: readonly (readonly [string, string])[];
  /** Aborts the request: the client is gone. */
  readonly signal?: AbortSignal;
};

export type Said = {
  readonly status: number;
  readonly headers: Readonly<Record<string, string | readonly string[] | undefined>>;
  /** Values of X-Request-Id, one for each line. */
  readonly requestIds: readonly string[];
  readonly text: string;
  readonly body: Json | undefined;
  /** The text at a place of the body; fails where there is none. */
  readonly textAt: (at: JsonPointer) => string;
};

/** The service under trial, and a client of it. */
export type Trial = {
  readonly reference: Reference;
  readonly contract: Contract;
  readonly clock: TrialClock;
  readonly ask: (method: string, path: string, ask?: Ask) => Promise<Said>;
  readonly hook: (name: string, input: JsonObject) => Promise<JsonObject>;
  /** Creates a case and returns its ID. */
  readonly createCase: (subject: string) => Promise<string>;
};

/** Starts the service, runs the trial over HTTP, and closes the service whatever happens. */
export async function withTrial(
  options: Omit<ReferenceOptions, 'clock' | 'principals'> & {
    readonly principals?: readonly ReferencePrincipal[];
  },
  run: (trial: Trial) => Promise<void>,
): Promise<void> {
  const clock = trialClock();
  const principals = options.principals ?? principalsOf(options.contract);
  const reference = await startReference({ ...options, clock, principals });
  const agent = new Agent({ keepAlive: true, maxSockets: 256 });
  const tokens = new Map(principals.map(({ name, token }) => [name, token]));
  let keys = 0;
  const ask = (method: string, path: string, given: Ask = {}): Promise<Said> => {
    const token = tokens.get(given.as ?? 'full');
    const content = given.text ?? (given.body === undefined ? undefined : JSON.stringify(given.body));
    const lines: (readonly [string, string])[] = [
      ['Host', 'localhost'],
      ...(token === undefined ? [] : [['Authorization', `Bearer ${token}`] as const]),
      ...(given.key === undefined ? [] : [['Idempotency-Key', given.key] as const]),
      ...(content === undefined ? [] : [['Content-Type', 'application/json'] as const]),
      ...(given.headers ?? []),
      ['Content-Length', String(Buffer.byteLength(content ?? ''))],
    ];
    return exchange(reference.port, agent, method, path, lines, content, given.signal);
  };
  const hook = async (name: string, input: JsonObject): Promise<JsonObject> => {
    const said = await ask('POST', `${hooksPath}${name}`, { body: input });
    if (said.status !== 200 || !isObject(said.body)) throw new Error(`${name}: ${said.status} ${said.text}`);
    return said.body;
  };
  const createCase = async (subject: string): Promise<string> => {
    keys += 1;
    return (await ask('POST', '/cases', { key: `trial-${keys}`, body: { subject } })).textAt('/id');
  };
  try {
    await run({ reference, contract: options.contract, clock, ask, hook, createCase });
  } finally {
    agent.destroy();
    await reference.close();
  }
}

function exchange(
  port: number,
  agent: Agent,
  method: string,
  path: string,
  lines: readonly (readonly [string, string])[],
  content: string | undefined,
  signal: AbortSignal | undefined,
): Promise<Said> {
  return new Promise((resolve, reject) => {
    const request = open({
      host: '127.0.0.1',
      port,
      agent,
      method,
      path,
      setHost: false,
      // Flat pairs go over the wire as they stand.
      headers: lines.flat(),
      ...(signal === undefined ? {} : { signal }),
    });
    request.on('error', reject);
    request.on('response', (response) => {
      const chunks: Uint8Array[] = [];
      response.on('data', (chunk: Uint8Array) => chunks.push(chunk));
      response.on('error', reject);
      response.on('end', () => {
        const text = Buffer.concat(chunks).toString();
        const body = parseJson(text);
        const raw = response.rawHeaders;
        resolve({
          status: response.statusCode ?? 0,
          headers: response.headers,
          requestIds: raw.filter((_, at) => at % 2 === 1 && raw[at - 1]?.toLowerCase() === 'x-request-id'),
          text,
          body,
          textAt: (at) => {
            const value = valueAt(body, at);
            if (typeof value !== 'string')
              throw new Error(`no text at ${at} of ${response.statusCode} ${text}`);
            return value;
          },
        });
      });
    });
    request.end(content);
  });
}

/** A caller of tenant-a with every permission, and others that differ from it in one respect each. */
export function principalsOf(contract: Contract): readonly ReferencePrincipal[] {
  const permissions = [...new Set(contract.operations.flatMap((operation) => operation.permissions ?? []))];
  const full: ReferencePrincipal = {
    name: 'full',
    identity: 'full',
    token: 'Token-of-full-0001',
    permissions,
    scope: 'tenant-a',
    state: 'valid',
    use: 'any',
  };
  const other = (name: string, differs: Partial<ReferencePrincipal>): ReferencePrincipal => ({
    ...full,
    name,
    identity: name,
    token: `Token-of-${name}-0001`,
    ...differs,
  });
  return [
    full,
    other('renewed', { identity: 'full' }),
    other('peer', {}),
    other('elsewhere', { scope: 'tenant-b' }),
    other('powerless', { permissions: [] }),
    other('near-miss', {
      permissions: ['case', 'case.creat', 'case.create.x', 'CASE.CREATE', '*', 'case.*'],
    }),
    other('expired', { state: 'expired' }),
    other('revoked', { state: 'revoked' }),
  ];
}

export function trialClock(): TrialClock {
  let time = 0;
  let sleepers: readonly { readonly until: number; readonly wake: () => void }[] = [];
  let waiting: readonly { readonly count: number; readonly resolve: () => void }[] = [];
  return {
    monotonic: () => time,
    wall: () => Date.UTC(2027, 0, 1) + time,
    sleep: async (milliseconds, aborted) => {
      const signal = createSignal();
      aborted?.addEventListener('abort', signal.give);
      sleepers = [...sleepers, { until: time + milliseconds, wake: signal.give }];
      for (const { count, resolve } of waiting) if (sleepers.length >= count) resolve();
      await signal.wait;
    },
    advance: (milliseconds) => {
      time += milliseconds;
      for (const { until, wake } of sleepers) if (until <= time) wake();
      sleepers = sleepers.filter(({ until }) => until > time);
    },
    sleeping: (count = 1) => {
      const signal = createSignal();
      if (sleepers.length >= count) signal.give();
      else waiting = [...waiting, { count, resolve: signal.give }];
      return signal.wait;
    },
  };
}
