import type { ComponentChildren, VNode } from 'preact';

type Children = { readonly children?: ComponentChildren };

export function Section({
  id,
  title,
  lead,
  children,
}: Children & { readonly id: string; readonly title: string; readonly lead?: ComponentChildren }): VNode {
  return (
    <section id={id} aria-labelledby={`${id}-title`}>
      <h2 id={`${id}-title`}>{title}</h2>
      {lead === undefined ? undefined : <p class="lead">{lead}</p>}
      {children}
    </section>
  );
}

/** What may be wider than the page: it scrolls on its own, by keyboard too, and is whole in print. */
export function Wide({
  label,
  tall = false,
  children,
}: Children & { readonly label: string; readonly tall?: boolean }): VNode {
  return (
    <section class={tall ? 'wide tall' : 'wide'} aria-label={label} tabindex={0}>
      {children}
    </section>
  );
}

/** A column by its heading; `n` holds numbers, `row` names the rows. */
type Column = string | { readonly text: string; readonly as: 'n' | 'row' };

export function Table({
  label,
  tall = false,
  caption,
  columns,
  note,
  children,
}: Children & {
  readonly label: string;
  readonly tall?: boolean;
  readonly caption?: ComponentChildren;
  readonly columns: readonly Column[];
  readonly note?: ComponentChildren;
}): VNode {
  return (
    <Wide label={label} tall={tall}>
      <table>
        {caption === undefined ? undefined : <caption>{caption}</caption>}
        <thead>
          <tr>
            {columns.map((column) =>
              typeof column === 'string' ? (
                <th scope="col">{column}</th>
              ) : (
                <th scope="col" class={column.as}>
                  {column.text}
                </th>
              ),
            )}
          </tr>
        </thead>
        <tbody>{children}</tbody>
      </table>
      {note}
    </Wide>
  );
}

export function Facts({ children }: Children): VNode {
  return <dl class="facts">{children}</dl>;
}

export function Fact({ name, children }: Children & { readonly name: string }): VNode {
  return (
    <div>
      <dt>{name}</dt>
      <dd>{children}</dd>
    </div>
  );
}

export function Digest({ value }: { readonly value: string }): VNode {
  return <code class="digest">{value}</code>;
}

/** Items in a row, the first few in sight and the others behind one step. */
export function Listed({
  items,
  shown = 6,
  noun = 'more',
}: {
  readonly items: readonly ComponentChildren[];
  readonly shown?: number;
  readonly noun?: string;
}): VNode {
  const row = (some: readonly ComponentChildren[]): VNode => (
    <ul class="inline">
      {some.map((item) => (
        <li>{item}</li>
      ))}
    </ul>
  );
  if (items.length <= shown + 1) return row(items);
  return (
    <>
      {row(items.slice(0, shown))}
      <details class="rest">
        <summary>{`${items.length - shown} ${noun}`}</summary>
        {row(items.slice(shown))}
      </details>
    </>
  );
}

export function Commands({
  lines,
  label,
}: {
  readonly lines: readonly string[];
  readonly label: string;
}): VNode {
  return (
    <pre class="commands" data-label={label}>
      <code>{lines.join('\n')}</code>
    </pre>
  );
}

/** Words of ours or of the contract, in which what stands between backticks is code. */
export function Prose({ text }: { readonly text: string }): VNode {
  return <>{text.split('`').map((part, index) => (index % 2 === 1 ? <code>{part}</code> : part))}</>;
}

/** What the colours of a plot stand for, and then what else is drawn in it. */
export function PlotKey({
  label,
  entries,
  children,
}: Children & {
  readonly label: string;
  readonly entries: readonly { readonly label: string; readonly tone: string }[];
}): VNode {
  return (
    <ul class="key-list" aria-label={label}>
      {entries.map((entry) => (
        <li>
          <svg viewBox="0 0 14 14" aria-hidden="true">
            <rect class={`mark ${entry.tone}`} width="14" height="14" rx="3" />
          </svg>
          {entry.label}
        </li>
      ))}
      {children}
    </ul>
  );
}
