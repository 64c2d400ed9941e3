import type { Context } from '../model/clause.ts';
import type { PointCode } from '../model/declaration.ts';
import type { ExchangeId, Trace } from '../model/exchange.ts';
import type { OpenPoint } from '../model/open-point.ts';
import { responseClass } from '../model/response.ts';
import type { Step } from '../model/scenario.ts';
import { notesOn } from './open-points/notes.ts';
import { openPoints, type Sighted, sightsOf } from './open-points/register.ts';

/** Gathers over a run what the target does at the open points; memory does not grow with the run. */
export type Observing = {
  readonly see: (trace: Trace) => void;
  readonly finish: () => readonly OpenPoint[];
};

type Count = {
  count: number;
  readonly exchanges: ExchangeId[];
  readonly requestIds: string[];
  measure: number | undefined;
};
type PointTally = {
  readonly counts: Map<string, Count>;
  readonly readings: Set<string>;
  readonly departures: Set<string>;
  /** Readings that something else contradicts, so that nobody is advised to declare them. */
  readonly ruledOut: Set<string>;
  agrees: boolean;
  contradicts: boolean;
};

const mostTexts = 12;
const mostExchanges = 3;

/** Watches traces for what the target does at the open points of the contract. */
export function makeObserving(context: Context): Observing {
  const seen = new Map<PointCode, PointTally>();
  /** How often another body under a used key got 422, as in the IETF draft. */
  const draft = { otherBody422: 0 };

  const note = ({ point, one, sight, contradicts, departs, rulesOut }: Sighted): void => {
    const tally = seen.get(point) ?? {
      counts: new Map(),
      readings: new Set(),
      departures: new Set(),
      ruledOut: new Set(),
      agrees: false,
      contradicts: false,
    };
    seen.set(point, tally);
    if (sight.reading !== undefined) tally.readings.add(sight.reading);
    if (departs !== undefined) tally.departures.add(departs);
    for (const reading of rulesOut) tally.ruledOut.add(reading);
    if (contradicts === true) tally.contradicts = true;
    if (contradicts === false) tally.agrees = true;
    const known = tally.counts.get(sight.text);
    if (known === undefined && tally.counts.size >= mostTexts) return;
    const count = known ?? { count: 0, exchanges: [], requestIds: [], measure: undefined };
    tally.counts.set(sight.text, count);
    count.count += 1;
    const { measure } = sight;
    if (measure !== undefined && beyond(measure, count.measure)) {
      count.measure = measure.value;
      // The extreme one is the one to look at.
      count.exchanges.unshift(one.exchange.id);
      count.requestIds.unshift(...one.exchange.requestIds.slice(0, 1));
      count.exchanges.length = Math.min(count.exchanges.length, mostExchanges);
      count.requestIds.length = Math.min(count.requestIds.length, mostExchanges);
    } else if (count.exchanges.length < mostExchanges) {
      count.exchanges.push(one.exchange.id);
      count.requestIds.push(...one.exchange.requestIds.slice(0, 1));
    }
  };

  return {
    see: (trace) => {
      for (const sighted of sightsOf(context, trace)) note(sighted);
      const { answered } = context.reading(trace);
      const accepts = (is: (step: Step) => boolean): boolean =>
        answered.some(({ step, answer }) => is(step) && responseClass(answer) === 'accepted');
      for (const { step, answer } of answered) {
        const [only] = step.deviations;
        // The body alone may have caused the 422, and a refused command uses no key.
        if (
          step.deviations.length === 1 &&
          only?.kind === 'key-reuse' &&
          only.difference === 'request' &&
          answer.status === 422 &&
          accepts(({ id }) => id === only.of) &&
          accepts(({ controls }) => controls === step.id)
        )
          draft.otherBody422 += 1;
      }
    },
    finish: () =>
      openPoints.map(
        ({ declares: _declares, needs: _needs, sights: _sights, standard, ...described }): OpenPoint => {
          const tally = seen.get(described.point);
          const declared = context.declared.written[described.point];
          const observed = [...(tally?.counts ?? [])]
            .sort(([, one], [, other]) => other.count - one.count)
            .map(([text, { count, exchanges, requestIds, measure }]) => ({
              text: measure === undefined ? text : text.replace('#', String(measure)),
              count,
              exchanges,
              requestIds,
            }));
          const state = stateOf(tally, declared !== undefined);
          return {
            ...described,
            declared,
            observed,
            state,
            notes: notesOn(described.point, state, observed, {
              ...draft,
              standard,
              departures:
                declared === undefined
                  ? [...(tally?.departures ?? [])].filter((one) => tally?.ruledOut.has(one) !== true)
                  : [],
            }),
          };
        },
      ),
  };
}

function beyond(
  { value, keep }: { readonly value: number; readonly keep: 'largest' | 'smallest' },
  known: number | undefined,
): boolean {
  return known === undefined || (keep === 'largest' ? value > known : value < known);
}

function stateOf(tally: PointTally | undefined, declared: boolean): OpenPoint['state'] {
  if (tally === undefined || tally.counts.size === 0) return 'not observed';
  if (!declared) return tally.readings.size > 1 ? 'mixed' : 'observed';
  if (tally.contradicts) return 'contradicts the declaration';
  return tally.agrees ? 'as declared' : 'observed';
}
