/** A text without what a service may change in it. */
export function plain(text: string): string {
  return text.normalize('NFKC').toLowerCase().replace(/\s+/g, ' ').replace(/\p{C}/gu, '').trim();
}

/** How a text is escaped that was not sent so, for HTML or for something else, or unescaped. */
export function escapeIn(sent: string, shown: string): 'markup' | 'escaped' | 'unescaped' | undefined {
  if (isForHtml(sent, shown)) return 'markup';
  const [before, after] = [plain(sent), plain(shown)];
  const isOneOf = (forms: readonly ((text: string) => string)[]): boolean =>
    forms.map((form) => plain(form(sent))).some((form) => form !== before && form === after);
  return isOneOf(escapers) ? 'escaped' : isOneOf(unescapers) ? 'unescaped' : undefined;
}

/** For string literals, for SQL, and for addresses. */
const escapers: readonly ((text: string) => string)[] = [
  (text) => text.replace(/["'\\]/g, '\\$&'),
  (text) => text.replace(/["\\]/g, '\\$&'),
  (text) => text.replace(/['\\]/g, '\\$&'),
  (text) => text.replaceAll("'", "\\'"),
  (text) => text.replaceAll('"', '\\"'),
  (text) => text.replaceAll('\\', '\\\\'),
  (text) => text.replaceAll("'", "''"),
  (text) => JSON.stringify(text),
  (text) => JSON.stringify(text).slice(1, -1),
  (text) => JSON.stringify(text).slice(1, -1).replaceAll('/', '\\/'),
  (text) => text.replaceAll('/', '\\/'),
  (text) => encodeURIComponent(wellFormed(text)),
  (text) => encodeURIComponent(wellFormed(text)).replaceAll('%20', '+'),
  (text) => encodeURI(wellFormed(text)),
];

/** What markup is decoded to is left out: services that take markup out of texts may decode its entities, too. */
const unescapers: readonly ((text: string) => string)[] = [
  (text) => text.replace(/\\(.?)/gsu, '$1'),
  (text) => text.replaceAll('\\', ''),
  decoded,
  (text) => decoded(text.replaceAll('+', ' ')),
];

/** Half a surrogate pair has no code in an address. */
const wellFormed = (text: string): string => Buffer.from(text).toString();

/** What is no escape stays, and what is no UTF-8 becomes a mark. */
function decoded(text: string): string {
  return text.replace(/(?:%[\da-f]{2})+/gi, (escapes) =>
    Buffer.from(escapes.replaceAll('%', ''), 'hex').toString(),
  );
}

const entities: Readonly<Record<string, string>> = { lt: '<', gt: '>', amp: '&', quot: '"', apos: "'" };
const entity = /&(?:(lt|gt|amp|quot|apos)|#(\d{1,3})|#x([\da-f]{1,2}));/gi;

function isForHtml(sent: string, shown: string): boolean {
  const count = (text: string): number => text.match(entity)?.length ?? 0;
  return (
    count(shown) > count(sent) &&
    [sent, unescaped(sent)].some((one) => plain(unescaped(shown)) === plain(one))
  );
}

function unescaped(text: string): string {
  return text.replace(entity, (_, name?: string, decimal?: string, hex?: string) =>
    name === undefined
      ? String.fromCodePoint(decimal === undefined ? Number.parseInt(hex ?? '0', 16) : Number(decimal))
      : (entities[name.toLowerCase()] ?? ''),
  );
}
