import type { Case, Line } from './trace.ts';

/** A read of the list as the request under test. */
export const read = (id: string, body: Line['body'] | undefined, more: Partial<Line> = {}): Line => ({
  id,
  operation: 'listCases',
  role: 'test',
  status: 200,
  ...(body === undefined ? {} : { body }),
  ...more,
});

/** A record that is made beforehand. */
export const made = (id: string, more: Partial<Line> = {}): Line => ({
  id,
  role: 'setup',
  status: 201,
  result: `case_${id}`,
  ...more,
});

/** The same lines, of a list with offsets. */
export const byOffset = (trace: Case['trace']): Case['trace'] =>
  trace.map((part) => ('observes' in part ? { ...part, operation: 'listNotes' } : part));

/** Pages that are read one after the other. */
export const pages = (...bodies: readonly Line['body'][]): readonly Line[] =>
  bodies.map((body, index) => read(`page-${index}`, body, { observes: 'page' }));
