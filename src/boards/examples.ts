import type { Database } from '../platform/database.ts';

/** Values for `{name}` placeholders in boards' examples: a pick, its capper, sport, and game, and another capper. */
export type ExampleValues = Readonly<Record<'uuid' | 'handle' | 'other' | 'sport' | 'game', string>>;

/** Some values may be missing. */
type KnownValues = { readonly [Name in keyof ExampleValues]?: string | null };

/** Returns the values of the newest pick; none on an empty ledger, and no other capper if there is only one. */
export async function newestValues(database: Database): Promise<KnownValues> {
  const { rows }: { rows: KnownValues[] } = await database.raw(
    `select p.uuid, c.handle, p.sport, g.name as game, o.handle as other
     from (select uuid, capper_id, game_id, sport from board_picks order by pick_id desc limit 1) p
     join cappers c on c.id = p.capper_id
     join games g on g.id = p.game_id
     left join lateral (select handle from cappers where id <> c.id order by id limit 1) o on true`,
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
