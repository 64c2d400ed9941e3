import type { SourceDocument } from '../document/document.ts';
import type { OperationId } from '../model/contract.ts';
import type { Position } from '../model/input-error.ts';
import { isObject, pointerOf } from '../model/json.ts';

/** Where each operation is in the document: one-based line and column of its method. */
export function linesOf(document: SourceDocument): Readonly<Record<OperationId, Position>> {
  const paths = isObject(document.value) ? document.value['paths'] : undefined;
  if (!isObject(paths)) return {};
  return Object.fromEntries(
    Object.entries(paths).flatMap(([path, item]) =>
      isObject(item)
        ? Object.entries(item).flatMap(([method, operation]) => {
            if (!isObject(operation)) return [];
            const named = operation['operationId'];
            const id = typeof named === 'string' ? named : `${method.toUpperCase()} ${path}`;
            return [[id, document.at(pointerOf(['paths', path, method]), 'key')] as const];
          })
        : [],
    ),
  );
}
