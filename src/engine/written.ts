import { isArray, isObject, type Json } from '../model/json.ts';
import type { BodyForm } from '../model/scenario.ts';

/** JSON text of a value in one of its forms: all mean the same value. */
export function written(value: Json, form: BodyForm | undefined): string {
  if (form === 'reordered') return JSON.stringify(reordered(value));
  if (form === 'spaced') return ` ${JSON.stringify(value, null, '\t').replaceAll('\n', '\r\n')}\n`;
  if (form === 'escaped')
    return JSON.stringify(value).replaceAll(/"((?:[^"\\]|\\.)*)"/g, (text) =>
      text.replaceAll(/(?<!\\)[a-zA-Z]/g, (letter, at: number) =>
        isEscape(text, at) ? letter : `\\u${letter.charCodeAt(0).toString(16).padStart(4, '0')}`,
      ),
    );
  return typeof form === 'string' ? miswritten(JSON.stringify(value), form) : JSON.stringify(value);
}

function miswritten(text: string, form: Extract<BodyForm, string>): string {
  const first = (member: string): string =>
    text.startsWith('{') ? `{${member}${text === '{}' ? '' : ','}${text.slice(1)}` : text;
  switch (form) {
    case 'listed':
      return `[${text}]`;
    case 'cut':
      return text.slice(0, -1);
    case 'followed':
      return `${text} x`;
    case 'commented':
      return text.replace(/[{[]/, '$&/* a comment */');
    case 'comma-ended':
      return text.replace(/[}\]]$/, ',$&');
    case 'not-a-number':
      return first('"assayUnknown":NaN');
    case 'infinite':
      return first('"assayUnknown":Infinity');
    case 'invalid-utf8':
      return text.replace(/(?<=:)"/, '"\u00ff');
    case 'byte-order-mark':
      return `\ufeff${text}`;
    case 'duplicated':
      return first(
        /^\{("(?:[^"\\]|\\.)*":(?:"(?:[^"\\]|\\.)*"|[\w.-]+))/.exec(text)?.[1] ?? '"assayUnknown":1',
      );
    default:
      return text;
  }
}

/** True where the character belongs to an escape such as \n or \u00e9. */
function isEscape(text: string, at: number): boolean {
  return /\\(?:u[0-9a-fA-F]{0,3})?$/.test(text.slice(Math.max(0, at - 5), at));
}

function reordered(value: Json): Json {
  if (isArray(value)) return value.map(reordered);
  if (isObject(value))
    return Object.fromEntries(
      Object.entries(value)
        .reverse()
        .map(([name, member]) => [name, reordered(member)]),
    );
  return value;
}
