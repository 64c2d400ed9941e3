import { createHash } from 'node:crypto';
import {
  type Alias,
  type Document,
  isAlias,
  isMap,
  isPair,
  isScalar,
  isSeq,
  LineCounter,
  type Node,
  type Pair,
  parseDocument,
  visit,
  type YAMLMap,
} from 'yaml';
import { type InputError, type InputProblem, type Position, trouble } from '../model/input-error.ts';
import type { Json, JsonPointer } from '../model/json.ts';
import { isObject, pointerTokens } from '../model/json.ts';
import { remembered } from '../model/remembered.ts';

/** A YAML or JSON text that was read, and where each of its values stands. */
export type SourceDocument = {
  readonly file: string;
  /** SHA-256 of the text's UTF-8 bytes, hexadecimal. */
  readonly digest: string;
  readonly value: Json;
  /** Where the value at a pointer stands, or its key; of a value that is missing, where its nearest parent stands. */
  readonly at: (pointer: JsonPointer, of?: 'key' | 'value') => Position;
  /** The whole number at a pointer as it is written: one of more than 53 bits was rounded when it was read. */
  readonly digitsAt: (pointer: JsonPointer) => string | undefined;
};

/** Aliases can make a small text stand for billions of values. */
const MAX_VALUES = 1_000_000;
const MAX_CHARACTERS = 64 * 1024 * 1024;
const MAX_DEPTH = 500;
/** The largest number of JavaScript has 309 digits. */
const LONGEST_NUMBER = 320;

/** Reads YAML 1.2 or JSON. @throws InputError where it is neither, or holds what JSON cannot (NaN, loops of aliases) */
export function readDocument(text: string, file: string): SourceDocument {
  const lines = new LineCounter();
  const position = (offset: number): Position => {
    const { line, col } = lines.linePos(Math.max(0, offset));
    return { line: Math.max(1, line), column: Math.max(1, col) };
  };
  const fail = (offset: number | undefined, problem: string, remedy: string): InputError =>
    trouble(file, problem, remedy, offset === undefined ? undefined : position(offset));

  // The line counter knows only what the parser has read.
  const unread = (offset: number): Position => {
    const before = text.slice(0, offset).split('\n');
    return { line: before.length, column: (before.at(-1)?.length ?? 0) + 1 };
  };
  const nul = text.indexOf('\0');
  if (nul >= 0)
    throw trouble(
      file,
      'this is not text: there is a NUL character',
      'remove it, or save the file as UTF-8',
      unread(nul),
    );
  const deep = tooDeepAt(text);
  if (deep !== undefined)
    throw trouble(file, 'this is nested too deeply', 'nest it less deeply', unread(deep));
  const document = parsed(text, lines, fail);
  const value = jsonOf(document, fail);
  return {
    file,
    digest: createHash('sha256').update(text, 'utf8').digest('hex'),
    value,
    at: (pointer, of = 'value') => position(offsetOf(document, pointer, of)),
    digitsAt: (pointer) => {
      const offset = offsetOf(document, pointer, 'value');
      return /^-?\d+(?![\w.])/.exec(text.slice(offset, offset + LONGEST_NUMBER))?.[0];
    },
  };
}

export function problemAt(
  document: SourceDocument,
  pointer: JsonPointer,
  problem: string,
  remedy: string,
  of: 'key' | 'value' = 'value',
): InputProblem {
  return { file: document.file, position: document.at(pointer, of), problem, remedy };
}

/**
 * Where a text is nested so deeply that the parser, which recurses, could exhaust its stack, and with it end the process.
 * Brackets in quoted text count too: nobody writes hundreds that do not close.
 */
function tooDeepAt(text: string): number | undefined {
  let open = 0;
  let indent = 0;
  let leading = true;
  for (let index = 0; index < text.length; index += 1) {
    const character = text[index] ?? '';
    if (character === '\n') {
      indent = 0;
      leading = true;
      continue;
    }
    leading &&= ' \t-?:'.includes(character);
    if (leading) indent += 1;
    if (character === '[' || character === '{') open += 1;
    if (character === ']' || character === '}') open = Math.max(0, open - 1);
    if (open > MAX_DEPTH || indent > MAX_DEPTH) return index;
  }
  return undefined;
}

type Fail = (offset: number | undefined, problem: string, remedy: string) => InputError;

function parsed(text: string, lines: LineCounter, fail: Fail): Document {
  let document: Document;
  try {
    document = parseDocument(text, {
      version: '1.2',
      lineCounter: lines,
      prettyErrors: false,
      stringKeys: false,
      // The parser compares each key with all before it: of 100,000 keys that takes minutes. They are compared below.
      uniqueKeys: false,
    });
  } catch {
    // Whatever the parser does with odd text, it is an error of the text.
    throw fail(undefined, 'the text cannot be parsed as YAML or JSON', 'check its syntax');
  }
  const problem = document.errors[0] ?? document.warnings[0];
  if (problem === undefined) return document;
  const several = problem.code === 'MULTIPLE_DOCS';
  throw fail(
    problem.pos[0],
    several
      ? 'there is more than one YAML document in this file'
      : `this is not valid YAML: ${sentence(problem.message)}`,
    several ? "keep one, and remove the '---' between them" : 'correct the syntax here, or just before',
  );
}

function sentence(message: string): string {
  // The parser quotes what it stumbled over, which may be a secret: `token: !s3cret`.
  if (message.startsWith('The : indicator')) return 'a key is longer than 1024 characters';
  const [first = ''] = message.split(/[\n:]/);
  return /[!*&%@`][\w!]/.test(first)
    ? 'a tag, alias or anchor cannot be read (quote texts that begin so)'
    : first.replace(/ ".*$/, '').replace(/[.;\s]+$/, '');
}

function jsonOf(document: Document, fail: Fail): Json {
  let values = 0;
  let characters = 0;
  const convert = (given: unknown, offset: number, depth: number): Json => {
    values += 1;
    if (values > MAX_VALUES)
      throw fail(offset, 'aliases make this document too large', 'write it with fewer aliases');
    if (depth > MAX_DEPTH) {
      throw fail(
        offset,
        'this is nested too deeply, or an alias is within its own anchor',
        'nest it less deeply, or write the value in place of the alias',
      );
    }
    const node = isAlias(given) ? resolved(given, document, fail) : given;
    if (node === null || node === undefined) return null;
    if (isScalar(node)) {
      const value = scalar(node.value, startOf(node) ?? offset, fail);
      if (typeof value === 'string') characters += value.length;
      if (characters > MAX_CHARACTERS)
        throw fail(offset, 'aliases make this document too large', 'write it with fewer aliases');
      return value;
    }
    if (isSeq(node)) return node.items.map((item) => convert(item, startOf(item) ?? offset, depth + 1));
    if (!isMap(node))
      throw fail(offset, 'this cannot be read as JSON', 'use mappings, sequences and scalars');
    const members = new Map<string, Json>();
    const merged = new Map<string, Json>();
    let mergeKeys = 0;
    for (const pair of node.items) {
      const at = startOf(pair.key) ?? offset;
      const name = keyName(pair.key);
      if (isMergeKey(pair.key)) {
        mergeKeys += 1;
        if (mergeKeys > 1)
          throw fail(at, "duplicate key '<<'", 'merge several mappings as in << : [*one, *other]');
        for (const source of mergedMaps(pair.value, document)) {
          if (source === undefined) throw fail(at, "'<<' merges mappings only", 'write << : *name');
          const other = convert(source, at, depth + 1);
          // Of several mappings the first one counts (YAML merge key).
          for (const [key, value] of isObject(other) ? Object.entries(other) : [])
            if (!merged.has(key)) merged.set(key, value);
        }
        continue;
      }
      if (name === undefined) throw fail(at, 'a key must be a plain scalar', 'write the key as text');
      if (members.has(name)) throw fail(at, `duplicate key '${name}'`, 'remove one of the two');
      members.set(name, convert(pair.value, startOf(pair.value) ?? at, depth + 1));
    }
    return Object.fromEntries([...merged, ...members]);
  };
  return convert(document.contents, 0, 0);
}

/** `<<` without quotes. */
function isMergeKey(key: unknown): boolean {
  return isScalar(key) && key.value === '<<' && key.type === 'PLAIN';
}

/** The mappings that a merge key names; undefined in place of anything else. */
function mergedMaps(value: unknown, document: Document): readonly (Node | undefined)[] {
  const target: unknown = isAlias(value) ? targetOf(value, document) : value;
  if (isSeq(target)) return target.items.flatMap((item) => mergedMaps(item, document));
  return [isMap(target) ? target : undefined];
}

/** What each alias stands for. The parser looks through the document for one of them; this goes through it once for all. */
const targetsIn = remembered((document: Document): ReadonlyMap<Alias, Node> => {
  const anchors = new Map<string, Node>();
  const targets = new Map<Alias, Node>();
  visit(document, {
    Node: (_, node) => {
      if (isAlias(node)) {
        const target = anchors.get(node.source);
        if (target !== undefined) targets.set(node, target);
      } else if (node.anchor !== undefined) anchors.set(node.anchor, node);
    },
  });
  return targets;
});

const targetOf = (alias: Alias, document: Document): Node | undefined => targetsIn(document).get(alias);

function resolved(alias: Alias, document: Document, fail: Fail): Node | undefined {
  const target = targetOf(alias, document);
  if (target === undefined) {
    throw fail(
      alias.range?.[0],
      'this alias has no anchor',
      'add the anchor before it, or quote the text if it is not an alias',
    );
  }
  return target;
}

function scalar(value: unknown, offset: number, fail: Fail): Json {
  if (value === null || value === undefined) return null;
  if (typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  throw fail(
    offset,
    typeof value === 'number' ? `'${value}' is not a JSON value` : 'this is not a JSON value',
    'use a string, a finite number, true, false or null',
  );
}

/** The name of a key as it is written: `403` stays `403`, `1.0` stays `1.0`. */
function keyName(key: unknown): string | undefined {
  if (!isScalar(key)) return undefined;
  if (typeof key.value === 'string') return key.value;
  return key.source ?? String(key.value);
}

function startOf(node: unknown): number | undefined {
  if (typeof node !== 'object' || node === null || !('range' in node)) return undefined;
  const { range } = node;
  return Array.isArray(range) && typeof range[0] === 'number' ? range[0] : undefined;
}

function offsetOf(document: Document, pointer: JsonPointer, of: 'key' | 'value'): number {
  let node: unknown = document.contents;
  let value = startOf(node) ?? 0;
  let key = value;
  for (const token of pointerTokens(pointer)) {
    const holder: unknown = isAlias(node) ? targetOf(node, document) : node;
    let child: unknown;
    if (isMap(holder)) {
      const pair = pairOf(holder, token, document);
      if (pair === undefined) break;
      key = startOf(pair.key) ?? value;
      child = pair.value;
    } else if (isSeq(holder)) {
      child = /^(0|[1-9]\d*)$/.test(token) ? holder.items[Number(token)] : undefined;
      if (child === undefined) break;
      key = startOf(child) ?? value;
    } else break;
    value = startOf(child) ?? key;
    node = child;
  }
  return of === 'key' ? key : value;
}

/** The pair of a key, be it merged in from elsewhere. */
function pairOf(map: YAMLMap, token: string, document: Document): Pair | undefined {
  const own = map.items.find((item) => isPair(item) && !isMergeKey(item.key) && keyName(item.key) === token);
  if (own !== undefined) return own;
  for (const { key, value } of map.items) {
    if (!isMergeKey(key)) continue;
    for (const source of mergedMaps(value, document)) {
      const found = isMap(source) ? pairOf(source, token, document) : undefined;
      if (found !== undefined) return found;
    }
  }
  return undefined;
}
