import { createHash } from 'node:crypto';
import type { Clean } from '../model/clean.ts';
import type { Exchange, HeaderList, HttpResponse, NoResponse } from '../model/exchange.ts';
import { firstCharacters } from '../model/text.ts';
import { type Hit, type Matcher, makeMatcher, needlesOf } from './matcher.ts';
import type { Decoded } from './reading.ts';
import { readingsOf } from './readings.ts';

/** What was removed, by which rule, how often. */
export type Removal = { readonly secret: string; readonly form: string; readonly count: number };

export type NamedSecret = { readonly name: string; readonly value: string };

/** The only place where text is made fit to leave the process: every secret is replaced by `$ASSAY_TOKEN_NAME`. */
export type Gate = {
  /** Text of any origin: encodings are undone to a depth of six, within a limit of work. */
  readonly text: (text: string) => Clean<string>;
  /** A value with all its texts and member names cleaned; itself where nothing is to be removed. */
  readonly value: <T>(value: T) => Clean<T>;
  readonly exchange: (exchange: Exchange) => Clean<Exchange>;
  /** A document made from text that passed the gate. It is checked again, without decoding base64. */
  readonly document: (text: string) => Clean<string>;
  /** Adds a secret. @throws RangeError where it is too short to be distinguished from other text */
  readonly add: (name: string, secret: string) => void;
  readonly manifest: () => readonly Removal[];
  /** The first 12 hexadecimal digits of SHA-256(salt, secret): equal secrets have equal digests. */
  readonly digestOf: (name: string) => string | undefined;
};

/** Shorter secrets occur in any text by chance. */
export const shortestSecret = 8;

/** How many nested encodings are decoded: base64 of UTF-16 counts as two, and so does what JSON escapes around it. */
const deepest = 6;
/** Characters that are decoded for one text: 2 MB, enough for 150 KB with escapes of each kind. */
const mostWork = 2 * 1024 * 1024;
/**
 * A secret may be cut by the end of what is kept, in any encoding: so many times the longest secret is left out there,
 * and at most so many characters.
 */
const cutFactor = 256;
const mostCut = 64 * 1024;

/** Of a body with a NUL character, which is not text and never JSON, so many characters are kept. */
const keptOfBinary = 4096;

/** Texts up to this length are read again rather than known again. */
const mostShort = 4096;

/** Longer texts are read again as well: they hardly ever come twice. */
const mostKnown = 1000;

/** Values with fewer objects in them are looked at again: to know them again takes more memory, and as long. */
const leastPassed = 10;

const withheldText = '[withheld: too much of it could be an encoded secret]';

export function openGate(secrets: readonly NamedSecret[], salt: string): Gate {
  const matcher = makeMatcher();
  const known = new Set<string>();
  const digests = new Map<string, string>();
  const counts = new Map<string, { readonly secret: string; readonly form: string; count: number }>();
  /** What was found in short texts: those such as header values come again and again. */
  const read = new Map<string, readonly Hit[]>();
  let passed = new WeakSet<object>();
  let longest = shortestSecret;
  let quoted = false;

  const add = (name: string, value: string): void => {
    if (known.has(value)) return;
    if (value.length < shortestSecret) throw new RangeError(`the secret of '${name}' is too short`);
    known.add(value);
    longest = Math.max(longest, value.length);
    quoted ||= value.includes('"');
    const place = placeholder(name);
    digests.set(place, createHash('sha256').update(salt).update(value).digest('hex').slice(0, 12));
    for (const needle of needlesOf(place, value)) matcher.add(needle);
    read.clear();
    passed = new WeakSet();
  };
  for (const { name, value } of secrets) add(name, value);

  const replaced = (text: string, hits: readonly Hit[]): string => {
    let result = '';
    let taken = 0;
    for (const { secret, form, start, end } of apart(hits)) {
      const entry = counts.get(`${secret} ${form}`) ?? { secret, form, count: 0 };
      entry.count += 1;
      counts.set(`${secret} ${form}`, entry);
      result += `${text.slice(taken, start)}$${secret}`;
      taken = end;
    }
    return result + text.slice(taken);
  };
  const cleaned = (text: string): string => {
    if (text.length < shortestSecret || known.size === 0) return text;
    const hits =
      (text.length < mostKnown ? read.get(text) : undefined) ??
      search(quoted ? [{ text, start: 0 }] : betweenQuotes(text), matcher);
    if (hits === undefined) return withheldText;
    if (text.length < (hits.length === 0 ? 120 : mostKnown)) {
      if (read.size > 5000) read.clear();
      read.set(text, hits);
    }
    return hits.length === 0 ? text : replaced(text, hits);
  };
  const headers = (lines: HeaderList): HeaderList =>
    lines.map(([name, value]) => [cleaned(name), cleaned(value)] as const);
  const answer = (given: HttpResponse): HttpResponse => {
    const { bodyBytes, miscoded, status, truncated } = given;
    const edge = truncated ? Math.min(cutFactor * longest, mostCut) : 0;
    const kept = Math.max(0, given.body.length - edge);
    const body = cleaned(given.body.slice(0, kept));
    if (body === withheldText)
      return { ...given, headers: headers(given.headers), body: '', truncated: true, withheld: withheldText };
    const binary = binaryStart(body);
    const clear = {
      ...{ status, headers: headers(given.headers), body: binary ?? body, bodyBytes, truncated },
      ...(miscoded === undefined ? {} : { miscoded }),
    };
    if (binary === undefined && edge === 0) return clear;
    return {
      ...clear,
      withheld:
        binary === undefined
          ? `all behind character ${kept}: a secret could be cut there`
          : `all behind character ${binary.length}: the body is not text`,
    };
  };
  const noAnswer = (given: NoResponse): NoResponse => ({
    ...given,
    detail: cleaned(given.detail),
    partial:
      given.partial === undefined ? undefined : { ...given.partial, headers: headers(given.partial.headers) },
  });
  const document = (text: string): string => {
    const hits = matcher.find(text);
    return hits.length === 0 ? text : replaced(text, hits);
  };
  /** Long texts from the harness itself, such as the contract: no service has encoded anything in them. */
  const own = (text: string): string => (text.length > mostCut ? document(text) : cleaned(text));
  let walked = 0;
  const value = (given: unknown): unknown => {
    if (typeof given === 'string') return own(given);
    if (typeof given !== 'object' || given === null || passed.has(given)) return given;
    const before = walked;
    walked += 1;
    const result = Array.isArray(given) ? cleanList(given, value) : cleanMembers(given, value, cleaned);
    if (walked - before >= leastPassed) passed.add(result);
    return result;
  };
  return {
    text: (text) => clean(cleaned(text)),
    value: <T>(given: T) => clean(value(given) as T),
    exchange: (given) => {
      const { request } = given;
      // A literal with all members: to copy an object and put some of them in again takes longer than all the rest.
      const result: Exchange = {
        id: given.id,
        trace: given.trace,
        step: given.step,
        ordinal: given.ordinal,
        operation: given.operation,
        principal: given.principal,
        request: {
          method: request.method,
          path: cleaned(request.path),
          headers: headers(request.headers),
          body: request.body === undefined ? undefined : own(request.body),
        },
        answer: given.answer === undefined ? undefined : answer(given.answer),
        noAnswer: given.noAnswer === undefined ? undefined : noAnswer(given.noAnswer),
        requestIds: given.requestIds.map(cleaned),
        connection: given.connection,
        earlier: given.earlier.map((one) => ({
          ...one,
          answer: one.answer === undefined ? undefined : answer(one.answer),
          noAnswer: one.noAnswer === undefined ? undefined : noAnswer(one.noAnswer),
        })),
        startedAt: given.startedAt,
        sentAt: given.sentAt,
        endedAt: given.endedAt,
        time: given.time,
      };
      passed.add(result);
      return clean(result);
    },
    document: (text) => clean(document(text)),
    add,
    manifest: () => [...counts.values()].map((entry) => ({ ...entry })),
    digestOf: (name) => digests.get(placeholder(name)),
  };
}

/** A gate that knows no secret, for what is read from evidence that passed one. */
export const openedGate: Gate = openGate([], '');

/**
 * What is kept of a long body that is not text: its start, as far as its first NUL at least, so that it stays what it
 * is for every reader. The whole was cleaned before, so no secret is cut here.
 */
function binaryStart(body: string): string | undefined {
  if (body.length <= keptOfBinary) return undefined;
  const first = body.indexOf('\0');
  if (first < 0) return undefined;
  return firstCharacters(body, Math.max(keptOfBinary, first + 1));
}

// The one place where the mark is made.
function clean<T>(value: T): Clean<T> {
  return value as Clean<T>;
}

function cleanList<T>(given: readonly T[], value: (one: T) => unknown): readonly unknown[] {
  const result = given.map(value);
  return result.every((one, index) => one === given[index]) ? given : result;
}

function cleanMembers(
  given: object,
  value: (one: unknown) => unknown,
  text: (name: string) => string,
): object {
  const names = Object.keys(given);
  const members: readonly unknown[] = Object.values(given);
  const otherNames = cleanList(names, text);
  const others = cleanList(members, value);
  if (otherNames === names && others === members) return given;
  return Object.fromEntries(otherNames.map((name, index) => [name, others[index]]));
}

type Part = { readonly text: string; readonly start: number };

/**
 * A long text in the parts between its double quotes, which no encoding of a secret contains unless the secret does: then
 * escapes in one record of a long list do not make all of it be read again, in each order of undoing them.
 */
function betweenQuotes(text: string): readonly Part[] {
  if (text.length <= mostShort) return [{ text, start: 0 }];
  const parts: Part[] = [];
  for (let start = 0; start < text.length; ) {
    const quote = text.indexOf('"', start);
    const end = quote < 0 ? text.length : quote;
    if (end - start >= shortestSecret) parts.push({ text: text.slice(start, end), start });
    start = end + 1;
  }
  return parts;
}

/** Where secrets are in the parts of a text, in whatever encoding; undefined where that would take too much work. */
function search(parts: readonly Part[], matcher: Matcher): readonly Hit[] | undefined {
  let work = 0;
  const hits: Hit[] = [];
  /** Of readings of the whole text the depth at which each was met: escapes undone in another order give the same one. */
  const met = new Map<string, number>();
  const spend = (by: number): void => {
    work += by;
  };
  const within = (given: string, depth: number, whole: boolean, place: (hit: Hit) => Hit): void => {
    // A digest, since texts that are kept would outlive many responses in memory.
    const name = whole && given.length > mostShort ? createHash('sha256').update(given).digest('base64') : '';
    const before = met.get(name);
    if (before !== undefined && before <= depth) return;
    if (name !== '') met.set(name, depth);
    for (const hit of matcher.find(given)) hits.push(place(hit));
    // What is undone makes a text shorter: then no secret is left in it.
    if (given.length <= shortestSecret || depth === deepest || work > mostWork) return;
    for (const reading of readingsOf(given, spend)) {
      spend(reading.text.length);
      if (work > mostWork) return;
      const all =
        whole &&
        reading.text.length > mostShort &&
        reading.startOf(0) === 0 &&
        reading.endOf(reading.text.length - 1) === given.length;
      within(reading.text, reading.same === true ? depth : depth + 1, all, (hit) =>
        place(placed(hit, reading)),
      );
    }
  };
  for (const { text, start } of parts) {
    met.clear();
    within(text, 0, true, (hit) =>
      start === 0 ? hit : { ...hit, start: hit.start + start, end: hit.end + start },
    );
  }
  return work > mostWork ? undefined : hits;
}

function placed(hit: Hit, { form, startOf, endOf }: Decoded): Hit {
  return {
    secret: hit.secret,
    form: form ?? hit.form,
    start: startOf(hit.start),
    end: endOf(hit.end - 1),
  };
}

/** Overlapping hits as one, the first and longest of them. */
function apart(hits: readonly Hit[]): readonly Hit[] {
  const found: Hit[] = [];
  for (const hit of hits.toSorted((one, other) => one.start - other.start || other.end - one.end)) {
    const before = found.at(-1);
    if (before === undefined || hit.start >= before.end) found.push(hit);
    else if (hit.end > before.end) found.splice(-1, 1, { ...before, end: hit.end });
  }
  return found;
}

/** `full-b` is ASSAY_TOKEN_FULL_B; a name of another form ends in a digest, so that no two names share one. */
export function placeholder(name: string): string {
  const plain = `ASSAY_TOKEN_${name.toUpperCase().replaceAll(/[^A-Z0-9]+/g, '_')}`;
  if (/^[a-z0-9]+(?:-[a-z0-9]+)*$/.test(name)) return plain;
  return `${plain}_${createHash('sha256').update(name).digest('hex').slice(0, 8).toUpperCase()}`;
}
