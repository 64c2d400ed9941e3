import { mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type RunFlags, run } from '../cli/run.ts';
import type { ReferenceOptions } from '../reference/server.ts';
import { capture } from './captured.ts';
import { startFaulty } from './faulty-run.ts';

const principal = (scope: string): string =>
  `{ token: { value: Reference-Token-${scope}-0001 }, permissions: [orders.read, orders.write], scope: ${scope} }`;

/** A service for the orders of a document, of which `change` takes some decisions, and runs of a few suites against it. */
export async function ordersService(document: object, change: NonNullable<ReferenceOptions['behaviour']>) {
  const folder = await mkdtemp(join(tmpdir(), 'assay-orders-'));
  const config = join(folder, 'harness.yaml');
  await writeFile(join(folder, 'orders.json'), JSON.stringify(document));
  await writeFile(
    config,
    `target: { baseUrl: reference, environment: test }
contract: orders.json
principals: { full: ${principal('north')}, other: ${principal('south')} }
`,
  );
  const { reference } = await startFaulty(change, config);
  const sent = async (
    runName: string,
    more: Partial<RunFlags> = {},
    signal: AbortSignal = new AbortController().signal,
  ) => {
    const said = capture();
    const { report } = await run(
      config,
      {
        overrides: { baseUrl: reference.url, budget: 'quick', seed: 1, output: folder },
        suites: ['missing-keys', 'duplicate-keys', 'wrong-permissions'],
        operations: undefined,
        quiet: false,
        runName,
        ...more,
      },
      said.output,
      signal,
    );
    return { report, text: said.text(), run: join(folder, runName) };
  };
  const close = async (): Promise<void> => {
    await reference.close();
    await rm(folder, { recursive: true, force: true });
  };
  return { close, config, folder, sent };
}
