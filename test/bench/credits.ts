// What each plan of The Odds API gives in a January with picks on 694 starts: the table of docs/odds-api-plans.md.

import { januaryWithPicks, type Month, playMonth } from '../sources/odds-api/january.ts';

const plans = [
  { credits: 500, regions: 1 },
  { credits: 500, regions: 2 },
  { credits: 20_000, regions: 1 },
  { credits: 20_000, regions: 4 },
  { credits: 100_000, regions: 1 },
  { credits: 100_000, regions: 4 },
] as const;

/** A row of the table. */
export function planRow(credits: number, regions: number): string {
  const month: Month = playMonth(januaryWithPicks(), credits, 20, regions);
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

export async function bench(say: (line: string) => void): Promise<void> {
  say(
    '| credits | regions | starts priced | within 30 min | within 10 min | picks priced | last calls | earlier calls | spent |',
  );
  say('|---|---|---|---|---|---|---|---|---|');
  for (const { credits, regions } of plans) say(planRow(credits, regions));
}
