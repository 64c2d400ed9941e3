import type { Answered, Ruling } from '../../model/clause.ts';
import { declaredSuccess, isDeclared } from '../../model/contract.ts';
import type { HttpResponse } from '../../model/exchange.ts';
import { headerValues, holds, violated } from './reading.ts';

export function mediaTypeProblem(one: Answered): string | undefined {
  const [type] = headerValues(one.answer.headers, 'content-type');
  if (type === undefined) return 'there is no Content-Type';
  const essence = type.replace(/;.*/s, '').trim().toLowerCase();
  // RFC 9457: clients take it for an error, whatever the status is.
  if (essence === 'application/problem+json') return `Content-Type is ${type}, which is that of an error`;
  return essence === 'application/json' || (essence.startsWith('application/') && essence.endsWith('+json'))
    ? undefined
    : `Content-Type is ${type}`;
}

/** Clients that undo the encoding, as most do by themselves, cannot read the body. */
export function miscoding({ headers, miscoded }: HttpResponse): string | undefined {
  return miscoded === true
    ? `the body is not what Content-Encoding: ${headerValues(headers, 'content-encoding').join(', ')} says`
    : undefined;
}

/** The violation of a response that must say something, and says it where no client can read it. */
export function unreadable(one: Answered, expected: string): Ruling | undefined {
  const coding = miscoding(one.answer);
  return coding === undefined
    ? undefined
    : violated([one], { expected, because: `No client can read it: ${coding}.` });
}

/** A header that the contract requires of a success of this status, where it is missing. */
export function missingHeader({ answer, operation }: Answered): string | undefined {
  if (!isDeclared(operation, answer.status)) return undefined;
  const { requiredHeaders = [] } = declaredSuccess(operation, answer.status);
  const missing = requiredHeaders.find((name) => headerValues(answer.headers, name).length === 0);
  return missing === undefined ? undefined : `the header ${missing}, which the contract requires, is missing`;
}

/** A result without a declared body has its headers. */
export function headersOnly(one: Answered): Ruling {
  const expected = 'the headers that the contract requires';
  const problem = missingHeader(one);
  return problem === undefined
    ? holds([one], { expected, because: 'The required headers are there.' })
    : violated([one], { expected, because: problem });
}
