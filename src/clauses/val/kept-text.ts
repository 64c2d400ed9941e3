import {
  isArray,
  isObject,
  type Json,
  type JsonPointer,
  pointerOf,
  pointerTokens,
  textsIn,
  valueAt,
} from '../../model/json.ts';
import { escapeIn, plain } from './escapes.ts';

/** What a response shows of an accepted text where it does not show the text itself. */
export type Loss = {
  readonly kind: 'cut' | 'letters' | 'markup' | 'escaped' | 'unescaped' | 'encoding' | 'omitted';
  readonly shown: string;
  /** Whether the response may show what was there before the request: a shorter text may be an earlier one. */
  readonly maybeEarlier: boolean;
};

/** From this length on, a text is no beginning of another by chance. */
const longText = 200;
/** A shorter beginning may be some other text. */
const leastBeginning = 8;
const leastRest = 4;

/** How a response shows only a part of a text; trimming, blanks, normalising and case explain some losses. */
export function lossOf(sent: string, shown: Json, at: JsonPointer): Loss | undefined {
  // As a rule it is there as it was sent.
  if (shows(sent, shown)) return undefined;
  const member = memberIn(shown, at);
  // A short text that stands nowhere under its name may be left out.
  if ((member === undefined && sent.length < longText) || showsNearly(sent, shown)) return undefined;
  for (const text of member === undefined ? [] : [member]) {
    const loss = { shown: text, maybeEarlier: false };
    if (lacksLetters(sent, text)) return { ...loss, kind: 'letters' };
    const kind = escapeIn(sent, text);
    if (kind !== undefined) return { ...loss, kind };
    if (isMisread(sent, text)) return { ...loss, kind: 'encoding' };
    if (isBeginning(sent, text)) return { ...loss, kind: 'cut', maybeEarlier: sent.length < longText };
    if (omitsLetters(sent, text)) return { ...loss, kind: 'omitted', maybeEarlier: true };
  }
  if (sent.length < longText) return undefined;
  const cut = textsUnder(shown, nameOf(at)).find(
    (text) => text.length >= longText / 10 && sent.startsWith(text),
  );
  return cut === undefined ? undefined : { kind: 'cut', shown: cut, maybeEarlier: false };
}

/** A text of a document, and its place. */
export type PlacedText = { readonly at: JsonPointer; readonly text: string };

/** The texts of a document that are wanted. */
export function placedTexts(
  value: Json,
  isWanted: (text: string) => boolean,
  path: readonly string[] = [],
): readonly PlacedText[] {
  if (typeof value === 'string') return isWanted(value) ? [{ at: pointerOf(path), text: value }] : [];
  const members = isArray(value) || isObject(value) ? Object.entries(value) : [];
  return members.flatMap(([name, member]) =>
    typeof member === 'object' || typeof member === 'string'
      ? placedTexts(member, isWanted, [...path, name])
      : [],
  );
}

/** Whether a response shows the text, wherever that is. */
export function showsAll(sent: string, shown: Json): boolean {
  return shows(sent, shown) || showsNearly(sent, shown);
}

/** The same, but for what a service may change in it. */
function showsNearly(sent: string, shown: Json): boolean {
  const wanted = plain(sent);
  return textsIn(shown).some((text) => plain(text).includes(wanted));
}

function shows(sent: string, shown: Json): boolean {
  if (typeof shown !== 'object' || shown === null) return shown === sent;
  return Object.values(shown).some((member) => shows(sent, member));
}

/** Each letter or emoji beyond ASCII may be one mark, or one for each unit or byte of it. */
export function lacksLetters(sent: string, shown: string): boolean {
  const text = sent.normalize('NFC').trim();
  const other = shown.normalize('NFC').trim();
  const widths: readonly ((character: string) => number)[] = [
    () => 1,
    (character) => character.length,
    (character) => Buffer.byteLength(character),
  ];
  return widths.some((width) => {
    let at = 0;
    let lost = false;
    for (const character of text) {
      if (other.startsWith(character, at)) {
        at += character.length;
        continue;
      }
      const marks = other.slice(at, at + width(character));
      if (character <= '\u007f' || marks.length < width(character) || !/^[?\ufffd]+$/.test(marks))
        return false;
      lost ||= /[\p{L}\p{Extended_Pictographic}]/u.test(character);
      at += marks.length;
    }
    return lost && at === other.length;
  });
}

/** The bytes of UTF-8 as characters of Latin-1. */
function isMisread(sent: string, shown: string): boolean {
  return shown !== sent && plain(shown) === plain(Buffer.from(sent).toString('latin1'));
}

/** Whether words at the end are missing; signs alone may be stripped. */
function isBeginning(sent: string, shown: string): boolean {
  const [whole, part] = [plain(sent), plain(shown)];
  return (
    part.length >= leastBeginning && whole.startsWith(part) && /[\p{L}\p{N}]/u.test(whole.slice(part.length))
  );
}

/** Whether letters or emoji beyond ASCII were taken out of a text, and all else is there in its order. */
function omitsLetters(sent: string, shown: string): boolean {
  const [whole, rest] = [[...plain(sent)], [...plain(shown)]];
  if (rest.length < leastRest || rest.length >= whole.length) return false;
  let at = 0;
  const missing = whole.filter((character) => {
    const isThere = character === rest[at];
    if (isThere) at += 1;
    return !isThere && character !== ' ';
  });
  return (
    at === rest.length &&
    missing.every((character) => character > '\u007f') &&
    /[\p{L}\p{Extended_Pictographic}]/u.test(missing.join(''))
  );
}

/** The member itself, also within an envelope, or the only text of its name. What the record holds may have one of that name, too. */
function memberIn(shown: Json, at: JsonPointer): string | undefined {
  const exact = outermost(shown, at);
  const texts = exact.length > 0 ? exact : textsUnder(shown, nameOf(at));
  return texts.length === 1 ? texts[0] : undefined;
}

function outermost(shown: Json, at: JsonPointer): readonly string[] {
  for (let level: readonly Json[] = [shown]; level.length > 0; ) {
    const objects = level.filter(isObject);
    const texts = objects.map((one) => valueAt(one, at)).filter((text) => typeof text === 'string');
    if (texts.length > 0) return texts;
    level = objects.flatMap((one) => Object.values(one));
  }
  return [];
}

function nameOf(at: JsonPointer): string {
  return pointerTokens(at).findLast((token) => !/^\d+$/.test(token)) ?? '';
}

function textsUnder(value: Json, name: string): readonly string[] {
  if (isArray(value)) return value.flatMap((item) => textsUnder(item, name));
  return isObject(value)
    ? Object.entries(value).flatMap(([key, member]) =>
        key === name ? textsIn(member) : textsUnder(member, name),
      )
    : [];
}
