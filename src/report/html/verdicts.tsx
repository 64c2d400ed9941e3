import type { VNode } from 'preact';
import type { Outcome, Verdict } from '../../model/verdict.ts';
import type { CellChange } from '../report.ts';

/** The tones of the page; each has a colour in light and dark, and never stands without its words. */
export type Tone = 'good' | 'bad' | 'warn' | 'doubt' | 'open' | 'quiet';

type Look = { readonly label: string; readonly tone: Tone; readonly icon: IconName };

const looks: Readonly<Record<Verdict, Look>> = {
  fail: { label: 'fail', tone: 'bad', icon: 'cross' },
  unstable: { label: 'unstable', tone: 'warn', icon: 'wave' },
  inconclusive: { label: 'inconclusive', tone: 'doubt', icon: 'question' },
  'not-tested': { label: 'not tested', tone: 'open', icon: 'ring' },
  pass: { label: 'pass', tone: 'good', icon: 'tick' },
  'not-applicable': { label: 'not applicable', tone: 'quiet', icon: 'dash' },
};

export const verdicts: readonly Verdict[] = [
  'fail',
  'unstable',
  'inconclusive',
  'not-tested',
  'pass',
  'not-applicable',
];

export function lookOf(verdict: Verdict): Look {
  return looks[verdict];
}

const outcomes: Readonly<Record<Outcome, Look>> = {
  violations: { label: 'Violations found', tone: 'bad', icon: 'cross' },
  'not fully verified': { label: 'Not fully verified', tone: 'warn', icon: 'ring' },
  conformant: { label: 'Conformant', tone: 'good', icon: 'tick' },
};

export function lookOfOutcome(outcome: Outcome): Look {
  return outcomes[outcome];
}

const changes: Readonly<Record<CellChange['kind'], Look>> = {
  regression: { label: 'regression', tone: 'bad', icon: 'cross' },
  'newly covered': { label: 'newly covered', tone: 'doubt', icon: 'tick' },
  fixed: { label: 'fixed', tone: 'good', icon: 'tick' },
  'coverage lost': { label: 'coverage lost', tone: 'warn', icon: 'ring' },
  'not comparable': { label: 'not comparable', tone: 'open', icon: 'dash' },
  other: { label: 'other', tone: 'open', icon: 'dash' },
};

export function lookOfChange(kind: CellChange['kind']): Look {
  return changes[kind];
}

const icons = {
  tick: 'M3 8.5 6.5 12 13 4.5',
  cross: 'M4 4 12 12M12 4 4 12',
  wave: 'M2 9c2-5 4-5 6-1s4 4 6-1',
  question: 'M5.5 6a2.5 2.5 0 1 1 3.6 2.2C8.3 8.6 8 9 8 10M8 12.8v.2',
  ring: 'M13 8A5 5 0 1 1 3 8a5 5 0 0 1 10 0Z',
  dash: 'M4 8h8',
} as const;
export type IconName = keyof typeof icons;

export function Icon({ name }: { readonly name: IconName }): VNode {
  return (
    <svg class="icon" viewBox="0 0 16 16" aria-hidden="true">
      <path d={icons[name]} />
    </svg>
  );
}

export function Badge({ look, note }: { readonly look: Look; readonly note?: string | undefined }): VNode {
  return (
    <span class={`badge ${look.tone}`}>
      <Icon name={look.icon} />
      {look.label}
      {note === undefined ? undefined : <span class="note">{note}</span>}
    </span>
  );
}

/** An advisory says its verdict in words: nothing that cannot fail a run is red. */
export function VerdictBadge({
  verdict,
  note,
  advisory = false,
}: {
  readonly verdict: Verdict;
  readonly note?: string | undefined;
  readonly advisory?: boolean;
}): VNode {
  const look = lookOf(verdict);
  return (
    <Badge look={advisory ? { ...look, tone: 'open', label: `advisory, ${look.label}` } : look} note={note} />
  );
}
