import type { Knex } from 'knex';

/** What grading by declared markets needs: the score of the first half, and the side of each pending pick. */
export async function up(knex: Knex): Promise<void> {
  await knex.raw(`
    alter table games
      add column home_half_score int check (home_half_score between 0 and home_score),
      add column away_half_score int check (away_half_score between 0 and away_score),
      add check ((home_half_score is null) = (away_half_score is null)),
      add check (home_half_score is null or status = 'final');

    -- The score of the first half may be added to a final game once. Like the final score, it then never changes.
    create or replace function keep_identity() returns trigger language plpgsql as $$ begin
      if tg_table_name = 'cappers' then
        if new.handle <> old.handle then
          raise exception 'a handle never changes' using errcode = 'restrict_violation';
        end if;
      else
        if (new.sport, new.name) <> (old.sport, old.name) or new.announced_start is distinct from old.announced_start then
          raise exception 'the identity of a game never changes' using errcode = 'restrict_violation';
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

    -- Market and side determine the score that grades a pending pick.
    alter table pending_picks add column side text;
    update pending_picks p set side = k.side from picks k where k.id = p.pick_id;
    alter table pending_picks alter side set not null;
    create or replace function picks_posted() returns trigger language plpgsql as $$ begin
      insert into pending_picks (pick_id, game_id, market, side) select id, game_id, market, side from added;
      insert into unsealed_events (kind, subject_id) select 'posted', id from added order by id;
      return null;
    end $$;
  `);
}

/** Settlements depend on these scores, so a migration never drops them. */
export function down(): Promise<void> {
  return Promise.reject(new Error('the ledger cannot be migrated down'));
}
