import { validator } from '../../src/generate/index.ts';
import { creates, isCarried, type Operation } from '../../src/model/contract.ts';
import { membersAt } from '../../src/model/described-places.ts';
import { type Json, pointerOf, withValueAt } from '../../src/model/json.ts';
import { schemasAt } from '../../src/model/schema-places.ts';
import { isIdName } from '../../src/suite-kit/texts.ts';
import type { OperationValues } from '../../src/suite-kit/values.ts';

/**
 * A body that makes a record with false or 0 where the contract declares another default: code that asks whether there is a
 * value puts the default in its place. Undefined where there is no such member.
 */
export function offBody(
  operation: Operation,
  { marker, plain }: Pick<OperationValues, 'marker' | 'plain'>,
): Json | undefined {
  const { body } = operation;
  if (body === undefined || plain === undefined || operation.method !== 'POST' || !creates(operation))
    return undefined;
  const check = validator(body.schema, { formats: 'assert' });
  const off = membersAt(body.schema, '')
    .map((name) => pointerOf([name]))
    .filter((at) => at !== marker && !isIdName(at) && !isCarried(operation, at))
    .reduce<Json>((rest, at) => {
      const usual = schemasAt(body.schema, at).map((schema) => schema['default']);
      const value = usual.includes(true)
        ? false
        : usual.some((one) => typeof one === 'number' && one !== 0)
          ? 0
          : undefined;
      const next = value === undefined ? rest : withValueAt(rest, at, value);
      return check(next).length === 0 ? next : rest;
    }, plain);
  return off === plain ? undefined : off;
}
