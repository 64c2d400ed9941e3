import type { ClauseCode, Need } from '../model/clause.ts';
import type { PointCode } from '../model/declaration.ts';
import type { HeaderList } from '../model/exchange.ts';
import { described, list, oneOf, record, type Schema, schemaOf } from '../model/schema.ts';

export const text = schemaOf<string>({ type: 'string' });
export const yes = schemaOf<boolean>({ type: 'boolean' });
export const whole = schemaOf<number>({ type: 'integer' });
export const number = schemaOf<number>({ type: 'number' });
export const count = schemaOf<number>({ type: 'integer', minimum: 0 });
export const words = (description: string): Schema<string> => described(text, description);
export const milliseconds = described(number, 'milliseconds');
export const seconds = schemaOf<number>({ type: 'number', minimum: 0, description: 'seconds' });
export const status = schemaOf<number>({ type: 'integer', minimum: 100, maximum: 999 });
export const time = schemaOf<string>({ type: 'string', format: 'date-time' });
export const date = schemaOf<string>({ type: 'string', format: 'date' });
export const sha256 = schemaOf<string>({ type: 'string', pattern: '^[0-9a-f]{64}$' });
export const level = oneOf(['stated', 'derived', 'advisory']);
const verdicts = ['pass', 'fail', 'unstable', 'inconclusive', 'not-tested', 'not-applicable'] as const;
export const verdict = oneOf(verdicts);
export const cellId = schemaOf<string>({ type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+/.+$' });
export const code = schemaOf<ClauseCode>({ type: 'string', pattern: '^[A-Z]{2,4}-[0-9]+$' });
const needKind = schemaOf<Need['kind']>(text);
export const pointCode = schemaOf<PointCode>({ type: 'string', pattern: '^G[0-9]+$' });
export const outcome = oneOf(['violations', 'not fully verified', 'conformant']);
const headers: Schema<HeaderList> = list(
  schemaOf<HeaderList[number]>({ type: 'array', prefixItems: [text, text], minItems: 2, maxItems: 2 }),
  'name and value of each field line, in the order and casing of the wire',
);
export const source = record('where the specification says it', { where: text, quote: text });
export const program = record('name and version', { name: text, version: text });
const repeats = record('how many repeats reproduced it', { violated: count, of: count });

export const cell = record('one cell of the clause x operation matrix', {
  clause: code,
  level,
  operation: words('its ID'),
  verdict,
  because: words('why the verdict is what it is'),
  needs: list(
    record('what would test it', {
      kind: described(needKind, 'what is missing, such as `principal` or `budget`'),
      remedy: words('what to do'),
    }),
  ),
  idsOnly: described(yes, 'whether effects were seen only through the IDs of results'),
  rulings: record('rulings on single traces, by kind', {
    holds: count,
    violated: count,
    inconclusive: count,
  }),
  repeats,
  advisories: list(record('a tolerated response, and how often it came', { text, count })),
});
export const excerpt = record(
  'one exchange, redacted and cut',
  {
    id: words('its number in the log'),
    step: words('name of the step that sent it'),
    operation: words('ID of the operation'),
    role: oneOf(['control', 'test', 'readback', 'setup'], 'what the step is for'),
    principal: words('who sent it'),
    time: described(time, 'when it was sent, on the wall clock'),
    startedAt: described(number, 'milliseconds since the start of the run, on a monotonic clock'),
    endedAt: described(number, 'the same, for the end of the response'),
    request: words('method and path'),
    requestIds: list(text, 'the X-Request-Id values of the response'),
    requestHeaders: headers,
    responseHeaders: headers,
    earlierTries: described(count, 'earlier requests of the same step that got 429 or no response'),
  },
  {
    status,
    noAnswer: words('why there is no response'),
    requestBody: words('cut where it is long'),
    responseBody: words('cut where it is long'),
  },
);
export const waived = {
  clause: code,
  owner: words('who answers for it'),
  reason: words('why it is accepted'),
  expires: described(date, 'the last day on which it is in effect'),
};
export const waivedAlso = {
  operation: words('the only operation that it covers'),
  link: words('where to read more'),
};
export const waiver = record('a violation that is accepted for now', waived, waivedAlso);
/** Described once, in the `$defs` of the schema. */
export const ref = <T>(name: string, _: Schema<T>): Schema<T> => ({ $ref: `#/$defs/${name}` });
const anExcerpt = ref('excerpt', excerpt);

export const finding = record(
  'a violated clause on an operation',
  {
    id: described(cellId, 'stable over runs'),
    clause: code,
    level,
    operation: words('its ID'),
    verdict: oneOf(['fail', 'unstable'], '`unstable` if too few repeats reproduced it'),
    text: words('the obligation'),
    source,
    expected: words('what the specification requires here'),
    actual: words('what the service returned or did'),
    because: words('why that violates the clause'),
    fix: words('what to change'),
    requestIds: list(text, 'the X-Request-Id values that prove it'),
    repeats,
    scenario: words('title of the scenario'),
    suite: words('name of the suite'),
    probe: words('name of the probe within the suite'),
    purpose: oneOf(['first', 'shrink', 'repeat'], 'why the scenario was run that time'),
    seed: described(whole, 'seed of the run'),
    exchanges: list(anExcerpt, 'the minimal history, in the order in which it was sent'),
    curl: list(text, 'shell commands; tokens are shown as environment variables'),
    reproduce: described(text, 'runs the same plan again'),
  },
  {
    control: described(anExcerpt, 'the valid request that succeeded'),
    waiver: ref('waiver', waiver),
  },
);
export const aFinding = ref('finding', finding);
