import type { Fold, Violated } from '../../model/clause.ts';
import {
  creates,
  idText,
  isCount,
  isReadById,
  type Operation,
  type PathField,
} from '../../model/contract.ts';
import { isArray, isObject, type Json, type JsonPointer, pointerOf } from '../../model/json.ts';
import { bare, singular, writtenName } from '../../model/path.ts';
import { exactJsonOf, sentJson } from '../../model/response.ts';
import { lettersOf } from '../judging/changes.ts';
import {
  type Answered,
  answered,
  faultsOf,
  idOf,
  isAccepted,
  pathValues,
  type Seen,
  seen,
  violated,
} from '../judging/reading.ts';
import { plainMembers } from '../judging/record-changes.ts';
import { readOfRecord } from '../judging/record-reads.ts';

/** So many records are remembered, those that were made last. */
const most = 5000;

/**
 * A record that a command makes below another does not show, in the member that has the name of the other, a different record of
 * that kind, which the run made as well (CMD-6). It may where the command names that one too, or where the record shows the ID of
 * the path elsewhere.
 */
export function otherParent(): Fold {
  const made = new Set<string>();
  return {
    *see(context, trace) {
      const all = seen(context, trace);
      for (const one of answered(context, trace)) {
        const { answer, operation, step } = one;
        const makes = creates(operation) || isReadById(context.contract, operation);
        if (!makes || !isAccepted(answer) || faultsOf(step).length > 0) continue;
        const own = idOf(operation, answer);
        if (own === undefined) continue;
        made.add(`${operation.id} ${own}`);
        if (made.size > most) made.delete(made.keys().next().value ?? '');
        if (operation.method !== 'POST' || operation.pathFields.length === 0) continue;
        const read = readOfRecord(context, all, one);
        const records = [read, one].flatMap((shown): readonly Shown[] => {
          const record = exactJsonOf(shown?.exchange.answer);
          return shown === undefined || record === undefined ? [] : [{ shown, record }];
        });
        for (const parent of parentsOf(one)) {
          const isMade = (id: string): boolean => made.has(`${parent.field.source?.operation} ${id}`);
          if (!isMade(parent.id)) continue;
          const found = records.flatMap((each) => {
            const place = placeOf(each.record, parent);
            const isOther = place !== undefined && place.is !== own && isMade(place.is);
            return isOther && !hasId(each.record, parent.id) && !isNamed(one, place.is)
              ? [ruling(one, each.shown, parent, place)]
              : [];
          });
          yield* found.slice(0, 1);
        }
      }
    },
  };
}

type Shown = { readonly shown: Seen; readonly record: Json };
type Parent = { readonly field: PathField; readonly noun: string; readonly id: string };
type Place = { readonly at: JsonPointer; readonly is: string };

/** The records that the path of a command names. */
function parentsOf({ exchange, operation }: Answered): readonly Parent[] {
  const values = pathValues(operation, exchange);
  return operation.pathFields.flatMap((field, position) => {
    const id = values[position];
    return id === undefined ? [] : [{ field, noun: nounOf(operation, field), id }];
  });
}

/** Where a record names the one that it is below: `/orders/{orderId}/lines` has it at `/orderId`, `/order` or `/order/id`. */
function placeOf(record: Json, { noun }: Parent): Place | undefined {
  for (const [name, value] of plainMembers(record)) {
    const letters = lettersOf(name);
    if (letters !== noun && letters !== `${noun}id`) continue;
    const place = pointerOf(isObject(value) ? [name, 'id'] : [name]);
    const is = idText(isObject(value) ? value['id'] : value);
    // A number under another name may be anything.
    if (is !== undefined && (!isCount(is) || place.toLowerCase().endsWith('id'))) return { at: place, is };
  }
  return undefined;
}

/** `order` of `{orderId}`, and of `/orders/{id}`. */
function nounOf({ path }: Operation, field: PathField): string {
  const name = lettersOf(writtenName(field));
  if (name !== 'id' && name.endsWith('id')) return name.slice(0, -2);
  const segments = bare(path).split('/');
  const before = segments[segments.findIndex((one) => one.includes(`{${field.name}}`)) - 1];
  return lettersOf(singular(before ?? name));
}

/** Whether a command names a record in its path or its body. */
function isNamed({ exchange, operation }: Answered, id: string): boolean {
  return pathValues(operation, exchange).includes(id) || hasId(sentJson(exchange.request) ?? null, id);
}

function hasId(value: Json, id: string): boolean {
  if (isArray(value)) return value.some((each) => hasId(each, id));
  if (isObject(value)) return Object.values(value).some((each) => hasId(each, id));
  return idText(value) === id;
}

function ruling(one: Answered, shown: Seen, { id }: Parent, { at, is }: Place): Violated {
  return violated(shown.exchange === one.exchange ? [one] : [one, shown], {
    expected: `${id} at ${at}, as in the path`,
    actual: `${is} at ${at}`,
    because: `The record was made below ${id}, but it names at ${at} another record, which a different command created.`,
  });
}
