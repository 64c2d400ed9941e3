import type { HeaderField, QueryField } from '../model/contract.ts';
import { isArray, isObject, type Json, type JsonSchema, parseJson } from '../model/json.ts';
import { problem } from './answer.ts';
import type { BodyDecisions, Call } from './behaviour.ts';
import { headerValues, type Mismatch, type ParsedBody, type Refusal } from './message.ts';

export const bodyDecisions: BodyDecisions = {
  refuseMediaType: (call) => {
    const wanted = call.operation.body?.mediaType;
    if (wanted === undefined) return undefined;
    const [type, ...parameters] = headerValues(call.request, 'Content-Type')
      .join(',')
      .toLowerCase()
      .split(';');
    const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
    const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
    const coded = headerValues(call.request, 'Content-Encoding').some(
      (one) => one.toLowerCase() !== 'identity',
    );
    if (type?.trim() === wanted.toLowerCase() && utf8 && !coded) return undefined;
    return problem(415, `The body must be ${wanted} in UTF-8, without content coding.`);
  },
  parseBody: (call, bytes) => {
    const text = decodeUtf8(bytes);
    return text === undefined || depthOf(text) > call.service.settings.bodyDepth
      ? undefined
      : parseJson(text);
  },
  refuseSyntax: (call) =>
    problem(
      400,
      `The body is not JSON in UTF-8 of at most ${call.service.settings.bodyDepth} levels. Check its syntax.`,
    ),
  coerce: (_call, value) => value,
  validateBody: (call, value, schema) =>
    call.service.schemas.faultsOf(schema, value).map((fault) => ({ in: 'body', ...fault })),
  validateQuery: (call) => [
    ...call.operation.queryFields.flatMap((field) => queryFindings(call, field)),
    ...(call.operation.headerFields ?? []).flatMap((field) => headerFindings(call, field)),
  ],
  reportFindings: (_call, findings) => findings,
  refuseInvalid: (call, findings) =>
    problem(422, 'The request does not match the published schema. Correct the named fields.', {
      findings: call.service.behaviour.reportFindings(call, findings),
    }),
};

/** The request's body, read once: undefined where the operation takes none, or where none was sent. */
export function bodyOf(call: Call): ParsedBody {
  call.parsed ??= readBody(call);
  return call.parsed;
}

/** The value of the body, undefined where there is none or where it could not be read. */
export function bodyValue(call: Call): Json | undefined {
  const body = bodyOf(call);
  return body.ok ? body.value : undefined;
}

function readBody(call: Call): ParsedBody {
  const { behaviour, settings } = call.service;
  const { body } = call.operation;
  if (call.request.tooLarge) {
    return { ok: false, refusal: problem(413, `The body exceeds ${settings.bodyBytes} bytes.`) };
  }
  if (body === undefined || call.request.body.length === 0) return { ok: true, value: undefined };
  const refusal = behaviour.refuseMediaType(call);
  if (refusal !== undefined) return { ok: false, refusal };
  const value = behaviour.parseBody(call, call.request.body);
  if (value === undefined) return { ok: false, refusal: behaviour.refuseSyntax(call) };
  return { ok: true, value: behaviour.coerce(call, value, body.schema) };
}

/** Phase: 400, 413 or 415 where the body cannot be read. */
export function parse(call: Call): Refusal | undefined {
  const body = bodyOf(call);
  return body.ok ? undefined : body.refusal;
}

/** Phase: 422 where query or body do not match what is published. */
export function validate(call: Call): Refusal | undefined {
  const { refuseInvalid, validateBody, validateQuery } = call.service.behaviour;
  const { body } = call.operation;
  const value = bodyValue(call);
  const findings: Mismatch[] = [...validateQuery(call)];
  if (body !== undefined && value !== undefined) findings.push(...validateBody(call, value, body.schema));
  if (body?.required === true && value === undefined) {
    findings.push({ in: 'body', at: '', keyword: 'required', message: 'is required' });
  }
  return findings.length === 0 ? undefined : refuseInvalid(call, findings);
}

function queryFindings(call: Call, field: QueryField): readonly Mismatch[] {
  const { query } = call.request;
  const finding = findingIn('query', field.name);
  const types = typesOf(field.schema);
  if (field.style === 'deepObject') {
    const members = [...query].flatMap(([name, text]) => {
      const member = name.startsWith(`${field.name}[`) && name.endsWith(']');
      return member ? [[name.slice(field.name.length + 1, -1), text] as const] : [];
    });
    if (members.length === 0) return field.required ? [finding('required', 'is required')] : [];
    return faultsAs(call, field.schema, Object.fromEntries(members), finding);
  }
  const texts = query.getAll(field.name);
  if (texts.length === 0) return field.required ? [finding('required', 'is required')] : [];
  const several = types.includes('array') && field.style !== 'json';
  if (!several && texts.length > 1) return [finding('maxItems', 'must be given once')];
  return faultsAs(call, field.schema, fieldValue(field, texts, types), finding);
}

function headerFindings(call: Call, field: HeaderField): readonly Mismatch[] {
  const finding = findingIn(field.in, field.name);
  const texts =
    field.in === 'header'
      ? headerValues(call.request, field.name)
      : headerValues(call.request, 'Cookie')
          .flatMap((line) => line.split('; '))
          .flatMap((pair) =>
            pair.startsWith(`${field.name}=`) ? [decodeURIComponent(pair.slice(field.name.length + 1))] : [],
          );
  if (texts.length === 0) return field.required ? [finding('required', 'is required')] : [];
  return faultsAs(call, field.schema, fieldValue(field, texts, typesOf(field.schema)), finding);
}

type MakeFinding = (keyword: string, message: string) => Mismatch;

function findingIn(place: Mismatch['in'], at: string): MakeFinding {
  return (keyword, message) => ({ in: place, at, keyword, message });
}

function faultsAs(call: Call, schema: JsonSchema, value: Json, finding: MakeFinding): readonly Mismatch[] {
  return call.service.schemas.faultsOf(schema, value).map((fault) => finding(fault.keyword, fault.message));
}

/** The value that the texts of a field mean, in its style. */
function fieldValue(field: QueryField | HeaderField, texts: readonly string[], types: readonly Json[]): Json {
  const [first = ''] = texts;
  if (field.style === 'json') return parseJson(first) ?? first;
  if (!types.includes('array')) return queryValue(first, types);
  const separator =
    field.style === 'spaceDelimited'
      ? ' '
      : field.style === 'pipeDelimited'
        ? '|'
        : field.explode === false
          ? ','
          : undefined;
  const parts = separator === undefined ? texts : texts.flatMap((text) => text.split(separator));
  return parts.map((text) => queryValue(text, types));
}

/** A text of the query as the schema's type would have it: `20` is a number only where one is asked for. */
function queryValue(text: string, types: readonly Json[]): Json {
  if (types.includes('integer') || types.includes('number')) {
    return /^-?(0|[1-9]\d*)(\.\d+)?$/.test(text) ? Number(text) : text;
  }
  if (types.includes('boolean')) return text === 'true' ? true : text === 'false' ? false : text;
  return text;
}

/** The types that a schema names, those of its items included. */
function typesOf(schema: JsonSchema): readonly Json[] {
  if (!isObject(schema)) return [];
  const { items, type } = schema;
  const own = isArray(type) ? type : type === undefined ? [] : [type];
  return isObject(items) ? [...own, ...typesOf(items)] : own;
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** How deeply arrays and objects are nested in a JSON text: what recurses over the value must not run out of stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
