import type { Node } from '@takumi-rs/core';
import { inOddsForm, type OddsForm, oddsText } from '../boards/formats/odds-text.ts';
import { lineMoved, lineText, notCounted, selectionText, sportTag } from '../boards/formats/pick-text.ts';
import type { PublicPick } from '../boards/pick.ts';
import { bpsText, signedPercentText, signedText } from '../pages/figures.ts';
import { labels, marketLabel } from '../pages/labels.ts';
import { pickVerdicts } from '../pages/parts/verdicts.ts';
import { dateText, fullText } from '../pages/times.ts';
import type { ShownVerdict, Tone } from '../proof/verdicts.ts';
import {
  cardWidth,
  colours,
  column,
  figure,
  type Imprint,
  margin,
  row,
  rule,
  sheet,
  standing,
  text,
} from './paper.ts';
import { sealSize, sealSvg } from './seal.ts';

/** Card of a pick. */
export interface PickCard extends Imprint {
  pick: PublicPick;
  /** Hex; null until the pick is sealed. */
  pickHash: string | null;
  /** The Confidence Index, 0 to 100. */
  confidence: number;
  /** In percent; null until the pick has closed, and where the closing odds give none. */
  edgePct: number | null;
  /** The ET day whose Pick of the Day it is, as `2026-01-15`; absent where the card is the pick's own. */
  podDay?: string;
  /** How prices are written; default: American. */
  odds?: OddsForm;
}

const gap = 40;

/** The box of the selection's text, in pixels. */
export const selectionBox = { width: cardWidth - 2 * margin - sealSize - gap, height: 148 } as const;

/** A size of letters and the lines that go with it. */
export interface Fit {
  size: number;
  lines: number;
}

/** The selection's text, large: what one reads in a thumbnail. */
export function selection(words: string, { size, lines }: Fit): Node {
  return text(words, { size, lines, serif: true, weight: 600, style: { width: selectionBox.width } });
}

/** @param fit of the selection's text into {@link selectionBox} */
export function pickCard(card: PickCard, fit: Fit): Node {
  const { pick, podDay, notice, logKind } = card;
  const leftOut = notCounted(pick) !== null;
  const sport = sportTag(pick.sport);
  const starts = pick.startsAt === null ? [] : [fullText(pick.startsAt)];
  return sheet({
    kind: `${podDay === undefined ? `Record no. ${pick.id}` : `Pick of the Day · ${podDayText(podDay)}`}${leftOut ? ' · Not counted' : ''}`,
    proof: `${hashText(card)} · ${postedText(pick)}`,
    notice,
    logKind,
    body: [
      row(
        { flexGrow: 1, gap, alignItems: 'center', minHeight: 0 },
        column(
          { flexGrow: 1, flexBasis: 0, minWidth: 0, gap: 8 },
          capper(pick),
          column(
            { height: selectionBox.height, justifyContent: 'center' },
            selection(selectionText(pick), fit),
          ),
          text(pick.game, { size: 30, weight: 400, lines: 2, style: { width: selectionBox.width } }),
          text([sport, marketLabel(pick.market), ...starts].join(' · '), {
            size: 23,
            colour: colours.quiet,
          }),
        ),
        seal(card),
      ),
      rule(1.5, 4, colours.rule),
      row({ marginTop: 12, gap: 26 }, ...figureRow(inOddsForm(card.odds ?? 'american', () => figures(card)))),
      rule(1.5, 10, colours.rule),
      row({ marginTop: 10, gap: 26 }, ...pickVerdicts(pick).map(verdict)),
    ],
  });
}

const tones: { readonly [T in Tone]: string } = {
  good: colours.win,
  plain: colours.ink,
  claim: colours.open,
  bad: colours.loss,
};

function verdict({ name, word, tone }: ShownVerdict): Node {
  return column(
    { flexGrow: 1, flexBasis: 0, minWidth: 0 },
    text(name, { size: 19, colour: colours.quiet }),
    text(word, { size: 26, weight: 600, colour: tones[tone] }),
  );
}

function hashText({ pickHash }: PickCard): string {
  if (pickHash === null) return 'Not sealed yet';
  return `Pick hash ${pickHash.slice(0, 8)}`;
}

/** The time of posting; of an imported pick it is a claim. */
function postedText({ postedAt, provenance }: PublicPick): string {
  return provenance === 'imported' ? `imported, dated ${dateText(postedAt)}` : `posted ${fullText(postedAt)}`;
}

function capper({ capperHandle, capperTier, capperVerified }: PublicPick): Node {
  return row(
    { alignItems: 'center', gap: 16, width: selectionBox.width },
    text(capperHandle, { size: 30, weight: 600, style: { flexShrink: 1 } }),
    ...standing({ tier: capperTier, verified: capperVerified }),
  );
}

const outcomes = {
  pending: { word: labels.result.pending, colour: colours.open },
  win: { word: labels.result.win, colour: colours.win },
  loss: { word: labels.result.loss, colour: colours.loss },
  push: { word: labels.result.push, colour: colours.quiet },
  void: { word: labels.result.void, colour: colours.quiet },
} as const;

/** The pick's seal around what became of it. */
function seal({ pick, pickHash }: PickCard): Node {
  const { word, colour } = outcomes[pick.result ?? 'pending'];
  const said = pick.half ? `Half ${word.toLowerCase()}` : word;
  return {
    type: 'container',
    style: { width: sealSize, height: sealSize, position: 'relative', flexShrink: 0 },
    children: [
      {
        type: 'image',
        src: `data:image/svg+xml;base64,${Buffer.from(sealSvg(pickHash, colour)).toString('base64')}`,
        style: { position: 'absolute', inset: 0, width: sealSize, height: sealSize },
      },
      column(
        { position: 'absolute', inset: 0, alignItems: 'center', justifyContent: 'center' },
        text(said, { size: pick.result === null || pick.half ? 37 : 50, serif: true, weight: 600, colour }),
        ...(pick.netUnits === null
          ? []
          : [text(`${signedText(pick.netUnits, 2)}u`, { size: 28, weight: 600, colour })]),
      ),
    ],
  };
}

interface Figure {
  name: string;
  value: string;
  look?: { colour?: string; struck?: boolean };
}

/** Figures side by side, smaller where there are many. */
function figureRow(list: readonly Figure[]): Node[] {
  const size = list.length > 5 ? 32 : 37;
  return list.map(({ name, value, look }) => figure(name, value, { ...look, size }));
}

/** The figures below: the price first, what the market made of it when that is known. */
function figures({ pick, confidence, edgePct }: PickCard): Figure[] {
  const { closingOddsAmerican: closing, clvBps, closingLine, market } = pick;
  // Odds at two lines cannot be compared, so a moved line replaces the CLV.
  const compared =
    lineMoved(pick) === null
      ? { name: 'CLV', value: bpsText(clvBps) }
      : { name: 'Closing line', value: lineText(closingLine!, market) };
  const closed =
    closing === null
      ? []
      : [
          { name: 'Closing odds', value: oddsText(closing) },
          { name: 'Edge', value: signedPercentText(edgePct) },
          compared,
        ];
  return [
    ...oddsFigures(pick),
    ...closed,
    { name: 'Stake', value: `${pick.stakeUnits}u` },
    // An index of odds that nobody could get would mislead.
    ...(notCounted(pick) === null ? [{ name: 'Confidence', value: `${confidence.toFixed(1)} / 100` }] : []),
  ];
}

/** The odds taken, struck through beside those on offer if they were above the market. */
function oddsFigures({ oddsAmerican, priceCheck }: PublicPick): Figure[] {
  const taken = { name: 'Odds', value: oddsText(oddsAmerican) };
  if (priceCheck?.verdict !== 'above_market' || priceCheck.oddsAmerican === null) return [taken];
  return [
    { ...taken, look: { colour: colours.quiet, struck: true } },
    { name: 'On offer', value: oddsText(priceCheck.oddsAmerican) },
  ];
}

/** An ET day, `2026-01-15`, as `Thu, Jan 15, 2026`. */
export function podDayText(day: string): string {
  return dateText(`${day}T12:00:00Z`);
}
