import type { Json } from '../model/json.ts';

/** Whether null is valid next to an enum that does not list it, although the type allows it, is read both ways. */
export function isOpenToNull(errorsOf: (value: Json) => readonly { readonly keyword: string }[]): boolean {
  return (
    errorsOf(null).every(({ keyword }) => keyword === 'enum' || keyword === 'const') &&
    errorsOf({}).some(({ keyword }) => keyword === 'type')
  );
}
