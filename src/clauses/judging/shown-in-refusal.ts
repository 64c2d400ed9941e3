import type { Context, Judge, Ruling } from '../../model/clause.ts';
import { idText, type Operation } from '../../model/contract.ts';
import type { Trace } from '../../model/exchange.ts';
import { isArray, isObject, type Json, type JsonObject } from '../../model/json.ts';
import { hasMarker, isUsual, shownMarkers } from '../../model/marker.ts';
import { pathTexts } from '../../model/path.ts';
import { scopeOf } from '../../model/principal.ts';
import { foreignSigns } from './listing.ts';
import { isUnique } from './own-record.ts';
import {
  type Answered,
  answered,
  discloses,
  find,
  isAccepted,
  jsonOf,
  pathValues,
  violated,
} from './reading.ts';

/** A caller of another scope is refused, and the refusal shows what it may not see. */
export function shownInRefusal(kind: Operation['kind']) {
  return function* rule(context: Context, trace: Trace): Iterable<Ruling> {
    for (const one of answered(context, trace)) {
      if (one.operation.kind !== kind || one.step.role !== 'test' || isAccepted(one.answer)) continue;
      if (find(one.step, 'scope') === undefined) continue;
      const shown = signIn(context, trace, one) ?? recordIn(context, trace, one, 'foreign');
      if (shown !== undefined)
        yield violated([one], {
          expected: 'a refusal without data of the other scope',
          actual: shown,
          because: 'The refusal shows a record of another scope.',
          conclusive: true,
        });
    }
  };
}

/** A caller without credential or permission is refused, and the refusal shows what it may not see. */
export function shownInVain(fault: 'credential' | 'permission', kinds: readonly Operation['kind'][]): Judge {
  return {
    over: 'trace',
    needs: [fault],
    *rule(context: Context, trace: Trace): Iterable<Ruling> {
      for (const one of answered(context, trace)) {
        if (!kinds.includes(one.operation.kind) || one.step.role !== 'test') continue;
        if (one.answer.status < 400 || find(one.step, fault) === undefined) continue;
        if (fault === 'permission' && mayKnow(context, one)) continue;
        const asked = JSON.stringify(one.exchange.request);
        const shown =
          shownMarkers(one.answer.body).find((marker) => !hasMarker(asked, marker)) ??
          recordIn(context, trace, one, 'any');
        if (shown !== undefined)
          yield violated([one], {
            expected: 'a refusal without data',
            actual: shown,
            because: `The refusal shows a record to a caller without ${fault === 'credential' ? 'a valid credential' : 'permission'}.`,
            conclusive: true,
          });
      }
    },
  };
}

/** Whether a caller may see the records all the same: it may read them elsewhere, or had the permission when it made them. */
function mayKnow({ contract, principals }: Context, { operation, step }: Answered): boolean {
  if (find(step, 'permission')?.how === 'withdrawn') return true;
  const held = principals.find(({ name }) => name === step.as)?.permissions ?? [];
  const makers = operation.pathFields.map(({ source }) => source?.operation);
  const near = contract.operations.filter(
    ({ effect, id }) =>
      id === operation.id || makers.includes(id) || [effect?.read, effect?.list].includes(operation.id),
  );
  const showing = new Set(near.flatMap(({ effect }) => [effect?.read, effect?.list]));
  return contract.operations.some(
    ({ id, permissions = [] }) => showing.has(id) && permissions.every((name) => held.includes(name)),
  );
}

/** What a caller of the other scope wrote, or the ID of what it made. */
function signIn(context: Context, trace: Trace, one: Answered): string | undefined {
  const { request } = one.exchange;
  const asked = `${pathTexts(request)} ${request.body ?? ''}`;
  return foreignSigns(context, trace, one.step.as)
    .map((sign) => sign.replaceAll('"', ''))
    .find((sign) =>
      isUsual(sign)
        ? hasMarker(one.answer.body, sign) && !hasMarker(asked, sign)
        : discloses(one.exchange, sign),
    );
}

/** Members that a service may put into each response. */
const ofResponse = /^_*(?:api|build|env|host|instance|node|region|request|server|service|trace|correlation)/i;

/** At least three members of the record, and half of those that it has, one of which no other record has. */
function recordIn(
  context: Context,
  trace: Trace,
  one: Answered,
  whose: 'foreign' | 'any',
): string | undefined {
  const id = pathValues(one.operation, one.exchange).at(-1);
  const scope = (as: string): string | undefined => scopeOf(context.principals, as);
  const asked = JSON.stringify([pathTexts(one.exchange.request), one.exchange.request.body ?? '']);
  const shown = objectsIn(jsonOf(one.answer));
  for (const other of answered(context, trace)) {
    if (!isAccepted(other.answer)) continue;
    if (whose === 'foreign' && other.exchange.endedAt > one.exchange.startedAt) continue;
    if (whose === 'foreign' && scope(other.step.as) === scope(one.step.as)) continue;
    for (const record of objectsIn(jsonOf(other.answer))) {
      if (id === undefined || !Object.values(record).some((value) => idText(value) === id)) continue;
      const own = Object.entries(record).filter(
        ([name, value]) =>
          ['string', 'number'].includes(typeof value) &&
          !ofResponse.test(name) &&
          !asked.includes(JSON.stringify(String(value)).slice(1, -1)),
      );
      for (const object of shown) {
        const same = own.filter(([name, value]) => Object.hasOwn(object, name) && object[name] === value);
        if (same.length < 3 || same.length * 2 < own.length) continue;
        if (same.some(([, value]) => isUnique(trace, one, String(value))))
          return same.map(([name, value]) => `${name}: ${value}`).join(', ');
      }
    }
  }
  return undefined;
}

function objectsIn(value: Json | undefined): readonly JsonObject[] {
  if (isArray(value)) return value.flatMap(objectsIn);
  return isObject(value) ? [value, ...Object.values(value).flatMap(objectsIn)] : [];
}
