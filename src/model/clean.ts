declare const passed: unique symbol;

/** What has passed the redaction gate: nothing else may be written. Only the gate (src/evidence/gate.ts) makes it. */
export type Clean<T> = T & { readonly [passed]: true };
