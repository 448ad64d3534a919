import type { Database } from '../platform/database.ts';
import type { MoneylineWays } from '../rules/markets/market.ts';

/** How many prices a moneyline has, by sport: 3 where a draw is a side. */
export async function moneylineWays(database: Database): Promise<Map<string, MoneylineWays>> {
  const rows: { key: string; ways: MoneylineWays }[] = await database('sports')
    .orderBy('position')
    .orderBy('key')
    .select({ key: 'key', ways: 'moneyline_ways' });
  return new Map(rows.map(({ key, ways }) => [key, ways]));
}
