import type { HeaderList } from '../model/exchange.ts';
import type { JsonObject } from '../model/json.ts';
import type { AnswerDecisions, Call } from './behaviour.ts';
import type { Mismatch, Problem } from './message.ts';
import { randomHex } from './service.ts';

export const answerDecisions: AnswerDecisions = {
  issueRequestId: ({ service }) => `req_${randomHex(service, 16)}`,
  attachRequestId: (incoming, answer) => ({
    ...answer,
    headers: [...answer.headers, ['X-Request-Id', incoming.requestId]],
  }),
  problemMediaType: 'application/problem+json',
  problemBody: (incoming, { title, status, detail, findings, members }) => ({
    type: 'about:blank',
    title,
    status,
    detail,
    requestId: incoming.requestId,
    ...members,
    ...(findings.length === 0 ? {} : { errors: findings.map(describeFinding) }),
  }),
  renderProblem: (incoming, problem) => {
    const { problemBody, problemMediaType } = incoming.service.behaviour;
    return {
      kind: 'answer',
      status: problem.status,
      headers: [['Content-Type', problemMediaType], ...problem.headers],
      body: JSON.stringify(problemBody(incoming, problem)),
    };
  },
  successStatus: (call) => {
    const { otherSuccesses = [], success } = call.operation;
    // Where both are declared, 201 is of a record that was made.
    const created = [success, ...otherSuccesses].find(({ status }) => status === 201);
    return call.made === true && created !== undefined ? 201 : success.status;
  },
  renderSuccess: (call, result) => {
    const { value } = result;
    const status = call.service.behaviour.successStatus(call);
    const headers = [...result.headers, ...lackingOf(call, result.headers)];
    if (value === undefined) return { kind: 'answer', status, headers, body: undefined };
    const mediaType = call.operation.success.mediaType ?? 'application/json';
    return {
      kind: 'answer',
      status,
      headers: [['Content-Type', mediaType], ...headers],
      body: JSON.stringify(value),
    };
  },
  refuseCrash: () => problem(500, 'The service failed. Keep the request ID.'),
  finish: (_incoming, answer) => answer,
};

/** Headers that the contract requires and nothing here fills. */
function lackingOf({ operation }: Pick<Call, 'operation'>, headers: HeaderList): HeaderList {
  const known = new Set(headers.map(([name]) => name.toLowerCase()));
  const { requiredHeaders = [] } = operation.success;
  return requiredHeaders.filter((name) => !known.has(name.toLowerCase())).map((name) => [name, '1']);
}

/** `{ pointer: '/subject' }`, `{ parameter: 'limit' }` or `{ header: 'Idempotency-Key' }`, with keyword and message. */
function describeFinding({ at, in: place, keyword, message }: Mismatch): JsonObject {
  const locator = place === 'body' ? 'pointer' : place === 'query' ? 'parameter' : place;
  return { [locator]: at, keyword, message };
}

export type ProblemDetails = {
  readonly findings?: readonly Mismatch[];
  readonly headers?: HeaderList;
  readonly members?: JsonObject;
};

/** A problem (RFC 9457) with the usual title of its status. */
export function problem(status: number, detail: string, more: ProblemDetails = {}): Problem {
  return {
    kind: 'problem',
    status,
    title: titles[status] ?? 'Refused',
    detail,
    findings: more.findings ?? [],
    headers: more.headers ?? [],
    members: more.members ?? {},
  };
}

const titles: Readonly<Record<number, string>> = {
  400: 'Malformed request',
  401: 'Credential missing, expired or invalid',
  403: 'Permission missing',
  404: 'Not found',
  405: 'Method not allowed',
  409: 'Conflict',
  413: 'Body too large',
  415: 'Media type not supported',
  422: 'Request does not match the published schema',
  428: 'Version required',
  429: 'Too many requests',
  500: 'Service failure',
};
