/** A response that names the field `f`; `F` is the same name as a type or a sentence writes it. */
export type ErrorShape = (
  f: string,
  F: string,
) => unknown | { readonly text: string; readonly headers?: readonly (readonly [string, string])[] };
export type Shapes = Readonly<Record<string, ErrorShape>>;

export const text = (words: string, type = 'text/plain') => ({
  text: words,
  headers: [['Content-Type', type]] as const,
});
export const header = (name: string, value: string, body = '') => ({
  text: body,
  headers: [[name, value]] as const,
});
export const problem = { type: 'about:blank', title: 'Unprocessable Content', status: 422 };
