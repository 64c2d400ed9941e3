import { canonicalJson, exactly, type Json, parseJson } from './json.ts';

/** What a response amounts to before any clause looks at it. `refused` is every status that is not one of the others. */
export type ResponseClass = 'accepted' | 'refused' | 'throttled' | 'failed' | 'no-response';

type Status = { readonly status: number };
type Body = { readonly body: string };

export function responseClass(answer: Status | undefined): ResponseClass {
  if (answer === undefined) return 'no-response';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'failed' : 'refused';
}

export function isAccepted(answer: Status | undefined): boolean {
  return responseClass(answer) === 'accepted';
}

/** 202: the command is accepted, and may be done later (RFC 9110, 15.3.3). */
export function isQueued(answer: Status | undefined): boolean {
  return answer?.status === 202;
}

export function isThrottled(answer: Status | undefined): boolean {
  return responseClass(answer) === 'throttled';
}

export function isFailed(answer: Status | undefined): boolean {
  return responseClass(answer) === 'failed';
}

/** True where the service decided: it accepted or refused the request. */
export function isDecided(answer: Status | undefined): boolean {
  const its = responseClass(answer);
  return its === 'accepted' || its === 'refused';
}

/** Many clauses look at one body: it is parsed once. */
type Parsed = { readonly json: Json | undefined; exact?: { readonly json: Json | undefined } };
const parsed = new WeakMap<object, Parsed>();

/** A byte order mark, which nobody must add, and which parsers may ignore (RFC 8259, 8.1). */
export function hasByteOrderMark({ body }: Body): boolean {
  return body.startsWith('\ufeff');
}

function unmarked(answer: Body): string {
  return hasByteOrderMark(answer) ? answer.body.slice(1) : answer.body;
}

/** The body as JSON, or undefined. */
export function jsonOf(answer: Body | undefined): Json | undefined {
  return answer === undefined ? undefined : parsedOnce(answer, unmarked(answer)).json;
}

/** The same of a request. */
export function sentJson(request: { readonly body: string | undefined }): Json | undefined {
  return request.body === undefined ? undefined : parsedOnce(request, request.body).json;
}

/** What the body of a request says: texts are equal where bodies are the same JSON, however it is written. */
export function sentMeaning(request: { readonly body: string | undefined }): string {
  const value = sentJson(request);
  return value === undefined ? (request.body ?? '') : canonicalJson(value);
}

/** The JSON of a response where values name something: numbers with more digits than JSON.parse keeps are texts. */
export function exactJsonOf(answer: Body | undefined): Json | undefined {
  if (answer === undefined) return undefined;
  const known = parsedOnce(answer, unmarked(answer));
  known.exact ??= { json: exactly(unmarked(answer), known.json) };
  return known.exact.json;
}

const unescapedTexts = new WeakMap<object, string>();

/** The body without needless escapes: some services write `/` as `\/`, and `\u00fc` for a letter that JSON may have as it is. */
export function unescapedBody(answer: Body): string {
  if (!answer.body.includes('\\')) return answer.body;
  const known = unescapedTexts.get(answer);
  if (known !== undefined) return known;
  const json = exactJsonOf(answer);
  const text = json === undefined ? answer.body : JSON.stringify(json);
  unescapedTexts.set(answer, text);
  return text;
}

function parsedOnce(message: object, body: string): Parsed {
  const before = parsed.get(message);
  if (before !== undefined) return before;
  const made: Parsed = { json: parseJson(body) };
  parsed.set(message, made);
  return made;
}
