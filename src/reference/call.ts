import type { Call, Incoming } from './behaviour.ts';

/** Who calls, as far as it is known: two tokens of one identity are one caller. */
export function callerOf(call: Incoming): { readonly identity: string; readonly scope: string } {
  return { identity: call.principal?.identity ?? '', scope: call.principal?.scope ?? '' };
}

/** The path with its values filled in: `/cases/case_1/contacts`. */
export function concretePath(call: Call): string {
  return call.operation.path.replace(/\{([^}]+)\}/g, (whole, name: string) => {
    const value = Object.hasOwn(call.pathValues, name) ? call.pathValues[name] : undefined;
    return value === undefined ? whole : encodeURIComponent(value);
  });
}
