import type { Static } from 'typebox';
import { oddsText } from '../../boards/formats/odds-text.ts';
import { selectionText, sportTag } from '../../boards/formats/pick-text.ts';
import type { groupSchema, resolvedGroupSchema } from '../../boards/sharp/groups.ts';
import { round } from '../charts/scale.ts';
import { counted, percentText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { marketLabel } from '../labels.ts';
import { hasStarted, startText, when } from '../times.ts';
import { capperPath, unverifiedMark } from './capper.ts';
import { outcome } from './pick-list.ts';

export type Group = Static<typeof groupSchema>;
export type ResolvedGroup = Static<typeof resolvedGroupSchema>;

export function groupList(groups: readonly (Group | ResolvedGroup)[], now: number): Html {
  return html`<ol class="groups">
${groups.map((group) => item(group, now))}</ol>`;
}

function item(group: Group | ResolvedGroup, now: number): Html {
  const { sport, game, startsAt, market, capperCount, opposingCount, consensusPct } = group;
  const of = capperCount + opposingCount;
  return html`<li class="group${!('result' in group) && hasStarted(startsAt, now) && ' started'}">
<p class="group-pick"><bdi>${selectionText(group)}</bdi> <small>${marketLabel(market)}</small></p>
<p class="group-odds">${'result' in group && html`${outcomeOf(group)} `}<small>best odds</small> <b>${oddsText(group.bestOddsAmerican)}</b></p>
<p class="group-game note"><span class="sport">${sportTag(sport)}</span> <bdi>${game}</bdi>${
    'result' in group
      ? html` · resolved ${when(group.resolvedAt, now)}`
      : startsAt !== null && html` · ${startText({ startsAt, day: null }, now)}`
  }${opposingCount === 0 && ` · ${capperCount === 2 ? 'both' : `all ${capperCount}`} sharp cappers agree`}</p>
${
  opposingCount > 0 &&
  html`<div class="group-bar">${consensusBar(group)}
<p><b>${capperCount} of ${of}</b> sharp cappers on this side, ${percentText(consensusPct, 0)}: ${shares(group)}</p></div>`
}
<ul class="group-cappers">${group.cappers.map(
    (capper) =>
      html`<li class="by-${capper.tier}"><a href="${capperPath(capper.handle)}">${capper.handle}${unverifiedMark(capper)}</a> <a class="price" href="/p/${capper.pickUuid}" aria-label="${`Pick by ${capper.handle} at ${oddsText(capper.oddsAmerican)}`}">${oddsText(capper.oddsAmerican)}</a></li>`,
  )}</ul>
</li>
`;
}

function shares({ eliteCount, verifiedSharpCount, opposingCount }: Group): Html {
  return html`<span class="key key-elite">${eliteCount} elite</span>, <span class="key key-verified">${verifiedSharpCount} verified sharp</span>, <span class="key key-against">${opposingCount} against</span>`;
}

function outcomeOf({ result, wins, losses, pushes, voids }: ResolvedGroup): Html {
  if (result !== 'mixed') return outcome(result);
  const parts = [
    wins > 0 && counted(wins, 'win'),
    losses > 0 && counted(losses, 'loss', 'losses'),
    pushes > 0 && counted(pushes, 'push', 'pushes'),
    voids > 0 && counted(voids, 'void'),
  ].filter(Boolean);
  return html`<span class="outcome push">${parts.join(', ')}</span>`;
}

export function consensusBar({
  eliteCount,
  verifiedSharpCount,
  opposingCount,
}: Pick<Group, 'eliteCount' | 'verifiedSharpCount' | 'opposingCount'>): Html {
  const all = eliteCount + verifiedSharpCount + opposingCount;
  const parts = [
    { kind: 'elite', count: eliteCount },
    { kind: 'verified', count: verifiedSharpCount },
    { kind: 'against', count: opposingCount },
  ].filter(({ count }) => count > 0);
  const widths = parts.map(({ count }) => (count / all) * 400);
  const starts = widths.map((_, index) => widths.slice(0, index).reduce((sum, width) => sum + width, 0));
  return html`<svg class="consensus-bar" viewBox="0 0 400 14" preserveAspectRatio="none" aria-hidden="true" focusable="false">${parts.map(
    ({ kind }, index) =>
      html`<rect class="part-${kind}" x="${round(starts[index]!)}" y="0" width="${round(widths[index]! - (index + 1 < parts.length ? 3 : 0))}" height="14"/>`,
  )}</svg>`;
}
