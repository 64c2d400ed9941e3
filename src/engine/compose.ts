import { createHash } from 'node:crypto';
import type { Operation, PathField, QueryField } from '../model/contract.ts';
import type { Bindings, HeaderList } from '../model/exchange.ts';
import {
  isArray,
  isObject,
  type Json,
  type JsonSchema,
  parentOf,
  valueAt,
  withValueAt,
} from '../model/json.ts';
import { formedMarker, type Mark, markedValue } from '../model/marker.ts';
import { ownSegment } from '../model/principal.ts';
import type { Ref } from '../model/ref.ts';
import type {
  BodyEdit,
  BodyForm,
  KeyEdit,
  Scenario,
  Step,
  VersionLikeness,
  VersionType,
} from '../model/scenario.ts';
import { stepsOf } from '../model/scenario.ts';
import type { WireRequest } from '../model/wire.ts';
import { asSentBy, givenOf } from '../suite-kit/given.ts';
import { alteredVerification, credentialOf, transportOf } from './credential.ts';
import { encodedAt, inForm, templateOf } from './path-forms.ts';
import { hasPlainId, likeBefore, takesNumber, typed, withOwnId, withRecords } from './put-in.ts';
import { written } from './written.ts';

/** A request ready for the wire: origin-form path, and field lines exactly as sent. */
export type Composed = WireRequest & { readonly derivedSecrets: readonly string[] };

export type RequestContext = {
  readonly operation: Operation;
  readonly scenario: Scenario;
  readonly bound: Bindings;
  readonly token: string;
  /** Path of the base URL, without a trailing slash. */
  readonly basePath: string;
  readonly extraHeaders: HeaderList;
  /** Hexadecimal digits for tokens that were never issued. */
  readonly random: string;
  /** The value of a reference; undefined if the earlier response does not have it. */
  readonly resolve: (ref: Ref) => string | undefined;
  /** The value of a parameter that callers fill in for themselves. */
  readonly own?: (parameter: string) => Json | undefined;
};

/** Turns a step into a request, or says which earlier response is missing. */
export function compose(step: Step, around: RequestContext): Composed | { readonly missing: string } {
  const { operation, bound } = around;
  const missing: string[] = [];
  const value = (ref: Ref, what: string): string => {
    const found = around.resolve(ref);
    if (found === undefined) missing.push(what);
    return found ?? '';
  };

  const credential = credentialOf(around.token, step.token, around.random);
  const template = templateOf(operation, step.path);
  let path = template.replaceAll(/\{([^}]+)\}/g, (_, name: string) => {
    if (operation.ownParameters?.includes(name) === true) {
      const own = ownSegment(around.own?.(name));
      if (own === undefined) missing.push(`'${name}', which each caller fills in for itself`);
      return own ?? '';
    }
    const ref = step.target?.[name];
    const field = operation.pathFields.find((one) => one.name === name);
    const text = ref === undefined ? undefined : encodeURIComponent(value(ref, `the target '${name}'`));
    if (text === undefined) return '';
    return segment(field, step.path === 'encoded-value' ? encodedAt(text, /^[a-z\d]/i) : text);
  });
  // Values are encoded by now; the contract may write its paths as people read them.
  path = inForm(path.replaceAll(/[^!-~\p{Surrogate}]+/gu, encodeURIComponent), step.path);
  const given = givenOf(
    operation.ownParameters === undefined ? operation : asSentBy(operation, around.own ?? (() => undefined)),
  );
  const sends = (name: string, own: readonly (readonly [string, unknown])[] = []): boolean =>
    step.omits?.includes(name) !== true && !own.some(([other]) => other.toLowerCase() === name.toLowerCase());
  const query = [
    ...(step.query ?? []).flatMap(([name, text]): readonly (readonly [string, string])[] => {
      if (typeof text === 'string') return [[name, withMarkers(text, bound)]];
      if (!('followed' in text)) return [[name, value(text, `the query field '${name}'`)]];
      const found = around.resolve(text);
      return found === undefined ? [] : [[name, withMarkers(found, bound)]];
    }),
    ...credential.query,
  ];
  const memberOf = (name: string): QueryField | undefined =>
    operation.queryFields.find((field) => field.at !== undefined && field.name === name);
  const pieces = [
    ...given.query
      .filter(({ name }) => sends(name, step.query) && memberOf(name) === undefined)
      .map(({ text }) => text),
    ...query.flatMap(([name, text]) =>
      memberOf(name) === undefined ? [`${encodeURIComponent(name)}=${encodeURIComponent(text)}`] : [],
    ),
  ];
  if (pieces.length > 0) path += `?${pieces.join('&')}`;

  const headers: (readonly [string, string])[] = [];
  if (credential.authorization !== undefined) headers.push(['Authorization', credential.authorization]);
  const cookies = [
    ...given.cookies.filter(({ name }) => sends(name)).map(({ text }) => text),
    ...(credential.cookie === undefined ? [] : [credential.cookie]),
  ];
  if (cookies.length > 0) headers.push(['Cookie', cookies.join('; ')]);
  headers.push(...given.headers.filter(([name]) => sends(name, step.headers)));
  headers.push(...keyLines(step, bound));
  if (sends('Accept', step.headers)) headers.push(['Accept', operation.accept ?? 'application/json']);

  const recorded = (ref: Ref): string | undefined => {
    const found = around.resolve(ref);
    if (found === undefined) missing.push('the record that the body names');
    return found;
  };
  let body = step.body.use === 'none' ? undefined : bodyValue(step, { ...around, resolve: recorded });
  for (const [name, text] of query) {
    const member = memberOf(name);
    if (member?.at !== undefined && body?.value !== undefined)
      body = { ...body, value: withValueAt(body.value, member.at, typed(text, member.schema)) };
  }
  let long: string | undefined;
  const put = (
    carrier: { readonly in: 'header'; readonly name: string } | { readonly in: 'body'; readonly at: string },
    given: string,
    type?: VersionType,
  ): void => {
    if (carrier.in === 'header') headers.push([carrier.name, given]);
    else if (
      body !== undefined &&
      body.value !== undefined &&
      !replacedAround(step, around, body.value, carrier.at)
    ) {
      if (type === undefined && isLongNumber(body.value, carrier.at, given, operation.body?.schema))
        long = given;
      body = {
        ...body,
        value: withValueAt(
          body.value,
          carrier.at,
          type === undefined
            ? likeBefore(body.value, carrier.at, given, operation.body?.schema)
            : inType(type, given),
        ),
      };
    }
  };
  const drop = (carrier: { readonly in: 'header' } | { readonly in: 'body'; readonly at: string }): void => {
    if (carrier.in === 'body' && body?.value !== undefined)
      body = { ...body, value: withValueAt(body.value, carrier.at, undefined) };
  };
  if (operation.version !== undefined && step.version !== undefined) {
    if (step.version.use === 'of')
      put(
        operation.version.carrier,
        resembling(value(step.version.ref, 'the current version'), step.version.like),
        step.version.writtenAs,
      );
    else if (step.version.use === 'literal') put(operation.version.carrier, step.version.value);
    else drop(operation.version.carrier);
  }
  const derived = [...credential.derived];
  if (operation.verification !== undefined && step.verification !== undefined) {
    if (step.verification.use === 'hook') {
      const { altered } = step.verification;
      const issued = value(
        { step: step.verification.step, at: '/verification' },
        'the stronger verification',
      );
      const sent = altered === undefined ? issued : alteredVerification(issued, altered);
      put(operation.verification.carrier, sent);
      // A shorter one is a code for a few minutes, which may be a part of other texts.
      if (altered !== undefined && issued.length >= 16) derived.push(sent);
    } else if (step.verification.use === 'literal')
      put(operation.verification.carrier, step.verification.value);
    else drop(operation.verification.carrier);
  }
  if (credential.member !== undefined && body?.value !== undefined && isObject(body.value))
    body = { ...body, value: { ...body.value, [credential.member[0]]: credential.member[1] } };
  headers.push(...around.extraHeaders, ...(step.headers ?? []));
  // A gateway may want a key of its own in such a header, which the configuration then gives.
  headers.push(...credential.headers.filter(([name]) => sends(name, headers)));

  if (missing.length > 0) return { missing: [...new Set(missing)].join(', ') };
  const text =
    body === undefined
      ? undefined
      : body.value === undefined
        ? body.text
        : withLongNumber(written(body.value, body.form), long);
  if (text !== undefined && body !== undefined && body.mediaType !== '')
    headers.push(['Content-Type', body.mediaType]);
  return {
    method: step.method ?? operation.method,
    path: around.basePath + path,
    headers,
    // Byte 0xFF occurs nowhere in UTF-8.
    body:
      text === undefined ? undefined : Buffer.from(text, body?.form === 'invalid-utf8' ? 'latin1' : 'utf8'),
    transport: transportOf(step),
    ...(step.leaves === undefined ? {} : { leaves: step.leaves }),
    derivedSecrets: derived,
  };
}

/** A version that is not the given one; an entity tag keeps its quotes (RFC 9110, 8.8.3). */
function resembling(version: string, like: VersionLikeness | undefined): string {
  if (like === undefined) return version;
  const [, head = '', opaque = '', tail = ''] = /^((?:W\/)?"?)(.*?)("?)$/s.exec(version) ?? [];
  const cut = [...opaque].slice(0, -1).join('');
  if (like === 'nothing' && head !== '' && opaque !== '') return `${head}${tail}`;
  if (like === 'nothing' && head === '' && opaque !== '0') return '0';
  // A zero before a number, or after no number at all, may be the same number.
  if (like === 'continued' && opaque !== '0') return `${head}${opaque}0${tail}`;
  if (like === 'preceded') return `${head}1${opaque}${tail}`;
  if (like === 'wrapped' && /^\d{1,15}$/.test(opaque)) return `${head}${Number(opaque) + 2 ** 32}${tail}`;
  return `${head}${like === 'cut' && cut !== '' ? cut : `${opaque}x`}${tail}`;
}

/** The value of a path field as its style writes it (OpenAPI, style values). */
function segment(field: PathField | undefined, text: string): string {
  if (field?.style === 'label') return `.${text}`;
  return field?.style === 'matrix' ? `;${encodeURIComponent(field.name)}=${text}` : text;
}

/** Whether an edit replaced the object that holds a member, so that nothing can carry the member. */
function replacedAround(step: Step, { scenario }: RequestContext, body: Json, at: string): boolean {
  if (step.body.use !== 'named' || step.body.edit === undefined) return false;
  const parent = parentOf(at);
  const plain = scenario.bodies[step.body.name]?.value;
  return isObject(valueAt(plain, parent)) && !isObject(valueAt(body, parent));
}

/** A version with more digits than a number of JavaScript keeps: it goes through the body as text, and loses its quotes last. */
function isLongNumber(body: Json, at: string, given: string, schema: JsonSchema | undefined): boolean {
  return /^-?[1-9]\d*$/.test(given) && !Number.isSafeInteger(Number(given)) && takesNumber(body, at, schema);
}

function withLongNumber(text: string, long: string | undefined): string {
  const [before, after, ...more] = long === undefined ? [] : text.split(`"${long}"`);
  return after === undefined || more.length > 0 ? text : `${before}${long}${after}`;
}

/** A version in another type than its own; one that is not a number has none, and 1 stands for it. */
function inType(type: VersionType, given: string): Json {
  if (type === 'text') return given;
  if (type === 'number')
    return /^\d+$/.test(given) && Number.isSafeInteger(Number(given)) ? Number(given) : 1;
  return type === 'true' ? true : null;
}

type WrittenBody = {
  readonly value: Json | undefined;
  readonly text: string;
  readonly form: BodyForm | undefined;
  readonly mediaType: string;
};

function bodyValue(step: Step, around: RequestContext): WrittenBody {
  const { scenario, bound, operation, resolve } = around;
  const spec = step.body;
  const mediaType = operation.body?.mediaType ?? 'application/json';
  if (spec.use === 'none') return { value: undefined, text: '', form: undefined, mediaType };
  if (spec.use === 'asked') {
    const asked = withRecords(spec.value, step, { operation, resolve, plain: spec.value });
    return { value: asked, text: '', form: undefined, mediaType };
  }
  const marker = bound.markers[spec.name] ?? '';
  if (spec.use === 'text')
    return {
      value: undefined,
      text: spec.text.replaceAll('$' + '{marker}', marker),
      form: undefined,
      mediaType: spec.mediaType ?? mediaType,
    };
  const named = scenario.bodies[spec.name];
  // A body may be null.
  let value: Json = named === undefined ? {} : named.value;
  const at = named?.marker;
  if (at !== undefined) {
    const text = valueAt(value, at);
    const appended = `${typeof text === 'string' && text !== '' ? `${text} ` : ''}${marker}`;
    value = withValueAt(value, at, named?.form === undefined ? appended : markedValue(named.form, marker));
  }
  for (const place of named?.own ?? []) value = withValueAt(value, place.at, ownOf(marker, place));
  const records = { operation, resolve, plain: named?.value, compares: comparesBodies(scenario) };
  value = withRecords(withOwnId(value, step, records), step, records);
  if (spec.edit !== undefined) {
    const other = edited(value, spec.edit, marker);
    // An edit of the whole body brings the ID of the plain one back.
    value = withRecords(hasPlainId(other, records) ? withOwnId(other, step, records) : other, step, records);
  }
  const media = typeof spec.form === 'object' ? spec.form.media : mediaType;
  return { value, text: '', form: spec.form, mediaType: media };
}

/** Whether a scenario sends other bodies under a key that was used before. */
function comparesBodies({ waves }: Scenario): boolean {
  return stepsOf(waves).some(({ deviations }) => deviations.some(({ kind }) => kind === 'key-reuse'));
}

/** The value that a place has in the body of a marker, and in no other. */
function ownOf(marker: string, { at, form }: Mark): Json {
  const digits = createHash('sha256').update(`${marker} ${at}`).digest('hex');
  return markedValue(form, formedMarker(form, digits) ?? marker);
}

/** Applies an edit; `${marker}` inside set values stands for the marker of the body. */
function edited(value: Json, edit: BodyEdit, marker: string): Json {
  if ('all' in edit) return edit.all.reduce((result: Json, each) => edited(result, each, marker), value);
  return withValueAt(value, edit.at, 'remove' in edit ? undefined : marked(edit.set, marker));
}

function marked(value: Json, marker: string): Json {
  if (typeof value === 'string') return value.replaceAll('$' + '{marker}', marker);
  if (isArray(value)) return value.map((item) => marked(item, marker));
  if (isObject(value))
    return Object.fromEntries(Object.entries(value).map(([name, member]) => [name, marked(member, marker)]));
  return value;
}

function keyLines(step: Step, bound: Bindings): readonly [string, string][] {
  const header = 'Idempotency-Key';
  const key = (name: string): string => bound.keys[name] ?? name;
  switch (step.key.use) {
    case 'none':
      return [];
    case 'named':
      return [[header, key(step.key.name)]];
    case 'near':
      return [[header, nearKey(key(step.key.name), step.key.edit)]];
    case 'literal':
      return [[header, step.key.value]];
    case 'doubled':
      return step.key.form === 'folded'
        ? [[header, `${key(step.key.name)}, ${key(step.key.second)}`]]
        : [
            [header, key(step.key.name)],
            [header, key(step.key.second)],
          ];
  }
}

function nearKey(key: string, edit: KeyEdit): string {
  switch (edit.kind) {
    case 'upper-case':
      return key.toUpperCase();
    case 'lower-case':
      return key.toLowerCase();
    case 'suffix':
      return key.padEnd(edit.length, 'k') + edit.last;
    case 'followed':
      return key + edit.by;
    case 'last-character':
      return key.slice(0, -1) + edit.last;
    case 'first-character':
      return edit.first + key.slice(1);
    case 'inner-space':
      return `${key.slice(0, 8)}${' '.repeat(edit.spaces)}${key.slice(8)}`;
    case 'without-dashes':
      return key.replaceAll('-', '');
    case 'quoted':
      return `"${key}"`;
    case 'percent-encoded':
      return `%${key.charCodeAt(0).toString(16)}${key.slice(1)}`;
  }
}

/** `${marker:name}` stands for the marker of the body of that name. */
function withMarkers(text: string, bound: Bindings): string {
  return text.replaceAll(/\$\{marker:([^}]+)\}/g, (_, name: string) => bound.markers[name] ?? '');
}
