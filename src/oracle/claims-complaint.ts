import { isArray, isObject, type Json, type JsonObject } from '../model/json.ts';
import { fold } from './claims-path.ts';
import { complaints, envelopeMarks } from './claims-vocabulary.ts';

/** A predicate without a subject: whatever it stands under is its subject. */
const predicate =
  /^\W*(?:is|are|isn['’]t|aren['’]t|has to|have to|has|does|doesn['’]t|needs?|was|were)\b|^\W*(?:must|mustn['’]t|may|can|can['’]t|cannot|should|shouldn['’]t|shall) (?:not )?(?:be|have|contain|match|start|end|begin|exceed|equal|include|consist|satisfy|lie|only|at (?:least|most))\b|^\W*(?:this|the) (?:field|value|property|parameter|attribute) (?:is|must|may|can|cannot|should|has|does|was|needs|required)\b|^\W*field (?:is )?required\b|^\W*missing data for required field\b|^\W*not a valid\b/iu;

/** "Required", "too long": a complaint without a verb. What it stands under is its subject, or says of what kind it is. */
const verbless =
  /^\W*(?:(?:value |field )?(?:required|missing|invalid|blank|empty|wrong|incorrect|unknown|unexpected|unsupported|forbidden)(?: (?:value|type|format|length|field))?|too \w+|not (?:\w+ )?\w+|expected \w+(?:, (?:received|got) \w+)?)\W*$/iu;

export function isVerbless(value: Json): boolean {
  const texts = isArray(value) ? value : [value];
  return texts.length > 0 && texts.every((text) => typeof text === 'string' && verbless.test(text));
}

export function isTextList(value: Json): value is readonly string[] {
  return isArray(value) && value.length > 0 && value.every((part) => typeof part === 'string');
}

/** The texts by which a value complains: itself, its items, or their messages. */
function textsOf(value: Json, depth = 0): readonly string[] {
  if (typeof value === 'string') return [value];
  if (depth > 3) return [];
  if (isArray(value)) return value.flatMap((item) => textsOf(item, depth + 1));
  if (!isObject(value)) return [];
  return Object.entries(value).flatMap(([name, member]) =>
    complaints.has(fold(name)) && fold(name) !== 'code' ? textsOf(member, depth + 1) : [],
  );
}

/** True where all that a value says lacks a subject, so that its key is the subject. */
export function speaksOfKey(value: Json): boolean {
  const texts = textsOf(value);
  return texts.length > 0 && texts.every((text) => predicate.test(text));
}

/** A node of a tree of errors, as Zod, FOSRest and CakePHP write it; never an envelope. */
export function isErrorNode(value: Json): boolean {
  if (!isObject(value)) return false;
  const names = Object.keys(value);
  if (names.length === 0) return false;
  if (names.every((name) => name.startsWith('_')) || isArray(value['_errors'])) return true;
  const own = value['errors'] ?? null;
  return (
    (isTextList(own) || (isArray(own) && own.length === 0 && names.length > 1)) &&
    names.every((name) => ['errors', 'children', 'properties', 'items'].includes(name))
  );
}

/** True for an object that complains: it has a message, or nothing but a code. */
export function isComplaint(value: Json): boolean {
  return (
    isObject(value) &&
    Object.entries(value).some(
      ([name, member]) => complaints.has(fold(name)) && (typeof member === 'string' || isTextList(member)),
    )
  );
}

/** True for an object whose members all hold complaints: a map of fields, whatever it is called. */
export function isComplaintMap(value: Json): boolean {
  if (!isObject(value)) return false;
  const members = Object.values(value);
  return (
    members.length > 0 &&
    members.every(
      (member) =>
        speaksOfKey(member) ||
        isTextList(member) ||
        (isObject(member) && isComplaint(member)) ||
        (isArray(member) && member.length > 0 && member.every(isComplaint)),
    )
  );
}

/** True where something in a tree of members complains: `{"contact": {"email": ["is required"]}}`. */
export function hasComplaint(value: Json, depth = 0): boolean {
  if (typeof value === 'string') return /\s/.test(value);
  if (depth > 6) return false;
  // A code alone may be a complaint where it is in a list: `{"name": [{"code": "length"}]}`.
  if (isArray(value)) return value.some((item) => isComplaint(item) || hasComplaint(item, depth + 1));
  return isObject(value) && Object.values(value).some((member) => hasComplaint(member, depth + 1));
}

/** True for `properties` of a tree of errors, which elsewhere are those of a schema. */
export function isErrorTree(value: Json): boolean {
  return isObject(value) && Object.values(value).some((member) => isErrorNode(member));
}

/** Words about a field, not its name: `{"path": "is required"}` speaks of a field that is called path. */
export function isStatement(value: Json): boolean {
  return (
    speaksOfKey(value) || [value].flat().some((text) => typeof text === 'string' && /\s\S+\s/.test(text))
  );
}

/** True for an object that is an error itself, not a map of fields. */
export function isEnvelope(object: JsonObject): boolean {
  const members = Object.values(object);
  // FHIR: `{"resourceType": "OperationOutcome", "issue": [{"code": "required", ...}]}`. A map of fields has one shape.
  const isMixed =
    members.some((value) => isArray(value) && value.length > 0 && value.every(isComplaint)) &&
    members.some((value) => typeof value === 'string' && !speaksOfKey(value));
  if (isMixed) return true;
  return Object.entries(object).some(([name, value]) => {
    const folded = fold(name);
    // `{"title": ["is required"]}` is a map of fields; `{"message": ["subject is required"]}` is none.
    const isField = isTextList(value) && !/^(?:message|errors?|details?)$/.test(folded);
    return envelopeMarks.has(folded) && !isField;
  });
}
