import { creates, type QueryField } from '../src/model/contract.ts';
import { makersWithin, makesWithin } from '../src/model/listed.ts';
import { bare } from '../src/model/path.ts';
import type { Scenario } from '../src/model/scenario.ts';
import { absentTargets } from '../src/suite-kit/absent.ts';
import { foreigner, outsideScopeOf, thatHolds } from '../src/suite-kit/cast.ts';
import { defineSuite } from '../src/suite-kit/define.ts';
import { filtersOf } from '../src/suite-kit/filters.ts';
import { makerOf, makingOf, shownBy } from '../src/suite-kit/makers.ts';
import { wrongQueries } from '../src/suite-kit/query.ts';
import { wrongLists } from '../src/suite-kit/query-lists.ts';
import { wrongObjects } from '../src/suite-kit/query-objects.ts';
import { key, negative, refusals, type Scene, scenario, send, skip } from '../src/suite-kit/scene.ts';
import { byBudget, type Planning, type Proposal, probesOf } from '../src/suite-kit/suite.ts';
import {
  borrowedCursor,
  claimedFromAfar,
  filteredFromAfar,
  fromAfar,
  pagesFromAfar,
  placedAfar,
  writtenFromAfar,
} from './reads/afar.ts';
import { filteredByAll } from './reads/all-filters.ts';
import { soughtAnywhere } from './reads/anywhere.ts';
import { askedFromAfar } from './reads/asked.ts';
import { listedElsewhere } from './reads/elsewhere.ts';
import { whileEmpty } from './reads/empty.ts';
import { filtered, filteredAfter, filteredByTwo, pagesFiltered } from './reads/filtering.ts';
import { keyed, readAgain } from './reads/keyed.ts';
import { movedFromAfar } from './reads/moved.ts';
import { madeUpCursors, oddBodies, oddQueries, withOtherRequestIds } from './reads/odd.ts';
import { pages } from './reads/pages.ts';
import { seams } from './reads/seams.ts';
import { filteredBySeveral } from './reads/several-values.ts';
import { undeclaredPages } from './reads/undeclared-pages.ts';
import { filteredUnmade, limitedUnmade, whatMakesNone } from './reads/unmade.ts';
import { isUnsigned, whatSigns } from './reads/unsigned.ts';
import { beyondTheEnd, largestSize } from './reads/walk.ts';
import { wrongBodies } from './reads/wrong-bodies.ts';

export default defineSuite({
  name: 'reads',
  title: 'Reads: query fields, pages, cursors, scopes and keys',
  for: ({ kind }) => kind === 'read',
  clauses: 'RDS-1 RDS-3 RDS-4 RDS-5 RDS-6 RDS-7 RDS-8 VAL-12 IDM-21 RID-9',
  *propose(scene, planning): Iterable<Proposal> {
    const { operation } = scene;
    const probe = probesOf(operation);
    yield probe('plain', 'RDS-1 IDM-21 RID-9', [
      scenario(scene, 'a read without a key, and with one', [
        send(scene, 'read', { role: 'test' }),
        send(scene, 'keyed', { controls: 'read', key: key('key') }),
      ]),
    ]);
    yield probe('foreign-request-id', 'RID-7', [withOtherRequestIds(planning, scene)]);
    yield probe('unknown-field', 'ERR-1', [
      scenario(scene, 'an unknown query field (open point G7)', [
        send(scene, 'unknown', {
          role: 'test',
          query: [['assayUnknown', '1']],
          deviations: [{ kind: 'query', field: 'assayUnknown', keyword: 'unknown' }],
        }),
        send(scene, 'control', { controls: 'unknown' }),
      ]),
    ]);
    const odd = [...oddQueries(planning, scene), ...oddBodies(scene)];
    if (odd.length > 0) yield probe('odd', 'ERR-1', odd);
    const largest = largestSize(operation);
    if (largest !== undefined)
      yield probe('largest-page', 'RDS-1', [
        scenario(scene, 'the largest page that the contract allows', [
          send(scene, 'largest', { role: 'test', query: largest }),
          send(scene, 'control', { controls: 'largest' }),
        ]),
      ]);
    const beyond = beyondTheEnd(operation);
    if (beyond !== undefined)
      yield probe('beyond-the-end', 'RDS-1', [
        scenario(scene, 'a page far beyond the last one', [
          send(scene, 'beyond', { role: 'test', query: beyond }),
        ]),
      ]);
    if (operation.pathFields.length > 0)
      yield probe('lag', 'CMD-6', [
        scenario(scene, 'a record right after it was made (open point G15)', [
          {
            poll: scene.request('poll', { role: 'readback', observes: 'arrival' }),
            until: 'found',
            max: 20,
          },
        ]),
      ]);
    if (operation.pathFields.length > 0)
      yield probe('unknown-record', 'ERR-1', [
        refusals(
          scene,
          'records that do not exist',
          absentTargets(scene).map((target, index) => ({
            ...{ id: `absent-${index + 1}`, target },
            deviations: [{ kind: 'target', how: 'absent' }],
          })),
        ),
      ]);
    yield probe('burst', 'RID-5', [
      scenario(scene, 'five reads at once', [
        {
          steps: ['one', 'two', 'three', 'four', 'five'].map((id) => scene.request(id, { role: 'test' })),
        },
      ]),
    ]);
    // What leads to a page may be refused in another class (RDS-6).
    const wrongIn = (field: QueryField): ReturnType<typeof wrongQueries> =>
      wrongQueries(field).filter(
        ({ keyword }) => field.name !== operation.pagination?.cursor || keyword !== 'pattern',
      );
    for (const field of operation.queryFields) {
      const values = wrongIn(field);
      const lists = wrongLists(field);
      if (values.length + lists.length > 0)
        yield probe(`query-${field.name}`, 'VAL-12', [
          ...values.map(({ value, keyword }) =>
            negative(scene, `${field.name}=${value}`, {
              query: [[field.name, value]],
              deviations: [{ kind: 'query', field: field.name, keyword }],
            }),
          ),
          ...(lists.length > 0
            ? [
                refusals(
                  scene,
                  `${field.name}, a list that breaks ${lists.map(({ keyword }) => keyword).join(', ')}`,
                  lists.map(({ keyword, pairs }) => ({
                    id: keyword,
                    query: pairs,
                    deviations: [{ kind: 'query', field: field.name, keyword }],
                  })),
                ),
              ]
            : []),
        ]);
      const objects = wrongObjects(field);
      if (objects.length > 0)
        yield probe(`object-${field.name}`, 'VAL-12', [
          refusals(
            scene,
            `${field.name}, an object with a wrong member: ${objects.map(({ keyword, member }) => `${keyword} of ${member}`).join(', ')}`,
            objects.map(({ keyword, member, pairs }) => ({
              id: `${member}-${keyword}`,
              omits: [field.name],
              query: pairs,
              deviations: [{ kind: 'query', field: `${field.name}[${member}]`, keyword }],
            })),
          ),
        ]);
    }
    for (const { name, required } of operation.queryFields)
      if (required)
        yield probe(`query-${name}-missing`, 'VAL-12', [
          negative(scene, `without ${name}`, {
            omits: [name],
            deviations: [{ kind: 'query', field: name, keyword: 'required' }],
          }),
        ]);
    const bodies = wrongBodies(planning, scene);
    if (bodies.length > 0) yield probe('wrong-body', 'VAL-12', bodies);
    else if (
      !operation.queryFields.some(
        (field) =>
          field.required || wrongIn(field).length + wrongLists(field).length + wrongObjects(field).length > 0,
      )
    )
      yield skip(operation, 'VAL-12', {
        kind: 'inapplicable',
        remedy: 'No value of its query fields is wrong.',
      });
    const pagesUnknown = undeclaredPages(operation);
    if (pagesUnknown !== undefined) yield pagesUnknown;
    const maker = makerOf(planning, operation);
    const made = maker === undefined ? undefined : makingOf(planning, scene, maker);
    yield keyed(planning, operation, maker);
    yield* readAgain(planning, scene);
    if (made === undefined || 'remedy' in made) {
      const sought = soughtFromAfar(planning, scene);
      if (sought.length > 0) yield probe('sought-foreign', 'RDS-7', sought);
      const anywhere = sought.length > 0 ? [] : soughtAnywhere(planning, scene);
      if (anywhere.length > 0) yield probe('sought-anywhere', 'RDS-7', anywhere);
      const filtered = filteredUnmade(scene);
      if (filtered.length > 0) yield probe('filters-unmade', 'RDS-3', filtered);
      const limited = limitedUnmade(scene);
      if (limited.length > 0) yield probe('limit-unmade', 'RDS-5', limited);
      const compared = limited.length > 0 ? seams(planning, scene, undefined) : [];
      if (compared.length > 0) yield probe('seams', 'RDS-4', compared, { alone: true });
      const cursor = limited.length > 0 ? operation.pagination?.cursor : undefined;
      if (cursor !== undefined)
        yield probe('cursors', 'RDS-6', madeUpCursors(planning, scene, cursor, undefined));
      const filters = operation.queryFields.some((field) => field.filters !== undefined);
      const within = makersWithin(planning.contract, operation).length > 0;
      const untested = [
        // Of an empty list nothing else gives a reason.
        ...(within || (filters && (filtered.length === 0 || shownBy(planning.contract, operation).length > 0))
          ? ['RDS-3']
          : []),
        ...(operation.pagination === undefined || compared.length > 0 ? [] : ['RDS-4']),
        ...(operation.pagination === undefined || limited.length > 0 ? [] : ['RDS-5', 'RDS-6']),
        ...(sought.length > 0 ? [] : ['RDS-7']),
      ];
      if (untested.length > 0)
        yield skip(
          operation,
          untested,
          made ?? {
            kind: 'operation',
            remedy: whatMakesNone(planning.contract, operation),
          },
        );
      return;
    }
    const stranger = foreigner(planning, operation, scene.lead);
    const filters = filtersOf(planning, operation, made);
    const elsewhere = listedElsewhere(planning, scene);
    if (elsewhere.length > 0) yield probe('elsewhere', 'RDS-3', elsewhere);
    else if (makersWithin(planning.contract, operation).length > 0)
      yield skip(operation, 'RDS-3', {
        kind: 'target',
        remedy: `Let an OpenAPI link say which command creates the parent records of ${operation.method} ${operation.path}.`,
      });
    if (operation.pagination !== undefined) {
      const { apart, walks } = pages(planning, scene, made);
      yield probe('pages', 'RDS-4 RDS-5', walks);
      // Pages of a list to which others add records are compared while nobody does.
      if (apart.length > 0) yield probe('seams', 'RDS-4', apart, { alone: true });
      yield probe('cursors', 'RDS-6', [
        ...madeUpCursors(planning, scene, operation.pagination.cursor, made),
        ...(stranger === undefined ? [] : borrowedCursor(planning, scene, made, stranger)),
      ]);
    }
    const empty = whileEmpty(scene, made);
    if (empty.length > 0) yield probe('empty', 'RDS-1', empty);
    for (const { name } of operation.queryFields) {
      const trials = filters.trials.filter(({ field }) => field.name === name);
      if (trials.length > 0)
        yield probe(`filter-${name}`, 'RDS-3', [
          ...trials.map((trial) => filtered(planning, scene, made, trial)),
          ...pagesFiltered(planning, scene, made, trials),
          ...filteredAfter(planning, scene, made, trials),
          ...filteredBySeveral(scene, made, trials),
        ]);
    }
    const both = filteredByTwo(scene, made, filters.trials);
    if (both.length > 0) yield probe('two-filters', 'RDS-3', both);
    const all = filteredByAll(scene, made, filters.trials);
    if (all.length > 0) yield probe('all-filters', 'RDS-3', all);
    for (const { field, why } of filters.untried)
      yield skip(operation, 'RDS-3 RDS-7', {
        kind: 'value',
        remedy: `The filter '${field}' was not tried: ${why}. Give bodies that set it under operations.${made.operation.id}.examples.`,
      });
    if (stranger === undefined)
      yield skip(operation, 'RDS-7', {
        kind: 'principal',
        remedy: `Give a valid principal${thatHolds(operation)}, ${outsideScopeOf(scene.lead)}.`,
      });
    else {
      if (isUnsigned(operation, made))
        yield skip(operation, 'RDS-7', { kind: 'value', remedy: whatSigns(made) });
      yield probe('foreign', 'RDS-7', [
        fromAfar(planning, scene, made, stranger.name),
        ...claimedFromAfar(scene, made, stranger.name),
        ...filters.trials.flatMap((trial) => filteredFromAfar(scene, made, trial, stranger)),
        ...askedFromAfar(
          scene,
          made,
          stranger.name,
          new Set(filters.trials.map(({ field }) => field.name)),
          byBudget(planning, 6, 12, 24),
        ),
        ...pagesFromAfar(planning, scene, made, stranger),
        ...writtenFromAfar(planning, scene, made, stranger),
        ...placedAfar(scene, made, stranger),
        ...movedFromAfar(planning, scene, stranger.name),
      ]);
    }
  },
});

/**
 * A list that is not declared, by a caller of another scope: GET /notes may show what POST /notes makes. So may a search
 * whose body asks for the words that our texts begin with: POST /notes/search or /notes:search, of what
 * POST /books/{book}/notes makes as well.
 */
function soughtFromAfar(planning: Planning, scene: Scene): readonly Scenario[] {
  const { body, method, path, pathFields } = scene.operation;
  if (method === 'HEAD' || pathFields.length > 0) return [];
  const makers = planning.contract.operations.filter(
    (one) => one.method === 'POST' && (creates(one) || makesWithin(planning.contract, one)),
  );
  const names = bare(path).split(/[/:]/);
  const isAbove = (other: string): boolean =>
    ['/', ':'].some((mark) => bare(path).startsWith(bare(other) + mark));
  const maker =
    makers.find((one) => bare(path) === bare(one.path)) ??
    (body === undefined
      ? undefined
      : (makers.find((one) => isAbove(one.path)) ??
        makers.find((one) => names.includes(bare(one.path).split('/').at(-1) ?? ''))));
  const made = maker === undefined ? undefined : makingOf(planning, scene, maker);
  const stranger = foreigner(planning, scene.operation, scene.lead);
  if (made === undefined || 'remedy' in made || stranger === undefined) return [];
  return [fromAfar(planning, scene, made, stranger.name)];
}
