import { problemAt } from '../document/document.ts';
import type { InputProblem } from '../model/input-error.ts';
import type { Place } from './library.ts';
import { child, members, untestableAt } from './place.ts';

/** Paths that are no templates: a request to one of them would say nothing about the target. */
export function pathProblems(root: Place): readonly InputProblem[] {
  return members(child(root, 'paths')).flatMap(([path, { document, pointer }]) => {
    const wrong = (problem: string, remedy: string): readonly InputProblem[] => [
      problemAt(document, pointer, `the path '${path}' ${problem}`, remedy, 'key'),
    ];
    if (path.startsWith('x-')) return [];
    if (!path.startsWith('/')) return wrong('does not begin with a slash', `write '/${path}'`);
    return /[{}]/.test(path.replace(/\{[^{}]+\}/g, ''))
      ? wrong('has a brace without its other half, or a field without a name', 'write each field as {name}')
      : [];
  });
}

/** OpenAPI has no such paths, but some generators write them to tell operations of one path apart. */
export function requirePathAlone(path: string, pathItem: Place): void {
  const behind = /[?#]/.exec(path)?.[0];
  if (behind === undefined) return;
  throw untestableAt(
    pathItem,
    `the path '${path}' has a ${behind === '?' ? 'query' : 'fragment'}`,
    behind === '?'
      ? "declare its fields under 'parameters', with 'in: query'"
      : "remove '#' and what follows it",
    'key',
  );
}
