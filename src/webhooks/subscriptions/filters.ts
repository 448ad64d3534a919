import { takeLock } from '../../../migrations/locks.ts';
import { snakeCase } from '../../platform/columns.ts';
import type { Database, Transaction } from '../../platform/database.ts';

/** The events that a subscription receives. Null matches all. */
export interface Filter {
  capperId: number | null;
  sport: string | null;
  market: string | null;
  /** Of the capper when the pick was posted. */
  tier: string | null;
  kind: 'posted' | 'settled' | null;
  /** A team of the game, and the player that the pick is about, in the words of the ledger. */
  team: string | null;
  player: string | null;
  /** The names of both as events have them ({@link aboutOf}). Null without either. */
  about: readonly string[] | null;
}

export const everything: Filter = filterOf({});

/** Columns of filters that events have too. */
export const filterColumns = ['capper_id', 'sport', 'market', 'tier', 'kind'] as const;

/** SQL: the fields of a {@link Filter}, `f`. */
export const filterFields = Object.keys(everything)
  .map((field) => `f.${snakeCase(field)} as "${field}"`)
  .join(', ');

/** SQL condition: a filter, `f`, matches an event, `e`. */
export const matching = [
  ...filterColumns.map((column) => `(f.${column} is null or e.${column} = f.${column})`),
  '(f.about is null or f.about && e.about)',
].join(' and ');

/** SQL: the names in `about` of an event of pick `p` on game `g`. Which side is at home may be corrected, so they are sorted. */
export const aboutOf = `(select array_agg(n.name order by n.name) from (
  select 'team:' || regexp_split_to_table(lower(g.name), ' (@|vs) ') union select 'player:' || p.subject) n (name) where n.name is not null)`;

export function filterOf(row: Partial<Filter>): Filter {
  const { capperId = null, sport = null, market = null, tier = null, kind = null } = row;
  const { team = null, player = null, about = null } = row;
  return { capperId, sport, market, tier, kind, team, player, about };
}

/**
 * Finds or creates a filter. A creation locks out the log's reader, so that no event is missed between the filter's first head and the
 * reader's next batch.
 * @returns the filter's id
 */
export async function filterFor(transaction: Transaction, filter: Filter): Promise<number> {
  const { capperId, about, ...same } = filter;
  const identity = { capper_id: capperId, ...same };
  const find = async (): Promise<number | undefined> =>
    (await transaction('webhook_filters').where(identity).select('id'))[0]?.id;
  const known = await find();
  if (known !== undefined) return known;
  await takeLock(transaction, 'announcing');
  await transaction.raw(
    `insert into webhook_filters (capper_id, sport, market, tier, kind, team, player, about, head_seq)
     select f.*, coalesce((select max(e.seq) from webhook_events e where ${matching}), -1)
     from (select cast(:capper_id as int) as capper_id, cast(:sport as text) as sport, cast(:market as text) as market,
       cast(:tier as text) as tier, cast(:kind as text) as kind, cast(:team as text) as team, cast(:player as text) as player,
       cast(:about as text[]) as about) f
     on conflict do nothing`,
    { ...identity, about: about === null ? null : [...about] },
  );
  return (await find())!;
}

export interface FilterChoices {
  /** Handles of verified cappers, sorted; others may be typed. */
  cappers: readonly string[];
  sports: readonly { key: string; label: string }[];
}

const maxCappers = 200;

export async function filterChoices(database: Database): Promise<FilterChoices> {
  const [cappers, sports] = await Promise.all([
    database('cappers').where('verified', true).orderBy('handle').limit(maxCappers).pluck('handle'),
    database('sports').orderBy('position').select('key', 'label'),
  ]);
  return { cappers, sports };
}
