import { createHmac } from 'node:crypto';
import { type Contract, operationOf } from '../model/contract.ts';
import type { Bindings, Trace } from '../model/exchange.ts';
import { formedMarker, isUsual, type MarkerForm } from '../model/marker.ts';
import { bodyNameOf, formOf, type Scenario, type Step, stepsOf } from '../model/scenario.ts';
import { idOfForm } from '../suite-kit/chosen.ts';

/** Gives names their values. The seed fixes the plan; the nonce of the run fixes the values. */
export type Binder = (name: string, form?: MarkerForm) => { readonly key: string; readonly marker: string };

/** All keys and markers derive from it: with a challenge in it, none was used before. Parts of a run have their own. */
export function bindingNonce(
  nonce: string,
  challenge: string | undefined,
  ...parts: readonly string[]
): string {
  return [...(challenge === undefined ? [] : [challenge]), ...parts].reduce(
    (secret, part) => createHmac('sha256', secret).update(part).digest('hex'),
    nonce,
  );
}

/** What a resumed segment adds to the secret, so that its keys are new, whatever was in flight before. */
export function segmentPart({ number, salt }: { readonly number: number; readonly salt: string }): string {
  return `segment ${number} ${salt}`;
}

/** What a shard adds to the secret: a shard that is started again must use new keys. */
export function shardPart({
  number,
  salt,
}: {
  readonly number: number | 'last';
  readonly salt: string;
}): string {
  return `shard ${number} ${salt}`;
}

/** How the markers of all shards of a run begin, so that each knows the records of the others. */
export function sharedMark(nonce: string): string {
  return createHmac('sha256', nonce).update('shared mark').digest('hex').slice(0, 4);
}

/** Markers of this run: those that it has bound, and of the usual form those of its other shards. */
export type OwnMarkers = {
  /** @param owner the trace and the name that stand for it, where it is new */
  readonly add: (marker: string, owner?: string) => void;
  readonly has: (marker: string) => boolean;
  /** The marker of another form than the usual one that a text of a record is, however its letters are cased. */
  readonly formed: (text: string) => string | undefined;
  /** Whether two bodies have the same marker, so that nobody can know whose a record is. */
  readonly unsure: (marker: string) => boolean;
};

export function ownMarkers(mark: string | undefined): OwnMarkers {
  const bound = new Set<string>();
  const formed = new Map<string, { readonly marker: string; owner: string; unsure: boolean }>();
  return {
    add: (marker, owner) => {
      bound.add(marker);
      if (isUsual(marker)) return;
      const known = formed.get(marker.toLowerCase());
      if (known === undefined)
        formed.set(marker.toLowerCase(), { marker, owner: owner ?? '', unsure: false });
      else if (owner !== undefined && owner !== known.owner) known.unsure = true;
    },
    has: (marker) => bound.has(marker) || (mark !== undefined && marker.startsWith(`asy-${mark}`)),
    formed: (text) => (formed.size === 0 ? undefined : formed.get(text.toLowerCase())?.marker),
    unsure: (marker) => formed.get(marker.toLowerCase())?.unsure === true,
  };
}

/** Ids that a shard must not choose: its own earlier ones, and those reserved for other shards. */
export function takenIds(shard?: { readonly number: number; readonly of: number }): ChosenIds {
  const taken = new Set<string>();
  const isOthers = (id: string): boolean =>
    shard !== undefined &&
    createHmac('sha256', 'shard').update(id).digest().readUInt32BE(0) % shard.of !== shard.number - 1;
  return { add: (id) => taken.add(id), has: (id) => taken.has(id) || isOthers(id) };
}

export type ChosenIds = Pick<Set<string>, 'has'> & { readonly add: (id: string) => void };

export function binderOf(
  nonce: string,
  of: Pick<Trace, 'suite' | 'probe' | 'scenarioIndex' | 'id' | 'attempt'>,
  mark?: string,
): Binder {
  return makeBinder(nonce, `${of.suite} ${of.probe} ${of.scenarioIndex} ${of.id}`, of.attempt, mark);
}

/** HMAC-SHA-256 of (probe, attempt, name) under the nonce: UUIDv4 keys (G17), and markers that nothing else uses. */
export function makeBinder(nonce: string, probe: string, attempt: number, mark?: string): Binder {
  return (name, form) => {
    const digest = createHmac('sha256', nonce)
      .update(JSON.stringify([probe, attempt, name]))
      .digest('hex');
    const variant = '89ab'[Number.parseInt(digest[16] ?? '0', 16) % 4] ?? '8';
    const key = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-4${digest.slice(13, 16)}-${variant}${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
    const usual = `asy-${mark ?? digest.slice(32, 36)}${digest.slice(36, 48)}`;
    return { key, marker: formedMarker(form, digest) ?? usual };
  };
}

function keyNames(step: Step): readonly string[] {
  if (step.key.use === 'named' || step.key.use === 'near') return [step.key.name];
  return step.key.use === 'doubled' ? [step.key.name, step.key.second] : [];
}

export function bindingsOf(scenario: Scenario, binder: Binder): Bindings {
  const steps = stepsOf(scenario.waves);
  const keys = new Set(steps.flatMap(keyNames));
  const bodies = new Set([
    ...Object.keys(scenario.bodies),
    ...steps.flatMap(({ body }) => bodyNameOf(body) ?? []),
  ]);
  return {
    keys: Object.fromEntries([...keys].map((name) => [name, binder(`key ${name}`).key])),
    markers: Object.fromEntries([...bodies].map((name) => [name, markerOf(scenario, binder, name)])),
  };
}

/** The marker of a body, or of one of the numbered ones of a burst (`body#7`). */
export function markerOf(scenario: Scenario, binder: Binder, name: string): string {
  return binder(`body ${name}`, formOf(scenario, name)).marker;
}

/** How many IDs are drawn before one is reused: some forms have few values. */
const drawsOfId = 60;

/** None is one that the run has `taken` before, since probes that share a record disturb each other. */
export function chosenIds(
  scenario: Scenario,
  contract: Contract,
  binder: Binder,
  taken: ChosenIds = new Set<string>(),
): Readonly<Record<string, string>> {
  const ids: Record<string, string> = {};
  const fields = stepsOf(scenario.waves).flatMap((step) =>
    Object.entries(step.target ?? {}).flatMap(([name, ref]) => {
      // A list around the record is given its whole path, and has no field for the last part.
      const { named = [], pathFields } = operationOf(contract, step.operation);
      const field = [...pathFields, ...named.map((one) => one.field)].find((own) => own.name === name);
      return 'chosen' in ref && field !== undefined ? [{ id: ref.chosen, field }] : [];
    }),
  );
  // Of several forms that of the command that makes the record counts.
  for (const { id: name, field } of [...fields.filter((one) => one.field.chosen), ...fields]) {
    if (ids[name] !== undefined) continue;
    const schema = field.schema ?? true;
    let id = idOfForm(schema, binder(`id ${name}`));
    for (let draw = 1; taken.has(id) && draw < drawsOfId; draw += 1)
      id = idOfForm(schema, binder(`id ${name} ${draw}`));
    taken.add(id);
    ids[name] = id;
  }
  return ids;
}
