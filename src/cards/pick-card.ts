import type { Node } from '@takumi-rs/core';
import { inOddsForm, type OddsForm, oddsText } from '../boards/formats/odds-text.ts';
import { lineMoved, lineText, notCounted, selectionText, sportTag } from '../boards/formats/pick-text.ts';
import type { PublicPick } from '../boards/pick.ts';
import { bpsText, signedPercentText, signedText } from '../pages/figures.ts';
import { labels, marketLabel } from '../pages/labels.ts';
import { pickVerdicts } from '../pages/parts/verdicts.ts';
import { dateText, fullText, unknownStart } from '../pages/times.ts';
import type { ShownVerdict, Tone } from '../proof/verdicts.ts';
import {
  cardWidth,
  colors,
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

export interface PickCard extends Imprint {
  pick: PublicPick;
  /** Hex; null until the pick is sealed. */
  pickHash: string | null;
  /** The Confidence Index, 0 to 100. */
  confidence: number;
  /** In percent; null until the pick closes, or if its closing odds yield no edge. */
  edgePct: number | null;
  /** The ET day of a Pick of the Day, such as `2026-01-15`; absent on an ordinary card. */
  podDay?: string;
  /** Default: American. */
  odds?: OddsForm;
}

const gap = 40;

/** Width and height of the seal, in pixels. */
const sealSize = 248;
const middle = sealSize / 2;
const innerRadius = 88;

/** Size of the text box of the selection, in pixels. */
export const selectionBox = { width: cardWidth - 2 * margin - sealSize - gap, height: 148 } as const;

export interface Fit {
  size: number;
  lines: number;
}

/** Lays out the selection's text, large enough to read in a thumbnail. */
export function selection(words: string, { size, lines }: Fit): Node {
  return text(words, { size, lines, serif: true, weight: 600, style: { width: selectionBox.width } });
}

/** Lays out the card of a pick. @param fit letter size and lines of the selection within {@link selectionBox} */
export function pickCard(card: PickCard, fit: Fit): Node {
  const { pick, podDay, notice, logKind } = card;
  const leftOut = notCounted(pick) !== null;
  const sport = sportTag(pick.sport);
  const starts =
    pick.startsAt === null ? (pick.day === null ? [] : [unknownStart(pick)]) : [fullText(pick.startsAt)];
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
            color: colors.quiet,
          }),
        ),
        seal(card),
      ),
      rule(1.5, 4, colors.rule),
      row({ marginTop: 12, gap: 26 }, ...figureRow(inOddsForm(card.odds ?? 'american', () => figures(card)))),
      rule(1.5, 10, colors.rule),
      row({ marginTop: 10, gap: 26 }, ...pickVerdicts(pick).map(verdict)),
    ],
  });
}

const tones: { readonly [T in Tone]: string } = {
  good: colors.win,
  plain: colors.ink,
  claim: colors.open,
  bad: colors.loss,
};

function verdict({ name, word, tone }: ShownVerdict): Node {
  return column(
    { flexGrow: 1, flexBasis: 0, minWidth: 0 },
    text(name, { size: 19, color: colors.quiet }),
    text(word, { size: 26, weight: 600, color: tones[tone] }),
  );
}

function hashText({ pickHash }: PickCard): string {
  if (pickHash === null) return 'Not sealed yet';
  return `Pick hash ${pickHash.slice(0, 8)}`;
}

/** Returns the time of posting. For an imported pick it is only a claim. */
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
  pending: { word: labels.result.pending, color: colors.open },
  win: { word: labels.result.win, color: colors.win },
  loss: { word: labels.result.loss, color: colors.loss },
  push: { word: labels.result.push, color: colors.quiet },
  void: { word: labels.result.void, color: colors.quiet },
} as const;

function seal({ pick, pickHash }: PickCard): Node {
  const { word, color } = outcomes[pick.result ?? 'pending'];
  const label = pick.half ? `Half ${word.toLowerCase()}` : word;
  return {
    type: 'container',
    style: { width: sealSize, height: sealSize, position: 'relative', flexShrink: 0 },
    children: [
      {
        type: 'image',
        src: `data:image/svg+xml;base64,${Buffer.from(sealSvg(pickHash, color)).toString('base64')}`,
        style: { position: 'absolute', inset: 0, width: sealSize, height: sealSize },
      },
      column(
        { position: 'absolute', inset: 0, alignItems: 'center', justifyContent: 'center' },
        text(label, { size: pick.result === null || pick.half ? 37 : 50, serif: true, weight: 600, color }),
        ...(pick.netUnits === null
          ? []
          : [text(`${signedText(pick.netUnits, 2)}u`, { size: 28, weight: 600, color })]),
      ),
    ],
  };
}

interface Figure {
  name: string;
  value: string;
  look?: { color?: string; struck?: boolean };
}

/** Lays out figures side by side, smaller if there are more than five. */
function figureRow(list: readonly Figure[]): Node[] {
  const size = list.length > 5 ? 32 : 37;
  return list.map(({ name, value, look }) => figure(name, value, { ...look, size }));
}

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

/** If they were above the market, strikes them through and adds those that count. */
function oddsFigures({ oddsAmerican, priceCheck }: PublicPick): Figure[] {
  const taken = { name: 'Odds', value: oddsText(oddsAmerican) };
  const counted = priceCheck?.countedAmerican ?? oddsAmerican;
  if (counted === oddsAmerican) return [taken];
  return [
    { ...taken, look: { color: colors.quiet, struck: true } },
    { name: 'Counted at', value: oddsText(counted) },
  ];
}

export function podDayText(day: string): string {
  return dateText(`${day}T12:00:00Z`);
}

/**
 * Draws the seal of a pick as SVG: 64 rays, one per digit of its hash, with a length in proportion to the digit. Any other pick, or the
 * same pick with a changed figure, has a different seal. Without a hash, the ring is dashed.
 * @param hash hex, 64 digits
 * @param color of the rays
 */
export function sealSvg(hash: string | null, color: string): string {
  const ring = (radius: number, more = '') =>
    `<circle cx="${middle}" cy="${middle}" r="${radius}" fill="none" stroke="${color}" ${more}/>`;
  const drawn =
    hash === null
      ? ring(innerRadius + 16, 'stroke-width="4" stroke-dasharray="5 11" stroke-opacity="0.7"')
      : [...hash].map((digit, index) => ray(Number.parseInt(digit, 16), index / hash.length)).join('');
  return `<svg xmlns="http://www.w3.org/2000/svg" width="${sealSize}" height="${sealSize}" viewBox="0 0 ${sealSize} ${sealSize}"><g stroke="${color}" stroke-width="4.5" stroke-linecap="round">${drawn}</g>${ring(innerRadius, 'stroke-width="2.5"')}</svg>`;
}

/** @param turn 0 to 1, clockwise from the top */
function ray(digit: number, turn: number): string {
  const angle = turn * 2 * Math.PI;
  const [x, y] = [Math.sin(angle), -Math.cos(angle)];
  const from = innerRadius + 8;
  const to = from + 1.5 + (digit / 15) * 22;
  const at = (radius: number) => [x, y].map((part) => (middle + part * radius).toFixed(1));
  const [[x1, y1], [x2, y2]] = [at(from), at(to)] as [string[], string[]];
  return `<line x1="${x1}" y1="${y1}" x2="${x2}" y2="${y2}"/>`;
}
