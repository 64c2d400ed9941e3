import { type Contract, type Operation, type OperationId, operationNamed } from '../model/contract.ts';
import { membersAt } from '../model/described-places.ts';
import type { Trace } from '../model/exchange.ts';
import { pointerOf } from '../model/json.ts';
import { wordsOf } from '../model/name-words.ts';
import { isPutIn } from '../model/named-records.ts';
import { narrowingField } from '../model/narrowing-field.ts';
import { isAccepted, responseClass } from '../model/response.ts';
import { type Step, type StepId, stepsOf } from '../model/scenario.ts';
import { requires, schemasAt } from '../model/schema-places.ts';

export type AlwaysRefused = {
  readonly see: (trace: Trace) => void;
  /** What may be missing, by the operations of which no valid request was accepted. */
  readonly hints: (contract: Contract) => ReadonlyMap<OperationId, string>;
};

/** So many refusals are no chance. */
const few = 3;

/** One request in so many may be accepted because the scenario itself did what is missing elsewhere, such as to submit a case. */
const rare = 10;

/** So many refusals in a row, after requests that were accepted, come from what those did. */
const inRow = 10;

/** Refusals of a version that is not the current one, the usual ones elsewhere among them. */
const isOfVersion: ReadonlySet<number> = new Set([409, 412, 428]);

/** Of what is said elsewhere: credentials, permissions and pace. */
const others: ReadonlySet<number> = new Set([401, 403, 429]);

/** Remembers which operations refuse every valid request: then something is missing that requests cannot show. */
export function makeAlwaysRefused(): AlwaysRefused {
  const accepted = new Map<OperationId, number>();
  const refused = new Map<OperationId, Map<number, number>>();
  const makers = new Map<OperationId, OperationId>();
  /** Of each operation, the refusals since its last accepted request. */
  const since = new Map<OperationId, number>();
  return {
    see: ({ exchanges, scenario }) => {
      const steps = new Map(stepsOf(scenario.waves).map((step) => [step.id, step]));
      for (const { answer, operation, step: id } of exchanges) {
        const step = steps.get(id);
        if (answer === undefined || step === undefined || step.deviations.length > 0) continue;
        const maker = makerOf(step, steps);
        const isOwn = maker?.as === step.as;
        if (isAccepted(answer)) {
          accepted.set(operation, (accepted.get(operation) ?? 0) + 1);
          since.set(operation, 0);
        } else if (
          responseClass(answer) === 'refused' &&
          (!others.has(answer.status) || (answer.status === 403 && isOwn))
        ) {
          if (isOwn) makers.set(operation, maker.operation);
          since.set(operation, (since.get(operation) ?? 0) + 1);
          const statuses = refused.get(operation) ?? new Map<number, number>();
          refused.set(operation, statuses.set(answer.status, (statuses.get(answer.status) ?? 0) + 1));
        }
      }
    },
    hints: (contract) =>
      new Map(
        [...refused].flatMap(([id, statuses]) => {
          const count = [...statuses.values()].reduce((sum, one) => sum + one, 0);
          const operation = operationNamed(contract, id);
          const others = accepted.get(id) ?? 0;
          const last = since.get(id) ?? 0;
          const isFull = others > 0 && last >= inRow && (count - last) * rare <= last;
          if (operation !== undefined && isFull && makesOne(operation))
            return [[id, full(id, others, last, [...statuses.keys()])]];
          return others * rare > count || count < few || operation === undefined
            ? []
            : [
                [
                  id,
                  `${others === 0 ? 'Every' : 'Almost every'} valid request of ${id} was refused (${[...statuses.keys()].join(', ')}). ${others > 0 && makesOne(operation) ? `${raising} ` : ''}${remedy(operation, [...statuses.keys()], operationNamed(contract, makers.get(id)))}`,
                ],
              ];
        }),
      ),
  };
}

/** Whether each of its requests makes another record, so that there may be too many of them. */
function makesOne({ kind, method, pathFields }: Operation): boolean {
  return (
    kind === 'command' && (method === 'POST' ? pathFields.length === 0 : pathFields.at(-1)?.chosen === true)
  );
}

const raising =
  'If the service limits how many such records there may be, raise the limit on the test system, and delete the records of earlier runs (assay cleanup).';

function full(id: OperationId, accepted: number, refused: number, statuses: readonly number[]): string {
  return `${accepted} valid requests of ${id} were accepted, and all ${refused} after them were refused (${statuses.join(', ')}). ${raising}`;
}

/** The step that made the target record of another. */
function makerOf({ target = {} }: Step, steps: ReadonlyMap<StepId, Step>): Step | undefined {
  return Object.values(target)
    .map((ref) => ('step' in ref ? steps.get(ref.step) : undefined))
    .findLast((step) => step !== undefined);
}

/** `maker`: what made the records, sent by the same caller. */
function remedy(operation: Operation, statuses: readonly number[], maker: Operation | undefined): string {
  const { body, id, kind, pathFields } = operation;
  const places = unmade(operation, pathFields.length === 0 && statuses.includes(404));
  const targets = targetsOf(id);
  if (kind === 'read' && (body === undefined || pathFields.length > 0))
    return pathFields.length === 0
      ? `Give values that it accepts under operations.${id}.parameters.`
      : `If a record appears later than reads of it expect, declare G15. Otherwise give records under ${targets}.`;
  const asked = narrowingField(operation);
  const version = versionIn(operation, statuses);
  return [
    ...(version === undefined
      ? []
      : [
          `If ${version} must have the current version of the record, say in x-governed.version of ${id} which read shows it.`,
        ]),
    ...(asked === undefined
      ? []
      : [
          `If the query field ${asked} must name a record that exists, give one under operations.${id}.parameters.`,
        ]),
    ...(places.length === 0
      ? []
      : [
          `If ${places.join(' and ')} must name records that exist, let OpenAPI links say which commands create them (requestBody), or give bodies under operations.${id}.examples.`,
        ]),
    ...(pathFields.length === 0
      ? []
      : [
          `If its record must have parts, or another state, before the command, ${maker?.body === undefined ? '' : `give a body that creates one under operations.${maker.id}.examples, or `}give such records under ${targets}: a command may create them.`,
        ]),
    ...(maker === undefined ? [] : [fourEyes(operation, maker)]),
    ...(places.length === 0 && pathFields.length === 0 && asked === undefined
      ? [
          `${version === undefined ? 'Give' : 'Otherwise give'} bodies that it accepts under operations.${id}.examples.`,
        ]
      : []),
  ].join(' ');
}

/** What must have a value that may be a version, where the contract does not say that it is one. */
function versionIn(operation: Operation, statuses: readonly number[]): string | undefined {
  const { body, headerFields = [], method, pathFields, version } = operation;
  // A PUT of settings has a record as well, though no path names it.
  if (version !== undefined || (pathFields.length === 0 && method === 'POST')) return undefined;
  // What is no version in its form, as a made-up text is none, may be refused as any other wrong value.
  const header = headerFields.find(({ name, required }) => required && /^if-match$/i.test(name));
  if (header !== undefined) return header.name;
  if (!statuses.some((status) => isOfVersion.has(status))) return undefined;
  const member = membersAt(body?.schema, '').find(
    (name) =>
      requires(body?.schema, pointerOf([name])) &&
      /^(?:version|etag|revision)$/.test(wordsOf(name).at(-1) ?? ''),
  );
  return member === undefined ? undefined : pointerOf([member]);
}

/** Principals come in the order of the configuration, and make their records themselves where they may. */
function fourEyes({ id, permissions = [] }: Operation, maker: Operation): string {
  const making = (maker.permissions ?? []).join(' and ');
  const needed = permissions.join(' and ');
  return needed === making
    ? `If the caller of ${maker.id} may not run ${id} on its own record (four eyes), let ${targetsOf(id)} name a command that creates records as another caller.`
    : `If the caller of ${maker.id} may not run ${id} on its own record (four eyes), list a principal first that holds ${needed} and not ${making}. Another principal of its scope must hold ${making}.`;
}

const targetsOf = (id: OperationId): string => `operations.${id}.targets`;

const isReference =
  /(^(id|ref|uuid|reference)|[a-z](Id|ID|Uuid|Ref|Reference|Key|Code|Number)|_(id|uuid|ref|reference|key|code|number))$/;

/** Keys, codes and numbers that name no record. */
const isValue =
  /^((public|private|secret|api|access|ssh|host|idempotency|sort)_?key|(zip|postal|post|status|error|currency|country|language|locale)_?code|(phone|mobile|fax|version|line|page)_?number)$/i;

/**
 * Members of a body that may name records, and for which no command makes one. Where something was not found and the path
 * names nothing, each text that the body must have may be such a name. What a body may leave out is to blame only if nothing
 * that it must have is.
 */
function unmade(operation: Operation, isSought: boolean): readonly string[] {
  const schema = operation.body?.schema;
  const isText = (at: string): boolean =>
    requires(schema, at) && schemasAt(schema, at).some((one) => one['type'] === 'string' && !('enum' in one));
  const isEncoded = (at: string): boolean => schemasAt(schema, at).some((one) => 'contentEncoding' in one);
  const found = membersAt(schema, '')
    .filter(
      (name) => (isReference.test(name) && !isValue.test(name)) || (isSought && isText(pointerOf([name]))),
    )
    .map((name) => pointerOf([name]))
    .filter((at) => !isPutIn(operation, at) && !isEncoded(at));
  const needed = found.filter((at) => requires(schema, at));
  return needed.length > 0 ? needed : found;
}
