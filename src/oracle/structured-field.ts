import {
  type InnerList,
  type Item,
  type BareItem as Parsed,
  parseDictionary,
  parseList,
} from 'structured-headers';

/** A bare item (RFC 9651, 3.3); tokens and display strings are their text, dates seconds, byte sequences `''`. */
export type BareItem = number | string | boolean;

/** A member of a list or a dictionary: its key or undefined, its value, its parameters. An inner list has the value `''`. */
export type Member = {
  readonly key: string | undefined;
  readonly value: BareItem;
  readonly parameters: ReadonlyMap<string, BareItem>;
};

const longest = 8192;

/** A header field as a structured list, or else as a dictionary (RFC 9651, 4.2); undefined where it is neither. */
export function structuredMembers(text: string): readonly Member[] | undefined {
  if (text.length > longest) return undefined;
  return (
    unlessBroken(() => parseList(text).map((item) => memberOf(undefined, item))) ??
    unlessBroken(() => [...parseDictionary(text)].map(([key, item]) => memberOf(key, item)))
  );
}

function unlessBroken<Result>(parse: () => Result): Result | undefined {
  try {
    return parse();
  } catch {
    return undefined;
  }
}

function memberOf(key: string | undefined, [value, parameters]: Item | InnerList): Member {
  return {
    key,
    value: Array.isArray(value) ? '' : plain(value),
    parameters: new Map([...parameters].map(([name, each]) => [name, plain(each)])),
  };
}

function plain(item: Parsed): BareItem {
  if (item instanceof Date) return item.getTime() / 1000;
  if (item instanceof ArrayBuffer) return '';
  return typeof item === 'object' ? item.toString() : item;
}
