import { isObject, pointerTokens } from '../model/json.ts';
import type { Call, RecordDecisions } from './behaviour.ts';
import { bodyValue } from './body.ts';
import { list } from './listing.ts';
import type { Refusal, Result } from './message.ts';
import { readBefore } from './permission.ts';
import { fieldsOf, handlingFor, resultOf } from './present.ts';
import { remember, type StoredRecord } from './records.ts';
import type { Member } from './schemas.ts';
import { randomHex } from './service.ts';
import { newRecord, standingId } from './standing.ts';
import { sentVerification } from './verification.ts';

export const recordDecisions: RecordDecisions = {
  newId: (call, member, noun) => {
    const prefix = member?.prefix ?? `${noun}_`;
    const hex = randomHex(call.service, 16);
    const uuid = hex.replace(/^(.{8})(.{4}).(.{3}).(.{3})(.{12})$/, '$1-$2-4$3-8$4-$5');
    const forms = [
      prefix + hex.slice(0, 24),
      prefix + hex.slice(0, 12),
      prefix + hex.slice(0, 8),
      uuid,
      hex,
      hex.toUpperCase(),
    ];
    const inPaths = [...call.service.schemas.membersOf(handlingFor(call).idsInPaths).values()];
    const isInPaths = (id: string): boolean =>
      inPaths.every(({ accepts }) => accepts(id) || accepts(Number(id)));
    const fits = (id: string): boolean => member?.accepts(id) !== false && isInPaths(id);
    const form = forms.find(fits);
    if (form !== undefined) return form;
    const count = call.service.records.nextSequence();
    if (isInPaths(`${count}`) && [count, `${count}`].some((id) => member?.accepts(id) !== false))
      return `${count}`;
    const others = [...inPaths, member]
      .map((one) => one?.other(count))
      .filter((one) => typeof one === 'string');
    const other = others.find(fits) ?? others.at(-1);
    return other === undefined
      ? prefix + count
      : varied(other, hex, fits(other) ? fits : (id) => member?.accepts(id) !== false);
  },
  insert: (call, record) => call.service.records.insert(record),
  remove: (_call, record) => {
    record.removed = true;
  },
  beforeCommit: () => new Promise((resolve) => setImmediate(resolve)),
};

/** Phase: runs the operation. What a hook asked for happens on the way. */
export async function execute(call: Call): Promise<Refusal | undefined> {
  const { behaviour, clock, closing, injections } = call.service;
  if (call.operation.kind === 'read') return show(call);
  const injected = injections.take(call);
  await behaviour.beforeCommit(call);
  for (const { milliseconds, what } of injected) {
    if (what === 'slow') await clock.sleep(milliseconds, closing);
    if (what === 'fail-before-commit') throw new Error('asked to fail before the commit');
  }
  commit(call);
  if (injected.some(({ what }) => what === 'fail-after-commit')) {
    throw new Error('asked to fail after the commit');
  }
  return undefined;
}

function show(call: Call): Refusal | undefined {
  call.service.behaviour.readEffect(call);
  const outcome = handlingFor(call).does === 'list' ? list(call) : readOne(call);
  if ('kind' in outcome) return outcome;
  call.result = outcome;
  return undefined;
}

function readOne(call: Call): Refusal | Result {
  const { behaviour, records } = call.service;
  const record = call.target;
  const snapshot = record === undefined ? undefined : records.seen(record, readBefore(call));
  if (record === undefined || snapshot === undefined) return behaviour.refuseTarget(call, 'absent');
  return resultOf(call, record, snapshot);
}

/** Nothing else runs between its first and its last line. Faults call it to have an effect where there must be none. */
export function commit(call: Call): Result {
  const { behaviour, effects } = call.service;
  effects.count(call);
  behaviour.spendVerification(call, sentVerification(call));
  call.result = handlingFor(call).does === 'create' ? create(call) : change(call);
  return call.result;
}

function create(call: Call): Result {
  const { behaviour, records } = call.service;
  const { noun, recordFields } = handlingFor(call);
  const record = newRecord(
    call,
    behaviour.newId(call, resultMember(call), noun),
    recordFields.map(({ name }) => call.pathValues[name] ?? ''),
    records.nextSequence(),
  );
  count(call, call.target);
  record.fields = fieldsOf(call, bodyValue(call));
  const result = resultOf(call, record, record);
  if (isObject(result.value)) record.fields = { ...record.fields, ...result.value };
  remember(record, call.service.clock.monotonic(), call.service.settings.readLagMs);
  behaviour.insert(call, record);
  return result;
}

function change(call: Call): Result {
  const { behaviour, clock, records, schemas, settings } = call.service;
  const { does, noun, recordSchema, tail } = handlingFor(call);
  let record = call.target;
  if (record === undefined) {
    // The caller chose its ID, or nobody made it before.
    const { chosen, recordFields } = handlingFor(call);
    const id = chosen === undefined ? standingId(call) : (call.pathValues[chosen] ?? '');
    const parents = recordFields.map(({ name }) => call.pathValues[name] ?? '');
    record = newRecord(call, id, parents, records.nextSequence());
    behaviour.insert(call, record);
    call.made = true;
  } else if (call.operation.version?.neutral !== true) {
    record.version = behaviour.advanceVersion(call, record.version);
  }
  const times = count(call, record);
  record.fields = { ...record.fields, ...fieldsOf(call, bodyValue(call)) };
  const counter =
    recordSchema === undefined || tail === undefined ? undefined : schemas.membersOf(recordSchema).get(tail);
  if (tail !== undefined && counter?.accepts(times) === true) {
    record.fields = { ...record.fields, [tail]: times };
  }
  record.removed = false;
  if (does === 'remove') behaviour.remove(call, record);
  const member = resultMember(call);
  // Where the result is of another kind than the target, it has an ID of its own.
  const own = member === undefined || [record.id, Number(record.id)].some((id) => member.accepts(id));
  const result = resultOf(call, own ? record : { id: behaviour.newId(call, member, noun) }, record);
  if (own && isObject(result.value)) record.fields = { ...record.fields, ...result.value };
  remember(record, clock.monotonic(), settings.readLagMs);
  return result;
}

/** Notes that the command was run on the record, and how often by now. */
function count(call: Call, record: StoredRecord | undefined): number {
  const times = (record?.applied.get(call.operation.id) ?? 0) + 1;
  record?.applied.set(call.operation.id, times);
  return times;
}

/** What the contract shows of the ID in the result. */
function resultMember(call: Call): Member | undefined {
  const { idAt, idHolder } = handlingFor(call);
  return idHolder === undefined
    ? undefined
    : call.service.schemas.membersOf(idHolder).get(pointerTokens(idAt).at(-1) ?? '');
}

/** The text with random digits wherever its form takes them: of a pattern few texts are made. */
function varied(text: string, hex: string, accepts: (text: string) => boolean): string {
  let found = text;
  for (let at = 0; at < Math.min(text.length, hex.length); at += 1) {
    const next = found.slice(0, at) + (hex[at] ?? '') + found.slice(at + 1);
    if (accepts(next)) found = next;
  }
  return found;
}
