import { createHash } from 'node:crypto';
import { v4 } from 'uuid';
import { type Capper, findCappers } from '../cappers/cappers.ts';
import { findGames, type Game, gameColumns, gameKey } from '../games/game.ts';
import { namedGame } from '../games/resolve.ts';
import { moneylineWays } from '../games/sports.ts';
import { instant, iso } from '../platform/clock.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { canonical } from '../proof/canonical.ts';
import { lineToE3, unitsToE4 } from '../rules/fixed-point.ts';
import { type PickRow, refusal } from './pick-row.ts';
import { storePicks } from './store-picks.ts';

export type Posted =
  | { outcome: 'added' | 'unchanged'; pickUuid: string; postedAt: string; gameId: number }
  | { outcome: 'refused'; reason: string };

/**
 * Posts a live pick at the service's clock.
 * @param key the request's Idempotency-Key: the same pick again under it is answered with the first one, another pick is refused
 * @param now epoch milliseconds
 */
export function postPick(
  database: Database,
  row: PickRow,
  key: string | undefined,
  now: number,
): Promise<Posted> {
  return database.transaction(async (transaction) => {
    const print = createHash('sha256')
      .update(canonical(fingerprintOf(row)))
      .digest();
    const uuid = v4();
    if (key !== undefined) {
      const before = await claimKey(transaction, key, print, uuid, now);
      if (before !== undefined) return before;
    }
    const found = await liveGame(transaction, row, now);
    const game = found !== undefined && 'refused' in found ? undefined : found;
    const unfound = found !== undefined && 'refused' in found ? found.refused : undefined;
    const capper: Capper | undefined = (await findCappers(transaction, [row.capperHandle])).get(
      row.capperHandle.toLowerCase(),
    );
    const reason =
      unfound ?? refusal(row, capper, game, await moneylineWays(transaction), now) ?? closedBy(game);
    if (reason !== undefined || capper === undefined || game === undefined) {
      // A refused pick uses up no key.
      if (key !== undefined) await transaction('pick_requests').where('idempotency_key', key).delete();
      return { outcome: 'refused', reason: reason ?? 'its capper or game is unknown' };
    }
    await storePicks(transaction, [
      {
        uuid,
        capperId: capper.id,
        tier: capper.tier,
        gameId: game.id,
        startsAt: game.startsAt,
        market: row.market,
        side: row.side,
        lineE3: lineToE3(row.line),
        pick: row.pick,
        oddsAmerican: row.oddsAmerican,
        stakeE4: unitsToE4(row.stakeUnits),
        book: row.book ?? null,
        source: row.source ?? 'operator',
        provenance: 'live',
        postedAt: now,
      },
    ]);
    return { outcome: 'added', pickUuid: uuid, postedAt: iso(now), gameId: game.id };
  });
}

/** Claims the key for this transaction. @returns what was posted under it before */
async function claimKey(
  transaction: Transaction,
  key: string,
  fingerprint: Buffer,
  uuid: string,
  now: number,
): Promise<Posted | undefined> {
  const claimed = await transaction('pick_requests')
    .insert({ idempotency_key: key, fingerprint, pick_uuid: uuid, posted_at: new Date(now) })
    .onConflict('idempotency_key')
    .ignore()
    .returning('pick_uuid');
  if (claimed.length > 0) return undefined;
  const [before]: { fingerprint: Buffer; uuid: string; postedAt: number; gameId: number }[] =
    await transaction('pick_requests as r')
      .join('picks as p', 'p.uuid', 'r.pick_uuid')
      .where('idempotency_key', key)
      .select({ fingerprint: 'r.fingerprint', uuid: 'p.uuid', postedAt: 'p.posted_at', gameId: 'p.game_id' });
  if (before === undefined || !before.fingerprint.equals(fingerprint))
    return { outcome: 'refused', reason: 'this Idempotency-Key was used for another pick' };
  return {
    outcome: 'unchanged',
    pickUuid: before.uuid,
    postedAt: iso(before.postedAt),
    gameId: before.gameId,
  };
}

/**
 * The game that a live pick names; without a start, one announced without, else the only one of that name that has not started. In other
 * words than the game's own it is found by its opponents. It cannot be moved or end before the transaction does.
 */
async function liveGame(
  transaction: Transaction,
  row: PickRow,
  now: number,
): Promise<Game | { refused: string } | undefined> {
  const named = (await findGames(transaction, [row], 'share')).get(gameKey(row));
  if (named !== undefined) return named;
  if (row.startsAt != null) return gameInOtherWords(transaction, row, now);
  const open: Game[] = await transaction('games as g')
    .where({ 'g.sport': row.sport, 'g.name': row.game })
    .where('g.starts_at', '>', new Date(now))
    .limit(2)
    .select(gameColumns)
    .forShare('g');
  return open.length === 0
    ? gameInOtherWords(transaction, row, now)
    : open.length === 1
      ? open[0]
      : undefined;
}

async function gameInOtherWords(
  transaction: Transaction,
  row: PickRow,
  now: number,
): Promise<Game | { refused: string } | undefined> {
  const found = await namedGame(transaction, row, now);
  if (found === undefined || 'refused' in found) return found;
  return (await findGames(transaction, [found.name], 'share')).get(gameKey(found.name));
}

function closedBy(game: Game | undefined): string | undefined {
  if (game?.status === 'final' || game?.status === 'cancelled') return `the game is ${game.status}`;
  return undefined;
}

function fingerprintOf(row: PickRow) {
  return {
    ...row,
    capperHandle: row.capperHandle.toLowerCase(),
    startsAt: row.startsAt == null ? null : iso(instant(row.startsAt)),
    line: lineToE3(row.line),
    stakeUnits: unitsToE4(row.stakeUnits),
    book: row.book ?? null,
    source: row.source ?? null,
  };
}
