import type { Operation } from '../model/contract.ts';
import { isPermitted, type Principal } from '../model/principal.ts';
import { rememberedWith } from '../model/remembered.ts';
import type { Planning } from './suite.ts';

export function usable({ principals }: Pick<Planning, 'principals'>): readonly Principal[] {
  return principals.filter((principal) => principal.state === 'valid' && principal.use === 'any');
}

/** Valid principals that hold what the operation needs, in the order of the configuration. */
export function holders({ principals }: Planning, operation: Operation): readonly Principal[] {
  return holdersAmong(operation, principals);
}

const holdersAmong = rememberedWith((operation: Operation, principals: Planning['principals']) =>
  usable({ principals }).filter((principal) => isPermitted(principal, operation)),
);

/** Valid principals that lack it, in order, with how near they come. */
export function outsiders(
  planning: Planning,
  operation: Operation,
): readonly { readonly principal: Principal; readonly how: 'none' | 'near-miss' | 'sibling' }[] {
  const needed = operation.permissions ?? [];
  const siblings = new Set(
    planning.contract.operations
      .filter((other) => other.id !== operation.id)
      .flatMap((other) => other.permissions ?? []),
  );
  return usable(planning)
    .filter((principal) => !isPermitted(principal, operation))
    .map((principal) => {
      const near = principal.permissions.some(
        (name) => !siblings.has(name) && needed.some((wanted) => resembles(name, wanted)),
      );
      const sibling = principal.permissions.some((name) => siblings.has(name));
      return { principal, how: near ? 'near-miss' : sibling ? 'sibling' : 'none' };
    });
}

/** A name that is like the wanted one, or of the same resource. */
function resembles(name: string, wanted: string): boolean {
  const stem = wanted.split(/[.:/_-]/)[0]?.toLowerCase() ?? wanted;
  return passesFor(name, wanted) || name.toLowerCase().startsWith(stem);
}

/** A name that a careless comparison could take for the wanted one. */
export function passesFor(name: string, wanted: string): boolean {
  if (name === '' || name === '*') return true;
  const one = name.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  const other = wanted.toLowerCase().replaceAll(/[^a-z0-9]/g, '');
  return one.includes(other) || other.includes(one);
}

/** Who runs an operation for a principal: best itself, for others of its scope need not be shown what it makes. */
export function standIn(planning: Planning, operation: Operation, lead: Principal): Principal | undefined {
  const able = holders(planning, operation).filter(({ scope }) => scope === lead.scope);
  return (
    able.find(({ name }) => name === lead.name) ??
    able.find(({ identity }) => identity === lead.identity) ??
    able[0]
  );
}

/** Another caller of the same scope that holds what the operation needs. */
export function secondCaller(
  planning: Planning,
  operation: Operation,
  lead: Principal,
): Principal | undefined {
  return holders(planning, operation).find(
    (principal) => principal.identity !== lead.identity && principal.scope === lead.scope,
  );
}

/** A holder in another scope; none for what every scope may see. */
export function foreigner(planning: Planning, operation: Operation, lead: Principal): Principal | undefined {
  if (operation.shared === true) return undefined;
  return holders(planning, operation).find(
    (principal) =>
      principal.scope !== undefined && lead.scope !== undefined && principal.scope !== lead.scope,
  );
}

/** What a missing principal holds, in the words of a remedy; nothing where the document names no permission. */
export function thatHolds({ permissions = [] }: Operation): string {
  return permissions.length === 0 ? '' : ` that holds ${permissions.join(' and ')}`;
}

/** Which scope a missing principal has, in the words of a remedy. */
export function inScopeOf({ name, scope }: Principal): string {
  return scope === undefined ? `without a scope, as ${name} is` : `of ${name}'s scope (\`scope: ${scope}\`)`;
}

export function outsideScopeOf({ name, scope }: Principal): string {
  return scope === undefined
    ? `of another scope than ${name}'s, and name the \`scope\` of both`
    : `of another scope than ${name}'s (\`scope: ${scope}\`)`;
}

export function sameIdentity(
  planning: Planning,
  operation: Operation,
  lead: Principal,
): Principal | undefined {
  return holders(planning, operation).find(
    (principal) => principal.name !== lead.name && principal.identity === lead.identity,
  );
}

export function inState(planning: Planning, state: 'expired' | 'revoked'): Principal | undefined {
  return planning.principals.find((principal) => principal.state === state);
}

/** The principal that the throttling suite uses: one kept for it, or else any holder. */
export function throttled(planning: Planning, operation: Operation): Principal | undefined {
  return (
    planning.principals.find(
      (principal) =>
        principal.use === 'throttling' && principal.state === 'valid' && isPermitted(principal, operation),
    ) ?? holders(planning, operation)[0]
  );
}
