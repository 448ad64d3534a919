import type { Static } from 'typebox';
import { oddsText } from '../../boards/formats/odds-text.ts';
import { selectionText, sportTag } from '../../boards/formats/pick-text.ts';
import type { podBoard } from '../../boards/picks/pod.ts';
import { odds } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { when } from '../times.ts';
import { capperOf } from './capper.ts';
import { outcome } from './pick-list.ts';
import { empty } from './section.ts';

/** Renders the Pick of the Day, or why there is none yet. */
export function featuredPick(
  { pick, confidence, now: offer }: Static<typeof podBoard.body>,
  now: number,
): Html {
  if (pick === null)
    return empty(
      'No pick yet today. It is chosen at 9 AM ET, or when the first pick on a remaining game is posted after that.',
    );
  return html`<article class="featured">
<div class="featured-what"><p class="featured-game"><span class="sport">${sportTag(pick.sport)}</span> <bdi>${pick.game}</bdi>${
    pick.startsAt !== null && html`, ${when(pick.startsAt, now)}`
  }</p>
<h3><a href="/p/${pick.pickUuid}"><bdi>${selectionText(pick)}</bdi></a></h3>
<p class="featured-price">${odds(pick.oddsAmerican)} <span class="by">by ${capperOf(pick)}</span> ${outcome(pick.result, pick.half)}</p>
<p class="featured-then">Posted at ${oddsText(pick.oddsAmerican)} on ${when(pick.postedAt, now)}.${
    offer !== null &&
    html` Now <b>${oddsText(offer.oddsAmerican)}</b> at <bdi>${offer.book}</bdi>, as of ${when(offer.seenAt, now)}.`
  }</p></div>
${
  confidence !== null &&
  html`<p class="index"><b>${confidence.index.toFixed(1)}</b> <small>/ 100<br><abbr title="Confidence Index, version R24">Confidence Index</abbr></small></p>`
}
</article>`;
}
