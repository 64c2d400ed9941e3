import { percentDecoded } from '../model/text.ts';

/** A bare item (RFC 9651, 3.3); tokens, byte sequences and display strings are their text, dates numbers. */
export type BareItem = number | string | boolean;

/** A member of a list or a dictionary: its key or undefined, its value, its parameters. An inner list has the value `''`. */
export type Member = {
  readonly key: string | undefined;
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
};

type Read<Value> = { readonly value: Value; readonly rest: string };
type Item = Omit<Member, 'key'>;

const longest = 8192;
const key = /^[a-z*][a-z0-9_\-.*]*/;

/**
 * Reads a header field as a structured list, or else as a dictionary (RFC 9651, 4.2).
 * Undefined where the text is neither.
 */
export function structuredMembers(text: string): readonly Member[] | undefined {
  if (text.length > longest) return undefined;
  const trimmed = text.replace(/^ +| +$/g, '');
  const list = separated(trimmed, (rest) =>
    read(itemOrInnerList(rest), (item) => ({ key: undefined, ...item })),
  );
  return list ?? dictionary(trimmed);
}

/** Of two members with one key the last counts. */
function dictionary(text: string): readonly Member[] | undefined {
  const members = separated(text, (rest) => {
    const name = key.exec(rest)?.[0];
    if (name === undefined) return undefined;
    const after = rest.slice(name.length);
    const item = after.startsWith('=')
      ? itemOrInnerList(after.slice(1))
      : read(parameters(after), (found) => ({ value: true, parameters: found }));
    return read(item, (found) => ({ key: name, ...found }));
  });
  return members === undefined
    ? undefined
    : [...new Map(members.map((member) => [member.key, member])).values()];
}

function separated(
  text: string,
  member: (rest: string) => Read<Member> | undefined,
): readonly Member[] | undefined {
  const members: Member[] = [];
  let rest = text;
  while (rest !== '') {
    const found = member(rest);
    if (found === undefined) return undefined;
    members.push(found.value);
    const separator = /^[ \t]*,[ \t]*(?=[^ \t])/.exec(found.rest);
    if (separator === null) return /^[ \t]*$/.test(found.rest) ? members : undefined;
    rest = found.rest.slice(separator[0].length);
  }
  return members;
}

function read<From, To>(from: Read<From> | undefined, to: (value: From) => To): Read<To> | undefined {
  return from === undefined ? undefined : { value: to(from.value), rest: from.rest };
}

function itemOrInnerList(text: string): Read<Item> | undefined {
  const bare = text.startsWith('(') ? innerList(text) : bareItem(text);
  if (bare === undefined) return undefined;
  return read(parameters(bare.rest), (found) => ({ value: bare.value, parameters: found }));
}

function parameters(text: string): Read<ReadonlyMap<string, BareItem>> | undefined {
  const found = new Map<string, BareItem>();
  let rest = text;
  while (rest.startsWith(';')) {
    rest = rest.replace(/^; */, '');
    const name = key.exec(rest)?.[0];
    if (name === undefined) return undefined;
    const after = rest.slice(name.length);
    const item = after.startsWith('=') ? bareItem(after.slice(1)) : { value: true, rest: after };
    if (item === undefined) return undefined;
    found.set(name, item.value);
    rest = item.rest;
  }
  return { value: found, rest };
}

function innerList(text: string): Read<BareItem> | undefined {
  let rest = text.slice(1);
  for (;;) {
    rest = rest.replace(/^ +/, '');
    if (rest.startsWith(')')) return { value: '', rest: rest.slice(1) };
    const item = bareItem(rest);
    const after = item === undefined ? undefined : parameters(item.rest);
    if (after === undefined || !/^[ )]/.test(after.rest)) return undefined;
    rest = after.rest;
  }
}

const forms: readonly (readonly [RegExp, (match: RegExpExecArray) => BareItem | undefined])[] = [
  [/^-?\d{1,12}\.\d{1,3}(?![\d.])/, (match) => Number(match[0])],
  [/^-?\d{1,15}(?![\d.])/, (match) => Number(match[0])],
  [/^"((?:[ !#-[\]-~]|\\["\\])*)"/, (match) => (match[1] ?? '').replace(/\\(.)/g, '$1')],
  [/^\?([01])/, (match) => match[1] === '1'],
  [/^:([A-Za-z0-9+/]*={0,2}):/, (match) => base64(match[1] ?? '')],
  [/^@(-?\d{1,15})(?![\d.])/, (match) => Number(match[1])],
  [/^%"((?:[ !#$&-~]|%[0-9a-f]{2})*)"/, (match) => percentDecoded(match[1] ?? '')],
  [/^[A-Za-z*][\w!#$%&'*+\-.^`|~:/]*/, (match) => match[0]],
];

function bareItem(text: string): Read<BareItem> | undefined {
  for (const [form, value] of forms) {
    const match = form.exec(text);
    const found = match === null ? undefined : value(match);
    if (match !== null)
      return found === undefined ? undefined : { value: found, rest: text.slice(match[0].length) };
  }
  return undefined;
}

/** Padding may be left out. One digit alone stands for no byte. */
function base64(text: string): string | undefined {
  return text.replace(/=+$/, '').length % 4 === 1 ? undefined : text;
}
