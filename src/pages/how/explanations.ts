import { oddsText } from '../../boards/formats/odds-text.ts';
import { lineText, selectionText } from '../../boards/formats/pick-text.ts';
import { breakEvenOf } from '../../rules/odds.ts';
import { bpsText, countText, percentText, recordText, signedPercentText, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import type { Group, ResolvedGroup } from '../parts/group-list.ts';
import { pickVerdicts } from '../parts/verdicts.ts';
import { leadOf } from '../rules/pages.ts';
import type { ExampleCapper, ExamplePick } from './examples.ts';

interface Examples {
  capper: ExampleCapper | undefined;
  pick: ExamplePick | undefined;
  group: Group | ResolvedGroup | undefined;
}

/** A figure, its exact rule, whose first paragraph explains it, and worked examples from the ledger. */
interface Figure {
  heading: string;
  /** The fragment that headings and margin notes link to: `/how#clv`. */
  id: string;
  exact: string;
  ofPick?(pick: ExamplePick): Html | undefined;
  ofCapper?(capper: ExampleCapper): Html | undefined;
  ofGroup?(group: Group | ResolvedGroup): Html | undefined;
}

const figures: readonly Figure[] = [
  { heading: 'Odds and break-even', id: 'odds', exact: '/rules/odds', ofPick: pricedExample },
  { heading: 'Record and hit rate', id: 'record', exact: '/rules/records', ofCapper: recordExample },
  { heading: 'Yield', id: 'price', exact: '/rules/records#yield', ofCapper: priceExample },
  { heading: 'Net units and ROI', id: 'units', exact: '/rules/odds#units', ofCapper: unitsExample },
  { heading: 'Grading', id: 'grading', exact: '/rules/grading' },
  {
    heading: 'Closing line value',
    id: 'clv',
    exact: '/rules/clv',
    ofPick: clvExample,
    ofCapper: clvsExample,
  },
  { heading: 'Edge', id: 'edge', exact: '/rules/edge', ofPick: edgeExample },
  { heading: 'Luck', id: 'luck', exact: '/rules/luck', ofCapper: luckExample },
  { heading: 'Streaks', id: 'streaks', exact: '/rules/records#streaks', ofCapper: runExample },
  { heading: 'Confidence Index', id: 'confidence', exact: '/rules/confidence', ofPick: confidenceExample },
  { heading: 'Pick of the Day', id: 'pod', exact: '/rules/confidence#pick-of-the-day' },
  { heading: 'Consensus', id: 'consensus', exact: '/rules/consensus', ofGroup: groupExample },
  { heading: 'Verdicts', id: 'verdicts', exact: '/rules/verdicts', ofPick: verdictsExample },
  { heading: 'Tiers', id: 'tiers', exact: '/rules/cappers' },
  {
    heading: 'Sealed in time',
    id: 'sealed',
    exact: '/rules/provenance#sealed-in-time',
    ofPick: sealedExample,
  },
];

export function explanations({ capper, pick, group }: Examples) {
  return figures.map((figure) => ({
    ...figure,
    rule: leadOf(figure.exact),
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
