import type { OperationId } from '../model/contract.ts';
import { type Arrived, headerValues } from './message.ts';

/** What a hook asked to happen to the next command that fits; each happens once. */
export type Injection = {
  readonly what: 'slow' | 'fail-before-commit' | 'fail-after-commit';
  readonly key: string | undefined;
  readonly operation: OperationId | undefined;
  readonly milliseconds: number;
};

export type Injections = {
  readonly add: (injection: Injection) => void;
  /** Takes out, in the order in which they were asked for, those that fit the call. */
  readonly take: (call: Arrived) => readonly Injection[];
};

export function createInjections(): Injections {
  let waiting: readonly Injection[] = [];
  return {
    add: (injection) => {
      waiting = [...waiting, injection];
    },
    take: (call) => {
      if (waiting.length === 0) return waiting;
      const keys = headerValues(call.request, 'Idempotency-Key');
      const fits = (one: Injection) =>
        (one.key === undefined || keys.includes(one.key)) &&
        (one.operation === undefined || one.operation === call.operation.id);
      const taken = waiting.filter(fits);
      waiting = waiting.filter((one) => !fits(one));
      return taken;
    },
  };
}
