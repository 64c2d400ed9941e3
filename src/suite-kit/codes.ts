import { type JsonPointer, pointerTokens } from '../model/json.ts';

/** Names of texts that are codes or have a format, though a contract may not say so, and two usual values of each. */
const codes: readonly (readonly [names: RegExp, usual: string, other: string])[] = [
  [/^(?:currency|ccy)( code)?$|^currency$/, 'EUR', 'USD'],
  [/^(?:country|nationality)( code)?$/, 'DE', 'FR'],
  [/^(?:locale|language|lang)( code| tag)?$/, 'en', 'de'],
  [/^(?:time ?zone|tz)( id)?$/, 'Europe/Berlin', 'America/New_York'],
  [/^(?:phone|mobile|fax|tel|telephone|cell|msisdn)( number| no)?$/, '+493012345678', '+33142685300'],
  [/^e ?mail( address)?$/, 'ann@example.com', 'bob@example.com'],
  [
    /^(?:url|uri|website|homepage|link|href|callback|webhook)( url| uri)?$/,
    'https://example.com/',
    'https://example.org/',
  ],
  [/^iban$/, 'DE89370400440532013000', 'FR1420041010050500013M02606'],
  [/^(?:bic|swift)( code)?$/, 'COBADEFFXXX', 'BNPAFRPPXXX'],
  [/^(?:zip|postal|post ?code)( code)?$/, '10115', '75008'],
  [/^colou?r$/, '#336699', '#993366'],
  [/^(?:mime|media|content) type$/, 'text/plain', 'text/csv'],
  [/^ip( address)?$/, '192.0.2.1', '192.0.2.2'],
  [/^(?:amount|price|total|subtotal|cost|fee|balance|rate|quantity|qty|value)$/, '1.00', '2.00'],
  [/^year$/, '2026', '2027'],
];

/** The last word, or the last two, of a name: `billingCountryCode` ends in `country code`. */
function endsOf(at: JsonPointer): readonly string[] {
  const leaf = pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? '';
  const words = leaf
    .replaceAll(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .split(/[^a-z\d]+/);
  return [words.slice(-2).join(' '), words.slice(-1).join('')];
}

/** A usual value for a text whose name says that it is a code; undefined for other texts. */
export function usualCode(at: JsonPointer): string | undefined {
  return codesAt(at)?.[1];
}

/** Another usual value for such a text. */
export function otherUsualCode(at: JsonPointer): string | undefined {
  return codesAt(at)?.[2];
}

function codesAt(at: JsonPointer): (typeof codes)[number] | undefined {
  const ends = endsOf(at);
  return codes.find(([names]) => ends.some((end) => names.test(end)));
}
