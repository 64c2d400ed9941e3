import { expect, test } from 'vitest';
import type { Contract } from '../model/contract.ts';
import type { Exchange, Trace } from '../model/exchange.ts';
import type { Json } from '../model/json.ts';
import type { Step, Wave } from '../model/scenario.ts';
import { operation } from '../selftest/shapes/document.ts';
import { contractOf } from '../testing/contracts.ts';
import { firstOf, stageOf } from '../testing/stages.ts';
import { attempt } from './attempt.ts';
import { makePromptness, type Promptness } from './promptness.ts';
import type { Stage } from './stage.ts';
import { ofRead } from './sweep.ts';

const record = { type: 'object', properties: { note: { type: 'string' } } };
const contract: Contract = await contractOf(
  operation('GET /settings', 'getSettings', { result: record }),
  operation('PUT /settings', 'putSettings', { status: '200', body: record, result: record }),
);

const settleMs = 5000;

type Service = {
  /** How many milliseconds later a read shows a change. */
  readonly lag?: number;
  readonly status?: number;
  /** Shown in place of what was written. */
  readonly shows?: Json;
};

/** The settings of a service whose reads are late, on a clock that moves in waits, and by a millisecond for each request. */
function serving({ lag = 0, shows, status = 200 }: Service, promptness: Promptness): Stage {
  const at = { now: 0 };
  const written: { readonly at: number; readonly body: string }[] = [];
  const shown = (): string => {
    if (shows !== undefined) return JSON.stringify(shows);
    return written.findLast((one) => one.at + lag <= at.now)?.body ?? '{"note":"none"}';
  };
  const stage: Stage = stageOf(contract, {
    clock: {
      monotonic: () => at.now,
      wall: () => 0,
      sleep: async (milliseconds) => {
        at.now += milliseconds;
      },
    },
    settleMs,
    promptness,
    lastWrites: new Map(),
    wire: {
      sendTogether: async () => [],
      send: async ({ body, method }) => {
        const startedAt = at.now;
        at.now += 1;
        if (method === 'PUT' && status === 200) written.push({ at: at.now, body: String(body ?? '') });
        const answer = {
          ...{ headers: [], bodyBytes: 9, truncated: false },
          ...(method === 'PUT' ? { status, body: '{}' } : { status: 200, body: shown() }),
        };
        return { answer, noAnswer: undefined, connection: 1, startedAt, sentAt: startedAt, endedAt: at.now };
      },
    },
    look: async ({ observes: _observes, ...read }) =>
      (await attempt(stage, { id: 't2', ...ofRead(read) })).exchanges.at(-1),
  });
  return stage;
}

const step = (id: string, of: string, more: Partial<Step> = {}): Step => ({
  ...{ id, operation: of, as: 'full', role: 'test', key: { use: 'none' }, body: { use: 'none' } },
  ...{ deviations: [], ...more },
});
const put = (id: string): Wave => ({
  steps: [step(id, 'putSettings', { body: { use: 'named', name: id } })],
});
const read: Wave = { steps: [step('after', 'getSettings', { role: 'readback', observes: 'after' })] };
const commanded: readonly Wave[] = [put('one'), { wait: 'settle' }, read];

async function sent(
  service: Service,
  {
    promptness = makePromptness(),
    waves = commanded,
    ...more
  }: Partial<Trace> & {
    readonly promptness?: Promptness;
    readonly waves?: readonly Wave[];
  } = {},
): Promise<{
  readonly after: number;
  readonly shown: string;
  readonly second: string;
  readonly promptness: Promptness;
}> {
  const body = { value: { note: 'a note' }, marker: '/note' } as const;
  const bodies = { one: body, two: body };
  const stage = serving(service, promptness);
  const { bound, exchanges } = await attempt(stage, { ...firstOf({ title: 't', bodies, waves }), ...more });
  const last = exchanges.at(-1) as Exchange;
  return {
    ...{ after: last.startedAt, promptness, shown: last.answer?.body ?? '' },
    second: bound.markers['two'] ?? 'none',
  };
}

const known = (): Promptness => ({ ...makePromptness(), atOnce: 3 });

test('what is shown at once is waited for no longer than copies need', async () => {
  const { after, promptness } = await sent({});
  // The command, a read of its own, and a tenth of the settling time since the command.
  expect(after).toBe(501);
  expect(promptness).toMatchObject({ atOnce: 1, longestMs: 0 });
});

test('what is shown late is waited for, and copies may need three times as long', async () => {
  const { after, promptness } = await sent({ lag: 300 });
  expect(promptness.atOnce).toBe(0);
  expect(promptness.longestMs).toBeGreaterThanOrEqual(300);
  expect(promptness.longestMs).toBeLessThan(400);
  expect(after).toBeCloseTo(1 + 3 * promptness.longestMs);
});

test('what no read shows has the whole settling time', async () => {
  const { after, promptness } = await sent({ shows: { note: 'fixed' } });
  expect(after).toBe(5001);
  const again = await sent({ shows: { note: 'fixed' } }, { promptness });
  expect([...again.promptness.vain]).toEqual([['getSettings', 2]]);
});

test('a command that should change nothing has a fifth of it, once three changes were seen at once', async () => {
  const refused: Service = { status: 422 };
  expect((await sent(refused)).after).toBe(5001);
  expect((await sent(refused, { promptness: known() })).after).toBe(1001);
  const late = { ...known(), longestMs: 600 };
  expect((await sent(refused, { promptness: late })).after).toBe(1801);
});

test('what was accepted a settling time ago has settled', async () => {
  const waves = [
    put('one'),
    { wait: 'settle' },
    read,
    { wait: 6000 },
    put('one'),
    ...commanded.slice(1),
  ] as const;
  const unseen: Service = { shows: { note: 'fixed' } };
  expect((await sent(unseen, { promptness: known(), waves })).after).toBe(12_003);
});

test('who repeats what was violated waits for the whole time, and so does who follows a queued command', async () => {
  const promptness = known();
  expect((await sent({}, { purpose: 'repeat', promptness })).after).toBe(5001);
  expect((await sent({ status: 202 }, { promptness })).after).toBe(5001);
});

test('what follows a hook has the whole time', async () => {
  const hooked: Wave = { hook: 'refresh', as: 'refresh', input: {} };
  const waves = [put('one'), { wait: 100 }, hooked, { wait: 'settle' }, read] as const;
  expect((await sent({}, { promptness: known(), waves })).after).toBe(5101);
});

test('of two commands the second is waited for', async () => {
  const waves = [put('one'), put('two'), { wait: 'settle' }, read] as const;
  const { second, shown } = await sent({ lag: 200 }, { waves });
  expect(shown).toContain(second);
});
