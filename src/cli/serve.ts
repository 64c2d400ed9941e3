import { randomBytes } from 'node:crypto';
import { startReference } from '../../fixtures/reference/server.ts';
import { loadContract } from '../contract/load.ts';
import { InputError } from '../model/input-error.ts';
import { machineClock } from './clock.ts';
import type { Output } from './output.ts';
import { openSession, resolveTokens } from './session.ts';

/** Serves the reference service with the principals of a configuration, until the signal. */
export async function serve(
  file: string,
  flags: { readonly port: number; readonly contract: string | undefined },
  output: Output,
  signal: AbortSignal,
): Promise<number> {
  const session = await openSession(file, { baseUrl: 'reference' });
  const contract = flags.contract === undefined ? session.contract : await loadContract(flags.contract);
  const tokens = await resolveTokens(session.config, process.env);
  const reference = await startReference({
    contract,
    principals: session.config.principals.map((principal) => ({
      ...principal,
      token: tokens.get(principal.name) ?? '',
    })),
    clock: machineClock,
    randomBytes: (length) => randomBytes(length),
    port: flags.port,
  }).catch((error: NodeJS.ErrnoException) => {
    throw new InputError({
      file: '--port',
      position: undefined,
      problem: `port ${flags.port} cannot be used (${error.code ?? error.message})`,
      remedy: 'choose another, or 0 for any that is free',
    });
  });
  output.out(`Reference service: ${reference.url}\n`);
  output.out(
    `${contract.operations.length} ${contract.operations.length === 1 ? 'operation' : 'operations'} of ${contract.title} ${contract.version}\n`,
  );
  // These tokens stand in the configuration file already and open nothing but this service.
  output.out('Test tokens:\n');
  for (const principal of session.config.principals)
    output.out(
      `  ${principal.name.padEnd(16)} ${(tokens.get(principal.name) ?? '').padEnd(44)} ${principal.permissions.join(', ') || '(no permission)'}${principal.state === 'valid' ? '' : `, ${principal.state}`}\n`,
    );
  output.out('Press Ctrl-C to stop.\n');
  await new Promise<void>((resolve) => {
    if (signal.aborted) resolve();
    else signal.addEventListener('abort', () => resolve());
  });
  await reference.close();
  return 0;
}
