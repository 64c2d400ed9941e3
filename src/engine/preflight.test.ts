import { expect, test } from 'vitest';
import { parseContract } from '../contract/load.ts';
import type { Contract } from '../model/contract.ts';
import type { Principal } from '../model/principal.ts';
import type { WireOutcome } from '../model/wire.ts';
import { contractOfShape } from '../testing/contracts.ts';
import { holder, planningOf } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import { preflight } from './preflight.ts';

const contract = await contractOfShape('reads-only');
const full = holder(contract, 'full');

function answer(status: number, body = '{}'): WireOutcome {
  return {
    answer: { status, headers: [], body, bodyBytes: body.length, truncated: false },
    noAnswer: undefined,
    connection: 1,
    startedAt: 1,
    sentAt: 1,
    endedAt: 2,
  };
}

/** Preflight on a service that returns one status to requests with a key, and another to those without. */
async function flown(
  statuses: { readonly keyed: number; readonly keyless: number },
  of: { readonly contract: Contract; readonly principal: Principal } = { contract, principal: full },
  body?: string,
) {
  const sent: string[] = [];
  const stage = stageOf(of.contract, {
    wire: {
      send: async ({ headers, path }) => {
        const keyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
        sent.push(`${path}${keyed ? ' with a key' : ''}`);
        return answer(keyed ? statuses.keyed : statuses.keyless, body);
      },
      sendTogether: async () => [],
    },
  });
  let traces = 0;
  const { proven, trouble } = await preflight(
    stage,
    planningOf(of.contract, { principals: [of.principal] }),
    () => `t${++traces}`,
  );
  return { sent, proven: [...proven], trouble: trouble?.split('\n')[0] };
}

test('reads that demand a key are a violation to report, and no reason to send nothing', async () => {
  expect(await flown({ keyless: 422, keyed: 200 })).toEqual({
    sent: ['/status', '/status with a key'],
    proven: ['full'],
    trouble: undefined,
  });
});

test('a key helps neither a bad token nor a bad path', async () => {
  const trouble =
    'no valid request succeeds; check the tokens, the permissions and operations.<name>.examples';
  expect(await flown({ keyless: 401, keyed: 200 })).toEqual({ sent: ['/status'], proven: [], trouble });
  expect((await flown({ keyless: 404, keyed: 200 })).sent).toEqual(['/status', '/regions']);
  expect(await flown({ keyless: 422, keyed: 422 })).toMatchObject({ proven: [], trouble });
});

test('a target that returns a web page to everything is none', async () => {
  const page = '\n<!DOCTYPE html><html></html>';
  expect(await flown({ keyless: 200, keyed: 200 }, undefined, page)).toMatchObject({
    proven: [],
    trouble: 'the target returns a web page to every request; write the address of the API in target.baseUrl',
  });
  expect((await flown({ keyless: 401, keyed: 401 }, undefined, page)).trouble).toMatch(/check the tokens/);
});

test('a target that redirects is named as one', async () => {
  expect((await flown({ keyless: 302, keyed: 302 })).trouble).toMatch(
    /^the target redirects every request; /,
  );
});

test('a target that throttles everything from the start has no trouble with tokens', async () => {
  expect((await flown({ keyless: 429, keyed: 429 })).trouble).toBe(
    'the target throttles every request; wait, or ask for a higher limit for these tokens',
  );
});

/** Notes that are read by ID; a link says whether the result of the command has it. */
async function notes(link: string) {
  const key = '{ name: Idempotency-Key, in: header, required: true, schema: { type: string } }';
  const content = '{ application/json: { schema: { type: object } } }';
  const text = `
openapi: 3.1.1
info: { title: Notes, version: 1.27.0 }
paths:
  /notes:
    put:
      operationId: make
      security: [{ token: [note.make] }]
      parameters: [${key}]
      responses: { '200': { description: made, content: ${content}, links: ${link} } }
  /notes/{noteId}:
    parameters: [{ name: noteId, in: path, required: true, schema: { type: string } }]
    get:
      operationId: show
      security: [{ token: [note.show] }]
      responses: { '200': { description: one, content: ${content} } }
components: { securitySchemes: { token: { type: http, scheme: bearer } } }
`;
  return await parseContract(text, 'c.yaml');
}

const unanswered =
  'no response from the target: the connection was reset; check target.baseUrl, and that the service is running';

test.each([
  { dropped: 3, proven: ['full'], trouble: undefined },
  { dropped: 4, proven: [], trouble: unanswered },
])('a first read whose connection is dropped ($dropped times) is sent four times', async (expected) => {
  const { dropped, ...found } = expected;
  let sent = 0;
  const stage = stageOf(contract, {
    wire: {
      send: async () => {
        sent += 1;
        const noAnswer = { reason: 'reset' as const, detail: 'the connection was reset', partial: undefined };
        return sent > dropped ? answer(200) : { ...answer(200), answer: undefined, noAnswer };
      },
      sendTogether: async () => [],
    },
  });
  const planning = planningOf(contract, { principals: [full] });
  const { proven, trouble } = await preflight(stage, planning, () => `t${sent}`);
  expect({ proven: [...proven], trouble, sent }).toEqual({ ...found, sent: 4 });
});

test('a target that drops each connection late is given up once it has been silent for long', async () => {
  let [now, sent] = [0, 0];
  const stage = stageOf(contract, {
    clock: { monotonic: () => now, wall: () => now, sleep: async () => undefined },
    wire: {
      send: async () => {
        sent += 1;
        now += 9000;
        const noAnswer = {
          reason: 'closed' as const,
          detail: 'the connection was reset',
          partial: undefined,
        };
        return { ...answer(200), answer: undefined, noAnswer };
      },
      sendTogether: async () => [],
    },
  });
  const planning = planningOf(contract, { principals: [full, { ...full, name: 'other' }] });
  const { trouble } = await preflight(stage, planning, () => `t${sent}`);
  expect({ sent, trouble }).toEqual({ sent: 2, trouble: unanswered });
});

test('where a result gives no ID, operations that need none are tried', async () => {
  const link = '{ show: { operationId: show, parameters: { noteId: $response.body#/id } } }';
  const principal = { ...full, permissions: ['note.make', 'note.show'] };
  const found = await flown({ keyless: 200, keyed: 200 }, { contract: await notes(link), principal });
  expect(found).toEqual({
    sent: ['/notes with a key', '/notes with a key'],
    proven: ['full'],
    trouble: undefined,
  });
});

test('where nothing gives the targets, the trouble says so', async () => {
  const principal = { ...full, permissions: ['note.show'] };
  const found = await flown({ keyless: 200, keyed: 200 }, { contract: await notes('{}'), principal });
  expect(found).toEqual({ sent: [], proven: [], trouble: 'no operation can be called' });
});

test('once one principal has succeeded, the others are left to those that need them', async () => {
  const stage = stageOf(contract, {
    wire: { send: async () => answer(200), sendTogether: async () => [] },
  });
  const principals = ['full', 'peer', 'other'].map((name) => ({ ...full, name }));
  let traces = 0;
  const found = await preflight(stage, planningOf(contract, { principals }), () => `t${++traces}`);
  expect([...found.proven]).toEqual(['full']);
  expect(found.unproven.map(({ name }) => name)).toEqual(['peer', 'other']);
  expect(found.traces.map(({ probe }) => probe)).toEqual(['full']);
});

test('the plan is asked for when the first requests are over', async () => {
  const happened: string[] = [];
  const send = async (): Promise<WireOutcome> => {
    happened.push('sent');
    return answer(200);
  };
  const stage = stageOf(contract, { wire: { send, sendTogether: async () => [] } });
  await preflight(
    stage,
    planningOf(contract, { principals: [full] }),
    () => 't1',
    () => {
      happened.push('planned');
      return { plan: { probes: [], skips: [] } };
    },
  );
  expect(happened).toEqual(['sent', 'planned']);
});
