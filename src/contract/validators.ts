import { Validator } from '@seriousme/openapi-schema-validator';
import { Ajv2020, type ErrorObject } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { JsonObject } from '../model/json.ts';
import {
  type GovernedDocument,
  type GovernedOperation,
  type GovernedQueryField,
  governedDocumentSchema,
  governedOperationSchema,
  governedQueryFieldSchema,
} from './governed.ts';

/** Tells what a value is, and otherwise what is wrong with it. */
export type Check<T> = {
  (value: unknown): value is T;
  errors?: readonly ErrorObject[] | null;
};

/** Everything that a document is checked with. Compiling them takes about 0.2 s: keep them where many documents are read. */
export type Validators = {
  /** The errors of a document as OpenAPI 3.1; empty where there are none. */
  readonly openapi: (document: JsonObject) => Promise<readonly ErrorObject[]>;
  readonly governedDocument: Check<GovernedDocument>;
  readonly governedOperation: Check<GovernedOperation>;
  readonly governedQueryField: Check<GovernedQueryField>;
  /** Checks schemas against JSON Schema 2020-12. */
  readonly ajv: Ajv2020;
};

export function contractValidators(): Validators {
  const openapi = new Validator({ allErrors: true, verbose: true });
  const ajv = new Ajv2020({ allErrors: true, verbose: true, strict: false });
  formats.default(ajv);
  return {
    openapi: async (document) => {
      // The validator may add members to what it is given.
      const { errors } = await openapi.validate({ ...document });
      // A text tells of references, which the harness follows itself, with positions.
      return typeof errors === 'object' ? errors : [];
    },
    governedDocument: ajv.compile<GovernedDocument>(governedDocumentSchema),
    governedOperation: ajv.compile<GovernedOperation>(governedOperationSchema),
    governedQueryField: ajv.compile<GovernedQueryField>(governedQueryFieldSchema),
    ajv,
  };
}
