import type { Declaration } from '../model/declaration.ts';
import type { Json } from '../model/json.ts';
import { type Described, described, list, oneOf, record, type Schema, schemaOf } from '../model/schema.ts';
import {
  aFinding,
  cell,
  cellId,
  code,
  count,
  excerpt,
  finding,
  level,
  milliseconds,
  number,
  outcome,
  pointCode,
  program,
  ref,
  seconds,
  sha256,
  source,
  status,
  text,
  time,
  verdict,
  waived,
  waivedAlso,
  waiver,
  whole,
  words,
  yes,
} from './schema-definitions.ts';

type Tallied = Readonly<Record<string, number>>;

/** Format of report.json; its JSON Schema is docs/report.schema.json. */
export const reportFormat = 'assay-report/4';

const report = record(
  'what a run of Assay found; derived from its evidence alone',
  {
    format: schemaOf<typeof reportFormat>({ const: reportFormat }),
    verdict: record('the decision', {
      outcome,
      partial: described(yes, 'whether operations or suites were left out on purpose'),
      certifiable: described(yes, 'whether it supports a certificate'),
      shortfalls: list(text, 'why it is not certifiable; empty if it is'),
      exitCode: oneOf([0, 1, 2, 3], 'of `assay run`'),
      exitCodeOtherwise: oneOf([0, 2, 3], 'what it would be without the violations'),
    }),
    run: record(
      'the run itself',
      {
        id: words('also the name of its folder'),
        startedAt: time,
        elapsedMs: described(count, 'milliseconds'),
        ended: oneOf(['complete', 'interrupted', 'budget'], '`budget` if requests or seconds ran out'),
        exchanges: described(count, 'requests sent'),
        traces: described(count, 'scenarios run, repeats included'),
      },
      {
        ranBy: words('who or what started it, such as a CI job'),
        endedAt: time,
        cause: record(
          'why it ended early',
          { what: words('in one sentence') },
          { before: list(text, 'the last requests before the target stopped responding') },
        ),
        stops: list(
          record('a request that was in flight, or had just ended, when the target stopped responding', {
            exchange: words('its number in the log'),
            operation: words('ID of the operation'),
            request: words('method, path and body, in short'),
            scenario: words('title of the scenario'),
            suite: words('name of the suite'),
            probe: words('name of the probe within the suite'),
            stops: described(count, 'how often the target stopped responding in the run'),
            there: described(
              count,
              'at how many of these stops the request was in flight, or had just ended',
            ),
            again: described(count, 'how often it was sent again with nothing else in flight'),
            stopped: described(count, 'how often the target stopped responding after that'),
          }),
          'requests that were in flight, or had just ended, when the target stopped responding; the exit code is 0 only if each was sent again and stopped nothing',
        ),
        shards: record('where several processes shared the plan', {
          run: words('the ID that they share'),
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
          { baseUrl: text, environment: words('such as `staging`') },
          {
            vendor: text,
            product: text,
            version: text,
            approvedScope: words('in words, such as `order 2026-114, 14 operations`'),
          },
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
        contract: record('the contract', {
          file: text,
          title: text,
          version: text,
          digest: described(sha256, 'SHA-256 of the document'),
        }),
        configuration: record('the configuration', {
          file: text,
          digest: described(sha256, 'SHA-256 of its content'),
        }),
        suites: record('the suites', {
          digest: described(sha256, 'SHA-256 of all of them'),
          names: list(text, 'those that ran'),
        }),
        declaration: schemaOf<Declaration>({
          type: 'object',
          description: 'what the vendor declared at the open points',
          propertyNames: { pattern: '^G[0-9]+$' },
        }),
        seed: described(whole, 'the plan follows from it'),
        budget: words('depth of testing'),
        environment: record(
          'where the harness ran',
          { node: words('version of Node.js'), platform: words('operating system and processor') },
          { program: words('how the harness was called, if not as `assay`') },
        ),
      },
      {
        selfTest: words('digest of the self-test of this build'),
        challenge: words('what an auditor gave before the run, to show that it is recent'),
      },
    ),
    scope: record(
      'the approved scope',
      {
        operations: list(
          record(
            'an operation',
            {
              id: text,
              method: text,
              path: text,
              kind: oneOf(['command', 'read']),
              digest: described(sha256, 'SHA-256 of all that the contract says about it'),
            },
            {
              position: record('its place in the contract document, one-based', {
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
          quote: words('what the specification says about it'),
          readings: list(text, 'how it may be interpreted'),
          always: words('what must hold under every reading; it is always tested'),
          byDefault: words('what is tested if nothing is declared'),
          clauses: list(code, 'the clauses that depend on it'),
          observed: list(
            record('one kind of response', {
              text: words('in words'),
              count,
              exchanges: list(text, 'numbers of some of them in the log'),
              requestIds: list(text, 'the X-Request-Id values of these'),
            }),
          ),
          state: oneOf(['not observed', 'observed', 'mixed', 'as declared', 'contradicts the declaration']),
          notes: list(text, 'what a reader should know about the observation'),
        },
        { declared: schemaOf<Json>({ description: 'what the vendor declared' }) },
      ),
    ),
    violations: list(aFinding, 'stated and derived clauses'),
    advisories: list(aFinding, 'good practice; they never fail a run'),
    cells: list(ref('cell', cell), 'every clause on every operation'),
    clauses: list(record('an obligation', { code, level, text: words('the obligation'), source })),
    waivers: list(
      record(
        'a waiver and what it covers',
        {
          ...waived,
          state: oneOf(
            ['in effect', 'expired', 'unused', 'unmatched', 'not tested'],
            '`unused` if all that it covers passed, `unmatched` if it covers nothing',
          ),
          findings: list(cellId, 'the violations that it covers'),
        },
        waivedAlso,
      ),
    ),
    limits: record('what this run does not say', {
      partial: described(yes, 'as in `verdict`'),
      budget: record('the budget, and what was spent', {
        name: words('depth of testing'),
        maxRequests: described(count, 'how many requests it allows'),
        maxSeconds: described(seconds, 'how many seconds it allows'),
        requests: described(count, 'requests sent'),
        seconds,
      }),
      open: list(
        record('cells without a verdict, for the same reason', {
          verdict: oneOf(['not-tested', 'inconclusive']),
          because: words('the reason that they share'),
          clauses: list(code),
          operations: list(text),
          cells: described(count, 'how many there are'),
        }),
      ),
    }),
    operations: list(
      record('figures of an operation', {
        operation: words('its ID'),
        requests: described(count, 'requests sent'),
        statuses: schemaOf<Tallied>({
          type: 'object',
          description: 'how many responses had each status',
          propertyNames: { pattern: '^[0-9]{3}$' },
          additionalProperties: count,
        }),
        noAnswers: schemaOf<Tallied>({
          type: 'object',
          description: 'how many requests got no response, by reason',
          additionalProperties: count,
        }),
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
      bucketMs: described(number, 'milliseconds that each entry of the timeline covers'),
      timeline: list(
        record('requests of one bucket', {
          at: described(number, 'milliseconds since the start of the run'),
          requests: described(count, 'requests sent'),
          succeeded: described(count, 'accepted requests'),
          throttled: described(count, 'responses with 429'),
          otherFailures: described(count, 'all other responses'),
          noAnswer: described(count, 'requests without a response'),
        }),
      ),
      throttled: described(count, 'responses with 429 in the whole run'),
      episodes: list(
        record(
          'a 429 response, its guidance, and what followed',
          {
            exchange: words('its number in the log'),
            operation: words('ID of the operation'),
            principal: words('who was throttled'),
            at: described(number, 'milliseconds since the start of the run'),
            guidance: list(text, 'each header or member that says how long to wait'),
            honoured: described(yes, 'whether the next request came after the guided wait'),
          },
          {
            guidedSeconds: described(seconds, 'seconds to wait, as guided'),
            waitedSeconds: described(number, 'seconds until the next request of the principal'),
            nextStatus: described(status, 'status of the response to that request'),
          },
        ),
      ),
    }),
    redaction: record('what was removed before writing', {
      removals: list(
        record('a secret in one form', {
          secret: words('its name'),
          form: words('such as `text` or `base64`'),
          count,
        }),
      ),
      digests: list(record('salted digest of a token', { principal: text, digest: text })),
    }),
    evidence: record(
      'the log that all this is derived from',
      {
        file: text,
        bytes: count,
        lines: count,
        sha256: described(sha256, 'SHA-256 of the file'),
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
        { verdict, because: words('why the verdict is not better') },
      ),
      'each sentence, with the worst verdict of its clauses over all operations',
    ),
  },
);

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
