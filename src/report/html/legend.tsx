import type { VNode } from 'preact';
import { Fact, Facts, Section } from './layout.tsx';

/** What each term of the page means, for a reader who sees one for the first time. */
const terms: readonly (readonly [string, string])[] = [
  ['Clause', 'One obligation of the contract, with a code such as IDM-8.'],
  ['Cell', 'One clause on one operation.'],
  ['Stated', 'The specification says it explicitly.'],
  ['Derived', 'It follows from the specification.'],
  ['Advisory', 'Good practice. It never fails a run.'],
  ['Pass', 'It was tested, and it holds.'],
  ['Fail', 'It was violated, and repeats showed it again; or one complete trace proves it.'],
  ['Unstable', 'It was violated once, and no repeat showed it again.'],
  [
    'Inconclusive',
    'The network, the harness, a hook or a control failed, or the responses do not settle it.',
  ],
  ['Not tested', 'Something is missing. The page says what would test it.'],
  ['Not applicable', 'The contract has no such feature on this operation.'],
  ['By IDs only', 'No read shows effects, so they were counted by the IDs in responses.'],
  ['Certifiable', 'Everything that applies was tested and holds, in a full run without waivers.'],
  ['Control', 'A valid request that differs from the test request in one factor.'],
  ['Replay', 'A stored response, returned when the same request comes again under the same key.'],
  ['Open point', 'What the specification leaves open (G1 to G19). The vendor can declare a reading.'],
  ['Waiver', 'A violation that is accepted until a date. It does not change the verdict.'],
  ['Evidence', 'The log of the run, from which everything on this page follows.'],
];

export function Legend(): VNode {
  return (
    <Section id="legend" title="Terms" lead="What the words on this page mean.">
      <Facts>
        {terms.map(([term, meaning]) => (
          <Fact name={term}>{meaning}</Fact>
        ))}
      </Facts>
    </Section>
  );
}
