import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { clauses } from '../src/clauses/catalogue.ts';
import { run } from '../src/cli/run.ts';
import { loadConfig } from '../src/config/load.ts';
import { loadContract } from '../src/contract/load.ts';
import { replay } from '../src/evidence/replay.ts';
import { rulingsOf } from '../src/judge.ts';
import type { Clause } from '../src/model/clause.ts';
import type { Declaration, Declared } from '../src/model/declaration.ts';
import type { Trace } from '../src/model/exchange.ts';
import { makeContext } from '../src/oracle/context.ts';
import { faults } from '../src/reference/faults/catalogue.ts';
import { capture } from '../src/testing/captured.ts';

/** Records the smallest trace that holds out of a conforming run's log, and one that violates out of a fault's trial. */
const [log = '', only = ''] = process.argv.slice(2);
const file = 'fixtures/contracts/extended.config.yaml';
const config = await loadConfig(file);
const contract = await loadContract(config.contract);
const proven = new Set(config.principals.map((principal) => principal.name));
const contextOf = (declared: Declared) =>
  makeContext({ contract, declared, principals: config.principals, proven });
const wanted = clauses.filter((clause) => only === '' || only.split(',').includes(clause.code));

const holding = new Map<string, { readonly size: number; readonly trace: Trace }>();
const context = contextOf(config.declared);
const offer = (clause: Clause, trace: Trace): void => {
  const size = JSON.stringify(trace).length;
  const known = holding.get(clause.code);
  if (known !== undefined && known.size <= size) return;
  const rulings = rulingsOf(clause, context, trace);
  if (
    rulings.some(({ verdict }) => verdict === 'holds') &&
    rulings.every(({ verdict }) => verdict === 'holds')
  )
    holding.set(clause.code, { size, trace });
};
for await (const entry of replay(log).entries)
  if (entry.kind === 'effects' || entry.kind === 'trace')
    for (const clause of wanted) offer(clause, entry.trace);

async function violating(
  clause: Clause,
): Promise<{ readonly trace: Trace; readonly declares: Declaration } | undefined> {
  const fault = faults.find((each) => each.breaks.includes(clause.code));
  if (fault === undefined) return undefined;
  const folder = await mkdtemp(join(tmpdir(), 'assay-record-'));
  const enough = new AbortController();
  let found: Trace | undefined;
  await run(
    file,
    {
      overrides: { output: folder, budget: 'standard', seed: 1 },
      operations: fault.operations,
      quiet: true,
      reference: fault,
      onEvent: (event) => {
        if (event.kind !== 'violation' || event.violation.clause.code !== clause.code || found !== undefined)
          return;
        found = event.trace;
        enough.abort();
      },
    },
    capture().output,
    enough.signal,
  );
  await rm(folder, { recursive: true, force: true });
  return found === undefined ? undefined : { trace: found, declares: fault.declares ?? {} };
}

await mkdir('fixtures/traces', { recursive: true });
const todo = [...wanted];
async function lane(): Promise<void> {
  for (let clause = todo.shift(); clause !== undefined; clause = todo.shift()) {
    const holds = holding.get(clause.code)?.trace;
    const violates = clause.level === 'advisory' ? undefined : await violating(clause);
    console.log(
      `${clause.code}: ${holds === undefined ? 'NO holding trace' : 'holds'}, ${violates === undefined ? 'NO violating trace' : 'violates'}`,
    );
    if (holds === undefined || violates === undefined) continue;
    const text = JSON.stringify({
      clause: clause.code,
      declares: violates.declares,
      holds: pruned(holds),
      // A limit that is exceeded shows only in many requests.
      violates: pruned(violates.trace, clause.code === 'THR-1' ? 60 : undefined),
    });
    await writeFile(join('fixtures/traces', `${clause.code}.json`), `${text}\n`);
  }
}

/** Of a burst only its beginning and its refusals are kept, and of many other commands a few. */
function pruned(trace: Trace, most = 12): Trace {
  let accepted = 0;
  let refused = 0;
  const many = /^other-(?!.*(?:make|read|verification))\d+$/;
  const few = (step: string): boolean => !many.test(step) || Number(step.slice('other-'.length)) < 3;
  return {
    ...trace,
    scenario: {
      ...trace.scenario,
      bodies: Object.fromEntries(Object.entries(trace.scenario.bodies).filter(([name]) => few(name))),
      waves: trace.scenario.waves.filter(
        (wave) => !('steps' in wave) || wave.steps.every((step) => few(step.id)),
      ),
    },
    bound: {
      keys: Object.fromEntries(Object.entries(trace.bound.keys).filter(([name]) => few(name))),
      markers: Object.fromEntries(Object.entries(trace.bound.markers).filter(([name]) => few(name))),
    },
    exchanges: trace.exchanges.filter((exchange) => {
      if (!few(exchange.step)) return false;
      if (exchange.ordinal === 0) return true;
      if (exchange.answer !== undefined && exchange.answer.status < 300) {
        accepted += 1;
        return accepted <= most;
      }
      refused += 1;
      return refused <= 4;
    }),
  };
}
await Promise.all([lane(), lane(), lane(), lane()]);
