/** A bare item (RFC 9651, 3.3); tokens, byte sequences and display strings stand as their text, dates as numbers. */
export type BareItem = number | string | boolean;

/** A member of a list or a dictionary: its key or undefined, its value, its parameters. An inner list has the value `''`. */
export type Member = {
  readonly key: string | undefined;
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
};

const longest = 8192;

/**
 * Reads a header field as a structured list or dictionary (RFC 9651, 4.2), whichever its members are.
 * Undefined where the text is neither.
 */
export function structuredMembers(text: string): readonly Member[] | undefined {
  if (text.length > longest) return undefined;
  const members: Member[] = [];
  let rest = text.trim();
  while (rest !== '') {
    const read = member(rest);
    if (read === undefined) return undefined;
    members.push(read.member);
    const separator = /^[ \t]*,[ \t]*(?=\S)/.exec(read.rest);
    if (separator === null) return /^[ \t]*$/.test(read.rest) ? members : undefined;
    rest = read.rest.slice(separator[0].length);
  }
  return members;
}

type Read<Value> = { readonly value: Value; readonly rest: string };

function member(text: string): { readonly member: Member; readonly rest: string } | undefined {
  const key = /^([a-z*][a-z0-9_\-.*]*)=/.exec(text);
  const start = key === null ? text : text.slice(key[0].length);
  const item = start.startsWith('(') ? innerList(start) : bareItem(start);
  if (item === undefined) return undefined;
  const after = parameters(item.rest);
  return {
    member: { key: key?.[1], value: item.value, parameters: after.value },
    rest: after.rest,
  };
}

function parameters(text: string): Read<ReadonlyMap<string, BareItem>> {
  const found = new Map<string, BareItem>();
  let rest = text;
  for (;;) {
    const name = /^[ \t]*;[ \t]*([a-z*][a-z0-9_\-.*]*)/.exec(rest);
    if (name === null) return { value: found, rest };
    const after = rest.slice(name[0].length);
    const item = after.startsWith('=') ? bareItem(after.slice(1)) : { value: true, rest: after };
    if (item === undefined) return { value: found, rest };
    found.set(name[1] ?? '', item.value);
    rest = item.rest;
  }
}

function innerList(text: string): Read<BareItem> | undefined {
  let rest = text.slice(1).trimStart();
  while (!rest.startsWith(')')) {
    const item = bareItem(rest);
    if (item === undefined) return undefined;
    rest = parameters(item.rest).rest.trimStart();
  }
  return { value: '', rest: rest.slice(1) };
}

const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => BareItem])[] = [
  [/^-?\d{1,12}\.\d{1,3}(?![\d.])/, (match) => Number(match[0])],
  [/^-?\d{1,15}(?![\d.])/, (match) => Number(match[0])],
  [/^"((?:[^"\\\u0000-\u001f\u007f]|\\["\\])*)"/, (match) => (match[1] ?? '').replace(/\\(.)/g, '$1')],
  [/^\?([01])/, (match) => match[1] === '1'],
  [/^:([A-Za-z0-9+/=]*):/, (match) => match[1] ?? ''],
  [/^@(-?\d{1,15})/, (match) => Number(match[1])],
  [/^%"([^"]*)"/, (match) => match[1] ?? ''],
  [/^[A-Za-z*][\w!#$%&'*+\-.^`|~:/]*/, (match) => match[0]],
];

function bareItem(text: string): Read<BareItem> | undefined {
  for (const [form, read] of forms) {
    const match = form.exec(text);
    if (match !== null) return { value: read(match), rest: text.slice(match[0].length) };
  }
  return undefined;
}
