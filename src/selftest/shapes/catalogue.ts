import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import { readDocument } from '../../document/document.ts';
import { schemaProblems } from '../../document/schema-problems.ts';
import { refuse } from '../../model/input-error.ts';
import type { Json, JsonObject } from '../../model/json.ts';
import { type Described, list, record, type Schema, schemaOf } from '../../model/schema.ts';
import { packageRoot } from '../../run/place.ts';
import {
  type DocumentPart,
  idText,
  linkTo,
  note,
  noteBody,
  notes,
  object,
  operation,
  operationMembers,
  resourceMembers,
  type Shape,
  shape,
  text,
} from './document.ts';

const members = schemaOf<JsonObject>({ type: 'object' });
const named = <T>(each: Schema<T>) =>
  schemaOf<Readonly<Record<string, T>>>({ type: 'object', additionalProperties: each });

const written = record(
  '',
  {},
  {
    operations: named(operationMembers),
    resource: resourceMembers,
    item: operationMembers,
    parameters: list(schemaOf<Json>({})),
    textless: members,
    document: members,
    text: schemaOf<string>({ type: 'string' }),
    configured: named(members),
  },
);
const file = record('', { values: members, shapes: named(written) });

/** A resource whose records have no text that could say what they are. */
function textless(given: JsonObject): readonly DocumentPart[] {
  const result = object({ id: idText, ...given });
  return notes({
    create: { body: object(given), result, links: linkTo('getNote', 'noteId') },
    read: { result },
    item: result,
  });
}

/** A command and a read that take the same parameters. */
function taking(parameters: readonly Json[]): readonly DocumentPart[] {
  const governed = { effect: { list: 'listNotes' } };
  return [
    operation('POST /notes', 'createNote', { body: noteBody, result: note, parameters, governed }),
    operation('GET /notes', 'listNotes', { result: { type: 'array', items: note }, parameters }),
  ];
}

function partsOf(one: Described<typeof written>): readonly DocumentPart[] {
  return [
    ...(one.resource === undefined ? [] : notes(one.resource)),
    ...(one.textless === undefined ? [] : textless(one.textless)),
    ...(one.parameters === undefined ? [] : taking(one.parameters)),
    ...(one.item === undefined
      ? []
      : [operation('POST /items', 'createItem', { result: object({ id: text }), ...one.item })]),
    ...Object.entries(one.operations ?? {}).map(([request, of]) => {
      const [method, path, id = ''] = request.split(' ');
      return operation(`${method} ${path}`, id, of);
    }),
  ];
}

function readShapes(): readonly Shape[] {
  const path = join(packageRoot(), 'fixtures/contracts/shapes.yaml');
  const document = readDocument(readFileSync(path, 'utf8'), path);
  const check = new Ajv2020({ allErrors: true, verbose: true, strict: false }).compile<
    Described<typeof file>
  >(file);
  if (!check(document.value)) {
    refuse(schemaProblems(document, check.errors));
    return [];
  }
  return Object.entries(document.value.shapes).map(([name, one]) => {
    const operations = one.configured === undefined ? {} : { operations: one.configured };
    return one.text === undefined
      ? shape(name, partsOf(one), { ...operations, document: one.document ?? {} })
      : { name, text: one.text };
  });
}

/** Every shape that a contract may have and the harness must be right on. */
export const shapes = readShapes();
