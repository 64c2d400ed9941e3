import { Buffer } from 'node:buffer';
import { validateHeaderValue } from 'node:http';
import type { Clock } from '../model/clock.ts';
import type { HeaderList, NoResponse } from '../model/exchange.ts';
import type { WireOutcome, WireRequest } from '../model/wire.ts';
import type { Received, ServiceResponse } from '../reference/message.ts';
import type { Reference } from '../reference/server.ts';
import { answerOf } from '../wire/body.ts';
import { asBytes, needsRaw } from '../wire/request.ts';
import { noAnswer } from '../wire/trouble.ts';
import type { OpenWire, WireTarget } from '../wire/wire.ts';
import { type Means, usualMeans } from './means.ts';
import { type VirtualTime, virtualTime } from './virtual-time.ts';

/** Longer heads are for the parser of Node to judge. */
const longestHead = 8000;

/**
 * Runs against the embedded reference service without a socket, and in virtual time. What only the bytes on a connection
 * show goes by HTTP all the same: a request that is not HTTP, or frames itself.
 * @param wayMs milliseconds from the harness to the service, and again back
 */
export function inProcess(wayMs = 1): Means {
  const time = virtualTime(Date.now());
  return {
    ...usualMeans,
    clock: time.clock,
    clauses: () => time.during(usualMeans.clauses()),
    reading: (work) => time.during(work),
    turn: () => time.during(usualMeans.turn()),
    openWire: (target, clock, reference) => {
      const real = usualMeans.openWire(target, clock, reference);
      return reference === undefined ? real : directWire(target, clock, { real, reference, time, wayMs });
    },
    openLog: async (file, earlier) => {
      const log = await usualMeans.openLog(file, earlier);
      return {
        append: (line) => {
          const writing = log.append(line);
          return writing && time.during(writing);
        },
        flush: () => time.during(log.flush()),
        close: (footer) => time.during(log.close(footer)),
      };
    },
  };
}

type Way = {
  readonly real: OpenWire;
  readonly reference: Reference;
  readonly time: VirtualTime;
  readonly wayMs: number;
};

function directWire(target: WireTarget, clock: Clock, { real, reference, time, wayMs }: Way): OpenWire {
  const { host } = new URL(target.origin);
  const idle: number[] = [];
  let opened = 0;
  const connect = ({ transport }: WireRequest): number => {
    const kept = transport === 'pooled' ? idle.pop() : undefined;
    if (kept === undefined) opened += 1;
    return kept ?? opened - 1;
  };
  /** By its bytes, since the parser of Node or the frames decide. The clock of its responses is the machine's. */
  const byHttp = async (request: WireRequest, signal: AbortSignal | undefined): Promise<WireOutcome> => {
    const outcome = await time.outside(real.send(request, signal));
    await clock.sleep(wayMs, signal);
    const { answer } = outcome;
    const date = new Date(clock.wall()).toUTCString();
    const headers = answer?.headers.map(([name, value]) => [name, name === 'Date' ? date : value] as const);
    return {
      ...outcome,
      answer: answer === undefined || headers === undefined ? undefined : { ...answer, headers },
      endedAt: clock.monotonic(),
    };
  };
  const direct = async (request: WireRequest, signal: AbortSignal | undefined): Promise<WireOutcome> => {
    const startedAt = clock.monotonic();
    const connection = connect(request);
    const outcome = (given: Partial<Pick<WireOutcome, 'answer' | 'noAnswer' | 'sentAt'>>): WireOutcome => ({
      answer: undefined,
      noAnswer: undefined,
      sentAt: startedAt,
      ...given,
      connection,
      startedAt,
      endedAt: clock.monotonic(),
    });
    await clock.sleep(wayMs, signal);
    if (request.transport === 'cut-mid-body')
      return outcome({ sentAt: undefined, noAnswer: cutReason('in the middle of the request') });
    const gone: (() => void)[] = [];
    let served: { readonly response: ServiceResponse | undefined } | undefined;
    const serving = reference
      .serve(receivedOf(request, { host, connection, limit: reference.bodyBytes }), (listener) =>
        gone.push(listener),
      )
      .then((response) => (response === undefined ? undefined : headed(response, request, clock)))
      .catch(() => undefined)
      .then((response) => {
        served = { response };
      });
    if (request.transport === 'cut-after-send') await clock.sleep(request.leaves ?? 0, signal);
    else await time.within(serving, target.timeoutMs, signal);
    if (served === undefined) for (const listener of gone) listener();
    if (request.transport === 'cut-after-send')
      return outcome({ noAnswer: cutReason('after the whole request was sent') });
    if (served === undefined)
      return outcome({
        noAnswer:
          signal?.aborted === true
            ? noAnswer('interrupted', 'the run was interrupted')
            : noAnswer('timeout', `no response within ${target.timeoutMs} ms`),
      });
    const { response } = served;
    await clock.sleep(wayMs, signal);
    if (response === undefined)
      return outcome({ noAnswer: noAnswer('reset', 'the connection was reset before the response') });
    const { status, headers } = response;
    if (request.transport === 'cut-on-answer')
      return outcome({ noAnswer: cutReason('when the response began', { status, headers }) });
    if (isKept(request)) idle.push(connection);
    const chunks = response.body === undefined ? [] : [Buffer.from(response.body)];
    const bytes = chunks[0]?.length ?? 0;
    const answer = await answerOf({ status, headers }, { chunks, bytes }, target.maxBodyBytes, false);
    return outcome({ answer });
  };
  const send = (request: WireRequest, signal?: AbortSignal): Promise<WireOutcome> => {
    time.begin();
    return isPlain(request) ? direct(request, signal) : byHttp(request, signal);
  };
  return {
    send,
    sendTogether: (requests, signal) =>
      Promise.all(requests.map((request) => send({ ...request, transport: own(request.transport) }, signal))),
    close: real.close,
  };
}

/** undici keeps no connection after HEAD. */
const isKept = ({ method, transport }: WireRequest): boolean => transport === 'pooled' && method !== 'HEAD';

/** In a wave each request has a connection of its own. */
const own = (transport: WireRequest['transport']): WireRequest['transport'] =>
  transport === 'pooled' ? 'fresh' : transport;

function isPlain(request: WireRequest): boolean {
  const { headers, path, transport } = request;
  const length = headers.reduce((sum, [name, value]) => sum + name.length + value.length, path.length);
  return transport !== 'raw' && length < longestHead && !needsRaw(request);
}

function cutReason(when: string, partial?: NoResponse['partial']): NoResponse {
  return noAnswer('cut', `the connection was cut by the harness ${when}`, partial);
}

/** The request as the HTTP parser of the service gives it. */
function receivedOf(
  request: WireRequest,
  { host, connection, limit }: { readonly host: string; readonly connection: number; readonly limit: number },
): Received {
  const path = asBytes(request.path);
  const mark = path.indexOf('?');
  const body = request.body ?? new Uint8Array();
  const expectsBody = ['POST', 'PUT', 'PATCH'].includes(request.method);
  return {
    method: request.method,
    path: mark < 0 ? path : path.slice(0, mark),
    query: new URLSearchParams(mark < 0 ? '' : path.slice(mark + 1)),
    headers: [
      ['host', host],
      ['connection', isKept(request) ? 'keep-alive' : 'close'],
      ...request.headers.map(([name, value]) => [name, withoutBlanks(asBytes(value))] as const),
      ...(body.length > 0 || expectsBody ? [['content-length', `${body.length}`] as const] : []),
    ],
    body: body.length > limit ? body.subarray(0, limit) : body,
    tooLarge: body.length > limit,
    connection: connection + 1,
    remote: '127.0.0.1',
  };
}

const keptOpen: HeaderList = [
  ['Connection', 'keep-alive'],
  ['Keep-Alive', 'timeout=60'],
];
const closed: HeaderList = [['Connection', 'close']];

/** The response with what Node's server adds. @throws TypeError where it would not send it */
function headed(response: ServiceResponse, request: WireRequest, clock: Clock): ServiceResponse {
  const { status, headers, chunked } = response;
  const bytes = response.body === undefined ? undefined : Buffer.from(response.body);
  for (const [name, value] of headers) validateHeaderValue(name, value);
  const length: HeaderList[number] =
    chunked === true ? ['Transfer-Encoding', 'chunked'] : ['Content-Length', `${bytes?.length ?? 0}`];
  const usual: HeaderList = [
    ...(status === 204 ? [] : [length]),
    ['Date', new Date(clock.wall()).toUTCString()],
    ...(isKept(request) ? keptOpen : closed),
  ];
  const given = new Set(headers.map(([name]) => name.toLowerCase()));
  const added = usual.filter(([name]) => !given.has(name.toLowerCase()));
  const empty = request.method === 'HEAD' || status === 204 || status === 304;
  return {
    ...response,
    headers: [...headers.map(([name, value]) => [name, withoutBlanks(value)] as const), ...added],
    body: empty ? undefined : bytes,
  };
}

/** Blanks around a value are not part of it (RFC 9110, 5.5). */
function withoutBlanks(value: string): string {
  return value.replace(/^[\t ]+|[\t ]+$/g, '');
}
