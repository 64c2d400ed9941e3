/** The one public module: what the rest of the project may import. */
export { affordable, allChangedAlone } from './affordable.ts';
export { faultsSince } from './blame.ts';
export { bounded } from './bounded.ts';
export { ajvPatterns, matcherOf } from './matching.ts';
export {
  invalidArbitrary,
  invalidArbitraryOf,
  invalidValues,
  invalidValuesOf,
  type Mutation,
  type Skip,
} from './mutations.ts';
export { type KnownNames, knownNames } from './names.ts';
export { inOtherCase } from './scalar-edits.ts';
export type { Unsupported } from './source.ts';
export { type Study, type StudyOptions, study } from './study.ts';
export { type SchemaError, type SchemaOptions, type Validator, validator } from './validator.ts';
export { type ValidValues, validValues, validValuesOf } from './values.ts';
