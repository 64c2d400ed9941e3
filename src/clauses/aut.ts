import type { WrittenClause } from '../model/clause.ts';
import type { Contract, Operation } from '../model/contract.ts';
import type { How, Step } from '../model/scenario.ts';
import { about } from './judging/about.ts';
import { underTheSameKey } from './judging/effects.ts';
import {
  faultsOf,
  find,
  headerValues,
  holds,
  isAccepted,
  notApplicable,
  only,
  violated,
} from './judging/reading.ts';
import { commands, eachAnswer, guarded, reads } from './judging/rules.ts';
import { shownInVain } from './judging/shown-in-refusal.ts';

const source = {
  every: {
    where: 'Authentication, 1',
    quote: 'Every request carries `Authorization: Bearer <SERVER_TOKEN>`.',
  },
  invalid: { where: 'Authentication, 3', quote: 'A missing, expired, or invalid credential gives `401`.' },
};

function credential(...hows: readonly How<'credential'>[]): (step: Step) => boolean {
  return (step) => {
    const fault = only(step, 'credential');
    return fault !== undefined && hows.includes(fault.how);
  };
}

const guardedCommand = (contract: Contract, operation: Operation): boolean =>
  commands(contract, operation) && guarded(contract, operation);
const guardedRead = (contract: Contract, operation: Operation): boolean =>
  reads(contract, operation) && guarded(contract, operation);
const refusedCredential = (step: Step): boolean => only(step, 'credential') !== undefined;

export const credentialClauses: readonly WrittenClause[] = [
  {
    code: 'AUT-1',
    level: 'stated',
    text: 'A command without Authorization returns 401.',
    source: source.invalid,
    test: 'A valid command is sent without the header, then the same one with it.',
    violation: 'Any other refusal (400, 403, 422...), or success.',
    fix: 'Check for a credential before anything else, and return 401 if there is none.',
    applies: guardedCommand,
    judges: about('credential').refusal(credential('absent')),
  },
  {
    code: 'AUT-2',
    level: 'stated',
    text: 'An unknown token returns 401.',
    source: source.invalid,
    test: 'A random token of the length and alphabet of a valid one is sent.',
    violation: 'Any response other than 401.',
    fix: 'Return 401 for every token that was not issued.',
    applies: guarded,
    judges: about('credential').refusal(credential('unknown')),
  },
  {
    code: 'AUT-3',
    level: 'stated',
    text: 'An expired token returns 401.',
    source: source.invalid,
    test: 'A valid request is sent with a token declared `state: expired`.',
    violation: 'Success, or 403.',
    fix: 'Check expiry at every request, and return 401.',
    applies: guarded,
    judges: about('credential').refusal(credential('expired')),
  },
  {
    code: 'AUT-4',
    level: 'derived',
    text: 'A credential of another scheme or form returns 401: Basic, the token alone, or "Bearer" without a token.',
    source: source.every,
    test: 'The token is sent as Basic, with another scheme, without a scheme, and with a word after it. "Bearer" is sent without a token, and with null and undefined as the token.',
    violation: 'Success, or a class other than 401.',
    fix: 'Accept only `Bearer <token>` and return 401 for everything else.',
    applies: guarded,
    judges: about('credential').refusal(credential('malformed')),
  },
  {
    code: 'AUT-5',
    level: 'derived',
    text: 'A token that differs from a valid one in one detail returns 401.',
    source: source.invalid,
    test: 'A valid token is altered and sent: in other case, cut short, with characters added before or after it, or with one character in the middle changed.',
    violation: 'Success: the token is compared case-insensitively, by prefix or in part.',
    fix: 'Compare the whole token, exactly (and in constant time).',
    applies: guarded,
    judges: about('credential').refusal(credential('mutated')),
  },
  {
    code: 'AUT-6',
    level: 'derived',
    text: 'A credential that is only in the query, the body, a cookie or another header returns 401.',
    source: source.every,
    test: 'A valid token is sent as access_token in the query, in the body, as a cookie, and in X-Api-Key, X-Auth-Token and X-Access-Token, without Authorization. A long token is sent in fewer of these headers, since servers refuse heads that are too large.',
    violation: 'Success: tokens in URLs end up in logs and browser histories.',
    fix: 'Read the credential from the Authorization header alone.',
    applies: guarded,
    judges: about('credential').refusal(credential('elsewhere')),
  },
  {
    code: 'AUT-7',
    level: 'derived',
    text: 'A revoked token returns 401.',
    source: source.invalid,
    test: 'A valid request is sent with a token declared `state: revoked`.',
    violation: 'Success, often from a cache of earlier decisions.',
    fix: 'Let revocation take effect in every cache of credentials.',
    applies: guarded,
    judges: about('credential').refusal(credential('revoked')),
  },
  {
    code: 'AUT-8',
    level: 'derived',
    text: 'A JWT without a signature, with alg none, or with an altered payload returns 401.',
    source: source.invalid,
    test: 'A token that is a JWT is sent with alg none and no signature, and with a changed payload.',
    violation: 'Success: the signature is not checked.',
    fix: 'Allow only the algorithms that you use, and verify the signature before the claims are read.',
    applies: guarded,
    judges: about('credential').refusal(credential('forged')),
  },
  {
    code: 'AUT-9',
    level: 'stated',
    text: 'A read without Authorization returns 401.',
    source: source.every,
    test: 'A valid read is sent without the header, then the same one with it.',
    violation: '200 to a GET without a credential.',
    fix: 'Guard reads in the same way as commands.',
    applies: guardedRead,
    judges: about('credential').refusal(credential('absent')),
  },
  {
    code: 'AUT-10',
    level: 'derived',
    text: 'A request refused with 401 has no effect and leaves its key free.',
    source: {
      where: 'Authentication, 3; Limits, 2',
      quote: 'The client stops and refreshes the credential through the approved server flow.',
    },
    test: 'After the 401, the same command is sent with a valid token under the same key. It must be accepted.',
    violation:
      'The key of the refused request is used up: the client cannot retry after it refreshes its credential.',
    fix: 'Authenticate before the key is looked up or stored.',
    applies: guardedCommand,
    judges: [
      about('credential').leavesKeyFree(refusedCredential),
      about('credential').noEffect(refusedCredential, underTheSameKey),
    ],
  },
  {
    code: 'AUT-11',
    level: 'derived',
    text: 'An unauthenticated caller always gets 401, and learns nothing about record, key or body.',
    source: source.invalid,
    test: 'An unknown token, or none, is sent with a used key, with an invalid body, and to a known and an unknown record. Each must return 401.',
    violation:
      'A replay or 409 for a used key, 404 for an unknown record, 422 for a bad body, or a record in a 401.',
    fix: 'Authenticate before you look at record, key or body.',
    // A read without any field has nothing that a stranger could learn of.
    applies: (contract, operation) =>
      guarded(contract, operation) &&
      (operation.kind === 'command' || operation.pathFields.length + operation.queryFields.length > 0),
    judges: [
      about('credential').refusal(
        (step) =>
          find(step, 'credential') !== undefined &&
          faultsOf(step).some((fault) => ['key-reuse', 'body', 'target', 'query'].includes(fault.kind)),
      ),
      shownInVain('credential', ['command', 'read']),
    ],
  },
  {
    code: 'AUT-12',
    level: 'advisory',
    text: '401 carries WWW-Authenticate.',
    source: {
      where: 'RFC 9110, 15.5.2; RFC 6750, 3',
      quote: 'The server generating a 401 response MUST send a WWW-Authenticate header field',
    },
    test: 'Every 401 of the run is checked.',
    violation: '401 without a challenge.',
    fix: 'Send `WWW-Authenticate: Bearer` with 401.',
    applies: guarded,
    judges: eachAnswer((one) => {
      if (one.answer.status !== 401) return notApplicable;
      const values = headerValues(one.answer.headers, 'www-authenticate');
      const expected = 'WWW-Authenticate';
      return values.length > 0
        ? holds([one], {
            expected,
            actual: `WWW-Authenticate: ${values.join(', ')}`,
            because: 'The 401 has a challenge.',
          })
        : violated([one], {
            expected,
            actual: '401 without WWW-Authenticate',
            because: 'The 401 has no challenge, which HTTP requires.',
          });
    }),
  },
  {
    code: 'AUT-13',
    level: 'advisory',
    text: 'The scheme is compared case-insensitively.',
    source: {
      where: 'RFC 9110, 11.1',
      quote: 'a case-insensitive token to identify the authentication scheme',
    },
    test: 'A valid token is sent as `bearer <token>`.',
    violation: 'A refusal.',
    fix: 'Compare the scheme case-insensitively.',
    applies: guarded,
    judges: about('scheme-case').eachAnswer((one) => {
      if (find(one.step, 'scheme-case') === undefined || faultsOf(one.step).length > 0) return notApplicable;
      const expected = 'the response that `Bearer` gets';
      if (isAccepted(one.answer))
        return holds([one], { expected, because: 'The scheme in lower case is accepted.' });
      // Any other refusal speaks of the request: a record that a read does not show yet, for one.
      return [400, 401].includes(one.answer.status)
        ? violated([one], {
            expected,
            because:
              'The scheme in lower case was refused, but HTTP compares scheme names case-insensitively.',
          })
        : notApplicable;
    }),
  },
];
