import { entriesIn, lockCursor } from '../ledger/sealing/advance-cursor.ts';
import { inCamelCase } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';
import {
  fewVoided,
  isCalledOffOften,
  type JudgedPick,
  type Verdict,
  type VerdictFigures,
  verdictFigures,
  verdictOf,
} from '../rules/verdict.ts';
import { countedOddsSql } from './pick-filter.ts';

const columnOf: { readonly [Name in keyof VerdictFigures]: string } = {
  ...inCamelCase('live voided wins losses halves flat_e6 flat_variance_e6 net_e4 games chance_pct'),
  ...inCamelCase('edge_games edges_above edge_mean edge_deviation'),
};
const names = Object.keys(columnOf) as (keyof VerdictFigures)[];
const columns = ['capper_id', 'sport', 'market', ...Object.values(columnOf)].join(', ');

const givenRows = `select ${columns} from jsonb_to_recordset(:rows) as given (capper_id int, sport text, market text,
  live int, voided int, wins int, losses int, halves int, flat_e6 bigint, flat_variance_e6 bigint, net_e4 bigint, games int,
  chance_pct float8, edge_games int, edges_above int, edge_mean float8, edge_deviation float8)`;

const cappersAtOnce = 100;

/** Wins and losses, or games with an edge, below which the verdict on a part of a record is the same for all, so no row is kept. */
const fewest = 50;

type Row = Record<string, string | number | null>;

/**
 * Computes the verdicts of cappers with live picks settled by the entries up to, not including, `to`. It has its own cursor, because a capper's
 * picks are read as a whole: while the boards' reader catches up, each capper is judged once at the end.
 * @returns the handles of those cappers
 */
export async function extendVerdicts(transaction: Transaction, to: number): Promise<string[]> {
  const from = await lockCursor(transaction, 'verdicts');
  if (to <= from) return [];
  await transaction('reader_cursors').where({ reader: 'verdicts' }).update({ next_seq: to });
  const cappers: { id: number; handle: string }[] = await entriesIn(transaction, from, to)
    .join('board_picks as b', 'b.pick_id', 'e.pick_id')
    .join('cappers as c', 'c.id', 'b.capper_id')
    .where('e.kind', 'settled')
    .where('b.provenance', 'live')
    .union(
      // Games count once in a verdict, so a join can change those on all picks of its game.
      entriesIn(transaction, from, to)
        .join('game_joins as j', 'j.id', 'e.join_id')
        .joinRaw('join board_picks b on b.game_id = joined_game(j.to_game, ?)', [to])
        .join('cappers as c', 'c.id', 'b.capper_id')
        .where('b.provenance', 'live')
        .select({ id: 'c.id', handle: 'c.handle' }),
    )
    .select({ id: 'c.id', handle: 'c.handle' })
    .orderBy('id');
  for (let at = 0; at < cappers.length; at += cappersAtOnce) {
    const ids = cappers.slice(at, at + cappersAtOnce).map(({ id }) => id);
    const rows = await rowsOf(transaction, `b.capper_id = any('{${ids.join(',')}}'::int[])`);
    await transaction('capper_verdicts').whereIn('capper_id', ids).delete();
    await transaction.raw(`insert into capper_verdicts (${columns}) ${givenRows}`, {
      rows: JSON.stringify(rows),
    });
  }
  return cappers.map(({ handle }) => handle);
}

/** Returns a query of the rows of `capper_verdicts` that the log gives up to an entry. @param cappers a condition on `board_picks b` */
export async function verdictsOf(database: Database, cappers: string, judged: number) {
  const settled = `exists (select from ledger_entries e where e.pick_id = b.pick_id and e.kind = 'settled' and e.seq < ${judged})`;
  return {
    sql: givenRows,
    bindings: { rows: JSON.stringify(await rowsOf(database, `${cappers} and ${settled}`)) },
  };
}

async function rowsOf(database: Database, picks: string): Promise<Row[]> {
  const judged: (JudgedPick & { capperId: number })[] = await database('board_picks as b')
    .whereRaw(picks)
    .whereNotNull('b.result')
    .where('b.provenance', 'live')
    .select({
      ...inCamelCase('b.capper_id b.game_id b.sport b.market'),
      pickUuid: 'b.uuid',
      ...inCamelCase('b.posted_at b.starts_at b.settled_at b.result b.half'),
      oddsAmerican: countedOddsSql('b'),
      ...inCamelCase('b.stake_e4 b.net_units_e4 b.price_verdict'),
      // An edge by the margin model, or against prices fed by hand, is no proof.
      edgeBps: database.raw(
        `case when b.edge_method = 'power' and b.edge_source = 'provider' then b.edge_bps end`,
      ),
    });
  return [...Map.groupBy(judged, ({ capperId }) => capperId)].flatMap(([capperId, all]) =>
    [...partsOf(all)].flatMap(([key, of]) => {
      const [sport = '', market = ''] = key.split('/');
      const figures = verdictFigures(of, key !== '/');
      const isSmall = figures.wins + figures.losses < fewest && figures.edgeGames < fewest;
      if (key !== '/' && isSmall) return [];
      return {
        capper_id: capperId,
        sport,
        market,
        ...Object.fromEntries(names.map((name) => [columnOf[name], figures[name]])),
      };
    }),
  );
}

/** Groups picks as a whole, by sport, by market, and by both; an empty name is all. */
function partsOf(picks: readonly JudgedPick[]): Map<string, JudgedPick[]> {
  const parts = new Map<string, JudgedPick[]>();
  for (const pick of picks)
    for (const key of ['/', `${pick.sport}/`, `/${pick.market}`, `${pick.sport}/${pick.market}`])
      if (parts.get(key)?.push(pick) === undefined) parts.set(key, [pick]);
  return parts;
}

export async function readVerdicts(
  database: Database,
  capperIds: readonly number[],
  { sport = '', market = '' }: { sport?: string | undefined; market?: string | undefined } = {},
): Promise<(capperId: number) => Verdict> {
  const rows: (VerdictFigures & { capperId: number })[] = await database('capper_verdicts')
    .whereRaw('capper_id = any(?::int[])', [[...capperIds]])
    .where({ sport, market })
    .select({ capperId: 'capper_id', ...columnOf });
  const figures = new Map(rows.map(({ capperId, ...row }) => [capperId, row]));
  return (id) => verdictOf(figures.get(id), sport !== '' || market !== '');
}

/** Reads the verdicts on a capper's picks in each sport or market, or in all. @param other a market if by sport, a sport if by market */
export async function verdictsBy(
  database: Database,
  capperId: number,
  by: 'sport' | 'market',
  other = '',
): Promise<(name?: string) => Verdict> {
  const rows: (VerdictFigures & { name: string })[] = await database('capper_verdicts')
    .where({ capper_id: capperId, [by === 'sport' ? 'market' : 'sport']: other })
    .select({ name: by, ...columnOf });
  const figures = new Map(rows.map(({ name, ...row }) => [name, row]));
  return (name = '') => verdictOf(figures.get(name), name !== '' || other !== '');
}

export async function calledOffOften(database: Database): Promise<Set<number>> {
  const rows: { id: number; live: number; voided: number }[] = await database('capper_verdicts')
    .where({ sport: '', market: '' })
    .where('voided', '>=', fewVoided)
    .select({ id: 'capper_id', live: 'live', voided: 'voided' });
  return new Set(rows.flatMap((row) => (isCalledOffOften(row) ? row.id : [])));
}
