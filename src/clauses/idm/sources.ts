/** Where the specification speaks of keys, and its words. */
export const rule1 = {
  where: 'POST /cases, rule 1',
  quote: 'When `Idempotency-Key` is missing, the request does not meet the contract',
};
export const rule4 = {
  where: 'POST /cases, rule 4',
  quote: 'When the request conflicts with state, version, idempotency, or approval, the result is `409`.',
};
export const limits2 = {
  where: 'Limits, 2',
  quote: 'Commands are deduplicated by `Idempotency-Key`; each command needs a unique key.',
};
export const service4 = {
  where: 'What the service does, 4',
  quote: 'Write operations (commands) use a unique idempotency key.',
};
