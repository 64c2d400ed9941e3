import type { HeaderField, Operation, QueryField } from '../src/model/contract.ts';
import type { Deviation, Step } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { wrongQueries } from '../src/suite-kit/query.ts';
import { negative, type Scene } from '../src/suite-kit/scene.ts';
import { byBudget, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

/** A declared field of a request outside its body. */
type Field = (QueryField | HeaderField) & { readonly place: 'query' | 'header' };

export default defineSuite({
  name: 'wrong-parameters',
  title: 'Commands without a required query field or header, or with one that its schema refuses',
  for: (operation) => parametersOf(operation).length > 0,
  clauses: 'ERR-1',
  *propose(scene, planning): Iterable<Proposal> {
    const most = byBudget(planning, 2, 6, 20);
    const probe = probesOf(scene.operation);
    const all = parametersOf(scene.operation);
    const missing = all.filter(({ required }) => required);
    if (missing.length > 0)
      yield probe(
        'missing',
        'ERR-1',
        missing
          .slice(0, most)
          .map((field) =>
            refused(scene, `without the ${worded(field)}`, field, 'required', { omits: [field.name] }),
          ),
      );
    // One wrong value of each before a second one of any.
    const wrong = all
      .flatMap((field) => wrongQueries(field).map((value, turn) => ({ field, turn, ...value })))
      .toSorted((one, other) => one.turn - other.turn);
    if (wrong.length > 0)
      yield probe(
        'wrong',
        'ERR-1',
        wrong.slice(0, most).map(({ field, keyword, value }) => {
          const pair = [field.name, value] as const;
          return refused(
            scene,
            `${value} for the ${worded(field)}`,
            field,
            keyword,
            field.place === 'query' ? { query: [pair] } : { headers: [pair] },
          );
        }),
      );
  },
});

/** Query fields of reads have probes of their own. What carries a version or a verification is not among the headers. */
function parametersOf({ headerFields = [], kind, queryFields }: Operation): readonly Field[] {
  return [
    ...(kind === 'command' ? queryFields.map((field) => ({ ...field, place: 'query' as const })) : []),
    ...headerFields.flatMap((field) =>
      field.in === 'header' ? [{ ...field, place: 'header' as const }] : [],
    ),
  ];
}

const worded = ({ name, place }: Field): string => `${place === 'query' ? 'query field' : 'header'} ${name}`;

function refused(
  scene: Scene,
  title: string,
  { name, place }: Field,
  keyword: string,
  parts: Partial<Step>,
): ReturnType<typeof negative> {
  const deviation: Deviation = {
    kind: 'query',
    field: name,
    keyword,
    ...(place === 'header' ? { in: 'header' as const } : {}),
  };
  return negative(scene, title, { ...parts, deviations: [deviation] });
}
