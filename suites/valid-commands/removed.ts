import { validator } from '../../src/generate/index.ts';
import { operationNamed } from '../../src/model/contract.ts';
import { stepsOf, type Wave } from '../../src/model/scenario.ts';
import { listed } from '../../src/suite-kit/readback.ts';
import type { Scene } from '../../src/suite-kit/scene.ts';
import type { Planning } from '../../src/suite-kit/suite.ts';
import { walkFrom } from '../reads/walk.ts';

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
