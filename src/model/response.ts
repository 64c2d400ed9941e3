import type { Answer, Exchange } from './exchange.ts';

/** What a response amounts to before any clause looks at it. `refused` is every status that is not one of the others. */
export type ResponseClass = 'accepted' | 'refused' | 'throttled' | 'failed' | 'no-response';

export function responseClass(answer: Pick<Answer, 'status'> | undefined): ResponseClass {
  if (answer === undefined) return 'no-response';
  const { status } = answer;
  if (status >= 200 && status < 300) return 'accepted';
  if (status === 429) return 'throttled';
  return status >= 500 ? 'failed' : 'refused';
}

export function isAccepted(answer: Pick<Answer, 'status'> | undefined): boolean {
  return responseClass(answer) === 'accepted';
}

export function isThrottled(answer: Pick<Answer, 'status'> | undefined): boolean {
  return responseClass(answer) === 'throttled';
}

export function isFailed(answer: Pick<Answer, 'status'> | undefined): boolean {
  return responseClass(answer) === 'failed';
}

/** True where the service decided: it accepted or refused the request. */
export function isDecided(answer: Pick<Answer, 'status'> | undefined): boolean {
  const its = responseClass(answer);
  return its === 'accepted' || its === 'refused';
}

/** A response in one line: `201 {"id":"case_1","status":"open"}`. */
export function summary(exchange: Exchange): string {
  const { answer, noAnswer } = exchange;
  if (answer === undefined)
    return noAnswer === undefined ? 'no answer' : `no answer (${noAnswer.reason}: ${noAnswer.detail})`;
  const text = answer.body.replaceAll(/\s+/g, ' ').trim();
  return `${answer.status}${text === '' ? ' (empty body)' : ` ${text.length > 160 ? `${text.slice(0, 160)}...` : text}`}`;
}
