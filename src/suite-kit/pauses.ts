import type { StepId, Wave } from '../model/scenario.ts';
import { when } from './scene.ts';

/**
 * A pause before a refused command is sent again, unless the last one was in vain: all act on a record that the first may have
 * used up, such as a payment that is refunded in full.
 * @param last the command before it, whose repeat has its name with `-again`
 */
export function pauseAfter(last: StepId | undefined): readonly Wave[] {
  const pause: Wave = { wait: 1000 };
  return last === undefined
    ? [pause]
    : [when(last, 'accepted', [pause]), when(`${last}-again`, 'accepted', [pause])];
}
