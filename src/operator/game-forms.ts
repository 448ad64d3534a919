import { sportTag } from '../boards/formats/pick-text.ts';
import { betGame } from '../games/bet-games.ts';
import { type Game, moneylineWays, nameOf } from '../games/game.ts';
import { readTeams } from '../games/names/aliases.ts';
import { gameTitle, similarTeams, type Teams, unknownTeam } from '../games/names/teams.ts';
import { readFixture } from '../games/names/title.ts';
import { instantIn } from '../intake/cells.ts';
import { game as gameKind } from '../intake/game.ts';
import { result as resultKind } from '../intake/result.ts';
import { statField, stats as statsKind, statsOfSports } from '../intake/stats.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText, unknownStart } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { statNames } from '../rules/markets/player-markets.ts';
import type { Typed } from '../rules/typed-numbers.ts';
import { gradingScoreName } from '../rules/units.ts';
import { waitingSelections } from '../sources/waiting.ts';
import { gameDetails, startDetails } from './choosing.ts';
import { choice, type Problems, stepForm } from './fields.ts';
import { accept, type Input, inputOf, rowStep, type Step, type StepContext } from './row-form.ts';
import {
  faultOf,
  hasLine,
  type Selection,
  type Sides,
  selectionDetails,
  selectionFields,
  selectionTyped,
  selectionWords,
  shortWords,
  sidesNamed,
} from './selections.ts';

/** Returns what all forms about a game say, and the fields that name it. */
function ofThisGame({ path }: StepContext, game: Game) {
  const { id, sport, name, startsAt, day } = game;
  const start = startsAt === null ? unknownStart({ day }) : fullText(iso(startsAt));
  return {
    given: nameOf(game),
    kept: { game: String(id) },
    about: gameDetails(sport, name, startsAt),
    lead: html`${sportTag(sport)}: ${name}, ${start} <a href="${path}">Choose another game</a>`,
  };
}

export function scoreStep(context: StepContext, game: Game): Promise<Step> {
  const { about, ...page } = ofThisGame(context, game);
  const { away, home } = readFixture(game.name, game.sport) ?? { away: 'Away', home: 'Home' };
  const input = (name: string, own: Partial<Input> = {}) => inputOf(gameKind, name, own);
  const [status, ...given] = [
    input('status', { optional: undefined }),
    input('awayScore', { label: away }),
    input('homeScore', { label: home }),
    ...(game.sport === 'tennis'
      ? [input('sets', { hint: `Games in each set, ${home} first, such as 6-4 3-6 7-6.` })]
      : [
          input('awayHalfScore', { label: `${away}, first half` }),
          input('homeHalfScore', { label: `${home}, first half` }),
        ]),
    input('played'),
    input('periods'),
  ] as [Input, ...Input[]];
  const { values } = context;
  return rowStep(context, {
    ...page,
    kind: gameKind,
    heading: 'Score',
    fields: [status, ...given],
    complete(problems) {
      const isFinal = values.status === undefined || values.status === 'final';
      if (!isFinal && given.some(({ name }) => values[name] !== undefined))
        problems.set('status', { fault: 'Only a final game has a score.' });
      return {};
    },
    review: (row) => ({
      about,
      submit: 'Save',
      warning:
        row.status === 'final' || row.status === 'cancelled'
          ? 'A final or canceled status cannot be changed. It grades the picks on the game.'
          : 'Picks on the game stay open for now.',
    }),
  });
}

/** Returns the opponents and players of a game, which name its selections. */
async function sidesOf({ database }: StepContext, { id, sport, name }: Game): Promise<Sides> {
  const known = await betGame(database, id);
  return known ?? sidesNamed(sport, name, (await moneylineWays(database)).get(sport) ?? 2);
}

export async function resultStep(context: StepContext, game: Game): Promise<Step> {
  const { values } = context;
  const { about, ...page } = ofThisGame(context, game);
  const sides = await sidesOf(context, game);
  const problems: Problems = new Map();
  const isChosen = values.market !== undefined || values.side !== undefined;
  const chosen = isChosen ? selectionTyped(sides, values, problems) : undefined;
  if (chosen === undefined) return selectionStep(context, game, sides, problems);
  const { market, subject, side } = chosen;
  const lined = hasLine(game.sport, market);
  const given = { market, subject: subject ?? undefined, side };
  const words = (line: unknown): Selection => ({ ...chosen, line: line === undefined ? null : Number(line) });
  return rowStep(context, {
    ...page,
    kind: resultKind,
    heading: shortWords(sides, words(values.line)),
    given: { ...page.given, ...given },
    kept: { ...page.kept, ...given },
    fields: [
      ...(lined === false
        ? []
        : [
            inputOf(
              resultKind,
              'line',
              lined === true ? { optional: undefined } : { hint: 'Leave empty if the bet has no line.' },
            ),
          ]),
      inputOf(resultKind, 'result'),
      inputOf(resultKind, 'half', { value: 'no' }),
    ],
    complete(problems, { line, half }) {
      const fault = problems.size === 0 ? faultOf(sides, words(line)) : undefined;
      if (fault !== undefined) problems.set('row', { fault });
      return half === true ? {} : { half: undefined };
    },
    review: ({ line, result, half }) => ({
      submit: 'Set this result',
      warning: 'The first result stands. It settles the picks on the bet, and the settlements are sealed.',
      details: [
        ...about,
        ['Bet', html`<strong>${selectionWords(sides, words(line))}</strong>`],
        ...selectionDetails(sides, words(line)),
        ['Result', `${half === true ? 'Half ' : ''}${labelOf('result', String(result))}`],
      ],
    }),
  });
}

/** Returns the step that chooses the bet of a result: those of waiting picks that no score decides, or any other. */
async function selectionStep(
  context: StepContext,
  game: Game,
  sides: Sides,
  problems: Problems,
): Promise<Step> {
  const { database, path, values } = context;
  const { lead, kept } = ofThisGame(context, game);
  const waiting = (await waitingSelections(database, [game.id])).filter(
    ({ market }) => gradingScoreName(market, game.sport) !== 'final' || game.played === 'shortened',
  );
  const waitingChoice = ({ market, subject, side, lineE3, picks }: (typeof waiting)[number]): Html => {
    const line = lineFromE3(lineE3);
    return choice({
      title: shortWords(sides, { market, subject, side, line }),
      note: `${picks} ${picks === 1 ? 'pick' : 'picks'}`,
      path: pathWith(path, {
        ...kept,
        market,
        subject,
        side,
        line: line === null ? undefined : String(line),
      }),
    });
  };
  return {
    lead,
    refused: problems.size > 0,
    body: html`${
      waiting.length > 0 &&
      section({
        heading: 'Waiting',
        id: 'waiting',
        note: 'Bets in pending picks that the score does not decide.',
        body: html`<div class="sides">
${waiting.map(waitingChoice)}</div>`,
      })
    }${section({
      heading: 'Another bet',
      id: 'other',
      body: stepForm({ path, values, kept, problems, submit: 'Continue', fields: selectionFields(sides) }),
    })}`,
  };
}

export async function statsStep(context: StepContext, game: Game): Promise<Step> {
  const { about, ...page } = ofThisGame(context, game);
  const { players } = await sidesOf(context, game);
  const own = statsOfSports.get(game.sport);
  const suggestions = players.slice(0, 300).map(({ name }) => ({ value: name, label: name }));
  return rowStep(context, {
    ...page,
    kind: statsKind,
    heading: 'Player',
    fields: [
      inputOf(statsKind, 'player', { suggestions }),
      inputOf(statsKind, 'played', { optional: undefined }),
      ...statNames
        .filter((name) => own?.has(name) === true)
        .map((name) => inputOf(statsKind, statField(name))),
    ],
    review: () => ({
      about,
      submit: 'Set these statistics',
      warning: 'The first value of each statistic stands. It grades picks on the player.',
    }),
  });
}

export async function addGameStep(context: StepContext): Promise<Step> {
  const { database, values } = context;
  const sports = [...(await moneylineWays(database)).keys()];
  const sport = inputOf(gameKind, 'sport', {
    options: sports.map((value) => ({ value, label: sportTag(value) })),
  });
  const zone = zones.find(({ text }) => text === values.zone) ?? zones[0];
  const doubts: string[] = [];
  let startsAt: number | undefined;
  return rowStep(context, {
    kind: gameKind,
    heading: 'Game',
    fields: [
      sport,
      { name: 'away', label: 'Away team', hint: 'Any name, such as Lakers, LAL, or Los Angeles Lakers.' },
      { name: 'home', label: 'Home team', hint: 'At a neutral site, the team or player named second.' },
      { name: 'date', label: 'Start date', kind: 'date' },
      { name: 'time', label: 'Start time', kind: 'time' },
      {
        name: 'zone',
        label: 'Time zone',
        none: 'Choose…',
        value: zones[0].text,
        optional: 'silently',
        options: zones.map(({ text, label }) => ({ value: text, label })),
      },
      inputOf(gameKind, 'competition'),
    ],
    async complete(problems) {
      const { date = '', time = '', away, home } = values;
      startsAt = accept(problems, 'date', pickedInstant(date, time, zone.text));
      if (values.sport === undefined || away === undefined || home === undefined || startsAt === undefined)
        return {};
      if (!sports.includes(values.sport)) {
        problems.set('sport', { fault: 'Choose one from the list.' });
        return {};
      }
      const teams = await readTeams(database, values.sport);
      checkNames(problems, teams, away, home);
      doubts.push(...[away, home].filter((name) => !teams.knows(name)).map((name) => doubtOf(name, teams)));
      return { game: gameTitle({ away, home }, teams), startsAt: iso(startsAt) };
    },
    review: (row) => ({
      submit: 'Add this game',
      warning: 'The name and the first announced start cannot be changed later.',
      doubts,
      details: [
        ['Game', `${sportTag(String(row.sport))}: ${row.game}`],
        ...startDetails(startsAt ?? null),
        ...(values.competition === undefined ? [] : [['Competition', values.competition] as const]),
      ],
    }),
  });
}

/** Available time zones. The first one is the default. */
export const zones = [
  { text: 'America/New_York', label: 'Eastern' },
  { text: 'America/Chicago', label: 'Central' },
  { text: 'America/Denver', label: 'Mountain' },
  { text: 'America/Los_Angeles', label: 'Pacific' },
  { text: 'UTC', label: 'UTC' },
  { text: 'Europe/London', label: 'London' },
] as const;

/**
 * Converts the values of date and time inputs to an instant, in epoch milliseconds.
 * @param date `2026-11-27`
 * @param time `19:00`
 */
export function pickedInstant(
  date: string,
  time: string,
  zone: (typeof zones)[number]['text'],
): Typed<number> {
  if (!/^(19|20)\d\d-\d\d-\d\d$/.test(date)) return { fault: 'Enter a date from 1900 to 2099.' };
  if (!/^\d\d:\d\d(:\d\d)?$/.test(time)) return { fault: 'Enter the time.' };
  const instant = instantIn(`${date}T${time}`, zone);
  return instant === undefined
    ? { fault: 'No clock of this zone shows this date and time once. Enter the time in UTC.' }
    : { value: Date.parse(instant) };
}

/** Stores the problems of the teams' names. In a closed league, a misspelled name is a problem with similar teams as choices. */
function checkNames(problems: Problems, teams: Teams, away: string, home: string): void {
  if (teams.keyOf(away) === teams.keyOf(home)) problems.set('home', { fault: 'Enter two different teams.' });
  else if (unknownTeam({ away, home }, teams, true) !== undefined)
    for (const [field, name] of Object.entries({ away, home }))
      if (!teams.knows(name)) problems.set(field, unknownName(name, teams.sport));
}

/** Returns a warning that a name is unknown and will be used as written. */
function doubtOf(name: string, { sport }: Teams): string {
  const similar = similarTeams(name, sport);
  const near = similar.length === 0 ? '' : ` Similar: ${similar.join(', ')}.`;
  return `${name} is not a known ${sportTag(sport)} team. Check the spelling.${near}`;
}

function unknownName(name: string, sport: string) {
  const similar = similarTeams(name, sport);
  if (similar.length === 0) return { fault: `${sportTag(sport)} has no team ${name}. Check the name.` };
  return {
    why: `${sportTag(sport)} has no team ${name}.`,
    choices: similar.map((team) => ({ label: team, text: team })),
  };
}
