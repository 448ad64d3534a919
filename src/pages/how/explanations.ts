import { oddsText } from '../../boards/formats/odds-text.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import {
  bpsText,
  chanceText,
  countText,
  lineText,
  percentText,
  recordText,
  selectionText,
  signedPercentText,
  signedText,
} from '../figures.ts';
import { type Html, html } from '../html.ts';
import type { Group, ResolvedGroup } from '../parts/group-list.ts';
import type { ExampleCapper, ExamplePick } from './examples.ts';

interface Examples {
  capper: ExampleCapper | undefined;
  pick: ExamplePick | undefined;
  group: Group | ResolvedGroup | undefined;
}

/** A figure: its rule, and how the rule is carried out on what the ledger has. */
interface Figure {
  heading: string;
  /** The fragment that headings and margin notes link to: `/how#clv`. */
  id: string;
  rule: string;
  ofPick?(pick: ExamplePick): Html | undefined;
  ofCapper?(capper: ExampleCapper): Html | undefined;
  ofGroup?(group: Group | ResolvedGroup): Html | undefined;
}

/** Every figure of the pages, from a price to a consensus. */
const figures: readonly Figure[] = [
  {
    heading: 'Odds and break-even',
    id: 'odds',
    rule: 'American odds say what is won on a stake of 100 (+150), or what is staked to win 100 (−150). Decimal odds are the whole return per unit. One divided by them is the break-even: a bet that wins as often neither gains nor loses.',
    ofPick: pricedExample,
  },
  {
    heading: 'Record and hit rate',
    id: 'record',
    rule: 'Won, lost and pushed picks. The hit rate leaves pushes out. Its interval (Wilson, 95%) says how far chance alone may have moved it: with few picks it is wide. Void picks count as not made.',
    ofCapper: recordExample,
  },
  {
    heading: 'Against the price',
    id: 'price',
    rule: 'A hit rate means little without the prices: favourites hit often and pay little. So the average break-even of the prices taken is subtracted from it. The leaderboard ranks by the lower end of the 95% interval, so that few picks do not lead.',
    ofCapper: priceExample,
  },
  {
    heading: 'Net units and ROI',
    id: 'units',
    rule: 'A win adds the stake times the decimal odds less one, a loss takes the stake, a push or void adds nothing. The ROI is net units per unit staked on picks that won or lost; its interval is what chance does at these prices.',
    ofCapper: unitsExample,
  },
  {
    heading: 'Closing line value',
    id: 'clv',
    rule: 'The price taken against the last one before the start. Markets know more the later it is, so who keeps getting better prices than the closing ones knows something early; it shows long before results do. Only picks whose line had not moved count, since prices at two lines cannot be compared. The median is beside the mean because a few great prices lift a mean.',
    ofPick: clvExample,
    ofCapper: clvsExample,
  },
  {
    heading: 'Edge',
    id: 'edge',
    rule: 'What a bet at the price taken is worth on average if the closing market is right. The closing prices of all sides are freed of the bookmaker’s margin, in proportion; that gives the chance to win. Where the line moved, a model of the sport’s scores carries the chance over to the line that was taken.',
    ofPick: edgeExample,
  },
  {
    heading: 'Luck',
    id: 'luck',
    rule: 'The same picks at the same prices and stakes, but won by a coin as often as each price breaks even: 2,000 such records. Their middle 95% is the band behind the units curve. The seeds of the coins are in the log, so anyone gets the same. Of more than 1,000 picks the normal distribution stands in for the coins; the chance of a losing run is exact.',
    ofCapper: luckExample,
  },
  {
    heading: 'Streaks',
    id: 'streaks',
    rule: 'Picks won or lost one after the other, in the order in which they settled. Pushes and voids slide through.',
    ofCapper: runExample,
  },
  {
    heading: 'Confidence Index',
    id: 'confidence',
    rule: 'A number from 0 to 100 for a pick: the capper’s tier (20), record against the price (25), closing line value (25) and recent form (10), other sharp cappers on the side (15) and the price (5). A capper without history has half of the middle three. It is no probability of winning.',
    ofPick: confidenceExample,
  },
  {
    heading: 'Pick of the Day',
    id: 'pod',
    rule: 'At 9 AM Eastern Time, or at the first moment after that with a candidate, the pending pick with the highest Confidence Index on a game of the day that has not started. Equals: the higher tier, then the earlier posting. The choice is stored once and kept.',
  },
  {
    heading: 'Consensus',
    id: 'consensus',
    rule: 'Two or more different elite or verified-sharp cappers on one side of a market. The share is theirs among all such cappers on any side of it; each counts once on a side, with the latest pick.',
    ofGroup: groupExample,
  },
  {
    heading: 'Sealed in time',
    id: 'sealed',
    rule: 'A pick counts as known before its game when a checkpoint of the log covered it before the start, and witnesses had cosigned that. One that was sealed later is marked, and counted in every record. The time of an imported pick is a claim, and it says so.',
    ofPick: sealedExample,
  },
];

/** The figures, each with an example where the ledger has one. */
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

function pricedExample({ facts }: ExamplePick): Html {
  const { oddsAmerican, oddsDecimal } = facts;
  const sum = oddsAmerican > 0 ? `1 + ${oddsAmerican} / 100` : `1 + 100 / ${-oddsAmerican}`;
  return html`${pickLink(facts)} was taken at ${oddsText(oddsAmerican)}: ${sum} = ${oddsDecimal.toFixed(4)}. It breaks even at 1 / ${oddsDecimal.toFixed(4)} = ${percentText(100 * breakEvenOf(oddsAmerican), 2)}.`;
}

function recordExample({ handle, record }: ExampleCapper): Html {
  const { wins, losses } = record;
  return html`${handle} is ${recordText(record.record)}: ${wins} / (${wins} + ${losses}) = ${percentText(record.hitRatePct, 2)}.`;
}

function priceExample({ handle, record }: ExampleCapper): Html {
  const { hitRatePct, breakEvenPct, averageOddsAmerican, excessPct, excessLowPct, excessHighPct, chancePct } =
    record;
  return html`The prices of ${handle} break even at ${percentText(breakEvenPct, 2)} on average, as ${oddsText(averageOddsAmerican ?? 100)} does: ${percentText(hitRatePct, 2)} − ${percentText(breakEvenPct, 2)} = ${signedText(excessPct ?? 0, 2)} points, within ${signedText(excessLowPct ?? 0, 2)} to ${signedText(excessHighPct ?? 0, 2)}. In words: ${chanceText(chancePct ?? 100)}.`;
}

function unitsExample({ handle, record: { unitsNet, unitsStaked, roiPct } }: ExampleCapper): Html {
  return html`${handle} is ${signedText(unitsNet, 2)} units on ${countText(unitsStaked)} staked: ${signedText(unitsNet, 2)} / ${countText(unitsStaked)} = ${signedPercentText(roiPct)}.`;
}

function clvExample({ facts, closing: { posted, closing, clvBps } }: ExamplePick): Html | undefined {
  if (closing === null || closing.line !== posted.line) return undefined;
  return html`${pickLink(facts)} was taken at ${posted.oddsDecimal.toFixed(4)} and closed at ${closing.oddsDecimal.toFixed(4)}: ${posted.oddsDecimal.toFixed(4)} / ${closing.oddsDecimal.toFixed(4)} − 1 = ${bpsText(clvBps)}.`;
}

/** Sentences after each other; undefined without any. */
function joined(...sentences: (Html | undefined)[]): Html | undefined {
  const given = sentences.filter((sentence) => sentence !== undefined);
  return given.length === 0 ? undefined : html`${given.map((sentence) => html`${sentence} `)}`;
}

function clvsExample({ handle, values }: ExampleCapper): Html | undefined {
  if (values.sample === 0) return undefined;
  const { sample, beatSample, medianBps, meanBps } = values;
  return html`Of ${countText(sample)} picks of ${handle} at their own line ${countText(beatSample)} beat the closing price, ${percentText((100 * beatSample) / sample)}; median ${bpsText(medianBps)}, mean ${bpsText(meanBps)}.`;
}

function edgeExample({ facts, closing: { posted, edgePct, edgeMethod } }: ExamplePick): Html | undefined {
  if (edgePct === null) return undefined;
  const fair = (1 + edgePct / 100) / posted.oddsDecimal;
  const line = posted.line === null ? '' : ` at ${lineText(posted.line, facts.market)}`;
  return html`The closing prices give ${pickLink(facts)} a chance of ${percentText(100 * fair)}${line} without the margin${edgeMethod === 'margin_model' && ', by the model'}: ${posted.oddsDecimal.toFixed(4)} × ${fair.toFixed(4)} − 1 = ${signedPercentText(edgePct)}.`;
}

function luckExample({ handle, luck: { units, drawdown, decided } }: ExampleCapper): Html {
  return html`Over ${countText(decided)} wins and losses at the prices of ${handle}, 95% of records without skill end between ${signedText(units.low, 2)} and ${signedText(units.high, 2)} units, and ${percentText(units.asHighPct)} end at ${signedText(units.net, 2)} or higher. The deepest drawdown on record is ${drawdown.units.toFixed(2)} units; ${percentText(drawdown.asDeepPct)} fall as deep.`;
}

function runExample({ handle, luck: { losingRun, decided } }: ExampleCapper): Html {
  return html`The longest losing run of ${handle} is ${losingRun.length}. In ${countText(decided)} coins at the same prices ${percentText(losingRun.asLongPct)} lose as many in a row; ${losingRun.median} is usual.`;
}

function confidenceExample({ facts, confidence: { index, components } }: ExamplePick): Html {
  return html`${pickLink(facts)}: ${components.map(({ contribution }) => contribution.toFixed(1)).join(' + ')} = ${index.toFixed(1)}.`;
}

function groupExample(group: Group | ResolvedGroup): Html {
  const { game, capperCount, opposingCount, consensusPct } = group;
  return html`<bdi>${selectionText(group)}</bdi> in <bdi>${game}</bdi>: ${capperCount} for it, ${opposingCount} against. ${capperCount} / (${capperCount} + ${opposingCount}) = ${percentText(consensusPct)}.`;
}

function sealedExample({ facts }: ExamplePick): Html {
  const said = {
    witnessed: 'witnesses had cosigned it before the start',
    signed: 'the log had signed it before the start, without witnesses',
    late: 'no checkpoint covered it before the start',
  };
  if (facts.provenance === 'imported') return html`${pickLink(facts)} was imported.`;
  return html`${pickLink(facts)}: ${facts.sealedInTime === null ? 'no checkpoint covers it yet, or its start is not known' : said[facts.sealedInTime]}.`;
}

function pickLink(pick: ExamplePick['facts']): Html {
  return html`<a href="/p/${pick.pickUuid}"><bdi>${selectionText(pick)}</bdi></a>`;
}
