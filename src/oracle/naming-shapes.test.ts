import { describe, expect, test } from 'vitest';
import type { Json } from '../model/json.ts';
import { type NamingOptions, namesField } from './field-naming.ts';

/** A response that names the field `f`; `F` is the same name as a type or a sentence writes it. */
type Shape = (
  f: string,
  F: string,
) => unknown | { readonly text: string; readonly headers?: readonly (readonly [string, string])[] };
type Shapes = Readonly<Record<string, Shape>>;

const text = (words: string, type = 'text/plain') => ({
  text: words,
  headers: [['Content-Type', type]] as const,
});
const header = (name: string, value: string, body = '') => ({
  text: body,
  headers: [[name, value]] as const,
});
const problem = { type: 'about:blank', title: 'Unprocessable Content', status: 422 };

const structured: Shapes = {
  'RFC 9457, pointers in errors': (f) => ({
    ...problem,
    errors: [{ detail: 'is required', pointer: `#/${f}` }],
  }),
  'RFC 9457, one pointer': (f) => ({ ...problem, detail: 'is required', pointer: `/${f}` }),
  'RFC 9457, invalid-params': (f) => ({ ...problem, 'invalid-params': [{ name: f, reason: 'is required' }] }),
  'RFC 9457, invalid_params as a map': (f) => ({ ...problem, invalid_params: { [f]: 'is required' } }),
  'Zalando violations': (f) => ({ ...problem, violations: [{ field: f, message: 'must not be null' }] }),
  'JSON:API': (f) => ({
    errors: [
      {
        status: '422',
        code: 'blank',
        title: 'Invalid Attribute',
        detail: 'is blank',
        source: { pointer: `/data/attributes/${f}` },
      },
    ],
  }),
  'JSON:API, parameter': (f) => ({ errors: [{ source: { parameter: f }, title: 'Invalid' }] }),
  FastAPI: (f) => ({ detail: [{ type: 'missing', loc: ['body', f], msg: 'Field required', input: {} }] }),
  'Django Ninja': (f) => ({
    detail: [{ type: 'missing', loc: ['body', 'payload', f], msg: 'Field required' }],
  }),
  'pydantic errors()': (f) => [
    {
      type: 'string_type',
      loc: [f],
      msg: 'Input should be a valid string',
      url: 'https://errors.pydantic.dev/2/v/string_type',
    },
  ],
  'Django REST': (f) => ({ [f]: ['This field is required.'] }),
  'Django REST, codes': (f) => ({ [f]: [{ message: 'This field is required.', code: 'required' }] }),
  'drf-standardized-errors': (f) => ({
    type: 'validation_error',
    errors: [{ code: 'required', detail: 'This field is required.', attr: f }],
  }),
  Marshmallow: (f) => ({ [f]: ['Missing data for required field.'] }),
  webargs: (f) => ({
    code: 422,
    status: 'Unprocessable Entity',
    errors: { json: { [f]: ['Missing data for required field.'] } },
  }),
  'Flask-RESTX': (f) => ({
    errors: { [f]: 'Missing required parameter in the JSON body' },
    message: 'Input payload validation failed',
  }),
  Rails: (f) => ({ errors: { [f]: ["can't be blank"] } }),
  'Rails at the root': (f) => ({ [f]: ["can't be blank"] }),
  'Rails, details': (f) => ({ errors: { [f]: [{ error: 'blank' }] } }),
  'dry-validation': (f) => ({ errors: { [f]: ['is missing'] } }),
  Laravel: (f) => ({ message: 'The given data was invalid.', errors: { [f]: ['The field is required.'] } }),
  'Symfony ConstraintViolationList': (f) => ({
    ...problem,
    violations: [{ propertyPath: f, message: 'This value should not be null.' }],
  }),
  FOSRest: (f) => ({
    code: 422,
    message: 'Validation Failed',
    errors: { children: { [f]: { errors: ['This value should not be blank.'] } } },
  }),
  CakePHP: (f) => ({ errors: { [f]: { _required: 'This field is required' } } }),
  Phoenix: (f) => ({ errors: { [f]: ["can't be blank"] } }),
  'Spring, BindingResult': (f, F) => ({
    timestamp: '2026-01-15T12:00:00Z',
    status: 422,
    error: 'Unprocessable Entity',
    path: '/cases',
    errors: [
      {
        codes: [`NotNull.case.${f}`, 'NotNull'],
        arguments: [{ codes: [`case.${f}`, f], defaultMessage: f, code: f }],
        defaultMessage: 'must not be null',
        objectName: F === '' ? '' : 'case',
        field: f,
        rejectedValue: null,
        bindingFailure: false,
        code: 'NotNull',
      },
    ],
  }),
  'Spring fieldErrors': (f) => ({
    fieldErrors: [{ objectName: 'case', field: f, message: 'must not be null' }],
  }),
  'Spring, a map': (f) => ({ errors: { [f]: 'must not be null' } }),
  'ASP.NET model state': (_, F) => ({
    ...problem,
    errors: { [F]: [`The ${F} field is required.`] },
    traceId: '00-1-2-00',
  }),
  'ASP.NET System.Text.Json': (f) => ({
    ...problem,
    errors: {
      [`$.${f}`]: [
        `The JSON value could not be converted to System.String. Path: $.${f} | LineNumber: 0 | BytePositionInLine: 14.`,
      ],
    },
  }),
  FluentValidation: (_, F) => ({
    errors: [{ propertyName: F, errorMessage: 'must not be empty.', errorCode: 'NotEmptyValidator' }],
  }),
  FastEndpoints: (f) => ({
    statusCode: 400,
    message: 'One or more errors occurred!',
    errors: { [f]: ['is required!'] },
  }),
  'Quarkus reactive': (f) => ({
    title: 'Constraint Violation',
    status: 422,
    violations: [{ field: `create.case.${f}`, message: 'must not be null' }],
  }),
  'Quarkus classic': (f) => ({
    exception: null,
    propertyViolations: [],
    parameterViolations: [
      { constraintType: 'PARAMETER', path: `create.arg0.${f}`, message: 'must not be null', value: '' },
    ],
  }),
  Dropwizard: (f) => ({ errors: [`${f} must not be null`] }),
  Micronaut: (f) => ({
    message: 'Bad Request',
    _embedded: { errors: [{ message: `case.${f}: must not be null`, path: '/cases' }] },
  }),
  Play: (f) => ({ [`obj.${f}`]: [{ msg: ['error.path.missing'], args: [] }] }),
  'grpc-gateway': (f) => ({
    code: 3,
    message: 'invalid argument',
    details: [
      {
        '@type': 'type.googleapis.com/google.rpc.BadRequest',
        fieldViolations: [{ field: f, description: 'required' }],
      },
    ],
  }),
  Buf: (f) => ({
    code: 'invalid_argument',
    details: [
      {
        type: 'buf.validate.Violations',
        debug: { violations: [{ field: { elements: [{ fieldName: f }] }, ruleId: 'required' }] },
      },
    ],
  }),
  'zod issues': (f) => ({
    error: {
      name: 'ZodError',
      issues: [
        { code: 'invalid_type', expected: 'string', received: 'undefined', path: [f], message: 'Required' },
      ],
    },
  }),
  'zod, an array at the root': (f) => [
    { code: 'invalid_type', expected: 'string', path: [f], message: 'Invalid input' },
  ],
  'zod flattened': (f) => ({ formErrors: [], fieldErrors: { [f]: ['Required'] } }),
  'zod formatted': (f) => ({ _errors: [], [f]: { _errors: ['Required'] } }),
  'zod treeified': (f) => ({ errors: [], properties: { [f]: { errors: ['Invalid input'] } } }),
  'zod as text': (f) => ({
    message: JSON.stringify([{ code: 'invalid_type', path: [f], message: 'Required' }]),
  }),
  tRPC: (f) => ({
    error: {
      json: {
        code: -32600,
        data: { code: 'BAD_REQUEST', zodError: { formErrors: [], fieldErrors: { [f]: ['Required'] } } },
      },
    },
  }),
  valibot: (f) => ({
    issues: [
      {
        kind: 'schema',
        type: 'string',
        expected: 'string',
        received: '5',
        message: 'Invalid type',
        path: [{ type: 'object', origin: 'value', input: {}, key: f, value: 5 }],
      },
    ],
  }),
  'valibot flattened': (f) => ({ nested: { [f]: ['Invalid type: Expected string but received 5'] } }),
  Joi: (f) => ({
    details: [{ message: 'is required', path: [f], type: 'any.required', context: { label: f, key: f } }],
  }),
  Hapi: (f) => ({
    statusCode: 422,
    error: 'Unprocessable Entity',
    message: 'Invalid request payload input',
    validation: { source: 'payload', keys: [f] },
  }),
  Celebrate: (f) => ({
    statusCode: 422,
    error: 'x',
    message: 'Validation failed',
    validation: { body: { source: 'body', keys: [f], message: 'is required' } },
  }),
  'ajv instancePath': (f) => ({
    errors: [
      {
        instancePath: `/${f}`,
        schemaPath: '#/properties/x/type',
        keyword: 'type',
        params: { type: 'string' },
        message: 'must be string',
      },
    ],
  }),
  'ajv missingProperty': (f) => ({
    errors: [
      {
        instancePath: '',
        keyword: 'required',
        params: { missingProperty: f },
        message: 'must have required property',
      },
    ],
  }),
  'express-validator': (f) => ({
    errors: [{ type: 'field', msg: 'Invalid value', path: f, location: 'body' }],
  }),
  'express-validator 6': (f) => ({ errors: [{ msg: 'Invalid value', param: f, location: 'body' }] }),
  'express-validator mapped': (f) => ({
    errors: { [f]: { type: 'field', msg: 'Invalid value', path: f, location: 'body' } },
  }),
  'class-validator': (f) => [{ property: f, children: [], constraints: { isString: 'must be a string' } }],
  'NestJS, objects': (f) => ({
    statusCode: 422,
    message: [{ property: f, constraints: { isString: 'must be a string' } }],
    error: 'x',
  }),
  Yup: (f) => ({ name: 'ValidationError', path: f, errors: ['this is a required field'], inner: [] }),
  mongoose: (f) => ({
    errors: { [f]: { name: 'ValidatorError', message: 'is required.', kind: 'required', path: f } },
  }),
  Sequelize: (f) => ({
    errors: [{ message: 'cannot be null', type: 'notNull Violation', path: f, value: null }],
  }),
  Vine: (f) => ({ errors: [{ message: 'is required', rule: 'required', field: f }] }),
  Strapi: (f) => ({
    data: null,
    error: {
      status: 400,
      name: 'ValidationError',
      message: 'x',
      details: { errors: [{ path: [f], message: 'must be defined', name: 'ValidationError' }] },
    },
  }),
  PocketBase: (f) => ({
    code: 400,
    message: 'Failed to create record.',
    data: { [f]: { code: 'validation_required', message: 'Missing required value.' } },
  }),
  TypeBox: (f) => ({ errors: [{ type: 45, path: `/${f}`, value: 5, message: 'Expected string' }] }),
  Elysia: (f) => ({
    type: 'validation',
    on: 'body',
    summary: 'Expected string',
    property: `/${f}`,
    message: 'Expected string',
  }),
  runtypes: (f) => ({ details: { [f]: 'Expected string, but was missing' } }),
  Kong: (f) => ({ fields: { [f]: 'required field missing' }, name: 'schema violation', code: 2 }),
  Kubernetes: (f) => ({
    kind: 'Status',
    reason: 'Invalid',
    details: { causes: [{ reason: 'FieldValueRequired', message: 'Required value', field: `spec.${f}` }] },
    code: 422,
  }),
  GitHub: (f) => ({
    message: 'Validation Failed',
    errors: [{ resource: 'Case', field: f, code: 'missing_field' }],
    documentation_url: 'https://docs.example',
  }),
  Stripe: (f) => ({
    error: {
      type: 'invalid_request_error',
      param: f,
      message: 'Missing required param.',
      code: 'parameter_missing',
    },
  }),
  Google: (f) => ({
    error: {
      code: 422,
      errors: [
        { domain: 'global', reason: 'required', message: 'Required', locationType: 'parameter', location: f },
      ],
    },
  }),
  'Microsoft REST': (f) => ({
    error: {
      code: 'BadArgument',
      message: 'Multiple errors',
      details: [{ code: 'NullValue', target: f, message: 'must not be null' }],
    },
  }),
  Salesforce: (_, F) => [
    { message: 'Required fields are missing', errorCode: 'REQUIRED_FIELD_MISSING', fields: [F] },
  ],
  Shopify: (f) => ({ errors: { [f]: ["can't be blank"] } }),
  Jira: (f) => ({ errorMessages: [], errors: { [f]: 'You must specify a value.' } }),
  Zendesk: (f) => ({
    error: 'RecordInvalid',
    description: 'Record validation errors',
    details: { [f]: [{ description: 'cannot be blank', error: 'BlankValue' }] },
  }),
  HubSpot: (f) => ({
    status: 'error',
    message: 'Invalid',
    validationResults: [{ isValid: false, message: 'required', error: 'REQUIRED', name: f }],
  }),
  PayPal: (f) => ({
    name: 'UNPROCESSABLE_ENTITY',
    details: [{ field: `/${f}`, location: 'body', issue: 'MISSING_REQUIRED_PARAMETER' }],
  }),
  Square: (f) => ({
    errors: [
      { category: 'INVALID_REQUEST_ERROR', code: 'MISSING_REQUIRED_PARAMETER', detail: 'Missing', field: f },
    ],
  }),
  FHIR: (f) => ({
    resourceType: 'OperationOutcome',
    issue: [{ severity: 'error', code: 'required', expression: [`Case.${f}`], diagnostics: 'missing' }],
  }),
  'GraphQL, extensions': (f) => ({
    errors: [
      { message: 'Bad user input', path: ['createCase'], extensions: { code: 'BAD_USER_INPUT', field: f } },
    ],
  }),
  'GraphQL, path': (f) => ({ errors: [{ message: 'required', path: ['createCase', 'input', f] }] }),
  'a list of objects with one field each': (f) => ({ errors: [{ [f]: 'is required' }] }),
  'an array at the root': (f) => [{ [f]: ['is required'] }],
  'missing, a list': (f) => ({ error: 'validation', missing: [f] }),
  'required, a list': (f) => ({ error: 'validation', required: [f] }),
  'errors, a list of names': (f) => ({ errors: [f] }),
  'a list of pairs': (f) => ({ problems: [[f, 'required']] }),
  'a map of booleans': (f) => ({ errors: { [f]: true } }),
  'a map of codes': (f) => ({ errors: { [f]: 17 } }),
  Prism: (f) =>
    header(
      'sl-violations',
      JSON.stringify([
        { location: ['request', 'body', f], severity: 'Error', code: 'type', message: 'must be string' },
      ]),
    ),
  'Prism, missing': (f) =>
    header(
      'sl-violations',
      JSON.stringify([
        {
          location: ['request', 'body'],
          severity: 'Error',
          code: 'required',
          message: `Request body must have required property '${f}'`,
        },
      ]),
    ),
  'Prism, body': (f) => ({
    ...problem,
    validation: [{ location: ['body', f], severity: 'Error', code: 'type', message: 'must be string' }],
  }),
  'X-Validation-Errors': (f) =>
    header('X-Validation-Errors', JSON.stringify([{ location: ['request', 'body', f] }])),
  'X-Error-Field': (f) => header('X-Error-Field', f),
  'X-Invalid-Fields': (f) => header('X-Invalid-Fields', `other, ${f}`),
  'XML, an attribute': (f) =>
    text(
      `<?xml version="1.0"?><errors><violation field="${f}">is required</violation></errors>`,
      'application/xml',
    ),
  'XML, an element': (f) =>
    text(
      `<errors><error><field>${f}</field><message>is required</message></error></errors>`,
      'application/problem+xml',
    ),
  'XML, the name as an element': (f) => text(`<errors><${f}>is required</${f}></errors>`, 'text/xml'),
  'XML in a text of JSON': (f) => ({ message: `<error field='${f}'>is required</error>` }),
};

const spoken: Shapes = {
  'pydantic as text': (f) => ({
    error: `1 validation error for Case\n${f}\n  Field required [type=missing, input_value={}, input_type=dict]`,
  }),
  'Rails, full messages': (_, F) => ({ errors: [`${F} can't be blank`] }),
  'Rails, one text': (_, F) => ({ error: `Validation failed: ${F} can't be blank` }),
  'Rails, param is missing': (f) => ({ error: `param is missing or the value is empty: ${f}` }),
  Grape: (f) => ({ error: `${f} is missing` }),
  'Laravel, message': (f) => ({ message: `The ${f} field is required.` }),
  Connexion: (f) => ({ ...problem, detail: `'${f}' is a required property` }),
  'jsonschema, type': (f) => ({ ...problem, detail: `5 is not of type 'string' - '${f}'` }),
  Fastify: (f) => ({ statusCode: 422, error: 'x', message: `body must have required property '${f}'` }),
  'Fastify, path': (f) => ({ statusCode: 422, error: 'x', message: `body/${f} must be string` }),
  'ajv errorsText': (f) => text(`data/${f} must be string`),
  NestJS: (f) => ({ statusCode: 422, message: [`${f} must be a string`], error: 'x' }),
  'Go validator': (_, F) => ({
    error: `Key: 'Case.${F}' Error:Field validation for '${F}' failed on the 'required' tag`,
  }),
  'Go json': (f) => ({
    error: `json: cannot unmarshal number into Go struct field Case.${f} of type string`,
  }),
  'Go json, anonymous': (f) =>
    text(`json: cannot unmarshal number into Go struct field .${f} of type string`),
  'Go ozzo': (f) => ({ error: `${f}: cannot be blank.` }),
  Jackson: (f) => ({
    error: `Cannot deserialize value of kind String (through reference chain: com.acme.Case["${f}"])`,
  }),
  'Jackson, nested': (f) => ({
    error: `Cannot deserialize (through reference chain: Case["contact"]->Contact["${f}"])`,
  }),
  'Jackson, a list': (f) => ({
    error: `bad (through reference chain: Case["items"]->java.util.ArrayList[0]->Item["${f}"])`,
  }),
  kotlinx: (f) =>
    text(`Field '${f}' is required for type with serial name 'Case', but it was missing at path: $`),
  Gson: (f) => text(`Expected a string but was NUMBER at line 1 column 12 path $.${f}`),
  circe: (f) => text(`DecodingFailure at .${f}: Missing required field`),
  'circe, DownField': (f) => text(`Attempt to decode value on failed cursor: DownField(${f})`),
  aeson: (f) => text(`Error in $: key "${f}" not found`),
  'aeson, path': (f) => text(`Error in $.${f}: parsing Text failed, expected String, but encountered Number`),
  serde: (f) => text(`missing field \`${f}\` at line 1 column 2`),
  axum: (f) =>
    text(
      `Failed to deserialize the JSON body into the target kind: ${f}: invalid type: integer \`5\`, expected a string at line 1 column 14`,
    ),
  protojson: (f) => text(`proto: (line 1:13): invalid value for string field ${f}: 5`),
  protovalidate: (f) => text(`validation error:\n - ${f}: value is required [required]`),
  'AWS SDK': (f) => ({
    message: `1 validation error detected: Value null at '${f}' failed to satisfy constraint: Member must not be null`,
  }),
  'AWS API Gateway': (f) => ({ message: `[object has missing required properties (["${f}"])]` }),
  Elasticsearch: (f) => ({ error: { reason: `failed to parse field [${f}] of kind [text]` } }),
  Postgres: (f) => ({
    message: `null value in column "${f}" of relation "cases" violates not-null constraint`,
  }),
  MySQL: (f) => ({ message: `Column '${f}' cannot be null` }),
  SQLite: (f) => ({ message: `NOT NULL constraint failed: cases.${f}` }),
  'zod prettified': (f) => text(`✖ Invalid input: expected string, received undefined\n  → at ${f}`),
  'zod prettified, in JSON': (f) => ({ error: `✖ Required\n  → at contact.${f}\n✖ Other\n  → at priority` }),
  superstruct: (f) => ({ error: `At path: ${f} -- Expected a string, but received: undefined` }),
  'effect Schema': (f) => text(`Expected string, actual undefined\n  at ["${f}"]`),
  'io-ts': (f) => text(`Invalid value undefined supplied to : Case/${f}: string`),
  ArkType: (f) => ({ error: `${f} must be a string (was a number)` }),
  Vapor: (f) => ({ error: true, reason: `Value required for key '${f}'.` }),
  Swift: (f) => ({ reason: `No such key '${f}' at path ''. No value associated with key.` }),
  nlohmann: (f) => text(`[json.exception.out_of_range.403] key '${f}' not found`),
  Express: (f) => ({ error: `Missing required field: ${f}` }),
  'the whole message': (f) => ({ error: `Missing ${f}` }),
  'Invalid value for': (f) => ({ error: `Invalid value for ${f}` }),
  Kubernetes: (f) => ({ message: `Case "x" is invalid: spec.${f}: Required value` }),
  'entities in JSON': (f) => ({ message: `The field &quot;${f}&quot; is required` }),
  'HTML page': (f) => text(`<html><body><pre>&#39;${f}&#39; is required</pre></body></html>`, 'text/html'),
  German: (f) => ({ message: `Das Feld „${f}“ fehlt.` }),
  'German, no quotes': (f) => ({ message: `Das Feld ${f} ist erforderlich.` }),
  French: (f) => ({ message: `Le champ « ${f} » est invalide.` }),
  'French, under a key of its own': (f) => ({ erreur: `Le champ « ${f} » est invalide.` }),
  'French, no-break blanks': (f) => ({ erreur: `Le champ «\u00a0${f}\u00a0» est invalide.` }),
  'German, under a key of its own': (f) => ({ fehler: `Das Feld „${f}“ fehlt.` }),
  'Japanese, under a key of its own': (f) => ({ エラー: `「${f}」の値が正しくありません。` }),
  'prose next to a code': (f) => ({ fehler: 'E17', text: `'${f}' is required` }),
  'French, narrow blanks': (f) => ({ message: `Le champ «\u202f${f}\u202f» est obligatoire.` }),
  Swiss: (f) => text(`‹${f}› fehlt`),
  Danish: (f) => text(`Feltet »${f}« mangler`),
  Swedish: (f) => text(`Fältet ”${f}” saknas`),
  Polish: (f) => text(`Pole „${f}” jest wymagane`),
  Spanish: (f) => text(`El campo ${f} es obligatorio.`),
  Russian: (f) => text(`Поле «${f}» обязательно`),
  'Russian, ASCII': (f) => text(`Поле "${f}" обязательно`),
  Japanese: (f) => ({ message: `「${f}」の値が正しくありません。` }),
  'Japanese, double': (f) => ({ message: `必須項目『${f}』がありません` }),
  Chinese: (f) => ({ message: `字段“${f}”不能为空` }),
  'Chinese, ASCII': (f) => ({ message: `字段'${f}'不能为空` }),
  'Chinese, brackets': (f) => ({ message: `参数【${f}】无效` }),
  'Chinese, 《》': (f) => ({ message: `《${f}》不能为空` }),
  'full width': (f) => ({ message: `＂${f}＂は必須です` }),
  Korean: (f) => ({ message: `'${f}' 필드는 필수입니다` }),
  Arabic: (f) => ({ message: `الحقل "${f}" مطلوب` }),
  Hebrew: (f) => ({ message: `השדה '${f}' נדרש` }),
  'doubled quotes': (f) => ({ message: `The value of ''${f}'' is missing` }),
  Markdown: (f) => ({ message: `The value of **${f}** is missing` }),
  'X-Error-Message': (f) => header('X-Error-Message', `'${f}' is required`),
};

/** Too little to say that the field is named, too much to say that it is not. */
const unclear: Shapes = {
  'a bare word': (f) => ({ message: `We could not make sense of ${f} in what you sent` }),
  'a bare word at the start': (f, F) => ({
    message: `${F} of the request not understood${f === '' ? '' : ''}`,
  }),
  'a code': (f) => ({ error: `${f.toUpperCase()}_REQUIRED` }),
  'a code in camel case': (_, F) => ({ error: `missing${F}` }),
  'an unknown place': (f) => ({ error: 'invalid', offender: f }),
  'what is expected': (f) => ({ error: 'invalid', expected: { [f]: 'string' } }),
};

const titled = (name: string): string => name.charAt(0).toUpperCase() + name.slice(1);
const request = { path: '/cases', body: '{"other":"a b","count":5}' };
const answer = (made: unknown) =>
  typeof made === 'object' && made !== null && 'text' in made && typeof made.text === 'string'
    ? {
        body: made.text,
        headers: 'headers' in made ? (made.headers as readonly (readonly [string, string])[]) : [],
      }
    : { body: JSON.stringify(made), headers: [['Content-Type', 'application/json']] as const };

/** Shapes in which a key may as well be a member of the error body: open where the field is called like one. */
const ambiguous = [
  'a map of booleans',
  'a map of codes',
  'a list of objects with one field each',
  'runtypes',
  'Jira',
  'Kong',
  'Flask-RESTX',
  'XML, the name as an element',
];

/** Names that error bodies use for their own members, too. */
const envelopes = ['title', 'status', 'detail', 'type', 'code', 'message', 'limit'];
const names = ['subject', ...envelopes];
const alone = (name: string): NamingOptions => ({ exact: false, known: [`/${name}`] });
const among: NamingOptions = {
  exact: false,
  known: ['/subject', '/contact/email', ...envelopes.map((name) => `/${name}`)],
};

describe.each(names)('a field called %s', (name) => {
  test.each(Object.entries({ ...structured, ...spoken }))('is named: %s', (title, shape) => {
    const made = answer(shape(name, titled(name)));
    for (const options of [alone(name), among]) {
      const { named, unclear, evidence } = namesField(made, request, `/${name}`, options);
      const open = envelopes.includes(name) && ambiguous.includes(title) && unclear === true;
      expect({ named: named || open, body: made.body }, evidence).toEqual({ named: true, body: made.body });
    }
  });

  test.each(Object.entries({ ...structured, ...spoken }))(
    'is not named where another one is: %s',
    (_, shape) => {
      const other = name === 'subject' ? 'priority' : 'subject';
      const made = answer(shape(other, titled(other)));
      const known = [...among.known, '/priority'];
      expect(namesField(made, request, `/${name}`, { exact: false, known })).toMatchObject({ named: false });
      expect(namesField(made, request, `/${name}`, { exact: false, known }).unclear, made.body).not.toBe(
        true,
      );
    },
  );
});

/** Names that error bodies use to say where a fault is, or what they expect. */
const locating = [
  'fields',
  'keys',
  'field',
  'path',
  'pointer',
  'param',
  'loc',
  'target',
  'location',
  'expected',
  'hint',
];

describe.each(locating)('a field called %s', (name) => {
  const maps: Shapes = {
    ASP: (_, F) => ({ title: 'Invalid', status: 422, errors: { [F]: ['The field must NOT be empty.'] } }),
    Laravel: (f) => ({ message: 'The given data was invalid.', errors: { [f]: ['The field is required.'] } }),
    Rails: (f) => ({ errors: { [f]: ["can't be blank"] } }),
    'Rails at the root': (f) => ({ [f]: ["can't be blank"] }),
    'Django REST': (f) => ({ [f]: ['This field is required.'] }),
    'dry-validation': (f) => ({ errors: { [f]: ['is missing'] } }),
    'a text': (f) => ({ errors: { [f]: 'must not be empty' } }),
    zod: (f) => ({ formErrors: [], fieldErrors: { [f]: ['Required'] } }),
    FastAPI: (f) => ({ detail: [{ type: 'missing', loc: ['body', f], msg: 'Field required', input: {} }] }),
  };
  test.each(Object.entries(maps))('is named: %s', (_, shape) => {
    const known = ['/subject', '/contact/email', `/${name}`];
    const made = answer(shape(name, titled(name)));
    for (const options of [alone(name), { exact: false, known }]) {
      const { named, unclear, evidence } = namesField(made, request, `/${name}`, options);
      expect(named || unclear === true, `${made.body}: ${evidence}`).toBe(true);
      expect(namesField(made, request, '/subject', { exact: false, known }).named).toBe(false);
    }
  });
});

test('one complaint in place of a list of them names the field that it locates', () => {
  const made = answer({ fieldErrors: { field: 'subject', message: 'is required' } });
  expect(namesField(made, request, '/subject', among).named).toBe(true);
});

test.each(Object.entries(unclear))('it is open whether the field is named: %s', (_, shape) => {
  const made = answer(shape('subject', 'Subject'));
  for (const options of [alone('subject'), among])
    expect(namesField(made, request, '/subject', options)).toMatchObject({ named: false, unclear: true });
});

/** The request of the negatives; what it says may come back in any form. */
const sent = {
  path: '/v1/cases',
  body: '{"subject":{},"title":{"a":5},"status":{},"other":"plain words, really"}',
};

/** A response that names no field, whatever a field is called. */
const nothing: Readonly<Record<string, unknown>> = {
  'an empty body': text(''),
  'an empty object': {},
  'an empty array': [],
  null: null,
  'a text': text('Unprocessable Entity'),
  'a text of JSON': 'Validation failed',
  RFC9457: {
    type: 'https://errors.example/validation',
    title: 'Unprocessable Content',
    status: 422,
    detail: 'The request body does not match the schema.',
    instance: '/v1/cases/1',
  },
  'RFC 9457 without more': problem,
  Spring: {
    timestamp: '2026-01-15T12:00:00Z',
    status: 422,
    error: 'Unprocessable Entity',
    path: '/v1/cases',
  },
  FastAPI: { detail: 'Unprocessable Entity' },
  'FastAPI, the body': { detail: [{ type: 'missing', loc: ['body'], msg: 'Field required', input: null }] },
  NestJS: { statusCode: 422, message: 'Unprocessable Entity', error: 'Unprocessable Entity' },
  'NestJS, a list': { statusCode: 422, message: ['Validation failed'], error: 'x' },
  'empty lists': { message: 'Validation failed', errors: [] },
  'an empty map': { message: 'Validation failed', errors: {} },
  'codes alone': {
    error: { code: 'VALIDATION_FAILED', message: 'The request is not valid.', type: 'invalid_request_error' },
  },
  'a generic item': {
    errors: [{ status: '422', code: 'invalid', title: 'Unprocessable', detail: 'The request is not valid.' }],
  },
  'ASP.NET without errors': {
    type: 'https://tools.ietf.org/html/rfc9110#section-15.5.21',
    title: 'One or more validation errors occurred.',
    status: 422,
    traceId: '00-1-2-00',
  },
  Prism: header('sl-violations', '[]'),
  'a header': header('X-Error-Message', 'Validation failed'),
  HTML: text(
    '<!doctype html><html><head><title>422</title></head><body><h1>Unprocessable</h1></body></html>',
    'text/html',
  ),
  XML: text(
    '<?xml version="1.0"?><problem><title>Unprocessable</title><status>422</status><detail>no</detail></problem>',
    'application/problem+xml',
  ),
};

/** A response that shows what was sent, or where, and names nothing. */
const echoed: Readonly<Record<string, unknown>> = {
  'the body under a name': { error: 'invalid', request: JSON.parse(sent.body) },
  'the body as input': { detail: [{ loc: ['body'], msg: 'invalid', input: JSON.parse(sent.body) }] },
  'the body as text': { message: `Cannot accept ${sent.body}` },
  'the body as text with blanks': {
    message: `Cannot accept ${JSON.stringify(JSON.parse(sent.body), null, 2)}`,
  },
  'the body alone': JSON.parse(sent.body),
  'a member of it': { error: 'invalid', title: { a: 5 } },
  'the address': {
    message: 'See https://docs.example/subject/title/status for more',
    instance: 'https://x.example/subject',
  },
  'the path': { message: 'Cannot process POST /v1/cases', path: '/v1/cases' },
  'a header with a link': {
    text: '{"error":"invalid"}',
    headers: [
      ['Link', '</subject>; rel="subject"'],
      ['Location', '/subject'],
    ],
  },
};

describe.each([...names, 'detail'])('a field called %s', (name) => {
  test.each(Object.entries({ ...nothing, ...echoed }))('is not named: %s', (_, made) => {
    for (const options of [alone(name), among]) {
      const result = namesField(answer(made), sent, `/${name}`, options);
      expect({ named: result.named, unclear: result.unclear ?? false }, result.evidence).toEqual({
        named: false,
        unclear: false,
      });
    }
  });

  test('what a response to another fault says as well is boilerplate', () => {
    for (const shape of [
      structured['RFC 9457, pointers in errors'],
      spoken['Express'],
      unclear['a bare word'],
    ]) {
      const made = answer(shape?.(name, titled(name)));
      const result = namesField(made, request, `/${name}`, {
        ...among,
        control: made,
        controlPointer: '/contact/email',
      });
      expect(result).toMatchObject({ named: false });
      expect(result.unclear, result.evidence).not.toBe(true);
    }
  });
});

test('a body that was cut leaves it open', () => {
  const made = { ...answer({ message: 'Validation failed' }), truncated: true };
  expect(namesField(made, request, '/subject', alone('subject'))).toMatchObject({
    named: false,
    unclear: true,
  });
  const response = { ...answer({ message: "'subject' is required" }), truncated: true };
  expect(namesField(response, request, '/subject', alone('subject')).named).toBe(true);
});

test('nested members are named by their leaf, by words, or by the whole path', () => {
  const known = ['/subject', '/contact/email', '/contact/name', '/items/0/sku', '/title'];
  const asked = (made: unknown, pointer: string) =>
    namesField(answer(made), request, pointer, { exact: false, known }).named;
  expect(asked({ contact: { email: ['This field is required.'] } }, '/contact/email')).toBe(true);
  expect(asked({ contact: { name: ['This field is required.'] } }, '/contact/name')).toBe(true);
  expect(asked({ items: [{}, { sku: ['This field is required.'] }] }, '/items/0/sku')).toBe(true);
  expect(asked({ errors: ['Contact name is required'] }, '/contact/name')).toBe(true);
  expect(asked({ errors: { contact_email: ['is invalid'] } }, '/contact/email')).toBe(true);
  expect(asked({ errors: { 'contact.email': ['is invalid'] } }, '/contact/email')).toBe(true);
  expect(asked({ contact: { name: ['This field is required.'] } }, '/contact/email')).toBe(false);
  expect(asked({ contact: ['This field is required.'] }, '/contact/email')).toBe(false);
});

test('an object is named by what is below it, where that is no field of its own', () => {
  const known = ['/contact', '/contact/email', '/subject'];
  const asked = (made: unknown, pointer: string) =>
    namesField(answer(made), request, pointer, { exact: false, known }).named;
  const below = { contact: { non_field_errors: ['Invalid data. Expected a dictionary, but got list.'] } };
  expect(asked(below, '/contact')).toBe(true);
  expect(asked({ contact: { body: ['Invalid data.'] } }, '/contact')).toBe(true);
  expect(asked({ contact: ['Invalid data.'] }, '/contact')).toBe(true);
  expect(asked({ contact: { email: ['Enter a valid email address.'] } }, '/contact/email')).toBe(true);
  expect(asked({ contact: { email: ['Enter a valid email address.'] } }, '/contact')).toBe(false);
  expect(asked(below, '/subject')).toBe(false);
  expect(asked({ items: { 0: { qty: ['A valid integer is required.'] } } }, '/items/0/qty')).toBe(true);
});

test('a member of an array at the root is open', () => {
  expect(namesField(answer({ message: 'no' }), request, '/0', alone('subject'))).toMatchObject({
    unclear: true,
  });
  expect(namesField(answer([{ loc: [0, 'subject'] }]), request, '/0/subject', alone('subject')).named).toBe(
    true,
  );
});

/** Shapes of which no framework is known: whatever a member is called, a response that has its path accuses nobody. */
const strange: Readonly<Record<string, (path: readonly string[]) => Json>> = {
  'a code': (path) => ({ code: `${path.join('_').toUpperCase()}_INVALID` }),
  'codes of words': (path) => ({ errorCodes: [`invalid_${path.join('_')}`] }),
  'a member that nobody knows': (path) => ({ errors: [{ where: path.join('.'), what: 'wrong' }] }),
  'a pointer that nobody knows': (path) => ({ errors: [{ at: `/${path.join('/')}`, why: 'wrong' }] }),
  'another language': (path) => ({ fehler: [{ feld: path.join('.'), grund: 'falsch' }] }),
  'a map that nobody knows': (path) => ({ erreurs: { [path.join('.')]: 'incorrect' } }),
  'a context': (path) => ({ error: { details: [{ context: { path: `/${path.join('/')}` }, info: 'x' }] } }),
  'segments further in': (path) => ({ errors: [{ extensions: { inputPath: ['input', ...path] } }] }),
  arrows: (path) => ({ message: `${path.join(' -> ')} wrong` }),
  'a hint': (path) => ({ message: 'Validation failed', hint: `check ${path.join('.')}` }),
};
const called = ['properties', 'expected', 'hint', 'fields', 'path', 'param', 'pointer', 'message', 'größe'];

test.each(Object.entries(strange))('a member is not taken for unnamed: %s', (_, shape) => {
  for (const path of [...called.map((name) => [name]), ['amount', 'price'], ['source', 'id']]) {
    const options = {
      exact: false,
      known: [`/${path.join('/')}`, '/other'],
      control: answer(shape(['other'])),
      controlPointer: '/other',
    };
    const { evidence, named, unclear } = namesField(
      answer(shape(path)),
      request,
      `/${path.join('/')}`,
      options,
    );
    expect(named || unclear === true, `${path.join('/')}: ${evidence}`).toBe(true);
    // What is said of another field does not count.
    const wrong = namesField(answer(shape(['other'])), request, `/${path.join('/')}`, options);
    expect([path, wrong.named, wrong.unclear]).toEqual([path, false, undefined]);
  }
});
