import type { SourceDocument } from '../document/document.ts';
import type { OperationId } from '../model/contract.ts';
import type { Position } from '../model/input-error.ts';
import { isArray, isObject, type Json, pointerOf } from '../model/json.ts';

export function linesOf(document: SourceDocument): Readonly<Record<OperationId, Position>> {
  return Object.fromEntries(
    operationsIn(document).map(({ id, path, method }) => [
      id,
      document.at(pointerOf(['paths', path, method]), 'key'),
    ]),
  );
}

export function tagsOf(document: SourceDocument): Readonly<Record<OperationId, readonly string[]>> {
  return Object.fromEntries(
    operationsIn(document).flatMap(({ id, operation: { tags } }) => {
      const named = isArray(tags) ? tags.filter((tag) => typeof tag === 'string') : [];
      return named.length === 0 ? [] : [[id, named] as const];
    }),
  );
}

function operationsIn(document: SourceDocument): readonly {
  readonly id: OperationId;
  readonly path: string;
  readonly method: string;
  readonly operation: Readonly<Record<string, Json>>;
}[] {
  const paths = isObject(document.value) ? document.value['paths'] : undefined;
  if (!isObject(paths)) return [];
  return Object.entries(paths).flatMap(([path, item]) =>
    isObject(item)
      ? Object.entries(item).flatMap(([method, operation]) => {
          if (!isObject(operation)) return [];
          const named = operation['operationId'];
          const id = typeof named === 'string' ? named : `${method.toUpperCase()} ${path}`;
          return [{ id, path, method, operation }];
        })
      : [],
  );
}
