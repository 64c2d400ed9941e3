import { idText } from './contract.ts';
import { type JsonPointer, parseJson, valueAt } from './json.ts';
import { percentDecoded } from './text.ts';

/** A path template without the end that some frameworks write: `/items/` and `/items/{id}/`, or `/items/{id}.json`. */
export function bare(path: string): string {
  const plain = !path.includes('(') ? path : path.replaceAll(/\((?:\w+=)?('?)(\{[^{}]+\})\1\)/g, '/$2');
  return plain.length > 1 && plain.endsWith('/') ? plain.slice(0, -1) : withoutSuffix(plain);
}

export function withoutSuffix(path: string): string {
  return path.replace(/\.json$/i, '');
}

type NamedField = { readonly name: string; readonly written?: string };

/** The name of a field of a path as the document, and so a configuration, has it. */
export function writtenName({ name, written = name }: NamedField): string {
  return written;
}

/** The path of an operation with the fields as the document names them. */
export function writtenPath({
  path,
  pathFields,
}: {
  readonly path: string;
  readonly pathFields: readonly NamedField[];
}): string {
  return path.replaceAll(/\{([^{}]+)\}/g, (_whole, name: string) => {
    const field = pathFields.find((one) => one.name === name);
    return `{${field === undefined ? name : writtenName(field)}}`;
  });
}

/** The path of a request as sent and as read: a response may repeat either. */
export function pathTexts({ path }: { readonly path: string }): string {
  const read = path.replaceAll(/[^/?&=]+/g, (part) => percentDecoded(part) ?? part);
  return read === path ? path : `${path} ${read}`;
}

export type PathValues = readonly (string | undefined)[];

/** What the path of a request has in the fields of its operation; undefined where it is not of that form. */
export function pathValuesIn(
  {
    path,
    pathFields,
  }: {
    readonly path: string;
    readonly pathFields: readonly { readonly name: string; readonly at?: JsonPointer }[];
  },
  request: { readonly path: string; readonly body?: string | undefined },
): PathValues {
  // The base URL is in front of the path.
  const sent = request.path.split('?')[0]?.split('/').toReversed() ?? [];
  const template = path.split('/').toReversed();
  return pathFields.map(({ at: member, name }) => {
    if (member !== undefined) return idText(valueAt(parseJson(request.body ?? ''), member));
    const at = template.findIndex((segment) => segment.includes(`{${name}}`));
    const [before = '', after = ''] = template[at]?.split(`{${name}}`) ?? [];
    const segment = sent[at] ?? '';
    if (at < 0 || !segment.startsWith(before) || !segment.endsWith(after)) return undefined;
    const value = segment.slice(before.length, segment.length - after.length);
    return percentDecoded(value) ?? value;
  });
}

/** The key of a segment such as `items(7)` or `items('a-1')`; undefined of any other segment. */
export function keyInParentheses(segment: string): string | undefined {
  return /^[a-z_][\w.]*\((?:\w+=)?(?:'([^'()]+)'|(\d+|[\da-f]{8}(?:-[\da-f]{4}){3}-[\da-f]{12}))\)$/i
    .exec(segment)
    ?.slice(1)
    .find((key) => key !== undefined);
}

/** `approvals` gives `approval`, `entries` gives `entry`. */
export function singular(noun: string): string {
  if (noun.endsWith('ies')) return `${noun.slice(0, -3)}y`;
  return noun.endsWith('s') && !noun.endsWith('ss') ? noun.slice(0, -1) : noun;
}

/** Whether two paths are the same up to a field, which then means the same in both. */
export function samePathTo(name: string, path: string, other: string): boolean {
  const upTo = (text: string): string => text.slice(0, text.indexOf(`{${name}}`));
  return path.includes(`{${name}}`) && other.includes(`{${name}}`) && upTo(path) === upTo(other);
}

/** Whether a path goes through the record of another one, whatever the fields are called: `/periods/{id}/entries:batch`. */
export function goesThrough(path: string, record: string): boolean {
  const nameless = (text: string): string => bare(text).replaceAll(/\{[^{}]+\}/g, '{}');
  const own = nameless(record);
  return own.endsWith('}') && ['/', ':'].some((next) => nameless(path).startsWith(`${own}${next}`));
}
