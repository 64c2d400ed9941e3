import type { validator } from '../generate/index.ts';
import { type Json, type JsonPointer, withValueAt } from '../model/json.ts';

/** Whether null is valid next to an enum that does not list it, although the type allows it, is read both ways. */
export function isOpenToNull(check: ReturnType<typeof validator>, base: Json, pointer: JsonPointer): boolean {
  const brokenBy = (value: Json): readonly string[] =>
    check(withValueAt(base, pointer, value)).flatMap((error) =>
      error.pointer === pointer ? [error.keyword] : [],
    );
  return (
    brokenBy(null).every((keyword) => keyword === 'enum' || keyword === 'const') &&
    brokenBy({}).includes('type')
  );
}
