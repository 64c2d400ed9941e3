import type { Json } from '../model/json.ts';
import type { SignerOrigin } from '../model/principal.ts';
import { type Described, list, oneOf, record, type Schema, schemaOf } from '../model/schema.ts';
import type { TextSource, TokenSource } from './config.ts';
import { declaresSchema } from './declares.ts';

const text = (description: string) => schemaOf<string>({ type: 'string', minLength: 1, description });
const count = (description: string, rest: { readonly maximum?: number; readonly default?: number } = {}) =>
  schemaOf<number>({ type: 'integer', minimum: 1, description, ...rest });
const seconds = (description: string, rest: { readonly maximum?: number; readonly default?: number } = {}) =>
  schemaOf<number>({ type: 'number', exclusiveMinimum: 0, description, ...rest });
const flag = (description: string) => schemaOf<boolean>({ type: 'boolean', description, default: false });
const matching = (pattern: string, description: string) =>
  schemaOf<string>({ type: 'string', pattern, description });
const values = (description: string) =>
  schemaOf<Readonly<Record<string, Json>>>({ type: 'object', description });
const defaultsTo = <T extends Json>(schema: Schema<T>, value: T): Schema<T> => ({
  ...schema,
  default: value,
});

/** Members by names that the user gives. */
const named = <T>(
  description: string,
  names: { readonly pattern: string; readonly description: string } | undefined,
  each: Schema<T>,
): Schema<Readonly<Record<string, T>>> => ({
  type: 'object',
  description,
  ...(names === undefined ? {} : { propertyNames: names }),
  additionalProperties: each,
});
const names = {
  pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
  description: 'use letters, digits, - and _, beginning with a letter',
};
const headers = (description: string) =>
  named(
    description,
    { pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$", description: 'use a header name, such as X-Gateway' },
    matching('^[\\t\\x20-\\x7e\\x80-\\xff]*$', 'write the value as text in one line'),
  );

const environmentName = '^[A-Za-z_][A-Za-z0-9_]*$';

const pemSource = (description: string) =>
  schemaOf<TextSource>({
    type: 'object',
    description,
    properties: {
      file: text('name a file'),
      env: matching(environmentName, 'name an environment variable'),
    },
    minProperties: 1,
    maxProperties: 1,
    additionalProperties: false,
  });

const target = record(
  'say what is tested: target: { baseUrl: ..., environment: test }',
  {
    baseUrl: text('write an absolute http or https URL, or reference for the embedded reference service'),
    environment: oneOf(
      ['test', 'staging', 'production'],
      'write test, staging or production; production also needs --allow-production',
    ),
  },
  {
    headers: headers('list headers to send with every request: { X-Gateway: blue }'),
    timeoutMs: count('write how many milliseconds to wait for a response, such as 10000', {
      // A response may take three times as long, and a timer of Node has 31 bits.
      maximum: 3_600_000,
      default: 10_000,
    }),
    returnSeconds: schemaOf<number>({
      type: 'integer',
      minimum: 0,
      description: 'write how many seconds to wait for a target that stopped responding, such as 30',
      default: 30,
    }),
    exclusive: flag(
      'write true if nobody else creates records during the run (reserved: it has no effect yet)',
    ),
    ca: text('name a PEM file with certificates of authorities to trust'),
    clientCertificate: record(
      'give the client certificate of the harness: { cert: { file: ... }, key: { file: ... } }',
      {
        cert: pemSource('say where the certificate is (PEM): { file: ... } or { env: ... }'),
        key: pemSource('say where its private key is (PEM): { file: ... } or { env: ... }'),
      },
      { passphrase: pemSource('say where the passphrase of the key is: { file: ... } or { env: ... }') },
    ),
    proxy: text(
      'write the URL of an HTTP proxy without credentials, or none (default: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host)',
    ),
    http2: flag(
      'write true to speak HTTP/2 if the target offers it (default: only if it offers nothing else)',
    ),
    sign: schemaOf<RawSigning>({
      ...record(
        'say what signs requests: { module: ./sign.js } or { command: ./sign.sh }',
        {},
        {
          module: matching(
            '\\.(js|mjs|ts|mts)$',
            'name a .js or .ts file whose default export is given a request, and returns headers to add',
          ),
          command: text(
            'write a shell command; it reads a request as JSON, and prints headers to add as JSON',
          ),
          timeoutSeconds: seconds('write how many seconds it may take', { maximum: 600, default: 10 }),
        },
      ),
      oneOf: [{ required: ['module'] }, { required: ['command'] }],
    }),
    cleanup: text(
      'write a shell command that deletes one record, for `assay cleanup --run`; it is given ASSAY_OPERATION, ASSAY_ID and ASSAY_PATH',
    ),
    product: text('name the implementation, for the report'),
    vendor: text('name its vendor, for the report'),
    version: text('name the version of the implementation, for the report'),
    approvedScope: text(
      'name the approved scope that the run is about, for the report, such as "order 2026-114, 14 operations"',
    ),
  },
);

export type RawSigning = SignerOrigin & { readonly timeoutSeconds?: number };

const token = schemaOf<TokenSource>({
  ...record(
    'write one of { env: NAME }, { file: path }, { command: "..." }, or for a target on this machine { value: ... }',
    {},
    {
      env: matching('^[A-Za-z_][A-Za-z0-9_]*$', 'name an environment variable'),
      file: text('name a file that holds the token and nothing else'),
      command: text('write a shell command that prints the token and nothing else'),
      value: text('write the token itself, which only a target on this machine allows'),
    },
  ),
  minProperties: 1,
  maxProperties: 1,
});

const principal = record(
  'describe one credential: { token: ..., permissions: [...] }',
  {
    token,
    permissions: schemaOf<readonly string[]>({
      type: 'array',
      description: 'list the exact permissions issued to it: [case.create], or [] for none',
      items: { type: 'string', description: 'write a permission as text, such as case.create' },
      uniqueItems: true,
    }),
  },
  {
    scope: text('name the scope (tenant) of the caller'),
    headers: headers('list headers to send with every request of this principal: { X-Tenant: a }'),
    parameters: values(
      'give the values of path, query, header or cookie parameters that each caller fills in for itself: { tenantId: a }',
    ),
    state: defaultsTo(oneOf(['valid', 'expired', 'revoked'], 'write valid, expired or revoked'), 'valid'),
    identity: text('name the caller; two principals of one identity hold two tokens of the same caller'),
    use: defaultsTo(
      oneOf(['any', 'throttling'], 'write throttling to keep it for the throttling suite alone'),
      'any',
    ),
  },
);

const hookParts = record(
  'write { http: { url: ... } } or { command: "..." }',
  {},
  {
    http: record(
      'write { url: ..., method: POST, headers: { ... } }',
      {
        url: matching(
          '^(https?://|reference:/)[^\\s#]+$',
          'write an absolute http or https URL, or reference:/<hook> for the embedded reference service',
        ),
      },
      {
        method: defaultsTo(
          oneOf(['GET', 'POST', 'PUT', 'PATCH', 'DELETE'], 'write a method, such as POST'),
          'POST',
        ),
        headers: headers('list headers to send with the call'),
      },
    ),
    command: text('write a shell command; it reads its input as JSON'),
    timeoutSeconds: seconds('write how many seconds it may take', { maximum: 600, default: 30 }),
  },
);
const hook: typeof hookParts = { ...hookParts, oneOf: [{ required: ['http'] }, { required: ['command'] }] };

const waiver = record(
  'write { clause: ..., owner: ..., reason: ..., expires: 2027-03-31 }',
  {
    clause: matching('^[A-Z]{2,4}-[0-9]+$', 'name a clause, such as VAL-4'),
    owner: text('name who is responsible for it'),
    reason: text('say why the violation is accepted for now'),
    expires: schemaOf<string>({
      type: 'string',
      format: 'date',
      description: 'write the last day on which it is valid, such as 2027-03-31',
    }),
  },
  {
    operation: text('name an operation by its operationId, or leave it out to mean every operation'),
    link: matching(
      '^https?://[^\\s<>"]+$',
      'write the address of the issue where it was decided, such as https://example.com/issues/1',
    ),
  },
);

const operation = record(
  'write examples, parameters, targets or exclude',
  {},
  {
    examples: schemaOf<readonly Json[]>({
      type: 'array',
      minItems: 1,
      description: 'list valid request bodies',
      items: true,
    }),
    parameters: values('give values of path, query, header or cookie parameters by name: { X-Site: berlin }'),
    targets: schemaOf<readonly Readonly<Record<string, string>>[] | { readonly command: string }>({
      description:
        'list two or more records by their path fields, [{ accountId: a-1 }, { accountId: a-2 }], or write { command: ... } that prints one as JSON',
      anyOf: [
        {
          type: 'array',
          minItems: 1,
          items: {
            type: 'object',
            description: 'write a record by its path fields, such as { accountId: a-1 }',
            minProperties: 1,
            additionalProperties: {
              type: 'string',
              description: 'write the value of the path field as text, such as a-1',
            },
          },
        },
        {
          type: 'object',
          properties: { command: text('write a shell command that prints { "accountId": "..." }') },
          required: ['command'],
          additionalProperties: false,
        },
      ],
    }),
    exclude: schemaOf<true>({
      const: true,
      description: 'write true for an operation that cannot be tested',
    }),
  },
);

const config = record(
  'write at least target, contract and principals, or let assay init write the file',
  {
    target,
    contract: text('name the OpenAPI 3.1 document of the contract, as a path from this file'),
    principals: {
      ...named('name each credential with its token and permissions', names, principal),
      minProperties: 1,
    },
  },
  {
    contractRoot: text('name the folder whose files $ref may name (default: the folder of the contract)'),
    contractMegabytes: count('write the largest size of the contract with all its files, in megabytes', {
      default: 32,
    }),
    operations: named(
      'describe operations by their operationId: { createCase: { examples: [{ subject: Hello }] } }',
      undefined,
      operation,
    ),
    declares: declaresSchema,
    throttling: record(
      'bound the search for a 429: { maxRequests: 300, maxSeconds: 30, maxWaitSeconds: 90 }',
      {},
      {
        maxRequests: count('write how many requests may be spent on reaching a 429', { default: 300 }),
        maxSeconds: seconds('write how many seconds may be spent on reaching a 429', { default: 30 }),
        maxWaitSeconds: seconds('write the longest wait guidance to honour, in seconds', { default: 90 }),
        limit: record(
          'declare the limit for every caller, which plan, doctor and shards use: { requests: 100, perSeconds: 60 }',
          {
            requests: count('write how many requests the limit allows'),
            perSeconds: seconds('write the window of the limit in seconds'),
          },
        ),
      },
    ),
    hooks: named(
      'name hooks: slow, failBeforeCommit, failAfterCommit, revoke, restore, refresh or verify',
      names,
      hook,
    ),
    suites: list(
      matching('\\.(yaml|yml|js|mjs|ts|mts)$', 'name a .yaml, .js or .ts file'),
      'list paths of suites of your own',
    ),
    waivers: list(waiver, 'list accepted violations'),
    seed: schemaOf<number>({
      type: 'integer',
      minimum: -2147483648,
      maximum: 2147483647,
      description: 'write a whole number of 32 bits; the same seed gives the same plan',
    }),
    budget: defaultsTo(
      oneOf(['quick', 'standard', 'thorough'], 'write quick, standard or thorough'),
      'standard',
    ),
    maxRequests: count('write the maximum number of requests of a run'),
    maxSeconds: seconds('write the maximum number of seconds of a run'),
    concurrency: count(
      'write how many requests may be in flight, up to 256; from 8 on, as many more may be held by the hook `slow`',
      { maximum: 256, default: 8 },
    ),
    ranBy: text('name who runs it, for the report: a person, a team or a job'),
    output: defaultsTo(text('name the folder for reports'), 'reports'),
  },
);

/** `harness.config.yaml` as it is written. */
export type RawConfig = Described<typeof config>;
export type RawOperation = Described<typeof operation>;
export type RawHook = Described<typeof hook>;

/** JSON Schema 2020-12 of `harness.config.yaml`. Each description is also the remedy that an error gives. */
export const configSchema: Schema<RawConfig> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of Assay',
  ...config,
};
