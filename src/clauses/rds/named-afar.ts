import type { Context, Ruling } from '../../model/clause.ts';
import type { Trace } from '../../model/exchange.ts';
import { foreignSigns } from '../judging/listing.ts';
import { type Answered, answered, faultsOf, holds, isAccepted, violated } from '../judging/reading.ts';
import { shows } from './leaks.ts';

/** An ID of so many characters is that of one record, wherever in a text it is. */
const ownLength = 12;

/**
 * A list or a search that no command is known to fill shows nothing of a record of another scope (RDS-7). It holds only where the
 * same read shows it to the scope of the record: else it may have nothing to do with such records.
 */
export function* namedAfar(context: Context, trace: Trace): Iterable<Ruling> {
  const all = answered(context, trace);
  for (const one of all) {
    if (one.step.observes !== 'unrelated' || one.step.role !== 'test') continue;
    if (!isAccepted(one.answer) || faultsOf(one.step).length > 0) continue;
    const signs = foreignSigns(context, trace, one.step.as).map(plain);
    const shown = (read: Answered): string | undefined => signs.find((sign) => shows(read, sign));
    const leaked = shown(one);
    const expected = 'no record of another scope';
    const near = all.find(({ step }) => step.controls === one.step.id);
    if (leaked !== undefined)
      yield violated([one], {
        expected,
        actual: leaked.replaceAll('"', ''),
        because: 'The response names a record of another scope, or shows what was sent for it.',
        conclusive: true,
      });
    else if (near !== undefined && isAccepted(near.answer) && shown(near) !== undefined)
      yield holds([one, near], {
        expected,
        actual: 'none',
        because: 'The record is shown in its own scope, and nothing of it in another one.',
      });
  }
}

function plain(sign: string): string {
  const id = /^"(.*)"$/.exec(sign)?.[1] ?? '';
  return id.length >= ownLength ? id : sign;
}
