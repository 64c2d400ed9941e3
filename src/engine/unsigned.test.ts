import { expect, test } from 'vitest';
import type { HttpResponse } from '../model/exchange.ts';
import type { Deviation } from '../model/scenario.ts';
import type { WireOutcome } from '../model/wire.ts';
import { signingRemedy, withoutSigningTrouble } from './unsigned.ts';

const response = (status: number, body: string, headers: HttpResponse['headers'] = []): HttpResponse => ({
  status,
  headers,
  body,
  bodyBytes: body.length,
  truncated: false,
});
const outcome = (answer: HttpResponse, signed: boolean): WireOutcome => ({
  answer,
  noAnswer: undefined,
  connection: 0,
  startedAt: 0,
  sentAt: 1,
  endedAt: 2,
  ...(signed ? { added: [['X-Signature', '$ASSAY_TOKEN_SIGNED_X_SIGNATURE']] } : {}),
});
const wrong = '{"error":"invalid signature"}';

test.each<[string, HttpResponse, boolean]>([
  ['a body that names it', response(401, wrong), true],
  ['a challenge', response(401, '', [['WWW-Authenticate', 'Signature realm="x"']]), true],
  ['a header of RFC 9421', response(403, '', [['Accept-Signature', 'sig1=("@method")']]), true],
  ['a challenge for a token', response(401, '', [['WWW-Authenticate', 'Bearer']]), false],
  ['a design', response(401, '{"error":"designs are for others"}'), false],
  ['a success', response(200, wrong), false],
])('a refusal asks for a signature by %s', (_, answer, asks) => {
  expect(signingRemedy({ answer, noAnswer: undefined }) !== undefined).toBe(asks);
});

test.each<[string, Deviation[], HttpResponse, boolean, boolean]>([
  ['of a valid request', [], response(401, wrong), true, true],
  ['of a wrong body', [{ kind: 'body', at: '/a', keyword: 'type' }], response(403, wrong), true, true],
  ['of an expired token', [{ kind: 'credential', how: 'expired' }], response(401, wrong), true, false],
  ['of what nobody signed', [], response(401, wrong), false, false],
  ['with another status', [], response(422, wrong), true, false],
  ['for another reason', [], response(401, '{"error":"unknown token"}'), true, false],
])('a refusal %s that names the signature', (_, deviations, answer, signed, taken) => {
  const got = withoutSigningTrouble({ deviations }, outcome(answer, signed));
  expect(got.answer === undefined).toBe(taken);
  expect(got.noAnswer?.reason).toBe(taken ? 'refused' : undefined);
  if (taken) expect(signingRemedy(got)).toMatch(/target\.sign$/);
});
