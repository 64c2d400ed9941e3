import { header, problem, type Shapes, text } from './error-shapes.ts';

/** Responses that name a field in a member of their own. */
export const structured: Shapes = {
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

/** Shapes in which a key may as well be a member of the error body: open where the field is called like one. */
export const ambiguous = [
  'a map of booleans',
  'a map of codes',
  'a list of objects with one field each',
  'runtypes',
  'Jira',
  'Kong',
  'Flask-RESTX',
  'XML, the name as an element',
];
