import { isCarried, type Operation } from './contract.ts';
import { lastOf, membersAt } from './described-places.ts';
import { type JsonObject, type JsonPointer, parentOf, pointerOf } from './json.ts';
import { remembered } from './remembered.ts';
import { idPointer } from './result-id.ts';
import { schemasAt } from './schema-places.ts';

/** A member that only the service sets: where a result shows it, and where a body would have it. */
export type OwnedMember = {
  readonly at: JsonPointer;
  readonly shownAt: JsonPointer;
  readonly schemas: readonly JsonObject[];
};

/** A service may compare what is sent there with the state of the record. */
const versions = /^_?(etag|version|rev|revision|(row|lock|record|resource)_?version)$/i;

/**
 * The members of a result that the contract marks as readOnly and does not describe for the body. They are managed by the service
 * alone, which is to ignore or refuse what a client sends there (JSON Schema 2020-12, validation, 9.4).
 */
export const ownedMembers = remembered((operation: Operation): readonly OwnedMember[] => {
  const { body, kind, otherSuccesses = [], success } = operation;
  if (kind !== 'command' || body === undefined || otherSuccesses.length > 0) return [];
  const around = parentOf(idPointer(operation));
  // A body may have the envelope of the result, or none.
  const within = around !== '' && schemasAt(body.schema, around).length > 0 ? around : '';
  return membersAt(success.schema, around).flatMap((name): readonly OwnedMember[] => {
    const [at, shownAt] = [within, around].map((each) => `${each}${pointerOf([name])}`);
    if (at === undefined || shownAt === undefined) return [];
    const schemas = schemasAt(success.schema, shownAt);
    const isOwned = schemas.some(({ readOnly }) => readOnly === true);
    if (!isOwned || versions.test(lastOf(at)) || shownAt === idPointer(operation)) return [];
    if (schemasAt(body.schema, at).length > 0 || isCarried(operation, at)) return [];
    return [{ at, shownAt, schemas }];
  });
});
