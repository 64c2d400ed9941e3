import type { Fold, Violated } from '../../model/clause.ts';
import { canonicalJson, type Json, valueAt } from '../../model/json.ts';
import { type OwnedMember, ownedMembers } from '../../model/owned-members.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { isSame } from '../judging/changes.ts';
import { type Answered, answered, violated } from '../judging/reading.ts';
import { hasMoreMembers, isResult } from '../judging/results.ts';
import { shows } from '../judging/sent-places.ts';

/** What results show of a member where no body has it: one value, or several. */
type Usual = { readonly value: Json; readonly count: number };

/** So often the same value was there that no service draws it. */
const enough = 10;

/**
 * A member that the contract marks as readOnly, and that takes the value which a body has for it (CMD-3). Two commands sent two
 * values, and the result of each shows its own. One of a few values may be there by chance: where no body asked for it, there
 * must always have been another one.
 */
export function ownedTaken(): Fold {
  const taken = new Map<string, readonly Json[]>();
  const usual = new Map<string, Usual | 'several'>();
  return {
    *see(context, trace) {
      for (const one of answered(context, trace)) {
        const isClaim = hasMoreMembers(one);
        if (!isClaim && !isResult(one)) continue;
        const members = ownedMembers(one.operation);
        if (members.length === 0) continue;
        const result = exactJsonOf(one.answer);
        const sent = isClaim ? sentJson(one.exchange.request) : undefined;
        for (const member of members) {
          const shown = valueAt(result, member.shownAt);
          const claimed = valueAt(sent, member.at);
          const own = `${one.operation.id} ${member.at}`;
          if (shown === undefined) continue;
          if (claimed === undefined) {
            if (!isClaim) usual.set(own, withValue(usual.get(own), shown));
            continue;
          }
          if (!shows(claimed, shown)) continue;
          const known = taken.get(own) ?? [];
          const others = known.filter((value) => !isSame(value, claimed));
          taken.set(own, [...others, claimed]);
          const isFollowed = others.length > 0 && isTelling(member, claimed);
          if (isFollowed || isNever(usual.get(own), claimed)) yield ruling(one, member, shown);
        }
      }
    },
  };
}

function withValue(usual: Usual | 'several' | undefined, value: Json): Usual | 'several' {
  if (usual === undefined) return { value, count: 1 };
  if (usual === 'several' || !isSame(usual.value, value)) return 'several';
  return { value, count: usual.count + 1 };
}

/** Whether no service has a value by chance. */
function isTelling({ schemas }: OwnedMember, value: Json): boolean {
  if (schemas.some((schema) => 'enum' in schema)) return false;
  return typeof value === 'number' ? Math.abs(value) > 1000 : typeof value === 'string' && value.length > 8;
}

function isNever(usual: Usual | 'several' | undefined, value: Json): boolean {
  return usual !== undefined && usual !== 'several' && usual.count >= enough && !isSame(usual.value, value);
}

function ruling(one: Answered, { shownAt }: OwnedMember, shown: Json): Violated {
  return violated([one], {
    expected: `a value of the service at ${shownAt}, whatever the request has there`,
    actual: `${canonicalJson(shown).slice(0, 80)} at ${shownAt}`,
    because: `The contract marks ${shownAt} as readOnly, but it takes the value that the request has there.`,
  });
}
