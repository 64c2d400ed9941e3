import type fc from 'fast-check';
import type { Unsupported } from '../generate/builder.ts';
import { invalidArbitraryOf, invalidValuesOf, type Mutation } from '../generate/mutations.ts';
import { study } from '../generate/study.ts';
import { validValuesOf } from '../generate/values.ts';
import type { Operation } from '../model/contract.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  type JsonSchema,
  pointerOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';

/** What can be sent as the body of an operation. */
export type OperationValues = {
  /** A plain valid body: the first example of the configuration, or the smallest value of the schema. */
  readonly plain: Json | undefined;
  readonly valid: fc.Arbitrary<Json> | undefined;
  readonly mutations: (base: Json) => readonly Mutation[];
  readonly invalid: fc.Arbitrary<Mutation> | undefined;
  /** Where the engine appends the marker: a free text with room for it. */
  readonly marker: JsonPointer | undefined;
  /** Free-text members: no pattern, format or fixed values. */
  readonly texts: readonly JsonPointer[];
  /** What cannot be generated, per schema. */
  readonly notes: readonly Unsupported[];
};

const nothing: OperationValues = {
  plain: undefined,
  valid: undefined,
  mutations: () => [],
  invalid: undefined,
  marker: undefined,
  texts: [],
  notes: [],
};

/** Room that the marker takes: a blank, `asy-` and 16 hexadecimal digits, and some text before it. */
const markerRoom = 40;

export function operationValues(operation: Operation, examples: readonly Json[]): OperationValues {
  const schema = operation.body?.schema;
  if (schema === undefined) return nothing;
  // Compiling costs milliseconds: once for each operation.
  const studied = study(schema, { formats: 'assert' });
  if ('failure' in studied) return { ...nothing, plain: examples[0], notes: [studied.failure] };
  const values = validValuesOf(studied);
  const texts = textMembers(schema);
  const marker = texts.find((text) => text.required && text.room) ?? texts.find((text) => text.room);
  const smallest = examples[0] ?? (values.kind === 'supported' ? values.smallest : undefined);
  const plain =
    smallest === undefined
      ? undefined
      : examples[0] !== undefined
        ? smallest
        : readable(smallest, texts, marker?.at);
  return {
    plain,
    valid: values.kind === 'supported' ? values.arbitrary : undefined,
    mutations: (base) => invalidValuesOf(studied, base).mutations,
    invalid: invalidArbitraryOf(studied),
    marker: marker?.at,
    texts: texts.map((text) => text.at),
    notes: values.notes,
  };
}

type TextMember = {
  readonly at: JsonPointer;
  readonly required: boolean;
  readonly room: boolean;
  readonly least: number;
};

/** Free-text members of the first level. */
function textMembers(schema: JsonSchema): readonly TextMember[] {
  const root = followed(schema, schema);
  if (!isObject(root) || !isObject(root['properties'])) return [];
  const required = isArray(root['required']) ? root['required'] : [];
  return Object.entries(root['properties']).flatMap(([name, member]): readonly TextMember[] => {
    const text = followed(schema, member);
    if (!isObject(text) || text['type'] !== 'string') return [];
    if (
      ['pattern', 'format', 'enum', 'const', 'allOf', 'anyOf', 'oneOf', 'not', 'if'].some((keyword) =>
        Object.hasOwn(text, keyword),
      )
    )
      return [];
    const most = text['maxLength'];
    const least = text['minLength'];
    return [
      {
        at: pointerOf([name]),
        required: required.includes(name),
        room: typeof most !== 'number' || most >= markerRoom,
        least: typeof least === 'number' ? least : 0,
      },
    ];
  });
}

function followed(root: JsonSchema, schema: Json): Json {
  if (isObject(schema) && typeof schema['$ref'] === 'string' && schema['$ref'].startsWith('#'))
    return valueAt(root as Json, schema['$ref'].slice(1)) ?? schema;
  return schema;
}

/** Gives free texts a word instead of the smallest text that the schema lets pass. */
function readable(value: Json, texts: readonly TextMember[], marker: JsonPointer | undefined): Json {
  let result = value;
  for (const text of texts) {
    const present = valueAt(result, text.at) !== undefined;
    if ((present || text.at === marker) && text.room && text.least <= 'Conformance probe'.length)
      result = withValueAt(result, text.at, 'Conformance probe');
  }
  return result;
}
