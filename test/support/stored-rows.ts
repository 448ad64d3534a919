import type { Database } from '../../src/platform/database.ts';
import { groupId } from '../../src/rules/consensus.ts';
import { gameKey } from '../naive/identity.ts';
import type { Ids, Sealing } from '../naive/ledger.ts';
import type { CapperRow, GameRow, LineRow, PickRow, ResultRow, Rows, StatRow } from '../naive/read.ts';

const instant = (column: string) => `to_char(${column} at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.MS"Z"')`;
const points = (column: string) => `(${column} / 1000.0)::float8`;
const ofGame = `g.sport, g.name as game, ${instant('g.announced_start')} as "startsAt"`;

/**
 * Reads a ledger's input back from its tables: cappers, games, prices, picks, and result events, as a source would give them, in order of
 * arrival. It reads nothing computed, so the naive computation judges all of it.
 */
export async function storedRows(database: Database): Promise<{ rows: Rows; ids: Ids }> {
  const read = async <Row>(query: string): Promise<Row[]> => (await database.raw(query)).rows;
  const cappers = await read<CapperRow>('select handle, tier, verified from cappers order by id');
  const games = await read<GameRow>(
    `select ${ofGame}, status, home_score as "homeScore", away_score as "awayScore",
       home_half_score as "homeHalfScore", away_half_score as "awayHalfScore", sets, played, ${points('periods_e3')} as periods, ${instant('final_at')} as "finalAt",
       case when starts_at is distinct from announced_start then ${instant('starts_at')} end as "movedTo", ${instant('held_start')} as "heldStart"
     from games g order by id`,
  );
  const lines = await read<LineRow>(
    `select ${ofGame}, market, subject, side, ${points('line_e3')} as line, odds_american as "oddsAmerican",
       ${instant('captured_at')} as "capturedAt", closing, book, by_hand as "byHand", ${instant('stored_at')} as "storedAt"
     from lines l join games g on g.id = l.game_id order by l.id`,
  );
  const results = await read<ResultRow>(
    `select ${ofGame}, market, subject, side, ${points('line_e3')} as line, result, half, ${instant('r.final_at')} as "finalAt"
     from results r join games g on g.id = r.game_id order by r.id`,
  );
  const stats = await read<StatRow & { values: Record<string, number> }>(
    `select ${ofGame}, t.subject as player, ${instant('t.final_at')} as "finalAt", json_object_agg(t.stat, ${points('t.value_e3')}) as values
     from stats t join games g on g.id = t.game_id group by g.id, t.subject, t.final_at order by min(t.id)`,
  );
  const picks = await read<PickRow & { id: number; uuid: string; sealing: Sealing | null }>(
    `select ${ofGame}, c.handle as "capperHandle", p.tier, market, subject, side, ${points('line_e3')} as line, pick,
       odds_american as "oddsAmerican", (stake_e4 / 10000.0)::float8 as "stakeUnits", book, source, provenance,
       p.author_key is not null as signed, ${instant('posted_at')} as "postedAt", ${instant('p.starts_at')} as "startPosted", p.id, p.uuid, s.sealing
     from picks p join games g on g.id = p.game_id join cappers c on c.id = p.capper_id
     left join lateral (
       select json_build_object('signedAt', ${instant('t.signed_at')}, 'witnessedAt', ${instant('t.witnessed_at')}) as sealing
       from ledger_entries e join checkpoint_times t on t.size > e.seq
       where e.pick_id = p.id and e.kind = 'posted' order by t.size limit 1) s on true
     order by p.id`,
  );
  const named = (of: string) =>
    `json_build_object('sport', ${of}.sport, 'game', ${of}.name, 'startsAt', ${instant(`${of}.announced_start`)})`;
  const joins = await read<NonNullable<Rows['joins']>[number]>(
    `select ${named('f')} as "from", ${named('t')} as "to"
     from game_joins j join games f on f.id = j.from_game join games t on t.id = j.to_game order by j.id`,
  );
  const given = new Map<PickRow, (typeof picks)[0]>(picks.map((row) => [row, row]));
  return {
    rows: { cappers, games, lines, picks, results, joins, stats: stats.map(statRow) },
    ids: {
      ...(await storedIds(database)),
      idOf: (_, row) => given.get(row)!,
      sealingOf: (row) => given.get(row)!.sealing,
    },
  };
}

/** Returns a row of statistics as a source would give it. */
function statRow({ values, ...row }: StatRow & { values: Record<string, number> }): StatRow {
  const fields = Object.entries(values).map(([stat, value]) => [
    stat.replace(/_(.)/g, (_, letter: string) => letter.toUpperCase()),
    stat === 'played' ? value === 1 : value,
  ]);
  return { ...row, ...Object.fromEntries(fields) };
}

/** Returns the ids that the service assigned to cappers and games, and those by which it names groups. */
export async function storedIds(database: Database): Promise<Omit<Ids, 'idOf'>> {
  const cappers: { id: number; handle: string }[] = await database('cappers').select('id', 'handle');
  const { rows: games }: { rows: { id: number; sport: string; game: string; startsAt: string | null }[] } =
    await database.raw(`select g.id, ${ofGame} from games g`);
  const capperIds = new Map(cappers.map(({ id, handle }) => [handle, id]));
  const gameIds = new Map(games.map(({ id, ...game }) => [gameKey(game), id]));
  return {
    capperIdOf: (handle) => capperIds.get(handle) ?? -1,
    gameIdOf: (key) => gameIds.get(key) ?? -1,
    groupIdOf: ({ announced, ...group }) => groupId({ ...group, announcedStart: announced }),
  };
}
