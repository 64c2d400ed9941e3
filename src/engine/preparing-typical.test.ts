import { expect, test } from 'vitest';
import { type OperationId, operationOf } from '../model/contract.ts';
import { isArray, isObject, type Json, valueAt } from '../model/json.ts';
import type { WireOutcome } from '../model/wire.ts';
import { object, operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { preparedAgainst } from '../testing/preparing.ts';
import { fullerBodies } from './fuller-bodies.ts';
import { bodiesIn, preparedIn } from './preparing.ts';

const id = { type: 'string' };
const currency = { type: 'string', pattern: '^[A-Z]{3}$' };
const money = object({ amount: { type: 'string', pattern: '^[0-9]{1,8}\\.[0-9]{2}$' }, currency }, [
  'amount',
  'currency',
]);
const line = object({ text: { type: 'string', minLength: 1 }, price: money }, ['text', 'price']);

/** Invoices have lines, and are issued before they are paid. Lines are a part of the invoice, or added to it. */
const invoicing = (lines: 'within' | 'added') =>
  contractOf(
    operation('POST /invoices', 'createInvoice', {
      body:
        lines === 'within'
          ? object({ currency, lines: { type: 'array', items: line, maxItems: 9 } }, ['currency'])
          : object({ currency }, ['currency']),
      result: object({ id }),
    }),
    operation('GET /invoices/{invoiceId}', 'getInvoice', { result: object({ id }) }),
    ...(lines === 'within'
      ? []
      : [operation('POST /invoices/{invoiceId}/lines', 'addLine', { body: line, result: object({ id }) })]),
    operation('POST /invoices/{invoiceId}/issue', 'issueInvoice', { result: object({ id }) }),
    operation('POST /payments', 'pay', {
      body: object({ invoiceId: id, paid: money }, ['invoiceId', 'paid']),
      result: object({ id }),
    }),
    operation('GET /payments/{paymentId}', 'getPayment', { result: object({ id }) }),
  );

type Invoice = { currency: string; cents: number; isIssued: boolean };

const centsOf = (value: Json, at: string): number =>
  Math.round(Number(valueAt(value, `${at}/amount`) ?? 0) * 100);

/** Refuses 0, another currency, and more than there is to pay; and every payment of an invoice that is not issued. */
function serviceOf(known: readonly string[]) {
  const invoices = new Map<string, Invoice>();
  const addTo = (invoice: Invoice, one: Json): boolean => {
    if (valueAt(one, '/price/currency') !== invoice.currency) return false;
    invoice.cents += centsOf(one, '/price');
    return true;
  };
  return (path: string, sent: Json): number => {
    if (path.endsWith('/invoices')) {
      const named = valueAt(sent, '/currency');
      const made: Invoice = { currency: String(named), cents: 0, isIssued: false };
      const lines = valueAt(sent, '/lines');
      if (!known.includes(made.currency)) return 422;
      if (isArray(lines) && !lines.every((one) => addTo(made, one))) return 422;
      invoices.set(`i${invoices.size + 1}`, made);
      return 201;
    }
    const [, name = '', verb] = /\/invoices\/([^/]+)\/(\w+)$/.exec(path) ?? [];
    const invoice = invoices.get(verb === undefined ? String(valueAt(sent, '/invoiceId')) : name);
    if (invoice === undefined) return 404;
    if (verb === 'lines') return invoice.isIssued ? 409 : addTo(invoice, sent) ? 201 : 422;
    if (verb === 'issue') {
      if (invoice.isIssued || invoice.cents === 0) return 409;
      invoice.isIssued = true;
      return 201;
    }
    if (!invoice.isIssued) return 409;
    const cents = centsOf(sent, '/paid');
    const isPayable = cents > 0 && cents <= invoice.cents;
    return isPayable && valueAt(sent, '/paid/currency') === invoice.currency ? 201 : 422;
  };
}

/** @param only what is tested, if not all */
async function preparedOf(lines: 'within' | 'added', known: readonly string[], only?: OperationId) {
  const contract = await invoicing(lines);
  const answer = serviceOf(known);
  let made = 0;
  const outcome = (status: number): WireOutcome => {
    const text = JSON.stringify(status === 201 ? { id: `i${made}` } : {});
    return {
      answer: { status, headers: [], body: text, bodyBytes: text.length, truncated: false },
      noAnswer: undefined,
      connection: 1,
      startedAt: 1,
      sentAt: 1,
      endedAt: 2,
    };
  };
  const send = ({
    body,
    path,
  }: {
    readonly body: string | undefined;
    readonly path: string;
  }): WireOutcome => {
    const sent: Json = JSON.parse(body || 'null');
    const status = answer(path, sent);
    if (path.endsWith('/invoices') && status === 201) made += 1;
    return outcome(status);
  };
  return { ...(await preparedAgainst(contract, send, only)), contract };
}

test.each(['within', 'added'] as const)(
  'a payment is no more than the lines of its invoice, and of its currency (lines %s)',
  async (lines) => {
    const { bodies, prepared, traces } = await preparedOf(lines, ['AAA', 'EUR']);
    expect(prepared.get('pay')?.first.at(-1)).toBe('issueInvoice');
    expect(valueAt(bodies.get('pay') ?? null, '/paid/amount')).toBe('1.00');
    expect(bodiesIn(traces).get('pay')).toEqual(bodies.get('pay'));
    expect(preparedIn(traces).get('pay')).toEqual(prepared.get('pay'));
  },
);

test('what makes the record of a read is made ready where only the read is tested', async () => {
  const { bodies, prepared } = await preparedOf('added', ['AAA', 'EUR'], 'getPayment');
  expect(prepared.get('pay')?.first.at(-1)).toBe('issueInvoice');
  expect(valueAt(bodies.get('pay') ?? null, '/paid/amount')).toBe('1.00');
});

test('a service that takes no payment at all is not asked for ever', async () => {
  const { prepared, traces } = await preparedOf('added', []);
  expect([...prepared.keys()]).not.toContain('pay');
  expect(traces.length).toBeLessThanOrEqual(120);
});

test('lines that the plain body leaves out have its currency, and amounts that leave enough to pay', async () => {
  const { contract, planning } = await preparedOf('within', ['AAA']);
  const [fuller] = fullerBodies(planning, operationOf(contract, 'issueInvoice'), 0);
  const body = fuller?.bodies.get('createInvoice');
  const lines = isObject(body) ? body['lines'] : undefined;
  expect(isArray(lines) ? lines.map((one) => valueAt(one, '/price')) : []).toContainEqual({
    amount: '10000.00',
    currency: 'AAA',
  });
});
