import type { Ledger } from '../judge.ts';
import type { Trace, TraceId } from '../model/exchange.ts';
import type { Step } from '../model/scenario.ts';
import type { Planning } from '../suite-kit/suite.ts';
import { attempt } from './attempt.ts';
import type { Rest } from './lanes.ts';
import { halted, type Stage } from './stage.ts';
import { type emptySighting, type Lookout, note, ofPage, pageStep, readPage } from './sweep.ts';

/** What reading needs of a run. */
type Reading = {
  readonly stage: Stage;
  readonly planning: Planning;
  readonly ledger: Ledger;
  readonly nextTrace: () => TraceId;
  readonly recordTrace: (trace: Trace) => void | Promise<void>;
};

/** More pages than this are not read: the list is then incomplete. */
const mostPages = 400;

/** Reads a list page by page, and notes what it shows; `last` is the exchange of the last page. */
export async function readList(
  options: Reading,
  { list, reader }: Lookout,
  sighting: ReturnType<typeof emptySighting>,
  rest: Rest,
): Promise<{ readonly complete: boolean; readonly last: string | undefined }> {
  let cursor: string | undefined;
  let last: string | undefined;
  let items = 0;
  const cursors = new Set<string>();
  for (let index = 0; index < mostPages; index += 1) {
    if (halted(options)) return { complete: false, last };
    const step: Step = pageStep(list, reader.name, index, cursor);
    const trace = await attempt(
      options.stage,
      { id: options.nextTrace(), ...ofPage(list, step, index) },
      rest,
    );
    await options.recordTrace(trace);
    options.ledger.see(trace);
    const [exchange] = trace.exchanges;
    const page =
      exchange === undefined
        ? undefined
        : readPage(options.planning.contract, list, exchange, { pages: index, items });
    if (exchange === undefined || page === undefined) return { complete: false, last };
    last = exchange.id;
    note(sighting, page, exchange.id);
    items += page.items;
    if (page.next.kind === 'none') return { complete: true, last };
    // A cursor that comes again leads in a circle: RDS-4 judges it, and nothing is concluded here.
    if (page.next.kind === 'untold' || cursors.has(page.next.cursor)) return { complete: false, last };
    cursor = page.next.cursor;
    cursors.add(cursor);
  }
  return { complete: false, last };
}
