import type { Database } from '../platform/database.ts';

/** What the `{name}` in the examples of boards stands for: a pick, its capper, sport and game, and another capper. */
export type ExampleFacts = Readonly<Record<'uuid' | 'handle' | 'other' | 'sport' | 'game', string>>;

/** Those of the newest pick, as far as there are any. */
export async function newestFacts(database: Database): Promise<Partial<ExampleFacts>> {
  const { rows }: { rows: Partial<ExampleFacts>[] } = await database.raw(
    `select p.uuid, c.handle, p.sport, g.name as game, o.handle as other
     from (select uuid, capper_id, game_id, sport from board_picks order by pick_id desc limit 1) p
     join cappers c on c.id = p.capper_id
     join games g on g.id = p.game_id
     left join lateral (select handle from cappers where id <> c.id order by id limit 1) o on true`,
  );
  return rows[0] ?? {};
}

/** An example's parameters with everything filled in; undefined where something that it speaks of is not known. */
export function fillIn(
  example: Readonly<Record<string, string>>,
  facts: Readonly<Record<string, string | null | undefined>>,
): Record<string, string> | undefined {
  let isKnown = true;
  const entries = Object.entries(example).map(([name, text]) => [
    name,
    text.replace(/\{(\w+)\}/g, (_, fact: string) => {
      isKnown &&= facts[fact] != null;
      return facts[fact] ?? '';
    }),
  ]);
  return isKnown ? Object.fromEntries(entries) : undefined;
}
