import type fc from 'fast-check';
import { bounded } from './bounded.ts';
import type { Json, JsonSchema } from './json.ts';
import { typicalOf, type Unsupported } from './source.ts';
import { type Study, type StudyOptions, study } from './study.ts';

export type ValidValues =
  | {
      readonly kind: 'supported';
      readonly arbitrary: fc.Arbitrary<Json>;
      /** A minimal value: required members only. The same every time. */
      readonly smallest: Json;
      /** A value with required members only that says more, where the schema lets it: its examples, lists with an item. */
      readonly typical: Json;
      readonly notes: readonly Unsupported[];
    }
  | { readonly kind: 'unsatisfiable' | 'unsupported'; readonly notes: readonly Unsupported[] };

/** Valid values for ajv and a second reading, the same for one seed. Members that nothing describes are left out. */
export function validValues(schema: JsonSchema, options: StudyOptions = {}): ValidValues {
  const made = study(schema, options);
  return 'failure' in made ? { kind: 'unsupported', notes: [made.failure] } : validValuesOf(made);
}

export function validValuesOf({ builder, notes, valid, contradictory }: Study): ValidValues {
  const source = builder.source([builder.index.root], 0);
  if (source === undefined)
    return { kind: notes.length === 0 || contradictory ? 'unsatisfiable' : 'unsupported', notes: [...notes] };
  if (!valid(source.smallest)) {
    const why = 'the values made for it do not satisfy ajv';
    return { kind: 'unsupported', notes: [...notes, { at: '', keyword: '', why }] };
  }
  return {
    kind: 'supported',
    arbitrary: bounded(source.arbitrary, valid, source.smallest),
    smallest: source.smallest,
    typical: valid(typicalOf(source)) ? typicalOf(source) : source.smallest,
    notes: [...notes],
  };
}
