import { type JsonPointer, pointerTokens } from '../model/json.ts';

/** Names of texts that are codes or have a format, though a contract may not say so, and a usual value of each. */
const codes: readonly (readonly [RegExp, string])[] = [
  [/^(?:currency|ccy)( code)?$|^currency$/, 'EUR'],
  [/^(?:country|nationality)( code)?$/, 'DE'],
  [/^(?:locale|language|lang)( code| tag)?$/, 'en'],
  [/^(?:time ?zone|tz)( id)?$/, 'Europe/Berlin'],
  [/^(?:phone|mobile|fax|tel|telephone|cell|msisdn)( number| no)?$/, '+493012345678'],
  [/^e ?mail( address)?$/, 'ann@example.com'],
  [/^(?:url|uri|website|homepage|link|href|callback|webhook)( url| uri)?$/, 'https://example.com/'],
  [/^iban$/, 'DE89370400440532013000'],
  [/^(?:bic|swift)( code)?$/, 'COBADEFFXXX'],
  [/^(?:zip|postal|post ?code)( code)?$/, '10115'],
  [/^colou?r$/, '#336699'],
  [/^(?:mime|media|content) type$/, 'text/plain'],
  [/^ip( address)?$/, '192.0.2.1'],
  [/^(?:amount|price|total|subtotal|cost|fee|balance|rate|quantity|qty|value)$/, '1.00'],
  [/^year$/, '2026'],
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
  const ends = endsOf(at);
  return codes.find(([names]) => ends.some((end) => names.test(end)))?.[1];
}
