/** What a response amounts to before any clause looks at it. `refused` is every status that is not one of the others. */
export type ResponseClass = 'accepted' | 'refused' | 'throttled' | 'failed' | 'no-response';

type Status = { readonly status: number };

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
