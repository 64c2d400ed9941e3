import type { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { type Check, checkOf, compiledAhead } from '../document/checks.ts';
import type { JsonObject } from '../model/json.ts';
import {
  type GovernedDocument,
  type GovernedOperation,
  type GovernedQueryField,
  governedDocumentSchema,
  governedOperationSchema,
  governedQueryFieldSchema,
} from './governed.ts';

/** Everything that a document is checked with. What the build did not compile is compiled once. */
export type Validators = {
  /** The errors of a document as OpenAPI; empty where there are none. */
  readonly openapi: (document: JsonObject) => Promise<readonly ErrorObject[]>;
  readonly governedDocument: Check<GovernedDocument>;
  readonly governedOperation: Check<GovernedOperation>;
  readonly governedQueryField: Check<GovernedQueryField>;
  readonly schema: Check<JsonObject>;
};

const dialect = 'https://json-schema.org/draft/2020-12/schema';

export function contractValidators(): Validators {
  let made: Ajv2020 | undefined;
  const ajv = (): Ajv2020 => {
    if (made === undefined) {
      made = new Ajv2020({ allErrors: true, verbose: true, strict: false });
      formats.default(made);
    }
    return made;
  };
  return {
    openapi: openapiErrors,
    governedDocument: checkOf('governed-document', () =>
      ajv().compile<GovernedDocument>(governedDocumentSchema),
    ),
    governedOperation: checkOf('governed-operation', () =>
      ajv().compile<GovernedOperation>(governedOperationSchema),
    ),
    governedQueryField: checkOf('governed-query-field', () =>
      ajv().compile<GovernedQueryField>(governedQueryFieldSchema),
    ),
    schema: checkOf('meta-schema', () => {
      const meta = ajv().getSchema<JsonObject>(dialect);
      if (meta === undefined) throw new Error(`ajv does not know ${dialect}`);
      return meta;
    }),
  };
}

let exact: Promise<Validator> | undefined;

async function openapiErrors(document: JsonObject): Promise<readonly ErrorObject[]> {
  const version = /^3\.[012]/.exec(String(document['openapi']))?.[0];
  if (version !== undefined && compiledAhead(`openapi-${version}`)?.(document) === true) return [];
  exact ??= import('@seriousme/openapi-schema-validator').then(
    // A wrong address of a contact, or an operationRef with braces as OpenAPI 3.0 shows them, costs nothing here.
    (made) => new made.Validator({ allErrors: true, verbose: true, validateFormats: false }),
  );
  // The validator may add members to what it is given.
  const { errors } = await (await exact).validate({ ...document });
  // The harness follows references itself, and reports them with positions.
  return typeof errors === 'object' ? errors : [];
}
