import type { Knex } from 'knex';

/** References that the checks of each table look up anyway. */
const references = [
  { table: 'picks', column: 'capper_id', to: 'cappers' },
  { table: 'picks', column: 'game_id', to: 'games' },
  { table: 'closings', column: 'pick_id', to: 'picks' },
  { table: 'settlements', column: 'pick_id', to: 'picks' },
  { table: 'ledger_entries', column: 'pick_id', to: 'picks' },
];

/** What the checks ask of a row, by what they ask instead: they passed over rows of an unknown pick, game or capper. */
const rewritten: readonly [name: string, from: string, to: string][] = [
  ['check_picks', '      join public.', '      left join public.'],
  [
    'check_picks',
    'select case\n',
    `select case\n        when g.id is null then 'there is no such game'\n        when c.id is null then 'there is no such capper'\n`,
  ],
  ['check_closings', '      join public.', '      left join public.'],
  [
    'check_closings',
    'select case\n',
    `select case\n        when p.id is null then 'there is no such pick'\n`,
  ],
  ['check_settlements', '      join public.', '      left join public.'],
  [
    'check_settlements',
    'lateral (select case\n',
    `lateral (select case\n        when p.id is null then 'there is no such pick'\n`,
  ],
];

/** What picks refer to, and the column that does. */
const kept = [
  { table: 'games', column: 'game_id', what: 'game' },
  { table: 'cappers', column: 'capper_id', what: 'capper' },
];

/**
 * A foreign key is a look-up for each row, a quarter of what PostgreSQL does to store a pick, and of the same rows that the triggers
 * `check_picks`, `check_closings`, `check_settlements` and `check_entries` look up for all rows of a statement together. Picks are never
 * removed; games and cappers with picks are not either.
 */
export async function up(knex: Knex): Promise<void> {
  for (const [name, from, to] of rewritten) await rewrite(knex, name, from, to);
  for (const { table, column, what } of kept)
    await knex.raw(`
      create function public.check_${table}_removed() returns trigger language plpgsql security definer
        set search_path = pg_catalog, public, pg_temp
        set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off as $$
        declare
          fault text;
        begin
          select format('picks rest on ${what} %s', r.id) from removed r
            where exists (select from public.picks p where p.${column} = r.id)
            limit 1 into fault;
          if fault is not null then
            raise exception '%', fault using errcode = 'PP005', table = '${table}';
          end if;
          return null;
        end $$;
      revoke execute on function public.check_${table}_removed() from public;
      comment on function public.check_${table}_removed() is 'Refuses to remove a ${what} that picks are of.';
      create trigger check_${table}_removed after delete on ${table} referencing old table as removed
        for each statement execute function public.check_${table}_removed();
      create trigger ${table}_refuse_truncate before truncate on ${table}
        for each statement execute function public.refuse_removal();
      alter table ${table} enable always trigger check_${table}_removed;
      alter table ${table} enable always trigger ${table}_refuse_truncate;
    `);
  for (const { table, column } of references)
    await knex.raw(`alter table ${table} drop constraint if exists ${table}_${column}_fkey`);
}

export async function down(knex: Knex): Promise<void> {
  for (const { table, column, to } of references)
    await knex.raw(
      `alter table ${table} add constraint ${table}_${column}_fkey foreign key (${column}) references ${to} not valid`,
    );
  for (const { table } of kept)
    await knex.raw(`
      drop trigger ${table}_refuse_truncate on ${table};
      drop trigger check_${table}_removed on ${table};
      drop function public.check_${table}_removed();
    `);
  for (const [name, from, to] of rewritten.toReversed()) await rewrite(knex, name, to, from);
}

async function rewrite(knex: Knex, name: string, from: string, to: string): Promise<void> {
  const { rows } = await knex.raw(`select pg_get_functiondef(?::regprocedure) as definition`, [
    `public.${name}()`,
  ]);
  const { definition } = rows[0];
  if (!definition.includes(from)) throw new Error(`${name}() does not ask: ${from}`);
  await knex.raw(definition.replaceAll(from, to).replaceAll('?', '\\?'));
}
