import type { JsonObject } from '../../model/json.ts';
import type { Deviation } from '../../model/scenario.ts';
import { says } from './says.ts';
import { type Case, type Line, record } from './trace.ts';

const look = (id: string, state: JsonObject): Line => ({
  ...{ id, observes: 'holder', operation: 'getCase', role: 'readback', on: 'made', status: 200 },
  body: record('case_7', { state }),
});
const part: Partial<Line> = { operation: 'addPart', on: 'made' };
const keyless: Deviation = { kind: 'key', how: 'absent' };
type Shows = readonly [JsonObject, JsonObject, JsonObject?];

/** What the record that is to hold a part shows before a refused one and after it, and a second time before it. */
const above = (
  when: string,
  [before, after, again = before]: Shows,
  verdict: 'violated' | '',
  between: readonly Line[] = [],
  more: Partial<Line> = {},
): Case =>
  says(
    'IDM-1',
    `the record that is to hold it: ${when}`,
    [
      { id: 'made', role: 'setup', status: 201, result: 'case_7' },
      look('zero', before),
      look('same', again),
      { ...{ id: 'probe', role: 'test', status: 422, key: 'none', deviations: [keyless] }, ...part, ...more },
      ...between,
      look('last', after),
      {
        ...{ id: 'control', controls: 'probe', status: 201, body: { id: 'part_1' } },
        ...part,
        ...more,
      },
    ],
    'holds probe',
    verdict === '' ? 'holds probe (ids only)' : 'violated probe zero same last',
  );
const paid: Partial<Line> = { operation: 'addTask', sent: JSON.stringify({ amount: 2.5 }) };

export const movedAboveCases: readonly Case[] = [
  above('it is counted', [{ partCount: 0 }, { partCount: 1 }], 'violated'),
  above('it is counted down', [{ openParts: 3 }, { openParts: 2 }], 'violated'),
  above('it is listed', [{ parts: [] }, { parts: ['a'] }], 'violated'),
  above('its amount is added', [{ total: 10 }, { total: '12.50' }], 'violated', [], paid),
  above('nothing moves', [{ partCount: 2 }, { partCount: 2 }], ''),
  above('each read is counted', [{ parts: 1 }, { parts: 3 }, { parts: 2 }], ''),
  above('refusals are counted', [{ refusedParts: 0 }, { refusedParts: 1 }], ''),
  above('failures are counted', [{ failedParts: 0 }, { failedParts: 1 }], ''),
  above('attempts are counted', [{ partAttempts: 0 }, { partAttempts: 1 }], ''),
  above('something is counted', [{ tally: 0 }, { tally: 1 }], ''),
  above('several are counted', [{ partCount: 0 }, { partCount: 7 }], ''),
  above('a version is counted', [{ version: 1 }, { version: 2 }], ''),
  above('a log has it', [{ events: [] }, { events: ['refused'] }], ''),
  above('another part was made', [{ partCount: 0 }, { partCount: 1 }], '', [
    { id: 'other', status: 201, name: 'other', body: { id: 'part_2' }, ...part },
  ]),
  above('another part was lost', [{ partCount: 0 }, { partCount: 1 }], '', [
    { id: 'other', status: undefined, name: 'other', ...part },
  ]),
];
