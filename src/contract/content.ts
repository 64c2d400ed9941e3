import type { RequestBody, Success } from '../model/contract.ts';
import { canonicalJson, type JsonSchema } from '../model/json.ts';
import { essence } from '../model/returned-form.ts';
import type { Place } from './library.ts';
import { namedExamples } from './parameters.ts';
import { child, errorAt, follow, items, members, untestableAt } from './place.ts';
import { chosenSchemaAt, type SchemaReading, type SchemaUse, schemaAt } from './schema.ts';
import { warnOfWide } from './wide.ts';

export function isJson(mediaType: string): boolean {
  return /^(application\/([^;\s]+\+)?json|text\/json|application\/\*|\*\/\*)\s*(;|$)/i.test(mediaType);
}

export function bodyOf(id: string, place: Place, reading: SchemaReading): RequestBody | undefined {
  const holder = child(place, 'requestBody');
  if (holder.value === undefined) return undefined;
  const at = follow(holder, reading.library);
  // Stripe describes an empty form for each read: what has another form, and says nothing, is left out.
  if (isOtherForm(at) && asksNothing(at, reading)) return undefined;
  const content = jsonContent(at, `the request body of '${id}'`, reading, 'request');
  const required = child(at, 'required').value === true;
  // What has no form, and may be left out, is left out.
  if (content === undefined && !required && child(at, 'content').value !== undefined) return undefined;
  if (content === undefined) {
    throw errorAt(
      at,
      `the request body of '${id}' has no content`,
      "describe it under 'content: application/json'",
    );
  }
  const { schema = true } = content;
  warnOfWide(id, at, schema, reading.warnings);
  return { ...content, schema, required };
}

/** Whether a body has other forms than JSON only. */
function isOtherForm(at: Place): boolean {
  const content = members(child(at, 'content'));
  return content.length > 0 && !content.some(([mediaType]) => isJson(mediaType));
}

/** Whether a body may be left out, as OpenAPI has it by default, and has no member that has to be there. */
function asksNothing(at: Place, { library }: SchemaReading): boolean {
  if (child(at, 'required').value === true) return false;
  return members(child(at, 'content')).every(([, media]) => {
    const schema = follow(child(media, 'schema'), library);
    const isForm =
      child(schema, 'type').value === 'object' || child(schema, 'properties').value !== undefined;
    return isForm && items(child(schema, 'required')).length === 0;
  });
}

export function jsonContent(
  at: Place,
  what: string,
  reading: SchemaReading,
  use: SchemaUse,
):
  | (Pick<RequestBody, 'mediaType' | 'examples' | 'chosenSchema'> & {
      readonly schema: JsonSchema | undefined;
    })
  | undefined {
  const content = members(child(at, 'content'));
  if (content.length === 0) return undefined;
  const json = content.find(([mediaType]) => isJson(mediaType));
  if (json === undefined) {
    throw untestableAt(
      child(at, 'content'),
      `${what} is not JSON`,
      "describe it under 'application/json'",
      'key',
    );
  }
  const [mediaType, place] = json;
  const schema = child(place, 'schema');
  const examples = use === 'request' ? namedExamples(place, reading.library) : [];
  const chosenSchema =
    use === 'request' && schema.value !== undefined ? chosenSchemaAt(schema, reading) : undefined;
  return {
    mediaType: mediaType.includes('*') ? 'application/json' : mediaType,
    schema: schema.value === undefined ? undefined : schemaAt(schema, reading, use),
    ...(examples.length === 0 ? {} : { examples }),
    ...(chosenSchema === undefined ? {} : { chosenSchema }),
  };
}

/** What else the content of a success may be: further media types, and the schemas of those that are JSON as well. */
export function otherForms(
  at: Place,
  chosen: Pick<Success, 'mediaType' | 'schema'>,
  reading: SchemaReading,
): Pick<Success, 'otherMediaTypes' | 'otherSchemas'> {
  const others = members(child(at, 'content')).filter(([name]) => name !== chosen.mediaType);
  if (others.length === 0) return {};
  const own = canonicalJson(chosen.schema ?? true);
  const schemas = others.flatMap(([name, place]): readonly (readonly [string, JsonSchema])[] => {
    const type = essence(name);
    if (!isJson(name) || name.includes('*') || type === essence(chosen.mediaType ?? '')) return [];
    const written = child(place, 'schema');
    const schema = written.value === undefined ? true : schemaAt(written, reading, 'response');
    return canonicalJson(schema) === own ? [] : [[type, schema]];
  });
  return {
    otherMediaTypes: others.map(([name]) => name),
    ...(schemas.length === 0 ? {} : { otherSchemas: Object.fromEntries(schemas) }),
  };
}
