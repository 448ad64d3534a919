import type { Knex } from 'knex';

const functions = ['cappers_named', 'game_renamed', 'games_named'];

/** What the functions ask about each word and name, and what they ask instead. */
const lookUps = [
  [
    'not exists (select from public.search_words s where s.word = w.word)',
    '(select s.word from public.search_words s where s.word = w.word limit 1) is null',
  ],
  [
    'not exists (select from public.game_names n where n.sport = g.sport and n.name = g.name)',
    '(select n.name from public.game_names n where n.sport = g.sport and n.name = g.name limit 1) is null',
  ],
] as const;

/**
 * Whether a word or name is known was planned once a session, often while there were few, and then compared each new one with all that are
 * known: 16 million comparisons for 4,000 games beside 4,000. It is one look into the index for each now.
 */
export async function up(knex: Knex): Promise<void> {
  for (const name of functions) {
    await rewrite(knex, name, 0, 1);
    await knex.raw(`alter function public.${name}() set enable_seqscan = off`);
  }
}

export async function down(knex: Knex): Promise<void> {
  for (const name of functions) {
    await rewrite(knex, name, 1, 0);
    await knex.raw(`alter function public.${name}() reset enable_seqscan`);
  }
}

async function rewrite(knex: Knex, name: string, from: 0 | 1, to: 0 | 1): Promise<void> {
  const { rows } = await knex.raw(`select pg_get_functiondef(?::regprocedure) as definition`, [
    `public.${name}()`,
  ]);
  const { definition } = rows[0];
  if (!definition.includes(lookUps[0][from])) throw new Error(`${name}() does not ask: ${lookUps[0][from]}`);
  const changed = lookUps.reduce((text, lookUp) => text.replaceAll(lookUp[from], lookUp[to]), definition);
  await knex.raw(changed.replaceAll('?', '\\?'));
}
