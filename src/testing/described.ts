import { parseContract } from '../contract/load.ts';
import { contractValidators } from '../contract/validators.ts';
import { type Contract, type Operation, operationOf } from '../model/contract.ts';

export const validators = contractValidators();
const keyOf = (schema: string): string =>
  `{ name: Idempotency-Key, in: header, required: true, schema: ${schema} }`;
export const key = keyOf('{ type: string }');
export const made = '{ description: made, content: { application/json: { schema: { type: object } } } }';

/** A contract with the command `make`, described by lines of YAML. */
export async function contractWith({
  version = '3.1.1',
  body = '{ type: object }',
  responses = `{ '201': ${made} }`,
  security = '[{ token: [a.write] }]',
  others = '',
  keySchema = '{ type: string }',
  more = [],
}: {
  readonly version?: string;
  readonly body?: string;
  readonly responses?: string;
  readonly security?: string;
  /** The schema of the Idempotency-Key. */
  readonly keySchema?: string;
  /** Further paths. */
  readonly others?: string;
  /** Further lines of the document. */
  readonly more?: readonly string[];
}): Promise<Contract> {
  const text = `
openapi: ${version}
info: { title: Shapes, version: 1.27.0 }
paths:
  /things:
    post:
      operationId: make
      security: ${security}
      parameters: [${keyOf(keySchema)}]
      requestBody: { required: true, content: { application/json: { schema: ${body} } } }
      responses: ${responses}
${others}
components:
  securitySchemes:
    token: { type: http, scheme: bearer }
    other: { type: apiKey, in: header, name: X-Key }
${more.join('\n')}
`;
  return await parseContract(text, 'c.yaml', validators);
}

export async function make(of: Parameters<typeof contractWith>[0]): Promise<Operation> {
  return operationOf(await contractWith(of), 'make');
}
