import type { HeaderList, HttpResponse, NoResponse } from './exchange.ts';
import type { Transport } from './scenario.ts';

export type WireRequest = {
  readonly method: string;
  /** Origin form (RFC 9112, 3.2.1): path of the base URL, path and query. */
  readonly path: string;
  /**
   * Field lines as they shall be sent: order, casing, blanks and repetition are kept. Characters up to U+00FF go
   * as Latin-1 bytes; a value with any above goes as UTF-8. `Host`, `Content-Length` and `Connection` are
   * added by the wire, unless a line of that name is given: then the given lines are all that is sent.
   */
  readonly headers: HeaderList;
  readonly body: Uint8Array | undefined;
  readonly transport: Transport;
  /** Milliseconds between the last byte of the request and the cut of `cut-after-send`; at once where none are given. */
  readonly leaves?: number;
};

/** The outcome of one request: a response, or the reason why there is none. */
export type WireOutcome = {
  readonly answer: HttpResponse | undefined;
  readonly noAnswer: NoResponse | undefined;
  /** Ordinal of the connection, from 0 in the order in which connections were opened; -1 where none was. */
  readonly connection: number;
  /** Milliseconds of the clock's monotonic time: when `send` was called. */
  readonly startedAt: number;
  /** When the request's last byte was handed to the operating system; undefined where that never happened. */
  readonly sentAt: number | undefined;
  readonly endedAt: number;
  /** What was added to the request on its way, with placeholders as values. */
  readonly added?: HeaderList;
  /** Wall-clock time of `startedAt`, where it is not that of the call. */
  readonly wall?: number;
};

/** HTTP/1.1 as it is given: never pipelined, sent twice or redirected. Every failure is a no-response with its reason. */
export type Wire = {
  readonly send: (request: WireRequest, signal?: AbortSignal) => Promise<WireOutcome>;
  /** Sends all at once, each on a connection of its own: the last bytes of all leave in one go. */
  readonly sendTogether: (
    requests: readonly WireRequest[],
    signal?: AbortSignal,
  ) => Promise<readonly WireOutcome[]>;
};
