import type { Knex } from 'knex';

/** Triggers that fill and empty lists. */
const listing = ['picks_posted', 'picks_closed', 'picks_settled', 'game_due', 'results_due', 'lines_due'];

/** What functions ask of a table for each row, by what they ask instead. */
const rewritten: readonly [functions: readonly string[], from: string, to: string][] = [
  [
    ['check_pending_added', 'check_closings'],
    'exists (select from public.settlements s where s.pick_id = a.pick_id)',
    '(select s.pick_id from public.settlements s where s.pick_id = a.pick_id) is not null',
  ],
  [
    ['check_pending_changed'],
    'exists (select from public.closings c where c.pick_id = a.pick_id)',
    '((select c.pick_id from public.closings c where c.pick_id = a.pick_id) is not null)',
  ],
  [
    ['check_entries'],
    'not exists (select from public.closings k where k.pick_id = a.pick_id)',
    '(select k.pick_id from public.closings k where k.pick_id = a.pick_id) is null',
  ],
  [
    ['check_entries'],
    'not exists (select from public.settlements k where k.pick_id = a.pick_id)',
    '(select k.pick_id from public.settlements k where k.pick_id = a.pick_id) is null',
  ],
  [
    ['picks_posted'],
    'exists (select from public.results r where r.game_id = g.id)',
    '(select r.id from public.results r where r.game_id = g.id limit 1) is not null',
  ],
  [
    ['picks_posted'],
    'not exists (select from public.due_games d where d.game_id = g.id)',
    '(select d.id from public.due_games d where d.game_id = g.id limit 1) is null',
  ],
];

/**
 * What a trigger asks is planned once a session, often while its tables are small, and the plan stays as they grow. So each question is one
 * that an index answers row by row: PostgreSQL answers an `exists` in an expression by reading a whole small table first.
 *
 * `pending_picks` had foreign keys on `picks` and `games`, two such look-ups a pick: `check_pending_added` refuses a row that is not what
 * the pick is, and neither a pick nor its game is ever removed.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table pending_picks
      drop constraint pending_picks_pick_id_fkey,
      drop constraint pending_picks_game_id_fkey;
  `);
  for (const [names, from, to] of rewritten) for (const name of names) await rewrite(knex, name, from, to);
  for (const name of listing)
    await knex.raw(
      `alter function public.${name}() set enable_seqscan = off set enable_hashjoin = off set enable_mergejoin = off`,
    );
}

export async function down(knex: Knex): Promise<void> {
  for (const name of listing)
    await knex.raw(
      `alter function public.${name}() reset enable_seqscan reset enable_hashjoin reset enable_mergejoin`,
    );
  for (const [names, from, to] of rewritten) for (const name of names) await rewrite(knex, name, to, from);
  await knex.raw(`
    alter table pending_picks
      add constraint pending_picks_pick_id_fkey foreign key (pick_id) references picks,
      add constraint pending_picks_game_id_fkey foreign key (game_id) references games;
  `);
}

async function rewrite(knex: Knex, name: string, from: string, to: string): Promise<void> {
  const { rows } = await knex.raw(`select pg_get_functiondef(?::regprocedure) as definition`, [
    `public.${name}()`,
  ]);
  const { definition } = rows[0];
  if (!definition.includes(from)) throw new Error(`${name}() does not ask: ${from}`);
  await knex.raw(definition.replaceAll(from, to));
}
