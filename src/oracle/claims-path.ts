import { isArray, isObject, type Json } from '../model/json.ts';
import { percentDecoded } from '../model/text.ts';

/** A field as a response spells it, read as the path of a member. */
export type FieldPath = {
  /** Every token as it is spelt, indices dropped. */
  readonly spelt: readonly string[];
  /** The same without leading wrappers such as `body` or `data`. */
  readonly inner: readonly string[];
  /** `inner`, folded: case and `_`, `-` and blanks do not count. */
  readonly path: readonly string[];
};

/** Words that stand for the request as a whole where they come first: FastAPI's `body`, JSON:API's `data/attributes`. */
const wrappers: ReadonlySet<string> = new Set([
  'body',
  'request',
  'requestbody',
  'data',
  'attributes',
  'query',
  'querystring',
  'header',
  'headers',
  'json',
]);

/** What some write before a name: `field:subject`, `query: limit`. */
const label =
  /^(?:body|errors?|fields?|header|key|member|param|parameter|property|attribute|path|query):\s*(?=\S)/i;

/** SCIM writes `urn:...:2.0:User:manager`, where the body has a member `manager` in one called `urn:...:2.0:User`. */
const urn = /(?:^|[^\p{L}\p{N}])urn:/iu;

/** Which item of a list is meant: `emails[type eq "work"].value`, `$.emails[?(@.type=='work')]`, `name.where(use='old')`. */
const chosen =
  /\[(?!["'])[^[\]]*(?:\s(?:eq|ne|co|sw|ew|gt|ge|lt|le|pr)\b|[=<>])[^[\]]*\]|\.(?:where|oftype)\([^()]*\)/gi;

const longestPath = 300;

/** The names of a contract, and those in the responses of one service, come again and again. */
const known = new Map<string, string>();
const mostKnown = 1000;
const longestKnown = 60;

/** One spelling of a name for all: `Due-Date`, `due_date` and `dueDate` are the same. */
export function fold(token: string): string {
  const before = known.get(token);
  if (before !== undefined) return before;
  // `GRÖSSE` is `größe` in capitals.
  const folded = token
    .toUpperCase()
    .toLowerCase()
    .replace(/[_\-\s]/g, '');
  if (token.length <= longestKnown) {
    if (known.size >= mostKnown) known.clear();
    known.set(token, folded);
  }
  return folded;
}

/** Reads `#/subject`, `$.items[0].name`, `body/subject` or a list of such parts. Undefined where no name is left. */
export function fieldPath(parts: readonly (string | number)[]): FieldPath | undefined {
  const written = parts.map(String);
  if (written.join('/').length > longestPath) return undefined;
  // FHIR has XPaths: `/f:Patient/f:birthDate`.
  const spelt = written
    .map((part) => (/^\/f:[A-Z]/.test(part) ? part.replaceAll('/f:', '/') : part).replaceAll(chosen, ''))
    .flatMap((part) => part.split(urn.test(part) ? /[./:[\]]/ : /[./[\]]/))
    .map(cleaned)
    .filter((token) => token !== '' && !isIndex(token));
  if (spelt.length === 0) return undefined;
  // Where all are such words there is no first other one (-1), and the last stands for itself.
  const inner = spelt.slice(spelt.findIndex((token) => !wrappers.has(fold(token))));
  return { spelt, inner, path: inner.map(fold) };
}

/** A path of which each step is an object, as protovalidate writes it: `{elements: [{fieldName: "items", index: 0}, ...]}`. */
export function elementsOf(value: Json): readonly string[] | undefined {
  const steps = isObject(value) ? (value['elements'] ?? null) : null;
  if (!isArray(steps) || steps.length === 0) return undefined;
  const names = steps.flatMap((step) =>
    isObject(step)
      ? Object.entries(step).flatMap(([name, said]) =>
          typeof said === 'string' && /^(?:fieldname|stringkey)$/.test(fold(name)) ? [said] : [],
        )
      : [],
  );
  return names.length >= steps.length ? names : undefined;
}

/** True where the path is nothing but a word for the whole request: before others it would have been dropped. */
export function isWrapper(path: FieldPath): boolean {
  return path.path.every((token) => wrappers.has(token));
}

/** How many tokens two paths have in common, counted from their ends. */
export function sharedTail(one: readonly string[], other: readonly string[]): number {
  let shared = 0;
  while (shared < one.length && one.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  return shared;
}

function isIndex(token: string): boolean {
  return /^(?:\d+|-|\*)$/.test(token);
}

function cleaned(token: string): string {
  const bare = token
    .trim()
    .replace(/^["'`]|["'`]$/g, '')
    .replace(/^[#$]/, '')
    .replace(label, '');
  return (percentDecoded(bare) ?? bare).replaceAll('~1', '/').replaceAll('~0', '~');
}
