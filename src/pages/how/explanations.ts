import { oddsText } from '../../boards/formats/odds-text.ts';
import { lineText, selectionText } from '../../boards/formats/pick-text.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import { bpsText, countText, percentText, recordText, signedPercentText, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import type { Group, ResolvedGroup } from '../parts/group-list.ts';
import { pickVerdicts } from '../parts/verdicts.ts';
import type { ExampleCapper, ExamplePick } from './examples.ts';

interface Examples {
  capper: ExampleCapper | undefined;
  pick: ExamplePick | undefined;
  group: Group | ResolvedGroup | undefined;
}

/** A figure, its rule, and worked examples from the ledger. */
interface Figure {
  heading: string;
  /** The fragment that headings and margin notes link to: `/how#clv`. */
  id: string;
  /** Path of its exact rule. */
  exact: string;
  rule: string;
  ofPick?(pick: ExamplePick): Html | undefined;
  ofCapper?(capper: ExampleCapper): Html | undefined;
  ofGroup?(group: Group | ResolvedGroup): Html | undefined;
}

/** All figures on pages, from odds to consensus. */
const figures: readonly Figure[] = [
  {
    heading: 'Odds and break-even',
    id: 'odds',
    exact: '/rules/odds',
    rule: 'American odds show the profit on a bet of 100 (+150) or the bet needed to win 100 (−150). Decimal odds show the total return per unit. Break-even is 1 divided by the decimal odds: win that often, and you come out even.',
    ofPick: pricedExample,
  },
  {
    heading: 'Record and hit rate',
    id: 'record',
    exact: '/rules/records',
    rule: 'Wins, losses, and pushes. The hit rate is wins divided by wins plus losses. The 95% range (Wilson) shows how far luck may have moved it: with few picks, it is wide. Void picks do not count.',
    ofCapper: recordExample,
  },
  {
    heading: 'Hit rate vs. break-even',
    id: 'price',
    exact: '/rules/records#yield',
    rule: 'A hit rate means little without the odds: favorites win often and pay little. We subtract the average break-even of the odds taken. The leaderboard ranks by the low end of the 95% range, so neither a few lucky picks nor heavy favorites lead.',
    ofCapper: priceExample,
  },
  {
    heading: 'Net units and ROI',
    id: 'units',
    exact: '/rules/odds#units',
    rule: 'A win adds the stake times (decimal odds − 1). A loss subtracts the stake. Pushes and voids add nothing. ROI is net units divided by units staked on picks that won or lost. Its 95% range shows what luck can do at these odds.',
    ofCapper: unitsExample,
  },
  {
    heading: 'Grading',
    id: 'grading',
    exact: '/rules/grading',
    rule: 'The final score decides, overtime included; in soccer only the 90 minutes count. A result exactly on the line is a push. A pick is void if its game is canceled, postponed for more than 48 hours, or a no contest, or if its player does not play. If a game ends early, bets that were already decided stand, a bet on the winner stands if enough was played, and the rest are void. A quarter line is half on each of the two lines next to it: if one half is a push, the pick wins or loses half its stake. The operator decides dead heats. The first result stands: a later correction changes no settled pick.',
  },
  {
    heading: 'Closing line value',
    id: 'clv',
    exact: '/rules/clv',
    rule: 'The odds taken compared with the last odds before the start. Closing odds are the best informed, so a capper who keeps beating them may have an edge, and that shows long before results do. But they include the bookmaker’s margin: a capper without skill has a CLV around 0 and still loses. That is why edge comes first here. Only picks whose line did not move count, because odds for two different lines cannot be compared. We show the median and the share of picks that beat the close, because a few very large values can lift the average.',
    ofPick: clvExample,
    ofCapper: clvsExample,
  },
  {
    heading: 'Edge',
    id: 'edge',
    exact: '/rules/edge',
    rule: 'What the bet earns on average, in percent of the stake, if the closing odds are right. We remove the bookmaker’s margin from the closing odds of all sides, in proportion, to get the probability of winning. If the line moved, a model of the sport’s scores converts that probability to the line taken. An average edge is green only if its whole 95% range is above 0.',
    ofPick: edgeExample,
  },
  {
    heading: 'Luck',
    id: 'luck',
    exact: '/rules/luck',
    rule: 'We simulate 2,000 bettors without skill who make the same picks at the same odds and stakes. Each pick wins exactly as often as its odds need to break even. The middle 95% of them is the band behind the units chart. The random seeds are in the log, so anyone gets the same result. Above 1,000 picks we use the normal distribution instead. The probability of a losing streak is exact.',
    ofCapper: luckExample,
  },
  {
    heading: 'Streaks',
    id: 'streaks',
    exact: '/rules/records#streaks',
    rule: 'Consecutive wins or losses, in the order they settled. Pushes and voids neither count nor end a streak.',
    ofCapper: runExample,
  },
  {
    heading: 'Confidence Index',
    id: 'confidence',
    exact: '/rules/confidence',
    rule: 'A score from 0 to 100 for a pick. It adds the capper’s tier (up to 20), record vs. break-even (25), closing line value (25), recent form (10), other sharp cappers on the same side (15), and the odds (5). A capper without history gets half of the points for record, closing line value, and form. It is not a probability of winning.',
    ofPick: confidenceExample,
  },
  {
    heading: 'Pick of the Day',
    id: 'pod',
    exact: '/rules/confidence#pick-of-the-day',
    rule: 'The pending pick with the highest Confidence Index at 9 AM Eastern Time, among today’s games that have not started. If there is none, it is the first one posted after that. Ties go to the higher tier, then to the earlier pick. The choice is final.',
  },
  {
    heading: 'Consensus',
    id: 'consensus',
    exact: '/rules/consensus',
    rule: 'Two or more elite or verified sharp cappers on the same side of a market. The percentage is their share of all such cappers in that market. Each capper counts once per side, with the latest pick.',
    ofGroup: groupExample,
  },
  {
    heading: 'Verdicts',
    id: 'verdicts',
    exact: '/rules/verdicts',
    rule: 'Each pick gets four. In the log: whether the signed log contains exactly this pick. Before the start: whether it was there before the game, and who says so. Price: whether bettors could get the odds when it was posted; if not, the pick does not count. Posted by: the capper’s own key, the operator, or an import. The time and odds of an imported pick are claims that nobody checked.',
    ofPick: verdictsExample,
  },
  {
    heading: 'Tiers',
    id: 'tiers',
    exact: '/rules/cappers',
    rule: 'This site’s operator gives each capper a tier: elite, verified sharp, or listed. A tier is the operator’s opinion: no figure decides it, and nobody else checks it. Each change is a notice in the log. Elite and verified sharp cappers form consensus, and a tier counts for up to 20 of 100 points of the Confidence Index. A pick keeps the tier that its capper had when it was posted. Being verified is something else: this site accepts picks only from verified cappers, whatever their tier.',
  },
  {
    heading: 'Sealed in time',
    id: 'sealed',
    exact: '/rules/provenance#sealed-in-time',
    rule: 'A checkpoint is a signed summary of the log. A pick provably predates its game if a checkpoint included it, and independent witnesses cosigned that checkpoint, before the start. Picks sealed later are marked and still count in every record. Imported picks are marked too: we cannot prove when they were made.',
    ofPick: sealedExample,
  },
];

/** Returns the figures, with an example if the ledger has one. */
export function explanations({ capper, pick, group }: Examples) {
  return figures.map((figure) => ({
    ...figure,
    example: joined(
      pick && figure.ofPick?.(pick),
      capper && figure.ofCapper?.(capper),
      group && figure.ofGroup?.(group),
    ),
  }));
}

function pricedExample({ pick }: ExamplePick): Html {
  const { oddsAmerican, oddsDecimal } = pick;
  const sum = oddsAmerican > 0 ? `1 + ${oddsAmerican} / 100` : `1 + 100 / ${-oddsAmerican}`;
  return html`${pickLink(pick)} was taken at ${oddsText(oddsAmerican)}: ${sum} = ${oddsDecimal.toFixed(4)}. Break-even: 1 / ${oddsDecimal.toFixed(4)} = ${percentText(100 * breakEvenOf(oddsAmerican), 2)}.`;
}

function recordExample({ handle, record }: ExampleCapper): Html {
  const { wins, losses } = record;
  return html`${handle} is ${recordText(record.record)}: ${wins} / (${wins} + ${losses}) = ${percentText(record.hitRatePct, 2)}.`;
}

function priceExample({ handle, record }: ExampleCapper): Html {
  const { hitRatePct, breakEvenPct, averageOddsAmerican, yieldPct, flatUnits } = record;
  return html`${handle}’s odds need a hit rate of ${percentText(breakEvenPct, 2)} on average to break even, as at ${oddsText(averageOddsAmerican ?? 100)}: ${percentText(hitRatePct, 2)} − ${percentText(breakEvenPct, 2)} = ${signedText((hitRatePct ?? 0) - (breakEvenPct ?? 0), 2)} points. One unit on each would have made ${signedText(flatUnits ?? 0, 2)} units, a yield of ${signedPercentText(yieldPct)}.`;
}

function unitsExample({ handle, record: { unitsNet, unitsStaked, roiPct } }: ExampleCapper): Html {
  return html`${handle} is at ${signedText(unitsNet, 2)} units on ${countText(unitsStaked)} staked: ${signedText(unitsNet, 2)} / ${countText(unitsStaked)} = ${signedPercentText(roiPct)}.`;
}

function clvExample({ pick, closing: { posted, closing, clvBps } }: ExamplePick): Html | undefined {
  if (closing === null || closing.line !== posted.line) return undefined;
  return html`${pickLink(pick)} was taken at ${posted.oddsDecimal.toFixed(4)} and closed at ${closing.oddsDecimal.toFixed(4)}: ${posted.oddsDecimal.toFixed(4)} / ${closing.oddsDecimal.toFixed(4)} − 1 = ${bpsText(clvBps)}.`;
}

/** Joins sentences; undefined without any. */
function joined(...sentences: (Html | undefined)[]): Html | undefined {
  const given = sentences.filter((sentence) => sentence !== undefined);
  return given.length === 0 ? undefined : html`${given.map((sentence) => html`${sentence} `)}`;
}

function clvsExample({ handle, values }: ExampleCapper): Html | undefined {
  if (values.sample === 0) return undefined;
  const { sample, beatSample, medianBps, meanBps } = values;
  return html`${handle} beat the close on ${countText(beatSample)} of ${countText(sample)} picks (${percentText((100 * beatSample) / sample)}). Median ${bpsText(medianBps)}, average ${bpsText(meanBps)}.`;
}

function edgeExample({ pick, closing: { posted, edgePct, edgeMethod } }: ExamplePick): Html | undefined {
  if (edgePct === null) return undefined;
  const fair = (1 + edgePct / 100) / posted.oddsDecimal;
  const line = posted.line === null ? '' : ` at ${lineText(posted.line, pick.market)}`;
  return html`The closing odds, without margin, give ${pickLink(pick)} a win probability of ${percentText(100 * fair)}${line}${edgeMethod === 'margin_model' && ' (from the model)'}: ${posted.oddsDecimal.toFixed(4)} × ${fair.toFixed(4)} − 1 = ${signedPercentText(edgePct)}.`;
}

function luckExample({ handle, luck: { units, drawdown, decided } }: ExampleCapper): Html {
  return html`Over ${handle}’s ${countText(decided)} wins and losses, 95% of bettors without skill end between ${signedText(units.low, 2)} and ${signedText(units.high, 2)} units, and ${percentText(units.asHighPct)} end at ${signedText(units.net, 2)} or higher. The largest drawdown is ${drawdown.units.toFixed(2)} units; ${percentText(drawdown.asDeepPct)} of bettors without skill have one as large.`;
}

function runExample({ handle, luck: { losingRun, decided } }: ExampleCapper): Html {
  return html`${handle}’s longest losing streak is ${losingRun.length}. Over ${countText(decided)} picks at the same odds, ${percentText(losingRun.asLongPct)} of bettors without skill lose as many in a row; ${losingRun.median} is typical.`;
}

function confidenceExample({ pick, confidence: { index, components } }: ExamplePick): Html {
  return html`${pickLink(pick)}: ${components.map(({ contribution }) => contribution.toFixed(1)).join(' + ')} = ${index.toFixed(1)}.`;
}

function groupExample(group: Group | ResolvedGroup): Html {
  const { game, capperCount, opposingCount, consensusPct } = group;
  return html`<bdi>${selectionText(group)}</bdi> in <bdi>${game}</bdi>: ${capperCount} on this side, ${opposingCount} against. ${capperCount} / (${capperCount} + ${opposingCount}) = ${percentText(consensusPct)}.`;
}

function verdictsExample({ pick }: ExamplePick): Html {
  const shown = pickVerdicts(pick).map(({ name, word }) => `${name.toLowerCase()}: ${word.toLowerCase()}`);
  return html`${pickLink(pick)}: ${shown.join('; ')}.`;
}

function sealedExample({ pick }: ExamplePick): Html {
  const verdicts = {
    witnessed: 'witnesses cosigned it before the start',
    signed: 'this site signed it before the start, without witnesses',
    late: 'no signed checkpoint included it before the start',
  };
  if (pick.provenance === 'imported')
    return html`${pickLink(pick)} was imported, so its time cannot be proven.`;
  return html`${pickLink(pick)}: ${pick.sealedInTime === null ? 'no signed checkpoint includes it yet, or the start time is unknown' : verdicts[pick.sealedInTime]}.`;
}

function pickLink(pick: ExamplePick['pick']): Html {
  return html`<a href="/p/${pick.pickUuid}"><bdi>${selectionText(pick)}</bdi></a>`;
}
