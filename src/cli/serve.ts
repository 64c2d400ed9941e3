import { once } from 'node:events';
import { loadContract } from '../contract/load.ts';
import { unknownName } from '../document/nearest.ts';
import { trouble } from '../model/input-error.ts';
import { faults } from '../reference/faults/catalogue.ts';
import type { Fault } from '../reference/faults/fault.ts';
import { startReference } from '../reference/server.ts';
import { machineClock } from '../run/clock.ts';
import { contractLimits, openSession, resolveTokens, withTokens } from '../run/session.ts';
import type { Output } from './terminal/output.ts';

export type ServeFlags = {
  readonly port: number;
  readonly contract?: string;
  /** Id of a seeded fault, in any case: `I07`. */
  readonly fault?: string;
};

/** Serves the reference service with the principals of a configuration, until the signal. @throws InputError */
export async function serve(
  file: string,
  flags: ServeFlags,
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const fault = flags.fault === undefined ? undefined : faultNamed(flags.fault);
  const session = await openSession(file, { baseUrl: 'reference' });
  const contract =
    flags.contract === undefined
      ? session.contract
      : await loadContract(flags.contract, contractLimits(session.config));
  const tokens = await resolveTokens(session.config, process.env);
  const reference = await startReference({
    contract,
    principals: withTokens(session.config, tokens),
    clock: machineClock,
    port: flags.port,
    ...(fault === undefined ? {} : { behaviour: fault.change }),
    ...(fault?.settings === undefined ? {} : { settings: fault.settings }),
  }).catch((error: NodeJS.ErrnoException) => {
    throw trouble(
      '--port',
      `port ${flags.port} cannot be used (${error.code ?? error.message})`,
      'choose another, or 0 for any free port',
    );
  });
  output.out(`Reference service: ${reference.url}\n`);
  if (fault !== undefined) output.out(faultText(fault, reference.url, file));
  output.out(
    `${contract.operations.length} ${contract.operations.length === 1 ? 'operation' : 'operations'} of ${contract.title} ${contract.version}\n`,
  );
  // The configuration file shows these tokens anyway; they open only this service.
  output.out('Test tokens:\n');
  const { principals } = session.config;
  const width = Math.max(...principals.map(({ name }) => name.length), 16);
  for (const principal of principals)
    output.out(
      `  ${principal.name.padEnd(width)} ${(tokens.get(principal.name) ?? '').padEnd(44)} ${principal.permissions.join(', ') || '(no permission)'}${principal.state === 'valid' ? '' : `, ${principal.state}`}\n`,
    );
  output.out('Press Ctrl-C to stop.\n');
  if (!signal.aborted) await once(signal, 'abort');
  await reference.close();
  return 0;
}

function faultNamed(id: string): Fault {
  const found = faults.find((fault) => fault.id.toLowerCase() === id.toLowerCase());
  if (found !== undefined) return found;
  throw unknownName(
    '--fault',
    'fault',
    id,
    faults.map((fault) => fault.id),
  );
}

/** What is wrong with the service, which clauses see it, and how to see it. */
function faultText(
  { breaks, declares, describes, id, operations }: Fault,
  url: string,
  file: string,
): string {
  return [
    `Fault ${id}: ${describes}`,
    `  breaks ${breaks.join(', ')}`,
    ...(declares === undefined ? [] : [`  its vendor declares ${JSON.stringify(declares)}`]),
    `  assay run --config ${file} --base-url ${url} --operation ${operations.join(',')}`,
    `  assay selftest --fault ${id}     (in one process, with the hooks that some faults need)`,
    '',
  ].join('\n');
}
