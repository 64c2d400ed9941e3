import { declaredSuccess, type Operation, type Success } from './contract.ts';
import type { HttpResponse } from './exchange.ts';

/** A media type without its parameters, in lower case. */
export function essence(mediaType: string): string {
  return mediaType.replace(/;.*/s, '').trim().toLowerCase();
}

/**
 * The declared success of a response, in the form that it returned. A document may describe a result under several JSON media
 * types, each with a schema of its own, and a service may return any of them (RFC 9110, 12.5.1).
 */
export function returnedSuccess(operation: Operation, answer: HttpResponse): Success {
  const success = declaredSuccess(operation, answer.status);
  const { mediaType, otherMediaTypes = [], otherSchemas = {} } = success;
  const [, type = ''] = answer.headers.find(([name]) => name.toLowerCase() === 'content-type') ?? [];
  const returned = essence(type);
  if (!Object.hasOwn(otherSchemas, returned)) return success;
  const others = otherMediaTypes.filter((one) => essence(one) !== returned);
  return {
    ...success,
    mediaType: returned,
    otherMediaTypes: [mediaType ?? [], others].flat(),
    schema: otherSchemas[returned],
  };
}
