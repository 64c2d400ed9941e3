import type { KeyReuse } from '../model/scenario.ts';
import type { Rule } from './rule.ts';

export function declaredStatus(
  declared: number | undefined,
  otherwise: readonly number[],
): readonly number[] {
  return declared === undefined ? otherwise : [declared];
}

export function keyRule(how: 'absent' | 'blank' | 'doubled' | 'odd', declared: number | undefined): Rule {
  if (how === 'doubled')
    return { success: true, refusals: 'any 4xx', why: 'two keys: refused, or one effect under one key' };
  if (how === 'odd')
    return { success: true, refusals: 'any 4xx', why: 'an unusual key: accepted or refused' };
  return {
    success: false,
    refusals: declaredStatus(declared, [422]),
    tolerated: declared === undefined ? [400, 409] : [],
    why:
      how === 'absent' ? 'Idempotency-Key is missing (G2)' : 'a blank Idempotency-Key is a missing one (G2)',
  };
}

export function reuseRule(difference: KeyReuse['difference']): Rule {
  switch (difference) {
    case 'none':
    case 'late':
    case 'form':
    case 'token':
      return { success: true, refusals: [409], why: 'a duplicate: the stored result or a conflict (G1)' };
    case 'correction':
      return {
        success: true,
        refusals: [409],
        why: 'a corrected request under the key of a refused one (G5)',
      };
    case 'request':
      return { success: false, refusals: [409], why: 'the key is bound to another request' };
    case 'history':
      return { success: true, refusals: [409], why: 'whatever explains the history as a whole' };
    case 'caller':
    case 'scope':
    case 'operation':
    case 'target':
    case 'parameter':
      return { success: true, refusals: [409], why: 'its own result, or a conflict (G18)' };
    case 'version':
      return { success: true, refusals: [409], why: 'a duplicate, or another request under its key' };
    case 'query':
      return { success: true, refusals: [400, 404, 409, 422], why: 'a duplicate on an unusual path' };
  }
}
