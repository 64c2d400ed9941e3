import type { Behaviour, Call } from '../behaviour.ts';
import { headerValues } from '../message.ts';

const keyOf = (call: Call): string => headerValues(call.request, 'Idempotency-Key').join();

export function noteKey(status: number): Behaviour['onRefusal'] {
  return (call, problem) => {
    if (problem.status === status) call.service.notes.set(`refused ${keyOf(call)}`, true);
  };
}

/** A refused request takes its key: whatever comes with the key now is another request. */
export const occupied: Behaviour['claim'] = (call, name, fingerprint) => {
  const { keys, notes } = call.service;
  const found = keys.find(name);
  if (found !== undefined) return { entry: found, mine: false };
  if (notes.get(`refused ${keyOf(call)}`) === true)
    return { entry: keys.insert(name, call, 'of the refused request'), mine: false };
  return { entry: keys.insert(name, call, fingerprint), mine: true };
};
