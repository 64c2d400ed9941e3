import { says } from './says.ts';
import { absent, type Case, type Line, lacking, missing, negative } from './trace.ts';

const idsOnly = 'holds probe (ids only)';
const fresh = (status: number | undefined): Line => ({ id: 'fresh', controls: 'probe', status });
const seenBy = 'read-1 read-2 read-3';
const spent = 'holds control probe';
const shows = (one: Case, ids: readonly string[], more: Partial<Case> = {}): Case => ({
  ...one,
  shows: { body: ids },
  ...more,
});
export const effectCases: readonly Case[] = [
  shows(
    says(
      'AUT-10',
      'the one record is that of the control',
      negative(absent, 401),
      spent,
      `holds probe ${seenBy}`,
    ),
    ['case_1'],
  ),
  shows(says('AUT-10', 'there is no record', negative(absent, 401), spent, `holds probe ${seenBy}`), []),
  shows(
    says(
      'AUT-10',
      'there is one more',
      negative(absent, 401),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'there is one, and no accepted request',
      negative(absent, 401).slice(0, 1),
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the control is refused as well',
      negative(absent, 401, {}, { status: 429 }),
      'inconclusive control probe',
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_9'],
  ),
  shows(
    says('AUT-10', 'the control names another id', negative(absent, 401), spent, `holds probe ${seenBy}`),
    ['case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the control names no id',
      negative(absent, 401, {}, { body: {} }),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_8', 'case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the read did not reach its end',
      negative(absent, 401),
      spent,
      `inconclusive probe ${seenBy}`,
    ),
    ['case_1'],
    { partly: true },
  ),
  shows(
    says(
      'AUT-10',
      'the read saw enough',
      negative(absent, 401),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1', 'case_9'],
    { partly: true },
  ),
  shows(
    says(
      'AUT-10',
      'the record may be that of a lost answer',
      [...negative(absent, 401), fresh(undefined)],
      spent,
      `inconclusive probe ${seenBy}`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the record may be that of an earlier try',
      negative(absent, 401, {}, { earlier: [429, undefined] }),
      spent,
      `inconclusive probe ${seenBy}`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the earlier try was throttled',
      negative(absent, 401, {}, { earlier: [429] }),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the lost one had another body',
      [...negative(absent, 401), { ...fresh(undefined), name: 'other' }],
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(
    says(
      'AUT-10',
      'the accepted one had another body',
      negative(absent, 401, {}, { name: 'other' }),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1'],
  ),
  shows(says('AUT-10', 'refused in another class', negative(absent, 400), spent), ['case_1']),
  shows(
    says(
      'AUT-10',
      'refused in another class, with a record',
      negative(absent, 500),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(says('AUT-10', 'throttled', negative(absent, 429), spent, `holds probe ${seenBy}`), ['case_1']),
  shows(says('AUT-10', 'no marker was sent', negative(absent, 401, { sent: '{}' }), spent, idsOnly), [
    'case_1',
  ]),
  { ...says('AUT-10', 'the read did not look for it', negative(absent, 401), spent), shows: {} },
  {
    ...says(
      'AUT-10',
      'each sending of a repeated step has a record of its own',
      [...negative(absent, 401), ...negative(absent, 401, { ordinal: 1 }).slice(0, 1)],
      spent,
      spent.replace('probe', 'probe#1'),
      `holds probe ${seenBy}`,
      `violated probe#1 ${seenBy} (conclusive)`,
    ),
    shows: { body: ['case_1'], 'body#1': ['case_9'] },
  },
  says(
    'AUT-10',
    'a command on a target that nobody read',
    negative(absent, 401, { operation: 'closeCase' }),
    spent,
    idsOnly,
  ),
  shows(
    says(
      'AUT-10',
      'the request was tried before, and that answer was lost',
      negative(absent, 401, { earlier: [undefined] }),
      spent,
      `violated probe ${seenBy} (conclusive)`,
    ),
    ['case_1', 'case_9'],
  ),
  shows(says('AUT-10', 'the answer was lost, with a record', negative(absent, undefined)), [
    'case_1',
    'case_9',
  ]),
  says('PRE-4', 'the answer was lost', negative([missing, lacking], undefined)),
];
