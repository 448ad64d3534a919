import { columnsOf } from '../platform/columns.ts';
import type { Database } from '../platform/database.ts';
import { marketNamed } from '../rules/markets/index.ts';
import { aboutOf } from '../rules/markets/known.ts';
import { postedSubjectFault, subjectName, subjectTextFault } from '../rules/posted-words.ts';
import type { Selection } from '../rules/selection.ts';
import type { Game } from './game.ts';
import { playerAliasesOf, playerNamed, severalPlayers, subjectForm } from './names/players.ts';
import { readFixture } from './names/title.ts';

/** The game, market, and subject of a row. */
export interface About {
  gameId: number;
  sport: string;
  /** Null for a box score. */
  market: string | null;
  subject: string | null;
  /** The title of the game, which is the subject of markets about the game itself. */
  game: string;
}

interface Spelling {
  gameId: number;
  form: string;
  /** The text as first written. */
  spelling: string;
  subject: string;
}

const spellingTypes = {
  game_id: 'bigint',
  form: 'text',
  spelling: 'text',
  subject: 'text',
} as const;

/**
 * Returns each row's subject as its game knows it. Spellings with the same normal form or alias mean the same subject
 * (docs/rules/player-markets.md#names), also if the alias was added after both were stored. Stores new spellings, and the first name that
 * a source has for a subject.
 * @param by a source's spelling is a name as it is; that of a post is one in normal writing
 */
export async function knownSubjects(
  database: Database,
  rows: readonly About[],
  by: 'post' | 'source' = 'post',
): Promise<(string | null)[]> {
  const named = rows.filter(({ subject }) => subject !== null);
  if (named.length === 0) return rows.map(() => null);
  const games = [...new Set(named.map(({ gameId }) => gameId))];
  const known = await spellingsOf(database, games);
  const aliases = new Map(
    await Promise.all(
      [...new Set(named.map(({ sport }) => sport))].map(
        async (sport) => [sport, await playerAliasesOf(database, sport)] as const,
      ),
    ),
  );
  const fresh: Spelling[] = [];
  for (const { gameId, sport, market, subject, game } of named) {
    const form = subjectForm(subject!);
    const spellings = known.get(gameId) ?? [];
    known.set(gameId, spellings);
    if (spellings.some((spelling) => spelling.form === form)) continue;
    const isPlayer = market === null || isAboutPlayer(market);
    const isTitle = form === subjectForm(game);
    const name = isTitle ? game : by === 'source' ? subject! : subjectName(subject!, isPlayer);
    const spelling = { gameId, form, spelling: subject!, subject: name };
    if (isPlayer) {
      const players = [...Map.groupBy(spellings, (each) => each.subject)].map(([known, same]) => ({
        known,
        names: same.map((each) => each.spelling),
      }));
      const player = playerNamed(subject!, players, aliases.get(sport)!);
      if (player !== undefined && player !== severalPlayers) spelling.subject = player.known;
    }
    spellings.push(spelling);
    fresh.push(spelling);
  }
  if (fresh.length > 0) await remember(database, fresh, known);
  const byForm = new Map(
    [...known.values()].flat().map(({ gameId, form, subject }) => [`${gameId}/${form}`, subject]),
  );
  const meant = rows.map(({ gameId, sport, market, subject }) => {
    if (subject === null) return null;
    const form = subjectForm(subject);
    const player = market === null || isAboutPlayer(market) ? aliases.get(sport)!.get(form) : undefined;
    return byForm.get(`${gameId}/${player ?? form}`) ?? byForm.get(`${gameId}/${form}`)!;
  });
  if (by === 'source')
    await nameSubjects(
      database,
      rows.flatMap(({ gameId, subject: name }, at) =>
        name === null ? [] : [{ gameId, subject: meant[at]!, name }],
      ),
    );
  return meant;
}

/** Stores the names that a source has for subjects, if readers can tell them. Bets show them from then on. The first one stands. */
export async function nameSubjects(
  database: Database,
  names: readonly { gameId: number; subject: string; name: string }[],
): Promise<void> {
  const rows = names.flatMap(({ gameId, subject, name }) =>
    subjectTextFault(name) === undefined ? [{ game_id: gameId, subject, name }] : [],
  );
  if (rows.length === 0) return;
  const types = { game_id: 'bigint', subject: 'text', name: 'text' } as const;
  const { table, bindings } = columnsOf(types, rows);
  await database.raw(
    `insert into subject_names (game_id, subject, name)
     select distinct on (game_id, subject) * from ${table} as s (game_id, subject, name)
     where not exists (select from subject_names n where n.game_id = s.game_id and n.subject = s.subject)
     order by game_id, subject on conflict do nothing`,
    bindings,
  );
}

/** Returns why a game has no such subject, as a clause; undefined if it can have it. */
export function subjectFaultIn(
  { sport, name }: Pick<Game, 'sport' | 'name'>,
  about: Pick<Selection, 'market' | 'subject'>,
): string | undefined {
  if (about.subject === null) return undefined;
  const fixture = readFixture(name, sport);
  const opponents = fixture === undefined ? [] : [fixture.away, fixture.home];
  return postedSubjectFault(about, { sport, title: name, opponents });
}

export function isAboutPlayer(market: string): boolean {
  return marketNamed(market)?.gradedBy === 'stat' || aboutOf(market) === 'player';
}

async function spellingsOf(database: Database, gameIds: readonly number[]): Promise<Map<number, Spelling[]>> {
  const rows: Spelling[] = await database('subjects')
    .whereRaw('game_id = any(?::bigint[])', [[...gameIds]])
    .orderBy(['game_id', 'form'])
    .select({ gameId: 'game_id', form: 'form', spelling: 'spelling', subject: 'subject' });
  return Map.groupBy(rows, ({ gameId }) => gameId);
}

/** Stores spellings, unless another transaction was first. The fixed order prevents deadlocks. */
async function remember(
  database: Database,
  fresh: readonly Spelling[],
  known: Map<number, Spelling[]>,
): Promise<void> {
  const columns = Object.keys(spellingTypes).join(', ');
  const { table, bindings } = columnsOf(
    spellingTypes,
    fresh.map(({ gameId, ...spelling }) => ({ game_id: gameId, ...spelling })),
  );
  const { rowCount }: { rowCount: number } = await database.raw(
    `insert into subjects (${columns}) select * from ${table} as s (${columns}) order by game_id, form on conflict do nothing`,
    bindings,
  );
  if (rowCount === fresh.length) return;
  const games = [...new Set(fresh.map(({ gameId }) => gameId))];
  for (const [gameId, spellings] of await spellingsOf(database, games)) known.set(gameId, spellings);
}
