import { type Gate, shortestSecret } from '../evidence/gate.ts';
import { signedName, signedValue } from '../evidence/signed.ts';
import type { Clock } from '../model/clock.ts';
import type { Contract } from '../model/contract.ts';
import type { HeaderList } from '../model/exchange.ts';
import { InputError, type InputProblem } from '../model/input-error.ts';
import type { WireOutcome, WireRequest } from '../model/wire.ts';
import { asBytes } from '../wire/request.ts';
import { noAnswer } from '../wire/trouble.ts';
import type { OpenWire } from '../wire/wire.ts';
import { credentialParts } from './gateway.ts';
import type { Signer } from './signer.ts';

/** A wire whose requests are signed, each of them as late as possible. */
export type SignedWire = OpenWire & {
  /** What went wrong with signing, and where; then nothing that was seen later says anything about the target. */
  readonly broken: () => InputError | undefined;
};

/** Adds what the signer returns to each request. In the outcome the values are placeholders. */
export function signedWire(
  wire: OpenWire,
  signer: Signer | undefined,
  of: {
    readonly origin: string;
    readonly contract: Contract;
    readonly clock: Clock;
    readonly gate: Pick<Gate, 'add'>;
    readonly signal: AbortSignal;
    /** Called once, at the first failure. */
    readonly onBroken: () => void;
  },
): SignedWire {
  if (signer === undefined) return { ...wire, broken: () => undefined };
  const taken = namesIn(of.contract);
  let broken: InputError | undefined;
  const unsent = (detail: string): WireOutcome => {
    const now = of.clock.monotonic();
    const reason = of.signal.aborted && broken === undefined ? 'interrupted' : 'harness';
    const common = { answer: undefined, connection: -1, startedAt: now, sentAt: undefined, endedAt: now };
    return { ...common, noAnswer: noAnswer(reason, detail) };
  };
  const fail = (problem: InputProblem): WireOutcome => {
    if (broken === undefined) {
      broken = new InputError(problem);
      of.onBroken();
    }
    return unsent('not sent: signing failed');
  };
  const signed = async (request: WireRequest, signal: AbortSignal): Promise<Ready | WireOutcome> => {
    const made = await signer.sign(
      {
        method: request.method,
        url: `${of.origin}${asBytes(request.path)}`,
        headers: request.headers.map(([name, value]) => [asBytes(name), asBytes(value)]),
        body: request.body ?? new Uint8Array(),
      },
      signal,
    );
    if (signal.aborted) return unsent('the run was interrupted');
    if ('problem' in made) return fail(signer.blame(made.problem));
    const own = new Set(request.headers.map(([name]) => name.toLowerCase()));
    const twice = made.headers.find(([name]) => own.has(name.toLowerCase()) || taken.has(name.toLowerCase()));
    if (twice !== undefined)
      return fail(signer.blame(`it returned '${twice[0]}', which is part of the request that is tested`));
    for (const [name, value] of made.headers)
      for (const secret of secretsIn(name, value, request)) of.gate.add(signedName(name), secret);
    return {
      request: { ...request, headers: [...request.headers, ...made.headers] },
      added: made.headers.map(([name]) => [name, signedValue(name)]),
    };
  };
  return {
    close: wire.close,
    broken: () => broken,
    send: async (request, signal) => {
      const ready = await signed(request, signal ?? of.signal);
      if (!('added' in ready && 'request' in ready)) return ready;
      const wall = of.clock.wall();
      return { ...(await wire.send(ready.request, signal)), added: ready.added, wall };
    },
    sendTogether: async (requests, signal) => {
      const all = await Promise.all(requests.map((request) => signed(request, signal ?? of.signal)));
      const ready = all.filter((one): one is Ready => 'request' in one);
      // A wave without one of its requests is another wave.
      if (ready.length < requests.length)
        return all.map((one) => ('request' in one ? unsent('not sent: signing failed') : one));
      const wall = of.clock.wall();
      const outcomes = await wire.sendTogether(
        ready.map(({ request }) => request),
        signal,
      );
      return outcomes.map((outcome, index) => ({ ...outcome, added: ready[index]?.added ?? [], wall }));
    },
  };
}

type Ready = { readonly request: WireRequest; readonly added: HeaderList };

/** Headers with a meaning in the contract: a signer that set one would change what is tested. */
function namesIn({ operations }: Contract): ReadonlySet<string> {
  return new Set(
    operations.flatMap(({ headerFields = [], verification, version }) => [
      ...headerFields.flatMap((field) => (field.in === 'header' ? [field.name.toLowerCase()] : ['cookie'])),
      ...[version?.carrier, verification?.carrier].flatMap((carrier) =>
        carrier?.in === 'header' ? [carrier.name.toLowerCase()] : [],
      ),
    ]),
  );
}

/** Names that say that their value is a digest of what is sent, which is not secret. */
const digests = /digest|sha-?\d|md5/i;
/** One word of letters and digits, as long as no ordinary word is. */
const drawn = /^(?=.*\d)(?=.*[A-Za-z])[\w+/=.~-]{20,}$/;
const instant = /^\d{1,14}$|^\d{4}-?\d\d-?\d\dT|^[A-Z][a-z]{2}, \d\d [A-Z][a-z]{2} \d{4} /;

/** What of an added header a target must not be recorded to repeat. An instant or a key of the request is no secret. */
function secretsIn(name: string, value: string, request: WireRequest): readonly string[] {
  const parts = credentialParts(name, value) ?? (drawn.test(value) && !digests.test(name) ? [value] : []);
  return parts.filter(
    (part) =>
      part.length >= shortestSecret &&
      !instant.test(part) &&
      !request.path.includes(part) &&
      !request.headers.some(([, given]) => given.includes(part)),
  );
}
