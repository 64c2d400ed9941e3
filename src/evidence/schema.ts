import type { Need } from '../model/clause.ts';
import type { Declaration } from '../model/declaration.ts';
import { type HeaderList, noResponseReasons } from '../model/exchange.ts';
import type { Json, JsonObject } from '../model/json.ts';
import type { Principal, SignerOrigin, TokenOrigin } from '../model/principal.ts';
import { list, oneOf, openRecord as record, type Schema, schemaOf } from '../model/schema.ts';
import type { Waiver } from '../model/waiver.ts';

export const evidenceFormat = 'assay-evidence/3';
export const earlierFormat = 'assay-evidence/2';

const text = (description: string) => schemaOf<string>({ type: 'string', description });
const count = (description: string) => schemaOf<number>({ type: 'integer', minimum: 0, description });
const whole = (description: string) => schemaOf<number>({ type: 'integer', description });
const number = (description: string) => schemaOf<number>({ type: 'number', description });
const time = (description: string) => schemaOf<string>({ type: 'string', format: 'date-time', description });
const sha256 = (description: string) =>
  schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{64}$', description });
const flag = (description: string) => schemaOf<boolean>({ type: 'boolean', description });
const open = <T = JsonObject>(description: string) => schemaOf<T>({ type: 'object', description });
const salt = (description: string) =>
  schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{32}$', description });
const byName = <T>(values: Schema<T>, description: string) =>
  schemaOf<Readonly<Record<string, T>>>({ type: 'object', additionalProperties: values, description });
const line = <const Name extends string>(name: Name) => schemaOf<Name>({ const: name });
const ref = (name: string, description: string) =>
  schemaOf<JsonObject>({ $ref: `#/$defs/${name}`, description });

const plainText = schemaOf<string>({ type: 'string' });
const fieldLines: Schema<HeaderList> = list(
  schemaOf<HeaderList[number]>({
    type: 'array',
    prefixItems: [plainText, plainText],
    minItems: 2,
    maxItems: 2,
  }),
  'name and value of each header line, as sent',
);
/** A principal without its token, of which only a salted digest is kept. */
type LoggedPrincipal = Principal & {
  readonly token: string;
  /** Undefined where the configuration holds the token itself. */
  readonly from?: TokenOrigin;
};

const program = record('the harness', { name: text('its name'), version: text('its version') });

const header = record(
  'The first line: what was tested, with what, and how.',
  {
    line: line('header'),
    format: schemaOf<typeof evidenceFormat | typeof earlierFormat>({
      const: evidenceFormat,
      description: 'version of this format',
    }),
    harness: program,
    contract: record(
      'the contract document',
      {
        title: text('its title'),
        version: text('version of the contract'),
        digest: sha256('SHA-256 of the document and the files that it names'),
        file: text('its path'),
        text: text('the document itself'),
      },
      {
        beside: list(
          record('a file', { file: text('its path'), text: text('its text') }),
          'files that the document refers to',
        ),
      },
    ),
    configuration: record('the configuration', { file: text('its path'), digest: sha256('its SHA-256') }),
    suites: record('the suites', {
      digest: sha256('SHA-256 over their files'),
      names: list(plainText, 'their names'),
    }),
    declaration: open<Declaration>('what the vendor declared at open points'),
    principals: list(
      schemaOf<LoggedPrincipal>(
        record(
          'a credential',
          {
            name: text('its name in the configuration'),
            permissions: list(plainText, 'permissions that it was issued'),
            state: oneOf(['valid', 'expired', 'revoked'], 'its state'),
            identity: text('the caller behind it'),
            use: oneOf(['any', 'throttling'], 'what it is for'),
            token: text('a salted digest of the token'),
          },
          {
            scope: text('its tenant'),
            parameters: open<Readonly<Record<string, Json>>>('its own values of parameters'),
            from: schemaOf<TokenOrigin>({
              type: 'object',
              properties: { env: plainText, file: plainText, command: plainText },
              oneOf: ['env', 'file', 'command'].map((name) => ({ required: [name] })),
              description: 'where its token comes from: { env }, { file } or { command }',
            }),
          },
        ),
      ),
      'credentials without their tokens',
    ),
    seed: whole('seed of the plan'),
    nonce: text('what keys and markers derive from'),
    budget: oneOf(['quick', 'standard', 'thorough'], 'depth of testing'),
    limits: record('the budget in numbers', {
      maxRequests: count('maximum number of requests'),
      maxSeconds: number('maximum duration in seconds'),
    }),
    partial: flag('whether only some suites or operations were selected'),
    target: record(
      'the target',
      { baseUrl: text('its base URL'), environment: text('test, staging or production') },
      {
        product: text('as asserted'),
        vendor: text('as asserted'),
        version: text('as asserted'),
        approvedScope: text('as asserted'),
        certificate: sha256('SHA-256 of its TLS certificate'),
        signedBy: open<SignerOrigin>('what signed each request: { module } or { command }'),
      },
    ),
    startedAt: time('start of the run'),
    throttling: open('bounds of the search for a 429'),
    hooks: list(plainText, 'names of the hooks'),
    waivers: list(open<Waiver>('a waiver as configured'), 'waivers'),
    environment: record(
      'where the harness ran',
      { node: text('version of Node'), platform: text('platform and architecture') },
      { program: text('how the harness was called, if not as assay') },
    ),
  },
  {
    challenge: text('what an auditor gave before the run'),
    shard: record(
      'only in a part of a plan that several processes share',
      {
        run: text('the run that they make together'),
        number: schemaOf<number | 'last'>({
          anyOf: [{ type: 'integer', minimum: 1 }, { const: 'last' }],
          description: 'which part',
        }),
        quiet: count('probes that are left to the last part'),
        plan: sha256('SHA-256 over the probes of all parts'),
        salt: salt('with the nonce, what keys and markers of the part derive from'),
      },
      { of: count('how many parts there are before the last; absent in the last') },
    ),
    excerpt: record('only in a bundle of one finding', {
      of: sha256('SHA-256 of the whole log'),
      finding: text('the finding'),
    }),
    narrowing: list(plainText, 'how the run was narrowed'),
    operations: list(plainText, 'operations that its filters left'),
    clauses: list(plainText, 'clauses that it was narrowed to'),
    ranBy: text('who ran it, as asserted'),
    excluded: list(plainText, 'operations that the configuration excludes'),
    parameters: open<Readonly<Record<string, Readonly<Record<string, Json>>>>>(
      'values of parameters, by operation',
    ),
    selfTest: text('digest of the self-test of this build'),
  },
);

const plan = record('The probes of the run.', {
  line: line('plan'),
  probes: list(
    record('a probe', {
      suite: text('its suite'),
      probe: text('its ID in the suite'),
      operation: text('the operation under test'),
      seed: whole('its seed'),
      scenarios: count('enumerated scenarios'),
      random: count('random scenarios'),
    }),
    'in the order of the plan',
  ),
});

const skip = record('Clauses that could not be planned, and what would test them.', {
  line: line('skip'),
  suite: text('the suite'),
  operation: text('the operation'),
  clauses: list(plainText, 'their codes'),
  need: record('what is missing', {
    kind: schemaOf<Need['kind']>({ type: 'string', description: 'its kind' }),
    remedy: text('what to do'),
  }),
});

const response = record(
  'A response as received.',
  {
    status: count('status code'),
    headers: fieldLines,
    body: text('redacted and bounded'),
    bodyBytes: count('size as received'),
    truncated: flag('whether the body was cut'),
  },
  {
    miscoded: flag('whether the body is not what its Content-Encoding says'),
    withheld: text('what of the body is left out, and why'),
  },
);

const noResponse = record(
  'Why there is no whole response.',
  {
    reason: oneOf(noResponseReasons, 'its kind'),
    detail: text('in words'),
  },
  {
    partial: record('what came before the failure', { status: count('status code'), headers: fieldLines }),
  },
);

const outcome = {
  answer: ref('response', 'the response, if there is one'),
  noAnswer: ref('no-response', 'or why there is none'),
};

const exchange = record('A request and what came back, in the order in which exchanges ended.', {
  line: line('exchange'),
  exchange: record(
    'the exchange',
    {
      id: text('x1, x2, ...; in a shard x2-1, x2-2, ...'),
      trace: text('the trace that it belongs to'),
      step: text('the step of the scenario'),
      ordinal: count('0, 1, ... for the requests of a repeated step'),
      operation: text('the operation'),
      principal: text('the credential'),
      request: record(
        'the request as sent, redacted',
        { method: text('method'), path: text('path and query, without the base URL'), headers: fieldLines },
        { body: text('body') },
      ),
      requestIds: list(plainText, 'values of X-Request-Id'),
      connection: whole('number of the connection; -1 where none was open'),
      earlier: list(
        record(
          'a request that was throttled or got no response',
          {
            startedAt: number('milliseconds since the start of the run'),
            endedAt: number('milliseconds since the start of the run'),
            waited: number('the wait that followed, in milliseconds'),
          },
          outcome,
        ),
        'earlier requests of the step, each followed by a wait',
      ),
      startedAt: number('milliseconds since the start of the run'),
      endedAt: number('milliseconds since the start of the run'),
      time: time('start by the wall clock'),
    },
    {
      ...outcome,
      sentAt: number('when the whole request was written, in milliseconds since the start of the run'),
    },
  ),
});

const trace = record('One attempt at a scenario, after its exchanges.', {
  line: line('trace'),
  trace: record(
    'the attempt',
    {
      id: text('t1, t2, ...; in a shard t2-1, t2-2, ...'),
      suite: text('the suite'),
      probe: text('the probe'),
      scenarioIndex: whole('which scenario of the probe'),
      attempt: count('number of the attempt'),
      seed: whole('seed of the probe'),
      purpose: oneOf(['first', 'shrink', 'repeat'], 'why it was made'),
      scenario: open('the scenario as data: title, bodies, waves of steps'),
      bound: record(
        'what symbolic names stood for',
        { keys: byName(plainText, 'keys by name'), markers: byName(plainText, 'markers by name') },
        { chosen: open('IDs that the caller chose, by name') },
      ),
      hooks: byName(
        record('', { ok: flag('whether it worked'), detail: text('in words') }),
        'results of hooks by step',
      ),
      ended: oneOf(['complete', 'interrupted', 'budget'], 'how it ended'),
    },
    { path: text('path of a random scenario (fast-check)'), repeats: text('the trace that it repeats') },
  ),
  exchanges: list(plainText, 'IDs of its exchanges'),
});

const effects = record('What an independent read showed of a trace.', {
  line: line('effects'),
  trace: text('the trace'),
  effects: schemaOf<JsonObject | 'none'>({
    description: '`none` where nothing was to be read',
    anyOf: [
      { const: 'none' },
      record(
        'what was read',
        {
          byMarker: byName(list(plainText), 'IDs of records, by the marker in them'),
          byTarget: open('state of target records, by the step that made them'),
          seenIn: list(plainText, 'exchanges of the read'),
          complete: flag('whether the read reached its end'),
        },
        {
          listed: list(plainText, 'IDs seen without a marker'),
          foreign: list(plainText, 'IDs seen with markers of other traces alone'),
        },
      ),
    ],
  }),
});

const segment = record(
  'A run that was cut short continues here. Requests in flight at the cut belong to no trace.',
  {
    line: line('segment'),
    number: count('2 for the first that was resumed'),
    startedAt: time('start of the segment'),
    at: number('milliseconds since the start of the run'),
    salt: salt('with the nonce of the header, what keys and markers of the segment derive from'),
    harness: program,
    sha256: sha256('SHA-256 of all bytes before this line'),
  },
);

const stop = record('A request that was in flight, or had just ended, when the target stopped responding.', {
  line: line('stop'),
  stop: record('the request, and what sending it again showed', {
    exchange: text('the exchange of the request'),
    operation: text('its ID'),
    request: text('method, path and start of the body'),
    scenario: text('the situation'),
    suite: text('its name'),
    probe: text('its name'),
    stops: count('how often the target stopped responding in the run'),
    there: count('at how many of these stops the request was in flight or had just ended'),
    again: count('how often it was sent again with nothing else in flight'),
    stopped: count('how often the target stopped responding after that'),
  }),
});

const footer = record(
  'The last line: counts and digest of all before it.',
  {
    line: line('footer'),
    end: oneOf(['complete', 'interrupted', 'budget'], 'how the run ended'),
    counts: record('what the log holds', { exchanges: count('exchanges'), traces: count('traces') }),
    endedAt: time('end of the run'),
    elapsedMs: count('its duration'),
    redaction: list(
      record('a secret in one form', {
        secret: text('its name'),
        form: text('its encoding'),
        count: count('how often'),
      }),
      'what was removed',
    ),
    sha256: sha256('SHA-256 of all bytes before this line'),
  },
  {
    cause: record(
      'why the run ended early',
      {
        what: schemaOf<'target stopped responding' | 'enough violations (--bail)'>(text('in words')),
      },
      { before: list(plainText, 'the last requests before the target stopped responding') },
    ),
  },
);

export const lines = {
  header,
  plan,
  skip,
  exchange,
  trace,
  effects,
  segment,
  stop,
  footer,
};

export const evidenceSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Line of evidence.jsonl',
  oneOf: Object.keys(lines).map((name) => ({ $ref: `#/$defs/${name}` })),
  $defs: { ...lines, response, 'no-response': noResponse },
};
