import type { Judge } from '../../model/clause.ts';
import { contradicted } from './contradicted.ts';
import { datesKept } from './dates-kept.ts';
import { defaultInstead } from './default-instead.ts';
import { defaultMissed } from './default-missed.ts';
import { exchangedMembers } from './exchanged-members.ts';
import { fractionLost } from './fraction-lost.ts';
import { itemsAlike } from './items-alike.ts';
import { listedAsAnother } from './listed-as-another.ts';
import { lostByChange } from './lost-by-change.ts';
import { memberIgnored } from './member-ignored.ts';
import { neverStored } from './never-stored.ts';
import { otherParent } from './other-parent.ts';
import { otherReference } from './other-reference.ts';
import { shiftedDates } from './shifted-dates.ts';
import { shiftedInstants } from './shifted-instants.ts';
import { shiftedNumbers } from './shifted-numbers.ts';
import { valueAltered } from './value-altered.ts';

/** Whether records show the values that commands sent (CMD-6). */
export const storedValues: readonly Judge[] = [
  ...[
    contradicted,
    memberIgnored,
    neverStored,
    datesKept,
    defaultInstead,
    defaultMissed,
    valueAltered,
    fractionLost,
    shiftedDates,
    shiftedInstants,
    shiftedNumbers,
    otherReference,
    exchangedMembers,
    itemsAlike,
  ].map((start): Judge => ({ over: 'run', needs: ['made', 'after'], start })),
  { over: 'trace', needs: ['after'], rule: lostByChange },
  { over: 'run', start: listedAsAnother },
  { over: 'run', start: otherParent },
];
