import { type Json, parseJson } from './json.ts';

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
const parsed = new WeakMap<Body, { readonly json: Json | undefined }>();

/** The body as JSON, or undefined. */
export function jsonOf(answer: Body | undefined): Json | undefined {
  if (answer === undefined) return undefined;
  const known = parsed.get(answer);
  if (known !== undefined) return known.json;
  const json = parseJson(answer.body);
  parsed.set(answer, { json });
  return json;
}
