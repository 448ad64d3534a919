import { holdingStartOf } from '../../games/game.ts';
import type { Database } from '../../platform/database.ts';
import { closingOf, type PostedPick } from '../../rules/closing.ts';
import { closingAgeMs } from '../../rules/closing-snapshot.ts';
import { closingMarkets, type MarketPick } from './close-picks.ts';

/** `lineId`: the last id of a price. */
export interface Mark {
  seq: number;
  lineId: number;
}

export async function markNow(database: Database): Promise<Mark> {
  const { rows }: { rows: Mark[] } = await database.raw(
    `select coalesce((select max(seq) from ledger_entries), -1) as seq, coalesce((select max(id) from lines), 0) as "lineId"`,
  );
  return rows[0]!;
}

/** Numbers of picks settled without a closing price. Void picks need none. */
export interface MissedClosings {
  settled: number;
  /** Settled before the price arrived that would have closed them. The price is newer than the mark. */
  late: number;
}

/** Counts picks that lack a closing price, after a mark. The cost depends only on entries and prices added since the mark. */
export async function missedClosings(database: Database, { seq, lineId }: Mark): Promise<MissedClosings> {
  const { rows: settled }: { rows: { n: number }[] } = await database.raw(
    `select count(*)::int as n from ledger_entries e join settlements s on s.pick_id = e.pick_id
     where e.seq > :seq and e.kind = 'settled' and s.result <> 'void'
       and not exists (select from closings k where k.pick_id = e.pick_id)`,
    { seq },
  );
  const { rows: candidates }: { rows: ClosablePick[] } = await database.raw(
    `select ${closableColumns}
     from (select distinct game_id, market, subject from lines where id > :lineId) fresh
     join games g on g.id = fresh.game_id
     join picks p on p.game_id = g.id and p.market = fresh.market and p.subject is not distinct from fresh.subject
     join settlements s on s.pick_id = p.id
     where s.result <> 'void' and not exists (select from closings k where k.pick_id = p.id)
       and exists (select from lines l where ${closableBy} and l.id > s.last_line_id)`,
    { lineId, ...closableWith },
  );
  return { settled: settled[0]!.n, late: (await closable(database, candidates)).length };
}

export interface ClosablePick extends PostedPick, MarketPick {
  startsAt: EpochMs;
}

export const closableColumns = `g.id as "gameId", g.sport, ${holdingStartOf} as "startsAt", p.market, p.subject, p.side, p.line_e3 as "lineE3",
  p.odds_american as "oddsAmerican", p.book, p.provenance, p.posted_at as "postedAt"`;

/** SQL: price `l` is in time for pick `p` of game `g`, and fits the market and the pick's book or line. Binds `:age`. */
export const closableBy = `l.game_id = g.id and l.market = p.market and l.subject is not distinct from p.subject and l.side = p.side
  and l.captured_at <= ${holdingStartOf} and (l.closing or l.captured_at >= ${holdingStartOf} - :age * interval '1 ms')
  and case when p.book is null then l.line_e3 is not distinct from p.line_e3 else l.book = p.book end`;

export const closableWith = { age: closingAgeMs };

export async function closable<Pick extends ClosablePick>(
  database: Database,
  picks: readonly Pick[],
): Promise<Pick[]> {
  if (picks.length === 0) return [];
  const marketOf = await closingMarkets(database, picks);
  return picks.filter((pick) => closingOf(marketOf(pick, pick.startsAt), pick) !== null);
}
