import { isArray, isObject, type Json, parseJson } from '../model/json.ts';
import { isComplaint, isTextList, isVerbless, speaksOfKey } from './claims-complaint.ts';
import { fold } from './claims-path.ts';
import { locators } from './claims-vocabulary.ts';

const mostText = 20_000;
const mostPieces = 20;
const deepest = 20;

/** Complaints that a text holds as JSON or as Python, Ruby, Java or Node print them; what is echoed is none. */
export function printedComplaints(text: string): readonly Json[] {
  return printedValues(text).filter(complains);
}

/** All maps and lists that a text holds, what is sent back among them. */
export function printedValues(text: string): readonly Json[] {
  const found: Json[] = [];
  const short = text.slice(0, mostText);
  let at = short.search(/map\[|[[{]/);
  for (let tried = 0; at >= 0 && tried < mostPieces; tried += 1) {
    const reader = { text: short, at, depth: 0 };
    const value = container(reader);
    if (value !== undefined) found.push(value);
    const after = (value === undefined ? at : reader.at - 1) + 1;
    const next = short.slice(after).search(/map\[|[[{]/);
    at = next < 0 ? -1 : after + next;
  }
  return found;
}

/** True for a map whose members all complain, for one complaint about a field, or a list of such. */
function complains(value: Json): boolean {
  if (isArray(value)) return value.length > 0 && value.every(complains);
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return (
    members.length > 0 &&
    (members.every(
      (member) =>
        (isTextList(member) && member.every((one) => /\s/.test(one) || isVerbless(one))) ||
        isVerbless(member) ||
        speaksOfKey(member) ||
        complains(member) ||
        (isArray(member) &&
          member.length > 0 &&
          member.every((each) => isComplaint(each) || complains(each))),
    ) ||
      isComplaint(value) ||
      Object.keys(value).some((name) => locators.has(fold(name))))
  );
}

type Reader = { readonly text: string; at: number; depth: number };

const closing: Readonly<Record<string, string>> = { '{': '}', '[': ']', '(': ')' };

/** Takes what the form matches where the reader is. */
function take(reader: Reader, form: RegExp): RegExpExecArray | undefined {
  form.lastIndex = reader.at;
  const match = form.exec(reader.text) ?? undefined;
  if (match !== undefined) reader.at += match[0].length;
  return match;
}

function container(reader: Reader): Json | undefined {
  if (take(reader, /map\[/y) !== undefined) return goMap(reader);
  const open = take(reader, /[[{(]/y)?.[0];
  if (open === undefined || reader.depth > deepest) return undefined;
  const close = closing[open] ?? '';
  const items: Json[] = [];
  const members: Record<string, Json> = {};
  reader.depth += 1;
  for (;;) {
    take(reader, /[\s,]*/y);
    if (reader.text[reader.at] === close) break;
    const name = open === '[' ? undefined : take(reader, key);
    if (open === '{' && name === undefined) return undefined;
    const item = printed(reader);
    if (item === undefined) return undefined;
    if (name === undefined) items.push(item);
    else Object.defineProperty(members, nameOf(name), { value: item, enumerable: true, configurable: true });
  }
  reader.at += 1;
  reader.depth -= 1;
  return open === '{' || (open === '(' && items.length === 0) ? members : items;
}

/** What follows `map[`, as Go prints it: `email:is required subject:is too long]`. */
function goMap(reader: Reader): Json | undefined {
  const members = take(reader, /([\p{L}\p{N}_$@.-]{1,100}):([^[\]{}]{1,500})\]/uy);
  if (members === undefined) return undefined;
  const texts = `${members[1]}:${members[2]}`.split(/\s(?=[\p{L}\p{N}_$@.-]+:)/u);
  // One word is a value, not a complaint.
  if (!texts.every((text) => /\s/.test(text))) return undefined;
  return Object.fromEntries(
    texts.map((text) => [text.slice(0, text.indexOf(':')), [text.slice(text.indexOf(':') + 1)]]),
  );
}

/** `'subject': `, `:subject=>`, `subject=`, `subject: `. */
const key =
  /\s*(?:"((?:[^"\\]|\\.){0,200})"|'((?:[^'\\]|\\.){0,200})'|:?([\p{L}\p{N}_$@][\p{L}\p{N}_$@.-]{0,100}))\s*(?:=>|:|=)\s*/uy;

function nameOf(match: RegExpExecArray): string {
  return match[1] ?? match[2] ?? match[3] ?? '';
}

function printed(reader: Reader): Json | undefined {
  // `ErrorDetail(string='is required', code='required')` is an object.
  take(reader, /\s*(?:[A-Za-z_][\w.]{0,60}(?=[({]))?/y);
  if (/[[{(]/.test(reader.text[reader.at] ?? '')) return container(reader);
  const quoted = take(reader, /"((?:[^"\\]|\\.){0,2000})"|'((?:[^'\\]|\\.){0,2000})'/y);
  if (quoted !== undefined) return (quoted[1] ?? quoted[2] ?? '').replaceAll(/\\(.)/g, '$1');
  const bare = take(reader, /[^,{}[\]()"'\n]{1,500}/y)?.[0].trim();
  if (bare === undefined || bare === '') return undefined;
  return /^(?:none|nil|null|undefined)$/i.test(bare) ? null : (parseJson(bare.toLowerCase()) ?? bare);
}
