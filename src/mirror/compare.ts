import type { Board } from '../boards/board.ts';
import { type BoardContext, keyOf, NotFound, sportsIn } from '../boards/endpoint.ts';
import { fillIn, newestValues } from '../boards/examples.ts';
import { boards } from '../boards/index.ts';
import { packed } from '../ledger/sealing/number-prices.ts';
import { fetchBytes, LogUnreadable } from '../monitor/log-client.ts';
import type { Database } from '../platform/database.ts';
import { parseCheckpoint } from '../proof/checkpoint.ts';
import { fromUtf8 } from '../proof/encoding.ts';
import { parseNote } from '../proof/signed-note.ts';
import { RebuildError } from './rebuild.ts';

export interface Comparison {
  answers: number;
  /** Differences that the log rules out: `/api/leaderboard?window=30d: cappers[2].units is 3.1, not 3`. */
  differences: string[];
  /** The declared paths beyond the log at which some answer did differ, by board. */
  beyond: string[];
}

/** Data that some logs do not have or do not publish: a query for its absence, and what follows from it, as `<path> <field>`. */
const lacking = [
  {
    what: 'the checkpoints of an earlier log',
    places: /\b(sealedAt|sealedInTime|latePicks)$/,
    isLacking: (database: Database) => database('notices').where({ topic: 'new-origin' }).first('id'),
  },
  {
    what: 'prices that are not public',
    places:
      / (.*\.)?(edge\w*|verdict|index|components\[|followers|offers?|priceCheck)\b|[?&]delay=|\/follow |\/closing consensus| open\[\d*\]\.best\b/,
    isLacking: (database: Database) =>
      database('price_batches')
        .where({ rows: packed([]) })
        .first('id'),
  },
];

/** Numbers of games, by which a database names them. They are not in the log, so a copy has its own. */
const numbered = new Set(['gameId']);

/**
 * Fetches every board with each of its examples, and compares the answers with those that a rebuilt database gives at the same instant.
 * @param address of the service that published the log
 * @throws RebuildError if the service's log is not at the checkpoint of the rebuilt one, before or after; LogUnreadable
 */
export async function compareBoards(database: Database, address: string): Promise<Comparison> {
  const fetched = async (path: string) => JSON.parse(fromUtf8(await fetchBytes(new URL(path, address))));
  const size = Number((await database('ledger_entries').count({ n: '*' }))[0]!.n);
  await mustBeAt(address, size);
  const { servers } = await fetched('/openapi.json');
  const found: Comparison = { answers: 0, differences: [], beyond: [] };
  const sports = new Map((await sportsIn(database)).map((sport) => [sport.key, sport]));
  const context = { database, sports, baseUrl: servers[0].url, helpLine: '' };
  const known = await newestValues(database);
  const lacked: typeof lacking = [];
  for (const each of lacking) if ((await each.isLacking(database)) !== undefined) lacked.push(each);
  const games = new Map<number, number>();
  for (const board of boards)
    for (const example of board.examples) {
      const given = fillIn(example, known);
      if (given === undefined) continue;
      const path = keyOf(board.path, given);
      const theirs = await fetched(path).catch((error: Error) => {
        if (error instanceof LogUnreadable && error.status === 404) return null;
        throw error;
      });
      const now = Date.parse(theirs?.generatedAt ?? new Date().toISOString());
      const ours = await answerOf(board, given, { ...context, now });
      found.answers += 1;
      for (const { at, text } of differencesOf(theirs, ours, { games, beyondLog: board.beyondLog })) {
        const why = lacked.find(({ places }) => places.test(`${path} ${at}`));
        const declared =
          beyondFor(board, given).find((path) => isUnder(at, path)) ?? (why && `by ${why.what}`);
        if (declared === undefined) found.differences.push(`${path}: ${text}`);
        else found.beyond.push(`${board.path} ${declared}`);
      }
    }
  await mustBeAt(address, size);
  found.beyond = [...new Set(found.beyond)];
  return found;
}

/** Returns the paths beyond the log. An answer for cappers of one tier now is beyond it altogether. */
function beyondFor({ beyondLog }: Board, given: Readonly<Record<string, string>>): string[] {
  const paths = Object.keys(beyondLog);
  return given.tier !== undefined && 'cappers[].tier' in beyondLog ? [...paths, ''] : paths;
}

async function mustBeAt(address: string, size: number): Promise<void> {
  const note = fromUtf8(await fetchBytes(new URL('/ledger/checkpoint', address)));
  const { size: published } = parseCheckpoint(parseNote(note).text);
  if (published !== size)
    throw new RebuildError(
      `The log of ${address} has ${published} entries, and the rebuilt one ${size}: mirror it again, and rebuild into an empty database.`,
    );
}

async function answerOf(
  board: Board,
  given: Readonly<Record<string, string>>,
  context: BoardContext,
): Promise<Record<string, unknown> | null> {
  try {
    const { text } = await board.renderable(given, context.sports).render(context);
    return JSON.parse(text.toString());
  } catch (error) {
    if (error instanceof NotFound) return null;
    throw error;
  }
}

/** Whether a place such as `cappers[2].tier` is at or under a declared path such as `cappers[].tier`; `` is everything. */
function isUnder(place: string, path: string): boolean {
  const general = place.replace(/\[\d+\]/g, '[]');
  return (
    path === '' || general === path || (general.startsWith(path) && /^[.[]/.test(general.slice(path.length)))
  );
}

/** Compares two JSON values. Numbers of games must correspond one to one. */
function* differencesOf(
  theirs: unknown,
  ours: unknown,
  known: { games: Map<number, number>; beyondLog: Board['beyondLog'] },
  at = '',
): Generator<{ at: string; text: string }> {
  const differ = { at, text: `${at || 'the answer'} is ${short(ours)}, not ${short(theirs)}` };
  if (typeof theirs !== 'object' || typeof ours !== 'object' || theirs === null || ours === null) {
    const key = /\.?([^.[\]]+)$/.exec(at)?.[1] ?? '';
    if (key === 'generatedAt') return;
    if (numbered.has(key) && typeof theirs === 'number' && typeof ours === 'number') {
      const number = known.games.get(theirs) ?? ours;
      known.games.set(theirs, number);
      if (number !== ours) yield differ;
    } else if (!Object.is(theirs, ours)) yield differ;
    return;
  }
  let [left, right] = [theirs, ours] as Record<string, unknown>[];
  if (Array.isArray(theirs) && Array.isArray(ours)) {
    // The order of a list by numbers that are not in the log says nothing either.
    const both = `${at}[].id` in known.beyondLog ? matched(theirs, ours) : [theirs, ours];
    if (both.some(({ length }) => length !== theirs.length) || theirs.length !== ours.length)
      yield { at: `${at}.length`, text: `${at} has ${ours.length} items, not ${theirs.length}` };
    [left, right] = both as unknown as Record<string, unknown>[];
  }
  for (const key of new Set([...Object.keys(left!), ...Object.keys(right!)]))
    yield* differencesOf(
      left![key] ?? null,
      right![key] ?? null,
      known,
      Array.isArray(theirs) ? `${at}[${key}]` : at === '' ? key : `${at}.${key}`,
    );
}

function matched(theirs: readonly { handle?: string }[], ours: readonly { handle?: string }[]) {
  const byHandle = new Map(ours.map((item) => [item.handle, item]));
  const shared = theirs.filter(({ handle }) => byHandle.has(handle));
  return [shared, shared.map(({ handle }) => byHandle.get(handle)!)];
}

function short(value: unknown): string {
  const text = JSON.stringify(value) ?? 'missing';
  return text.length > 80 ? `${text.slice(0, 80)}…` : text;
}
