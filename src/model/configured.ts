/** How much a run spends. */
export type Budget = 'quick' | 'standard' | 'thorough';

/** Path fields of records that are there, or the hook that makes one. */
export type TargetRecords =
  | { readonly ids: readonly Readonly<Record<string, string>>[] }
  | { readonly hook: string };
