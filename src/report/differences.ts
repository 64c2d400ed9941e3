import {
  isArray,
  isObject,
  type Json,
  type JsonObject,
  type JsonPointer,
  parseJson,
  pointerOf,
} from '../model/json.ts';
import { findingId } from './finding.ts';
import type { Report } from './report.ts';

/** One thing that a report says otherwise than its evidence. */
export type Discrepancy = { readonly at: JsonPointer; readonly problem: string };

const mostShown = 50;

/** What a report on the disk says otherwise than the report that its evidence amounts to; verdicts come first. */
export function differences(found: Report, recomputed: Report): readonly Discrepancy[] {
  const cells = cellDifferences(found, recomputed);
  const rest = valueDifferences(plain(found), plain(recomputed), '').filter(
    ({ at }) => !(cells.length > 0 && at.startsWith('/cells')),
  );
  return [...cells, ...rest].slice(0, mostShown);
}

function cellDifferences(found: Report, recomputed: Report): readonly Discrepancy[] {
  const known = new Map(recomputed.cells.map((cell) => [findingId(cell), cell]));
  const result: Discrepancy[] = [];
  for (const [index, cell] of found.cells.entries()) {
    const id = findingId(cell);
    const own = known.get(id);
    known.delete(id);
    const at = pointerOf(['cells', index]);
    if (own === undefined)
      result.push({ at, problem: `the report has a cell ${id}, and the evidence has none` });
    else if (own.verdict !== cell.verdict)
      result.push({
        at,
        problem: `${id} is '${cell.verdict}' in the report, and '${own.verdict}' by the evidence`,
      });
  }
  for (const [id, cell] of known)
    result.push({
      at: '/cells',
      problem: `${id} is missing from the report; by the evidence it is '${cell.verdict}'`,
    });
  return result;
}

/** What a statement says otherwise than the one that report and evidence amount to. */
export function statementDifferences(found: JsonObject, own: JsonObject): readonly Discrepancy[] {
  return valueDifferences(found, own, '', 'the statement').slice(0, mostShown);
}

function valueDifferences(
  found: Json,
  own: Json,
  at: JsonPointer,
  where = 'the report',
): readonly Discrepancy[] {
  if (isObject(found) && isObject(own))
    return [...new Set([...Object.keys(own), ...Object.keys(found)])].flatMap((name) => {
      const pointer = at + pointerOf([name]);
      const one = Object.hasOwn(found, name) ? found[name] : undefined;
      const other = Object.hasOwn(own, name) ? own[name] : undefined;
      if (one === undefined || other === undefined)
        return [{ at: pointer, problem: `${shown(one)} in ${where}, ${shown(other)} by the evidence` }];
      return valueDifferences(one, other, pointer, where);
    });
  if (isArray(found) && isArray(own) && found.length === own.length)
    return found.flatMap((item, index) =>
      valueDifferences(item, own[index] ?? null, `${at}/${index}`, where),
    );
  return Object.is(found, own) || JSON.stringify(found) === JSON.stringify(own)
    ? []
    : [{ at, problem: `${shown(found)} in ${where}, ${shown(own)} by the evidence` }];
}

function shown(value: Json | undefined): string {
  if (value === undefined) return 'nothing';
  const text = JSON.stringify(value);
  return text.length > 60 ? `${text.slice(0, 60)}...` : text;
}

/** As in the file: members that are undefined are left out. */
function plain(report: Report): Json {
  return parseJson(JSON.stringify(report)) ?? null;
}
