import type { PublicPick } from '../pick.ts';
import { oddsText } from './odds-text.ts';
import { changedAt, pickLines, selectionOf } from './pick-facts.ts';
import type { Item } from './rss.ts';
import { escapeHtml, isolated } from './safe-text.ts';

/** A pick as a feed item. Its guid is the pick's UUID and never changes. */
export function pickItem(pick: PublicPick): Item {
  const outcome = pick.result === null ? '' : `${pick.result.toUpperCase()}: `;
  return {
    title: `${outcome}${isolated(selectionOf(pick))} (${oddsText(pick.oddsAmerican)}), ${isolated(pick.game)}`,
    link: pick.verifyUrl,
    guid: pick.pickUuid,
    description: paragraphs(pickLines(pick)),
    categories: [pick.sport, pick.market],
    creators: [pick.capperHandle],
    publishedAt: Date.parse(pick.postedAt),
    changedAt: changedAt(pick),
  };
}

/** Lines of plain text as HTML. */
export function paragraphs(lines: readonly string[]): string {
  return lines.map((line) => `<p dir="auto">${escapeHtml(line)}</p>`).join('');
}
