import { group } from 'd3-array';
import type { VNode } from 'preact';
import { changeKinds } from '../compare.ts';
import type { CellChange, Comparison } from '../report.ts';
import { Listed, Section, Table } from './layout.tsx';
import { Badge, Icon, lookOfChange, lookOfOutcome } from './verdicts.tsx';
import { anchor, moment, number, plural } from './words.ts';

export function Changes({ comparison }: { readonly comparison: Comparison | undefined }): VNode {
  if (comparison === undefined)
    return (
      <Section id="changes" title="Change since an earlier run">
        <p class="muted">
          No earlier run was given. <code>assay report RUN --against EARLIER</code> shows what changed.
        </p>
      </Section>
    );
  const { before, obstacles, changes, unchanged } = comparison;
  const byKind = group(changes, ({ kind }) => kind);
  return (
    <Section
      id="changes"
      title="Change since an earlier run"
      lead={
        <>
          Since <code>{before.id}</code> of {moment(before.startedAt)}, which ended with “
          {lookOfOutcome(before.outcome).label.toLowerCase()}”. {plural(changes.length, 'cell')} of{' '}
          {number(changes.length + unchanged)} changed.
        </>
      }
    >
      {obstacles.length === 0 ? undefined : (
        <div class="alert warn">
          <Icon name="dash" />
          <div>
            <p>The runs cannot be compared as a whole:</p>
            <ul>
              {obstacles.map((obstacle) => (
                <li>{obstacle}</li>
              ))}
            </ul>
          </div>
        </div>
      )}
      {changes.length === 0 ? undefined : (
        <Table label="Changed cells" columns={['Kind', { text: 'Cells', as: 'n' }, 'Which']}>
          {changeKinds.map((kind) => {
            const some = byKind.get(kind);
            return some === undefined ? undefined : <Row kind={kind} changes={some} />;
          })}
        </Table>
      )}
    </Section>
  );
}

function Row({
  kind,
  changes,
}: {
  readonly kind: CellChange['kind'];
  readonly changes: readonly CellChange[];
}): VNode {
  return (
    <tr>
      <th scope="row">
        <Badge look={lookOfChange(kind)} />
      </th>
      <td class="n">{number(changes.length)}</td>
      <td>
        <Listed
          shown={8}
          items={changes.map(({ cell, clause, before, after, level }) => (
            <span>
              {after === 'fail' || after === 'unstable' ? (
                <a href={`#${anchor('v', cell)}`}>{cell}</a>
              ) : (
                <a href={`#${anchor('m', clause)}`}>{cell}</a>
              )}{' '}
              <span class="muted">
                {`${before ?? 'absent'} → ${after ?? 'absent'}${level === 'advisory' ? ', advisory' : ''}`}
              </span>
            </span>
          ))}
        />
      </td>
    </tr>
  );
}
