import { type Validator, validator, validValues } from '../generate/index.ts';
import type { Answered, Context, Seen, TraceReading } from '../model/clause.ts';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts';
import { remembered, rememberedWith } from '../model/remembered.ts';
import { type Scenario, stepsOf } from '../model/scenario.ts';
import { Undecided } from '../model/undecided.ts';
import { movedAlone } from './record-state.ts';

/** Compiled schemas by identity; worth keeping where one contract is judged again and again. */
export type Validators = WeakMap<object, Validator>;

/** A context for judging: the given facts, and validators that are compiled once for each schema. */
export function makeContext(
  facts: Omit<Context, 'schemaErrors' | 'shapeErrors' | 'reading' | 'movedAlone'>,
  compiled: Validators = new WeakMap(),
): Context {
  /** By what a trace and the same with its effects have in common. */
  const readings = new WeakMap<
    Trace['exchanges'],
    { readonly scenario: Scenario; readonly reading: TraceReading }
  >();
  /** Where formats are annotations. */
  const lenient: Validators = new WeakMap();
  const validatorOf = (schema: JsonObject, formats: 'assert' | 'annotate'): Validator => {
    const kept = formats === 'assert' ? compiled : lenient;
    const known = kept.get(schema);
    if (known !== undefined) return known;
    let doubted = false;
    const options = {
      formats,
      doubted: () => {
        doubted = true;
      },
    } as const;
    const whole = validator(schema, options);
    let brief: Validator | undefined;
    const validate: Validator = (value) => {
      if (valuesIn(value) <= manyValues) return whole(value);
      brief ??= validator(schema, { ...options, errors: 'first' });
      return brief(value);
    };
    const made: Validator = (value) => {
      doubted = false;
      const errors = validate(value);
      // Under `not` and `oneOf` a doubt can make an error as well as hide one.
      if (doubted)
        throw new Undecided('A pattern of the contract took too long on this value, so nothing follows.');
      return errors;
    };
    kept.set(schema, made);
    return made;
  };
  /** The last one read: all clauses look at a trace before the next one comes. */
  let last:
    | { readonly exchanges: Trace['exchanges']; readonly scenario: Scenario; readonly reading: TraceReading }
    | undefined;
  const readTrace = (trace: Trace): TraceReading => {
    const { exchanges, scenario } = trace;
    if (last?.exchanges === exchanges && last.scenario === scenario) return last.reading;
    const known = readings.get(exchanges);
    const reading = known?.scenario === scenario ? known.reading : readingOf(facts.contract, trace);
    readings.set(exchanges, { scenario, reading });
    last = { exchanges, scenario, reading };
    return reading;
  };
  // Several clauses look at one body, and nearly always with one schema.
  const errorsOfBody = rememberedWith((value: readonly Json[] | JsonObject, schema: JsonObject) =>
    validatorOf(schema, 'assert')(value),
  );
  const schemaErrors: Context['schemaErrors'] = (schema, value) => {
    if (schema === true) return [];
    if (schema === false) return [{ pointer: '', keyword: 'false', message: 'nothing is valid here' }];
    return typeof value === 'object' && value !== null
      ? errorsOfBody(value, schema)
      : validatorOf(schema, 'assert')(value);
  };
  const contradicts = remembered(isContradictory);
  return {
    ...facts,
    reading: readTrace,
    movedAlone: (trace) => movedAlone(readTrace(trace).seen),
    schemaErrors,
    shapeErrors: (schema, value) => {
      const errors = schemaErrors(schema, value);
      if (typeof schema !== 'object' || errors.length === 0) return errors;
      if (contradicts(schema))
        throw new Undecided(
          'No value satisfies this schema of the contract, or a part of it, so nothing follows. Correct it: `additionalProperties: false` in a part of `allOf` refuses the members of the other parts.',
        );
      const broken = errors.some(({ keyword }) => keyword === 'format')
        ? validatorOf(schema, 'annotate')(value)
        : errors;
      const isOpen = broken.some(({ keyword }) => keyword === 'oneOf');
      return isOpen && validatorOf(openOf(schema), 'annotate')(value).length === 0 ? [] : broken;
    },
  };
}

/** With `anyOf` for `oneOf`: the choices of many documents overlap, with a discriminator or without, and a value fits several. */
const openOf = remembered(openIn);

const byName = new Set(['$defs', 'dependentSchemas', 'patternProperties', 'properties']);
const unchanged = new Set(['const', 'default', 'enum', 'examples', 'if', 'not']);

function openIn({ oneOf, ...schema }: JsonObject): JsonObject {
  const open = (value: Json): Json =>
    isArray(value) ? value.map(open) : isObject(value) ? openIn(value) : value;
  const entries = Object.entries(schema).map(([keyword, value]): [string, Json] => [
    keyword,
    unchanged.has(keyword)
      ? value
      : byName.has(keyword) && isObject(value)
        ? Object.fromEntries(Object.entries(value).map(([name, one]) => [name, open(one)]))
        : open(value),
  ]);
  if (!isArray(oneOf)) return Object.fromEntries(entries);
  const { allOf, ...rest } = Object.fromEntries(entries);
  return { ...rest, allOf: [...(isArray(allOf) ? allOf : []), { anyOf: oneOf.map(open) }] };
}

/** Only parts that close what others leave open are looked for: other contradictions take long, and nobody writes them. */
function isContradictory(schema: JsonObject): boolean {
  const text = JSON.stringify(schema);
  if (!text.includes('"allOf"') || !text.includes('"additionalProperties":false')) return false;
  const { $defs = {} } = schema;
  const parts = isObject($defs) ? Object.values($defs) : [];
  return [schema, ...parts.filter(isObject).map((part) => ({ ...part, $defs }))].some(
    (part) => validValues(part).kind === 'unsatisfiable',
  );
}

/** More values than any body has that people or their programs read at once. */
const manyValues = 10_000;

function valuesIn(value: Json): number {
  if (typeof value !== 'object' || value === null) return 0;
  const inside = isArray(value) ? value : Object.values(value);
  let values = inside.length;
  for (const one of inside) if (values <= manyValues) values += valuesIn(one);
  return values;
}

function readingOf(contract: Contract, trace: Trace): TraceReading {
  const steps = new Map(stepsOf(trace.scenario.waves).map((step) => [step.id, step]));
  const seen = trace.exchanges.flatMap((exchange): readonly Seen[] => {
    const step = steps.get(exchange.step);
    return step === undefined ? [] : [{ step, exchange, operation: operationOf(contract, step.operation) }];
  });
  const answered: Answered[] = [];
  for (const { exchange, operation, step } of seen)
    if (exchange.answer !== undefined) answered.push({ step, exchange, operation, answer: exchange.answer });
  return { seen, answered };
}
