/** The first `length` characters of a text, as a text of their own: a slice keeps the whole in memory. */
export function firstCharacters(text: string, length: number): string {
  return text.length <= length ? text : Buffer.from(text.slice(0, length), 'utf16le').toString('utf16le');
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
