import { createHash } from 'node:crypto';
import { mkdtemp, readFile, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { describe, expect, test } from 'vitest';
import { operationOf } from '../model/contract.ts';
import { InputError } from '../model/input-error.ts';
import { syntheticCatalogue } from '../testing/synthetic.ts';
import { loadContract, parseContract, readContract } from './load.ts';

const core = 'fixtures/contracts/governed-command-1.27.0.yaml';
const extended = 'fixtures/contracts/extended-catalogue.yaml';

describe('the published contract', () => {
  test('is what the specification shows', async () => {
    const contract = await loadContract(core);
    const digest = createHash('sha256')
      .update(await readFile(core))
      .digest('hex');
    expect(contract).toMatchObject({ version: '1.27.0', governedOperations: 293, digest });
    expect(contract.operations).toHaveLength(1);
    expect(operationOf(contract, 'createCase')).toMatchObject({
      method: 'POST',
      path: '/cases',
      kind: 'command',
      permissions: ['case.create'],
      pathFields: [],
      queryFields: [],
      body: {
        mediaType: 'application/json',
        required: true,
        schema: { type: 'object', required: ['subject'], properties: { subject: { type: 'string' } } },
      },
      success: {
        status: 201,
        mediaType: 'application/json',
        schema: {
          required: ['id', 'status'],
          properties: { id: { pattern: '^case_\\S+$' }, status: { const: 'open' } },
        },
      },
      failures: {
        '401': undefined,
        '403': undefined,
        '409': undefined,
        '422': undefined,
        '429': undefined,
        '5XX': undefined,
      },
      version: undefined,
      verification: undefined,
      conflict: undefined,
      pagination: undefined,
      effect: undefined,
    });
  });
});

describe('the extended catalogue', () => {
  test('has every feature', async () => {
    const contract = await loadContract(extended);
    expect(contract.operations.map(({ id, kind }) => `${kind} ${id}`)).toEqual([
      'command createCase',
      'read listCases',
      'read getCase',
      'command updateCase',
      'command assignCase',
      'command closeCase',
      'command approveCase',
      'command createContact',
      'read listContacts',
      'read getContact',
      'command deleteContact',
    ]);
    expect(operationOf(contract, 'updateCase')).toMatchObject({
      method: 'PATCH',
      permissions: ['case.update'],
      pathFields: [{ name: 'caseId', source: { operation: 'createCase', at: '/id' } }],
      version: {
        carrier: { in: 'header', name: 'If-Match' },
        source: { operation: 'getCase', in: 'body', at: '/version' },
        neutral: false,
      },
      conflict: { after: 'closeCase', body: undefined },
      effect: { read: 'getCase', list: 'listCases', id: '/id' },
    });
    expect(operationOf(contract, 'assignCase').version?.carrier).toEqual({ in: 'body', at: '/version' });
    expect(operationOf(contract, 'approveCase').verification).toEqual({
      carrier: { in: 'header', name: 'X-Verification' },
      hook: 'verify',
      singleUse: true,
      boundToTarget: true,
    });
    expect(operationOf(contract, 'listCases')).toMatchObject({
      pagination: { limit: 'limit', cursor: 'cursor', style: 'cursor', items: '/items', next: '/nextCursor' },
      queryFields: [
        { name: 'limit', schema: { type: 'integer', minimum: 1, maximum: 100 } },
        { name: 'cursor' },
        { name: 'status', filters: '/status' },
        { name: 'subject', filters: '/subject' },
      ],
    });
    expect(operationOf(contract, 'deleteContact')).toMatchObject({
      success: { status: 200 },
      body: undefined,
    });
  });

  test('has schemas that refer to nothing outside themselves', async () => {
    const contract = await loadContract(extended);
    const ajv = new Ajv2020({ strict: false });
    formats.default(ajv);
    for (const { body, success } of contract.operations) {
      for (const schema of [body?.schema, success.schema]) {
        if (schema !== undefined) expect(() => ajv.compile(schema)).not.toThrow();
      }
    }
    const { schema } = operationOf(contract, 'createContact').success;
    const validate = ajv.compile(schema ?? false);
    const contact = { id: 'contact_1', status: 'active', name: 'A', emails: [{ address: 'a@example.test' }] };
    expect(validate(contact)).toBe(true);
    expect(validate({ ...contact, address: { street: 'S', city: 'C', country: 'ch' } })).toBe(false);
  });
});

describe('the synthetic catalogue', () => {
  test.each([1, 2, 3, 4, 7, 293])('of %i operations loads', async (count) => {
    const contract = await parseContract(syntheticCatalogue(count), 'synthetic.json');
    expect(contract.operations).toHaveLength(count);
    expect(new Set(contract.operations.map(({ id }) => id)).size).toBe(count);
    expect(new Set(contract.operations.flatMap(({ permissions }) => permissions ?? [])).size).toBe(count);
    expect(contract.title).toContain('Synthetic');
  });

  test('is the same at every call', () => {
    expect(syntheticCatalogue()).toBe(syntheticCatalogue(293));
  });
});

describe('files', () => {
  test('a missing file is an input error without a place', async () => {
    await expect(loadContract('no/such.yaml')).rejects.toThrow(
      'no/such.yaml: there is no such file; check the path',
    );
  });

  test('references lead to other files, whose text counts in the digest', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-contract-'));
    try {
      const main = join(folder, 'main.yaml');
      const text = (await readFile(core, 'utf8')).replaceAll(
        '"#/components/schemas/CaseRequest"',
        "'./parts/case.yaml#/CaseRequest'",
      );
      await writeFile(main, text);
      await expect(loadContract(main)).rejects.toThrow(
        /main\.yaml:\d+:\d+: the file of the \$ref '\.\/parts\/case\.yaml#\/CaseRequest' cannot be read/,
      );
      const parts = text.replaceAll('./parts/case.yaml', './case.yaml');
      await writeFile(main, parts);
      const part =
        "CaseRequest: { type: object, properties: { subject: { $ref: '#/Text' } } }\nText: { type: string }\n";
      await writeFile(join(folder, 'case.yaml'), part);
      const contract = await loadContract(main);
      expect(operationOf(contract, 'createCase').body?.schema).toEqual({
        type: 'object',
        properties: { subject: { $ref: '#/$defs/Text' } },
        $defs: { Text: { type: 'string' } },
      });
      const [document, ...referenced] = (await readContract(main)).files;
      expect(referenced).toEqual([{ file: join(folder, 'case.yaml'), text: part }]);
      expect(await parseContract(document.text, main, undefined, referenced)).toEqual(contract);
      await writeFile(join(folder, 'case.yaml'), `${part}# changed\n`);
      expect((await loadContract(main)).digest).not.toBe(contract.digest);
    } finally {
      await rm(folder, { recursive: true });
    }
  });

  test.each(['https://example.com/a.yaml', 'some/https:/example.com/a.yaml'])(
    'an address is no file: %s',
    async (file) => {
      await expect(loadContract(file)).rejects.toThrow(
        `${file}: this is an address, not a file; download the document, and name the file`,
      );
    },
  );

  test('text that is not UTF-8 is refused', async () => {
    const folder = await mkdtemp(join(tmpdir(), 'assay-contract-'));
    try {
      const file = join(folder, 'latin.yaml');
      await writeFile(file, Buffer.from([0x61, 0x3a, 0x20, 0xe4, 0xff]));
      await expect(loadContract(file)).rejects.toThrow('the file is not UTF-8; save it as UTF-8');
      await expect(loadContract(file)).rejects.toBeInstanceOf(InputError);
    } finally {
      await rm(folder, { recursive: true });
    }
  });
});
