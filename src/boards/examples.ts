import type { Database } from '../platform/database.ts';
import { playerMarkets } from '../rules/markets/player-markets.ts';

/** Values for `{name}` placeholders in boards' examples: a pick with its capper, game, and market, another capper, and a player. */
export type ExampleValues = Readonly<
  Record<
    'uuid' | 'handle' | 'other' | 'sport' | 'game' | 'team' | 'market' | 'playerSport' | 'player',
    string
  >
>;

/** Some values may be missing. */
type KnownValues = { readonly [Name in keyof ExampleValues]?: string | null };

/** Returns the values of the newest pick; none on an empty ledger, no other capper if there is only one, and no player without a pick on one. */
export async function newestValues(database: Database): Promise<KnownValues> {
  const { rows }: { rows: KnownValues[] } = await database.raw(
    `select p.uuid, c.handle, p.sport, g.name as game, split_part(g.name, ' @ ', 2) as team, p.market, o.handle as other,
       b.sport as "playerSport", b.subject as player
     from (select uuid, capper_id, game_id, sport, market from board_picks order by pick_id desc limit 1) p
     join cappers c on c.id = p.capper_id
     join games g on g.id = p.game_id
     left join lateral (select handle from cappers where id <> c.id order by id limit 1) o on true
     left join lateral (select sport, subject from board_picks where subject is not null and market = any(?) limit 1) b on true`,
    [playerMarkets.map(({ name }) => name)],
  );
  return rows[0] ?? {};
}

/** Fills in the `{name}` placeholders of an example; undefined if a value is missing. */
export function fillIn(
  example: Readonly<Record<string, string>>,
  known: KnownValues,
): Record<string, string> | undefined {
  const values = new Map<string, string | null | undefined>(Object.entries(known));
  let isKnown = true;
  const entries = Object.entries(example).map(([name, text]) => [
    name,
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const value = values.get(name);
      isKnown &&= value != null;
      return value ?? '';
    }),
  ]);
  return isKnown ? Object.fromEntries(entries) : undefined;
}
