import type { VNode } from 'preact';
import type { Excerpt } from '../report.ts';
import { Wide } from './layout.tsx';
import {
  broad,
  type Drawing,
  keyLetters,
  keyOf,
  type Layout,
  layOut,
  type Message,
  slim,
} from './sequence-layout.ts';
import { cut, duration, plural, roleWord } from './words.ts';

/** The history of a finding, drawn: callers on the left, the service on the right, time from the top down. */
export function Sequence({
  id,
  of,
  exchanges,
  control,
}: {
  readonly id: string;
  readonly of: string;
  readonly exchanges: readonly Excerpt[];
  readonly control: Excerpt | undefined;
}): VNode | undefined {
  if (exchanges.length === 0) return undefined;
  const keys = keyLetters(exchanges);
  const waited = layOut(exchanges).pauses.length === 0 ? '' : ' Waits are not to scale.';
  return (
    <figure>
      <Wide label={`Sequence diagram of ${of}`}>
        <Drawn id={id} of={of} exchanges={exchanges} control={control} drawing={broad} />
        <Drawn id={`${id}-slim`} of={of} exchanges={exchanges} control={control} drawing={slim} />
      </Wide>
      <figcaption>
        Times count from the first request, on a monotonic clock.{waited}
        {keys.size === 0
          ? ''
          : ` ${[...keys].map(([key, letter]) => `Key ${letter} is ${cut(key === '' ? '(empty)' : key, 60)}`).join('; ')}.`}
      </figcaption>
    </figure>
  );
}

function Drawn({
  id,
  of,
  exchanges,
  control,
  drawing,
}: Parameters<typeof Sequence>[0] & { readonly drawing: Drawing }): VNode {
  const layout = layOut(exchanges, drawing);
  const keys = keyLetters(exchanges);
  const { width, service, top } = drawing;
  return (
    <svg
      class={drawing.slim ? 'sequence slim' : 'sequence'}
      viewBox={`0 0 ${width} ${layout.height}`}
      role="img"
      aria-labelledby={`${id} ${id}-text`}
    >
      <title id={id}>{`Requests and responses of ${of}`}</title>
      <desc id={`${id}-text`}>{inWords(exchanges, control)}</desc>
      {layout.callers.map(({ name, x }) => (
        <g>
          <line class="lane" x1={x} y1={top} x2={x} y2={layout.height - 6} />
          <text class="who" x={x} y={top - 14} text-anchor="middle">
            {cut(name, drawing.slim ? 8 : 18)}
          </text>
        </g>
      ))}
      <line class="lane" x1={service} y1={top} x2={service} y2={layout.height - 6} />
      <text class="who" x={service} y={top - 14} text-anchor="middle">
        service
      </text>
      {layout.pauses.map(({ y, text }) => (
        <g>
          <line class="pause" x1={drawing.slim ? 0 : 70} y1={y} x2={service + 20} y2={y} />
          <text x={(drawing.left + service) / 2} y={y + 4} text-anchor="middle" class="says">
            {text}
          </text>
        </g>
      ))}
      {layout.busy.map(({ x, from, to }) => (
        <rect class="busy" x={x - 3.5} y={from} width="7" height={Math.max(3, to - from)} rx="1.5" />
      ))}
      {layout.messages.map((message) => (
        <Arrow
          message={message}
          layout={layout}
          exchange={exchanges[message.index]}
          control={control}
          keys={keys}
          drawing={drawing}
        />
      ))}
    </svg>
  );
}

function Arrow({
  message,
  layout,
  exchange,
  control,
  keys,
  drawing,
}: {
  readonly drawing: Drawing;
  readonly message: Message;
  readonly layout: Layout;
  readonly exchange: Excerpt | undefined;
  readonly control: Excerpt | undefined;
  readonly keys: ReadonlyMap<string, string>;
}): VNode | undefined {
  if (exchange === undefined) return undefined;
  const { index, kind, x, y, at } = message;
  const tone =
    exchange.id === control?.id || exchange.role === 'control'
      ? 'control'
      : exchange.role === 'test'
        ? 'faulty'
        : '';
  const end = drawing.service - 5;
  const time = at < 100 ? `${Number(at.toFixed(1))} ms` : duration(at);
  const said = (text: string): string => (drawing.slim ? `${text}, ${time}` : text);
  const lost = (x + end) / 2;
  const last = layout.callers[layout.callers.length - 1]?.x ?? x;
  return (
    <g class={tone}>
      {drawing.slim ? undefined : (
        <text x={56} y={y + 4} text-anchor="end">
          {time}
        </text>
      )}
      {kind === 'request' ? (
        <>
          <line class="arrow" x1={x} y1={y} x2={end - 6} y2={y} />
          <path class="tip" d={`M${end - 8} ${y - 4}L${end} ${y}L${end - 8} ${y + 4}Z`} />
          <text class="says" x={Math.max(x, last) + (drawing.slim ? 6 : 14)} y={y - 6}>
            {said(requestLabel(exchange, index, keys, drawing))}
          </text>
        </>
      ) : kind === 'answer' ? (
        <>
          <line class="arrow answer" x1={end} y1={y} x2={x + 6} y2={y} />
          <path class="tip" d={`M${x + 8} ${y - 4}L${x} ${y}L${x + 8} ${y + 4}Z`} />
          <text class="says" x={end - 10} y={y - 6} text-anchor="end">
            {said(answerLabel(exchange, index, drawing))}
          </text>
        </>
      ) : (
        <>
          <line class="arrow answer" x1={end} y1={y} x2={lost} y2={y} />
          <path
            class="arrow"
            d={`M${lost - 5} ${y - 5}L${lost + 5} ${y + 5}M${lost + 5} ${y - 5}L${lost - 5} ${y + 5}`}
          />
          <text class="says" x={end - 10} y={y - 6} text-anchor="end">
            {said(
              drawing.slim
                ? `${index + 1}: no response`
                : `${index + 1}: no response, ${cut(exchange.noAnswer ?? '', 60)}`,
            )}
          </text>
        </>
      )}
    </g>
  );
}

function requestLabel(
  exchange: Excerpt,
  index: number,
  keys: ReadonlyMap<string, string>,
  { said, slim: narrow }: Drawing,
): string {
  const key = keyOf(exchange);
  const with_ = key === undefined ? 'no key' : `key ${keys.get(key) ?? ''}`;
  const sent = `${index + 1}: ${cut(exchange.request, said)}, ${with_}`;
  return narrow ? sent : `${sent} (${roleWord(exchange.role)})`;
}

function answerLabel(exchange: Excerpt, index: number, { said }: Drawing): string {
  const ids =
    exchange.requestIds.length === 0
      ? 'no request ID'
      : cut(exchange.requestIds.join(', '), Math.min(40, said));
  return `${index + 1}: ${exchange.status ?? ''}, ${ids}`;
}

/** The same, for those who listen. */
function inWords(exchanges: readonly Excerpt[], control: Excerpt | undefined): string {
  const zero = exchanges[0]?.startedAt ?? 0;
  const sentences = exchanges.map(
    (exchange, index) =>
      `${index + 1}: after ${duration(exchange.startedAt - zero)} ${exchange.principal} sends ${exchange.request}${exchange.id === control?.id ? ' (the control)' : ''}; ${exchange.status === undefined ? `no response (${exchange.noAnswer ?? ''})` : `the service returns ${exchange.status}`} after ${duration(exchange.endedAt - exchange.startedAt)}.`,
  );
  return `${plural(exchanges.length, 'exchange')}. ${sentences.join(' ')}`;
}
