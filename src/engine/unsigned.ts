import type { Exchange, HttpResponse, NoResponse } from '../model/exchange.ts';
import { isAccepted, isThrottled } from '../model/response.ts';
import type { Deviation, Step } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';

/** Words that only a service uses which expects requests to be signed. */
const inBody = /\bsignatures?\b|\bunsigned\b|\bsigned request|\bhmac\b/i;
const inChallenge = /\b(?:signature|hmac|aws4-hmac)/i;

const remedy =
  'the target, or a gateway in front of it, says that the signature of the request is missing or wrong; set or fix target.sign';

/** Whether a refusal says that the request lacks its signature. */
function saysUnsigned(answer: HttpResponse): boolean {
  if (isAccepted(answer) || isThrottled(answer)) return false;
  return (
    answer.headers.some(
      ([name, value]) =>
        (name.toLowerCase() === 'www-authenticate' && inChallenge.test(value)) ||
        name.toLowerCase() === 'accept-signature',
    ) || inBody.test(answer.body.slice(0, 4096))
  );
}

/** What to do where a refusal says that the request lacks its signature; undefined where it says nothing of one. */
export function signingRemedy(of: Pick<Exchange, 'answer' | 'noAnswer'> | undefined): string | undefined {
  if (of?.answer !== undefined) return saysUnsigned(of.answer) ? remedy : undefined;
  return of?.noAnswer?.detail.endsWith(remedy) === true ? remedy : undefined;
}

/** Tokens and verifications may be signed too, and refused for that. */
const ofCaller: ReadonlySet<Deviation['kind']> = new Set([
  'credential',
  'permission',
  'scope',
  'verification',
]);

/** The refusal of our own signature says nothing about the contract, like the 407 of a proxy: it does not count as a response. */
export function withoutSigningTrouble(
  { deviations }: Pick<Step, 'deviations'>,
  outcome: WireOutcome,
): WireOutcome {
  const { added, answer } = outcome;
  if (added === undefined || answer === undefined) return outcome;
  if (answer.status !== 401 && answer.status !== 403) return outcome;
  if (deviations.some(({ kind }) => ofCaller.has(kind)) || !saysUnsigned(answer)) return outcome;
  const { headers, status } = answer;
  const noAnswer: NoResponse = {
    reason: 'refused',
    detail: `${status}: ${remedy}`,
    partial: { status, headers },
  };
  return { ...outcome, answer: undefined, noAnswer };
}
