import { isArray, isObject, type Json, parseJson } from '../../model/json.ts';
import { conforming } from '../conforming.ts';
import type { SeededFault } from './fault.ts';

function failingOn(pattern: RegExp): SeededFault['change'] {
  return {
    parseBody: (call, bytes) => {
      if (pattern.test(Buffer.from(bytes).toString())) throw new Error('unexpected character');
      return conforming.parseBody(call, bytes);
    },
  };
}

function each(value: Json, change: (name: string, member: Json) => readonly [string, Json]): Json {
  if (isArray(value)) return value.map((item) => each(item, change));
  if (!isObject(value)) return value;
  return Object.fromEntries(
    Object.entries(value).map(([name, member]) => change(name, each(member, change))),
  );
}

/** Each text of a body is read as this. */
function eachParsed(read: (name: string, text: string) => string): SeededFault['change'] {
  return {
    parseBody: (call, bytes) => {
      const value = conforming.parseBody(call, bytes);
      return value === undefined
        ? undefined
        : each(value, (name, member) => [name, typeof member === 'string' ? read(name, member) : member]);
    },
  };
}

/** What follows wherever an invalid body is taken. */
const taken = 'VAL-3 VAL-4 VAL-5 VAL-7 VAL-8 VAL-9 VAL-10 PRE-3 ERR-1';

/** Texts that are legal and stumbled over, and JSON that a careless parser misreads. */
export const textFaults: readonly SeededFault[] = [
  {
    id: 'V64',
    describes: 'A single quote in a text makes the service fail.',
    breaks: 'VAL-15',
    also: 'VAL-2 ERR-1',
    change: failingOn(/'/),
  },
  {
    id: 'V65',
    describes: 'A text of the maximum declared length is refused.',
    breaks: 'VAL-15',
    change: {
      validateBody: (call, value, schema) => {
        const findings = conforming.validateBody(call, value, schema);
        return findings.length === 0 && isObject(value) && String(value['name']).length === 200
          ? [{ in: 'body', at: '/name', keyword: 'maxLength', message: 'is too long' }]
          : findings;
      },
    },
    operations: ['createContact'],
  },
  {
    id: 'V66',
    describes: 'A number or boolean in a list is coerced to the required string.',
    breaks: 'VAL-2',
    also: `${taken} VAL-11`,
    change: {
      coerce: (_, value) =>
        each(value, (name, member) => [
          name,
          name === 'address' && ['number', 'boolean'].includes(typeof member)
            ? `${member}@b.example`
            : member,
        ]),
    },
    operations: ['createContact'],
  },
  {
    id: 'V67',
    describes: 'Member names are matched with their first letter in either case.',
    breaks: 'VAL-1',
    also: taken,
    change: {
      coerce: (_, value) =>
        each(value, (name, member) => [`${name.slice(0, 1).toLowerCase()}${name.slice(1)}`, member]),
    },
  },
  {
    id: 'V68',
    describes: 'A body without its last brace or bracket is accepted.',
    breaks: 'VAL-13',
    also: 'ERR-1',
    change: {
      parseBody: (call, bytes) => {
        const value = conforming.parseBody(call, bytes);
        if (value !== undefined) return value;
        const text = Buffer.from(bytes).toString();
        return parseJson(`${text}}`) ?? parseJson(`${text}]`);
      },
    },
  },
  {
    id: 'V69',
    describes: 'NaN or a comment makes the service fail.',
    breaks: 'VAL-13',
    change: failingOn(/NaN|\/\*/),
  },
  {
    id: 'V70',
    describes: 'A byte order mark makes the service fail.',
    breaks: 'VAL-13',
    change: failingOn(/\ufeff/),
  },
  {
    id: 'V71',
    describes: 'Texts are truncated to 250 characters.',
    breaks: 'VAL-15',
    // The marker at the end of a text is cut as well.
    also: 'IDM-6 CMD-6',
    change: eachParsed((_, text) => text.slice(0, 250)),
  },
  {
    id: 'V72',
    describes: 'A fixed value is accepted in upper or lower case.',
    breaks: 'VAL-2',
    also: taken,
    change: eachParsed((name, text) => (name === 'priority' ? text.toLowerCase() : text)),
    operations: ['updateCase'],
  },
  {
    id: 'V73',
    describes: 'An emoji in a nested member makes the service fail.',
    breaks: 'VAL-15',
    also: 'ERR-1',
    change: {
      parseBody: (call, bytes) => {
        const value = conforming.parseBody(call, bytes);
        const inner = isObject(value)
          ? Object.values(value).filter((member) => typeof member === 'object')
          : [];
        if (/\p{Extended_Pictographic}/u.test(JSON.stringify(inner))) throw new Error('unexpected character');
        return value;
      },
    },
    operations: ['createContact'],
  },
  {
    id: 'V77',
    describes: 'The word null in a text counts as no text.',
    breaks: 'VAL-15',
    change: {
      validateBody: (call, value, schema) =>
        conforming.validateBody(
          call,
          each(value, (name, member) => [name, member === 'null' ? null : member]),
          schema,
        ),
    },
    operations: ['createContact'],
  },
  {
    id: 'V76',
    describes: 'A read shows at most four items of a list that may have five.',
    breaks: 'CMD-6',
    change: {
      finish: (incoming, answer) => {
        const shown =
          incoming.operation?.id === 'getContact' ? parseJson(String(answer.body ?? '')) : undefined;
        return isObject(shown) && isArray(shown['tags'])
          ? { ...answer, body: JSON.stringify({ ...shown, tags: shown['tags'].slice(0, 4) }) }
          : answer;
      },
    },
    operations: ['createContact', 'getContact'],
  },
  {
    id: 'V80',
    describes: 'Emoji are taken out of the texts that are kept, and the result shows them.',
    breaks: 'VAL-15',
    change: {
      finish: (incoming, answer) =>
        incoming.operation?.id === 'getContact'
          ? {
              ...answer,
              body: String(answer.body ?? '').replaceAll(/(?!\p{ASCII})\p{Extended_Pictographic}/gu, ''),
            }
          : answer,
    },
    operations: ['createContact', 'getContact'],
  },
];
