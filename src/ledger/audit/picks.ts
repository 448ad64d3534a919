import { iso } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { postponedVoidAt } from '../../rules/grading.ts';
import { Difference, differing } from '../difference.ts';
import { settlementOf } from '../grading/settlement.ts';
import { type PickFaults, recomputePicks } from '../sealing/recompute/events.ts';
import type { FullPick } from '../sealing/recompute/read-picks.ts';

/** A live pick is sealed within 15 minutes of being stored; otherwise no checkpoint is signed. */
const sealedWithinMs = 15 * 60_000;

/**
 * Recomputes each pick's closing and settlement from scores, result events, and prices. Compares the work lists of grading with the
 * unsettled picks. Reads every pick once, game by game.
 * @param pickIds default: all
 */
export async function* auditPicks(
  database: Database,
  onProgress: (picks: number) => void,
  pickIds?: readonly number[],
): AsyncGenerator<Difference> {
  const clock = await liveClock(database);
  let done = 0;
  for await (const picks of recomputePicks(database, pickIds)) {
    const waiting = await readWaiting(
      database,
      picks.map(({ pick }) => pick.id),
    );
    for (const recomputed of picks) {
      const { pick, posted, closed, settled } = recomputed;
      const work = waiting.get(pick.id)!;
      yield* posted;
      if (clock !== null) yield* auditTime(pick, work, clock);
      yield* closed;
      yield* settled;
      yield* auditPending(pick, work);
      yield* auditDue(recomputed, work, clock);
    }
    done += picks.length;
    onProgress(done);
  }
}

/** Null for logs that are not live, whose times prove nothing. */
async function liveClock(database: Database): Promise<EpochMs | null> {
  const { rows }: { rows: { now: number }[] } = await database.raw(
    `select clock_timestamp() as now from log_kind where kind = 'live'`,
  );
  return rows[0]?.now ?? null;
}

interface Waiting {
  pending: {
    gameId: number;
    market: string;
    subject: string | null;
    side: string;
    closed: boolean;
  } | null;
  /** Null if the game is on no list. */
  dueAt: EpochMs | null;
  /** When the last checkpoint without the pick was signed; null if there is none. */
  notYetAt: EpochMs | null;
}

async function readWaiting(database: Database, ids: readonly number[]): Promise<Map<number, Waiting>> {
  // Events are sealed in the order of storing, so an event outside a checkpoint was stored at about that time or later.
  const { rows } = await database.raw(
    `select p.id, q.game_id as "gameId", q.market, q.subject, q.side, q.closed,
       (select min(d.due_at) from due_games d where d.game_id = p.game_id) as "dueAt",
       (select t.signed_at from checkpoint_times t
        where t.size <= coalesce((select e.seq from ledger_entries e where e.pick_id = p.id and e.kind = 'posted'), 9007199254740991)
        order by t.size desc limit 1) as "notYetAt"
     from picks p left join pending_picks q on q.pick_id = p.id
     where p.id = any(?::bigint[])`,
    [ids as number[]],
  );
  return new Map(
    rows.map(({ id, dueAt, notYetAt, ...pending }: { id: number } & Waiting & Waiting['pending']) => [
      id,
      { pending: pending.gameId === null ? null : pending, dueAt, notYetAt },
    ]),
  );
}

function* auditTime(
  { uuid, postedAt, provenance }: FullPick,
  { notYetAt }: Waiting,
  clock: number,
): Generator<Difference> {
  const differs = (sentence: string) => new Difference('picks', `pick ${uuid}`, 'posted_at', sentence);
  if (postedAt > clock + 60_000) yield differs('it is in the future');
  if (provenance === 'live' && notYetAt !== null && notYetAt - postedAt > sealedWithinMs)
    yield differs(`it is not in the checkpoint of ${iso(notYetAt)}: it was stored later than this time`);
}

/** Checks a pick's row in `pending_picks`, without which it would never settle. */
function* auditPending(
  { uuid, game, market, subject, side, closing, settlement }: FullPick,
  { pending }: Waiting,
): Generator<Difference> {
  const differs = differing('pending_picks', `pick ${uuid}`);
  if (settlement !== null) {
    if (pending !== null) yield differs(null, 'it is pending, but the pick is settled');
    return;
  }
  if (pending === null) yield differs(null, 'it is missing: the pick would never settle');
  else if (pending.gameId !== game.id) yield differs('game_id', `it must be ${game.id}`);
  else if (pending.market !== market) yield differs('market', `it must be ${market}`);
  else if (pending.subject !== subject) yield differs('subject', `it must be ${subject}`);
  else if (pending.side !== side) yield differs('side', `it must be ${side}`);
  else if (pending.closed !== (closing !== null)) yield differs('closed', `it must be ${closing !== null}`);
}

/** Checks that a pick's game is due in time. Otherwise grading would miss a known result or a future start. */
function* auditDue(
  { pick, moneylineWays }: PickFaults,
  { pending, dueAt }: Waiting,
  clock: number | null,
): Generator<Difference> {
  if (pending === null) return;
  const { uuid, game, event, stats } = pick;
  const ends =
    game.wasPostponed && game.announcedStart !== null ? postponedVoidAt(game.announcedStart) : null;
  const known = settlementOf(pick, game, event ?? undefined, moneylineWays, clock ?? 0, stats) !== null;
  const times = [game.startsAt, ends].filter((at) => at !== null);
  // Without a clock, a known result must be due by the last time that the game waits for.
  const by = known
    ? (clock ?? Math.max(0, ...times))
    : clock === null
      ? null
      : Math.min(...times.filter((at) => at > clock));
  if (by === null || !Number.isFinite(by) || (dueAt !== null && dueAt <= by)) return;
  const is = dueAt === null ? 'it is missing' : `it is due at ${iso(dueAt)}`;
  const why = known
    ? 'but the result is known: the pick would not settle'
    : 'after the time at which a pick closes or settles without new data: that would be late';
  yield new Difference(
    'due_games',
    `game of pick ${uuid}`,
    dueAt === null ? null : 'due_at',
    `${is}, ${why}; delete the game's rows in due_games, and the job relist-games adds the game within an hour`,
  );
}
