import { oddsText } from '../../boards/formats/odds-text.ts';
import type { confidence } from '../../rules/confidence.ts';
import { type Html, html } from '../html.ts';

type Component = ReturnType<typeof confidence>['components'][number];

const names: Record<string, string> = {
  clv: 'Closing line value',
  price: 'Odds',
  tier: 'Tier',
  record: 'Record',
  form: 'Recent form',
  consensus: 'Consensus',
};

/** Each bar is as long as its weight, filled by its contribution. */
export function confidenceBars(components: readonly Component[]): Html {
  const widest = Math.max(...components.map(({ weight }) => weight));
  const length = (points: number) => ((points / widest) * 200).toFixed(1);
  return html`<ul class="confidence">
${components.map(
  ({ name, weight, contribution, note }) => html`<li>
<p class="component"><b>${names[name] ?? name}</b> <span>${contribution.toFixed(1)} <small>out of ${weight}</small></span></p>
<svg class="weight" viewBox="0 0 200 8" preserveAspectRatio="none" aria-hidden="true" focusable="false"><rect class="whole" width="${length(weight)}" height="8"/><rect class="part" width="${length(contribution)}" height="8"/></svg>
<p class="note">${name === 'price' ? inOwnForm(note) : note}</p>
</li>
`,
)}</ul>`;
}

function inOwnForm(note: string): string {
  return note.replace(/[+−]\d+/g, (price) => oddsText(Number(price.replace('−', '-'))));
}
