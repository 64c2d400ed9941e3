import { type Contract, type Operation, type OperationId, operationNamed } from '../model/contract.ts';
import type { Trace } from '../model/exchange.ts';
import { isObject, pointerOf } from '../model/json.ts';
import { isPutIn } from '../model/named-records.ts';
import { isAccepted, responseClass } from '../model/response.ts';
import { stepsOf } from '../model/scenario.ts';
import { schemasAt } from '../model/schema-places.ts';

export type AlwaysRefused = {
  readonly see: (trace: Trace) => void;
  /** What may be missing, by the operations of which no valid request was accepted. */
  readonly hints: (contract: Contract) => ReadonlyMap<OperationId, string>;
};

/** So many refusals are no chance. */
const few = 3;

/** Of what is said elsewhere: credentials, permissions and pace. */
const others: ReadonlySet<number> = new Set([401, 403, 429]);

/** Remembers which operations refuse every valid request: then something is missing that requests cannot show. */
export function makeAlwaysRefused(): AlwaysRefused {
  const accepted = new Set<OperationId>();
  const refused = new Map<OperationId, Map<number, number>>();
  return {
    see: ({ exchanges, scenario }) => {
      const valid = new Set(
        stepsOf(scenario.waves).flatMap((step) => (step.deviations.length === 0 ? [step.id] : [])),
      );
      for (const { answer, operation, step } of exchanges) {
        if (answer === undefined || !valid.has(step)) continue;
        if (isAccepted(answer)) accepted.add(operation);
        else if (responseClass(answer) === 'refused' && !others.has(answer.status)) {
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
          return accepted.has(id) || count < few || operation === undefined
            ? []
            : [
                [
                  id,
                  `Every valid request of ${id} was refused (${[...statuses.keys()].join(', ')}). ${remedy(operation)}`,
                ],
              ];
        }),
      ),
  };
}

function remedy(operation: Operation): string {
  const { id, kind, pathFields } = operation;
  const places = unmade(operation);
  const targets = `operations.${id}.targets`;
  if (kind === 'read')
    return pathFields.length === 0
      ? `Give values that it accepts under operations.${id}.parameters.`
      : `If a record appears later than reads of it expect, declare G15. Otherwise give records under ${targets}.`;
  return [
    ...(places.length === 0
      ? []
      : [
          `If ${places.join(' and ')} must name records that exist, let OpenAPI links say which commands create them (requestBody), or give bodies under operations.${id}.examples.`,
        ]),
    ...(pathFields.length === 0
      ? []
      : [
          `If its record must have parts, or another state, before the command, give such records under ${targets}: a command may create them.`,
        ]),
    ...(places.length === 0 && pathFields.length === 0
      ? [`Give bodies that it accepts under operations.${id}.examples.`]
      : []),
  ].join(' ');
}

const isReference =
  /(^(id|ref|uuid|reference)|[a-z](Id|ID|Uuid|Ref|Reference|Key|Code|Number)|_(id|uuid|ref|reference|key|code|number))$/;

/** Members of a body that may name records, and for which no command makes one. */
function unmade(operation: Operation): readonly string[] {
  return schemasAt(operation.body?.schema, '')
    .flatMap(({ properties }) => (isObject(properties) ? Object.keys(properties) : []))
    .filter((name) => isReference.test(name))
    .map((name) => pointerOf([name]))
    .filter((at, index, all) => !isPutIn(operation, at) && all.indexOf(at) === index);
}
