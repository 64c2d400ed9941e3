import { fold } from './claims-path.ts';

/** Member names by which error bodies of the field's frameworks say where a fault is; all are compared folded. */
function names(text: string): ReadonlySet<string> {
  return new Set(text.trim().split(/\s+/).map(fold));
}

/** Their value is a field, as text or as a list of path tokens. */
export const locators = names(`
  field path pointer param parameter property instancePath loc attribute missingProperty
  fieldName fieldPath propertyName propertyPath parameterName dataPath jsonPointer jsonPath instanceLocation
`);

/** Their value is a list of fields. */
export const listLocators = names(`fields keys missingFields invalidFields missingProperties`);

/** They often say where a fault is, but not always: enough to hold that a field was named, not to accuse. */
const weakLocators = names(`
  target header query queryParam queryParameter cookie member argument column key label missing required invalid unknown
  unexpected location attr attributeName inputName fieldId elementName dataField prop expression
`);

/** One of these, or a name such as `argumentPath` and `sourcePointer`. */
export function isWeakLocator(folded: string): boolean {
  if (weakLocators.has(folded)) return true;
  return /(?:path|pointer)$/.test(folded) && !locators.has(folded) && !echoes.has(folded);
}

/** The keys of an object that stands under one of these are fields. */
export const maps = names(`errors fields fieldErrors violations detail details`);

/** The same, less surely. */
export const weakMaps = names(`
  error validation validationErrors validationError invalidParams invalidFields invalidParameters issues causes
  fieldViolations constraintViolations parameterViolations propertyViolations subErrors properties
  fieldList errorDetails problems failures messages modelState
`);

/** Of both, those whose keys can be nothing but fields. */
export const fieldMaps = names(`
  fields fieldErrors invalidParams invalidFields invalidParameters fieldViolations parameterViolations
  propertyViolations validationErrors modelState nested
`);

/** Parts of an error body's own envelope: no fields, wherever they stand. */
export const envelope = names(`
  message messages msg error errors detail details title type status statusCode code instance timestamp path method
  requestId traceId correlationId spanId reason description name success ok help docs documentation url uri href link
  links meta metadata data errorCode errorType errorMessage kind level severity domain locale nonFieldErrors formErrors
  fieldErrors fields violations issues base schema all root stack trace exception cause causes hint category resource
  object ID version apiVersion date time text extensions params validation source target input value ctx context rule
  constraint constraints expected received field pointer param parameter property loc location attribute keys keyword
  instancePath schemaPath objectName rejectedValue defaultMessage codes arguments origin format pattern minimum maximum
  docUrl moreInfo userMessage developerMessage retryAfter operation service host properties fieldViolations
`);

/** Of the envelope, those that show that an object is one, not a map of fields. */
export const envelopeMarks = names(`
  message msg error errors detail details title code status statusCode type success ok reason description
  errorMessage errorCode defaultMessage violations issues
`);

/** What stands under them repeats the input, or is no statement about it. */
export const echoes = names(`
  input value rejectedValue received actual attemptedValue submitted got ctx context schemaPath schema parentSchema originalValue keyword stack
  stackTrace trace exception instance url uri href docUrl documentationUrl timestamp requestId traceId
`);

/** True of locators whose array is the tokens of one path, not a list of fields. */
export function locatesByTokens(folded: string): boolean {
  return /(?:path|pointer|location)$/.test(folded) || folded === 'loc';
}

/** What a request should look like: it names fields that are fine. */
export const hints = names(`
  expected example examples sample template allowed accepted supported usage hint hints properties definitions
`);

/** What a request had, by which an error says what is wrong with each member, as JSend does in `data`. */
export const givens = names('params parameters data body payload form attributes json');

export const complaints = names(
  `message msg messages error errors detail description reason code issue text defaultMessage`,
);

/** Names of response headers that hold an error. */
export const problemHeader =
  /(?:^|[-_])(?:violations?|errors?|faults?|invalid|problems?|issues?|validations?|warnings?|fields?|params?|parameters?|reasons?)(?:[-_]|$)/i;
