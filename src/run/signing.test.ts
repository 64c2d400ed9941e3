import { createHash, createHmac, randomUUID } from 'node:crypto';
import { mkdtemp, readdir, readFile, writeFile } from 'node:fs/promises';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import { tmpdir } from 'node:os';
import { join, resolve } from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { doctor } from '../cli/doctor.ts';
import { run } from '../cli/run.ts';
import { openGate } from '../evidence/gate.ts';
import { InputError } from '../model/input-error.ts';
import type { WireRequest } from '../model/wire.ts';
import { capture } from '../testing/captured.ts';
import { startFaulty } from '../testing/faulty-run.ts';
import { noAnswer } from '../wire/trouble.ts';
import type { OpenWire } from '../wire/wire.ts';
import { signedWire } from './signed-wire.ts';
import { openSigner } from './signer.ts';

/** The reference service behind a gateway that lets only well signed requests through, each signature once. */
const secret = 'a-secret-that-only-the-signer-knows';
let service: Awaited<ReturnType<typeof startFaulty>>;
let gateway: http.Server;
let port = 0;
const seen = { signed: 0, unsigned: 0, repeated: 0, throttled: 0, signatures: new Set<string>() };
/** Whether the gateway is to throttle the next command. */
let throttles = false;

/** What both sides sign: everything that a run varies. */
function signatureOf(
  method: string,
  url: string,
  headers: Readonly<Record<string, string | undefined>>,
  body: Uint8Array,
): string {
  const digest = createHash('sha256').update(body).digest('hex');
  const { authorization = '', 'idempotency-key': key = '', 'x-nonce': nonce = '' } = headers;
  return createHmac('sha256', secret)
    .update([method, url, authorization, key, nonce, digest].join('\n'))
    .digest('hex');
}

const module = `import { createHash, createHmac, randomUUID } from 'node:crypto';
export default ({ method, url, headers, body }) => {
  const given = (name) => headers.filter(([one]) => one.toLowerCase() === name).map(([, value]) => value.trim()).join(', ');
  const nonce = randomUUID();
  const { pathname, search } = new URL(url);
  const digest = createHash('sha256').update(body).digest('hex');
  const text = [method, pathname + search, given('authorization'), given('idempotency-key'), nonce, digest].join('\\n');
  return {
    'X-Nonce': nonce,
    'X-Signature': createHmac('sha256', process.env.SIGNING_TEST_KEY).update(text).digest('hex'),
  };
};
`;

beforeAll(async () => {
  service = await startFaulty({}, 'harness.config.yaml');
  const { port: behind } = new URL(service.reference.url);
  gateway = http.createServer((request, response) => {
    const chunks: Buffer[] = [];
    request.on('error', () => undefined);
    request.on('data', (chunk: Buffer) => chunks.push(chunk));
    request.on('end', () => {
      const { headers, method = '', rawHeaders, url = '' } = request;
      const body = Buffer.concat(chunks);
      const signature = String(headers['x-signature'] ?? '');
      const plain = Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, String(value)]));
      const right = signature === signatureOf(method, url, plain, body);
      if (signature === '') seen.unsigned += 1;
      else if (seen.signatures.has(signature)) seen.repeated += 1;
      else seen.signed += 1;
      if (!right || seen.signatures.has(signature)) {
        response.writeHead(401, { 'content-type': 'application/json' });
        // A careless gateway: it repeats what it was given.
        response.end(JSON.stringify({ error: `the signature '${signature}' is missing or wrong` }));
        return;
      }
      seen.signatures.add(signature);
      if (throttles && method === 'POST') {
        throttles = false;
        seen.throttled += 1;
        response.writeHead(429, { 'retry-after': '1', 'x-request-id': `req_${randomUUID()}` }).end('{}');
        return;
      }
      const onward = http.request(
        { host: '127.0.0.1', port: behind, method, path: url, headers: rawHeaders },
        (answer) => {
          response.writeHead(answer.statusCode ?? 500, [...answer.rawHeaders, 'X-Seen', signature]);
          answer.pipe(response);
        },
      );
      onward.on('error', () => response.destroy());
      onward.end(body);
    });
  });
  port = await new Promise((done) =>
    gateway.listen(0, '127.0.0.1', () => done((gateway.address() as AddressInfo).port)),
  );
}, 120_000);

afterAll(async () => {
  gateway.closeAllConnections();
  gateway.close();
  await service.reference.close();
});

type Files = Readonly<Record<string, string>>;

async function configured(
  sign: unknown,
  files: Files,
): Promise<{ readonly file: string; readonly folder: string }> {
  const folder = await mkdtemp(join(tmpdir(), 'assay-signing-'));
  for (const [name, text] of Object.entries(files)) await writeFile(join(folder, name), text);
  const file = join(folder, 'harness.config.yaml');
  await writeFile(
    file,
    `target:
  baseUrl: http://127.0.0.1:${port}
  environment: test
${sign === undefined ? '' : `  sign: ${JSON.stringify(sign)}\n`}contract: ${resolve('fixtures/contracts/governed-command-1.27.0.yaml')}
principals:
  full: { token: { env: SIGNING_TEST_TOKEN }, permissions: [case.create] }
seed: 7
output: ${folder}
`,
  );
  process.env['SIGNING_TEST_TOKEN'] = service.principals.find(({ name }) => name === 'full')?.token ?? '';
  process.env['SIGNING_TEST_KEY'] = secret;
  return { file, folder };
}

const never = new AbortController().signal;

async function runWith(sign: unknown, files: Files, suites: readonly string[]) {
  const { file, folder } = await configured(sign, files);
  const said = capture();
  const { exitCode } = await run(
    file,
    { overrides: { budget: 'quick' }, suites, operations: undefined, quiet: true, runName: 'run' },
    said.output,
    never,
  ).catch((error: unknown) => {
    if (!(error instanceof InputError)) throw error;
    said.output.err(error.message as never);
    return { exitCode: 2 };
  });
  const names = await readdir(join(folder, 'run')).catch(() => []);
  const texts = await Promise.all(names.map((name) => readFile(join(folder, 'run', name), 'utf8')));
  return { exitCode, said: said.text(), names, text: texts.join('\n'), file, folder };
}

const conformant = /^Verdict: PARTIAL: conformant/m;

test('a target that demands signatures is conformant: races, raw, cut and throttled requests are signed', async () => {
  throttles = true;
  const { said, text } = await runWith({ module: './sign.mjs' }, { 'sign.mjs': module }, [
    'missing-keys',
    'lost-responses',
    'valid-commands',
    'duplicate-keys',
    'key-forms',
  ]);
  expect(said).toMatch(conformant);
  expect(seen).toMatchObject({ unsigned: 0, repeated: 0, throttled: 1 });
  expect(seen.signed).toBeGreaterThan(30);
  // The target returned each signature in a header.
  const leaked = [...seen.signatures].filter((one) => text.includes(one));
  expect(leaked).toEqual([]);
  expect(text).toContain('["X-Seen","$ASSAY_TOKEN_SIGNED_X_SIGNATURE"]');
  expect(text).toContain('["X-Signature","$ASSAY_TOKEN_SIGNED_X_SIGNATURE"]');
  expect(text).not.toContain(secret);
  expect(text).toMatch(/"signedBy":\{"module":"[^"]*sign\.mjs"\}/);
});

const shellSigner = `
const chunks = [];
for await (const chunk of process.stdin) chunks.push(chunk);
const { default: sign } = await import('./sign.mjs');
const given = JSON.parse(Buffer.concat(chunks).toString());
console.log(JSON.stringify(sign({ ...given, body: Buffer.from(given.bodyBase64, 'base64') })));
`;

test('a command signs too, in the folder of the configuration', async () => {
  const { said } = await runWith(
    { command: `${process.execPath} sign-command.mjs` },
    { 'sign.mjs': module, 'sign-command.mjs': shellSigner },
    ['missing-keys'],
  );
  expect(said).toMatch(conformant);
});

test('without a signature the run says what is wrong, and accuses nobody', async () => {
  const { exitCode, said } = await runWith(undefined, {}, ['missing-keys']);
  expect(exitCode).toBe(2);
  expect(said).toContain(
    'says that the signature of the request is missing or wrong; set or fix target.sign',
  );
  expect(said).not.toMatch(/violation/);
});

test.each<[string, unknown, Files, RegExp]>([
  [
    'a module that throws',
    { module: './sign.mjs' },
    { 'sign.mjs': `export default () => { throw new Error('${secret}'); };` },
    /harness\.config\.yaml:4:3: signing failed: it threw an error; fix what target\.sign names/,
  ],
  [
    'a module that fails later',
    { module: './sign.mjs' },
    {
      'sign.mjs': module.replace(
        '=> {',
        '=> {\n  if ((globalThis.asked = (globalThis.asked ?? 0) + 1) > 4) return 7;',
      ),
    },
    /signing failed: it returned no headers; return an object/,
  ],
  [
    'a module that is not there',
    { module: './none.mjs' },
    {},
    /yaml:4:10: the module \S+none\.mjs cannot be loaded/,
  ],
  [
    'a module without a function',
    { module: './sign.mjs' },
    { 'sign.mjs': 'export const sign = 1;' },
    /the default export of \S+sign\.mjs is not a function/,
  ],
  [
    'a command that fails',
    { command: `echo ${secret}; exit 3` },
    {},
    /its command ended with code 3; run it by itself/,
  ],
  [
    'a command that hangs',
    { command: 'exec sleep 60', timeoutSeconds: 0.2 },
    {},
    /signing failed: it took longer than 0\.2 s/,
  ],
  [
    'a command that prints too much',
    { command: 'head -c 100000 /dev/zero' },
    {},
    /its command printed more than 64 KiB/,
  ],
  [
    'a header of the harness',
    { command: `echo '{"Authorization":"x"}'` },
    {},
    /it returned 'Authorization', which the harness itself sets/,
  ],
  [
    'a header of the request',
    { command: `echo '{"accept":"x"}'` },
    {},
    /it returned 'accept', which is part of the request that is tested/,
  ],
  [
    'a header over two lines',
    { command: String.raw`printf '{"X-A":"b\\nX-B: c"}'` },
    {},
    /its 'X-A' has characters/,
  ],
])('%s is one clear error, and no finding', async (_, sign, files, message) => {
  // Without a gateway, so that nothing else is wrong.
  const { exitCode, said } = await runWith(sign, files, ['missing-keys']);
  expect(exitCode).toBe(2);
  expect(said).toMatch(message);
  expect(
    said
      .trim()
      .split('\n')
      .filter((line) => /signing failed|the module|the default/.test(line)),
  ).toHaveLength(1);
  expect(said).not.toMatch(/violation/);
  expect(said).not.toContain(secret);
});

test('doctor says what signs, and that a signature is wrong', async () => {
  const right = await configured({ module: './sign.mjs' }, { 'sign.mjs': module });
  const said = capture();
  await doctor(right.file, {}, said.output, never);
  expect(said.text()).toMatch(/^ok\s+signing: \S+sign\.mjs adds X-Nonce, X-Signature$/m);
  const wrong = await configured({ command: `echo '{"X-Signature":"0123456789"}'` }, {});
  const other = capture();
  expect(await doctor(wrong.file, {}, other.output, never)).toBe(2);
  expect(other.text()).toContain('signature of the request is missing or wrong; set or fix target.sign');
});

const request: WireRequest = {
  method: 'POST',
  path: '/cases?q=é',
  headers: [
    ['Authorization', 'Bearer 12345678'],
    ['Idempotency-Key', '6c8a4b9e-1111-4222-8333-444444444444'],
  ],
  body: Buffer.from([0, 255, 10]),
  transport: 'raw',
};

test('the signer is given the bytes of the request, and what it adds comes last', async () => {
  const { file } = await configured(
    { module: './echo.mjs' },
    {
      'echo.mjs': `export default ({ method, url, headers, body }) => [
  ['X-Seen', Buffer.from(JSON.stringify([method, url, headers, [...body]]), 'latin1').toString('hex')],
  ['X-Nonce', '6c8a4b9e-1111-4222-8333-444444444444'], ['X-Signature-Time', '2026-11-22T13:00:00Z'],
];`,
    },
  );
  const { parseConfig } = await import('../config/load.ts');
  const signer = await openSigner(parseConfig(await readFile(file, 'utf8'), file));
  const sent: WireRequest[] = [];
  const outcome = {
    answer: undefined,
    noAnswer: noAnswer('cut', ''),
    connection: 0,
    startedAt: 5,
    sentAt: undefined,
    endedAt: 6,
  };
  const inner: OpenWire = {
    send: async (one) => {
      sent.push(one);
      return outcome;
    },
    sendTogether: async (all) => {
      sent.push(...all);
      return all.map(() => outcome);
    },
    close: async () => undefined,
  };
  const gate = openGate([], '');
  const clock = { monotonic: () => 0, wall: () => 42, sleep: async () => undefined };
  const contract = { operations: [] } as never;
  const wire = signedWire(inner, signer, {
    origin: 'https://api.example.test',
    contract,
    clock,
    gate,
    signal: never,
    onBroken: () => undefined,
  });
  const one = await wire.send(request);
  const both = await wire.sendTogether([request, request]);
  expect(sent.map(({ headers }) => headers.map(([name]) => name))).toEqual(
    Array.from({ length: 3 }, () => [
      'Authorization',
      'Idempotency-Key',
      'X-Seen',
      'X-Nonce',
      'X-Signature-Time',
    ]),
  );
  const [, , [, hex = ''] = []] = sent[0]?.headers ?? [];
  expect(JSON.parse(Buffer.from(hex, 'hex').toString('latin1'))).toEqual([
    'POST',
    'https://api.example.test/cases?q=é',
    [
      ['Authorization', 'Bearer 12345678'],
      ['Idempotency-Key', '6c8a4b9e-1111-4222-8333-444444444444'],
    ],
    [0, 255, 10],
  ]);
  for (const got of [one, ...both])
    expect(got).toMatchObject({
      wall: 42,
      added: [['X-Seen', '$ASSAY_TOKEN_SIGNED_X_SEEN'], expect.anything(), expect.anything()],
    });
  // A key of the request and an instant are in responses too: they are no secrets.
  expect(gate.text('6c8a4b9e-1111-4222-8333-444444444444 at 2026-11-22T13:00:00Z')).toBe(
    '6c8a4b9e-1111-4222-8333-444444444444 at 2026-11-22T13:00:00Z',
  );
  expect(gate.text(hex)).toBe('$ASSAY_TOKEN_SIGNED_X_SEEN');
});
