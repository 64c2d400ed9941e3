import type { JsonObject } from '../model/json.ts';
import { declaresSchema } from './declares.ts';

const text = (description: string): JsonObject => ({ type: 'string', minLength: 1, description });
const count = (description: string): JsonObject => ({ type: 'integer', minimum: 1, description });
const seconds = (description: string): JsonObject => ({ type: 'number', exclusiveMinimum: 0, description });
const headers = (description: string): JsonObject => ({
  type: 'object',
  description,
  propertyNames: {
    pattern: "^[!#$%&'*+.^_`|~0-9A-Za-z-]+$",
    description: 'use a header name, such as X-Gateway',
  },
  additionalProperties: {
    type: 'string',
    pattern: '^[\\t\\x20-\\x7e\\x80-\\xff]*$',
    description: 'write the value as text in one line (quote it where YAML reads a number)',
  },
});

const environmentName = '^[A-Za-z_][A-Za-z0-9_]*$';

const pemSource = (description: string): JsonObject => ({
  type: 'object',
  description,
  properties: {
    file: text('name a file'),
    env: { type: 'string', pattern: environmentName, description: 'name an environment variable' },
  },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
});

const target: JsonObject = {
  type: 'object',
  description: 'say what is tested: target: { baseUrl: ..., environment: test }',
  properties: {
    baseUrl: text('write an absolute http or https URL, or reference for the embedded reference service'),
    environment: {
      enum: ['test', 'staging', 'production'],
      description: 'write test, staging or production; production also needs --allow-production',
    },
    headers: headers('list headers to send with every request: { X-Gateway: blue }'),
    timeoutMs: {
      ...count('write how many milliseconds to wait for a response, such as 10000'),
      default: 10_000,
    },
    returnSeconds: {
      type: 'integer',
      minimum: 0,
      description: 'write how many seconds to wait for a target that stopped responding, such as 30',
      default: 30,
    },
    exclusive: {
      type: 'boolean',
      description: 'reserved, changes nothing: write true where nobody else creates records during the run',
      default: false,
    },
    ca: text('name a PEM file with certificates of authorities to trust'),
    clientCertificate: {
      type: 'object',
      description: 'say what the harness shows of itself in TLS: { cert: { file: ... }, key: { file: ... } }',
      properties: {
        cert: pemSource('say where the certificate is (PEM): { file: ... } or { env: ... }'),
        key: pemSource('say where its private key is (PEM): { file: ... } or { env: ... }'),
        passphrase: pemSource('say where the passphrase of the key is: { file: ... } or { env: ... }'),
      },
      required: ['cert', 'key'],
      additionalProperties: false,
    },
    proxy: text(
      'write the URL of an HTTP proxy without credentials, or none (default: HTTPS_PROXY or HTTP_PROXY, unless NO_PROXY names the host)',
    ),
    http2: {
      type: 'boolean',
      description:
        'write true to speak HTTP/2 where the target offers it (default: only where it offers nothing else)',
      default: false,
    },
    sign: {
      type: 'object',
      description: 'say what signs requests: { module: ./sign.js } or { command: ./sign.sh }',
      properties: {
        module: {
          type: 'string',
          pattern: '\\.(js|mjs|ts|mts)$',
          description:
            'name a .js or .ts file whose default export is given a request, and returns headers to add',
        },
        command: text('write a shell command; it reads a request as JSON, and prints headers to add as JSON'),
        timeoutSeconds: { ...seconds('write how many seconds it may take'), maximum: 600, default: 10 },
      },
      oneOf: [{ required: ['module'] }, { required: ['command'] }],
      additionalProperties: false,
    },
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
  required: ['baseUrl', 'environment'],
  additionalProperties: false,
};

const token: JsonObject = {
  type: 'object',
  description:
    'write one of { env: NAME }, { file: path }, { command: "..." }, or for a target on this machine { value: ... }',
  properties: {
    env: { type: 'string', pattern: '^[A-Za-z_][A-Za-z0-9_]*$', description: 'name an environment variable' },
    file: text('name a file that holds the token and nothing else'),
    command: text('write a shell command that prints the token and nothing else'),
    value: text('write the token itself, which only a target on this machine allows'),
  },
  minProperties: 1,
  maxProperties: 1,
  additionalProperties: false,
};

const principal: JsonObject = {
  type: 'object',
  description: 'describe one credential: { token: ..., permissions: [...] }',
  properties: {
    token,
    permissions: {
      type: 'array',
      description: 'list the exact permissions that it was issued: [case.create], or [] for none',
      items: { type: 'string', description: 'write a permission as text, such as case.create' },
      uniqueItems: true,
    },
    scope: text('name the scope (tenant) of the identity'),
    headers: headers('list headers to send with every request of this principal: { X-Tenant: a }'),
    parameters: {
      type: 'object',
      description:
        'give the values of path, query, header or cookie parameters that each caller fills in for itself: { tenantId: a }',
    },
    state: {
      enum: ['valid', 'expired', 'revoked'],
      description: 'write valid, expired or revoked',
      default: 'valid',
    },
    identity: text('name the caller; two principals of one identity hold two tokens of the same caller'),
    use: {
      enum: ['any', 'throttling'],
      description: 'write throttling to keep it for the throttling suite alone',
      default: 'any',
    },
  },
  required: ['token', 'permissions'],
  additionalProperties: false,
};

const hook: JsonObject = {
  type: 'object',
  description: 'write { http: { url: ... } } or { command: "..." }',
  properties: {
    http: {
      type: 'object',
      description: 'write { url: ..., method: POST, headers: { ... } }',
      properties: {
        url: {
          type: 'string',
          pattern: '^(https?://|reference:/)[^\\s#]+$',
          description:
            'write an absolute http or https URL, or reference:/<hook> for the embedded reference service',
        },
        method: {
          enum: ['GET', 'POST', 'PUT', 'PATCH', 'DELETE'],
          description: 'write a method, such as POST',
          default: 'POST',
        },
        headers: headers('list headers to send with the call'),
      },
      required: ['url'],
      additionalProperties: false,
    },
    command: text('write a shell command; it reads its input as JSON'),
    timeoutSeconds: { ...seconds('write how many seconds it may take'), maximum: 600, default: 30 },
  },
  oneOf: [{ required: ['http'] }, { required: ['command'] }],
  additionalProperties: false,
};

const waiver: JsonObject = {
  type: 'object',
  description: 'write { clause: ..., owner: ..., reason: ..., expires: 2027-03-31 }',
  properties: {
    clause: { type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+$', description: 'name a clause, such as VAL-4' },
    operation: text('name an operation by its operationId, or leave it out to mean every operation'),
    owner: text('name who answers for it'),
    reason: text('say why the violation is accepted for now'),
    link: {
      type: 'string',
      pattern: '^https?://[^\\s<>"]+$',
      description: 'write the address of the issue where it was decided, as https://example.com/issues/1',
    },
    expires: {
      type: 'string',
      format: 'date',
      description: 'write the last day on which it holds, as 2027-03-31',
    },
  },
  required: ['clause', 'owner', 'reason', 'expires'],
  additionalProperties: false,
};

/** JSON Schema 2020-12 of `harness.config.yaml`. Each description is also the remedy that an error gives. */
export const configSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Configuration of Assay',
  type: 'object',
  properties: {
    target,
    contract: text('name the OpenAPI 3.1 document of the contract, as a path from this file'),
    contractRoot: text('name the folder that $ref may name files in (default: the folder of the contract)'),
    contractMegabytes: {
      type: 'integer',
      minimum: 1,
      description: 'write the most megabytes of the contract with all its files',
      default: 32,
    },
    principals: {
      type: 'object',
      description: 'name each credential with its token and permissions',
      propertyNames: {
        pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
        description: 'use letters, digits, - and _, beginning with a letter',
      },
      additionalProperties: principal,
      minProperties: 1,
    },
    operations: {
      type: 'object',
      description:
        'describe operations by their operationId: { createCase: { examples: [{ subject: Hello }] } }',
      additionalProperties: {
        type: 'object',
        description: 'write examples, parameters, targets or exclude',
        properties: {
          examples: { type: 'array', minItems: 1, description: 'list valid request bodies', items: true },
          parameters: {
            type: 'object',
            description:
              'give values of path, query, header or cookie parameters by name: { X-Site: berlin }',
          },
          targets: {
            description:
              'list two or more records by their path fields, [{ accountId: a-1 }, { accountId: a-2 }], or write { command: ... } that prints one as JSON',
            anyOf: [
              {
                type: 'array',
                minItems: 1,
                items: { type: 'object', minProperties: 1, additionalProperties: { type: 'string' } },
              },
              {
                type: 'object',
                properties: { command: text('write a shell command that prints { "accountId": "..." }') },
                required: ['command'],
                additionalProperties: false,
              },
            ],
          },
          exclude: { const: true, description: 'write true for an operation that cannot be tested' },
        },
        additionalProperties: false,
      },
    },
    declares: declaresSchema,
    throttling: {
      type: 'object',
      description: 'bound the search for a 429: { maxRequests: 300, maxSeconds: 30, maxWaitSeconds: 90 }',
      properties: {
        maxRequests: { ...count('write how many requests may be spent on reaching a 429'), default: 300 },
        maxSeconds: { ...seconds('write how many seconds may be spent on reaching a 429'), default: 30 },
        maxWaitSeconds: { ...seconds('write the longest wait guidance to honour, in seconds'), default: 90 },
        limit: {
          type: 'object',
          description: 'declare the limit of your implementation: { requests: 100, perSeconds: 60 }',
          properties: {
            requests: count('write how many requests are let through'),
            perSeconds: seconds('write in how many seconds'),
          },
          required: ['requests', 'perSeconds'],
          additionalProperties: false,
        },
      },
      additionalProperties: false,
    },
    hooks: {
      type: 'object',
      description: 'name hooks: slow, failBeforeCommit, failAfterCommit, revoke, verify or refresh',
      propertyNames: {
        pattern: '^[A-Za-z][A-Za-z0-9_-]*$',
        description: 'use letters, digits, - and _, beginning with a letter',
      },
      additionalProperties: hook,
    },
    suites: {
      type: 'array',
      description: 'list paths of suites of your own',
      items: {
        type: 'string',
        pattern: '\\.(yaml|yml|js|mjs|ts|mts)$',
        description: 'name a .yaml, .js or .ts file',
      },
    },
    waivers: { type: 'array', description: 'list accepted violations', items: waiver },
    seed: {
      type: 'integer',
      minimum: -2147483648,
      maximum: 2147483647,
      description: 'write a whole number of 32 bits; the same seed gives the same plan',
    },
    budget: {
      enum: ['quick', 'standard', 'thorough'],
      description: 'write quick, standard or thorough',
      default: 'standard',
    },
    maxRequests: count('write the most requests of a run'),
    maxSeconds: seconds('write the most seconds of a run'),
    concurrency: {
      ...count('write how many requests may be in flight, up to 256'),
      maximum: 256,
      default: 8,
    },
    ranBy: text('name who runs it, for the report: a person, a team or a job'),
    output: { ...text('name the folder for reports'), default: 'reports' },
  },
  required: ['target', 'contract', 'principals'],
  additionalProperties: false,
};
