import type { Echo } from './claims-echo.ts';
import { plain as entities } from './claims-xml.ts';

/** Words of a text that name a field, and the sentence in which they stand. */
export type Mention = { readonly raw: string; readonly words: string };

const longestText = 20_000;
// Lengths are bounded so that no text, however odd, makes matching slow.
const word = String.raw`[\p{L}_$][\p{L}\p{N}_$-]{0,80}`;
const dotted = String.raw`${word}(?:[./]${word}|\[\d{0,9}\]|[./]\d{1,9}){0,15}`;
const noun =
  'field|property|parameter|param|attribute|attribut|member|header|column|argument|key|feld|eigenschaft|champ|propriété|campo|propiedad|atributo|propriedade|proprietà|attributo|veld|eigenschap|fältet|feltet|egenskap|pole|właściwość|поле|параметр|свойство|атрибут|字段|参数|項目|필드|الحقل|الخاصية';
const verb = [
  "is|isn't|are|aren't|was|were|must|mustn't|should|shall|can|can't|cannot|could|may|has|have|does|doesn't|do|don't",
  'ist|muss|darf|fehlt|wurde|est|doit|manque|es|debe|falta|deve|manca|moet|ontbreekt|är|måste|saknas|mangler|jest|musi',
  'needs?|required|requires|missing|invalid|not|exceeds|contains|fails|failed|expects|expected|too|unexpected|unknown',
].join('|');

const letter = String.raw`[\p{Script=Latin}\p{Script=Cyrillic}\p{Script=Greek}\p{N}]`;
/** A letter that is not Latin. */
const foreign = String.raw`(?:(?!\p{Script=Latin})\p{L})`;
const opening = '"\'`´‘’‛“”‟„‚«»‹›⟨「『｢﹁﹃《〈【〝＂＇′″❝❛⹂';
const closing = '"\'`´‘’“”«»‹›⟩」』｣﹂﹄》〉】〞〟＂＇′″❞❜';
/** 'subject', "subject", `subject`, „subject“, « subject », 「subject」, **subject**. */
const quoted = new RegExp(
  String.raw`(?<!${letter})([${opening}]|\*\*)[\s"'*]{0,3}([^${opening}${closing}\n]{1,120}?)[\s"'*]{0,3}([${closing}]|\*\*)(?!${letter})`,
  'gu',
);
/** [subject], (subject), {subject}, <subject>, DownField(subject): one name and no more. */
const bracketed = new RegExp(
  String.raw`(?<![\]\d])[[({<](?!e?s\))(${word}(?:[./]${word}){0,15})[\])}>]`,
  'gu',
);
/** ".subject", "→ at subject", "At path: subject", `path $.subject`. */
const placed = new RegExp(
  String.raw`(?<![\p{L}\p{N}_)\]])\.(${dotted})|(?:→\s*(?:at\s+)?|(?<![\p{L}\p{N}])(?:at|path):?\s+(?:path:?\s+)?)(${dotted})(?=\s*(?:$|\n|[.,;:)]|--|→|✖))`,
  'giu',
);
const nameLike = /^[\p{L}\p{N}_$#/.[\]~%*-]+(?: [\p{L}\p{N}_-]+){0,3}$/u;
/** body/subject, request.body.subject, items[0].name, $.subject. */
const joined = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:#\/|\$\.|\/)?${word}(?:[./]${word}|\[\d{0,9}\]|[./]\d{1,9}){1,15}`,
  'gu',
);
/** /subject, #/subject. */
const rooted = new RegExp(
  String.raw`(?<![\p{L}\p{N}_.\]/])(?:#\/|\$\.|\/)${word}(?![./]?[\p{L}\p{N}])`,
  'gu',
);
/**
 * "Subject must be a string", "subject: required", "The due date is missing": at the start of a clause only. What ends it
 * is looked at and left, since the colon of "Error: subject is required" begins the next one.
 */
const subjectOf = new RegExp(
  String.raw`(?:^|[.!?;:,([•\n]\s*|\s[-–—]\s+)(?:(?:the|an?)\s+)?(${dotted}(?:,?[^\S\n]+${word}){0,5}?)(?=\s*:|\s+(?:${verb})(?![\p{L}\p{N}]))`,
  'giu',
);
/** "subject length must be less", "subject with value x fails": what is said of the field follows its name. */
const headOf = new RegExp(
  String.raw`(?:^|[.!?;:,([•\n]\s*)(?:the\s+)?(?:(?:selected|given|provided|specified|submitted)\s+)?(?!an?\s)(${dotted})\s+(?:(?:length|size|format|value|type|count)\s+(?:${verb})|with\s+value\s)`,
  'giu',
);
/** "The selected status is invalid", "each value in tags must be a string". */
const afterAdjective = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])(?:selected|provided|specified|submitted|each\s+(?:value|item|element)\s+(?:in|of)|value\s+(?:of|for|in))\s+(${dotted})(?=\s+(?:${verb})(?![\p{L}\p{N}]))`,
  'giu',
);
/** `必要なプロパティsubjectがない`, `Subject должен быть`: a Latin name among letters of another script. */
const amongOtherScripts = new RegExp(
  String.raw`(?<![\p{Script=Latin}\p{N}_$@./-])(?:(?<=${foreign}\s?)|(?=[^\s]{1,160}\s?${foreign}))((?:[$@]?\p{Script=Latin}|[$_])[\p{Script=Latin}\p{N}_$-]{0,80}(?:[./][\p{Script=Latin}\p{N}_$-]{1,80}){0,15})(?=\s|\p{P}|$|${foreign})`,
  'gu',
);
/** "required property subject", "fields: subject, priority". */
const afterNoun = new RegExp(
  String.raw`(?<![\p{L}\p{N}])(?:${noun})(?:s|\(s\))?(?![\p{L}\p{N}_])\s*(?:named|called)?\s*[:=(]?\s*(${dotted}(?:(?:,\s*|\s+and\s+|,\s*and\s+)${dotted}){0,20})`,
  'giu',
);
/** "the subject field". */
const beforeNoun = new RegExp(
  String.raw`(?<![\p{L}\p{N}_])((?:${word}\s+){0,2}${dotted})\s+(?:${noun})(?![\p{L}\p{N}_])`,
  'giu',
);
/** A whole message of the kind "Missing subject". */
const wholeMessage = new RegExp(
  String.raw`^(?:missing|invalid|empty|required|unknown|unexpected|malformed)(?:\s+(?:or|and)\s+(?:missing|invalid|empty))?\s+(?:required\s+|value\s+for\s+)?(${dotted}(?:\s+${word}){0,2})[.!]?$`,
  'iu',
);
/** "Missing parameters: subject", "the value is empty: subject". */
const afterColon = new RegExp(
  String.raw`(?:missing|empty|blank|invalid|required|unknown|unexpected)(?![\p{L}\p{N}])[^:
.]{0,40}:\s+(${dotted}(?:,\s*${dotted}){0,20})\s*[.!]?$`,
  'gimu',
);
/** A field on a line of its own above an indented explanation, as pydantic prints it. */
const aboveIndent = new RegExp(String.raw`^(?:[*•-]\s)?(${dotted})\n[ \t]+\S`, 'gmu');

/** The attribute at the end of a URN of SCIM: `urn:...:2.0:User:manager`, or `urn:...:2.0:User.manager`. */
const attributeOf = /:\d+\.\d+:[\w-]{1,80}[.:/]([\w$.[\]/-]{0,80}[\w\]])/;

/** Services say the same again and again: what short texts mention is kept, of so many texts. */
const mostKept = 500;
const longestKept = 500;
const kept = new Map<string, readonly Mention[]>();

/** Where prose names something as a field: quoted, as a path, or as the subject of a clause. A bare word names nothing. */
export function mentions(text: string, echo: Echo): readonly Mention[] {
  const plain = withoutEcho(text.slice(0, longestText), echo);
  if (plain.length > longestKept) return mentionsIn(plain, echo.path);
  // The path of the request matters only to a text that has it.
  const key = plain.includes(echo.path) ? `${echo.path}\n${plain}` : `\n${plain}`;
  const known = kept.get(key);
  if (known !== undefined) return known;
  const found = mentionsIn(plain, echo.path);
  if (kept.size >= mostKept) kept.clear();
  kept.set(key, found);
  return found;
}

function mentionsIn(plain: string, path: string): readonly Mention[] {
  const found = new Map<string, Mention>();
  const add = (raw: string, at: number): void => {
    const name = raw.trim();
    const key = `${at} ${name}`;
    if (name !== '' && !found.has(key)) found.set(key, { raw: name, words: excerpt(plain, at) });
  };
  for (const pattern of [bracketed, placed])
    for (const match of plain.matchAll(pattern)) {
      const name = match[1] ?? match[2] ?? '';
      add(name, offset(match, name));
    }
  for (const match of plain.matchAll(quoted)) {
    const name = match[2] ?? '';
    if (nameLike.test(name) && !isMember(plain, match)) add(name, match.index + 1);
  }
  for (const pattern of [joined, rooted])
    for (const match of plain.matchAll(pattern)) if (match[0] !== path) add(match[0], match.index);
  for (const pattern of [
    subjectOf,
    headOf,
    afterAdjective,
    amongOtherScripts,
    afterNoun,
    afterColon,
    aboveIndent,
    wholeMessage,
  ])
    for (const match of pattern.global ? plain.matchAll(pattern) : listOf(pattern.exec(plain)))
      for (const part of listed(match[1] ?? '')) add(part, offset(match, part));
  for (const match of plain.matchAll(beforeNoun))
    for (const part of tails(match[1] ?? '')) add(part, offset(match, part));
  return [...found.values()];
}

/** The text of an HTML or XML page, without its tags. */
export function pageText(page: string): string {
  return entities(
    page
      .slice(0, longestText * 5)
      .replace(/<(script|style)\b[^>]*>[\s\S]*?(?:<\/\1\s*>|$)/gi, '\n')
      .replace(/<[^<>]*>/g, '\n'),
  );
}

/** What is left of a text without what the request said, and without addresses. */
export function withoutEcho(text: string, echo: Echo): string {
  const unescaped = entities(text.replace(/\\(["'])/g, '$1'));
  const spoken = echo.texts.reduce((rest, said) => rest.replaceAll(said, ' '), unescaped);
  return spoken
    .replace(/[a-z][a-z0-9+.-]{0,20}:\/\/[^\s"'<>]+/gi, ' ')
    .replace(/\burn:[^\s"'<>]+/gi, (urn) => attributeOf.exec(urn)?.[1]?.replace(/^.*$/, ' "$&" ') ?? ' ')
    .replace(/[‘’]/g, "'")
    .replace(/[^\S\n]{2,}/g, ' ')
    .replace(/\n\s*\n/g, '\n');
}

/** True for the name in `{"subject": 5}`: a piece of JSON, not a statement. */
function isMember(text: string, match: RegExpExecArray): boolean {
  if (match[1] !== '"' && match[1] !== "'") return false;
  const before = text
    .slice(Math.max(0, match.index - 20), match.index)
    .trimEnd()
    .at(-1);
  const after = text
    .slice(match.index + match[0].length)
    .trimStart()
    .at(0);
  return after === ':' && (before === '{' || before === ',');
}

function listed(names: string): readonly string[] {
  return [...new Set([names, ...names.split(/,\s*|\s+(?:and|or)\s+/i)])];
}

/** `the due date` gives itself, `due date` and `date`. */
function tails(names: string): readonly string[] {
  const words = names.split(/\s+/);
  return words.map((_, at) => words.slice(at).join(' '));
}

function offset(match: RegExpExecArray, part: string): number {
  return match.index + Math.max(0, match[0].indexOf(part));
}

function listOf(match: RegExpExecArray | null): readonly RegExpExecArray[] {
  return match === null ? [] : [match];
}

function excerpt(text: string, at: number): string {
  const before = text.slice(Math.max(0, at - 60), at);
  const start = before.lastIndexOf('\n') + 1;
  const piece = before.slice(start) + (text.slice(at, at + 80).split('\n')[0] ?? '');
  return piece.trim().replace(/\s+/g, ' ');
}
