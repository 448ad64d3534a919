import type { Knex } from 'knex';

/**
 * Some calendars write `Away vs Home`, and nothing in such a title says who is home. A game that only they have listed was called the wrong
 * way round for ever. Now its two teams may change places until somebody who knows has named them, or something rests on the game.
 */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table games add column home_known boolean not null default true;
    comment on column games.home_known is
      'False while only calendars that may name either team first have listed the game: home and away may be the other way round.';

    create or replace function public.keep_identity() returns trigger
      language plpgsql set search_path = pg_catalog, public, pg_temp as $$ begin
      if tg_table_name = 'cappers' then
        if new.handle <> old.handle then
          raise exception 'a handle never changes' using errcode = 'restrict_violation';
        end if;
      else
        if new.sport <> old.sport or new.announced_start is distinct from old.announced_start then
          raise exception 'the identity of a game never changes' using errcode = 'restrict_violation';
        end if;
        if old.home_known and not new.home_known then
          raise exception 'who is home in a game stays known' using errcode = 'restrict_violation';
        end if;
        if new.name <> old.name then
          if old.home_known or exists (select from public.picks where game_id = old.id)
              or exists (select from public.lines where game_id = old.id)
              or exists (select from public.results where game_id = old.id) then
            raise exception 'the identity of a game never changes' using errcode = 'restrict_violation';
          end if;
        end if;
        if old.status = 'final'
            and (new.status, new.home_score, new.away_score) is distinct from (old.status, old.home_score, old.away_score) then
          raise exception 'a final score never changes' using errcode = 'restrict_violation';
        end if;
        if old.home_half_score is not null
            and (new.home_half_score, new.away_half_score) is distinct from (old.home_half_score, old.away_half_score) then
          raise exception 'the score of a first half never changes' using errcode = 'restrict_violation';
        end if;
      end if;
      return new;
    end $$;
    comment on function public.keep_identity() is
      'Refuses a change of a handle, of a game''s identity unless its home team is not known and nothing rests on it, and of a final score.';
  `);
}

/** Which games are whose home is not derived again. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
