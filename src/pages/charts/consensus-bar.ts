import { type Html, html } from '../html.ts';

/** Draws how many cappers are on each side: elite and verified sharp ones on this side, and those against it. */
export function consensusBar({
  elite,
  verifiedSharp,
  opposing,
}: {
  elite: number;
  verifiedSharp: number;
  opposing: number;
}): Html {
  const all = elite + verifiedSharp + opposing;
  const parts = [
    { kind: 'elite', count: elite },
    { kind: 'verified', count: verifiedSharp },
    { kind: 'against', count: opposing },
  ].filter(({ count }) => count > 0);
  const widths = parts.map(({ count }) => (count / all) * 400);
  const starts = widths.map((_, index) => widths.slice(0, index).reduce((sum, width) => sum + width, 0));
  return html`<svg class="consensus-bar" viewBox="0 0 400 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts.map(
    ({ kind }, index) =>
      html`<rect class="part-${kind}" x="${round(starts[index])}" y="0" width="${round((widths[index] ?? 0) - (index + 1 < parts.length ? 3 : 0))}" height="14"/>`,
  )}</svg>`;
}

function round(value = 0): number {
  return Math.round(value * 10) / 10;
}
