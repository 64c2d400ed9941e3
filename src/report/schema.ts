import type { JsonObject } from '../model/json.ts';
import { reportFormat } from './report.ts';

/** Members that are always there, and, after `optional`, those that may be absent. */
function record(
  description: string,
  required: Readonly<Record<string, JsonObject>>,
  optional: Readonly<Record<string, JsonObject>> = {},
): JsonObject {
  return {
    type: 'object',
    description,
    properties: { ...required, ...optional },
    required: Object.keys(required),
    additionalProperties: false,
  };
}

const list = (items: JsonObject, description = ''): JsonObject => ({
  type: 'array',
  ...(description === '' ? {} : { description }),
  items,
});
const ref = (name: string): JsonObject => ({ $ref: `#/$defs/${name}` });
const text: JsonObject = { type: 'string' };
const yes: JsonObject = { type: 'boolean' };
const count: JsonObject = { type: 'integer', minimum: 0 };
const milliseconds: JsonObject = { type: 'number', description: 'milliseconds' };
const seconds: JsonObject = { type: 'number', minimum: 0, description: 'seconds' };
const status: JsonObject = { type: 'integer', minimum: 100, maximum: 999 };
const time: JsonObject = { type: 'string', format: 'date-time' };
const sha256: JsonObject = { type: 'string', pattern: '^[0-9a-f]{64}$' };
const level: JsonObject = { enum: ['stated', 'derived', 'advisory'] };
const verdicts = ['pass', 'fail', 'unstable', 'inconclusive', 'not-tested', 'not-applicable'];
const verdict: JsonObject = { enum: verdicts };
const cellId: JsonObject = { type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+/.+$' };
const code: JsonObject = { type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+$' };
const outcome: JsonObject = { enum: ['violations', 'not fully verified', 'conformant'] };
const headers: JsonObject = list(
  { type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 },
  'name and value of each field line, in the order and casing of the wire',
);
const source = record('where the specification says it', { where: text, quote: text });
const program = record('name and version', { name: text, version: text });
const repeats = record('how many repeats reproduced it', { violated: count, of: count });

const definitions: Readonly<Record<string, JsonObject>> = {
  cell: record('one cell of the clause x operation matrix', {
    clause: code,
    level,
    operation: text,
    verdict,
    because: text,
    needs: list(record('what would test it', { kind: text, remedy: text })),
    idsOnly: yes,
    rulings: record('rulings by kind', { holds: count, violated: count, inconclusive: count }),
    repeats,
    advisories: list(record('a tolerated response', { text, count })),
  }),
  excerpt: record(
    'one exchange, redacted and cut',
    {
      id: text,
      step: text,
      operation: text,
      role: { enum: ['control', 'test', 'readback', 'setup'] },
      principal: text,
      time,
      startedAt: milliseconds,
      endedAt: milliseconds,
      request: text,
      requestIds: list(text),
      requestHeaders: headers,
      responseHeaders: headers,
      earlierTries: count,
    },
    { status, noAnswer: text, requestBody: text, responseBody: text },
  ),
  waiver: record(
    'a violation that is accepted for now',
    { clause: code, owner: text, reason: text, expires: { type: 'string', format: 'date' } },
    { operation: text, link: text },
  ),
  finding: record(
    'a violated clause on an operation',
    {
      id: cellId,
      clause: code,
      level,
      operation: text,
      verdict: { enum: ['fail', 'unstable'] },
      text,
      source,
      expected: text,
      actual: text,
      because: text,
      fix: text,
      requestIds: list(text),
      repeats,
      scenario: text,
      suite: text,
      probe: text,
      purpose: { enum: ['first', 'shrink', 'repeat'] },
      seed: { type: 'integer' },
      exchanges: list(ref('excerpt'), 'the minimal history, in the order in which it was sent'),
      curl: list(text),
      reproduce: text,
    },
    { control: ref('excerpt'), waiver: ref('waiver') },
  ),
};

/** JSON Schema 2020-12 of report.json. */
export const reportSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Report of Assay',
  ...record(
    'what a run of Assay found; derived from its evidence alone',
    {
      format: { const: reportFormat },
      verdict: record('the decision', {
        outcome,
        partial: yes,
        certifiable: yes,
        shortfalls: list(text, 'why it is not certifiable; empty where it is'),
        exitCode: { enum: [0, 1, 2, 3] },
        exitCodeOtherwise: { enum: [0, 2, 3] },
      }),
      run: record(
        'the run itself',
        {
          id: text,
          startedAt: time,
          elapsedMs: count,
          ended: { enum: ['complete', 'interrupted', 'budget'] },
          exchanges: count,
          traces: count,
        },
        {
          ranBy: text,
          endedAt: time,
          cause: record(
            'why it ended early',
            { what: text },
            { before: list(text, 'the last requests before the target stopped responding') },
          ),
          stops: list(
            record('a request that was in flight, or had just ended, when the target stopped responding', {
              exchange: text,
              operation: text,
              request: text,
              scenario: text,
              suite: text,
              probe: text,
              stops: count,
              there: count,
              again: count,
              stopped: count,
            }),
            'not part of the verdict; but the exit code is not 0 where the target stops again, or was not sent the request again',
          ),
          shards: record('where several processes shared the plan', {
            run: text,
            present: list(text, 'shards in this log'),
            missing: list(text, 'the others; the run is not fully verified without them'),
          }),
        },
      ),
      subject: record(
        'what was tested',
        {
          asserted: record(
            'as the configuration asserts it',
            { baseUrl: text, environment: text },
            { vendor: text, product: text, version: text, approvedScope: text },
          ),
          observed: list(record('a header by which it names itself', { header: text, value: text, count })),
        },
        { clockSkewSeconds: { type: 'integer' }, certificate: sha256 },
      ),
      baseline: record(
        'what the verdict is based on',
        {
          harness: program,
          judgedBy: program,
          contract: record('the contract', { file: text, title: text, version: text, digest: sha256 }),
          configuration: record('the configuration', { file: text, digest: sha256 }),
          suites: record('the suites', { digest: sha256, names: list(text) }),
          declaration: {
            type: 'object',
            description: 'what the vendor declared at the open points',
            propertyNames: { pattern: '^G[0-9]+$' },
          },
          seed: { type: 'integer' },
          budget: text,
          environment: record('where the harness ran', { node: text, platform: text }, { program: text }),
        },
        { selfTest: text, challenge: text },
      ),
      scope: record(
        'the approved scope',
        {
          operations: list(
            record(
              'an operation',
              { id: text, method: text, path: text, kind: { enum: ['command', 'read'] }, digest: sha256 },
              {
                position: record('where the contract document has it, one-based', {
                  line: count,
                  column: count,
                }),
              },
            ),
          ),
        },
        { governedOperations: count },
      ),
      counts: record(
        'cells of stated and derived clauses, by verdict',
        Object.fromEntries(verdicts.map((name) => [name, count])),
      ),
      openPoints: list(
        record(
          'declaration and observation at a point that the contract leaves open',
          {
            point: { type: 'string', pattern: '^G[0-9]+$' },
            title: text,
            quote: text,
            readings: list(text),
            always: text,
            byDefault: text,
            clauses: list(code),
            observed: list(
              record('one kind of response', { text, count, exchanges: list(text), requestIds: list(text) }),
            ),
            state: {
              enum: ['not observed', 'observed', 'mixed', 'as declared', 'contradicts the declaration'],
            },
            notes: list(text),
          },
          { declared: {} },
        ),
      ),
      violations: list(ref('finding'), 'stated and derived clauses'),
      advisories: list(ref('finding'), 'good practice; they never fail a run'),
      cells: list(ref('cell')),
      clauses: list(record('an obligation', { code, level, text, source })),
      waivers: list({
        ...record(
          'a waiver and what it covers',
          {
            clause: code,
            owner: text,
            reason: text,
            expires: { type: 'string', format: 'date' },
            state: { enum: ['in effect', 'expired', 'unused', 'unmatched', 'not tested'] },
            findings: list(cellId),
          },
          { operation: text, link: text },
        ),
      }),
      limits: record('what this run does not say', {
        partial: yes,
        budget: record('the budget, and what was spent', {
          name: text,
          maxRequests: count,
          maxSeconds: seconds,
          requests: count,
          seconds,
        }),
        open: list(
          record('cells without a verdict, for the same reason', {
            verdict: { enum: ['not-tested', 'inconclusive'] },
            because: text,
            clauses: list(code),
            operations: list(text),
            cells: count,
          }),
        ),
      }),
      operations: list(
        record('figures of an operation', {
          operation: text,
          requests: count,
          statuses: { type: 'object', propertyNames: { pattern: '^[0-9]{3}$' }, additionalProperties: count },
          noAnswers: { type: 'object', additionalProperties: count },
          latency: record('from sending a request to the end of its response; quantiles are exact to 5%', {
            count,
            min: milliseconds,
            mean: milliseconds,
            p50: milliseconds,
            p90: milliseconds,
            p99: milliseconds,
            max: milliseconds,
            buckets: list(record('a bucket', { from: milliseconds, to: milliseconds, count })),
          }),
        }),
      ),
      throttling: record('the pace of the run', {
        bucketMs: milliseconds,
        timeline: list(
          record('requests of one bucket', {
            at: milliseconds,
            requests: count,
            succeeded: count,
            throttled: count,
            otherFailures: count,
            noAnswer: count,
          }),
        ),
        throttled: count,
        episodes: list(
          record(
            'a 429 response, its guidance, and what followed',
            {
              exchange: text,
              operation: text,
              principal: text,
              at: milliseconds,
              guidance: list(text),
              honoured: yes,
            },
            { guidedSeconds: seconds, waitedSeconds: { type: 'number' }, nextStatus: status },
          ),
        ),
      }),
      redaction: record('what was removed before writing', {
        removals: list(record('a secret in one form', { secret: text, form: text, count })),
        digests: list(record('salted digest of a token', { principal: text, digest: text })),
      }),
      evidence: record(
        'the log that all this is derived from',
        {
          file: text,
          bytes: count,
          lines: count,
          sha256,
          problems: list(record('what is wrong with it', { line: count, problem: text })),
        },
        { footer: sha256 },
      ),
    },
    {
      specification: list(
        record(
          'a sentence of the specification',
          { where: text, quote: text, clauses: list(code) },
          { verdict, because: text },
        ),
        'each sentence, with the worst verdict of its clauses over all operations',
      ),
    },
  ),
  $defs: definitions,
};

const summary = record('a run in short', { id: text, startedAt: time, outcome, evidence: text });

/** JSON Schema 2020-12 of comparison.json, and of what `assay diff --json` prints. */
export const comparisonSchema: JsonObject = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Comparison of two runs of Assay',
  ...record('what changed since an earlier run', {
    before: summary,
    after: summary,
    obstacles: list(text),
    changes: list(
      record(
        'a cell whose verdict changed',
        {
          cell: cellId,
          clause: code,
          level,
          operation: text,
          kind: {
            enum: ['regression', 'fixed', 'newly covered', 'coverage lost', 'not comparable', 'other'],
          },
          because: text,
        },
        { before: verdict, after: verdict },
      ),
    ),
    unchanged: count,
  }),
};
