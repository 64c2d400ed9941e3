import type { VNode } from 'preact';
import type { Report } from '../report.ts';
import { Digest, Fact, Facts, Listed } from './layout.tsx';
import { Share } from './share.tsx';
import { Icon, lookOf, lookOfOutcome, type Tone, verdicts } from './verdicts.tsx';
import { duration, moment, number, plural } from './words.ts';

/** The response in one look: did it conform, to what, on what evidence, and who says so. */
export function Decision({
  report,
  signers,
}: {
  readonly report: Report;
  readonly signers: readonly string[];
}): VNode {
  const { verdict, baseline, evidence } = report;
  const look = lookOfOutcome(verdict.outcome);
  return (
    <section id="decision" aria-labelledby="decision-title">
      <div class="card verdict">
        <div class={`head ${look.tone}`}>
          <span class="seal">
            <Icon name={look.icon} />
          </span>
          <div>
            <h2 id="decision-title">
              {look.label}
              {verdict.partial ? <span class="partial">PARTIAL</span> : undefined}
            </h2>
            <p>{inWords(report)}</p>
          </div>
        </div>
        <div class="inside">
          <div class="grid">
            <Certifiable report={report} />
            <Validity report={report} />
            <Coverage report={report} />
          </div>
          <Tally report={report} />
          <h3 class="part sr">Digests and signers</h3>
          <Facts>
            <Fact name="Evidence (SHA-256)">
              <Digest value={evidence.sha256} />
            </Fact>
            <Fact name="Contract (SHA-256)">
              <Digest value={baseline.contract.digest} />
            </Fact>
            <Fact name="Signed with">
              {signers.length === 0 ? (
                <span class="muted">
                  No signature: digests alone show damage, not who vouches for the run.
                </span>
              ) : (
                <ul class="plain">
                  {signers.map((id) => (
                    <li>
                      key <Digest value={id} />
                    </li>
                  ))}
                  <li class="muted">
                    A page cannot check a signature: <code>assay verify --key</code> does.
                  </li>
                </ul>
              )}
            </Fact>
          </Facts>
        </div>
      </div>
    </section>
  );
}

function inWords(report: Report): string {
  const { verdict, counts, violations } = report;
  const applicable = applicableOf(report);
  const waived = violations.filter(({ waiver }) => waiver !== undefined).length;
  const only = verdict.partial
    ? ' Only part of the plan was run, and the verdict covers that part alone.'
    : '';
  if (verdict.outcome === 'conformant' && openOf(report) > 0)
    return `No violation was seen, and every stated obligation that was selected has a verdict. ${plural(openOf(report), 'cell')} of ${plural(applicable, 'applicable cell')} ${openOf(report) === 1 ? 'has' : 'have'} none.${only}`;
  if (verdict.outcome === 'conformant')
    return `Every applicable cell passes (${number(applicable)}): every obligation was tested on every operation in scope.${only}`;
  if (verdict.outcome === 'not fully verified')
    return `No violation was seen, but ${openOf(report)} of ${plural(applicable, 'applicable cell')} ${openOf(report) === 1 ? 'has' : 'have'} no verdict.${only}`;
  const clauses = new Set(violations.map(({ clause }) => clause)).size;
  const operations = new Set(violations.map(({ operation }) => operation)).size;
  const unstable =
    counts.unstable === 0 ? '' : ` ${number(counts.unstable)} of them did not recur when repeated.`;
  const without = waived === 0 ? '' : ` ${number(waived)} of them ${waived === 1 ? 'is' : 'are'} waived.`;
  return `${plural(clauses, 'clause')} of the contract ${clauses === 1 ? 'is' : 'are'} violated on ${plural(operations, 'operation')}.${unstable}${without}${only}`;
}

function applicableOf({ counts }: Report): number {
  return counts.pass + counts.fail + counts.unstable + openOf({ counts });
}

function openOf({ counts }: Pick<Report, 'counts'>): number {
  return counts.inconclusive + counts['not-tested'];
}

function Certifiable({ report }: { readonly report: Report }): VNode {
  const { certifiable, shortfalls } = report.verdict;
  return (
    <div>
      <h3>Certifiable</h3>
      <p class={`answer ${certifiable ? 'good' : 'bad'}`}>
        <Icon name={certifiable ? 'tick' : 'cross'} />
        {certifiable ? 'Yes' : 'No'}
      </p>
      {certifiable ? (
        <p>The run was unfiltered, with at least the standard budget and without waivers.</p>
      ) : shortfalls.length === 1 ? (
        <p>{shortfalls[0]}</p>
      ) : (
        <ul>
          {shortfalls.map((shortfall) => (
            <li>{shortfall}</li>
          ))}
        </ul>
      )}
    </div>
  );
}

function Validity({ report }: { readonly report: Report }): VNode {
  const { run, evidence, baseline } = report;
  const whole = evidence.problems.length === 0 && run.ended === 'complete';
  const answer: readonly [Tone, string] = whole
    ? ['good', 'Evidence is intact']
    : evidence.problems.length > 0
      ? ['bad', 'Evidence is damaged']
      : ['warn', `Run ended early: ${run.ended === 'budget' ? 'budget spent' : run.ended}`];
  return (
    <div>
      <h3>Validity</h3>
      <p class={`answer ${answer[0]}`}>
        <Icon name={whole ? 'tick' : 'cross'} />
        {answer[1]}
      </p>
      {evidence.problems.length === 0 ? (
        <p>
          {number(run.exchanges)} requests in {duration(run.elapsedMs)}, from{' '}
          <time>{moment(run.startedAt)}</time>.
        </p>
      ) : (
        <Listed shown={4} items={evidence.problems.map(({ line, problem }) => `Line ${line}: ${problem}.`)} />
      )}
      <p class="muted">
        The verdict applies to this build of the target, this configuration and contract{' '}
        {baseline.contract.version}. If any of them changes, run again.
      </p>
    </div>
  );
}

function Coverage({ report }: { readonly report: Report }): VNode {
  const { scope, baseline, limits } = report;
  const of = scope.governedOperations;
  return (
    <div>
      <h3>Scope and budget</h3>
      <p class="answer">
        {plural(scope.operations.length, 'operation')}
        {of === undefined ? '' : ` of ${number(of)}`}
      </p>
      <p>
        {baseline.contract.title} {baseline.contract.version}, budget {baseline.budget} (
        {number(limits.budget.requests)} of at most {number(limits.budget.maxRequests)} requests).
      </p>
      <p>
        <a href="#open-points">{plural(Object.keys(baseline.declaration).length, 'open point')} declared</a>,{' '}
        {plural(report.waivers.length, 'waiver')}.
      </p>
    </div>
  );
}

function Tally({ report }: { readonly report: Report }): VNode {
  const { counts } = report;
  const parts = verdicts.map((verdict) => ({ look: lookOf(verdict), count: counts[verdict] }));
  return (
    <div class="tally">
      <Share parts={parts.map(({ look, count }) => ({ tone: look.tone, count }))} />
      <ul class="key" aria-label="Cells of the matrix by verdict">
        {parts.map(({ look, count }) => (
          <li class={look.tone}>
            <Icon name={look.icon} />
            <b>{number(count)}</b> {look.label}
          </li>
        ))}
      </ul>
    </div>
  );
}
