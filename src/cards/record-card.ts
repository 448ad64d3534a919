import type { Node } from '@takumi-rs/core';
import type { Static } from 'typebox';
import type { capperClv } from '../boards/cappers/clv.ts';
import type { recordSchema } from '../boards/record.ts';
import {
  bpsText,
  counted,
  countText,
  percentText,
  recordText,
  signedPercentText,
  signedText,
} from '../pages/figures.ts';
import { verdictLabel, verdictTone } from '../pages/parts/verdict.ts';
import type { Verdict } from '../rules/verdict.ts';
import { colors, column, figure, type Imprint, row, rule, sheet, standing, text } from './paper.ts';

type Record = Static<typeof recordSchema>;

export interface RecordCard extends Imprint {
  handle: string;
  tier: string;
  verified: boolean;
  verdict: Verdict;
  record: Record;
  provenance: 'live' | 'all';
  close: Pick<Static<typeof capperClv.body>, 'sample' | 'beatSample' | 'medianBps'>;
  streak: { kind: 'W' | 'L' | null; length: number };
}

const longStreak = 3;

/** Lays out the card of a capper: the record, always with its break-even and sample size, and a long current streak. */
export function recordCard({
  handle,
  tier,
  verified,
  verdict,
  record,
  provenance,
  close,
  streak,
  notice,
  logKind,
}: RecordCard): Node {
  const { picks, importedPicks, latePicks, yieldPct, yieldLowPct, yieldHighPct } = record;
  const leftOut = record.unseen;
  const running = streak.kind !== null && streak.length >= longStreak;
  const won = streak.kind === 'W';
  return sheet({
    kind: running ? 'Streak' : 'Record',
    proof: `${counted(picks, provenance === 'live' ? 'settled live pick' : 'settled pick')}${importedPicks > 0 ? `, ${importedPicks === picks ? 'all' : countText(importedPicks)} imported` : ''}${latePicks > 0 ? `, ${countText(latePicks)} sealed late` : ''}${leftOut > 0 ? `, ${countText(leftOut)} not counted` : ''}`,
    notice,
    logKind,
    body: [
      column(
        { flexGrow: 1, justifyContent: 'center', gap: 14, minHeight: 0 },
        row(
          { alignItems: 'center', gap: 20 },
          text(handle, { size: 52, serif: true, weight: 600, style: { flexShrink: 1 } }),
          ...standing({ tier, verified }),
        ),
        running
          ? text(`${won ? 'Won' : 'Lost'} the last ${streak.length}`, {
              size: 84,
              serif: true,
              weight: 600,
              color: won ? colors.win : colors.loss,
            })
          : text(
              picks > 0
                ? recordText(record.record)
                : leftOut > 0
                  ? 'No results that count'
                  : 'No results yet',
              {
                size: 84,
                serif: true,
                weight: 600,
              },
            ),
        text(`${verdictLabel(verdict)}. ${verdict.sentence}`, {
          size: 29,
          color: { gain: colors.win, cost: colors.loss, even: colors.ink }[verdictTone(verdict)],
          lines: 2,
        }),
        text(
          yieldPct === null || yieldLowPct === null || yieldHighPct === null
            ? 'Every pick stays on the record, win or lose'
            : `${running ? `${recordText(record.record)}, ` : ''}yield ${signedText(yieldPct, 1)}% (95% range ${signedText(yieldLowPct, 1)} to ${signedText(yieldHighPct, 1)})`,
          { size: 27, color: colors.quiet, lines: 1 },
        ),
      ),
      rule(1.5, 4, colors.rule),
      row({ marginTop: 12, gap: 26 }, ...figures(record, close)),
      rule(1.5, 12, colors.rule),
    ],
  });
}

function figures(
  { edgeMeanPct, hitRatePct, breakEvenPct, unitsNet }: Record,
  { sample, beatSample, medianBps }: RecordCard['close'],
): Node[] {
  return [
    figure('Average edge', signedPercentText(edgeMeanPct)),
    figure('Median CLV', bpsText(medianBps)),
    figure('Beat the close', percentText(sample === 0 ? null : (100 * beatSample) / sample)),
    figure('Hit rate', percentText(hitRatePct)),
    figure('Break-even', percentText(breakEvenPct)),
    figure('Net units', `${signedText(unitsNet, 2)}u`),
  ];
}
