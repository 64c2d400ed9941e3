import type { VNode } from 'preact';
import type { HeaderList } from '../../model/exchange.ts';
import type { Excerpt } from '../report.ts';
import { duration, plural, roleWord } from './words.ts';

export function Exchange({
  exchange,
  number,
  note,
}: {
  readonly exchange: Excerpt;
  readonly number: number | undefined;
  readonly note?: string;
}): VNode {
  const { status, noAnswer, requestIds } = exchange;
  return (
    <details class="exchange">
      <summary>
        <strong>
          {number === undefined ? '' : `${number}: `}
          {exchange.request}
        </strong>
        <span>{status === undefined ? 'no response' : String(status)}</span>
        <span class="muted">
          {roleWord(exchange.role)}, as {exchange.principal},{' '}
          {duration(exchange.endedAt - exchange.startedAt)}
          {exchange.earlierTries === 0 ? '' : `, after ${plural(exchange.earlierTries, 'earlier request')}`}
          {note === undefined ? '' : `, ${note}`}
        </span>
        <code>{requestIds.length === 0 ? 'no request ID' : requestIds.join(', ')}</code>
      </summary>
      <div class="sides">
        <div>
          <h5>
            Request {exchange.id}, {exchange.time}
          </h5>
          <Message first={exchange.request} headers={exchange.requestHeaders} body={exchange.requestBody} />
        </div>
        <div>
          <h5>Response</h5>
          {status === undefined ? (
            <p>No response: {noAnswer}</p>
          ) : (
            <Message first={String(status)} headers={exchange.responseHeaders} body={exchange.responseBody} />
          )}
        </div>
      </div>
    </details>
  );
}

function Message({
  first,
  headers,
  body,
}: {
  readonly first: string;
  readonly headers: HeaderList;
  readonly body: string | undefined;
}): VNode {
  const lines = [first, ...headers.map(([name, value]) => `${name}: ${value}`)];
  return (
    <pre>
      <code>{`${lines.join('\n')}${body === undefined || body === '' ? '' : `\n\n${body}`}`}</code>
    </pre>
  );
}
