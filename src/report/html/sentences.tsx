import type { VNode } from 'preact';
import type { Report } from '../report.ts';
import { Listed, Prose, Section, Table } from './layout.tsx';
import { VerdictBadge } from './verdicts.tsx';
import { anchor } from './words.ts';

/** Every sentence of the specification, with the worst verdict of the clauses that test it. */
export function Sentences({ sentences }: { readonly sentences: Report['specification'] }): VNode | undefined {
  if (sentences === undefined) return undefined;
  return (
    <Section
      id="specification"
      title="The specification, sentence by sentence"
      lead="A sentence has the worst verdict of the clauses that test it, over all operations of this run."
    >
      <Table
        label="Sentences of the specification"
        tall
        columns={['Where', 'Sentence', 'Verdict', 'Clauses']}
      >
        {sentences.map(({ because, clauses, quote, verdict, where }) => (
          <tr>
            <th scope="row" class="narrow">
              {where}
            </th>
            <td class="clip">
              <Prose text={quote} />
            </td>
            <td>{verdict === undefined ? 'no test' : <VerdictBadge verdict={verdict} />}</td>
            <td class="narrow">
              {clauses.length === 0 ? (
                (because ?? '')
              ) : (
                <Listed
                  items={clauses.map((code) => <a href={`#${anchor('m', code)}`}>{code}</a>)}
                  shown={6}
                />
              )}
            </td>
          </tr>
        ))}
      </Table>
    </Section>
  );
}
