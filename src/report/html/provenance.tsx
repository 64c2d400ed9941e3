import type { VNode } from 'preact';
import type { Report } from '../report.ts';
import { Digest, Fact, Facts, Listed, Section, Table } from './layout.tsx';
import { duration, moment, number } from './words.ts';

const unsaid = <span class="muted">not stated</span>;

export function SubjectSection({ report }: { readonly report: Report }): VNode {
  const { asserted, certificate, clockSkewSeconds, observed } = report.subject;
  const { run } = report;
  return (
    <Section id="subject" title="Target" lead="Asserted by the configuration, and observed in the responses.">
      <div class="card">
        <Facts>
          <Fact name="Vendor (asserted)">{asserted.vendor ?? unsaid}</Fact>
          <Fact name="Product (asserted)">{asserted.product ?? unsaid}</Fact>
          <Fact name="Version (asserted)">{asserted.version ?? unsaid}</Fact>
          <Fact name="Approved scope (asserted)">{asserted.approvedScope ?? unsaid}</Fact>
          <Fact name="Base URL">
            <code>{asserted.baseUrl}</code>
            {asserted.baseUrl === 'reference' ? ' (the built-in reference service)' : ''}
          </Fact>
          <Fact name="Environment">{asserted.environment}</Fact>
          <Fact name="Observed in responses">
            {observed.length === 0 ? (
              <span class="muted">No header names a product or a version.</span>
            ) : (
              <ul class="plain">
                {observed.map(({ header, value, count }) => (
                  <li>
                    <code>{`${header}: ${value}`}</code>{' '}
                    <span class="muted">in {number(count)} responses</span>
                  </li>
                ))}
              </ul>
            )}
          </Fact>
          <Fact name="Clock">
            {clockSkewSeconds === undefined ? (
              <span class="muted">Its responses have no Date.</span>
            ) : clockSkewSeconds === 0 ? (
              'the same as the clock of the harness'
            ) : (
              `${number(Math.abs(clockSkewSeconds))} s ${clockSkewSeconds > 0 ? 'ahead of' : 'behind'} that of the harness`
            )}
          </Fact>
          {certificate === undefined ? undefined : (
            <Fact name="TLS certificate (SHA-256)">
              <Digest value={certificate} />
            </Fact>
          )}
          <Fact name="Run by (asserted)">{run.ranBy ?? unsaid}</Fact>
          <Fact name="Time window">
            {moment(run.startedAt)} to{' '}
            {run.endedAt === undefined ? 'unknown (no footer)' : moment(run.endedAt)},{' '}
            {duration(run.elapsedMs)}
          </Fact>
        </Facts>
      </div>
    </Section>
  );
}

export function BaselineSection({ report }: { readonly report: Report }): VNode {
  const { baseline, run } = report;
  const { harness, judgedBy, contract, configuration, suites, environment } = baseline;
  const again =
    harness.version === judgedBy.version ? '' : `; judged by ${judgedBy.name} ${judgedBy.version}`;
  return (
    <Section id="baseline" title="Baseline" lead="Runs with the same values here can be compared.">
      <div class="card">
        <Facts>
          <Fact name="Harness">{`${harness.name} ${harness.version}${again}`}</Fact>
          {baseline.challenge === undefined ? undefined : (
            <Fact name="Challenge">
              <code>{baseline.challenge}</code>, given before the run; every key derives from it
            </Fact>
          )}
          <Fact name="Self-test of the harness">
            {baseline.selfTest === undefined ? (
              <span class="muted">
                No self-test came with this build: <code>assay selftest</code> makes one.
              </span>
            ) : (
              <>
                Passed: every seeded fault caught, no variant accused (docs/accuracy.json)
                <br />
                <Digest value={baseline.selfTest} />
              </>
            )}
          </Fact>
          <Fact name="Contract">
            {contract.title} {contract.version} <span class="muted">({contract.file})</span>
            <br />
            <Digest value={contract.digest} />
          </Fact>
          <Fact name="Configuration">
            {configuration.file}
            <br />
            <Digest value={configuration.digest} />
          </Fact>
          <Fact name="Suites">
            <Listed items={suites.names} shown={24} />
            <br />
            <Digest value={suites.digest} />
          </Fact>
          <Fact name="Seed and budget">{`${baseline.seed}, ${baseline.budget}`}</Fact>
          <Fact name="Environment of the harness">{`Node ${environment.node} on ${environment.platform}`}</Fact>
          <Fact name="Run">
            <code>{run.id}</code>, {number(run.exchanges)} exchanges in {number(run.traces)} traces
          </Fact>
        </Facts>
      </div>
    </Section>
  );
}

export function RedactionSection({ report }: { readonly report: Report }): VNode {
  const { removals, digests } = report.redaction;
  return (
    <Section
      id="redaction"
      title="Redaction"
      lead="Tokens were removed as the evidence was written, in every form in which they were sent or came back. Equal digests mean equal tokens; every run has a new salt."
    >
      {removals.length === 0 ? (
        <p>Nothing was removed.</p>
      ) : (
        <Table
          label="What was removed"
          tall={removals.length > 20}
          columns={['Secret', 'Form', { text: 'Removed', as: 'n' }]}
        >
          {removals.map(({ secret, form, count }) => (
            <tr>
              <th scope="row">
                <code>{secret}</code>
              </th>
              <td>{form}</td>
              <td class="n">{number(count)}</td>
            </tr>
          ))}
        </Table>
      )}
      {digests.length === 0 ? undefined : (
        <details>
          <summary>Salted digests of the tokens</summary>
          <ul class="inline">
            {digests.map(({ principal, digest }) => (
              <li>
                {principal} <code>{digest}</code>
              </li>
            ))}
          </ul>
        </details>
      )}
    </Section>
  );
}
