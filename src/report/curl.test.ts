import { execFileSync } from 'node:child_process';
import { describe, expect, test } from 'vitest';
import { placeholder } from '../evidence/gate.ts';
import type { Exchange, HeaderList } from '../model/exchange.ts';
import type { Principal, TokenOrigin } from '../model/principal.ts';
import type { Transport } from '../model/scenario.ts';
import { contractOf, createCase, exchange, listCases, step, trace } from '../testing/literal-run.ts';
import { curl, reproduction } from './curl.ts';

const sent = (
  headers: HeaderList,
  body: string | undefined = undefined,
  given: Partial<Exchange> = {},
): Exchange => exchange({ request: { method: 'POST', path: '/api/cases', headers, body }, ...given });

const base = 'http://127.0.0.1:1/api';
const uuid = '$( (uuidgen 2>/dev/null || cat /proc/sys/kernel/random/uuid) | tr A-Z a-z)';
const start = "curl -gisS --path-as-is -w '\\n' -X POST http://127.0.0.1:1/api/cases";

describe('one exchange', () => {
  test.each<[string, Exchange, string]>([
    ['nothing but a path', sent([]), start],
    [
      'headers',
      sent([
        ['Accept', 'text/plain'],
        ['X-A', 'a b'],
      ]),
      `${start} -H 'Accept: text/plain' -H 'X-A: a b'`,
    ],
    ['a header without a value', sent([['X-A', '']]), `${start} -H 'X-A;'`],
    [
      'a body with its type',
      sent([['content-type', 'application/json']], '{"a":"b"}'),
      `${start} -H 'content-type: application/json' --data-raw '{"a":"b"}'`,
    ],
    ['a body without a type', sent([], 'abc'), `${start} -H 'Content-Type:' --data-raw abc`],
    ['a body that curl would take for a file', sent([], '@a'), `${start} -H 'Content-Type:' --data-raw @a`],
    [
      'what a terminal or a shell cannot carry',
      sent([['X-A', '\t\xe9']], '{"a":"\0\n50%\u00e9\'"}'),
      `printf '{"a":"\\000\\01250%%\u00e9\\047"}' | ${start} -H "$(printf 'X-A: \\011\\351')" -H 'Content-Type:' --data-binary @-`,
    ],
    [
      'what no UTF-8 is',
      sent([], '{"a":"\ufffd"}'),
      `printf '{"a":"\\377"}' | ${start} -H 'Content-Type:' --data-binary @-`,
    ],
    ['what interactive shells read', sent([], "it's!"), `${start} -H 'Content-Type:' --data-raw 'it'\\''s!'`],
    ['an empty body', sent([], ''), `${start} -H 'Content-Type:' --data-raw ''`],
    ['what a shell would read', sent([['X-A', 'a`b$c\\d"e']]), `${start} -H 'X-A: a\`b$c\\d"e'`],
    [
      'a token',
      sent([['Authorization', 'Bearer $ASSAY_TOKEN_FULL_1']]),
      `${start} -H 'Authorization: Bearer '"\${ASSAY_TOKEN_FULL_1}"`,
    ],
  ])('%s', (_, given, expected) => {
    expect(curl(given, base, new Map())).toBe(expected);
  });

  test('keys stand as variables, in capitals too', () => {
    const keys = new Map([['k-1', 'KEY_1']]);
    expect(
      curl(
        sent([
          ['Idempotency-Key', 'k-1'],
          ['X-B', 'K-1x'],
        ]),
        base,
        keys,
      ),
    ).toBe(`${start} -H 'Idempotency-Key: '"\${KEY_1}" -H 'X-B: '"\${KEY_1_UPPER}"x`);
  });

  test('the embedded service is at its usual place', () => {
    expect(curl(sent([]), 'reference', new Map())).toBe(start.replace('127.0.0.1:1', '127.0.0.1:8787'));
  });
});

const reader: Principal = {
  name: 'read-only',
  permissions: ['case.read'],
  scope: 'a',
  state: 'valid',
  identity: 'r',
  use: 'any',
};
const writer: Principal = {
  name: 'full',
  permissions: ['case.create'],
  scope: 'a',
  state: 'valid',
  identity: 'f',
  use: 'any',
};

const setting = { baseUrl: base, contract: contractOf(createCase, listCases), principals: [writer, reader] };
const keyed = (key: string, given: Partial<Exchange> = {}, body = '{"subject":"asy-1"}'): Exchange =>
  sent([['Idempotency-Key', key]], body, given);
const bound = { keys: { a: 'k-1', b: 'k-2', c: 'k-1' }, markers: { m: 'asy-1', n: 'asy-2', o: 'asy-1' } };

describe('a history', () => {
  const one = keyed('k-1', { startedAt: 0, endedAt: 10 });
  const two = keyed('K-1-near', { startedAt: 10, endedAt: 20 });

  test('draws new keys and markers, each once', () => {
    const lines = reproduction(trace([], [one, two], { bound }), [one, two], setting, false);
    expect(lines.slice(0, 2)).toEqual([
      `KEY_1=${uuid}`,
      "MARKER_1=asy-$(od -An -N8 -tx1 /dev/urandom | tr -d ' \\n')",
    ]);
    expect(lines.slice(2)).toEqual([
      `KEY_1_UPPER=$(printf %s "\${KEY_1}" | tr a-z A-Z)`,
      `${start} -H 'Idempotency-Key: '"\${KEY_1}" -H 'Content-Type:' --data-raw '{"subject":"'"\${MARKER_1}"'"}'`,
      `${start} -H 'Idempotency-Key: '"\${KEY_1_UPPER}"-near -H 'Content-Type:' --data-raw '{"subject":"'"\${MARKER_1}"'"}'`,
    ]);
  });

  test('says so where a path names a record that its commands make', () => {
    const steps = [
      step({ id: 'made' }),
      step({ id: 'probe', target: { caseId: { step: 'made', at: '/id' } } }),
    ];
    const made = keyed('k-1', { step: 'made', startedAt: 0, endedAt: 10 });
    const closed = keyed('k-2', { step: 'probe', startedAt: 20, endedAt: 30 });
    const lines = reproduction(trace([{ steps }], [made, closed], { bound }), [made, closed], setting, false);
    expect(lines).toContain(
      ": 'Paths name records of the run: replace their IDs with those that these commands return'",
    );
  });

  test('sends a token in the other letter case where the run did', () => {
    const line = (token: 'flip-case' | 'extended'): string => {
      const one = sent([['Authorization', 'Bearer $ASSAY_TOKEN_FULL']]);
      const lines = reproduction(trace([{ steps: [step({ token })] }], [one]), [one], setting, false);
      return lines.at(-1) ?? '';
    };
    const shown = (token: string): string =>
      execFileSync(
        'sh',
        [
          '-c',
          line('flip-case')
            .replace(/^.*(?=-H)/, 'printf %s ')
            .replace('-H ', ''),
        ],
        {
          env: { ...process.env, ASSAY_TOKEN_FULL: token },
          encoding: 'utf8',
        },
      );
    expect(shown('Token-1a')).toBe('Authorization: Bearer tOKEN-1A');
    expect(shown('Ab.Cd.Ef')).toBe('Authorization: Bearer Ab.Cd.eF');
    expect(line('extended')).toContain(`'Authorization: Bearer '"\${ASSAY_TOKEN_FULL}"`);
  });

  test('cuts the connection where the run did', () => {
    const command = (transport: Transport, body = '{"a":"bü"}'): readonly string[] => {
      const lost = sent([], body, {
        endedAt: 120,
        answer: undefined,
        noAnswer: { reason: 'cut', detail: '', partial: undefined },
      });
      return reproduction(
        trace([{ steps: [step({ transport })] }], [lost], { bound }),
        [lost],
        setting,
        false,
      );
    };
    const type = "-H 'Content-Type:'";
    expect(command('cut-after-send')).toEqual([
      ": 'The run cut connections: set -m to fewer seconds than the service takes for a response'",
      `${start} ${type} --data-raw '{"a":"bü"}' -m 0.12`,
    ]);
    expect(command('cut-on-answer').at(-1)).toBe(`${start} ${type} --data-raw '{"a":"bü"}' | head -c 1`);
    expect(command('cut-mid-body').at(-1)).toBe(
      `${start} -H 'Content-Length: 11' ${type} --data-raw '{"a":' -m 0.12`,
    );
  });

  test('numbers several keys and markers in turn', () => {
    const other = keyed('k-2', { startedAt: 10, endedAt: 20 }, 'asy-2');
    const lines = reproduction(trace([], [], { bound }), [one, other], setting, false);
    expect(lines.map((line) => /^[A-Z_]+\d/.exec(line)?.[0])).toEqual([
      'KEY_1',
      'KEY_2',
      'MARKER_1',
      'MARKER_2',
      undefined,
      undefined,
    ]);
    expect(lines[5]).toContain(`'Idempotency-Key: '"\${KEY_2}"`);
    expect(lines[5]).toContain(`--data-raw "\${MARKER_2}"`);
  });

  test('a key in another header, and a marker in none of the bodies, are none', () => {
    const plain = sent([['X-Key', 'k-1']]);
    expect(reproduction(trace([], [], { bound }), [plain], setting, true)).toEqual([
      `${start} -H 'X-Key: k-1'`,
    ]);
  });

  test('sends at once what overlapped, and waits for it', () => {
    const late = sent([], undefined, { startedAt: 5, endedAt: 15 });
    const then = sent([], undefined, { startedAt: 15, endedAt: 16 });
    const first = sent([], undefined, { startedAt: 0, endedAt: 10 });
    expect(reproduction(trace([], []), [first, late, then], setting, false)).toEqual([
      `${start} &`,
      `${start} &`,
      'wait',
      start,
    ]);
  });

  test('sends three and more of a kind at once in a loop', () => {
    const racers = [0, 1, 2, 3].map((startedAt) => sent([], undefined, { startedAt, endedAt: 10 }));
    const other = sent([['X-A', 'b']], undefined, { startedAt: 4, endedAt: 11 });
    expect(reproduction(trace([], []), [...racers, other], setting, false)).toEqual([
      `for n in $(seq 4); do ${start} & done`,
      `${start} -H 'X-A: b' &`,
      'wait',
    ]);
  });

  test('sends a burst before the answer that it led to', () => {
    const burst = step({ id: 'burst' });
    const waves = [{ repeat: burst, width: 2, after: 0, max: 9, maxSeconds: 9 }];
    const of = (id: string, startedAt: number): Exchange =>
      keyed(`k-${id}`, { id, step: 'burst', startedAt, endedAt: startedAt + 1 }, 'x');
    const [a, b, c, d] = [of('1', 0), of('2', 2), of('3', 4), of('4', 6)];
    const all = trace(waves, [a, b, c, d, exchange({ id: 'x9', startedAt: 1 })], {
      bound: { keys: { a: 'k-3' }, markers: {} },
    });
    const lines = reproduction(all, [d], setting, false);
    expect(lines).toEqual([
      ": 'The service was sent 3 such requests before; as fast as they go, then one more:'",
      `for n in $(seq 5); do curl -gsS --path-as-is -o /dev/null -w '%{http_code} ' -X POST http://127.0.0.1:1/api/cases -H 'Idempotency-Key: k-4' -H 'Content-Type:' --data-raw x & done; wait; echo`,
      `${start} -H 'Idempotency-Key: k-4' -H 'Content-Type:' --data-raw x`,
    ]);
    expect(reproduction(all, [c], setting, false)[2]).toContain(`-H 'Idempotency-Key: '"${uuid}"`);
    expect(reproduction(all, [a], setting, false)).toHaveLength(1);
    expect(
      reproduction(
        { ...all, scenario: { ...all.scenario, waves: [{ steps: [burst] }] } },
        [d],
        setting,
        false,
      ),
    ).toHaveLength(1);
  });
});

describe('the effects', () => {
  const one = keyed('k-1');
  const marked = { keys: {}, markers: { m: 'asy-1' } };
  const last = (
    over: Partial<typeof setting> = {},
    exchanges = [one],
    markers: Readonly<Record<string, string>> = marked.markers,
  ) =>
    reproduction(
      trace([], exchanges, { bound: { keys: {}, markers } }),
      exchanges,
      { ...setting, ...over },
      true,
    ).slice(exchanges.length + Object.keys(markers).length);

  test('are read where the contract has a list, by a principal of the same scope that may', () => {
    expect(last()).toEqual([
      ": 'Count the records that hold $MARKER_1:'",
      `curl -gisS -w '\\n' http://127.0.0.1:1/api/cases -H 'Authorization: Bearer '"\${ASSAY_TOKEN_READ_ONLY}" -H 'Accept: application/json'`,
    ]);
    expect(last({ baseUrl: 'http://127.0.0.1:1/' })[1]).toContain(' http://127.0.0.1:1/cases ');
  });

  test('of several markers, on every page', () => {
    const other = keyed('k-2', { id: 'x2', startedAt: 20, endedAt: 30 }, 'asy-2');
    const pagination = {
      limit: 'limit',
      cursor: 'cursor',
      style: 'cursor',
      items: '/items',
      next: '/next',
    } as const;
    const contract = contractOf(createCase, { ...listCases, pagination });
    const [comment] = last({ contract }, [one, other], { m: 'asy-1', n: 'asy-2' });
    expect(comment).toBe(": 'Count the records that hold $MARKER_1 or $MARKER_2, on every page (cursor):'");
  });

  test.each<[string, Partial<typeof setting>]>([
    ['the contract has no such list', { contract: contractOf(createCase) }],
    [
      'the command shows in no list',
      { contract: contractOf({ ...createCase, effect: undefined }, listCases) },
    ],
    [
      'the list belongs to another record',
      {
        contract: contractOf(createCase, {
          ...listCases,
          pathFields: [{ name: 'a', schema: true, source: undefined }],
        }),
      },
    ],
    ['nobody may read', { principals: [writer] }],
    [
      'the list asks for a permission more',
      { contract: contractOf(createCase, { ...listCases, permissions: ['case.read', 'case.list'] }) },
    ],
    ['nobody is known', { principals: [] }],
    ['the reader is of another scope', { principals: [writer, { ...reader, scope: 'b' }] }],
    ['the reader has expired', { principals: [writer, { ...reader, state: 'expired' }] }],
  ])('are not read where %s', (_, over) => {
    expect(last(over)).toEqual([]);
  });

  test('are read with any credential, where the list asks for no permission', () => {
    const contract = contractOf(createCase, { ...listCases, permissions: undefined });
    expect(last({ contract })[1]).toContain('ASSAY_TOKEN_FULL}');
    expect(last({ contract: contractOf(listCases, createCase) })).toHaveLength(2);
  });

  test('are read by the command that had a body, and only where they are asked for', () => {
    const get = exchange({ id: 'x0', operation: 'listCases', principal: 'other' });
    expect(last({}, [get, one]).some((line) => line.includes('READ_ONLY'))).toBe(true);
    expect(reproduction(trace([], [one], { bound: marked }), [one], setting, false)).toHaveLength(2);
    expect(reproduction(trace([], [one]), [one], setting, true)).toHaveLength(1);
  });
});

describe('tokens', () => {
  const principal = (name: string, from?: TokenOrigin): Principal & { readonly from?: TokenOrigin } => ({
    name,
    permissions: [],
    scope: undefined,
    state: 'valid',
    identity: name,
    use: 'any',
    ...(from === undefined ? {} : { from }),
  });
  const linesOf = (name: string, from?: TokenOrigin): readonly string[] => {
    const principals = [principal(name, from), principal('full-b', { env: 'OTHER' })];
    const one = sent([['Authorization', `Bearer $${placeholder(name)}`]]);
    const setting = {
      baseUrl: base,
      contract: contractOf(createCase),
      principals,
      configuration: 'a b/c.yaml',
    };
    return reproduction(trace([], [one]), [one], setting, false);
  };

  test('have the name that the configuration gives them', () => {
    expect(linesOf('full', { env: 'CASES_TOKEN' })).toEqual([
      `${start} -H 'Authorization: Bearer '"\${CASES_TOKEN}"`,
    ]);
    expect(linesOf('full')).toEqual([`${start} -H 'Authorization: Bearer '"\${ASSAY_TOKEN_FULL}"`]);
  });

  test('of files and commands are set first', () => {
    const used = `${start} -H 'Authorization: Bearer '"\${ASSAY_TOKEN_FULL}"`;
    expect(linesOf('full', { file: '/run/my token' })).toEqual([
      "ASSAY_TOKEN_FULL=$(cat '/run/my token')",
      used,
    ]);
    const [set = '', ...rest] = linesOf('full', { command: './token.sh --for full' });
    expect(rest).toEqual([used]);
    expect(set).toMatch(
      /^ASSAY_TOKEN_FULL=\$\(cd 'a b' && \{ \.\/token\.sh --for full; \} \| tr -d '\\n' \| sed /,
    );
  });

  test.each([
    ['plain', 'printf "abc-123\\n"', 'abc-123'],
    ['in JSON', `printf '{\n "token": "abc-123",\n "expiresIn": 9 }'`, 'abc-123'],
    ['in JSON of OAuth', `printf '{"access_token":"abc-123","token_type":"Bearer"}'`, 'abc-123'],
  ])('of a command that prints them %s are what the harness takes', (_, command, token) => {
    const [set = ''] = linesOf('full', { command });
    const script = `${set.replace("cd 'a b' && ", '')}; printf %s "$ASSAY_TOKEN_FULL"`;
    expect(execFileSync('sh', ['-c', script], { encoding: 'utf8' })).toBe(token);
  });
});

test('where the harness signs, the commands say that a signature is needed, and where it comes from', () => {
  const one = sent([
    ['X-Time', '$ASSAY_TOKEN_SIGNED_X_TIME'],
    ['X-Signature', '$ASSAY_TOKEN_SIGNED_X_SIGNATURE'],
  ]);
  const setting = {
    baseUrl: base,
    contract: contractOf(createCase),
    principals: [],
    signedBy: { command: "./sign.sh 'a'" },
  };
  const [said = '', ...rest] = reproduction(trace([], [one]), [one], setting, false);
  expect(said).toBe(
    `: 'Each request needs a signature, which target.sign makes (./sign.sh '\\''a'\\''). assay reproduce signs by itself; for these lines set ASSAY_TOKEN_SIGNED_X_TIME, ASSAY_TOKEN_SIGNED_X_SIGNATURE before each'`,
  );
  expect(rest).toEqual([
    `${start} -H 'X-Time: '"\${ASSAY_TOKEN_SIGNED_X_TIME}" -H 'X-Signature: '"\${ASSAY_TOKEN_SIGNED_X_SIGNATURE}"`,
  ]);
  expect(execFileSync('sh', ['-c', `${said}; echo ok`], { encoding: 'utf8' })).toBe('ok\n');
  expect(reproduction(trace([], [one]), [one], { ...setting, signedBy: undefined }, false)).toEqual(rest);
});

test('a race is sent with all that were in it', () => {
  const steps = ['a', 'b', 'c'].map((id) => step({ id }));
  const [first, ...others] = steps;
  if (first === undefined) return;
  const all = steps.map(({ id }, index) =>
    sent([['X-Step', id]], undefined, { id: `x${index + 1}`, step: id, startedAt: index, endedAt: 10 }),
  );
  const raced = trace([{ steps: [first, ...others] }], all);
  const setting = { baseUrl: base, contract: contractOf(createCase), principals: [] };
  expect(reproduction(raced, all.slice(1, 2), setting, false)).toEqual([
    `${start} -H 'X-Step: a' &`,
    `${start} -H 'X-Step: b' &`,
    `${start} -H 'X-Step: c' &`,
    'wait',
  ]);
  // Steps that were sent one after the other are no race.
  const apart = trace(
    steps.map((one) => ({ steps: [one] as const })),
    all,
  );
  expect(reproduction(apart, all.slice(1, 2), setting, false)).toEqual([`${start} -H 'X-Step: b'`]);
});
