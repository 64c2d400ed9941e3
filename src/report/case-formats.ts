/** Forms in which the case of a finding can be printed. */
export const caseFormats = ['curl', 'har', 'http', 'vitest'] as const;
export type CaseFormat = (typeof caseFormats)[number];
