import type { Json } from './json.ts';

export type Edit = {
  readonly value: Json;
  readonly describes: string;
  /** The member or item that is missing or too many, where that is what is wrong. */
  readonly member?: string | number;
  /** The fault stands somewhere inside, where the evaluation will show. */
  readonly inside?: true;
};
