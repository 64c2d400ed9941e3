import type { Operation } from '../model/contract.ts';

export type Route =
  | { readonly operation: Operation; readonly values: Readonly<Record<string, string>> }
  /** Methods of the operations at this path; none where there is no such path. */
  | { readonly allow: readonly string[] };

export type Routes = (method: string, path: string) => Route;

type Template = {
  readonly operation: Operation;
  /** A literal text, or the name of a field. */
  readonly segments: readonly ({ readonly text: string } | { readonly field: string })[];
};

/**
 * Finds the operation of a path as sent. Segments are decoded and then compared exactly, so that a trailing slash, a
 * doubled one or another case is another path. A literal segment wins over a field.
 */
export function routesOf(operations: readonly Operation[]): Routes {
  const templates: readonly Template[] = operations
    .map((operation) => ({ operation, segments: operation.path.split('/').map(segmentOf) }))
    .sort((one, other) => fieldsIn(one) - fieldsIn(other));
  return (method, path) => {
    const segments = decoded(path);
    if (segments === undefined) return { allow: [] };
    const allow: string[] = [];
    for (const template of templates) {
      const values = valuesOf(template, segments);
      if (values === undefined) continue;
      if (template.operation.method === method) return { operation: template.operation, values };
      allow.push(template.operation.method);
    }
    return { allow };
  };
}

function segmentOf(segment: string): Template['segments'][number] {
  const field = /^\{(.+)\}$/.exec(segment)?.[1];
  return field === undefined ? { text: segment } : { field };
}

function fieldsIn({ segments }: Template): number {
  return segments.filter((segment) => 'field' in segment).length;
}

function valuesOf(
  { segments }: Template,
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== given.length) return undefined;
  const values: [string, string][] = [];
  for (const [index, segment] of segments.entries()) {
    const value = given[index] ?? '';
    if ('text' in segment ? segment.text !== value : value === '') return undefined;
    if ('field' in segment) values.push([segment.field, value]);
  }
  return Object.fromEntries(values);
}

function decoded(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
