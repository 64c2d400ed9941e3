import { isObject, parseJson } from '../../model/json.ts';
import { problem } from '../answer.ts';
import type { Call, CredentialFault, ReferencePrincipal } from '../behaviour.ts';
import { conforming } from '../conforming.ts';
import { headerValues } from '../message.ts';
import { moved } from '../phases.ts';
import type { SeededFault } from './fault.ts';
import { noteKey, occupied } from './occupied.ts';

/** Clauses that speak of a request without a usable credential. */
const anyCredential = 'AUT-1 AUT-2 AUT-4 AUT-5 AUT-6 AUT-9 AUT-11 PRE-1';

function answeredWith(status: number, ...faults: readonly CredentialFault[]): SeededFault['change'] {
  return {
    refuseCredential: (call, fault) =>
      faults.includes(fault)
        ? problem(status, 'The request cannot be taken.')
        : conforming.refuseCredential(call, fault),
  };
}

function principalWhere(
  call: Call,
  fits: (principal: ReferencePrincipal) => boolean,
): ReferencePrincipal | undefined {
  return [...call.service.principals.values()].find(fits);
}

function somebody(call: Call): ReferencePrincipal | undefined {
  return principalWhere(call, ({ name }) => name === 'full');
}

/** A token is also read where it should not be. */
function alsoRead(tokenOf: (call: Call) => string | null | undefined): SeededFault['change'] {
  return {
    readCredential: (call) => {
      const token = tokenOf(call) ?? undefined;
      return token === undefined ? conforming.readCredential(call) : { token };
    },
  };
}

/** Tokens of this state are accepted. */
function stillValid(state: ReferencePrincipal['state']): SeededFault['change'] {
  return {
    credentialState: (call, principal) =>
      principal.state === state ? 'valid' : conforming.credentialState(call, principal),
  };
}

const bearer = (call: Call): string => headerValues(call.request, 'Authorization')[0] ?? '';

export const credentialFaults: readonly SeededFault[] = [
  {
    id: 'A01',
    describes: 'A missing credential returns 403.',
    breaks: 'AUT-1',
    also: 'AUT-6 AUT-9 AUT-11 PRE-1',
    change: answeredWith(403, 'absent'),
  },
  {
    id: 'A02',
    describes: 'A missing credential returns 400.',
    breaks: 'AUT-1',
    also: 'AUT-6 AUT-9 AUT-11 PRE-1',
    change: answeredWith(400, 'absent'),
  },
  {
    id: 'A60',
    describes: 'An unknown token returns 404.',
    breaks: 'AUT-2',
    also: 'AUT-4 AUT-5 AUT-8 AUT-11 PRE-1',
    change: answeredWith(404, 'unknown'),
  },
  {
    id: 'A04',
    describes: 'An expired token is accepted.',
    breaks: 'AUT-3',
    also: 'PRE-1 AUT-11 ERR-1 PRE-4',
    change: stillValid('expired'),
  },
  {
    id: 'A05',
    describes: 'An expired token returns 403.',
    breaks: 'AUT-3',
    also: 'PRE-1 AUT-11',
    change: answeredWith(403, 'expired'),
  },
  {
    id: 'A07',
    describes: 'The token is accepted under the Basic scheme.',
    breaks: 'AUT-4',
    also: 'ERR-1',
    change: alsoRead((call) => /^basic +(\S+)$/i.exec(bearer(call))?.[1]),
  },
  {
    id: 'A08',
    describes: 'What follows the first seven characters is the token, whatever the scheme.',
    breaks: 'AUT-4',
    also: 'ERR-1',
    change: alsoRead((call) => /^\S{6} (\S+)$/.exec(bearer(call))?.[1]),
  },
  {
    id: 'A09',
    describes: 'An empty bearer token counts as an administrator.',
    breaks: 'AUT-4',
    also: 'ERR-1',
    change: {
      anonymous: (call) => (/^bearer *$/i.test(bearer(call)) ? somebody(call) : conforming.anonymous(call)),
    },
  },
  {
    id: 'A62',
    describes: 'The last word after Bearer is the token.',
    breaks: 'AUT-4',
    also: 'ERR-1',
    change: alsoRead((call) => /^bearer +.* (\S+)$/i.exec(bearer(call))?.[1]),
  },
  {
    id: 'A63',
    describes: 'A token in quotes is accepted.',
    breaks: 'AUT-4',
    also: 'ERR-1',
    change: alsoRead((call) => /^bearer +"(\S+)"$/i.exec(bearer(call))?.[1]),
  },
  {
    id: 'A64',
    describes: 'An Authorization header without a value returns 500.',
    breaks: 'AUT-4',
    also: 'ERR-1',
    change: {
      refuseCredential: (call, fault) =>
        fault === 'malformed' && bearer(call) === ''
          ? problem(500, 'The request failed.')
          : conforming.refuseCredential(call, fault),
    },
  },
  {
    id: 'A10',
    describes: 'Tokens are compared case-insensitively.',
    breaks: 'AUT-5',
    also: 'ERR-1',
    change: {
      findPrincipal: (call, token) =>
        principalWhere(call, (principal) => principal.token.toLowerCase() === token.toLowerCase()),
    },
  },
  {
    id: 'A11',
    describes: 'A valid token followed by more characters is accepted.',
    breaks: 'AUT-5',
    also: 'ERR-1',
    change: {
      findPrincipal: (call, token) =>
        conforming.findPrincipal(call, token) ??
        principalWhere(call, (principal) => token.startsWith(principal.token)),
    },
  },
  {
    id: 'A61',
    describes: 'A token is accepted without its last character.',
    breaks: 'AUT-5',
    also: 'ERR-1',
    change: {
      findPrincipal: (call, token) =>
        conforming.findPrincipal(call, token) ??
        principalWhere(call, (principal) => principal.token.slice(0, -1) === token),
    },
  },
  {
    id: 'A13',
    describes: 'A token in ?access_token= is accepted too.',
    breaks: 'AUT-6',
    also: 'ERR-1',
    change: alsoRead((call) => call.request.query.get('access_token')),
  },
  {
    id: 'A14',
    describes: 'A revoked token is still accepted from a cache.',
    breaks: 'AUT-7',
    also: 'ERR-1',
    change: stillValid('revoked'),
  },
  {
    id: 'A15',
    describes: 'A JWT with the algorithm none is accepted.',
    breaks: 'AUT-8',
    also: 'ERR-1',
    change: {
      findPrincipal: (call, token) => {
        const known = conforming.findPrincipal(call, token);
        const [head = '', payload = ''] = token.split('.');
        const header = parseJson(Buffer.from(head, 'base64url').toString());
        if (known !== undefined || !isObject(header) || String(header['alg']).toLowerCase() !== 'none')
          return known;
        return principalWhere(call, (principal) => principal.token.split('.')[1] === payload);
      },
    },
  },
  {
    id: 'A17',
    describes: 'Reads need no credential.',
    breaks: 'AUT-9',
    also: `${anyCredential} AUT-3 AUT-7 AUT-8 ERR-1 PRE-4`,
    change: {
      anonymous: (call) => (call.operation.kind === 'read' ? somebody(call) : conforming.anonymous(call)),
    },
    operations: ['getCase'],
  },
  {
    id: 'A18',
    describes: 'Keys are stored before authentication: a 401 uses up its key.',
    breaks: 'AUT-10',
    also: 'IDM-14',
    change: { onRefusal: noteKey(401), claim: occupied },
  },
  {
    id: 'A19',
    describes: 'A stored result is returned before authentication.',
    breaks: 'AUT-11',
    also: 'PRE-1 PRE-2 PRM-8 PRM-10 IDM-12 AUT-2 RID-4 IDM-5 IDM-6 IDM-8 IDM-10 IDM-11 IDM-13 ERR-1',
    change: {
      order: moved(['parse', 'key', 'deduplicate'], 'authenticate'),
    },
  },
  {
    id: 'A21',
    describes: 'A used key returns 409 before authentication.',
    breaks: 'AUT-11',
    also: 'PRE-1 PRE-2 PRM-8 PRM-10 IDM-12 RID-4 IDM-5 IDM-6 IDM-8 IDM-10 IDM-11 IDM-13',
    change: {
      order: moved(['parse', 'key', 'deduplicate'], 'authenticate'),
      onDuplicateFinished: () => problem(409, 'The Idempotency-Key was used before.'),
    },
    declares: { G1: 'conflict' },
  },
];
