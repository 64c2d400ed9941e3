import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { claimsOf, namesField, structuredFields } from './field-naming.ts';

const known = ['/subject', '/priority', '/dueDate', '/contact/name', '/items/0/name'];
const request = { path: '/cases', body: '{"subject":{},"priority":"high, please"}' };
const json = [['Content-Type', 'application/json']] as const;
const html = [['content-type', 'text/html; charset=utf-8']] as const;
const answer = (body: unknown, headers: readonly (readonly [string, string])[] = json) => ({
  body: typeof body === 'string' ? body : JSON.stringify(body),
  headers,
});

describe('fields in structured position', () => {
  const fields = (body: unknown) => structuredFields(answer(body), request).map((one) => one.path.join('/'));
  it.each<readonly [string, unknown, readonly string[]]>([
    ['prose accuses nothing', { message: "'subject' must be a string" }, []],
    ['locators', { errors: [{ field: 'priority', message: "'subject' is fine" }] }, ['priority']],
    ['maps of fields', { errors: { Due_Date: ['bad'], subject: 'bad' } }, ['duedate', 'subject']],
    ['nested maps name their leaves', { errors: { contact: { name: ['bad'] } } }, ['contact/name']],
    [
      'descriptions in a map name their key',
      { errors: { subject: [{ code: 'invalid', message: 'bad' }] } },
      ['subject'],
    ],
    ['the body as a whole is no field', { detail: [{ loc: ['body'], msg: 'bad' }] }, []],
    ['members of an envelope accuse nothing', { error: 'invalid', operation: 'x', priority: 'high' }, []],
    ['required lists accuse nothing', { error: 'invalid', required: ['subject', 'priority'] }, []],
  ])('%s', (_, body, expected) => {
    expect(fields(body)).toEqual(expected);
  });

  it('can be asked which field they mean', () => {
    const response = answer({ errors: [{ field: 'Case.dueDate' }] });
    const [claim] = structuredFields(response, request);
    expect(claim).toEqual({
      path: ['case', 'duedate'],
      raw: 'Case.dueDate',
      evidence: 'structured',
      at: '/errors/0/field',
    });
    const means = (pointer: string): boolean =>
      namesField(response, request, pointer, { exact: false, known }).named;
    expect(means('/dueDate')).toBe(true);
    expect(means('/subject')).toBe(false);
  });
});

describe('any answer', () => {
  const headers = fc.constantFrom(json, html, []);
  const anyText = fc.array(fc.nat(0xffff)).map((units) => String.fromCharCode(...units));
  it('is read without an error', () => {
    fc.assert(
      fc.property(
        fc.oneof(anyText, fc.json()),
        fc.option(fc.json(), { nil: undefined }),
        headers,
        (body, sent, fields) =>
          claimsOf({ body, headers: fields }, { path: '/cases', body: sent }).every(
            (claim) => claim.path.length > 0,
          ),
      ),
    );
  });

  it('nested beyond all measure is read without an error', () => {
    const deep = `${'['.repeat(50_000)}${']'.repeat(50_000)}`;
    expect(claimsOf(answer(deep), { path: '/cases', body: deep })).toEqual([]);
  });

  it.each([
    ['brackets', '<a '.repeat(20_000)],
    ['dots', '.a'.repeat(20_000)],
    ['blanks', '\n \n'.repeat(20_000)],
    ['letters', 'a'.repeat(100_000)],
    ['nouns', 'field a, '.repeat(5_000)],
  ])('made of %s is read to its end', (_, body) => {
    expect(namesField(answer(body, []), request, '/subject', { exact: false, known }).named).toBe(false);
  });

  it('names a field whatever indices are on the way', () => {
    const index = fc.nat(9999);
    fc.assert(
      fc.property(index, index, fc.constantFrom('.', '/', '[]'), (first, second, style) => {
        const spelt =
          style === '[]'
            ? `items[${first}].parts[${second}].code`
            : ['items', first, 'parts', second, 'code'].join(style);
        const pointer = `/items/${second}/parts/${first}/code`;
        const options = { exact: true, known: ['/items/0/parts/0/code', '/code'] };
        expect(namesField(answer({ errors: [{ path: spelt }] }), request, pointer, options).named).toBe(true);
        expect(
          namesField(answer({ message: `'${spelt}' is invalid` }), request, pointer, options).named,
        ).toBe(true);
      }),
    );
  });
});
