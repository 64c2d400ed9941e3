import type { JsonObject } from '../model/json.ts';
import {
  type DocumentPart,
  documentOf,
  idText,
  linkTo,
  object,
  operation,
  pageOf,
} from '../selftest/shapes/document.ts';

/**
 * An OpenAPI 3.1 document, as JSON text, of `count` invented operations: resources with a create, a read, a list and
 * an update each, every operation under a permission of its own. It is for measuring the harness at the size of the
 * full contract, and describes no real service. Equal counts give equal text.
 *
 * @param count number of operations, at least 1
 */
export function syntheticCatalogue(count = 293): string {
  const parts = Array.from({ length: Math.ceil(count / 4) }, (_, ordinal) =>
    resourceOf(ordinal, Math.min(4, count - 4 * ordinal)),
  ).flat();
  const document = documentOf(parts, {
    info: {
      title: 'Synthetic catalogue',
      version: '1.27.0',
      description: `${count} synthetic operations, generated for measurements. No service implements them.`,
    },
    'x-governed': { operations: 293 },
  });
  return `${JSON.stringify(document, null, 2)}\n`;
}

/** The first `present` of create, read, list and update of one resource. */
function resourceOf(ordinal: number, present: number): readonly DocumentPart[] {
  const noun = `record${String(ordinal + 1).padStart(3, '0')}`;
  const name = (verb: string): string => `${verb}-${noun}`;
  const [create, read, list, update] = [name('create'), name('get'), name('list'), name('update')];
  const path = `/synthetic/${noun}`;
  // Resources differ a little, or every operation would be one and the same.
  const amount = (limits: JsonObject): JsonObject =>
    ordinal % 3 === 0 ? { amount: { type: 'integer', ...limits } } : {};
  const record = object(
    {
      id: { type: 'string', pattern: `^${noun}_\\S+$` },
      status: { type: 'string', const: 'open' },
      label: { type: 'string' },
      ...amount({}),
      version: idText,
    },
    ['id', 'status', 'label', 'version'],
  );
  const label = { type: 'string', minLength: 1, maxLength: 200 };
  const body = object({ label, ...amount({ minimum: 0, maximum: 1000 }) }, ['label']);
  const effect: JsonObject = {
    ...(present > 1 ? { read } : {}),
    ...(present > 2 ? { list } : {}),
    id: '/id',
  };
  const version = {
    carrier: { in: 'header', name: 'If-Match' },
    source: { operation: read, in: 'body', at: '/version' },
  };
  return [
    operation(`POST ${path}`, create, {
      permission: `${noun}.create`,
      body,
      result: record,
      ...(present > 1 ? { governed: { effect } } : {}),
      links: {
        ...(present > 1 ? linkTo(read, 'recordId') : {}),
        ...(present > 3 ? linkTo(update, 'recordId') : {}),
      },
    }),
    operation(`GET ${path}/{recordId}`, read, { permission: `${noun}.read`, result: record }),
    operation(`GET ${path}`, list, { permission: `${noun}.list`, ...pageOf(record) }),
    operation(`PATCH ${path}/{recordId}`, update, {
      permission: `${noun}.update`,
      body,
      status: '200',
      result: record,
      governed: ordinal % 2 === 0 ? { effect, version } : { effect },
    }),
  ].slice(0, present);
}
