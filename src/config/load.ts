import { dirname, isAbsolute, join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { checkOf } from '../document/checks.ts';
import { problemAt, readDocument, type SourceDocument } from '../document/document.ts';
import { schemaProblems } from '../document/schema-problems.ts';
import type { OperationId } from '../model/contract.ts';
import type { Declaration } from '../model/declaration.ts';
import { type InputProblem, type Position, refuse } from '../model/input-error.ts';
import type { Json, JsonPointer } from '../model/json.ts';
import { isArray, isObject, pointerOf } from '../model/json.ts';
import { parsedDeclaration } from '../oracle/open-points/declared.ts';
import type { Config, Hook, Overrides, Signing, Target, TextSource, TokenSource } from './config.ts';
import { configText } from './file.ts';
import { configSchema, type RawConfig, type RawHook, type RawOperation, type RawSigning } from './schema.ts';
import { baseUrlProblem, isLocal, normalisedBaseUrl } from './target.ts';
import { tokenTextProblem } from './tokens.ts';

/** Reads a configuration, and looks no token up. `declares` comes on top of the file. @throws InputError */
export async function loadConfig(
  file: string,
  overrides: Overrides = {},
  declares: Declaration = {},
): Promise<Config> {
  return parseConfig(await configText(file), file, overrides, declares);
}

/** Paths in the text are relative to the folder of `file`, which errors call the text. @throws InputError */
export function parseConfig(
  text: string,
  file: string,
  overrides: Overrides = {},
  declares: Declaration = {},
): Config {
  const document = readDocument(text, file);
  const raw = checked(document);
  const target = targetOf(document, raw, overrides);
  refuse([
    ...headerProblems(document, raw),
    ...proxyProblems(document, raw),
    ...productionProblems(document, raw, overrides),
    ...tokenProblems(document, raw, target),
    ...hookProblems(document, raw, target),
  ]);

  const path = (given: string): string => (isAbsolute(given) ? given : join(dirname(file), given));
  const { throttling = {} } = raw;
  return {
    file,
    digest: document.digest,
    target: { ...target, ...trustOf(raw, path) },
    contract: path(raw.contract),
    contractRoot: raw.contractRoot === undefined ? undefined : path(raw.contractRoot),
    contractMegabytes: raw.contractMegabytes,
    principals: Object.entries(raw.principals).map(([name, one]) => ({
      name,
      permissions: one.permissions,
      scope: one.scope,
      state: one.state ?? 'valid',
      identity: one.identity ?? name,
      use: one.use ?? 'any',
      ...(one.parameters === undefined ? {} : { parameters: one.parameters }),
    })),
    tokens: new Map(
      Object.entries(raw.principals).map(([name, { token }]) => [name, tokenSource(token, path)]),
    ),
    principalHeaders: new Map(
      Object.entries(raw.principals).flatMap(([name, one]) =>
        one.headers === undefined ? [] : [[name, one.headers] as const],
      ),
    ),
    examples: byOperation(raw, ({ examples }) => examples),
    parameters: byOperation(raw, ({ parameters }) => parameters),
    targets: byOperation(raw, ({ targets }, id) =>
      targets === undefined ? undefined : 'command' in targets ? { hook: targetHook(id) } : { ids: targets },
    ),
    excluded: Object.entries(raw.operations ?? {}).flatMap(([id, { exclude }]) =>
      exclude === true ? [id] : [],
    ),
    declared: parsedDeclaration(declarationOf({ ...raw.declares, ...declares }, throttling.limit)),
    throttling: {
      maxRequests: throttling.maxRequests ?? 300,
      maxSeconds: throttling.maxSeconds ?? 30,
      maxWaitSeconds: throttling.maxWaitSeconds ?? 90,
      limit: throttling.limit,
    },
    hooks: new Map([
      ...Object.entries(raw.hooks ?? {})
        .filter(([, { http }]) => target.baseUrl === undefined || http?.url.startsWith('reference:') !== true)
        .map(([name, hook]) => [name, hookOf(hook)] as const),
      ...Object.entries(raw.operations ?? {}).flatMap(([id, { targets }]) =>
        targets !== undefined && 'command' in targets
          ? [[targetHook(id), hookOf({ command: targets.command })] as const]
          : [],
      ),
    ]),
    suites: (raw.suites ?? []).map(path),
    waivers: (raw.waivers ?? []).map((waiver) => ({ ...waiver, operation: waiver.operation })),
    seed: overrides.seed ?? raw.seed,
    budget: overrides.budget ?? raw.budget ?? 'standard',
    maxRequests: overrides.maxRequests ?? raw.maxRequests,
    maxSeconds: overrides.maxSeconds ?? raw.maxSeconds,
    concurrency: overrides.concurrency ?? raw.concurrency ?? 8,
    ranBy: raw.ranBy,
    output: overrides.output ?? path(raw.output ?? 'reports'),
    positions: positionsOf(document),
  };
}

function declarationOf(declares: Declaration, limit: Config['throttling']['limit']): Declaration {
  const { G8 } = declares;
  const limits = isObject(G8) ? G8 : {};
  if (limits['unthrottled'] === true) return { ...declares, G8: 'unthrottled' };
  return limit === undefined ? declares : { ...declares, G8: { ...limits, ...limit } };
}

/** The hook that makes a record for an operation; no hook of the file can have its name. */
function targetHook(operation: OperationId): string {
  return `target of ${operation}`;
}

function byOperation<T>(
  { operations = {} }: RawConfig,
  take: (of: RawOperation, id: OperationId) => T | undefined,
): ReadonlyMap<OperationId, T> {
  return new Map(
    Object.entries(operations).flatMap(([id, of]) => {
      const taken = take(of, id);
      return taken === undefined ? [] : [[id, taken] as const];
    }),
  );
}

function checked(document: SourceDocument): RawConfig {
  const validate = checkOf('config', () => {
    const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
    formats.default(ajv);
    return ajv.compile<RawConfig>(configSchema);
  });
  const value: unknown = document.value;
  if (validate(value)) return value;
  refuse(schemaProblems(document, validate.errors));
  throw new Error('the configuration is invalid (no details)');
}

function signingOf(sign: RawSigning, path: (given: string) => string): Signing {
  const { timeoutSeconds = 10 } = sign;
  return {
    ...('module' in sign ? { module: path(sign.module) } : { command: sign.command }),
    timeoutSeconds,
  };
}

/** What connections and requests are made with; files as paths from the working directory. */
function trustOf(
  { target: { ca, clientCertificate, sign } }: RawConfig,
  path: (given: string) => string,
): Pick<Target, 'ca' | 'clientCertificate' | 'sign'> {
  const source = (of: TextSource): TextSource => ('file' in of ? { file: path(of.file) } : of);
  return {
    ...(sign === undefined ? {} : { sign: signingOf(sign, path) }),
    ca: ca === undefined ? undefined : path(ca),
    clientCertificate:
      clientCertificate === undefined
        ? undefined
        : {
            cert: source(clientCertificate.cert),
            key: source(clientCertificate.key),
            passphrase:
              clientCertificate.passphrase === undefined ? undefined : source(clientCertificate.passphrase),
          },
  };
}

function proxyProblems(document: SourceDocument, { target: { proxy } }: RawConfig): readonly InputProblem[] {
  if (proxy === undefined || proxy === 'none') return [];
  const wrong = (problem: string, remedy: string): readonly InputProblem[] => [
    problemAt(document, '/target/proxy', problem, remedy),
  ];
  const url = URL.canParse(proxy) ? new URL(proxy) : undefined;
  if (url === undefined || !/^https?:$/.test(url.protocol))
    return wrong(
      'the proxy is not an http or https URL',
      'write a URL such as http://proxy.example:3128, or none',
    );
  if (url.username === '' && url.password === '') return [];
  return wrong(
    'the URL of the proxy holds credentials',
    'set the environment variable HTTPS_PROXY to it, and remove this key',
  );
}

function targetOf(document: SourceDocument, { target }: RawConfig, overrides: Overrides): Target {
  const given = overrides.baseUrl ?? target.baseUrl;
  const wrong = baseUrlProblem(given);
  if (wrong !== undefined) {
    const remedy = 'write an absolute http or https URL such as https://api.example.test/v1, or reference';
    refuse([
      overrides.baseUrl === undefined
        ? problemAt(document, '/target/baseUrl', wrong, remedy)
        : { file: '--base-url', problem: wrong, remedy },
    ]);
  }
  return {
    baseUrl: given === 'reference' ? undefined : normalisedBaseUrl(given),
    environment: target.environment,
    headers: target.headers ?? {},
    timeoutMs: target.timeoutMs ?? 10_000,
    returnSeconds: target.returnSeconds ?? 30,
    exclusive: target.exclusive ?? false,
    ca: undefined,
    clientCertificate: undefined,
    proxy: target.proxy,
    http2: target.http2 ?? false,
    ...(target.cleanup === undefined ? {} : { cleanup: target.cleanup }),
    product: target.product,
    vendor: target.vendor,
    version: target.version,
    approvedScope: target.approvedScope,
  };
}

/** Headers that are the subject of tests, or of the protocol. */
export const ownHeaders: readonly string[] = [
  'authorization',
  'connection',
  'content-length',
  'content-type',
  'host',
  'idempotency-key',
  'transfer-encoding',
];

function headerProblems(
  document: SourceDocument,
  { target, principals }: RawConfig,
): readonly InputProblem[] {
  const given = [
    { at: '/target/headers', headers: target.headers },
    ...Object.entries(principals).map(([name, { headers }]) => ({
      at: pointerOf(['principals', name, 'headers']),
      headers,
    })),
  ];
  return given.flatMap(({ at, headers = {} }) =>
    Object.keys(headers)
      .filter((name) => ownHeaders.includes(name.toLowerCase()))
      .map((name) =>
        problemAt(
          document,
          `${at}${pointerOf([name])}`,
          `the harness itself sets '${name}'`,
          name.toLowerCase() === 'authorization'
            ? "remove it: tokens belong under 'principals'"
            : 'remove it',
          'key',
        ),
      ),
  );
}

function productionProblems(
  document: SourceDocument,
  { target }: RawConfig,
  overrides: Overrides,
): readonly InputProblem[] {
  if (target.environment !== 'production' || overrides.allowProduction === true) return [];
  return [
    problemAt(
      document,
      '/target/environment',
      'the target is a production environment, and the run would create records in it',
      'test another environment, or add --allow-production',
    ),
  ];
}

function tokenProblems(document: SourceDocument, raw: RawConfig, target: Target): readonly InputProblem[] {
  const holders = new Map<string, { readonly name: string; readonly identity: string }>();
  return Object.entries(raw.principals).flatMap(([name, principal]): readonly InputProblem[] => {
    const wrong = (problem: string, remedy: string): readonly InputProblem[] => [
      problemAt(document, pointerOf(['principals', name, 'token']), problem, remedy),
    ];
    if (!('value' in principal.token)) return [];
    if (!isLocal(target.baseUrl))
      return wrong(
        `the token of '${name}' is in the file itself, but the target is another machine`,
        `take it from the environment: { env: TOKEN_${name.toUpperCase().replaceAll('-', '_')} }`,
      );
    const unfit = tokenTextProblem(principal.token.value);
    if (unfit !== undefined) return wrong(`the token of '${name}' ${unfit.problem}`, unfit.remedy);
    const identity = principal.identity ?? name;
    const other = holders.get(principal.token.value);
    if (other !== undefined && other.identity !== identity)
      return wrong(
        `'${name}' and '${other.name}' have the same token`,
        'give each a token of its own, or both the same identity',
      );
    holders.set(principal.token.value, { name, identity });
    return [];
  });
}

function hookProblems(document: SourceDocument, raw: RawConfig, target: Target): readonly InputProblem[] {
  // With --base-url the hooks of the embedded reference service are only left out: the file is right as it stands.
  if (target.baseUrl === undefined || raw.target.baseUrl === 'reference') return [];
  return Object.entries(raw.hooks ?? {})
    .filter(([, { http }]) => http?.url.startsWith('reference:') === true)
    .map(([name]) =>
      problemAt(
        document,
        pointerOf(['hooks', name, 'http', 'url']),
        `the hook '${name}' is one of the embedded reference service, which is not the target`,
        'write the URL of a hook of your target, or remove this one',
      ),
    );
}

function tokenSource(token: TokenSource, path: (given: string) => string): TokenSource {
  return 'file' in token ? { file: path(token.file) } : token;
}

function hookOf({ http, command, timeoutSeconds = 30 }: RawHook): Hook {
  if (http === undefined) return { kind: 'command', command: command ?? '', timeoutSeconds };
  return {
    kind: 'http',
    url: http.url,
    method: http.method ?? 'POST',
    headers: http.headers ?? {},
    timeoutSeconds,
  };
}

function positionsOf(document: SourceDocument): ReadonlyMap<JsonPointer, Position> {
  const positions = new Map<JsonPointer, Position>();
  const walk = (value: Json, pointer: JsonPointer): void => {
    positions.set(pointer, document.at(pointer, 'key'));
    if (isArray(value)) value.forEach((item, index) => void walk(item, `${pointer}/${index}`));
    else if (isObject(value)) {
      for (const [name, member] of Object.entries(value)) walk(member, pointer + pointerOf([name]));
    }
  };
  walk(document.value, '');
  return positions;
}
