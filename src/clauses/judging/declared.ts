import type { PointCode } from '../../model/declaration.ts';
import { asText } from '../../model/json.ts';
import { openPointOf, sightsOf } from '../../oracle/open-points/register.ts';
import { find, inconclusive, type Seen, seen, violated } from './reading.ts';
import type { TraceJudge } from './rules.ts';

/** A vendor is held to what it declares. Where the response is as declared, the clause's other rules say what must hold. */
export function asDeclared(
  point: PointCode,
  { of = () => true, conclusive = false }: { of?: (one: Seen) => boolean; conclusive?: boolean } = {},
): TraceJudge {
  const entry = openPointOf(point);
  return {
    over: 'trace',
    ...(entry?.needs === undefined ? {} : { needs: entry.needs }),
    *rule(context, trace) {
      const declared = context.declared.written[point];
      if (entry === undefined || declared === undefined) return;
      for (const { one, sight, contradicts, doubt } of sightsOf(context, trace, [entry])) {
        if (doubt !== undefined && of(one)) yield inconclusive([one], doubt);
        if (contradicts !== true || !of(one)) continue;
        const first = find(one.step, 'key-reuse')?.of;
        const origin = seen(context, trace).filter(({ step }) => step.id === first);
        const words = asText(declared);
        yield violated([one, ...origin], {
          expected: `${words} (declared, ${point})`,
          because: `The vendor declared ${point}: ${words} (${entry.title}), but the run shows this: ${sight.text.replace('#', String(sight.measure?.value ?? ''))}.`,
          conclusive,
        });
      }
    },
  };
}
