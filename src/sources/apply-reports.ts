import { takeLock } from '../../migrations/locks.ts';
import { findGames, gameKey } from '../games/game.ts';
import { readTeams } from '../games/names/aliases.ts';
import { namesUndecided } from '../games/names/undecided.ts';
import { applyGames, type GameRow } from '../intake/game.ts';
import { applyLines } from '../intake/price.ts';
import type { Database } from '../platform/database.ts';
import { endOfDay } from '../rules/et-day.ts';
import { type EventReport, type LeftOut, LeftOutCounts } from './answer.ts';
import {
  changesStart,
  inLearnedOrder,
  linesOf,
  moveOf,
  nameOf,
  settleHomes,
  statementOf,
} from './report-rows.ts';
import {
  announcesGames,
  bind,
  boundEvents,
  currentEvents,
  gamesNear,
  inCompetition,
  type ListedGame,
  matchEvents,
  refusedEvents,
  steadyStarts,
  withoutStandIns,
} from './source-events.ts';
import { type AppliedStates, applyStates, forgetEarlierStarts, recordStatements } from './source-scores.ts';
import { noteReplaced } from './vanished.ts';

/** Numbers of rows added or changed. */
export interface AppliedReports extends AppliedStates {
  events: number;
  added: number;
  moved: number;
  prices: number;
  /** Ignored parts of the reports, by reason. */
  leftOut: LeftOut;
}

/**
 * Applies a source's reports through the functions that files and the operator's port use.
 * - A known event keeps its game while its opponents are the same.
 * - A new event is matched to a game with the same opponents and a similar start. Otherwise it becomes a new game `Away @ Home`, unless a
 * closed league has no such team or the opponents already have a game then: docs/rules/teams.md.
 * - A changed start moves the game, unless a more trusted source still reports the old one.
 * - A reported end is weighed against other sources.
 * - Prices at or after the start are ignored as in-play prices.
 * @param source name of the feed; event ids are unique within it
 * @param now the service's clock, in epoch milliseconds
 */
export function applyReports(
  database: Database,
  source: string,
  sport: string,
  reports: readonly EventReport[],
  now: number,
): Promise<AppliedReports> {
  return database.transaction(async (transaction) => {
    await takeLock(transaction, 'sources');
    const teams = await readTeams(transaction, sport);
    const leftOut = new LeftOutCounts();
    const current = currentEvents(
      reports.map((report) => inCompetition(report, sport, source)),
      teams,
    );
    const isUndecided = (event: EventReport) => namesUndecided(event, sport, teams.keyOf, teams.knows);
    const undecided = current.filter(isUndecided);
    const decided = current.filter((event) => !undecided.includes(event));
    leftOut.add('opponent not known yet', undecided.length);
    const exact = withoutStandIns(decided, teams);
    leftOut.add('game listed twice', decided.length - exact.length);
    const {
      events: reported,
      bound,
      replaced,
    } = await boundEvents(transaction, source, exact, teams, undecided);
    const fresh = reported.filter(({ eventId }) => !bound.has(eventId));
    const ids = [...bound.values()].map(({ id }) => id);
    const matched = matchEvents(fresh, await gamesNear(transaction, source, sport, fresh, ids), teams);
    const gameOf = ({ eventId }: EventReport): ListedGame | undefined =>
      bound.get(eventId) ?? matched.get(eventId);
    const { events, isLearned } = inLearnedOrder(reported, gameOf, teams);
    const known = events.flatMap((event) => {
      const game = gameOf(event);
      return game === undefined ? [] : [{ event, game }];
    });
    const swapped = await settleHomes(transaction, known, isLearned, teams);
    for (const { game } of known) game.name = swapped.get(game.id) ?? game.name;
    const refused = refusedEvents(
      fresh.filter(({ eventId }) => !matched.has(eventId)),
      [...bound.values(), ...matched.values()],
      teams,
    );
    const differing = known.flatMap(({ event, game }) => (changesStart(event, game, now) ? game : []));
    const steady = await steadyStarts(transaction, source, differing, now);
    const announces = announcesGames(source);
    const formerIds = new Set(replaced.map(({ eventId }) => eventId));
    const accepted = events.flatMap((event) => {
      const game = gameOf(event);
      if (game === undefined && !announces) {
        leftOut.add('game not known');
        return [];
      }
      // An unknown event that has started cannot have picks. One that replaced a game is shown next to it.
      const isOver = (event.day == null ? event.startsAt : endOfDay(event.day)) <= now;
      const isLate = isOver && !formerIds.has(event.eventId);
      if (game === undefined && (isLate || event.state === 'cancelled')) {
        leftOut.add(isLate ? 'event not known before its start' : 'cancelled event not known');
        return [];
      }
      const reason = refused.get(event.eventId);
      if (reason !== undefined) {
        leftOut.add(reason);
        return [];
      }
      const change = announces ? moveOf(event, game, now) : {};
      const isContradicted = 'movedTo' in change && steady.has(game!.id);
      if (isContradicted) leftOut.add('start that a more trusted source contradicts');
      const row = { ...nameOf(event, teams, game), ...(isContradicted ? {} : change) };
      return [
        {
          event,
          row: { status: 'scheduled', ...row } as GameRow,
          isChange: game === undefined || 'status' in row,
        },
      ];
    });
    const rows = accepted.filter(({ isChange }) => isChange).map(({ row }) => row);
    const guessed = new Set(accepted.flatMap(({ event, row }) => (event.homeGuessed ? row : [])));
    const { outcomes } = await applyGames(transaction, rows, { now, imported: false }, (row) => ({
      homeGuessed: guessed.has(row),
      sheet: false,
    }));
    const moved = rows.filter(
      (row, index) => row.movedTo !== undefined && outcomes[index]?.outcome === 'updated',
    );
    const games = await findGames(
      transaction,
      accepted.map(({ row }) => row),
    );
    await forgetEarlierStarts(
      transaction,
      moved.flatMap((row) => games.get(gameKey(row))?.id ?? []),
    );
    const pairs = accepted.flatMap(({ event, row }) => {
      const game = games.get(gameKey(row));
      return game === undefined ? [] : [{ event, game }];
    });
    await bind(transaction, source, pairs, now);
    const statements = pairs.flatMap(({ event, game }) =>
      statementOf(source, event, game, teams, now, leftOut),
    );
    const changed = await recordStatements(transaction, statements, now);
    const states = await applyStates(
      transaction,
      changed,
      pairs.map(({ game }) => game),
      now,
    );
    const listed = new Set(pairs.map(({ game }) => game.id));
    const gone = await noteReplaced(
      transaction,
      source,
      replaced.filter(({ id }) => !listed.has(id)),
      bound.size + replaced.length,
      now,
    );
    const lines = pairs.flatMap(({ event, game }) => linesOf(event, game, teams, now, leftOut));
    const priced = await applyLines(transaction, lines, { now, imported: false }, 'provider');
    return {
      events: pairs.length,
      added: outcomes.filter(({ outcome }) => outcome === 'added').length,
      moved: moved.length,
      ...states,
      postponed: states.postponed + gone,
      // Each one adds a remark to the log.
      corrections: states.corrections + gone,
      prices: priced.filter(({ outcome }) => outcome === 'added').length,
      leftOut: leftOut.counts(),
    };
  });
}

/**
 * Adds prices of a past instant to the games of known events, whatever happened to those games since. Nothing else in the reports applies.
 * @param asOf the instant that the source states, in epoch milliseconds
 */
export function applyPastPrices(
  database: Database,
  source: string,
  sport: string,
  reports: readonly EventReport[],
  asOf: number,
  now: number,
): Promise<Pick<AppliedReports, 'prices' | 'leftOut'>> {
  return database.transaction(async (transaction) => {
    const teams = await readTeams(transaction, sport);
    const { events, bound } = await boundEvents(
      transaction,
      source,
      reports.map((report) => inCompetition(report, sport, source)),
      teams,
    );
    const leftOut = new LeftOutCounts();
    const lines = events.flatMap((report) => {
      const game = bound.get(report.eventId);
      return game === undefined ? [] : linesOf(report, game, teams, asOf, leftOut);
    });
    const priced = await applyLines(transaction, lines, { now, imported: false }, 'provider');
    return {
      prices: priced.filter(({ outcome }) => outcome === 'added').length,
      leftOut: leftOut.counts(),
    };
  });
}
