import type { CarrierOfGuidance, Declaration, Declared } from '../../model/declaration.ts';
import { isObject, type Json } from '../../model/json.ts';
import { declaredMember } from './point.ts';

/** Reads a declaration once; what has another form than the schema allows counts as not declared. */
export function parsedDeclaration(raw: Declaration): Declared {
  const limits = isObject(raw.G8) ? raw.G8 : {};
  const requests = number(limits['requests']);
  const perSeconds = number(limits['perSeconds']);
  return {
    written: raw,
    G1: oneOf(raw.G1, 'replay', 'conflict'),
    G2: number(raw.G2),
    G3: oneOf(raw.G3, 'stored', 'new'),
    G4: number(raw.G4),
    G5: oneOf(raw.G5, 'accept', 'conflict'),
    G7: oneOf(raw.G7, 'ignore', 'refuse'),
    G8: {
      unthrottled: raw.G8 === 'unthrottled' || limits['unthrottled'] === true,
      rate: requests === undefined || perSeconds === undefined ? undefined : { requests, perSeconds },
      guidance: carrier(limits['guidance']),
    },
    G9: oneOf(raw.G9, 403, 404),
    G10: oneOf(raw.G10, 403, 'replay'),
    G11: oneOf(raw.G11, 403, 422, 'lenient'),
    G12: oneOf(raw.G12, 'stored', 'released'),
    G13: seconds(raw.G13),
    G14: {
      malformed: number(raw.G14) ?? number(declaredMember(raw.G14, 'malformed')),
      mediaType: number(declaredMember(raw.G14, 'mediaType')),
    },
    G15: seconds(raw.G15),
    G16: oneOf(declaredMember(raw.G16, 'naming'), 'exact', 'leaf'),
    G18: oneOf(raw.G18, 'caller', 'caller-operation', 'tenant', 'tenant-operation', 'global'),
    G19: oneOf(raw.G19, 'none', 'conflict'),
  };
}

function number(declared: Json | undefined): number | undefined {
  return typeof declared === 'number' ? declared : undefined;
}

function seconds(declared: Json | undefined): number | undefined {
  return number(declaredMember(declared, 'seconds'));
}

function oneOf<const Values extends readonly (string | number)[]>(
  declared: Json | undefined,
  ...values: Values
): Values[number] | undefined {
  return values.find((value) => value === declared);
}

function carrier(declared: Json | undefined): CarrierOfGuidance | undefined {
  const name = declaredMember(declared, 'name');
  if (typeof name !== 'string') return undefined;
  return {
    name,
    unit: oneOf(declaredMember(declared, 'unit'), 'seconds', 'milliseconds', 'minutes') ?? 'seconds',
  };
}
