/** Plots; what they paint has words next to it. */
export const plots = `
figure { margin: 0.5rem 0 1rem; }
figcaption { color: var(--soft); font-size: 0.8125rem; margin-top: 0.3rem; max-width: 75ch; }
svg.plot { display: block; width: 100%; height: auto; overflow: visible; }
svg.plot text, svg.sequence text { font: 12px system-ui, -apple-system, 'Segoe UI', Roboto, Arial, sans-serif; fill: var(--soft); }
svg.plot text.violated { fill: var(--bad); font-weight: 640; }
.frame-line { stroke: var(--line); stroke-width: 1; fill: none; }
.axis-line { stroke: var(--strong-line); stroke-width: 1; fill: none; }
.mark { fill: var(--mark); }
.bar { display: block; width: 100%; height: 12px; border-radius: 6px; }
.bar.thin { width: 7rem; height: 9px; border-radius: 3px; }
.hatch { stroke: var(--surface); stroke-width: 1.5; }
.band { fill: var(--warn-tint); stroke: var(--warn-mark); stroke-width: 1; }
.wait { stroke: var(--ink); stroke-width: 1.5; }
.key-list { display: flex; flex-wrap: wrap; gap: 0.2rem 1.2rem; list-style: none; padding: 0; margin: 0.4rem 0; font-size: 0.8125rem; color: var(--soft); }
.key-list li { display: inline-flex; align-items: center; gap: 0.4rem; }
.key-list svg { width: 14px; height: 14px; }
svg.sequence { display: block; width: 100%; min-width: 40rem; max-width: 54rem; height: auto; }
svg.sequence.slim { display: none; min-width: 0; }
@media screen and (max-width: 40rem) {
  svg.sequence { display: none; }
  svg.sequence.slim { display: block; }
}
.sequence .lane { stroke: var(--strong-line); stroke-dasharray: 2 4; }
svg.sequence .who { font-weight: 640; fill: var(--ink); }
svg.sequence .says { fill: var(--ink); paint-order: stroke; stroke: var(--surface); stroke-width: 5; stroke-linejoin: round; }
svg.sequence .faulty .says, svg.sequence .faulty.number { fill: var(--bad); font-weight: 640; }
svg.sequence .control .says { fill: var(--good); }
.sequence .arrow { stroke: var(--soft); stroke-width: 1.4; fill: none; }
.sequence .tip { fill: var(--soft); }
.sequence .answer { stroke-dasharray: 5 3; }
.sequence .faulty .arrow { stroke: var(--bad-mark); stroke-width: 1.8; }
.sequence .faulty .tip { fill: var(--bad-mark); }
.sequence .control .arrow { stroke: var(--good-mark); }
.sequence .control .tip { fill: var(--good-mark); }
.sequence .busy { fill: var(--sunken); stroke: var(--strong-line); }
.sequence .pause { stroke: var(--line); stroke-width: 1; }
.histogram { display: block; width: 9rem; height: 26px; }
.histogram path { fill: var(--open-mark); }
.histogram line { stroke: var(--ink); stroke-width: 1; }
.atlas .class-name { font-weight: 640; }
`;
