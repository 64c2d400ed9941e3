import { type Forecast, makeForecast } from './forecast.ts';
import type { PlannedProbe } from './plan.ts';
import type { RunOptions } from './pursue.ts';

/** Hears of what is over. */
export type Progress = {
  readonly ended: (probe: PlannedProbe, how?: 'earlier') => void;
  readonly burstEnded: Forecast['burst'];
};

/** Reports how far the run is whenever a part of its plan is done. */
export function makeProgress({
  onEvent,
  plan,
  planning,
  stage: { clock, governor, settleMs, spending },
}: RunOptions): Progress {
  const forecast = makeForecast(planning, plan.probes, settleMs);
  const [before, start] = [spending.spent(), clock.monotonic()];
  return {
    ended: (planned, how) => {
      forecast.ended(planned, how);
      const [requests, elapsedMs] = [spending.spent() - before, clock.monotonic() - start];
      const limited = governor.least() > 0;
      const spentBy = limited && !governor.areShared() ? spending.spentBy : undefined;
      const { leftMs, ...outlook } = forecast.outlook(requests, elapsedMs, limited, spentBy);
      // What has not been sent by then is left out.
      onEvent({ kind: 'advanced', ...outlook, leftMs: Math.min(leftMs, Math.max(0, spending.left())) });
    },
    burstEnded: forecast.burst,
  };
}
