import { type Game, gameColumns } from '../../../games/game.ts';
import type { Database } from '../../../platform/database.ts';
import { closedFields, type StoredClosing, type StoredSettlement, settledFields } from '../../events.ts';
import { columnName, type Fields } from '../../field.ts';
import { voidedAtOf } from '../../grading/grade.ts';
import type { KnownStat, ResultEvent } from '../../grading/settlement.ts';
import type { NewPick } from '../../pick.ts';
import { pickSources } from '../../pick-forms.ts';

/** A pick with its game, its closing and settlement, and everything that they follow from except prices. */
export interface FullPick extends NewPick {
  id: number;
  handle: string;
  game: Game;
  closing: StoredClosing | null;
  settlement: StoredSettlement | null;
  /** Statistics of the player in the pick's subject, in the order of storing. */
  stats: KnownStat[];
  event: ResultEvent | null;
  voidedAt: number | null;
  claim: ResultEvent | null;
}

const batch = 2_000;

const columnsOf = (fields: Fields) =>
  Object.fromEntries(Object.entries(fields).map(([name, field]) => [name, columnName(field)]));

/** Columns by table alias. `k.closed_at` is selected as `k_closedAt`. */
const parts = {
  k: columnsOf(closedFields),
  s: columnsOf(settledFields),
  r: { result: 'result', half: 'half', finalAt: 'final_at' },
  q: { result: 'result', half: 'half', finalAt: 'final_at' },
  g: Object.fromEntries(Object.entries(gameColumns).map(([as, column]) => [as, column.slice(2)])),
} as const;

const ownColumns = Object.fromEntries(
  Object.entries(pickSources).filter(([, column]) => column.startsWith('p.') || column === 'c.handle'),
);

/** Ordered by game, in batches. @param ids default: all */
export async function* readPicks(database: Database, ids?: readonly number[]): AsyncGenerator<FullPick[]> {
  const selected: Record<string, string> = { ...ownColumns };
  for (const [table, columns] of Object.entries(parts))
    for (const [as, column] of Object.entries(columns)) selected[`${table}_${as}`] = `${table}.${column}`;
  for (let last = { gameId: 0, id: 0 }; ; ) {
    const rows: Record<string, unknown>[] = await database('picks as p')
      .join('cappers as c', 'c.id', 'p.capper_id')
      .join('games as g', 'g.id', 'p.game_id')
      .leftJoin('closings as k', 'k.pick_id', 'p.id')
      .leftJoin('settlements as s', 's.pick_id', 'p.id')
      .leftJoin('claims as q', 'q.pick_id', 'p.id')
      .joinRaw(
        `left join results r on r.game_id = p.game_id and r.market = p.market and r.subject is not distinct from p.subject
           and r.side = p.side and r.line_e3 is not distinct from p.line_e3`,
      )
      .whereRaw('(p.game_id, p.id) > (?, ?)', [last.gameId, last.id])
      .modify((query) => {
        if (ids !== undefined) query.whereRaw('p.id = any(?::bigint[])', [[...ids]]);
      })
      .orderBy(['p.game_id', 'p.id'])
      .limit(batch)
      .select({ ...selected, voidedAt: database.raw(voidedAtOf) })
      .select(
        database.raw(
          `(select json_agg(json_build_object('stat', t.stat, 'value', t.value_e3 / 1000.0, 'final', t.final_at) order by t.id)
            from stats t where t.game_id = p.game_id and t.subject = p.subject) as stats`,
        ),
      );
    const picks = rows.map(fullPick);
    if (picks.length > 0) yield picks;
    if (picks.length < batch) return;
    last = { gameId: picks.at(-1)!.game.id, id: picks.at(-1)!.id };
  }
}

function fullPick(row: Record<string, unknown>): FullPick {
  const own = Object.fromEntries(Object.keys(ownColumns).map((name) => [name, row[name]]));
  const part = (table: keyof typeof parts) =>
    Object.fromEntries(Object.keys(parts[table]).map((name) => [name, row[`${table}_${name}`]]));
  return {
    ...own,
    voidedAt: row.voidedAt,
    game: part('g'),
    closing: row.k_closedAt === null ? null : part('k'),
    stats: ((row.stats ?? []) as { stat: string; value: number; final: string }[]).map(
      ({ stat, value, final }) => ({ stat, value, finalAt: Date.parse(final) }),
    ),
    settlement: row.s_result === null ? null : part('s'),
    event: row.r_result === null ? null : part('r'),
    claim: row.q_result === null ? null : part('q'),
  } as unknown as FullPick;
}
