import { problemAt, type SourceDocument } from '../document/document.ts';
import { schemaProblems } from '../document/schema-problems.ts';
import { type InputProblem, refuse } from '../model/input-error.ts';
import type { JsonObject } from '../model/json.ts';
import type { Validators } from './validators.ts';

type OpenapiError = Awaited<ReturnType<Validators['openapi']>>[number];

/**
 * Checks what is not a schema. Members of OpenAPI 3.2 in a document of 3.1, and names of components with characters that OpenAPI
 * does not allow, as generators make of generic types, say what they mean: each is a warning.
 * @throws InputError with every other problem
 */
export async function checkOutline(
  document: SourceDocument,
  outline: JsonObject,
  { openapi }: Validators,
  warnings: InputProblem[],
): Promise<void> {
  const errors = await openapi(outline);
  if (errors.length === 0) return;
  const others = errors.filter((error) => !isOfName(error));
  const isNewer =
    others.length > 0 &&
    /^3\.1\./.test(String(outline['openapi'])) &&
    (await openapi({ ...outline, openapi: '3.2.0' })).every(isOfName);
  refuse(schemaProblems(document, isNewer ? [] : others));
  if (isNewer)
    warnings.push(
      problemAt(
        document,
        '/openapi',
        'the document has members of OpenAPI 3.2',
        "write 'openapi: 3.2.0', which is how it is read",
      ),
    );
  warnings.push(...schemaProblems(document, errors.filter(isOfName)));
}

/** What is wrong with no more than the name of a component. */
function isOfName({ instancePath, keyword, propertyName }: OpenapiError): boolean {
  return (
    /^\/components\/[^/]+$/.test(instancePath) && (keyword === 'propertyNames' || propertyName !== undefined)
  );
}
