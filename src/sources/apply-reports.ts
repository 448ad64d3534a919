import { takeLock } from '../../migrations/locks.ts';
import { applyGames } from '../games/apply-games.ts';
import { findGames, type GameRow, gameKey } from '../games/game.ts';
import { applyLines } from '../games/lines.ts';
import { readTeams } from '../games/names/aliases.ts';
import { namesUndecided } from '../games/names/undecided.ts';
import type { Database } from '../platform/database.ts';
import { type EventReport, type LeftOut, LeftOutCounts } from './answer.ts';
import { type AppliedStates, applyStates } from './apply-states.ts';
import { inLearntOrder, settleHomes } from './home-teams.ts';
import { currentEvents, matchEvents, refusedEvents, withoutStandIns } from './match.ts';
import { linesOf, moveOf, nameOf, sayingOf, saysOtherStart } from './report-rows.ts';
import {
  announcesGames,
  bind,
  boundEvents,
  gamesNear,
  type SaidGame,
  steadyStarts,
} from './source-events.ts';
import { forgetEarlierStarts, recordSayings } from './source-scores.ts';
import { noteReplaced } from './vanished.ts';

/** How many rows were added or changed. */
export interface AppliedReports extends AppliedStates {
  events: number;
  added: number;
  moved: number;
  prices: number;
  /** What was left out of the reports, by reason. */
  leftOut: LeftOut;
}

/**
 * Applies a source's reports through the functions that files and the operator's port use. A known event keeps its game while its opponents
 * are the same; a new one is matched to a game of the same opponents with a similar start, or becomes a new game `Away @ Home`, unless a closed league has no such team
 * or the same opponents meet then anyway: docs/rules/teams.md. A changed start moves the game, unless a more trusted
 * source stands by the old one. What is said of its end is weighed against what other sources say. Prices from the start
 * on are ignored: they are in-play prices.
 * @param source name of the feed; event ids are unique within it
 * @param now the service's clock, epoch milliseconds
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
    const current = currentEvents(reports, teams);
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
    const gameOf = ({ eventId }: EventReport): SaidGame | undefined =>
      bound.get(eventId) ?? matched.get(eventId);
    const { events, isLearnt } = inLearntOrder(reported, gameOf, teams);
    const known = events.flatMap((event) => {
      const game = gameOf(event);
      return game === undefined ? [] : [{ event, game }];
    });
    const turned = await settleHomes(transaction, known, isLearnt, teams);
    for (const { game } of known) game.name = turned.get(game.id) ?? game.name;
    const refused = refusedEvents(
      fresh.filter(({ eventId }) => !matched.has(eventId)),
      [...bound.values(), ...matched.values()],
      teams,
    );
    const differing = known.flatMap(({ event, game }) => (saysOtherStart(event, game) ? game : []));
    const steady = await steadyStarts(transaction, source, differing, now);
    const announces = announcesGames(source);
    const formerIds = new Set(replaced.map(({ eventId }) => eventId));
    const said = events.flatMap((event) => {
      const game = gameOf(event);
      if (game === undefined && !announces) {
        leftOut.add('game not known');
        return [];
      }
      // An unknown event that has started has no picks. One that has replaced a game is shown beside it.
      const isLate = event.startsAt <= now && !formerIds.has(event.eventId);
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
    const rows = said.filter(({ isChange }) => isChange).map(({ row }) => row);
    const guessed = new Set(said.flatMap(({ event, row }) => (event.homeGuessed ? row : [])));
    const { outcomes } = await applyGames(transaction, rows, { now, imported: false }, (row) =>
      guessed.has(row),
    );
    const moved = rows.filter(
      (row, index) => row.movedTo !== undefined && outcomes[index]?.outcome === 'updated',
    );
    const games = await findGames(
      transaction,
      said.map(({ row }) => row),
    );
    await forgetEarlierStarts(
      transaction,
      moved.flatMap((row) => games.get(gameKey(row))?.id ?? []),
    );
    const pairs = said.flatMap(({ event, row }) => {
      const game = games.get(gameKey(row));
      return game === undefined ? [] : [{ event, game }];
    });
    await bind(transaction, source, pairs, now);
    const sayings = pairs.flatMap(({ event, game }) => sayingOf(source, event, game, teams, now, leftOut));
    const changed = await recordSayings(transaction, sayings, now);
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
      // A remark goes with each of them into the log.
      corrections: states.corrections + gone,
      prices: priced.filter(({ outcome }) => outcome === 'added').length,
      leftOut: leftOut.counts(),
    };
  });
}

/**
 * Adds prices as they were at an instant in the past to the games of known events, whatever came of these since. They say nothing else.
 * @param asOf the instant that the source says, epoch milliseconds
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
    const { events, bound } = await boundEvents(transaction, source, reports, teams);
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
