/** Which responses the contract allows for one deviation of a step. */
export type Rule = {
  readonly success: boolean;
  readonly toleratesSuccess?: true;
  readonly refusals: readonly number[] | 'any 4xx';
  readonly tolerated?: readonly number[];
  readonly why: string;
};
