import { problem } from './answer.ts';
import type { Call, CredentialDecisions, CredentialFault, ReferencePrincipal } from './behaviour.ts';
import { headerValues, type Refusal } from './message.ts';

export const credentialDecisions: CredentialDecisions = {
  readCredential: (call) => {
    const lines = headerValues(call.request, 'Authorization');
    const [line] = lines;
    if (line === undefined) return { fault: 'absent' };
    // RFC 9110 11.1: the scheme is case-insensitive; RFC 6750 2.1: the token is a token68.
    const token = /^bearer +([\w.~+/-]+=*)$/i.exec(line)?.[1];
    return lines.length > 1 || token === undefined ? { fault: 'malformed' } : { token };
  },
  findPrincipal: (call, token) => call.service.principals.get(token),
  credentialState: (_call, principal) => principal.state,
  anonymous: (call) => (call.operation.permissions === undefined ? nobody : undefined),
  refuseCredential: (_call, fault) =>
    problem(401, because[fault], { headers: [['WWW-Authenticate', 'Bearer']] }),
};

const nobody: ReferencePrincipal = {
  name: '',
  identity: '',
  token: '',
  permissions: [],
  scope: undefined,
  state: 'valid',
  use: 'any',
};

const because: Readonly<Record<CredentialFault, string>> = {
  absent: 'The request carries no credential.',
  malformed: 'The Authorization header is not one line of the form "Bearer <token>".',
  unknown: 'The credential is not valid.',
  expired: 'The credential has expired.',
  revoked: 'The credential was revoked.',
};

/** Phase: 401 for whatever is wrong with the credential. */
export function authenticate(call: Call): Refusal | undefined {
  const { anonymous, credentialState, findPrincipal, readCredential, refuseCredential } =
    call.service.behaviour;
  const read = readCredential(call);
  const principal = 'token' in read ? findPrincipal(call, read.token) : undefined;
  const state = principal === undefined ? 'unknown' : credentialState(call, principal);
  if (state === 'valid') {
    call.principal = principal;
    return undefined;
  }
  call.principal = anonymous(call);
  if (call.principal !== undefined) return undefined;
  return refuseCredential(call, 'fault' in read ? read.fault : state);
}
