import type { Node } from '@takumi-rs/core';
import type { Static } from 'typebox';
import type { recordSchema } from '../boards/record.ts';
import { counted, countText, percentText, recordText, signedText } from '../pages/figures.ts';
import { colours, column, figure, type Imprint, row, rule, sheet, text, tierMark } from './paper.ts';

type Record = Static<typeof recordSchema>;

/** Card of a capper. */
export interface RecordCard extends Imprint {
  handle: string;
  /** The tier today. */
  tier: string;
  record: Record;
  streak: { kind: 'W' | 'L' | null; length: number };
}

/** From this length on a streak is what the card is about. */
const longStreak = 3;

/** The card of a capper: the record, never without its break-even and sample, and a streak that runs. */
export function recordCard({ handle, tier, record, streak, notice, logKind }: RecordCard): Node {
  const { picks, importedPicks, latePicks, excessPct, excessLowPct, excessHighPct } = record;
  const running = streak.kind !== null && streak.length >= longStreak;
  const won = streak.kind === 'W';
  return sheet({
    kind: running ? 'Streak' : 'Record',
    proof: `${counted(picks, 'settled pick')}${importedPicks > 0 ? `, ${importedPicks === picks ? 'all' : countText(importedPicks)} imported` : ''}${latePicks > 0 ? `, ${countText(latePicks)} sealed late` : ''}`,
    notice,
    logKind,
    body: [
      column(
        { flexGrow: 1, justifyContent: 'center', gap: 14, minHeight: 0 },
        row(
          { alignItems: 'center', gap: 20 },
          text(handle, { size: 52, serif: true, weight: 600, style: { flexShrink: 1 } }),
          tierMark(tier),
        ),
        running
          ? text(`${won ? 'Won' : 'Lost'} the last ${streak.length}`, {
              size: 84,
              serif: true,
              weight: 600,
              colour: won ? colours.win : colours.loss,
            })
          : text(picks === 0 ? 'No results yet' : recordText(record.record), {
              size: 84,
              serif: true,
              weight: 600,
            }),
        text(
          excessPct === null || excessLowPct === null || excessHighPct === null
            ? 'Every pick is recorded before the game and never deleted'
            : `${running ? `${recordText(record.record)}, ` : ''}${signedText(excessPct, 1)} points vs. break-even (95% range ${signedText(excessLowPct, 1)} to ${signedText(excessHighPct, 1)})`,
          { size: 29, colour: colours.quiet, lines: 2 },
        ),
      ),
      rule(1.5, 4, colours.rule),
      row({ marginTop: 12, gap: 26 }, ...figures(record)),
      rule(1.5, 12, colours.rule),
    ],
  });
}

function figures({ hitRatePct, breakEvenPct, unitsNet, roiPct }: Record): Node[] {
  return [
    figure('Hit rate', percentText(hitRatePct)),
    figure('Break-even', percentText(breakEvenPct)),
    figure(
      'Net units',
      `${signedText(unitsNet, 2)}u`,
      unitsNet > 0 ? colours.win : unitsNet < 0 ? colours.loss : colours.ink,
    ),
    figure('ROI', percentText(roiPct)),
  ];
}
