import { type Answered, headerValues } from './reading.ts';

/** Whether another request had the key of a command before it. */
export function isEarlierUse({ exchange, operation }: Answered, one: Answered): boolean {
  const [key, own] = [exchange, one.exchange].map(({ request }) =>
    headerValues(request.headers, 'idempotency-key').join(),
  );
  return (
    operation.kind === 'command' &&
    exchange.id !== one.exchange.id &&
    exchange.startedAt < one.exchange.startedAt &&
    key !== '' &&
    key === own
  );
}
