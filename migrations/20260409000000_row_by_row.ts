import type { Knex } from 'knex';

/** Joins of a row that is checked, by the tables that they look up. */
const lookUps: readonly [functions: readonly string[], table: string, alias: string, key: string][] = [
  [
    ['check_closings', 'check_entries', 'check_pending_added', 'check_settlements'],
    'picks',
    'p',
    'a.pick_id',
  ],
  [['check_closings', 'check_settlements'], 'games', 'g', 'p.game_id'],
  [['check_picks'], 'games', 'g', 'a.game_id'],
  [['check_picks'], 'cappers', 'c', 'a.capper_id'],
  [['check_entries'], 'cappers', 'c', 'p.capper_id'],
];

/**
 * A check is planned once a session, often while its tables are small, and it wants one faulty row: so PostgreSQL took it for cheapest to
 * keep all picks in memory and to compare each checked row with each of them, 47 million comparisons for a thousand closings beside 47,000
 * picks. Behind `offset 0` a look-up has no other plan than the index, row by row.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [names, table, alias, key] of lookUps)
    for (const name of names) await rewrite(knex, name, ...joins(table, alias, key));
}

export async function down(knex: Knex): Promise<void> {
  for (const [names, table, alias, key] of lookUps) {
    const [joined, lookedUp] = joins(table, alias, key);
    for (const name of names) await rewrite(knex, name, lookedUp, joined);
  }
}

/** A join, and the look-up in its place. */
function joins(table: string, alias: string, key: string): [joined: string, lookedUp: string] {
  const condition = `${alias}.id = ${key}`;
  return [
    `left join public.${table} ${alias} on ${condition}`,
    `left join lateral (select * from public.${table} ${alias} where ${condition} offset 0) ${alias} on true`,
  ];
}

async function rewrite(knex: Knex, name: string, from: string, to: string): Promise<void> {
  const { rows } = await knex.raw(`select pg_get_functiondef(?::regprocedure) as definition`, [
    `public.${name}()`,
  ]);
  const { definition } = rows[0];
  if (!definition.includes(from)) throw new Error(`${name}() does not ask: ${from}`);
  await knex.raw(definition.replaceAll(from, to).replaceAll('?', '\\?'));
}
