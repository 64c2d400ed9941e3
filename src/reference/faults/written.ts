import type { Call } from '../behaviour.ts';
import { bodyValue } from '../body.ts';
import { fieldsOf } from '../present.ts';
import { remember, type StoredRecord } from '../records.ts';

/** Writes what was sent, and nothing else: no version and no count moves. */
export function write(call: Call, record: StoredRecord): void {
  const { clock, settings } = call.service;
  record.fields = { ...record.fields, ...fieldsOf(call, bodyValue(call)) };
  remember(record, clock.monotonic(), settings.readLagMs);
}
