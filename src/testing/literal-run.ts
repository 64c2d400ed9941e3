import type { FooterLine, HeaderLine } from '../evidence/log.ts';
import type { Clause } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { Exchange, HttpResponse, Trace } from '../model/exchange.ts';
import type { Step, Wave } from '../model/scenario.ts';
import type { Cell } from '../model/verdict.ts';

/** A run as the log has it, in small parts; what is not given is plain. */

export const answer = (status: number, given: Partial<HttpResponse> = {}): HttpResponse => ({
  status,
  headers: [],
  body: '',
  bodyBytes: 0,
  truncated: false,
  ...given,
});

export const exchange = (given: Partial<Exchange>): Exchange => ({
  id: 'x1',
  trace: 't1',
  step: 'probe',
  ordinal: 0,
  operation: 'createCase',
  principal: 'full',
  request: { method: 'POST', path: '/cases', headers: [], body: undefined },
  answer: answer(201),
  noAnswer: undefined,
  requestIds: [],
  connection: 0,
  earlier: [],
  startedAt: 0,
  sentAt: 0,
  endedAt: 10,
  time: '2026-01-31T10:00:00.000Z',
  ...given,
});

export const step = (given: Partial<Step>): Step => ({
  id: 'probe',
  operation: 'createCase',
  as: 'full',
  role: 'test',
  key: { use: 'none' },
  body: { use: 'none' },
  deviations: [],
  ...given,
});

export const trace = (
  waves: readonly Wave[],
  exchanges: readonly Exchange[],
  given: Partial<Trace> = {},
): Trace => ({
  id: 't1',
  suite: 'duplicate-keys',
  probe: 'other-body',
  scenarioIndex: 0,
  attempt: 0,
  seed: 7,
  path: undefined,
  purpose: 'first',
  repeats: undefined,
  scenario: { title: 'another body under a used key', bodies: {}, waves },
  bound: { keys: {}, markers: {} },
  exchanges,
  hooks: {},
  effects: undefined,
  ended: 'complete',
  ...given,
});

const plain: Omit<Operation, 'id' | 'method' | 'path' | 'kind' | 'success'> = {
  permissions: ['case.create'],
  summary: undefined,
  pathFields: [],
  queryFields: [],
  body: undefined,
  failures: {},
  version: undefined,
  verification: undefined,
  conflict: undefined,
  pagination: undefined,
  effect: undefined,
};

export const createCase: Operation = {
  ...plain,
  id: 'createCase',
  method: 'POST',
  path: '/cases',
  kind: 'command',
  success: { status: 201, mediaType: 'application/json', schema: undefined },
  effect: { read: undefined, list: 'listCases', id: '/id' },
};

export const listCases: Operation = {
  ...plain,
  id: 'listCases',
  method: 'GET',
  path: '/cases',
  kind: 'read',
  permissions: ['case.read'],
  success: { status: 200, mediaType: 'application/json', schema: undefined },
};

export const contractOf = (...operations: readonly Operation[]): Contract => ({
  title: 'Governed Command API',
  version: '1.27.0',
  governedOperations: 293,
  digest: 'c'.repeat(64),
  operations,
});

export const clause = (given: Partial<Clause> = {}): Clause => ({
  code: 'IDM-6',
  level: 'stated',
  text: 'Another request under a used key is a conflict.',
  source: { where: 'POST /cases, rule 4', quote: 'the result is `409`' },
  test: 'one key, two bodies',
  violation: 'anything but 409',
  fix: 'Compare the requests.',
  applies: () => true,
  judges: [{ over: 'trace', rule: () => [] }],
  ...given,
});

export const cell = (given: Partial<Cell> = {}): Cell => ({
  clause: 'IDM-6',
  level: 'stated',
  operation: 'createCase',
  verdict: 'fail',
  because: '',
  needs: [],
  idsOnly: false,
  rulings: { holds: 0, violated: 1, inconclusive: 0 },
  repeats: { violated: 2, of: 3 },
  advisories: [],
  example: undefined,
  ...given,
});

export const violated = (of: Trace, exchanges: readonly string[]): NonNullable<Cell['example']> => ({
  trace: of,
  ruling: {
    operation: 'createCase',
    verdict: 'violated',
    exchanges,
    expected: '409',
    actual: '201',
    because: 'The key was bound to another request.',
  },
});

export const header = (given: Partial<HeaderLine> = {}): HeaderLine => ({
  line: 'header',
  format: 'assay-evidence/2',
  harness: { name: 'assay', version: '0.1.0' },
  contract: {
    title: 'Governed Command API',
    version: '1.27.0',
    digest: 'c'.repeat(64),
    file: 'contract.yaml',
    text: '',
  },
  configuration: { file: 'harness.config.yaml', digest: 'f'.repeat(64) },
  suites: { digest: 's'.repeat(64), names: ['duplicate-keys'] },
  declaration: { G1: 'replay' },
  principals: [
    {
      name: 'full',
      permissions: ['case.create', 'case.read'],
      scope: 'a',
      state: 'valid',
      identity: 'full',
      use: 'any',
      token: 'sha256 abcdef',
    },
  ],
  seed: 7,
  nonce: '0123456789abcdef',
  budget: 'standard',
  limits: { maxRequests: 60_000, maxSeconds: 1800 },
  partial: false,
  target: {
    baseUrl: 'http://127.0.0.1:1/api',
    environment: 'test',
    product: 'Sample',
    vendor: 'Example',
    version: '2.0',
  },
  startedAt: '2026-01-31T10:00:00.000Z',
  throttling: {},
  hooks: [],
  waivers: [],
  environment: { node: 'v20.19.0', platform: 'linux' },
  selfTest: undefined,
  ...given,
});

export const footer = (given: Partial<FooterLine> = {}): FooterLine => ({
  line: 'footer',
  end: 'complete',
  counts: { exchanges: 1, traces: 1 },
  endedAt: '2026-01-31T10:01:01.600Z',
  elapsedMs: 61_600,
  redaction: [{ secret: 'full', form: 'bearer', count: 2 }],
  sha256: 'e'.repeat(64),
  ...given,
});
