import type { Node } from '@takumi-rs/core';
import { colors, column, type Imprint, sheet, text } from './paper.ts';
import { podDayText } from './pick-card.ts';

export interface EmptyPodCard extends Imprint {
  /** The ET day, as `2026-01-15`. */
  day: string;
}

export function emptyPodCard({ day, notice, logKind }: EmptyPodCard): Node {
  return sheet({
    kind: `Pick of the Day · ${podDayText(day)}`,
    proof: 'One pick a day, by Confidence Index',
    notice,
    logKind,
    body: [
      column(
        { flexGrow: 1, justifyContent: 'center', gap: 18 },
        text('No Pick of the Day yet', { size: 76, serif: true, weight: 600 }),
        text('It is chosen at 9 AM ET, or when the first eligible pick is posted after that.', {
          size: 31,
          color: colors.quiet,
          lines: 2,
        }),
      ),
    ],
  });
}
