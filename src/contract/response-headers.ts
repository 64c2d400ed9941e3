import type { Success } from '../model/contract.ts';
import type { Place } from './library.ts';
import { child, follow, members } from './place.ts';
import { type SchemaReading, schemaAt } from './schema.ts';

/** X-Request-Id has clauses of its own; OpenAPI ignores Content-Type, and the others are the connection's. */
const unjudgedHeader =
  /^(?:x-request-id|content-(?:type|length|encoding)|transfer-encoding|connection|keep-alive|date)$/i;

/** The names of the headers that a success must have, or may have. */
export function headersOf(
  response: Place,
  reading: SchemaReading,
): Pick<Success, 'requiredHeaders' | 'otherHeaders'> {
  const judged = members(child(response, 'headers')).filter(([name]) => !unjudgedHeader.test(name));
  const isRequired = (header: Place): boolean =>
    child(follow(header, reading.library), 'required').value === true;
  const namesOf = (required: boolean): readonly string[] =>
    judged.flatMap(([name, header]) => (isRequired(header) === required ? [name] : []));
  const [requiredHeaders, otherHeaders] = [namesOf(true), namesOf(false)];
  return {
    ...(requiredHeaders.length === 0 ? {} : { requiredHeaders }),
    ...(otherHeaders.length === 0 ? {} : { otherHeaders }),
  };
}

export function requestIdOf(response: Place, reading: SchemaReading): Pick<Success, 'requestId'> {
  const found = members(child(response, 'headers')).find(([name]) => name.toLowerCase() === 'x-request-id');
  if (found === undefined) return {};
  const header = follow(found[1], reading.library);
  const schema = child(header, 'schema');
  return {
    requestId: {
      required: child(header, 'required').value === true,
      schema: schema.value === undefined ? undefined : schemaAt(schema, reading, 'response'),
    },
  };
}
