/** The first `length` characters of a text, as a text of their own: a slice keeps the whole in memory. */
export function firstCharacters(text: string, length: number): string {
  return text.length <= length ? text : ownText(text.slice(0, length));
}

/** A part of a text as a text of its own, which does not keep the whole in memory. */
export function ownText(text: string): string {
  const encoding = /[^\x00-\xff]/.test(text) ? 'utf16le' : 'latin1';
  return Buffer.from(text, encoding).toString(encoding);
}

/** The text without percent-encoding; undefined where it is encoded wrongly. */
export function percentDecoded(text: string): string | undefined {
  try {
    return decodeURIComponent(text);
  } catch {
    return undefined;
  }
}

/** `once`, `12 times` */
export function timesWords(count: number): string {
  return count === 1 ? 'once' : `${count} times`;
}

export function cut(text: string, length: number): string {
  return text.length > length ? `${text.slice(0, length)}...` : text;
}
