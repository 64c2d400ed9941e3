import { clauses } from '../clauses/catalogue.ts';
import { writtenPath } from '../model/path.ts';
import { openPoints } from '../oracle/open-points/register.ts';
import { openSession } from '../run/session.ts';
import type { Output } from './terminal/output.ts';

export async function list(
  what: 'clauses' | 'suites' | 'operations' | 'principals' | 'open-points',
  /** Asked only where what is listed depends on a configuration. */
  file: () => string,
  output: Output,
): Promise<number> {
  const { dim, bold } = output.colours;
  if (what === 'clauses') {
    for (const clause of clauses)
      output.out(`${bold(clause.code.padEnd(7))} ${clause.level.padEnd(9)} ${clause.text}\n`);
    return 0;
  }
  if (what === 'open-points') {
    for (const { point, title, readings, byDefault } of openPoints)
      output.out(
        `${bold(point.padEnd(4))} ${title}\n     readings  ${readings.join('; ')}\n     default   ${byDefault}\n`,
      );
    return 0;
  }
  const { contract, suites, config } = await openSession(file(), {});
  if (what === 'suites')
    for (const suite of await suites()) output.out(`${bold(suite.name.padEnd(24))} ${suite.title}\n`);
  else if (what === 'operations')
    for (const operation of contract.operations)
      output.out(
        `${bold(operation.id.padEnd(20))} ${`${operation.method} ${writtenPath(operation)}`.padEnd(36)} ${(operation.permissions ?? ['(public)']).join(', ').padEnd(18)} ${dim(features(operation))}\n`,
      );
  else
    for (const principal of config.principals)
      output.out(
        `${bold(principal.name.padEnd(20))} ${(principal.permissions.join(', ') || '(no permission)').padEnd(36)} ${principal.scope ?? '(no scope)'}${principal.state === 'valid' ? '' : `, ${principal.state}`}${principal.use === 'any' ? '' : `, for ${principal.use}`}\n`,
      );
  return 0;
}

function features(
  operation: Awaited<ReturnType<typeof openSession>>['contract']['operations'][number],
): string {
  return [
    operation.kind,
    operation.version === undefined ? undefined : 'needs the current version',
    operation.verification === undefined ? undefined : 'needs stronger verification',
    operation.conflict === undefined ? undefined : 'may conflict with the state',
    operation.pagination === undefined ? undefined : `pages by ${operation.pagination.style}`,
  ]
    .filter((feature) => feature !== undefined)
    .join(', ');
}
