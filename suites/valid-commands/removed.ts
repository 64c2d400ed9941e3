import { validator } from '../../src/generate/index.ts';
import { operationNamed } from '../../src/model/contract.ts';
import { stepsOf, type Wave } from '../../src/model/scenario.ts';
import { listed } from '../../src/suite-kit/readback.ts';
import type { Around, Scene } from '../../src/suite-kit/scene.ts';
import { byBudget, type Planning } from '../../src/suite-kit/suite.ts';
import { manyPages, mostOf, walkFrom } from '../reads/walk.ts';

/**
 * Of a record that nothing but a list shows, that list page by page: what is new may come last. A filter that leaves the record
 * alone needs no more than one.
 */
export function onAllPages(planning: Planning, { before, after }: Around): Around {
  const paged = (wave: Wave): readonly Wave[] => {
    const [read] = 'steps' in wave ? wave.steps : [];
    const list = operationNamed(planning.contract, read?.operation);
    const isList = read?.observes === 'list-before' || read?.observes === 'list-after';
    if (read === undefined || list?.pagination === undefined || !isList) return [wave];
    if ((read.query ?? []).some(([name]) => name !== list.pagination?.limit)) return [wave];
    const most = byBudget(planning, 10, 20, manyPages);
    return walkFrom(list, { name: read.id, most, limit: mostOf(list), query: [] }, (id, query) => ({
      ...read,
      id,
      query,
    }));
  };
  return { before: before.flatMap(paged), after: after.flatMap(paged) };
}

/** The record before the target, and the one behind it. */
const most = 2;

/**
 * The list that showed the target of a deletion and its two neighbours alone, one record on a page: the other pages may come from
 * other code, or another store, than the first.
 */
export function removedPages(planning: Planning, scene: Scene): readonly Wave[] {
  const [read] = stepsOf(listed(planning, scene));
  const list = operationNamed(planning.contract, read?.operation);
  const { cursor, limit } = list?.pagination ?? {};
  const size = list?.queryFields.find(({ name }) => name === limit);
  const filter = (read?.query ?? []).filter(([name]) => name !== limit && name !== cursor);
  if (list === undefined || read === undefined || filter.length === 0 || size === undefined) return [];
  if (validator(size.schema ?? true)(1).length > 0) return [];
  return walkFrom(list, { name: 'removed', most, limit: 1, query: filter }, (id, query) => ({
    ...read,
    id,
    query,
    observes: 'removed-page',
  }));
}
