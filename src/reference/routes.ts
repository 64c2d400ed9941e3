import type { Operation } from '../model/contract.ts';

export type Route =
  | { readonly operation: Operation; readonly values: Readonly<Record<string, string>> }
  /** Methods of the operations at this path; none where there is no such path. */
  | { readonly allow: readonly string[] };

export type Routes = (method: string, path: string) => Route;

type Template = {
  readonly operation: Operation;
  readonly segments: readonly RegExp[];
  readonly fields: readonly string[];
  /** Characters that stand as they are. */
  readonly literal: number;
};

/** Segments are decoded, then compared exactly. What is literal wins over a field: `/{id}:close` over `/{id}`. */
export function routesOf(operations: readonly Operation[]): Routes {
  const templates: readonly Template[] = operations
    .map(templateOf)
    .sort((one, other) => one.fields.length - other.fields.length || other.literal - one.literal);
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

function templateOf(operation: Operation): Template {
  const styles = new Map(operation.pathFields.map(({ name, style }) => [name, style]));
  const fields: string[] = [];
  const segments = operation.path.split('/').map((segment) => {
    const parts = segment.split(/\{([^}]+)\}/).map((part, index) => {
      // A path of a fixed value is written encoded.
      if (index % 2 === 0) return literal(decodeURIComponent(part));
      fields.push(part);
      const style = styles.get(part);
      return `${style === 'label' ? '\\.' : style === 'matrix' ? `;${literal(part)}=` : ''}(.+)`;
    });
    return new RegExp(`^${parts.join('')}$`, 's');
  });
  return { operation, segments, fields, literal: operation.path.replaceAll(/\{[^}]+\}/g, '').length };
}

function literal(text: string): string {
  return text.replaceAll(/[\\^$.*+?()[\]{}|/]/g, '\\$&');
}

function valuesOf(
  { fields, segments }: Template,
  given: readonly string[],
): Readonly<Record<string, string>> | undefined {
  if (segments.length !== given.length) return undefined;
  const values: string[] = [];
  for (const [index, segment] of segments.entries()) {
    const match = segment.exec(given[index] ?? '');
    if (match === null) return undefined;
    values.push(...match.slice(1));
  }
  return Object.fromEntries(fields.map((name, index) => [name, values[index] ?? '']));
}

function decoded(path: string): readonly string[] | undefined {
  try {
    return path.split('/').map(decodeURIComponent);
  } catch {
    return undefined;
  }
}
