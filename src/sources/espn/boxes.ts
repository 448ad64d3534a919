import { readTeams } from '../../games/names/aliases.ts';
import { nearPlayers, playerAliasesOf, playerNamed, severalPlayers } from '../../games/names/players.ts';
import { opponentsKey } from '../../games/names/teams.ts';
import { readFixture } from '../../games/names/title.ts';
import { nameSubjects } from '../../games/subjects.ts';
import { addStats } from '../../intake/stats.ts';
import { recordNotices } from '../../ledger/posting/notices.ts';
import { inCamelCase } from '../../platform/columns.ts';
import type { Database } from '../../platform/database.ts';
import { marketIn } from '../../rules/markets/index.ts';
import { type PlayerStats, playerMarkets } from '../../rules/markets/player-markets.ts';
import { missingStats } from '../../rules/player-grading.ts';
import { Unreadable } from '../http.ts';
import { type BoxScore, readBoxScore } from './box-score.ts';
import { espnSource } from './source.ts';

const minute = 60_000;
const hour = 60 * minute;

/**
 * Delay between the end of a game and reading its box score, in ms: ESPN corrects figures right after a game, and a settlement is final.
 */
const correctedMs = 30 * minute;

/** How long box scores are requested, in ms. After that, the operator settles the picks. */
const askedMs = 4 * 24 * hour;

/** A finished game with picks on players whose statistics are unknown. */
export interface BoxGame {
  id: number;
  sport: string;
  name: string;
  eventId: string;
  finalAt: number;
  /** Players and markets of the picks. */
  about: { subject: string; market: string }[];
}

/** Reports whether box scores of a sport grade a market. */
export function hasBoxes(sport: string): boolean {
  return playerMarkets.some(({ sports }) => sports[sport] !== undefined);
}

/** Returns the games whose box scores picks wait for, by feed, as `espn/<league>`. */
export async function boxGamesOf(
  database: Database,
  prefix: string,
  now: number,
): Promise<Map<string, BoxGame[]>> {
  const rows: (BoxGame & { feed: string })[] = await database('games as g')
    .join('source_events as e', 'e.game_id', 'g.id')
    .join('pending_picks as p', 'p.game_id', 'g.id')
    .where('g.status', 'final')
    .where('g.final_at', '>', new Date(now - askedMs))
    .whereRaw('starts_with(e.source, ?)', [prefix])
    .whereNotNull('p.subject')
    .whereRaw('p.market = any(?::text[])', [playerMarkets.map(({ name }) => name)])
    .groupBy('e.source', 'e.event_id', 'g.id')
    .select({ feed: 'e.source' }, inCamelCase('g.id g.sport g.name e.event_id g.final_at'))
    .select(
      database.raw(
        `json_agg(distinct jsonb_build_object('subject', p.subject, 'market', p.market)) as about`,
      ),
    );
  const games = rows.map((game) => ({
    ...game,
    about: game.about.filter(({ market }) => marketIn(game.sport, market)?.gradedBy === 'stat'),
  }));
  return Map.groupBy(
    games.filter(({ about }) => about.length > 0),
    ({ feed }) => feed,
  );
}

/**
 * Plans requests for box scores: half an hour after the end, then at growing intervals.
 * @param lastAt the last request; null for never
 * @returns when the next one is due, and the games due now
 */
export function boxesDue(
  games: readonly BoxGame[],
  lastAt: number | null,
  now: number,
): { dueAt: number | null; due: BoxGame[] } {
  const dueAt = ({ finalAt }: BoxGame) => {
    const first = finalAt + correctedMs;
    if (lastAt === null || lastAt < first) return first;
    return lastAt + Math.min(Math.max(10 * minute, (now - finalAt) / 15), hour);
  };
  return {
    dueAt: games.length === 0 ? null : Math.min(...games.map(dueAt)),
    due: games.filter((game) => dueAt(game) <= now),
  };
}

/** Result of applying a box score. */
export interface AppliedBox {
  players: number;
  isNew: boolean;
  corrections: number;
}

/**
 * Stores the statistics of the players that picks are about, and why others have none.
 * @throws Unreadable if the summary is unreadable or has other opponents
 */
export async function applyBox(
  database: Database,
  game: BoxGame,
  body: unknown,
  now: number,
): Promise<AppliedBox> {
  const box = readBoxScore(body, game.sport);
  return database.transaction(async (transaction) => {
    await checkGame(transaction, game, box);
    const nothing = { players: 0, isNew: false, corrections: 0 };
    const players = await matched(transaction, game, box);
    await noteGaps(transaction, game, players, now);
    if (!box.completed) return nothing;
    const found = players.flatMap(({ subject, stats }) => (stats === undefined ? [] : [{ subject, stats }]));
    await nameSubjects(
      transaction,
      players.flatMap(({ subject, name }) =>
        name === undefined ? [] : [{ gameId: game.id, subject, name }],
      ),
    );
    const { isNew, corrections } = await addStats(transaction, game, found, espnSource.name, now);
    await recordNotices(transaction, 'correction', corrections, now);
    return { players: found.length, isNew, corrections: corrections.length };
  });
}

/** Checks that the summary belongs to the game. An event whose opponents changed is another game. */
async function checkGame(
  database: Database,
  { sport, name, eventId }: BoxGame,
  box: BoxScore,
): Promise<void> {
  if (box.eventId !== eventId) throw new Unreadable(`the summary belongs to event ${box.eventId}`);
  const teams = await readTeams(database, sport);
  const fixture = readFixture(name, sport);
  if (fixture === undefined || opponentsKey(fixture, teams) !== opponentsKey(box, teams))
    throw new Unreadable('the summary has other opponents');
}

interface PlayerBox {
  subject: string;
  /** The name in the box score. */
  name?: string | undefined;
  /** Undefined if the player was not found. */
  stats: PlayerStats | undefined;
  /** Why the picks wait; null if they do not. */
  gap: string | null;
}

async function matched(database: Database, { sport, about }: BoxGame, box: BoxScore): Promise<PlayerBox[]> {
  const aliases = await playerAliasesOf(database, sport);
  return [...Map.groupBy(about, ({ subject }) => subject)].map(([subject, same]) => {
    if (!box.completed) return { subject, stats: undefined, gap: 'the box score belongs to a running game' };
    const player = playerNamed(subject, box.players, aliases);
    if (player === severalPlayers)
      return { subject, stats: undefined, gap: 'several players of the box score have that name' };
    if (player === undefined) return { subject, stats: undefined, gap: unlisted(subject, box.players) };
    const missing = new Set(same.flatMap(({ market }) => missingStats(sport, market, player.stats)));
    const gap = missing.size === 0 ? null : `the box score lacks ${[...missing].join(', ')}`;
    return { subject, name: player.names[0], stats: player.stats, gap };
  });
}

/** Says that a box score lacks a player, and names the nearest ones. */
function unlisted(subject: string, players: BoxScore['players']): string {
  const said = 'the box score does not list them';
  const near = nearPlayers(subject, players).join(', ');
  const full = `${said}, but ${near}: if one of them is meant, join them with aliases add-player`;
  return near === '' || full.length > 300 ? said : full;
}

async function noteGaps(
  database: Database,
  { id }: BoxGame,
  players: readonly PlayerBox[],
  now: number,
): Promise<void> {
  const source = espnSource.name;
  await database('stat_gaps').where({ game_id: id, source }).delete();
  const rows = players.flatMap(({ subject, gap }) =>
    gap === null ? [] : [{ game_id: id, source, subject, reason: gap, at: new Date(now) }],
  );
  if (rows.length > 0) await database('stat_gaps').insert(rows);
}
