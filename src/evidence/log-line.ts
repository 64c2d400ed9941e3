import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Check, checkOf } from '../document/checks.ts';
import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts';
import { fromFormat2 } from './earlier.ts';
import type { HeaderLine, LogLine } from './log.ts';
import { earlierFormat, evidenceFormat, evidenceSchema, lines } from './schema.ts';

/** JSON Schema of the lines of one kind alone. */
export function schemaOfLine(kind: string): JsonObject {
  return { $ref: `#/$defs/${kind}`, $defs: evidenceSchema['$defs'] ?? {} };
}

const checks: ReadonlyMap<unknown, Check<LogLine>> = new Map(
  Object.keys(lines).map((kind) => [
    kind,
    checkOf<LogLine>(`evidence-${kind}`, () => ajv().compile<LogLine>(schemaOfLine(kind))),
  ]),
);

function ajv(): Ajv2020 {
  const made = new Ajv2020({ strict: false });
  formats.default(made);
  return made;
}

/** The line of a log in a text; undefined where the text is not one that a run writes in that format. */
export function logLineOf(text: string, format: HeaderLine['format'] = evidenceFormat): LogLine | undefined {
  let value: unknown;
  try {
    value = JSON.parse(text);
  } catch {
    return undefined;
  }
  if (format === earlierFormat) value = fromFormat2(value);
  return isLine(value) ? value : undefined;
}

/** Whether all members are there, with their types: a line altered by hand must not end in a TypeError. */
function isLine(value: unknown): value is LogLine {
  if (!isObject(value)) return false;
  const kind = value['line'];
  const known =
    kind === 'header' && value['format'] === earlierFormat ? { ...value, format: evidenceFormat } : value;
  if (checks.get(kind)?.(known) !== true) return false;
  if (kind === 'header') return isShard(value['shard']);
  if (kind === 'exchange') return hasOutcomes(value['exchange']);
  return kind !== 'trace' || hasScenario(value['trace']);
}

/** The last shard alone does not know how many there are. */
function isShard(shard: Json | undefined): boolean {
  if (!isObject(shard)) return true;
  const { number, of } = shard;
  return number === 'last' ? of === undefined : Number(number) <= Number(of);
}

/** A request has a response, or a reason why there is none. */
function hasOutcomes(exchange: Json | undefined): boolean {
  const earlier = isObject(exchange) && isArray(exchange['earlier']) ? exchange['earlier'] : [];
  return [exchange, ...earlier].every(
    (one) => isObject(one) && (one['answer'] === undefined) !== (one['noAnswer'] === undefined),
  );
}

function hasScenario(trace: Json | undefined): boolean {
  const scenario = isObject(trace) ? trace['scenario'] : undefined;
  return (
    isObject(scenario) &&
    typeof scenario['title'] === 'string' &&
    isObject(scenario['bodies']) &&
    areWaves(scenario['waves'], 0)
  );
}

/** A walk over pages nests a wave for each page. Deeper ones are not written by a run, and could exhaust the stack. */
const mostNested = 200;

function areWaves(value: Json | undefined, depth: number): boolean {
  return (
    depth < mostNested &&
    isArray(value) &&
    value.every((wave) => {
      if (!isObject(wave)) return false;
      if ('steps' in wave) return isArray(wave['steps']) && wave['steps'].every(isStep);
      if ('repeat' in wave) {
        const { alongside = [], during, repeat } = wave;
        return (
          isArray(alongside) &&
          [repeat, ...(during === undefined ? [] : [during]), ...alongside].every(isStep)
        );
      }
      if ('poll' in wave) return isStep(wave['poll']);
      if ('when' in wave) return isObject(wave['when']) && areWaves(wave['waves'], depth + 1);
      return 'wait' in wave || 'hook' in wave;
    })
  );
}

const stepNames = ['id', 'operation', 'as', 'role'] as const;

function isStep(value: Json | undefined): boolean {
  return (
    isObject(value) &&
    stepNames.every((name) => typeof value[name] === 'string') &&
    hasText(value['key'], 'use') &&
    hasText(value['body'], 'use') &&
    isArray(value['deviations']) &&
    value['deviations'].every(hasKind)
  );
}

function hasText(value: Json | undefined, name: string): boolean {
  return isObject(value) && typeof value[name] === 'string';
}

function hasKind(deviation: Json): boolean {
  return hasText(deviation, 'kind');
}
