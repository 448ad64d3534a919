import type { HotStreak } from '../../boards/cappers/hot-streaks.ts';
import { chanceText } from '../../rules/chance.ts';
import { type Html, html } from '../html.ts';
import { sportTags } from '../labels.ts';
import { capperLink } from './capper.ts';
import { verdictLabel } from './verdict.ts';

/** Renders winning streaks, longest first. */
export function streakList(streaks: readonly HotStreak[]): Html {
  return html`<ol class="streaks">
${streaks.map(
  ({
    length,
    sports,
    chancePct,
    verdict,
    ...capper
  }) => html`<li><b class="run">${length} <small>wins</small></b>
<span>${capperLink(capper)}<br><small>${sportTags(sports)} · ${chanceText(chancePct)} · ${verdictLabel(verdict)}</small></span></li>
`,
)}</ol>`;
}
