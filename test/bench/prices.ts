import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines, type LineRow } from '../../src/intake/price.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { iso } from '../../src/platform/clock.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import type { Note } from './figures.ts';

const minute = 60_000;
const day = Date.parse('2026-02-01T00:00:00Z');

/**
 * A day of prices in the log: every minute some games are polled, and their prices get an entry. Measures the time of numbering and sealing a
 * price, and what the log grows by: entries, nodes of the tree, and the kept rows.
 */
export async function bench(
  _say: (line: string) => void,
  note: Note,
  { minutes = 24 * 60, pricesAMinute = 70 } = {},
): Promise<void> {
  const stores = await createDatabase();
  try {
    const { database } = stores;
    const games = Array.from({ length: 60 }, (_, n) => ({
      sport: 'soccer',
      game: `${club(n)} Harbor @ ${club(n)} Copper`,
      startsAt: iso(day + 36 * 60 * minute),
    }));
    await database.transaction((transaction) =>
      applyGames(
        transaction,
        games.map((game): GameRow => ({ ...game, status: 'scheduled' })),
        { now: day, imported: false },
      ),
    );
    let sealingMs = 0;
    let stored = 0;
    for (let at = 0; at < minutes; at += 1) {
      const now = day + at * minute;
      const rows = Array.from({ length: pricesAMinute }, (_, n): LineRow => {
        const game = games[(at * 7 + Math.floor(n / 14)) % games.length]!;
        return {
          ...game,
          market: 'total',
          side: n % 2 === 0 ? 'over' : 'under',
          line: 2.5,
          oddsAmerican: 100 + ((at * 13 + n * 7) % 60),
          capturedAt: iso(now),
          book: `book-${n % 7}`,
        };
      });
      await applyLines(database, rows, { now, imported: false }, 'provider');
      stored += rows.length;
      const start = performance.now();
      await sealAll(database, { pricesEveryMs: 0 });
      sealingMs += performance.now() - start;
    }
    const { rows }: { rows: { bytes: number; numbered: number }[] } = await database.raw(
      `select (select sum(pg_column_size(b)) from price_batches b) + (select sum(pg_column_size(e)) from ledger_entries e)
         + (select coalesce(sum(pg_column_size(n)), 0) from ledger_nodes n) as bytes,
         (select max(to_seq) from price_batches) as numbered`,
    );
    const { bytes, numbered } = rows[0]!;
    if (Number(numbered) !== stored) throw new Error(`${numbered} of ${stored} prices are in the log`);
    const megabytes = ((Number(bytes) / stored) * 100_000) / 1e6;
    note({ name: 'a price in the log', ours: sealingMs / stored, unit: 'ms', aim: { atMost: 0.1 } });
    note({ name: 'a hundred thousand prices in the log', ours: megabytes, unit: 'MB', aim: { atMost: 5 } });
  } finally {
    await dropDatabase(stores);
  }
}

/** Returns a name in letters, because only letters distinguish teams. */
function club(n: number): string {
  return [Math.floor(n / 26), n % 26].map((letter) => String.fromCharCode(97 + letter)).join('');
}
