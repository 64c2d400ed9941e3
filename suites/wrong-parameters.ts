import type { HeaderField, Operation, PathField, QueryField } from '../src/model/contract.ts';
import type { Deviation, Step } from '../src/model/scenario.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { wrongQueries } from '../src/suite-kit/query.ts';
import { wrongLists } from '../src/suite-kit/query-lists.ts';
import { wrongObjects } from '../src/suite-kit/query-objects.ts';
import { negative, refusals, type Scene } from '../src/suite-kit/scene.ts';
import { byBudget, type Proposal, probesOf } from '../src/suite-kit/suite.ts';

type Field =
  | ((QueryField | HeaderField) & { readonly place: 'query' | 'header' | 'cookie' })
  | (PathField & { readonly place: 'path'; readonly required: false });

export default defineSuite({
  name: 'wrong-parameters',
  title:
    'Commands whose query field, header, cookie, chosen ID or choice in the path is missing or breaks its schema',
  for: (operation) => parametersOf(operation).length > 0 || strangeIn(operation) !== undefined,
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
      // A format alone refuses nothing, and many compare words in headers and paths in whichever case.
      .filter(({ field, keyword }) => field.place !== 'path' || keyword !== 'format')
      .filter(
        ({ field, isNear, keyword }) => field.place === 'query' || isNear !== true || keyword === 'pattern',
      )
      .toSorted((one, other) => one.turn - other.turn);
    if (wrong.length > 0)
      yield probe(
        'wrong',
        'ERR-1',
        wrong.slice(0, most).map(({ field, keyword, value }) => {
          const pair = [field.name, value] as const;
          const { target } = scene.request('test');
          const parts = {
            query: { query: [pair] },
            header: { headers: [pair] },
            cookie: { omits: [field.name], headers: [['Cookie', `${field.name}=${value}`]] as const },
            path: { target: { ...target, [field.name]: { literal: value } } },
          };
          return refused(scene, `${value} for the ${worded(field)}`, field, keyword, parts[field.place]);
        }),
      );
    // What is refused leaves its target as it was: further ones share a valid request.
    const further = [
      ...wrong
        .slice(most)
        .flatMap(({ field, keyword, value }) => furtherOf(field, keyword, [[field.name, value]])),
      ...all.flatMap((field) =>
        field.place === 'query'
          ? [
              ...wrongLists(field).flatMap(({ keyword, pairs }) => furtherOf(field, keyword, pairs)),
              ...wrongObjects(field).map(
                ({ keyword, member, pairs }): Further => ({
                  name: field.name,
                  parts: {
                    deviations: [deviationOf({ ...field, name: `${field.name}[${member}]` }, keyword)],
                    omits: [field.name],
                    query: pairs,
                  },
                }),
              ),
            ]
          : [],
      ),
    ].slice(0, byBudget(planning, 12, 24, 40));
    if (further.length > 0)
      yield probe('further', 'ERR-1', [
        refusals(
          scene,
          `further wrong parameters: ${[...new Set(further.map(({ name }) => name))].join(', ')}`,
          further.map(({ parts }, index) => ({ ...parts, id: `probe-${index + 1}` })),
        ),
      ]);
    const strange = strangeIn(scene.operation);
    if (strange !== undefined)
      yield probe('no-choice', 'ERR-1', [
        refused(
          scene,
          `none of the values that the path field ${strange.field} may have`,
          { name: strange.field, place: 'path' },
          'enum',
          { path: 'no-choice' },
        ),
      ]);
  },
});

/** Those of reads, versions and verifications have probes of their own; an ID of the service needs no check. */
function parametersOf({ headerFields = [], kind, pathFields, queryFields }: Operation): readonly Field[] {
  return [
    ...(kind === 'command' ? queryFields.map((field) => ({ ...field, place: 'query' as const })) : []),
    ...headerFields.map((field) => ({ ...field, place: field.in })),
    ...pathFields.flatMap((field) =>
      kind === 'command' && field.chosen
        ? [{ ...field, place: 'path' as const, required: false as const }]
        : [],
    ),
  ];
}

/** A command whose path is limited to some values. */
function strangeIn({ kind, strangePath }: Operation): Operation['strangePath'] {
  return kind === 'command' ? strangePath : undefined;
}

const words = { query: 'query field', header: 'header', cookie: 'cookie', path: 'path field' };
const worded = ({ name, place }: Field): string => `${words[place]} ${name}`;

function refused(
  scene: Scene,
  title: string,
  { name, place }: Pick<Field, 'name' | 'place'>,
  keyword: string,
  parts: Partial<Step>,
): ReturnType<typeof negative> {
  return negative(scene, title, { ...parts, deviations: [deviationOf({ name, place }, keyword)] });
}

type Further = {
  readonly name: string;
  readonly parts: Pick<Step, 'deviations'> & Partial<Pick<Step, 'headers' | 'omits' | 'query'>>;
};

/** What a format alone refuses may be accepted, and moves the target on. */
function furtherOf(
  field: Pick<Field, 'name' | 'place'>,
  keyword: string,
  pairs: readonly (readonly [string, string])[],
): readonly Further[] {
  const deviations = [deviationOf(field, keyword)];
  if (keyword === 'format') return [];
  if (field.place === 'query') return [{ name: field.name, parts: { deviations, query: pairs } }];
  if (field.place === 'header') return [{ name: field.name, parts: { deviations, headers: pairs } }];
  if (field.place !== 'cookie') return [];
  const headers = pairs.map(([name, value]) => ['Cookie', `${name}=${value}`] as const);
  return [{ name: field.name, parts: { deviations, omits: [field.name], headers } }];
}

function deviationOf({ name, place }: Pick<Field, 'name' | 'place'>, keyword: string): Deviation {
  return { kind: 'query', field: name, keyword, ...(place === 'query' ? {} : { in: place }) };
}
