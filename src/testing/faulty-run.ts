import { mkdtemp, readdir } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { run } from '../cli/run.ts';
import { loadConfig } from '../config/load.ts';
import { loadContract } from '../contract/load.ts';
import type { Incoming } from '../reference/behaviour.ts';
import type { ServiceResponse } from '../reference/message.ts';
import { type Reference, type ReferenceOptions, startReference } from '../reference/server.ts';
import type { Report } from '../report/report.ts';
import { machineClock } from '../run/clock.ts';
import { capture } from './captured.ts';

type Behaviour = NonNullable<ReferenceOptions['behaviour']>;

/** Three faulty services: what each does that the contract forbids. */
export const faultyServices: Readonly<Record<string, Behaviour>> = {
  /** 401 without X-Request-Id. */
  'no ID on 401': {
    attachRequestId: (incoming: Incoming, answer: ServiceResponse) =>
      answer.status === 401
        ? answer
        : { ...answer, headers: [...answer.headers, ['X-Request-Id', incoming.requestId]] },
  },
  /** Everybody may do everything. */
  'no permissions': { isGranted: () => true },
  /** 200 in place of 201, and no X-Request-Id anywhere. */
  'wrong status and no IDs at all': {
    attachRequestId: (_incoming: Incoming, answer: ServiceResponse) => answer,
    successStatus: () => 200,
  },
};

/** What each request carried comes back in headers and bodies, in every encoding in use. */
export const echoing: Behaviour = {
  finish: (incoming, answer) => {
    const sent = incoming.request.headers.filter(([name]) =>
      ['authorization', 'x-api-key', 'x-verification'].includes(name.toLowerCase()),
    );
    const texts = sent.flatMap(([, value]) => {
      const token = value.replace(/^\S+ /, '');
      return [value, ...encodings(token)];
    });
    const body = {
      echo: texts,
      said: `the caller sent ${texts.join(' and ')}`,
      again: JSON.stringify(texts),
    };
    return {
      ...answer,
      headers: [
        ...answer.headers,
        ...texts.map((text, index) => [`X-Echo-${index}`, text.replaceAll(/[^ -~]/g, '?')] as const),
        ['Location', `/cases?access_token=${encodeURIComponent(texts[0] ?? '')}`],
      ],
      ...(answer.status >= 400 ? { body: JSON.stringify(body) } : {}),
    };
  },
};

/** A secret as it may come back. */
export function encodings(token: string): readonly string[] {
  const bytes = Buffer.from(token);
  const letters = [...token].map((letter) => letter.charCodeAt(0));
  return [
    token,
    token.toLowerCase(),
    token.toUpperCase(),
    bytes.toString('base64'),
    bytes.toString('base64url'),
    Buffer.from(`user:${token}`).toString('base64'),
    bytes.toString('hex'),
    bytes.toString('hex').toUpperCase(),
    letters.map((code) => `%${code.toString(16)}`).join(''),
    letters.map((code) => `\\u${code.toString(16).padStart(4, '0')}`).join(''),
    letters.map((code) => `&#${code};`).join(''),
    letters.map((code) => `&#x${code.toString(16)};`).join(''),
  ];
}

export type FaultyRun = {
  readonly folder: string;
  readonly report: Report | undefined;
  readonly exitCode: number;
  readonly terminal: string;
  /** Tokens that were sent. */
  readonly tokens: readonly string[];
};

/** Starts the reference service with a behaviour changed, for the principals of a configuration. */
export async function startFaulty(
  behaviour: Behaviour,
  config: string,
  settings: NonNullable<ReferenceOptions['settings']> = {},
): Promise<{
  readonly reference: Reference;
  readonly principals: readonly { readonly name: string; readonly token: string }[];
}> {
  const { principals, tokens, contract } = await loadConfig(config);
  const known = principals.map((principal) => {
    const source = tokens.get(principal.name);
    return { ...principal, token: source !== undefined && 'value' in source ? source.value : '' };
  });
  const reference = await startReference({
    contract: await loadContract(contract),
    principals: known,
    clock: machineClock,
    behaviour,
    settings,
  });
  return { reference, principals: known };
}

/** A run against the reference service with a behaviour changed. */
export async function faultyRun(
  behaviour: Behaviour,
  more: {
    readonly suites?: readonly string[];
    readonly operations?: readonly string[];
    readonly seed?: number;
    readonly config?: string;
    readonly keys?: readonly string[];
    readonly challenge?: string;
    readonly budget?: 'quick' | 'standard' | 'thorough';
  } = {},
): Promise<FaultyRun> {
  const config = more.config ?? 'harness.config.yaml';
  const { reference, principals } = await startFaulty(behaviour, config);
  const output = await mkdtemp(join(tmpdir(), 'assay-faulty-'));
  const { output: said, text } = capture();
  try {
    const { exitCode, report } = await run(
      config,
      {
        overrides: { baseUrl: reference.url, budget: more.budget ?? 'quick', seed: more.seed ?? 5, output },
        suites: more.suites,
        operations: more.operations,
        quiet: true,
        keys: more.keys,
        challenge: more.challenge,
      },
      said,
      new AbortController().signal,
    );
    const [name = ''] = await readdir(output);
    return {
      folder: join(output, name),
      report,
      exitCode,
      terminal: text(),
      tokens: principals.map(({ token }) => token),
    };
  } finally {
    await reference.close();
  }
}
