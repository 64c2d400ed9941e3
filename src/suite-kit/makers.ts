import {
  type Contract,
  choosesLast,
  isSingleton,
  type Operation,
  operationNamed,
  type PathSource,
} from '../model/contract.ts';
import { isOfResult, listOfMade, listWithin, showsIn } from '../model/listed.ts';
import { narrowingField } from '../model/narrowing-field.ts';
import { bare, goesThrough } from '../model/path.ts';
import type { Principal } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import type { BodySpec, Step, Wave } from '../model/scenario.ts';
import { standIn } from './cast.ts';
import { refOf, verifying } from './issued.ts';
import { key, named, type Scene, sceneOf, send, withoutVersion } from './scene.ts';
import { firstOn, namedIn } from './setup.ts';
import type { Planning } from './suite.ts';

/** The command whose effect a read shows, and that makes records: of its own, or within another one. */
export function makerOf({ contract }: Planning, read: Operation): Operation | undefined {
  // A stronger verification is one thing more that may be missing, so commands without one come first.
  const shown = shownBy(contract, read).toSorted((one, other) => steps(one) - steps(other));
  const plain = shown.filter(
    ({ method, version }) => method === 'POST' && (version === undefined || version.optional === true),
  );
  return (
    shown.find(({ pathFields }) => pathFields.length === 0) ??
    // Each of its records has an ID of its own choice.
    shown.find(({ pathFields }) => pathFields.every(({ chosen }) => chosen)) ??
    shown.find(choosesLast) ??
    plain.find(({ path }) => bare(read.path).startsWith(bare(path))) ??
    plain.find((operation) => isSource(contract, operation)) ??
    plain.find((operation) => listWithin(contract, operation) === read) ??
    // GET /entries shows what POST /accounts/{accountId}/deposits makes, with entries of other accounts.
    plain.find((operation) => listOfMade(contract, operation) === read) ??
    // So it does where the declared read shows the account, and not what is made.
    plain.find((operation) => addsTo(contract, operation, read)) ??
    // What is put to a path is what a read of the path shows (RFC 9110, 9.3.4), declared or not.
    (isCollection(contract, read)
      ? undefined
      : contract.operations.find(
          (operation) => operation.method === 'PUT' && isSingleton(operation) && operation.path === read.path,
        ))
  );
}

/** Whether the declared read of a command shows the record of its path, and a list elsewhere what it makes there. */
function addsTo(contract: Contract, operation: Operation, list: Operation): boolean {
  const read = operationNamed(contract, operation.effect?.read);
  return (
    read !== undefined &&
    list.pathFields.length === 0 &&
    narrowingField(list) === undefined &&
    showsIn(operation.effect, list.id) &&
    goesThrough(operation.path, read.path) &&
    isOfResult(contract, operation, list)
  );
}

/** Whether a path has pages, or a POST adds to it: a PUT there changes several records at once, and makes none. */
function isCollection({ operations }: Contract, { pagination, path }: Operation): boolean {
  return (
    pagination !== undefined ||
    operations.some((one) => one.kind === 'command' && one.method === 'POST' && bare(one.path) === bare(path))
  );
}

const steps = ({ verification }: Operation): number => (verification === undefined ? 0 : 1);

export function shownBy({ operations }: Contract, read: Operation): readonly Operation[] {
  // HEAD asks for what GET shows there.
  const { id } =
    operations.find(({ method, path }) => read.method === 'HEAD' && method === 'GET' && path === read.path) ??
    read;
  return operations.filter(
    ({ effect, kind }) => kind === 'command' && (showsIn(effect, id) || effect?.read === id),
  );
}

/** Whether the target of another operation is made by this one: its result names a record that was not there before. */
function isSource({ operations }: Contract, { id, pathFields }: Operation): boolean {
  const own = new Set(pathFields.map(({ source }) => source?.operation));
  return (
    !own.has(id) &&
    operations.some(({ pathFields }) => pathFields.some(({ source }) => source?.operation === id))
  );
}

/** A scene in which a principal makes records for a read to show: within what the read is of, where it is of something. */
export function makingOf(
  planning: Planning,
  read: Scene,
  maker: Operation,
  by: Principal | undefined = standIn(planning, maker, read.lead),
  tag = 'made-',
): ReturnType<typeof sceneOf> {
  const found = sceneOf(planning, maker, by, tag, { records: namedWithin(read, maker) });
  if ('remedy' in found) return found;
  const made = withoutVersion(found);
  if (maker.pathFields.length === 0) return made;
  if (maker.pathFields.every(({ chosen }) => chosen))
    return {
      ...made,
      request: (id, parts) =>
        made.request(id, {
          target: { ...made.request(id).target, ...chosenFor(maker.pathFields, id) },
          ...parts,
        }),
    };
  const whole = read.request('read').target ?? {};
  const within = Object.fromEntries(
    maker.pathFields.flatMap(({ name }) => {
      const ref = whole[name];
      return ref === undefined ? [] : [[name, ref] as const];
    }),
  );
  const chosen = maker.pathFields.filter((field) => field.chosen === true && !(field.name in within));
  // Its records are within another one that the list does not name: all of a scene within the same.
  if (Object.keys(within).length + chosen.length < maker.pathFields.length)
    return chosen.length === 0 || maker.verification !== undefined
      ? made
      : {
          ...made,
          request: (id, parts) =>
            made.request(id, {
              target: { ...made.request(id).target, ...chosenFor(chosen, id) },
              ...parts,
            }),
        };
  const records = namedIn(planning, maker, made.lead, tag, {
    known: namedWithin(read, maker) ?? {},
    above: new Map(Object.entries(within)),
  });
  const target = { ...records.target, ...within };
  const first = firstOn(planning, maker, made.lead, target, tag, planning.prepared?.get(maker.id));
  if ('remedy' in first) return first;
  return {
    ...made,
    prelude: [
      ...records.waves,
      ...first.waves,
      ...verifying(maker, made.lead, { ...target, ...chosenFor(chosen, tag) }, `${tag}verification`),
    ],
    bodies: { ...records.bodies, ...first.bodies },
    request: (id, parts) => made.request(id, { target: { ...target, ...chosenFor(chosen, id) }, ...parts }),
  };
}

/** The record that a list is read within, where the body of a command names it: what is made elsewhere is on no page. */
function namedWithin({ operation, request }: Scene, { id, named = [] }: Operation): Step['target'] {
  const whole = request('read').target ?? {};
  const shared = operation.pathFields.flatMap(({ name, source }) => {
    const ref = whole[name];
    const records = named.filter(({ field }) => field.source?.operation === source?.operation);
    const record = records.find(({ field }) => field.name === name) ?? records[0];
    if (ref === undefined || record === undefined || source === undefined || source.operation === id)
      return [];
    const own = namedAs(record.field.source, ref);
    return own === undefined ? [] : [[record.field.name, own] as const];
  });
  return shared.length === 0 ? undefined : Object.fromEntries(shared);
}

/** What names the record of a path in a body: its ID, or the address that the same result shows. */
function namedAs(source: PathSource | undefined, ref: Ref): Ref | undefined {
  if (source === undefined || 'path' in source || source.whole !== true) return ref;
  return 'step' in ref ? refOf(source, ref.step, undefined) : undefined;
}

function chosenFor(fields: Operation['pathFields'], step: string): NonNullable<Step['target']> {
  return Object.fromEntries(fields.map(({ name }) => [name, { chosen: `${step}-${name}` }]));
}

/** One record, with the body that has the name of the step, or another one. */
export function create(
  made: Scene,
  id: string,
  body: BodySpec = named(id),
  parts: Pick<Partial<Step>, 'target'> = {},
): Wave {
  const sent = made.operation.body === undefined ? ({ use: 'none' } as const) : body;
  return send(made, id, { role: 'setup', key: key(id), body: sent, ...parts });
}
