import type { VNode } from 'preact';
import { canonicalJson } from '../../model/json.ts';
import type { OpenPoint } from '../../model/open-point.ts';
import type { Report } from '../report.ts';
import { Prose, Section, Table } from './layout.tsx';
import { Badge, type Tone } from './verdicts.tsx';
import { number } from './words.ts';

const states: Readonly<
  Record<
    OpenPoint['state'],
    { readonly label: string; readonly tone: Tone; readonly icon: 'tick' | 'cross' | 'ring' | 'dash' }
  >
> = {
  'as declared': { label: 'as declared', tone: 'good', icon: 'tick' },
  'contradicts the declaration': { label: 'contradicts the declaration', tone: 'bad', icon: 'cross' },
  observed: { label: 'observed, not declared', tone: 'open', icon: 'ring' },
  mixed: { label: 'mixed responses', tone: 'open', icon: 'ring' },
  'not observed': { label: 'not observed', tone: 'quiet', icon: 'dash' },
};

/** Where the contract is silent: what the vendor declared and what was observed. */
export function OpenPoints({ points }: { readonly points: Report['openPoints'] }): VNode {
  return (
    <Section
      id="open-points"
      title="Open points of the contract"
      lead="Where the specification leaves a point open, the vendor can declare a reading. Declared and observed, side by side. A response that contradicts the declaration is a violation."
    >
      <Table label="Open points" columns={['Point', 'Declared', 'Observed', 'State']}>
        {points.map((point) => (
          <Row point={point} />
        ))}
      </Table>
    </Section>
  );
}

function Row({ point }: { readonly point: OpenPoint }): VNode {
  return (
    <tr>
      <th scope="row" class="narrow">
        <code>{point.point}</code> {point.title}
      </th>
      <td class="narrow">
        {point.declared === undefined ? (
          <span class="muted">nothing</span>
        ) : (
          <code>{typeof point.declared === 'string' ? point.declared : canonicalJson(point.declared)}</code>
        )}
      </td>
      <td class="broad">
        {point.observed.length === 0 ? (
          <span class="muted">nothing</span>
        ) : (
          <Observations observed={point.observed} />
        )}
        {point.notes.map((note) => (
          <p>
            <Prose text={note} />
          </p>
        ))}
        <details class="rest">
          <summary>What is open</summary>
          <p>
            <Prose text={point.quote} />
          </p>
          <p>
            Readings: <Prose text={point.readings.join('; ')} />.
          </p>
          <p>
            Under every reading: <Prose text={point.always} />
          </p>
          <p>
            Where nothing is declared: <Prose text={point.byDefault} />
          </p>
          <p>Clauses: {point.clauses.join(', ')}</p>
        </details>
      </td>
      <td>
        <Badge look={states[point.state]} />
      </td>
    </tr>
  );
}

const mostKinds = 4;

/** What was seen, the most frequent kinds first, each with one request that shows it. */
function Observations({ observed }: { readonly observed: OpenPoint['observed'] }): VNode {
  const list = (some: OpenPoint['observed']): VNode => (
    <ul class="plain">
      {some.map(({ text, count, exchanges, requestIds }) => (
        <li>
          {text} <span class="muted">×{number(count)}, as</span>{' '}
          <code class="muted">{requestIds[0] ?? exchanges[0]}</code>
        </li>
      ))}
    </ul>
  );
  if (observed.length <= mostKinds + 1) return list(observed);
  return (
    <>
      {list(observed.slice(0, mostKinds))}
      <details class="rest">
        <summary>{`${number(observed.length - mostKinds)} more kinds`}</summary>
        {list(observed.slice(mostKinds))}
      </details>
    </>
  );
}
