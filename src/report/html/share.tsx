import { cumsum, sum } from 'd3-array';
import type { VNode } from 'preact';
import type { Tone } from './verdicts.tsx';

export type Share = { readonly tone: Tone; readonly count: number };

/** A bar whose parts are shares of a whole. The words next to it say the same. */
export function Share({
  parts,
  thin = false,
}: {
  readonly parts: readonly Share[];
  readonly thin?: boolean;
}): VNode {
  const shown = parts.filter(({ count }) => count > 0);
  const total = sum(shown, ({ count }) => count);
  // What is small stays visible.
  const weights = shown.map(({ count }) => Math.max(count / total, 0.008));
  const scale = 600 / Math.max(1, sum(weights));
  const ends = cumsum(weights.map((weight) => weight * scale));
  return (
    <svg class={thin ? 'bar thin' : 'bar'} viewBox="0 0 600 12" preserveAspectRatio="none" aria-hidden="true">
      {shown.map(({ tone }, index) => {
        const from = index === 0 ? 0 : (ends[index - 1] ?? 0);
        return (
          <rect
            class={`mark ${tone}`}
            x={from.toFixed(1)}
            y="0"
            width={((ends[index] ?? 0) - from).toFixed(1)}
            height="12"
          />
        );
      })}
    </svg>
  );
}
