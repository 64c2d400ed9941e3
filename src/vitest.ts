import type { Server } from 'node:http';
import { beforeAll, describe, test } from 'vitest';
import { clauses } from './clauses/catalogue.ts';
import type { Report } from './report/report.ts';
import { type Assessed, type Assessment, assess } from './run/assess.ts';
import { openSession } from './run/session.ts';

/** What to test: a configuration, and either its own target or a server in this process. */
export type Conformance = Omit<Assessment, 'signal' | 'onEvent'> & {
  /** Name of the group of tests. */
  readonly name?: string;
  /** Server to test in place of the target of the configuration; it is made to listen on a free port of 127.0.0.1. */
  readonly server?: Server | (() => Server | Promise<Server>);
  /** Milliseconds that the run may take (default: 10 minutes). */
  readonly timeout?: number;
};

/**
 * Registers each clause on each operation as a test, and one for the verdict of the run; call it at the top of a test file.
 * A `fail`, `unstable` or `inconclusive` cell fails its test, and other open cells skip theirs. Advisory clauses are left out.
 */
export function describeConformance(of: Conformance): void {
  const { name = 'Governed Command API', server, timeout = 600_000, ...assessment } = of;
  describe(name, async () => {
    const { contract } = await openSession(assessment.config, assessment);
    const binding = clauses.filter(({ level }) => level !== 'advisory');
    let assessed: Assessed | undefined;
    beforeAll(async () => {
      const listening = server === undefined ? undefined : await listen(server);
      try {
        assessed = await assess(
          listening === undefined ? assessment : { ...assessment, baseUrl: listening.url },
        );
      } finally {
        await listening?.close();
      }
    }, timeout);
    const selected = contract.operations.filter(({ id }) => assessment.operations?.includes(id) ?? true);
    for (const operation of selected)
      describe(operation.id, () => {
        for (const clause of binding)
          if (clause.applies(contract, operation))
            test(`${clause.code} ${clause.text}`, ({ skip }) => {
              const { report } = resultOf(assessed);
              const cell = report.cells.find(
                (one) => one.clause === clause.code && one.operation === operation.id,
              );
              if (cell === undefined) skip('The run has no such cell.');
              else if (cell.verdict === 'not-tested' || cell.verdict === 'not-applicable') skip(cell.because);
              else if (cell.verdict !== 'pass')
                throw new Error(failureText(report, `${cell.clause}/${cell.operation}`, cell));
            });
      });
    test('the run is conformant', () => {
      const { report, folder } = resultOf(assessed);
      const { outcome } = report.verdict;
      if (outcome !== 'conformant') throw new Error(`The verdict is '${outcome}'. See ${folder}/report.html`);
    });
  });
}

function resultOf(assessed: Assessed | undefined): Assessed {
  if (assessed === undefined) throw new Error('The run did not end; see the failure of its start.');
  return assessed;
}

function failureText(
  report: Report,
  id: string,
  cell: { readonly verdict: string; readonly because: string },
): string {
  const finding = report.violations.find((one) => one.id === id);
  if (finding === undefined) return `${cell.verdict}: ${cell.because}`;
  const ids = finding.requestIds.length === 0 ? 'none was sent' : finding.requestIds.join(', ');
  return [
    `${cell.verdict}: ${finding.because}`,
    `Expected: ${finding.expected}`,
    `Actual: ${finding.actual}`,
    `Request IDs: ${ids}`,
    `Fix: ${finding.fix}`,
  ].join('\n');
}

async function listen(
  given: Server | (() => Server | Promise<Server>),
): Promise<{ readonly url: string; readonly close: () => Promise<void> }> {
  const server = typeof given === 'function' ? await given() : given;
  const begun = !server.listening;
  if (begun)
    await new Promise<void>((resolve, reject) => {
      server.once('error', reject);
      server.listen(0, '127.0.0.1', resolve);
    });
  const address = server.address();
  if (address === null || typeof address === 'string') throw new Error('The server listens on no port.');
  return {
    url: `http://127.0.0.1:${address.port}`,
    close: () =>
      new Promise((resolve) => {
        // A server that somebody else started is theirs to stop.
        if (!begun) {
          resolve();
          return;
        }
        server.close(() => resolve());
        server.closeAllConnections();
      }),
  };
}
