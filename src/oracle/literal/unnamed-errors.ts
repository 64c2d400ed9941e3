import type { Json } from '../../model/json.ts';
import { header, problem, text } from './error-shapes.ts';

/** The request of the negatives; what it says may come back in any form. */
export const sent = {
  path: '/v1/cases',
  body: '{"subject":{},"title":{"a":5},"status":{},"other":"plain words, really"}',
};

/** A response that names no field, whatever a field is called. */
export const nothing: Readonly<Record<string, unknown>> = {
  'an empty body': text(''),
  'an empty object': {},
  'an empty array': [],
  null: null,
  'a text': text('Unprocessable Entity'),
  'a text of JSON': 'Validation failed',
  RFC9457: {
    type: 'https://errors.example/validation',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'The request body does not match the schema.',
    instance: '/v1/cases/1',
  },
  'RFC 9457 without more': problem,
  Spring: {
    timestamp: '2026-01-15T12:00:00Z',
    status: 422,
    error: 'Unprocessable Entity',
    path: '/v1/cases',
  },
  FastAPI: { detail: 'Unprocessable Entity' },
  'FastAPI, the body': { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
  NestJS: { statusCode: 422, message: 'Unprocessable Entity', error: 'Unprocessable Entity' },
  'NestJS, a list': { statusCode: 422, message: ['Validation failed'], error: 'x' },
  'empty lists': { message: 'Validation failed', errors: [] },
  'an empty map': { message: 'Validation failed', errors: {} },
  'codes alone': {
    error: { code: 'VALIDATION_FAILED', message: 'The request is not valid.', type: 'invalid_request_error' },
  },
  'a generic item': {
    errors: [{ status: '422', code: 'invalid', title: 'Unprocessable', detail: 'The request is not valid.' }],
  },
  'ASP.NET without errors': {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5.21',
    title: 'One or more validation errors occurred.',
    status: 422,
    traceId: '00-1-2-00',
  },
  Prism: header('sl-violations', '[]'),
  'a header': header('X-Error-Message', 'Validation failed'),
  HTML: text(
    '<!doctype html><html><head><title>422</title></head><body><h1>Unprocessable</h1></body></html>',
    'text/html',
  ),
  XML: text(
    '<?xml version="1.0"?><problem><title>Unprocessable</title><status>422</status><detail>no</detail></problem>',
    'application/problem+xml',
  ),
};

/** A response that shows what was sent, or where, and names nothing. */
export const echoed: Readonly<Record<string, unknown>> = {
  'the body under a name': { error: 'invalid', request: JSON.parse(sent.body) },
  'the body as input': { detail: [{ loc: ['body'], msg: 'invalid', input: JSON.parse(sent.body) }] },
  'the body as text': { message: `Cannot accept ${sent.body}` },
  'the body as text with blanks': {
    message: `Cannot accept ${JSON.stringify(JSON.parse(sent.body), null, 2)}`,
  },
  'the body alone': JSON.parse(sent.body),
  'a member of it': { error: 'invalid', title: { a: 5 } },
  'the address': {
    message: 'See https://docs.example/subject/title/status for more',
    instance: 'https://x.example/subject',
  },
  'the path': { message: 'Cannot process POST /v1/cases', path: '/v1/cases' },
  'a header with a link': {
    text: '{"error":"invalid"}',
    headers: [
      ['Link', '</subject>; rel="subject"'],
      ['Location', '/subject'],
    ],
  },
};

/** Shapes of which no framework is known: whatever a member is called, a response that has its path accuses nobody. */
export const strange: Readonly<Record<string, (path: readonly string[]) => Json>> = {
  'a code': (path) => ({ code: `${path.join('_').toUpperCase()}_INVALID` }),
  'codes of words': (path) => ({ errorCodes: [`invalid_${path.join('_')}`] }),
  'a member that nobody knows': (path) => ({ errors: [{ where: path.join('.'), what: 'wrong' }] }),
  'a pointer that nobody knows': (path) => ({ errors: [{ at: `/${path.join('/')}`, why: 'wrong' }] }),
  'another language': (path) => ({ fehler: [{ feld: path.join('.'), grund: 'falsch' }] }),
  'a map that nobody knows': (path) => ({ erreurs: { [path.join('.')]: 'incorrect' } }),
  'a context': (path) => ({ error: { details: [{ context: { path: `/${path.join('/')}` }, info: 'x' }] } }),
  'segments further in': (path) => ({ errors: [{ extensions: { inputPath: ['input', ...path] } }] }),
  arrows: (path) => ({ message: `${path.join(' -> ')} wrong` }),
  'a hint': (path) => ({ message: 'Validation failed', hint: `check ${path.join('.')}` }),
};
