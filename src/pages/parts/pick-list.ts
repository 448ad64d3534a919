import { countedAt, lineMoved, notCounted, selectionText, sportTag } from '../../boards/formats/pick-text.ts';
import type { PublicPick } from '../../boards/pick.ts';
import { clv, netUnits, odds } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { labelOf } from '../labels.ts';
import { hasStarted, startText, when } from '../times.ts';
import { capperOf } from './capper.ts';
import { clvLabel } from './verdict.ts';

export function pickLink(pick: Pick<PublicPick, 'pickUuid'> & Parameters<typeof selectionText>[0]): Html {
  return html`<a href="/p/${pick.pickUuid}"><bdi>${selectionText(pick)}</bdi></a>`;
}

/** @param half whether only half the stake counted */
export function outcome(result: string | null, half = false): Html {
  const shown = result ?? 'pending';
  return html`<span class="outcome ${shown}">${half && 'Half '}${half ? labelOf('result', shown).toLowerCase() : labelOf('result', shown)}</span>`;
}

/** Marks imported picks, whose times nobody checked, and picks sealed after the start. */
function timeMark({ provenance, sealedInTime }: PublicPick): Html | false {
  if (provenance === 'imported')
    return html` <span class="mark claim" title="Imported from a file: nobody checked its time and odds.">imported</span>`;
  return (
    sealedInTime === 'late' &&
    html` <span class="mark bad" title="Nothing signed before the start includes it.">sealed late</span>`
  );
}

/** Struck through if the pick counts at others. */
export function oddsTaken(pick: Pick<PublicPick, 'oddsAmerican' | 'priceCheck'>): Html {
  const taken = odds(pick.oddsAmerican);
  return countedAt(pick) === null ? taken : html`<s class="off-market">${taken}</s>`;
}

/** False if the pick counts at the posted ones. */
function countedOdds(pick: PublicPick): Html | false {
  const counted = countedAt(pick);
  return counted !== null && html` <small class="on-offer">${counted}</small>`;
}

function priceMark(pick: PublicPick): Html | false {
  const why = notCounted(pick);
  return why !== null && html` <span class="mark bad" title="Not counted: ${why}.">not counted</span>`;
}

/** @param options `capper: false` if one capper posted all of them, `game: false` if all are on the game of the page */
export function pickList(
  picks: readonly PublicPick[],
  now: number,
  { capper = true, game = true }: { capper?: boolean; game?: boolean } = {},
): Html {
  return html`<ol class="slips${!capper && ' of-one'}">
${picks.map((pick) => slip(pick, now, { capper, game }))}</ol>`;
}

/** Renders the CLV, or the line move, because odds for two lines cannot be compared. */
function closingMark(pick: PublicPick): Html | false {
  if (pick.clvBps === null) return false;
  const moved = lineMoved(pick);
  return html`<p class="slip-clv">${moved ?? html`${clvLabel} ${clv(pick.clvBps)}`}</p>`;
}

function slip(pick: PublicPick, now: number, shown: { capper: boolean; game: boolean }): Html {
  const { sport, gameId, game, startsAt, settledAt, result } = pick;
  return html`<li class="slip${result === null && hasStarted(startsAt, now) && ' started'}">
<p class="slip-pick">${pickLink(pick)}</p>
<p class="slip-odds">${oddsTaken(pick)}${countedOdds(pick)}</p>
${shown.game && html`<p class="slip-game"><span class="sport">${sportTag(sport)}</span> <a href="/game/${gameId}"><bdi>${game}</bdi></a></p>`}
${shown.capper && html`<p class="slip-capper">${capperOf(pick)}</p>`}
<p class="slip-when">${settledAt === null ? startText(pick, now) : html`settled ${when(settledAt, now)}`}</p>
<p class="slip-result">${outcome(result, pick.half)}${result !== null && html` ${netUnits(pick.netUnits)}`}${timeMark(pick)}${priceMark(pick)}</p>
${closingMark(pick)}
</li>
`;
}
