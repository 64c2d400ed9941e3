/** What follows from an object alone is found out once: it is asked for again and again. */
export function remembered<Of extends object, Result extends NonNullable<unknown>>(
  find: (of: Of) => Result,
): (of: Of) => Result {
  const known = new WeakMap<Of, Result>();
  return (of) => {
    const before = known.get(of);
    if (before !== undefined) return before;
    const found = find(of);
    known.set(of, found);
    return found;
  };
}

/** The same where it follows from one other thing as well, which is nearly always the same one for an object. */
export function rememberedWith<Of extends object, Other, Result>(
  find: (of: Of, other: Other) => Result,
): (of: Of, other: Other) => Result {
  const known = new WeakMap<Of, { readonly other: Other; readonly found: Result }>();
  return (of, other) => {
    const before = known.get(of);
    if (before?.other === other) return before.found;
    const found = find(of, other);
    known.set(of, { other, found });
    return found;
  };
}
