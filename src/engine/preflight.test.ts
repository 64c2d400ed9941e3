import { expect, test } from 'vitest';
import type { WireOutcome } from '../model/wire.ts';
import { contractOfShape } from '../testing/contracts.ts';
import { holder, planningOf } from '../testing/plans.ts';
import { stageOf } from '../testing/stages.ts';
import { preflight } from './preflight.ts';

const contract = await contractOfShape('reads-only');
const full = holder(contract, 'full');

function answer(status: number): WireOutcome {
  return {
    answer: { status, headers: [], body: '{}', bodyBytes: 2, truncated: false },
    noAnswer: undefined,
    connection: 1,
    startedAt: 1,
    sentAt: 1,
    endedAt: 2,
  };
}

/** Preflight on a service that returns one status to reads with a key, and another to those without. */
async function flown(statuses: { readonly keyed: number; readonly keyless: number }) {
  const sent: string[] = [];
  const stage = stageOf(contract, {
    wire: {
      send: async ({ headers, path }) => {
        const keyed = headers.some(([name]) => name.toLowerCase() === 'idempotency-key');
        sent.push(`${path}${keyed ? ' with a key' : ''}`);
        return answer(keyed ? statuses.keyed : statuses.keyless);
      },
      sendTogether: async () => [],
    },
  });
  let traces = 0;
  const { proven, trouble } = await preflight(
    stage,
    planningOf(contract, { principals: [full] }),
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
    'no principal succeeds anywhere; check the tokens, the permissions and operations.<id>.examples';
  expect(await flown({ keyless: 401, keyed: 200 })).toEqual({ sent: ['/status'], proven: [], trouble });
  expect((await flown({ keyless: 404, keyed: 200 })).sent).toEqual(['/status', '/regions']);
  expect(await flown({ keyless: 422, keyed: 422 })).toMatchObject({ proven: [], trouble });
});
