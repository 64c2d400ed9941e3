import { type Json, parseExactly, parseJson } from './json.ts';

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
type Parsed = WeakMap<Body, { readonly json: Json | undefined }>;
const parsed: Parsed = new WeakMap();
const parsedExactly: Parsed = new WeakMap();

/** The body as JSON, or undefined. */
export function jsonOf(answer: Body | undefined): Json | undefined {
  return answer === undefined ? undefined : parsedOnce(answer, parsed, parseJson);
}

/** The same where values name something: numbers with more digits than JSON.parse keeps are texts. */
export function exactJsonOf(answer: Body | undefined): Json | undefined {
  return answer === undefined ? undefined : parsedOnce(answer, parsedExactly, parseExactly);
}

function parsedOnce(
  answer: Body,
  known: Parsed,
  parse: (text: string) => Json | undefined,
): Json | undefined {
  const before = known.get(answer);
  if (before !== undefined) return before.json;
  const json = parse(answer.body);
  known.set(answer, { json });
  return json;
}
