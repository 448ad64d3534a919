import { sportTag } from '../boards/formats/pick-text.ts';
import { betGame } from '../games/bet-games.ts';
import { findGames, type Game, gameKey, moneylineWays, nameOf } from '../games/game.ts';
import { readTeams } from '../games/names/aliases.ts';
import { gameTitle, similarTeams, type Teams, unknownTeam } from '../games/names/teams.ts';
import { readFixture } from '../games/names/title.ts';
import { checkGame } from '../intake/game.ts';
import { checkResult } from '../intake/result.ts';
import { checkStats, statField, statsOfSports } from '../intake/stats.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf, plain } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText, unknownStart } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { statNames } from '../rules/markets/player-markets.ts';
import { playedValues } from '../rules/played.ts';
import { writtenSets } from '../rules/sets.ts';
import { lineTyped, type Typed } from '../rules/typed-numbers.ts';
import { gradingScoreName } from '../rules/units.ts';
import { gameStatuses, results } from '../rules/vocabulary.ts';
import { waitingSelections } from '../sources/waiting.ts';
import {
  accept,
  addFaults,
  choice,
  defined,
  detailsOf,
  type Field,
  flagTyped,
  oneOf,
  type Problems,
  readField,
  stepForm,
  without,
  yesOrNo,
} from './fields.ts';
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
import { fieldsStep, gameDetails, reviewStep, type Step, type StepContext, startDetails } from './steps.ts';
import { countTyped, instantTyped, pickedInstant, zones } from './typed.ts';

function leadOf({ sport, name, startsAt, day }: Game, path: string): Html {
  const start = startsAt === null ? unknownStart({ day }) : fullText(iso(startsAt));
  return html`${sportTag(sport)}: ${name}, ${start} <a href="${path}">Choose another game</a>`;
}

export async function scoreStep({ path, values }: StepContext, game: Game, title: string): Promise<Step> {
  const teams = readFixture(game.name, game.sport) ?? { away: 'Away', home: 'Home' };
  const isTennis = game.sport === 'tennis';
  const status: Field = {
    ...{ name: 'status', label: 'Status' },
    options: gameStatuses.map((value) => ({ value, label: labelOf('gameStatus', value) })),
  };
  const score = (name: string, label: string): Field => ({ name, label, optional: true, keys: 'numeric' });
  const scores = [score('awayScore', teams.away), score('homeScore', teams.home)];
  const halves = [
    score('awayHalfScore', `${teams.away}, first half`),
    score('homeHalfScore', `${teams.home}, first half`),
  ];
  const sets: Field = {
    ...{ name: 'sets', label: 'Sets', optional: true },
    hint: `Games in each set, ${teams.home} first, such as 6-4 3-6 7-6.`,
  };
  const played: Field = {
    ...{ name: 'played', label: 'How much was played', optional: true },
    hint: 'Leave empty if the whole game was played.',
    options: playedValues.map((value) => ({ value, label: plain(value) })),
  };
  const periods: Field = {
    ...{ name: 'periods', label: 'Periods played', optional: true, keys: 'decimal' },
    hint: 'For a shortened game, such as 5 innings or 3.75 quarters.',
  };
  const problems: Problems = new Map();
  if (values.review !== undefined) {
    const chosen = readField(problems, values, status, oneOf(gameStatuses));
    const count = (field: Field) => readField(problems, values, field, countTyped);
    const [awayScore, homeScore, awayHalfScore, homeHalfScore] = [...scores, ...halves].map(count);
    const given = {
      ...{ awayScore, homeScore, awayHalfScore, homeHalfScore },
      sets: readField(problems, values, sets, setsTyped),
      played: readField(problems, values, played, oneOf(playedValues)),
      periods: readField(problems, values, periods, numberTyped),
    };
    if (chosen === 'final' && (awayScore === undefined || homeScore === undefined))
      problems.set(awayScore === undefined ? 'awayScore' : 'homeScore', {
        fault: 'A final game needs both scores.',
      });
    if (
      chosen !== undefined &&
      chosen !== 'final' &&
      Object.values(given).some((value) => value !== undefined)
    )
      problems.set('status', { fault: 'Only a final game has a score.' });
    const row = defined({ ...nameOf(game), status: chosen, ...given });
    if (problems.size === 0) addFaults(problems, checkGame(row));
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row, submit: 'Save', back: without(values, 'review') },
        warning:
          chosen === 'final' || chosen === 'cancelled'
            ? 'A final or canceled status cannot be changed. It grades the picks on the game.'
            : 'Picks on the game stay open for now.',
        details: [
          ...gameDetails(game.sport, game.name, game.startsAt),
          ['Status', labelOf('gameStatus', chosen!)],
          ...detailsOf([...scores, ...halves, sets, played, periods], values),
        ],
      });
  }
  return fieldsStep(
    { path, values },
    {
      ...{ title, heading: 'Score', problems, lead: leadOf(game, path) },
      fields: [status, ...scores, ...(isTennis ? [sets] : halves), played, periods],
      kept: { game: String(game.id), review: 'yes' },
    },
  );
}

function setsTyped(text: string): Typed<NonNullable<ReturnType<typeof writtenSets>>> {
  const sets = writtenSets(text);
  return sets === undefined
    ? { fault: 'Enter the games of each set, such as 6-4 3-6 7-6.' }
    : { value: sets };
}

function numberTyped(text: string): Typed<number> {
  return /^\d{1,2}(\.\d{1,3})?$/.test(text)
    ? { value: Number(text) }
    : { fault: 'Enter a number, such as 5.5.' };
}

/** Returns the opponents and players of a game, which name its selections. */
async function sidesOf({ database }: StepContext, { id, sport, name }: Game): Promise<Sides> {
  const known = await betGame(database, id);
  if (known !== undefined) return known;
  const ways = (await moneylineWays(database)).get(sport) ?? 2;
  return sidesNamed(sport, name, ways);
}

export async function resultStep(context: StepContext, game: Game, title: string): Promise<Step> {
  const { database, path, values } = context;
  const sides = await sidesOf(context, game);
  const problems: Problems = new Map();
  const kept = { game: String(game.id) };
  const isChosen = values.market !== undefined || values.side !== undefined;
  const chosen = isChosen ? selectionTyped(sides, values, problems) : undefined;
  if (chosen === undefined) {
    const waiting = (await waitingSelections(database, [game.id])).filter(
      ({ market }) => gradingScoreName(market, game.sport) !== 'final' || game.played === 'shortened',
    );
    return {
      ...{ title, lead: leadOf(game, path), refused: problems.size > 0 },
      body: html`${
        waiting.length > 0 &&
        section({
          ...{
            heading: 'Waiting',
            id: 'waiting',
            note: 'Bets in pending picks that the score does not decide.',
          },
          body: html`<div class="sides">
${waiting.map(({ market, subject, side, lineE3, picks }) => {
  const line = lineFromE3(lineE3);
  return choice({
    title: shortWords(sides, { market, subject, side, line }),
    note: `${picks} ${picks === 1 ? 'pick' : 'picks'}`,
    path: pathWith(path, { ...kept, market, subject, side, line: line === null ? undefined : String(line) }),
  });
})}</div>`,
        })
      }${section({
        ...{ heading: 'Another bet', id: 'other' },
        body: stepForm({
          ...{ path, values, kept, problems, submit: 'Continue' },
          fields: selectionFields(sides),
        }),
      })}`,
    };
  }
  const { market, subject, side } = chosen;
  const lined = hasLine(game.sport, market);
  const line: Field = {
    ...{ name: 'line', label: 'Line' },
    ...(lined === undefined ? { optional: true, hint: 'Leave empty if the bet has no line.' } : {}),
  };
  const result: Field = {
    ...{ name: 'result', label: 'Result' },
    options: results.map((value) => ({ value, label: labelOf('result', value) })),
  };
  const half: Field = {
    ...{ name: 'half', label: 'Half the stake only', optional: true, options: yesOrNo, value: 'no' },
    hint: 'For a quarter line, when the other half was returned.',
  };
  if (values.review !== undefined) {
    const points = lined === false ? null : (readField(problems, values, line, lineTyped) ?? null);
    const outcome = readField(problems, values, result, oneOf(results));
    const isHalf = readField(problems, values, half, oneOf(['yes', 'no'])) === 'yes';
    const selection: Selection = { ...chosen, line: points };
    const fault = problems.size === 0 ? faultOf(sides, selection) : undefined;
    if (fault !== undefined) problems.set('row', { fault });
    const row = defined({
      ...{ ...nameOf(game), market, subject: subject ?? undefined, side, line: points ?? undefined },
      ...{ result: outcome, half: isHalf ? true : undefined },
    });
    if (problems.size === 0) addFaults(problems, checkResult(row));
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row, submit: 'Set this result', back: without(values, 'review') },
        warning: 'The first result stands. It settles the picks on the bet, and the settlements are sealed.',
        details: [
          ...gameDetails(game.sport, game.name, game.startsAt),
          ['Bet', html`<strong>${selectionWords(sides, selection)}</strong>`],
          ...selectionDetails(sides, selection),
          ['Result', `${isHalf ? 'Half ' : ''}${labelOf('result', outcome!)}`],
        ],
      });
  }
  return fieldsStep(context, {
    ...{ title, problems, lead: leadOf(game, path) },
    heading: shortWords(sides, {
      ...chosen,
      line: values.line === undefined ? null : Number(values.line),
    }),
    fields: [...(lined === false ? [] : [line]), result, half],
    kept: { ...kept, market, subject: subject ?? undefined, side, review: 'yes' },
  });
}

export async function statsStep(context: StepContext, game: Game, title: string): Promise<Step> {
  const { path, values } = context;
  const { players } = await sidesOf(context, game);
  const player: Field = {
    ...{ name: 'player', label: 'Player', maxLength: 80 },
    suggestions: players.slice(0, 300).map(({ name }) => ({ value: name, label: name })),
  };
  const played: Field = { name: 'played', label: 'Played', options: yesOrNo };
  const own = statsOfSports.get(game.sport) ?? new Set();
  const figures = statNames
    .filter((name) => own.has(name))
    .map((name): Field => ({ name: statField(name), label: plain(name), optional: true, keys: 'numeric' }));
  const problems: Problems = new Map();
  if (values.review !== undefined) {
    const row = defined({
      ...nameOf(game),
      player: readField(problems, values, player, (text) => ({ value: text })),
      played: readField(problems, values, played, flagTyped),
      ...Object.fromEntries(
        figures.map((field) => [field.name, readField(problems, values, field, countTyped)]),
      ),
    });
    if (problems.size === 0) addFaults(problems, checkStats(row));
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row, submit: 'Set these statistics', back: without(values, 'review') },
        warning: 'The first value of each statistic stands. It grades picks on the player.',
        details: [
          ...gameDetails(game.sport, game.name, game.startsAt),
          ...detailsOf([player, played, ...figures], values),
        ],
      });
  }
  return fieldsStep(context, {
    ...{ title, heading: 'Player', problems, lead: leadOf(game, path) },
    fields: [player, played, ...figures],
    kept: { game: String(game.id), review: 'yes' },
  });
}

export async function addGameStep(context: StepContext): Promise<Step> {
  const { database, now, path, values } = context;
  const title = 'Add a game';
  const sports = [...(await moneylineWays(database)).keys()];
  const sport: Field = {
    ...{ name: 'sport', label: 'Sport' },
    options: sports.map((value) => ({ value, label: sportTag(value) })),
  };
  const [away, home]: [Field, Field] = [
    { name: 'away', label: 'Away team', hint: 'Any name, such as Lakers, LAL, or Los Angeles Lakers.' },
    { name: 'home', label: 'Home team', hint: 'At a neutral site, the team or player named second.' },
  ];
  const zone: Field = {
    ...{ name: 'zone', label: 'Time zone', value: zones[0].text },
    options: zones.map(({ text, label }) => ({ value: text, label })),
  };
  const words: Field = {
    ...{ name: 'start', label: 'Or the start in words', optional: 'silently' },
    hint: 'Such as Nov 27 7pm, or tomorrow 19:30 CT.',
  };
  const competition: Field = { name: 'competition', label: 'Competition', optional: true, maxLength: 100 };
  const problems: Problems = new Map();
  if (values.review !== undefined) {
    const chosen = readField(problems, values, sport, oneOf(sports));
    const zoneName = values.zone ?? zones[0].text;
    const startsAt =
      values.start === undefined
        ? accept(problems, 'date', pickedInstant(values.date ?? '', values.time ?? '', zoneName))
        : readField(problems, values, words, (text) => instantTyped(text, zoneName, now));
    if (values.start !== undefined && (values.date !== undefined || values.time !== undefined))
      problems.set('start', { fault: 'Enter the start either as date and time, or in words.' });
    const given = [away, home].map((field) =>
      readField(problems, values, field, (text) => ({ value: text })),
    );
    const teams = chosen === undefined ? undefined : await readTeams(database, chosen);
    const named = teams && namedTeams(problems, teams, given[0], given[1]);
    if (named !== undefined && startsAt !== undefined && problems.size === 0) {
      const row = defined({
        ...{ sport: chosen, game: gameTitle(named, teams!), startsAt: iso(startsAt), status: 'scheduled' },
        competition: values.competition,
      });
      const checked = checkGame(row);
      addFaults(problems, checked);
      if (checked.ok)
        return reviewStep(path, {
          ...{ title, row, submit: 'Add this game', back: without(values, 'review') },
          warning: 'The name and the first announced start cannot be changed later.',
          doubts: [
            ...[named.away, named.home]
              .filter((name) => !teams!.knows(name))
              .map((name) => doubtOf(name, chosen!)),
            ...((await findGames(database, [checked.value])).has(gameKey(checked.value))
              ? ['This game already exists.']
              : []),
          ],
          details: [
            ['Game', `${sportTag(chosen!)}: ${row.game}`],
            ...startDetails(startsAt),
            ['Status', labelOf('gameStatus', 'scheduled')],
            ...detailsOf([competition], values),
          ],
        });
    }
  }
  return fieldsStep(context, {
    ...{ title, heading: 'Game', problems },
    fields: [
      ...[sport, away, home],
      { name: 'date', label: 'Start date', kind: 'date', optional: 'silently' },
      { name: 'time', label: 'Start time', kind: 'time', optional: 'silently' },
      ...[zone, words, competition],
    ],
    kept: { review: 'yes' },
  });
}

/** Resolves the names of the teams. In a closed league, an unknown name is a problem with similar teams as choices. */
function namedTeams(
  problems: Problems,
  teams: Teams,
  away: string | undefined,
  home: string | undefined,
): { away: string; home: string } | undefined {
  if (away === undefined || home === undefined) return undefined;
  if (teams.keyOf(away) === teams.keyOf(home)) {
    problems.set('home', { fault: 'Enter two different teams.' });
    return undefined;
  }
  if (unknownTeam({ away, home }, teams) !== undefined)
    for (const [field, name] of Object.entries({ away, home }))
      if (!teams.knows(name)) problems.set(field, unknownName(name, teams.sport));
  return { away, home };
}

/** Returns a warning that a name is unknown and will be used as written. */
function doubtOf(name: string, sport: string): string {
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
