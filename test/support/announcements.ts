import { v4, v5 } from 'uuid';
import { holdingStartOf } from '../../src/games/game.ts';
import { type PickToCheck, priceChecks } from '../../src/ledger/grading/price-checks.ts';
import { unsigned } from '../../src/ledger/pick-forms.ts';
import { importNamespace } from '../../src/ledger/posting/import-picks.ts';
import { storeTogether } from '../../src/ledger/posting/post-picks.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database } from '../../src/platform/database.ts';
import { clvBps, netUnitsE4 } from '../../src/rules/odds.ts';

/** The cappers and games that tests post picks on. */
export interface Stage {
  /** Ids by handle. */
  cappers: Map<string, number>;
  /** Ids by sport, one game each. */
  games: Map<string, number>;
}

const start = Date.parse('2030-01-01T18:00:00Z');

/** Creates cappers, and one game in the far future for each sport. */
export async function stage(database: Database, handles: string[], sports: string[]): Promise<Stage> {
  const cappers: { id: number; handle: string }[] = await database('cappers')
    .insert(
      handles.map((handle) => ({
        handle,
        tier: 'elite' as const,
        verified: true,
        created_at: new Date(start - 1e10),
      })),
    )
    .returning(['id', 'handle']);
  const games: { id: number; sport: string }[] = await database('games')
    .insert(
      sports.map((sport) => ({
        sport,
        name: `Away ${sport} @ Home ${sport}`,
        announced_start: new Date(start),
        starts_at: new Date(start),
      })),
    )
    .returning(['id', 'sport']);
  return {
    cappers: new Map(cappers.map(({ id, handle }) => [handle, id])),
    games: new Map(games.map(({ id, sport }) => [sport, id])),
  };
}

/** The fields of a test's pick that may vary. */
export interface Posted {
  capper?: string;
  sport?: string;
  pick?: string;
  oddsAmerican?: number;
  /** Whether the pick is imported from a file. Default: false. */
  imported?: boolean;
}

/**
 * Posts and seals picks, each on its own game, since the first result of a game stands.
 * @returns their UUIDs, in order
 */
export async function post(
  database: Database,
  stage: Stage,
  picks: readonly Posted[],
  at: number,
): Promise<string[]> {
  const [firstCapper] = stage.cappers.keys();
  const [firstSport] = stage.games.keys();
  const played = await nextGames(
    database,
    picks.map(({ sport = firstSport! }) => sport),
  );
  const rows = picks.map(({ capper = firstCapper!, pick, oddsAmerican = -110, imported }, index) => ({
    uuid: imported === true ? v5(`${at} ${index}`, importNamespace) : v4(),
    capperId: stage.cappers.get(capper)!,
    tier: 'elite' as const,
    gameId: played[index]!.id,
    startsAt: imported === true ? played[index]!.announced : start,
    market: 'moneyline',
    subject: null,
    side: 'home',
    lineE3: null,
    pick: pick ?? `Pick ${index}`,
    oddsAmerican,
    stakeE4: 15_000,
    book: null,
    source: imported === true ? 'import' : 'operator',
    provenance: imported === true ? ('imported' as const) : ('live' as const),
    postedAt: at,
    ...unsigned,
  }));
  await database.transaction((transaction) => storeTogether(transaction, rows));
  await sealAll(database);
  return rows.map(({ uuid }) => uuid);
}

let gamesMade = 0;

/** Returns the town that the two teams of the next game have in their names. */
export const nextTown = () => townOf(gamesMade + 1);

/** Returns a name in letters, because only letters distinguish teams. */
function townOf(number: number): string {
  const syllables = ['ba', 'ce', 'di', 'fo', 'gu', 'ka', 'le', 'mi', 'no', 'pu'];
  const digits = [...String(number).padStart(4, '0')];
  return digits.map((digit) => syllables[Number(digit)]).join('');
}

/** Creates a game for each pick, with teams of its own: a second game of the same teams takes no live picks. */
async function nextGames(
  database: Database,
  sports: readonly string[],
): Promise<{ id: number; announced: number }[]> {
  if (sports.length === 0) return [];
  const rows = sports.map((sport) => {
    gamesMade += 1;
    return {
      sport,
      name: `Away ${townOf(gamesMade)} @ Home ${townOf(gamesMade)}`,
      announced_start: new Date(start),
      starts_at: new Date(start),
    };
  });
  const stored: { id: number; announced: number }[] = await database('games')
    .insert(rows)
    .returning(['id', 'announced_start as announced']);
  return stored.sort((one, other) => one.id - other.id);
}

/** Adds the stored price check to picks, found by their ids. */
async function checked<Pick extends { id: number }>(database: Database, picks: readonly Pick[]) {
  const ids = picks.map(({ id }) => id);
  const stored: (PickToCheck & { id: number })[] = await database('picks as p')
    .join('games as g', 'g.id', 'p.game_id')
    .whereIn('p.id', ids)
    .select({
      id: 'p.id',
      gameId: 'p.game_id',
      sport: 'g.sport',
      startsAt: database.raw(holdingStartOf),
      book: 'p.book',
      market: 'p.market',
      subject: 'p.subject',
      side: 'p.side',
      lineE3: 'p.line_e3',
      oddsAmerican: 'p.odds_american',
      postedAt: 'p.posted_at',
      provenance: 'p.provenance',
    });
  const checks = await priceChecks(database, stored);
  return picks.map((pick) => ({ ...pick, ...checks[stored.findIndex(({ id }) => id === pick.id)] }));
}

/** Settles picks as won, with a closing price if given, and seals the events. */
export async function settle(
  database: Database,
  uuids: readonly string[],
  at: number,
  closingOdds: number | null = null,
): Promise<void> {
  // The game must not start after it ends.
  await database.transaction(async (transaction) => {
    // Moved before it passed, so that it holds.
    await transaction.raw(`select set_config('public_picks.now', '2000-01-01T00:00:00Z', true)`);
    await transaction.raw(
      `update games set starts_at = least(starts_at, ?) where id in (select game_id from picks where uuid = any(?::uuid[]))`,
      [new Date(at), [...uuids]],
    );
  });
  const picks: { id: number; uuid: string; odds_american: number; stake_e4: number }[] = await database(
    'picks',
  ).whereIn('uuid', [...uuids]);
  const figures = uuids.flatMap((uuid) => {
    const pick = picks.find((each) => each.uuid === uuid);
    if (pick === undefined) return [];
    const { id, odds_american: odds, stake_e4: stake } = pick;
    const clv = closingOdds === null ? null : clvBps(odds, closingOdds);
    return [{ id, odds, stake, clv }];
  });
  if (closingOdds !== null) {
    await database.raw(
      `insert into lines (game_id, market, side, line_e3, odds_american, captured_at, closing, book, stored_at)
       select distinct p.game_id, p.market, p.side, p.line_e3, cast(? as int), g.starts_at, true, 'north', g.starts_at - interval '1 second'
       from picks p join games g on g.id = p.game_id where p.uuid = any(cast(? as uuid[])) on conflict do nothing`,
      [closingOdds, [...uuids]],
    );
    await database.raw(
      `insert into closings (pick_id, closed_at, odds_american, captured_at, prices, clv_bps)
       select p.id, g.starts_at, :odds, g.starts_at,
         jsonb_build_array(jsonb_build_object('side', p.side, 'odds_american', cast(:odds as int))), f.clv
       from json_to_recordset(cast(:figures as json)) as f (id bigint, clv int)
       join picks p on p.id = f.id join games g on g.id = p.game_id`,
      { odds: closingOdds, figures: JSON.stringify(figures) },
    );
  }
  await database.raw(
    `insert into results (game_id, market, side, line_e3, result, final_at)
     select distinct game_id, market, side, line_e3, 'win', cast(? as timestamptz) from picks where uuid = any(?::uuid[])
     on conflict do nothing`,
    [new Date(at), [...uuids]],
  );
  const settled = (await checked(database, figures)).map((pick) => ({
    ...pick,
    net: netUnitsE4('win', pick.stake, pick.countedAmerican ?? pick.odds),
  }));
  await database.raw(
    `insert into settlements (pick_id, result, settled_at, net_units_e4, grader, price_verdict, price_odds, price_book, price_captured_at, price_counted)
     select f.id, 'win', ?, f.net, 'result', f.verdict, f."oddsAmerican", f.book, to_timestamp(f."capturedAt" / 1000.0), f."countedAmerican"
     from json_to_recordset(?) as f (id bigint, net bigint, verdict text, "oddsAmerican" int, book text, "capturedAt" bigint, "countedAmerican" int)`,
    [new Date(at), JSON.stringify(settled)],
  );
  await sealAll(database);
  await database.raw(
    'update games g set starts_at = ? from picks p where p.game_id = g.id and p.uuid = any(?::uuid[])',
    [new Date(start), [...uuids]],
  );
}
