import { Buffer } from 'node:buffer';
import { randomInt } from 'node:crypto';
import { extname, join } from 'node:path';
import { setImmediate } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { Dispatcher } from 'undici';
import { clauseCodes } from '../clauses/codes.ts';
import { checkAgainstContract } from '../config/against-contract.ts';
import type { Config, Hook, Overrides } from '../config/config.ts';
import { folderOf } from '../config/folder.ts';
import { loadConfig } from '../config/load.ts';
import { resolveTokens } from '../config/tokens.ts';
import type { ContractLimits } from '../contract/files.ts';
import { withParameters } from '../contract/given.ts';
import { type ContractFiles, readContract } from '../contract/load.ts';
import { unknownName } from '../document/nearest.ts';
import type { AcceptedBodies } from '../engine/rehearsal.ts';
import type { RunHook } from '../engine/stage.ts';
import { type Gate, shortestSecret } from '../evidence/gate.ts';
import type { Clock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import { InputError, refuse, trouble } from '../model/input-error.ts';
import { exactly, isObject, type Json, type JsonObject, parseJson } from '../model/json.ts';
import type { PrincipalName } from '../model/principal.ts';
import { StoppedPlanning } from '../model/stopped-planning.ts';
import { messageOf } from '../model/thrown.ts';
import type { Validators } from '../oracle/context.ts';
import type { Behaviour, ReferencePrincipal, Settings } from '../reference/behaviour.ts';
import type { Schemas } from '../reference/schemas.ts';
import type { Reference } from '../reference/server.ts';
import { loadSuites } from '../suite-kit/load.ts';
import type { Preparations } from '../suite-kit/preparation.ts';
import type { Planning, Suite } from '../suite-kit/suite.ts';
import type { OperationValues } from '../suite-kit/values.ts';
import { answerOf, hardCap } from '../wire/body.ts';
import { hookDispatcher } from './hook-dispatcher.ts';
import { moduleRoot, packageRoot } from './place.ts';
import { planningOf } from './planning-of.ts';
import { openSigner, type Signer } from './signer.ts';
import { type Connecting, direct, transportOf } from './transport.ts';

/** The inputs of every command: configuration, contract, suites, and what suites may know. */
export type Session = {
  readonly config: Config;
  readonly contract: Contract;
  /** Loaded when they are first asked for: the first request need not wait for them. */
  readonly suites: () => Promise<readonly Suite[]>;
  readonly suiteNames: readonly string[];
  /** SHA-256 over their files, hexadecimal. */
  readonly suitesDigest: string;
  readonly seed: number;
  readonly validators: Validators;
  readonly loaded: Loaded;
  readonly planning: (
    tokens: ReadonlyMap<PrincipalName, string>,
    accepted?: AcceptedBodies,
    prepared?: Preparations,
  ) => Planning;
};

/** What all runs of one configuration share; kept where many are made. */
export type Loaded = {
  readonly contract: Contract;
  readonly files: ContractFiles;
  readonly suites: Session['suites'];
  readonly suiteNames: readonly string[];
  readonly suitesDigest: string;
  readonly validators: Validators;
  readonly values: Map<string, OperationValues>;
  readonly reference: { schemas?: Schemas };
};

export function contractLimits({ contractRoot, contractMegabytes }: Config): ContractLimits {
  return {
    root: contractRoot,
    maxBytes: contractMegabytes === undefined ? undefined : contractMegabytes * 1024 * 1024,
  };
}

/** @throws StoppedPlanning where the signal ends it */
async function load(config: Config, signal: AbortSignal | undefined): Promise<Loaded> {
  const turn = async (): Promise<void> => {
    await setImmediate();
    if (signal?.aborted === true)
      throw new StoppedPlanning('stopped while the contract was read; nothing was tested');
  };
  const limits = { ...contractLimits(config), turn };
  const { contract, files } = await readContract(config.contract, limits).catch((error) => {
    throw error instanceof InputError ? placedIn(config, error) : error;
  });
  const {
    suites,
    names: suiteNames,
    digest: suitesDigest,
  } = await loadSuites(
    [
      { folder: join(moduleRoot(), 'suites'), endings: [extname(fileURLToPath(import.meta.url))] },
      { folder: join(packageRoot(), 'suites'), endings: ['.yaml'] },
    ],
    config.suites,
  ).catch((error) => {
    throw error instanceof InputError ? suitePlacedIn(config, error) : error;
  });
  return {
    contract,
    files,
    suites,
    suiteNames,
    suitesDigest,
    validators: new WeakMap(),
    values: new Map(),
    reference: {},
  };
}

/** What is wrong with a whole file is reported where the configuration names that file. */
function placedIn({ contract, file, positions }: Config, error: InputError): InputError {
  const { problem, remedy } = error;
  return error.file === contract && error.line === undefined
    ? trouble(file, `${contract}: ${problem}`, remedy, positions.get('/contract'))
    : error;
}

function suitePlacedIn({ suites, file, positions }: Config, error: InputError): InputError {
  const index = suites.indexOf(error.file);
  return index >= 0 && error.line === undefined
    ? trouble(file, `${error.file}: ${error.problem}`, error.remedy, positions.get(`/suites/${index}`))
    : error;
}

/** Loads and checks all inputs. `kept` is what an earlier session of the same configuration loaded. @throws InputError */
export async function openSession(
  file: string,
  overrides: Overrides,
  declares: Declaration = {},
  kept?: Loaded,
  signal?: AbortSignal,
): Promise<Session> {
  const config = await loadConfig(file, overrides, declares);
  const loaded = kept ?? (await load(config, signal));
  const { suites, suiteNames, suitesDigest, validators } = loaded;
  checkAgainstContract(config, loaded.contract, clauseCodes);
  const known = {
    clauses: clauseCodes,
    operations: [...loaded.contract.operations, ...(loaded.contract.leftOut ?? [])].map(({ id }) => id),
    principals: config.principals.map(({ name }) => name),
  };
  if (config.suites.length > 0)
    refuse((await suites()).flatMap((suite) => suite.unknownNames?.(known) ?? []));
  const contract = withParameters(loaded.contract, Object.fromEntries(config.parameters), config.principals);
  const seed = config.seed ?? randomInt(0, 2 ** 31);
  return {
    config,
    contract,
    suites,
    suiteNames,
    suitesDigest,
    validators,
    loaded,
    seed,
    planning: (tokens, accepted, prepared) =>
      planningOf(config, contract, tokens, loaded.values, accepted, prepared),
  };
}

/** Names given with --suite or --operation must exist. @throws InputError */
export function checkSelection(
  { suiteNames, contract }: Pick<Session, 'suiteNames' | 'contract'>,
  given: {
    readonly suites?: readonly string[] | undefined;
    readonly operations?: readonly string[] | undefined;
  },
): void {
  checkNames('--suite', given.suites, suiteNames);
  checkNames(
    '--operation',
    given.operations,
    contract.operations.map((operation) => operation.id),
  );
}

function checkNames(flag: string, given: readonly string[] | undefined, known: readonly string[]): void {
  for (const name of given ?? [])
    if (!known.includes(name)) throw unknownName(flag, flag.slice(2), name, known);
}

export type OpenTarget = {
  readonly baseUrl: string;
  readonly transport: Connecting;
  readonly signer?: Signer | undefined;
  readonly reference: Reference | undefined;
};

/** How the embedded reference service departs from its usual decisions: a fault, or a legal choice. */
export type ReferenceChange = {
  readonly change: Partial<Behaviour>;
  readonly settings?: Partial<Settings>;
  /** What its vendor declares at the open points, in addition to the configuration. */
  readonly declares?: Declaration;
};

/** The target to talk to; the embedded reference service is started where the configuration names it. */
export async function openTarget(
  { config, contract, loaded }: Session,
  tokens: ReadonlyMap<PrincipalName, string>,
  clock: Clock,
  change: ReferenceChange = { change: {} },
): Promise<OpenTarget> {
  const signer = await openSigner(config);
  if (config.target.baseUrl !== undefined) {
    const transport = await transportOf(config, process.env);
    return { baseUrl: config.target.baseUrl, transport, signer, reference: undefined };
  }
  const [{ startReference }, { createSchemas }] = await Promise.all([
    import('../reference/server.ts'),
    import('../reference/schemas.ts'),
  ]);
  loaded.reference.schemas ??= createSchemas();
  const reference = await startReference({
    contract,
    schemas: loaded.reference.schemas,
    principals: withTokens(config, tokens),
    records: vendorRecords(config),
    clock,
    behaviour: change.change,
    ...(change.settings === undefined ? {} : { settings: change.settings }),
  });
  return { baseUrl: reference.url, transport: direct, signer, reference };
}

export function withTokens(
  { principals }: Config,
  tokens: ReadonlyMap<PrincipalName, string>,
): readonly ReferencePrincipal[] {
  return principals.map((principal) => ({ ...principal, token: tokens.get(principal.name) ?? '' }));
}

/** The targets of the configuration, in the scope of the first principal. */
function vendorRecords({ principals, targets }: Config): ReadonlyMap<string, string> {
  const scope = principals.find(({ state }) => state === 'valid')?.scope ?? '';
  const ids = [...targets.values()].flatMap((given) => ('ids' in given ? given.ids : []));
  return new Map(ids.flatMap((record) => Object.values(record).map((id) => [id, scope] as const)));
}

export { resolveTokens };

const referenceHooks = 'reference:/';

/** Runs the configured hooks: an HTTP call, or a command that reads JSON from its input and writes JSON. */
export function hookRunner(config: Config, target: OpenTarget, gate: Pick<Gate, 'value' | 'add'>): RunHook {
  return async (name, given, signal) => {
    const input = gate.value(given);
    const hook = config.hooks.get(name);
    if (hook === undefined) return { ok: false, output: null, detail: `there is no hook '${name}'` };
    const { reference } = target;
    const result = await Promise.race([
      hook.kind === 'http' && hook.url.startsWith(referenceHooks) && reference !== undefined
        ? hookOfReference(hook, reference, input)
        : hook.kind === 'http'
          ? callHook(hook, config, target, input, signal)
          : runCommand(hook, folderOf(config), input, signal),
      ended(signal),
    ]);
    const output = isObject(result.output) ? result.output : {};
    const { token, verification } = output;
    if (typeof token === 'string') {
      if (token.length < shortestSecret)
        return {
          ok: false,
          output: null,
          detail: `its token has fewer than ${shortestSecret} characters, and could not be redacted safely`,
        };
      gate.add(`hook ${name}`, token);
    }
    // A short value may be an ordinary word of responses.
    if (typeof verification === 'string' && verification.length >= 16) gate.add(`hook ${name}`, verification);
    const wanted = resultOf(name, input);
    if (!result.ok || wanted === undefined || typeof output[wanted] === 'string') return result;
    return { ...result, ok: false, detail: `${result.detail}, without the text "${wanted}" in its result` };
  };
}

/** Resolves when the run ends, even if the hook is still running. */
function ended(signal: AbortSignal | undefined): Promise<Awaited<ReturnType<RunHook>>> {
  return new Promise((resolve) => {
    const end = (): void => resolve({ ok: false, output: null, detail: 'the run ended before the hook did' });
    if (signal?.aborted === true) end();
    else signal?.addEventListener('abort', end, { once: true });
  });
}

/** The member that the result of a hook must have, such as a token. */
function resultOf(name: string, input: Readonly<Record<string, Json>>): 'token' | 'verification' | undefined {
  if (name === 'refresh') return 'token';
  return input['kind'] === 'valid' ? 'verification' : undefined;
}

function hookOfReference(
  hook: Extract<Hook, { kind: 'http' }>,
  reference: Reference,
  input: JsonObject,
): Awaited<ReturnType<RunHook>> {
  const outcome = reference.hook(hook.url.slice(referenceHooks.length), input);
  return 'output' in outcome
    ? { ok: true, output: outcome.output, detail: 'done' }
    : { ok: false, output: null, detail: outcome.error };
}

async function callHook(
  hook: Extract<Hook, { kind: 'http' }>,
  config: Config,
  target: OpenTarget,
  input: Readonly<Record<string, Json>>,
  signal: AbortSignal | undefined,
): Promise<Awaited<ReturnType<RunHook>>> {
  const { request } = await import('undici');
  let dispatcher: Dispatcher | undefined;
  try {
    dispatcher = await hookDispatcher(new URL(hook.url), {
      proxy: config.target.proxy,
      env: process.env,
      ca: target.transport.ca,
    });
    const answer = await request(hook.url, {
      ...(dispatcher === undefined ? {} : { dispatcher }),
      method: hook.method,
      headers: { 'content-type': 'application/json', ...hook.headers },
      body: hook.method === 'GET' ? null : JSON.stringify(input),
      headersTimeout: hook.timeoutSeconds * 1000,
      bodyTimeout: hook.timeoutSeconds * 1000,
      ...(signal === undefined ? {} : { signal }),
    });
    const bytes = Buffer.from(await answer.body.arrayBuffer());
    const codings = [answer.headers['content-encoding'] ?? []].flat();
    const { body } = await answerOf(
      { status: answer.statusCode, headers: codings.map((coding) => ['Content-Encoding', coding]) },
      { chunks: [bytes], bytes: bytes.length },
      hardCap,
      false,
    );
    const ok = answer.statusCode >= 200 && answer.statusCode < 300;
    const output = outputOf(body.replace(/^\uFEFF/, ''));
    return { ok, output, detail: `HTTP ${answer.statusCode}` };
  } catch (error) {
    return { ok: false, output: null, detail: messageOf(error) };
  } finally {
    await dispatcher?.destroy();
  }
}

/** An ID may be a number with more digits than JSON.parse keeps. */
function outputOf(text: string): Json {
  return exactly(text, parseJson(text)) ?? null;
}

async function runCommand(
  hook: Extract<Hook, { kind: 'command' }>,
  cwd: string,
  input: Readonly<Record<string, Json>>,
  signal: AbortSignal | undefined,
): Promise<Awaited<ReturnType<RunHook>>> {
  const { execFile } = await import('node:child_process');
  return new Promise((resolve) => {
    const child = execFile(
      '/bin/sh',
      ['-c', hook.command],
      { cwd, timeout: hook.timeoutSeconds * 1000, ...(signal === undefined ? {} : { signal }) },
      (error, stdout) => {
        resolve({
          ok: error === null,
          output: outputOf(stdout),
          detail: error === null ? 'exit 0' : `the command failed (${error.code ?? 'killed'})`,
        });
      },
    );
    child.stdin?.on('error', () => undefined);
    child.stdin?.end(JSON.stringify(input));
  });
}
