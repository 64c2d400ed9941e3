import type { Context } from '../../model/clause.ts';
import { type Operation, operationNamed } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { listOfMade } from '../../model/listed.ts';
import { isPermitted, type Principal, type PrincipalName, scopeOf } from '../../model/principal.ts';
import { type Answered, answered, idOf, isAccepted, markerOf } from './reading.ts';

/** Why nothing follows from a record that another caller does not see: what a scope shares is the service's to say. */
export const anothersRecord =
  'The reader is not the caller that ran the command, and may see only its own records.';

export function isOneCaller(context: Context, one: PrincipalName, other: PrincipalName): boolean {
  return one === other || identityOf(context, one) === identityOf(context, other);
}

/** Who reads a list in the scope of a principal: the first in the configuration that may. */
export function readerOf(context: Context, as: PrincipalName, list: Operation): Principal | undefined {
  const scope = scopeOf(context.principals, as);
  return context.principals.find(
    (one) => one.state === 'valid' && one.use === 'any' && one.scope === scope && isPermitted(one, list),
  );
}

/** Whether the caller of a command is the one that reads the list of its effects. */
function isReadByItself(context: Context, command: Operation, as: PrincipalName): boolean {
  const list = operationNamed(context.contract, command.effect?.list);
  const reader = list === undefined ? undefined : readerOf(context, as, list);
  return reader === undefined || isOneCaller(context, as, reader.name);
}

/**
 * Whether what shows the effects of a trace shows records of a caller: the list has one that another command of this caller made, so
 * it would have this one as well.
 */
export function isShownToReader(
  context: Context,
  trace: Trace,
): (one: Pick<Answered, 'operation' | 'step'>) => boolean {
  const { byMarker = {} } = trace.effects ?? {};
  let shown: ReadonlySet<string> | undefined;
  const named = ({ operation, step }: Pick<Answered, 'operation' | 'step'>): string =>
    `${operation.id} ${identityOf(context, step.as)}`;
  return (one) => {
    if (isReadByItself(context, one.operation, one.step.as)) return true;
    shown ??= new Set(
      answered(context, trace).flatMap((other) =>
        isAccepted(other.answer) &&
        (byMarker[markerOf(trace, other) ?? ''] ?? []).some(
          (id) => id === idOf(other.operation, other.answer),
        )
          ? [named(other)]
          : [],
      ),
    );
    return shown.has(named(one));
  };
}

/** A command on records of its body makes none of its own: another command of the trace has made the one that it returns. */
export function isMadeByAnother(context: Context, trace: Trace, one: Answered, id: string): boolean {
  return answered(context, trace).some(
    (other) =>
      other.operation !== one.operation &&
      other.exchange.endedAt <= one.exchange.startedAt &&
      isAccepted(other.answer) &&
      listOfMade(context.contract, other.operation) === listOfMade(context.contract, one.operation) &&
      idOf(other.operation, other.answer) === id,
  );
}

/** The caller behind a principal. */
export function identityOf(context: Context, as: PrincipalName): string {
  return context.principals.find(({ name }) => name === as)?.identity ?? as;
}
