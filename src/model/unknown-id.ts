/** The largest number that a column of 32 bits holds, less one: records are counted from the other end. */
const farAway = '2147483646';
/** So many characters at the end are altered: what is before them may be a kind, or a time. */
const altered = 8;

const digits = '0123456789';
const hexadecimal = 'abcdef';
/** Without the letters that forms such as ULID leave out. */
const letters = 'abcdefghjkmnpqrstvwxyz';

/** An ID of the same form, which most likely names no record: letters stay letters, and hexadecimal digits stay such. */
export function unknownId(id: string): string {
  if (/^\d{1,10}$/.test(id)) return farAway;
  const head = id.slice(0, -altered);
  const tail = id.slice(-altered);
  // A kind such as `fol_` is part of the form.
  const kind = /^.*[_:.~-](?=[^_:.~-]+$)/.exec(tail)?.[0] ?? '';
  const own = tail.slice(kind.length);
  const isHex = /^[\da-f]+$/i.test(own);
  return head + kind + [...own].map((sign) => other(sign, isHex ? hexadecimal : letters)).join('');
}

/** An address, or a name with segments, whose last segment is such an ID. */
export function unknownAddress(address: string): string {
  const [, before = '', last = address, after = ''] = /^(.*\/)([^/]+)(\/?)$/.exec(address) ?? [];
  return before + unknownId(last) + after;
}

function other(sign: string, alphabet: string): string {
  const among = digits.includes(sign) ? digits : alphabet;
  const at = among.indexOf(sign.toLowerCase());
  if (at < 0) return sign;
  const next = among[(at + 3) % among.length] ?? sign;
  return sign === sign.toLowerCase() ? next : next.toUpperCase();
}
