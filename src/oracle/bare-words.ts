import { isArray, isEmpty, isObject, type Json, parseJson } from '../model/json.ts';
import type { RequestText, ResponseText } from './claims.ts';
import { type Echo, echoOf, isRequestPath, repeats, repeatsMember } from './claims-echo.ts';
import { fieldPath, fold, sharedTail } from './claims-path.ts';
import { pageText, withoutEcho } from './claims-prose.ts';
import { echoes, envelope, locators, problemHeader } from './claims-vocabulary.ts';

const deepest = 40;
const mostTexts = 2000;
const longest = 100_000;
/** The most words that a field's name is written as: `dueDate` as `due date`. */
const mostWords = 5;

/** An adjective that makes even a word of every envelope a complaint: "Invalid status". */
const faulty =
  /(?:invalid|missing|wrong|bad|unknown|unsupported|illegal|malformed|empty|incorrect|unexpected)\s+$/i;

/** A complaint right behind such a word, as where names and messages are put side by side: "limit Failed to convert". */
const complained =
  /^\W{1,3}(?:failed to|fails|could not|cannot|can't|must|should|needs|has to|expected|not (?:one|an?|accepted|allowed|valid)|is (?:not|invalid|required|missing|wrong|malformed))\b/i;

/** A name, and a sentence of its own behind it: "name String is too short", "limit Required". */
const joinedTo = /^ \p{Lu}\p{Ll}+(?![\p{L}\p{N}_$-])/u;

function leadsSentence(text: string, at: number, name: string): boolean {
  const end = at + name.length;
  return (
    text.slice(at, end) === name &&
    /(?:^|[,;\n])\s*$/.test(text.slice(0, at)) &&
    joinedTo.test(text.slice(end))
  );
}

/** True for a name that error bodies, or the headers of limits, have for a member of their own. */
export function isCommon(name: string): boolean {
  return envelope.has(fold(name)) || fold(name) === 'limit';
}

export type Mentioned = {
  readonly name: string;
  readonly path: readonly string[];
  /** Names of other fields: one in which this one occurs is not it. */
  readonly others: readonly string[];
  readonly how: 'alone' | 'elsewhere' | 'compared';
};

/** Words around each mere mention of a name; echoes, addresses and envelopes count only where `compared`. */
export function bareWords(
  answer: ResponseText,
  request: RequestText,
  { how, name, others, path }: Mentioned,
): readonly string[] {
  const compared = how === 'compared';
  const leaf = fold(name);
  if (leaf === '') return [];
  const echo = echoOf(request);
  const found: string[] = [];
  const common = !compared && isCommon(leaf);
  const isMeant = (text: string, at: number): boolean =>
    how === 'elsewhere'
      ? isPathTo(text, path)
      : isPath(text) ||
        leadsSentence(text, at, name) ||
        faulty.test(text.slice(Math.max(0, at - 30), at)) ||
        complained.test(text.slice(at + name.length, at + name.length + 30));
  const longer = new Set(others.map(fold).filter((other) => other !== leaf && other.includes(leaf)));
  for (const text of textsOf(answer, echo, compared)) {
    const plain = withoutMembers(withoutSent(withoutEcho(text.slice(0, longest), echo), echo));
    for (const at of placesOf(plain, leaf, longer))
      if (!common || isMeant(plain, at))
        found.push(
          plain
            .slice(Math.max(0, at - 40), at + 60)
            .replaceAll(/\s+/g, ' ')
            .trim(),
        );
  }
  return found;
}

/** A text that is nothing but a path: `properties`, `/fields/0`, `$.status`, `#/path`. */
function isPath(text: string): boolean {
  return /^[$#]?[./]?[\p{L}\p{N}_$-]+(?:[./][\p{L}\p{N}_$-]+|\[['"]?[\p{L}\p{N}_$-]+['"]?\])*$/u.test(
    text.trim(),
  );
}

/** Names of what a value failed, which validators give next to the field. */
const keywords: ReadonlySet<string> = new Set(
  'type format enum const pattern required value minimum maximum length size range schema'.split(' '),
);

/** A text that is the path of a field, or the end of it. */
function isPathTo(text: string, path: readonly string[]): boolean {
  const said = isPath(text) ? fieldPath([text])?.path : undefined;
  if (said === undefined || (said.length === 1 && keywords.has(text.trim()))) return false;
  return sharedTail(said, path) === said.length;
}

/** A piece of JSON, in whatever spelling, is no statement. */
function withoutMembers(text: string): string {
  return text.replace(/(?<=[{,]\s{0,20})(["'])[^"'\n]{1,120}\1\s{0,20}:/g, ' ');
}

/** Texts that were sent are left out even where they are plain words, but not within longer words: `pilot` in `pilotRequired`. */
function withoutSent(text: string, echo: Echo): string {
  return strings(echo.body ?? null, 0).reduce(
    (rest, sent) =>
      sent.length > 2
        ? rest.replaceAll(sent, (found, at: number) =>
            isWithinWord(rest, at, at + found.length) ? found : ' ',
          )
        : rest,
    text,
  );
}

function isWithinWord(text: string, from: number, to: number): boolean {
  const joins = (at: number): boolean => /^[\p{L}\p{N}_$-]{2}$/u.test(text.slice(at - 1, at + 1));
  return (from > 0 && joins(from)) || joins(to);
}

function strings(value: Json, depth: number): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth > deepest) return [];
  if (isArray(value)) return value.flatMap((item) => strings(item, depth + 1));
  return isObject(value) ? Object.values(value).flatMap((member) => strings(member, depth + 1)) : [];
}

/** Every text of a response, and every key, those of an envelope only where they are compared. */
function textsOf(answer: ResponseText, echo: Echo, compared: boolean): readonly string[] {
  const body = answer.body.replace(/^\uFEFF/, '');
  const json = parseJson(body);
  const found: string[] = [];
  const walk = (value: Json, root: boolean, depth: number): void => {
    if (depth > deepest || found.length > mostTexts || repeats(echo, value)) return;
    if (typeof value === 'string') found.push(/^\s*</.test(value) ? pageText(value) : value);
    else if (isArray(value)) for (const item of value) walk(item, root, depth + 1);
    else if (isObject(value))
      for (const [name, member] of Object.entries(value)) {
        const folded = fold(name);
        // What surrounds a value says where it was: `context: {path: "/subject"}`.
        if (folded === 'context' || folded === 'ctx') found.push(...located(member));
        if (echoes.has(folded) || (root && repeatsMember(echo, name, member))) continue;
        if ((compared || !envelope.has(folded)) && member !== null && !isEmpty(member)) found.push(name);
        // The path of the request is no statement.
        if (!(folded === 'path' && typeof member === 'string' && isRequestPath(echo, member)))
          walk(member, false, depth + 1);
      }
  };
  if (json === undefined) found.push(/^\s*</.test(body) ? pageText(body) : body);
  else walk(json, true, 0);
  for (const [name, value] of answer.headers) if (problemHeader.test(name)) found.push(value);
  return found;
}

function located(context: Json): readonly string[] {
  if (!isObject(context)) return [];
  return Object.entries(context).flatMap(([name, value]) =>
    typeof value === 'string' && locators.has(fold(name)) ? [value] : [],
  );
}

/** Where a name occurs: as a word, as several, or as a part of `MISSING_SUBJECT` and `missingSubject`. */
function placesOf(text: string, leaf: string, longer: ReadonlySet<string>): readonly number[] {
  const places: number[] = [];
  const words: { readonly text: string; readonly at: number }[] = [];
  for (const match of text.matchAll(/[\p{L}\p{N}_$-]+/gu)) {
    // The name of another field is not this one.
    if (longer.has(fold(match[0]))) continue;
    if (fold(match[0]) === leaf) {
      places.push(match.index);
      continue;
    }
    for (const part of match[0].matchAll(/\p{Lu}+(?!\p{Ll})|\p{Lu}?\p{Ll}+|\p{Lo}+|\p{N}+/gu))
      words.push({ text: fold(part[0]), at: match.index + part.index });
  }
  words.forEach((word, index) => {
    let joined = '';
    for (const next of words.slice(index, index + mostWords)) {
      joined += next.text;
      if (joined.length > leaf.length) return;
      if (joined !== leaf) continue;
      places.push(word.at);
      return;
    }
  });
  return places;
}
