import type { Node } from '@takumi-rs/core';
import { recordText, signedText } from '../pages/figures.ts';
import { verdictLabel, verdictTone } from '../pages/parts/verdict.ts';
import type { Verdict } from '../rules/verdict.ts';
import { colors, column, type Imprint, row, rule, sheet, standing, text } from './paper.ts';

export interface LeadersCard extends Imprint {
  provenance: 'live' | 'all';
  leaders: readonly {
    /** Null if the capper has too few results. */
    rank: number | null;
    handle: string;
    tier: string;
    verified: boolean;
    record: string;
    yieldPct: number | null;
    verdict: Pick<Verdict, 'word'>;
  }[];
}

export const shownLeaders = 5;

export function leadersCard({ leaders, provenance, notice, logKind }: LeadersCard): Node {
  return sheet({
    kind: 'Leaderboard · yield',
    proof: `${provenance === 'live' ? 'Live picks only' : 'Live and imported picks'} · Past results are no guarantee`,
    notice,
    logKind,
    body: [
      column(
        { flexGrow: 1, justifyContent: 'center', minHeight: 0 },
        ...(leaders.length === 0
          ? [text('No results yet', { size: 76, serif: true, weight: 600 })]
          : leaders.slice(0, shownLeaders).flatMap((leader) => [line(leader), rule(1.5, 10, colors.rule)])),
      ),
    ],
  });
}

function line({
  rank,
  handle,
  tier,
  verified,
  record,
  yieldPct,
  verdict,
}: LeadersCard['leaders'][number]): Node {
  return row(
    { alignItems: 'center', gap: 22, marginTop: 10 },
    text(String(rank ?? '–'), {
      size: 34,
      serif: true,
      weight: 600,
      color: colors.quiet,
      style: { width: 40 },
    }),
    row(
      { flexGrow: 1, flexBasis: 0, minWidth: 0, alignItems: 'center', gap: 16 },
      text(handle, { size: 34, weight: 600, style: { flexShrink: 1 } }),
      ...standing({ tier, verified }),
    ),
    text(verdictLabel(verdict), {
      size: 27,
      color: { gain: colors.win, cost: colors.loss, even: colors.ink }[verdictTone(verdict)],
      style: { flexShrink: 0 },
    }),
    text(recordText(record), { size: 27, color: colors.quiet, style: { flexShrink: 0 } }),
    text(yieldPct === null ? '–' : `${signedText(yieldPct, 1)}%`, {
      size: 31,
      weight: 600,
      style: { flexShrink: 0, width: 210, textAlign: 'right' },
    }),
  );
}
