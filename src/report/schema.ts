import type { ClauseCode, Need } from '../model/clause.ts';
import type { Declaration, PointCode } from '../model/declaration.ts';
import type { HeaderList } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import { type Described, described, list, oneOf, record, type Schema, schemaOf } from '../model/schema.ts';

type Tallied = Readonly<Record<string, number>>;

/** Format of report.json; its JSON Schema is docs/report.schema.json. */
export const reportFormat = 'assay-report/4';

const text = schemaOf<string>({ type: 'string' });
const yes = schemaOf<boolean>({ type: 'boolean' });
const whole = schemaOf<number>({ type: 'integer' });
const number = schemaOf<number>({ type: 'number' });
const count = schemaOf<number>({ type: 'integer', minimum: 0 });
const milliseconds = described(number, 'milliseconds');
const seconds = schemaOf<number>({ type: 'number', minimum: 0, description: 'seconds' });
const status = schemaOf<number>({ type: 'integer', minimum: 100, maximum: 999 });
const time = schemaOf<string>({ type: 'string', format: 'date-time' });
const date = schemaOf<string>({ type: 'string', format: 'date' });
const sha256 = schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });
const level = oneOf(['stated', 'derived', 'advisory']);
const verdicts = ['pass', 'fail', 'unstable', 'inconclusive', 'not-tested', 'not-applicable'] as const;
const verdict = oneOf(verdicts);
const cellId = schemaOf<string>({ type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+/.+$' });
const code = schemaOf<ClauseCode>({ type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+$' });
const needKind = schemaOf<Need['kind']>(text);
const pointCode = schemaOf<PointCode>({ type: 'string', pattern: '^G[0-9]+$' });
const outcome = oneOf(['violations', 'not fully verified', 'conformant']);
const headers: Schema<HeaderList> = list(
  schemaOf<HeaderList[number]>({ type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 }),
  'name and value of each field line, in the order and casing of the wire',
);
const source = record('where the specification says it', { where: text, quote: text });
const program = record('name and version', { name: text, version: text });
const repeats = record('how many repeats reproduced it', { violated: count, of: count });

const cell = record('one cell of the clause x operation matrix', {
  clause: code,
  level,
  operation: text,
  verdict,
  because: text,
  needs: list(record('what would test it', { kind: needKind, remedy: text })),
  idsOnly: yes,
  rulings: record('rulings by kind', { holds: count, violated: count, inconclusive: count }),
  repeats,
  advisories: list(record('a tolerated response', { text, count })),
});
const excerpt = record(
  'one exchange, redacted and cut',
  {
    id: text,
    step: text,
    operation: text,
    role: oneOf(['control', 'test', 'readback', 'setup']),
    principal: text,
    time,
    startedAt: described(number, 'milliseconds since the start of the run, on a monotonic clock'),
    endedAt: milliseconds,
    request: text,
    requestIds: list(text),
    requestHeaders: headers,
    responseHeaders: headers,
    earlierTries: described(count, 'earlier requests of the same step that got 429 or no response'),
  },
  { status, noAnswer: text, requestBody: text, responseBody: text },
);
const waiver = record(
  'a violation that is accepted for now',
  { clause: code, owner: text, reason: text, expires: date },
  { operation: text, link: text },
);
/** Described once, in the `$defs` of the schema. */
const ref = <T>(name: string, _: Schema<T>): Schema<T> => ({ $ref: `#/$defs/${name}` });
const anExcerpt = ref('excerpt', excerpt);

const finding = record(
  'a violated clause on an operation',
  {
    id: described(cellId, 'stable over runs'),
    clause: code,
    level,
    operation: text,
    verdict: oneOf(['fail', 'unstable']),
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
    purpose: oneOf(['first', 'shrink', 'repeat']),
    seed: whole,
    exchanges: list(anExcerpt, 'the minimal history, in the order in which it was sent'),
    curl: list(text, 'shell commands; tokens are shown as environment variables'),
    reproduce: described(text, 'runs the same plan again'),
  },
  {
    control: described(anExcerpt, 'the valid request that succeeded'),
    waiver: ref('waiver', waiver),
  },
);
const aFinding = ref('finding', finding);

const report = record(
  'what a run of Assay found; derived from its evidence alone',
  {
    format: schemaOf<typeof reportFormat>({ const: reportFormat }),
    verdict: record('the decision', {
      outcome,
      partial: yes,
      certifiable: yes,
      shortfalls: list(text, 'why it is not certifiable; empty if it is'),
      exitCode: oneOf([0, 1, 2, 3]),
      exitCodeOtherwise: oneOf([0, 2, 3]),
    }),
    run: record(
      'the run itself',
      {
        id: text,
        startedAt: time,
        elapsedMs: count,
        ended: oneOf(['complete', 'interrupted', 'budget']),
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
          'requests that were in flight, or had just ended, when the target stopped responding; the exit code is 0 only if each was sent again and stopped nothing',
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
      {
        clockSkewSeconds: described(whole, 'seconds by which its clock is ahead'),
        certificate: described(sha256, 'SHA-256 of its TLS certificate'),
      },
    ),
    baseline: record(
      'what the verdict is based on',
      {
        harness: program,
        judgedBy: program,
        contract: record('the contract', { file: text, title: text, version: text, digest: sha256 }),
        configuration: record('the configuration', { file: text, digest: sha256 }),
        suites: record('the suites', { digest: sha256, names: list(text) }),
        declaration: schemaOf<Declaration>({
          type: 'object',
          description: 'what the vendor declared at the open points',
          propertyNames: { pattern: '^G[0-9]+$' },
        }),
        seed: whole,
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
            { id: text, method: text, path: text, kind: oneOf(['command', 'read']), digest: sha256 },
            {
              position: record('where the contract document has it, one-based', {
                line: count,
                column: count,
              }),
            },
          ),
        ),
      },
      { governedOperations: described(count, 'how many operations the full contract governs') },
    ),
    counts: record('cells of stated and derived clauses, by verdict', {
      pass: count,
      fail: count,
      unstable: count,
      inconclusive: count,
      'not-tested': count,
      'not-applicable': count,
    }),
    openPoints: list(
      record(
        'declaration and observation at a point that the contract leaves open',
        {
          point: pointCode,
          title: text,
          quote: text,
          readings: list(text),
          always: text,
          byDefault: text,
          clauses: list(code),
          observed: list(
            record('one kind of response', { text, count, exchanges: list(text), requestIds: list(text) }),
          ),
          state: oneOf(['not observed', 'observed', 'mixed', 'as declared', 'contradicts the declaration']),
          notes: list(text),
        },
        { declared: schemaOf<Json>({}) },
      ),
    ),
    violations: list(aFinding, 'stated and derived clauses'),
    advisories: list(aFinding, 'good practice; they never fail a run'),
    cells: list(ref('cell', cell)),
    clauses: list(record('an obligation', { code, level, text, source })),
    waivers: list(
      record(
        'a waiver and what it covers',
        {
          clause: code,
          owner: text,
          reason: text,
          expires: date,
          state: oneOf(['in effect', 'expired', 'unused', 'unmatched', 'not tested']),
          findings: list(cellId),
        },
        { operation: text, link: text },
      ),
    ),
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
          verdict: oneOf(['not-tested', 'inconclusive']),
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
        statuses: schemaOf<Tallied>({
          type: 'object',
          propertyNames: { pattern: '^[0-9]{3}$' },
          additionalProperties: count,
        }),
        noAnswers: schemaOf<Tallied>({ type: 'object', additionalProperties: count }),
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
          { guidedSeconds: seconds, waitedSeconds: number, nextStatus: status },
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
      { footer: described(sha256, 'SHA-256 of all bytes before the last line') },
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
);

/** JSON Schema 2020-12 of report.json. */
export const reportSchema: Schema<Described<typeof report>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Report of Assay',
  ...report,
  $defs: { cell, excerpt, waiver, finding },
};

const summary = record('a run in short', { id: text, startedAt: time, outcome, evidence: text });

const comparison = record('what changed since an earlier run', {
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
        kind: oneOf(['regression', 'fixed', 'newly covered', 'coverage lost', 'not comparable', 'other']),
        because: text,
      },
      { before: verdict, after: verdict },
    ),
  ),
  unchanged: count,
});

/** JSON Schema 2020-12 of comparison.json, and of what `assay diff --json` prints. */
export const comparisonSchema: Schema<Described<typeof comparison>> = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  title: 'Comparison of two runs of Assay',
  ...comparison,
};
