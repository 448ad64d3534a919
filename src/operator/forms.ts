// The forms of the operator's pages: one for each kind of row, and for the changes that are not rows. Each declares which fields of its kind
// it asks for, and the aids that fill them in. `form.ts` renders and reads them.

import { sportTag } from '../boards/formats/pick-text.ts';
import { cappersNamed } from '../cappers/cappers.ts';
import { keysOfCapper } from '../cappers/keys.ts';
import { betGame, type StoredBetGame } from '../games/bet-games.ts';
import { moneylineWays, nameOf } from '../games/game.ts';
import { readTeams } from '../games/names/aliases.ts';
import { gameTitle } from '../games/names/teams.ts';
import { readFixture } from '../games/names/title.ts';
import { openGamesBetween, pricedBets, readOpenBets, takesPicks, wordsOf } from '../games/open-bets.ts';
import { capper } from '../intake/capper.ts';
import { instantCell } from '../intake/cells.ts';
import { game as gameKind } from '../intake/game.ts';
import type { KindName } from '../intake/kinds.ts';
import { notice } from '../intake/notice.ts';
import { pick } from '../intake/pick.ts';
import { result } from '../intake/result.ts';
import { statField, stats, statsOfSports } from '../intake/stats.ts';
import { checkPicks } from '../ledger/grading/check-picks.ts';
import { html } from '../pages/html.ts';
import { alert, choice, type Values } from '../pages/parts/fields.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { iso, isoOrNull } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { fingerprint } from '../proof/capper-key.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { numberedText } from '../rules/bet-text/print.ts';
import { bookMeant, bookName, knownBooks } from '../rules/book-words.ts';
import { lineFromE3, lineToE3 } from '../rules/fixed-point.ts';
import { statNames } from '../rules/markets/player-markets.ts';
import { selectionFault } from '../rules/selection.ts';
import { gradingScoreName } from '../rules/units.ts';
import { whenAsked } from '../sources/odds-api/credits.ts';
import { waitingSelections } from '../sources/waiting.ts';
import type { By } from './actions.ts';
import { byForm, type ChangeDeps, gamesJoin, invitation, joinByForm, revocation } from './changes.ts';
import {
  betChoices,
  capperInput,
  capperOptions,
  capperText,
  gameId,
  gameLead,
  gameStep,
  ofGame,
  priceValues,
  type Selection,
  selectionInputs,
  selectionValues,
  selectionWords,
  spanOf,
} from './choosing.ts';
import {
  cellText,
  fieldsStep,
  type Input,
  inputOf,
  type RowForm,
  type Step,
  type StepContext,
  stepForm,
} from './form.ts';
import { sentence } from './frame.ts';

/** A task on the operator's page. */
export interface Form {
  title: string;
  about: string;
  /** Returns the form of its row, or a step before it. */
  form(context: StepContext): Promise<RowForm | Step>;
  /** The kind of its rows; or what makes its change, and describes it or throws the reason. */
  stores: KindName | ((by: By, row: unknown, deps: ChangeDeps) => Promise<string>);
}

/** Forms by path: `/forms/picks`. Changes that are not rows are recorded under it, too. */
export const forms: Readonly<Record<string, Form>> = {
  picks: { title: 'Post a pick', about: 'Capper, game, and bet.', form: pickForm, stores: 'picks' },
  scores: {
    title: 'Set a score',
    about: 'A final score, or a postponed or canceled game.',
    form: ofGame(async ({ values }, game) => {
      const { away, home } = readFixture(game.name, game.sport) ?? { away: 'Away', home: 'Home' };
      const given = [
        inputOf(gameKind, 'awayScore', { label: away }),
        inputOf(gameKind, 'homeScore', { label: home }),
        ...(game.sport === 'tennis'
          ? [inputOf(gameKind, 'sets', { hint: `Games in each set, ${home} first, such as 6-4 3-6 7-6.` })]
          : [
              inputOf(gameKind, 'awayHalfScore', { label: `${away}, first half` }),
              inputOf(gameKind, 'homeHalfScore', { label: `${home}, first half` }),
            ]),
        inputOf(gameKind, 'played'),
        inputOf(gameKind, 'periods'),
      ];
      return {
        kind: gameKind,
        heading: 'Score',
        given: nameOf(game),
        fields: [inputOf(gameKind, 'status', { optional: undefined }), ...given],
        complete({ status }, problems) {
          if (status !== 'final' && given.some(({ name }) => values[name] !== undefined))
            problems.set('status', { fault: 'Only a final game has a score.' });
          return {};
        },
        submit: 'Save',
        warning: ({ status }) =>
          status === 'final' || status === 'cancelled'
            ? 'A final or canceled status cannot be changed. It grades the picks on the game.'
            : 'Picks on the game stay open for now.',
      };
    }),
    stores: 'games',
  },
  results: {
    title: 'Set a result',
    about: 'For a bet that no score decides.',
    form: ofGame(async ({ database, path }, game) => {
      const known = await betGame(database, game.id);
      const ways = (await moneylineWays(database)).get(game.sport) ?? 2;
      const waiting = (await waitingSelections(database, [game.id])).filter(
        ({ market }) => gradingScoreName(market, game.sport) !== 'final' || game.played === 'shortened',
      );
      return {
        kind: result,
        heading: 'Bet and result',
        note: waiting.length === 0 ? undefined : 'The bets of pending picks that the score does not decide.',
        aid: html`<div class="sides">
${waiting.map(({ picks, lineE3, ...bet }) => {
  const selection = { ...bet, line: lineFromE3(lineE3) };
  return choice({
    title: selectionWords(game, selection),
    note: `${picks} ${picks === 1 ? 'pick' : 'picks'}`,
    path: pathWith(path, { game: String(game.id), ...selectionValues(selection) }),
  });
})}</div>`,
        given: nameOf(game),
        fields: [
          ...selectionInputs(result, { ...game, known }),
          inputOf(result, 'result'),
          inputOf(result, 'half', { value: 'no' }),
        ],
        complete(row, problems) {
          const checked = result.check(row);
          if (!checked.ok) return {};
          const { market, subject = null, side = '', line } = checked.value;
          const bet = { market, subject, side, lineE3: lineToE3(line) };
          const fault = selectionFault(bet, { sport: game.sport, game: game.name }, ways);
          if (fault !== undefined) problems.set('row', { fault: sentence(fault) });
          return row.half === true ? {} : { half: undefined };
        },
        submit: 'Set this result',
        warning: 'The first result stands. It settles the picks on the bet, and the settlements are sealed.',
      };
    }),
    stores: 'results',
  },
  stats: {
    title: 'Set player statistics',
    about: "A player's box score.",
    form: ofGame(async ({ database }, game) => {
      const known = await betGame(database, game.id);
      const own = statsOfSports.get(game.sport);
      return {
        kind: stats,
        heading: 'Player',
        given: nameOf(game),
        fields: [
          inputOf(stats, 'player', {
            suggestions: (known?.players ?? [])
              .slice(0, 300)
              .map(({ name }) => ({ value: name, label: name })),
          }),
          inputOf(stats, 'played', { optional: undefined }),
          ...statNames
            .filter((name) => own?.has(name) === true)
            .map((name) => inputOf(stats, statField(name))),
        ],
        submit: 'Set these statistics',
        warning: 'The first value of each statistic stands. It grades picks on the player.',
      };
    }),
    stores: 'stats',
  },
  games: {
    title: 'Add a game',
    about: 'Teams and start.',
    form: async ({ database }) => ({
      kind: gameKind,
      heading: 'Game',
      fields: [
        inputOf(gameKind, 'sport', {
          options: [...(await moneylineWays(database)).keys()].map((value) => ({
            value,
            label: sportTag(value),
          })),
        }),
        inputOf(gameKind, 'game', {
          hint: 'Away @ Home by any names, such as Lakers @ BOS. At a neutral site, the second one is home.',
          read: (text) =>
            readFixture(text, '') === undefined ? { fault: 'Enter both, as Away @ Home.' } : { value: text },
        }),
        inputOf(gameKind, 'startsAt', {
          optional: undefined,
          hint: 'Eastern time without a zone: Nov 27, 2026 7pm, or 2026-11-27 18:00 CT. Only the day, if the time is unknown.',
          must: 'a date and a time that the clocks of its zone show once, such as Nov 27, 2026 7pm CT',
          read: (text) => ({ value: cellText(text, instantCell, { zone: 'America/New_York' }) }),
        }),
        inputOf(gameKind, 'competition'),
      ],
      async complete({ sport, game, startsAt }) {
        const isDay = /^\d{4}-\d\d-\d\d$/.test(String(startsAt));
        const start = isDay ? { startsAt: undefined, day: startsAt } : {};
        const fixture = readFixture(String(game), String(sport));
        if (fixture === undefined) return start;
        return { ...start, game: gameTitle(fixture, await readTeams(database, String(sport))) };
      },
      submit: 'Add this game',
      warning: 'The name and the first announced start cannot be changed later.',
    }),
    stores: 'games',
  },
  joins: {
    title: 'Join two games',
    about: 'One game that is stored twice.',
    form: async () => ({
      kind: gamesJoin,
      heading: 'Games',
      fields: [inputOf(gamesJoin, 'game'), inputOf(gamesJoin, 'other')],
      submit: 'Join',
      warning: 'The join becomes an entry in the log. It cannot be undone.',
    }),
    stores: joinByForm,
  },
  cappers: {
    title: 'Add or change a capper',
    about: 'Name, tier, and verification.',
    async form({ database, values: { handle } }) {
      const found = handle === undefined ? [] : (await cappersNamed(database, handle)).cappers;
      const known = found.find((one) => one.handle === handle?.toLowerCase());
      return {
        kind: capper,
        heading: known === undefined ? 'Capper' : capperText(known),
        fields: [
          inputOf(capper, 'handle', { maxLength: 32, suggestions: await capperOptions(database) }),
          inputOf(capper, 'tier', { value: known?.tier }),
          inputOf(capper, 'verified', { value: known && (known.verified ? 'yes' : 'no') }),
          inputOf(capper, 'displayName', { value: known?.displayName ?? undefined }),
        ],
        submit: known === undefined ? 'Add this capper' : 'Save',
        warning:
          known === undefined
            ? 'The handle cannot be changed later. Posted picks keep their tier.'
            : `Now: ${capperText(known)}, ${known.verified ? 'verified' : 'not verified'}. Posted picks keep their tier. A changed tier or verification adds a permanent notice to the log.`,
      };
    },
    stores: 'cappers',
  },
  invites: {
    title: 'Invite a capper',
    about: 'A link to set up their own key.',
    form: async ({ database }) => ({
      kind: invitation,
      heading: 'Capper',
      fields: [await capperInput(invitation, database)],
      submit: 'Create link',
      warning:
        'Anyone with the link can register a key as this capper. Send it only to them. It works once, for seven days.',
    }),
    stores: byForm(invitation),
  },
  revocations: {
    title: 'Revoke a key',
    about: 'For a capper who lost a device.',
    async form(context) {
      const { database, values } = context;
      const who = await capperInput(revocation, database);
      const { capperHandle } = values;
      const read = capperHandle === undefined ? undefined : await who.read!(capperHandle);
      if (read === undefined || !('value' in read)) {
        const problems = new Map(read === undefined ? [] : [[who.name, read]]);
        return fieldsStep(context, problems, { heading: 'Capper', submit: 'Continue', fields: [who] });
      }
      const named = await cappersNamed(database, String(read.value));
      const keys = (await keysOfCapper(database, named.cappers[0]!.id)).filter(
        (key) => key.revokedAt === null,
      );
      return {
        kind: revocation,
        heading: 'Key',
        note:
          keys.length === 0
            ? 'This capper has no valid key.'
            : 'Check the fingerprint with the capper first.',
        lead: read.said,
        given: { capperHandle: read.value },
        kept: { capperHandle },
        fields: [
          inputOf(revocation, 'key', {
            options: keys.map(({ keyId, purpose, addedAt }) => ({
              value: keyId,
              label: `${fingerprint(keyId)}, ${purpose}, added ${fullText(iso(addedAt))}`,
            })),
          }),
          inputOf(revocation, 'additions', { value: 'no', optional: 'silently' }),
        ],
        submit: 'Revoke',
        warning:
          'Picks signed with a revoked key are refused. The log records the revocation. This cannot be undone.',
      };
    },
    stores: byForm(revocation),
  },
  notices: {
    title: 'Add a notice',
    about: 'A public sentence in the log.',
    form: async () => ({
      kind: notice,
      heading: 'Notice',
      // Posted, because a query has no room for 1,000 characters of any script.
      method: 'post',
      fields: [
        inputOf(notice, 'text', {
          kind: 'lines',
          read: (text) => ({ value: text.replace(/\s*[\r\n]+\s*/g, ' ') }),
        }),
      ],
      submit: 'Add to the log',
      warning: 'The notice becomes an entry in the log. It cannot be changed or removed.',
    }),
    stores: 'notices',
  },
};

export async function quickFields(database: Database): Promise<[capper: Input, line: Input]> {
  return [
    await capperInput(pick, database, true),
    {
      name: 'text',
      label: 'The pick in one line',
      hint: 'Such as Lakers -3.5 -110 2u, or over 8.5 Yankees Red Sox 1.91 1u. Leave empty to choose a game.',
      maxLength: 300,
      optional: true,
    },
  ];
}

/**
 * Returns the next step of posting a pick: capper and line, game if the line names none, then the bet with its stored prices.
 * @param note a remark on the line that was read
 */
async function pickForm(context: StepContext, note?: string): Promise<RowForm | Step> {
  const { database, now, path, values } = context;
  const { capperHandle, text } = values;
  const quick = await quickFields(database);
  const [who, line] = quick;
  const read = capperHandle === undefined ? undefined : await who.read!(capperHandle);
  if (read === undefined || !('value' in read))
    return fieldsStep(context, new Map(read === undefined ? [] : [[who.name, read]]), {
      heading: 'Capper and pick',
      links: [{ path: '/forms/cappers', label: 'Add a capper' }],
      submit: 'Continue',
      kept: { game: values.game },
      fields: quick,
    });
  const chooseGame = (fault?: string) =>
    gameStep(context, 'open', {
      kept: { capperHandle },
      refused: fault !== undefined,
      lead: html`${read.said} <a href="${path}">Change</a>`,
      before: section({
        heading: 'In one line',
        id: 'line',
        body: html`${fault !== undefined && alert(fault)}${stepForm({
          path,
          values,
          kept: { capperHandle, day: values.day },
          submit: 'Continue',
          fields: [line],
        })}`,
      }),
    });
  const id = gameId(values);
  if (id === undefined && text !== undefined) {
    const { from, to } = spanOf('open', { day: values.day }, now);
    const open = await openGamesBetween(database, from, to, now);
    const { why, bets } = readOpenBets(text, open);
    const filled = await Promise.all(
      bets.map(async ({ bet, game }) => ({ capperHandle, ...(await valuesOf(database, bet, game)) })),
    );
    const [only] = filled;
    if (only === undefined) return chooseGame(why ?? 'This line matches no bet on these games.');
    if (bets.length === 1) return pickForm({ ...context, values: only }, why ?? undefined);
    return {
      lead: read.said,
      body: section({
        heading: 'Which bet?',
        id: 'bets',
        note: html`<bdi>${text}</bdi>`,
        body: html`${why !== null && html`<p>${why}</p>`}${bets.map(({ bet, game }, at) =>
          choice({
            title: numberedText(bet, open),
            note: `${game.game}, ${fullText(iso(game.begins))}`,
            path: pathWith(path, filled[at]!),
          }),
        )}<p><a href="${pathWith(path, { capperHandle })}">Another bet</a></p>`,
      }),
    };
  }
  const game = id === undefined ? undefined : await betGame(database, id);
  if (game === undefined || !takesPicks(game, now))
    return chooseGame(
      id === undefined
        ? undefined
        : 'This game takes no picks. It has started, has ended, or does not exist. Choose another.',
    );
  const kept = { capperHandle, game: String(game.id) };
  const remark = note === undefined ? [] : [note];
  return {
    kind: pick,
    values,
    heading: 'Bet',
    note: 'A link fills in the latest stored odds of its side.',
    lead: gameLead(pathWith(path, { capperHandle }), game.sport, game.game, fullText(iso(game.begins))),
    aid: html`${remark.map((text) => html`<p class="hint">${text}</p>`)}${values.market === undefined && (await betChoices(context, game, kept))}`,
    given: {
      sport: game.sport,
      game: game.game,
      startsAt: game.day == null ? isoOrNull(game.startsAt) : null,
      day: game.day ?? null,
    },
    kept: { game: kept.game },
    fields: [
      who,
      ...selectionInputs(pick, { sport: game.sport, name: game.game, known: game }),
      inputOf(pick, 'oddsAmerican'),
      inputOf(pick, 'stakeUnits', { value: '1' }),
      inputOf(pick, 'book', {
        suggestions: knownBooks.map((book) => ({ value: bookName(book), label: book })),
        read: (text) => ({ value: bookMeant(text) ?? text.toLowerCase() }),
      }),
      inputOf(pick, 'pick', { optional: true, hint: 'Leave empty for the usual words.' }),
    ],
    complete(row) {
      if (row.pick !== undefined) return {};
      const checked = pick.check({ ...row, pick: '-' });
      const { subject = null, line = null, ...bet } = (checked.ok ? checked.value : row) as Selection;
      return { pick: checked.ok ? wordsOf(game, { ...bet, subject, line }) : '-' };
    },
    async attempt(row) {
      const [answer] = await checkPicks(database, [row], now, whenAsked);
      return answer!.outcome === 'refused' ? answer! : { ...answer!, outcome: 'added' };
    },
    submit: 'Post this pick',
    warning: 'A pick cannot be withdrawn.',
    notes: [
      ...remark,
      'The pick has the time at which you confirm. It is posted by the operator, not signed by the capper.',
    ],
    also: { begins: String(game.begins), game: kept.game },
  };
}

/** Returns the query of a bet that was read from a line, with the stored price if the line has none. */
async function valuesOf(database: Database, bet: BetReading, game: StoredBetGame): Promise<Values> {
  const { market, subject, side, line, oddsAmerican, stakeUnits, book } = bet;
  const { onGame, onSubjects } = await pricedBets(database, game);
  const stored = [...onGame.map((one) => ({ ...one, subject: null })), ...onSubjects].find(
    (one) =>
      one.market === market &&
      one.subject === subject &&
      one.side === side &&
      one.oddsAmerican !== null &&
      (line === null || line === one.line),
  );
  return {
    game: String(game.id),
    ...selectionValues({ ...bet, line: line ?? stored?.line ?? null }),
    ...priceValues(oddsAmerican === null && stored !== undefined ? stored : { oddsAmerican, book }),
    stakeUnits: stakeUnits === null ? undefined : String(stakeUnits),
    review: oddsAmerican === null || stakeUnits === null ? undefined : 'yes',
  };
}
