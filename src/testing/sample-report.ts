import type { Level } from '../model/clause.ts';
import type { Declaration } from '../model/declaration.ts';
import type { Verdict } from '../model/verdict.ts';
import type { CellReport, Excerpt, Finding, Report } from '../report/report.ts';
import { reportFormat } from '../report/schema.ts';

/** A small report as tests need it; what is not given is plain. */
export function reportWith(given: {
  readonly cells?: readonly CellReport[];
  readonly violations?: readonly Finding[];
  readonly contract?: { readonly version?: string };
  readonly declaration?: Declaration;
  readonly operationDigest?: string;
}): Report {
  const digest = '0'.repeat(64);
  return {
    format: reportFormat,
    verdict: {
      outcome: 'conformant',
      partial: false,
      certifiable: true,
      shortfalls: [],
      exitCode: 0,
      exitCodeOtherwise: 0,
    },
    run: {
      id: '2026-01-31T10-00-00-000Z-abc123',
      startedAt: '2026-01-31T10:00:00.000Z',
      endedAt: '2026-01-31T10:01:00.000Z',
      elapsedMs: 60_000,
      ended: 'complete',
      exchanges: 2,
      traces: 1,
    },
    subject: {
      asserted: {
        vendor: undefined,
        product: 'Sample',
        version: '1.0',
        baseUrl: 'http://127.0.0.1:1',
        environment: 'test',
      },
      observed: [],
    },
    baseline: {
      harness: { name: 'assay', version: '0.1.0' },
      judgedBy: { name: 'assay', version: '0.1.0' },
      contract: {
        file: 'contract.yaml',
        title: 'Governed Command API',
        version: given.contract?.version ?? '1.27.0',
        digest,
      },
      configuration: { file: 'harness.config.yaml', digest },
      suites: { digest, names: ['missing-keys'] },
      declaration: given.declaration ?? {},
      seed: 1,
      budget: 'standard',
      environment: { node: 'v20.19.0', platform: 'linux' },
      selfTest: undefined,
    },
    scope: {
      operations: [
        {
          id: 'createCase',
          method: 'POST',
          path: '/cases',
          kind: 'command',
          digest: given.operationDigest ?? digest,
        },
      ],
      governedOperations: 293,
    },
    counts: { pass: 1, fail: 0, unstable: 0, inconclusive: 0, 'not-tested': 0, 'not-applicable': 0 },
    openPoints: [],
    violations: given.violations ?? [],
    advisories: [],
    cells: given.cells ?? [],
    clauses: [
      {
        code: 'IDM-6',
        level: 'stated',
        text: 'Another request under a used key is a conflict.',
        source: { where: 'POST /cases, rule 4', quote: 'the result is `409`' },
      },
    ],
    waivers: [],
    limits: {
      partial: false,
      budget: { name: 'standard', maxRequests: 60_000, maxSeconds: 1800, requests: 2, seconds: 60 },
      open: [],
    },
    operations: [],
    throttling: { bucketMs: 100, timeline: [], throttled: 0, episodes: [] },
    redaction: { removals: [], digests: [] },
    evidence: {
      file: 'evidence.jsonl',
      bytes: 1,
      lines: 1,
      sha256: digest,
      footer: digest,
      problems: [],
    },
  };
}

export function cellWith(given: {
  readonly clause: string;
  readonly verdict: Verdict;
  readonly level?: Level;
}): CellReport {
  return {
    clause: given.clause,
    level: given.level ?? 'stated',
    operation: 'createCase',
    verdict: given.verdict,
    because: '',
    needs: [],
    idsOnly: false,
    rulings: { holds: 0, violated: 0, inconclusive: 0 },
    repeats: { violated: 0, of: 0 },
    advisories: [],
  };
}

export function findingWith(given: Partial<Finding>): Finding {
  return {
    id: 'IDM-6/createCase',
    clause: 'IDM-6',
    level: 'stated',
    operation: 'createCase',
    verdict: 'fail',
    text: 'Another request under a used key is a conflict.',
    source: { where: 'POST /cases, rule 4', quote: 'the result is `409`' },
    expected: '409',
    actual: '201',
    because: 'The key was bound to another request.',
    fix: 'Compare the request with the one that the key is bound to.',
    requestIds: ['req_1', 'req_2'],
    repeats: { violated: 3, of: 3 },
    scenario: 'another body under a used key',
    suite: 'duplicate-keys',
    probe: 'other-body',
    purpose: 'repeat',
    seed: 1,
    exchanges: [excerptWith({})],
    control: undefined,
    curl: ['curl -isS http://127.0.0.1:1/cases'],
    reproduce: 'assay run --seed 1',
    waiver: undefined,
    ...given,
  };
}

export function excerptWith(given: Partial<Excerpt>): Excerpt {
  return {
    id: 'x1',
    step: 'probe',
    operation: 'createCase',
    role: 'test',
    principal: 'full',
    time: '2026-01-31T10:00:01.000Z',
    startedAt: 1000,
    endedAt: 1010,
    request: 'POST /cases',
    status: 201,
    noAnswer: undefined,
    requestIds: ['req_1'],
    requestHeaders: [['Idempotency-Key', 'k-1']],
    requestBody: '{"subject":"a"}',
    responseHeaders: [['X-Request-Id', 'req_1']],
    responseBody: '{"id":"case_1","status":"open"}',
    earlierTries: 0,
    ...given,
  };
}
