import { type Json, parseJson } from '../model/json.ts';
import { problem } from './answer.ts';
import type { BodyDecisions, Call } from './behaviour.ts';
import { headerValues, type Mismatch, type ParsedBody, type Refusal } from './message.ts';
import { headerFindings, queryFindings } from './parameters.ts';

export const bodyDecisions: BodyDecisions = {
  refuseMediaType: (call) => {
    const wanted = call.operation.body?.mediaType;
    if (wanted === undefined) return undefined;
    const [type, ...parameters] = headerValues(call.request, 'Content-Type')
      .join(',')
      .toLowerCase()
      .split(';');
    const charset = parameters.map((one) => one.trim()).find((one) => one.startsWith('charset='));
    const utf8 = charset === undefined || /^charset="?utf-8"?$/.test(charset);
    const coded = headerValues(call.request, 'Content-Encoding').some(
      (one) => one.toLowerCase() !== 'identity',
    );
    const [media] = wanted.toLowerCase().split(';');
    if (type?.trim() === media?.trim() && utf8 && !coded) return undefined;
    return problem(415, `The body must be ${wanted} in UTF-8, without content coding.`);
  },
  parseBody: (call, bytes) => {
    const text = decodeUtf8(bytes);
    return text === undefined || depthOf(text) > call.service.settings.bodyDepth
      ? undefined
      : parseJson(text);
  },
  refuseSyntax: (call) =>
    problem(
      400,
      `The body is not JSON in UTF-8 of at most ${call.service.settings.bodyDepth} levels. Check its syntax.`,
    ),
  coerce: (_call, value) => value,
  validateBody: (call, value, schema) =>
    call.service.schemas.faultsOf(schema, value).map((fault) => ({ in: 'body', ...fault })),
  validateQuery: (call) => [
    ...call.operation.queryFields.flatMap((field) => queryFindings(call, field)),
    ...(call.operation.headerFields ?? []).flatMap((field) => headerFindings(call, field)),
  ],
  reportFindings: (_call, findings) => findings,
  refuseInvalid: (call, findings) =>
    problem(422, 'The request does not match the published schema. Correct the named fields.', {
      findings: call.service.behaviour.reportFindings(call, findings),
    }),
};

/** The request's body, read once: undefined where the operation takes none, or where none was sent. */
export function bodyOf(call: Call): ParsedBody {
  call.parsed ??= readBody(call);
  return call.parsed;
}

/** The value of the body, undefined where there is none or where it could not be read. */
export function bodyValue(call: Call): Json | undefined {
  const body = bodyOf(call);
  return body.ok ? body.value : undefined;
}

function readBody(call: Call): ParsedBody {
  const { behaviour, settings } = call.service;
  const { body } = call.operation;
  if (call.request.tooLarge) {
    return { ok: false, refusal: problem(413, `The body exceeds ${settings.bodyBytes} bytes.`) };
  }
  if (body === undefined || call.request.body.length === 0) return { ok: true, value: undefined };
  const refusal = behaviour.refuseMediaType(call);
  if (refusal !== undefined) return { ok: false, refusal };
  const value = behaviour.parseBody(call, call.request.body);
  if (value === undefined) return { ok: false, refusal: behaviour.refuseSyntax(call) };
  return { ok: true, value: behaviour.coerce(call, value, body.schema) };
}

/** Phase: 400, 413 or 415 where the body cannot be read. */
export function parse(call: Call): Refusal | undefined {
  const body = bodyOf(call);
  return body.ok ? undefined : body.refusal;
}

/** Phase: 422 where query or body do not match what is published. */
export function validate(call: Call): Refusal | undefined {
  const { refuseInvalid, validateBody, validateQuery } = call.service.behaviour;
  const { body } = call.operation;
  const value = bodyValue(call);
  const findings: Mismatch[] = [...validateQuery(call)];
  if (body !== undefined && value !== undefined) findings.push(...validateBody(call, value, body.schema));
  if (body?.required === true && value === undefined) {
    findings.push({ in: 'body', at: '', keyword: 'required', message: 'is required' });
  }
  return findings.length === 0 ? undefined : refuseInvalid(call, findings);
}

function decodeUtf8(bytes: Uint8Array): string | undefined {
  try {
    return new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes);
  } catch {
    return undefined;
  }
}

/** How deeply arrays and objects are nested in a JSON text: what recurses over the value must not run out of stack. */
function depthOf(text: string): number {
  let depth = 0;
  let deepest = 0;
  for (const [token] of text.matchAll(/"(?:[^"\\]|\\.)*"|[[\]{}]/gs)) {
    if (token === '[' || token === '{') {
      depth += 1;
      deepest = Math.max(deepest, depth);
    } else if (token === ']' || token === '}') depth -= 1;
  }
  return deepest;
}
