import { group, sum } from 'd3-array';
import type { VNode } from 'preact';
import type { Report } from '../report.ts';
import { Findings } from './findings.tsx';
import { Commands, Digest, Listed, Section, Table } from './layout.tsx';
import { Badge } from './verdicts.tsx';
import { anchor, number, percent, plural } from './words.ts';

/** Good practice that is not kept, and responses that were tolerated. */
export function Advisories({ report }: { readonly report: Report }): VNode {
  const tolerated = toleratedOf(report);
  const none = report.advisories.length === 0 && tolerated.length === 0;
  return (
    <Section
      id="advisories"
      title="Advisories"
      lead={none ? 'None.' : 'Good practice. An advisory never fails a run and never prevents a certificate.'}
    >
      {tolerated.length === 0 ? undefined : (
        <Table
          label="Tolerated responses"
          caption="Tolerated responses"
          columns={['What was seen', 'Clauses', { text: 'Times', as: 'n' }]}
        >
          {tolerated.map(({ text, clauses, count }) => (
            <tr>
              <th scope="row" class="clip">
                {text}
              </th>
              <td class="narrow">
                <Listed items={clauses.map((code) => <a href={`#${anchor('m', code)}`}>{code}</a>)} />
              </td>
              <td class="n">{number(count)}</td>
            </tr>
          ))}
        </Table>
      )}
      <Findings findings={report.advisories} folded={true} />
    </Section>
  );
}

const mostTolerated = 100;

function toleratedOf({ cells }: Report): readonly {
  readonly text: string;
  readonly clauses: readonly string[];
  readonly count: number;
}[] {
  const said = cells.flatMap((cell) =>
    cell.advisories.map((advisory) => ({ ...advisory, clause: cell.clause })),
  );
  return [...group(said, ({ text }) => text)]
    .map(([text, some]) => ({
      text,
      clauses: [...new Set(some.map(({ clause }) => clause))],
      count: sum(some, ({ count }) => count),
    }))
    .sort((one, other) => other.count - one.count)
    .slice(0, mostTolerated);
}

export function Waivers({ waivers }: { readonly waivers: Report['waivers'] }): VNode {
  return (
    <Section
      id="waivers"
      title="Waivers"
      lead={
        waivers.length === 0
          ? 'None. No violation is accepted in advance.'
          : 'A waiver does not change the verdict: the cell stays violated, and the run is not certifiable. After its last day it has no effect.'
      }
    >
      {waivers.length === 0 ? undefined : (
        <Table
          label="Waivers"
          columns={['Clause', 'Operation', 'Owner', 'Reason', 'Last day', 'State', 'Covers']}
        >
          {waivers.map((waiver) => (
            <tr>
              <th scope="row">{waiver.clause}</th>
              <td>{waiver.operation ?? 'every operation'}</td>
              <td>{waiver.owner}</td>
              <td class="clip">
                {waiver.reason}
                {isWebAddress(waiver.link) ? (
                  <>
                    {' '}
                    <a href={waiver.link} rel="noreferrer">
                      {waiver.link}
                    </a>
                  </>
                ) : undefined}
              </td>
              <td class="tight">{waiver.expires}</td>
              <td>
                <Badge look={waiverLooks[waiver.state]} />
              </td>
              <td class="narrow">
                <Listed items={waiver.findings.map((id) => <a href={`#${anchor('v', id)}`}>{id}</a>)} />
              </td>
            </tr>
          ))}
        </Table>
      )}
    </Section>
  );
}

/** Evidence may come from others: nothing else becomes a link. */
const isWebAddress = (link: string | undefined): link is string =>
  link !== undefined && /^https?:\/\//.test(link);

const waiverLooks = {
  'in effect': { label: 'in effect', tone: 'warn', icon: 'wave' },
  expired: { label: 'expired, without effect', tone: 'bad', icon: 'cross' },
  unused: { label: 'stale: its violation is gone', tone: 'quiet', icon: 'dash' },
  unmatched: { label: 'unmatched: the clause does not apply', tone: 'quiet', icon: 'dash' },
  'not tested': { label: 'not tested', tone: 'quiet', icon: 'dash' },
} as const;

export function Limits({ report }: { readonly report: Report }): VNode {
  const { limits, counts, scope, cells, run } = report;
  const { budget } = limits;
  const idsOnly = cells.filter(({ verdict, idsOnly: only }) => verdict === 'pass' && only).length;
  const open = sum(limits.open, ({ cells: some }) => some);
  const of = scope.governedOperations;
  const which = limits.partial ? 'selected' : 'applicable';
  const said = [
    limits.partial
      ? 'Only part of the plan was selected. The report says nothing about the rest.'
      : undefined,
    of === undefined
      ? `The contract document has ${plural(scope.operations.length, 'operation')}.`
      : `The contract document has ${number(scope.operations.length)} of the ${number(of)} operations that the full contract governs.`,
    open === 0
      ? `Every ${which} cell has a verdict.`
      : `${plural(open, `${which} cell`)} without a verdict: “Needs attention” shows what would test them.`,
    counts['not-applicable'] === 0
      ? undefined
      : `${plural(counts['not-applicable'], 'cell does', 'cells do')} not apply: the contract has no such feature on the operation.`,
    idsOnly === 0
      ? undefined
      : `On ${plural(idsOnly, 'passing cell')} effects were checked by returned IDs only: the contract in scope has no read that shows them.`,
    `${number(budget.requests)} of at most ${number(budget.maxRequests)} requests (${percent(budget.requests, budget.maxRequests)}) and ${number(budget.seconds)} of at most ${number(budget.maxSeconds)} seconds were spent, budget ${budget.name}.`,
    run.ended === 'complete' ? undefined : 'The run ended before its plan was complete.',
    'A pass means that no violation was seen in this run, on this build, with these inputs. Testing cannot show that there is none.',
  ];
  return (
    <Section id="limits" title="Limits of this run">
      <ul>{said.map((sentence) => (sentence === undefined ? undefined : <li>{sentence}</li>))}</ul>
    </Section>
  );
}

/** How to check all this without trusting this page. */
export function Verifying({
  report,
  signers,
}: {
  readonly report: Report;
  readonly signers: readonly string[];
}): VNode {
  const { evidence } = report;
  return (
    <Section
      id="verify"
      title="How to verify"
      lead="This page is derived from the evidence and proves nothing by itself. With the folder of the run, and without a network, anybody can check it."
    >
      <ol class="steps">
        <li>
          In the folder of this run, check digests, footer and signatures, and recompute every verdict:
          <Commands
            label="Command that verifies the run"
            lines={[`assay verify .${signers.map(() => ' --key SIGNER.pub.pem').join('')}`]}
          />
        </li>
        <li>
          Or compare the digest of {evidence.file} there ({number(evidence.bytes)} bytes,{' '}
          {number(evidence.lines)} lines) by hand:
          <Commands
            label="Command that checks the digest"
            lines={[`echo '${evidence.sha256}  ${evidence.file}' | sha256sum --check`]}
          />
        </li>
        <li>
          Look up any request ID of this page in the log of the service: each is in {evidence.file} with its
          whole exchange.
        </li>
      </ol>
      <p class="muted">
        {evidence.footer === undefined ? (
          'The log has no footer: it was cut off, or is still being written.'
        ) : (
          <>
            Its footer holds the SHA-256 of all bytes before it: <Digest value={evidence.footer} />
          </>
        )}
      </p>
    </Section>
  );
}
