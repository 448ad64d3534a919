import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { v4 } from 'uuid';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { fileStore } from '../../src/ledger/publishing/checkpoint-store/open.ts';
import { type Publisher, publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { iso } from '../../src/platform/clock.ts';
import type { Database } from '../../src/platform/database.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { etDay } from '../../src/rules/et-day.ts';
import type { DatabaseOptions } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { season } from '../support/season.ts';
import { ingest } from '../support/whole-way.ts';
import { type Authors, addAuthors, postQuestion } from './author-forgeries.ts';

const hour = 3_600_000;

/** A live log in mid-operation: sealed and settled picks, live picks on future games, picks that wait to be graded and sealed. */
export interface World {
  publisher: Publisher;
  checkpointFile: string;
  upcoming: { sport: string; game: string; startsAt: string };
  authors: Authors;
}

export async function buildWorld(
  database: Database,
  folder: { write(name: string, rows: readonly object[]): string; path(): string },
): Promise<World> {
  const now = Date.now();
  const checkpointFile = `${folder.path()}/checkpoint`;
  const key = Buffer.alloc(32, 9).toString('base64');
  const publisher: Publisher = {
    baseUrl: 'https://picks.example',
    demo: false,
    key,
    store: fileStore(checkpointFile),
  };
  const take = async (name: string, rows: object) => {
    const files = Object.entries(rows).map(([kind, list]) =>
      folder.write(`${name}-${kind}.ndjson`, list as object[]),
    );
    const { refusals } = await ingest(database, files, now);
    if (refusals.length > 0) throw new Error(refusals[0]!.reason);
  };
  const goOn = async () => {
    await sealAll(database);
    await updateProjections(database);
    await publishCheckpoint(database, publisher, Date.now());
  };
  await take('past', season(12, 6, Math.floor(now / 1000) * 1000 - 60 * 24 * hour));
  await gradeDue(database, now);
  await goOn();
  const startsAt = new Date(Math.floor(now / 1000) * 1000 + 24 * hour).toISOString();
  const upcoming = { sport: 'nba', game: 'Wolves @ Bears', startsAt };
  await take('upcoming', { games: [{ ...upcoming, status: 'scheduled' }] });
  for (let i = 0; i < 4; i += 1) {
    const row = {
      capperHandle: `capper-${i}`,
      ...upcoming,
      market: 'moneyline',
      side: i % 2 === 0 ? 'home' : 'away',
      line: null,
      pick: `Bears ${v4()}`,
      oddsAmerican: -110,
      stakeUnits: 1,
    };
    const posted = await postPick(database, row, `key-${i}`, Date.now());
    if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
  }
  const authors = await addAuthors(database);
  await goOn();
  // The waiting events complete a tile, so that its root is among the forged rows.
  const [sealed]: { n: number }[] = await database('ledger_entries').count({ n: '*' });
  const remarks = Array.from({ length: 250 - sealed!.n }, (_, n) => ({
    topic: 'remark',
    text: `Remark ${n}.`,
  }));
  await database('notices').insert(remarks.map((remark) => ({ at: new Date(now), ...remark })));
  await goOn();
  await updateProjections(database);
  await keepHistory(database, now);
  await take('waiting', season(8, 6, Math.floor(now / 1000) * 1000 - 20 * 24 * hour));
  return { publisher, checkpointFile, upcoming, authors };
}

/**
 * Stores what processes without a part in the log store: a closed incident, a subscription, and changes that the boards worker has not
 * read.
 */
async function keepHistory(database: Database, now: number): Promise<void> {
  const [opened, closed] = [new Date(now - 2 * hour), new Date(now - hour)];
  await database('status_days').insert({
    name: 'redis',
    day: etDay(opened.getTime()),
    ok: 90,
    degraded: 2,
    down: 30,
  });
  await database('status_incidents').insert({
    id: v4(),
    check_name: 'redis',
    title: 'Redis',
    status: 'down',
    worst: 'down',
    message: 'Redis does not answer.',
    affects: [],
    opened_at: opened,
    closed_at: closed,
  });
  const [filter] = await database('webhook_filters').insert({ capper_id: null, sport: null }).returning('id');
  await database('webhook_subscriptions').insert({
    filter_id: filter.id,
    owner_email: 'reader@example.com',
    target_url_sealed: Buffer.alloc(40, 1),
    target_host: 'receiver.example',
    target_url_masked: 'https://receiver.example/...',
    secret_sealed: Buffer.alloc(40, 2),
    created_at: opened,
    // Nothing is sent to it, since its sealed fields cannot be opened.
    status: 'paused',
    paused_at: opened,
    cursor_seq: 0,
  });
  await database('cappers').where({ handle: 'capper-0' }).update({ display_name: 'Ada' });
}

const furtherRows = `
  insert into operator_actions (at, operator, action, about, rows, request_id)
    select now(), 'ann', 'picks', 'a pick', 1, n::text from generate_series(1, 40) n;
  insert into operator_outcomes (action_id, at, counts, refused, refusals, picks)
    select id, now(), '{"added": 1}', 0, '[]', '{}' from operator_actions where id <= 20;
  insert into source_runs (source, ran_at, ok, message, failures, next_at) values ('espn nba', now(), true, 'read 3 games', 0, now());
  insert into open_imports (until) values (now());
  insert into publisher_refusals (kind, since, reason, cleared_at) values ('refused', now(), 'It was away.', now());`;

/**
 * The world as a template, with a row in every table that a login fills. Live picks need future games, so each day has its own template.
 */
export const rowsWorld: DatabaseOptions = {
  kind: 'live',
  filling: {
    name: `world of rows ${new Date().toISOString().slice(0, 10)}`,
    async fill(database) {
      const path = mkdtempSync(join(tmpdir(), 'public-picks-world-'));
      try {
        const { authors, upcoming } = await buildWorld(database, {
          path: () => path,
          write(name, rows) {
            const file = join(path, name);
            writeFileSync(file, rows.map((row) => `${JSON.stringify(row)}\n`).join(''));
            return file;
          },
        });
        await database.raw(furtherRows);
        // The waiting events are sealed but not published, and another pick waits.
        await sealAll(database);
        await postQuestion(database, authors.capper.handle, authors.device, upcoming);
        const [game] = await database('games').where({ name: 'Wolves @ Bears' }).select('starts_at');
        const row = {
          capperHandle: 'capper-5',
          sport: 'nba',
          game: 'Wolves @ Bears',
          startsAt: iso(game.starts_at),
          market: 'moneyline',
          side: 'home',
          line: null,
          pick: 'Bears',
          oddsAmerican: -110,
          stakeUnits: 1,
        };
        const posted = await postPick(database, row, 'a key of rows', Date.now());
        if (posted.outcome !== 'added') throw new Error(JSON.stringify(posted));
      } finally {
        rmSync(path, { recursive: true, force: true });
      }
    },
  },
};
