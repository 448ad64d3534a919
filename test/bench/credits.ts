// The prices that each plan of The Odds API buys in a January with picks on 694 starts: the table of docs/odds-api-plans.md.

import { januaryWithPicks, type Month, playMonth } from '../sources/odds-api/january.ts';
import type { Note } from './figures.ts';

const allPlans = [
  { credits: 500, regions: 1 },
  { credits: 500, regions: 2 },
  { credits: 20_000, regions: 1 },
  { credits: 20_000, regions: 4 },
  { credits: 100_000, regions: 1 },
  { credits: 100_000, regions: 4 },
] as const;

export function planRow(credits: number, regions: number): string {
  return rowOf(credits, regions, played(credits, regions));
}

function played(credits: number, regions: number): Month {
  return playMonth(januaryWithPicks(), credits, regions);
}

function rowOf(credits: number, regions: number, month: Month): string {
  const cells = [
    credits.toLocaleString('en'),
    regions,
    month.priced,
    month.within30,
    month.within10,
    `${month.picksPriced} of ${month.picks}`,
    month.lastCalls,
    month.earlierCalls,
    month.spent.toLocaleString('en'),
  ];
  return `| ${cells.join(' | ')} |`;
}

export async function bench(
  say: (line: string) => void,
  note: Note,
  { plans = allPlans }: { plans?: readonly { credits: number; regions: number }[] } = {},
): Promise<void> {
  say(
    '| credits | regions | starts priced | within 30 min | within 10 min | picks priced | last calls | earlier calls | spent |',
  );
  say('|---|---|---|---|---|---|---|---|---|');
  const months = plans.map((plan) => ({ ...plan, month: played(plan.credits, plan.regions) }));
  for (const { credits, regions, month } of months) say(rowOf(credits, regions, month));
  for (const { credits, regions, month } of months)
    note({
      name: `picks priced, ${credits} credits, ${regions} region${regions === 1 ? '' : 's'}`,
      ours: month.picksPriced,
      baseline: month.picks,
      unit: 'picks',
      aim: { atLeast: credits >= 20_000 ? 1 : 0.8 },
    });
}
