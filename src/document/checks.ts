import { createRequire } from 'node:module';
import type { ErrorObject, ValidateFunction } from 'ajv/dist/2020.js';

/** Returns the value, or else what is wrong with it. */
export type Check<T> = {
  (value: unknown): value is T;
  errors?: readonly ErrorObject[] | null;
};

/**
 * A check that the build compiled ahead of time says that a value is valid; what is wrong with an invalid one is found by
 * a check that is compiled only then. To compile one takes up to 0.1 s, and most values are valid. Neither is read from
 * disk before it is called.
 * @param name of the check in `.ci/derive.mjs`; where there is none, as in the sources, the second one does it all. Each
 *   name is compiled once in a process.
 */
export function checkOf<T>(name: string, compile: () => ValidateFunction<T>): Check<T> {
  let ahead: ReturnType<typeof compiledAhead> | 'unread' = 'unread';
  const check: Check<T> = (value): value is T => {
    check.errors = null;
    if (ahead === 'unread') ahead = compiledAhead(name);
    if (ahead?.(value) === true) return true;
    const exact = compiled.get(name) ?? compile();
    compiled.set(name, exact);
    const valid = exact(value);
    check.errors = exact.errors ?? null;
    return valid;
  };
  return check;
}

const compiled = new Map<string, ValidateFunction>();

/** A check that the build compiled; it says nothing of why. Undefined where the sources run as they are. */
export function compiledAhead(name: string): ((value: unknown) => boolean) | undefined {
  try {
    const made: unknown = createRequire(import.meta.url)(`../../checks/${name}.cjs`);
    return isFunction(made) ? made : undefined;
  } catch {
    return undefined;
  }
}

function isFunction(value: unknown): value is (value: unknown) => boolean {
  return typeof value === 'function';
}
