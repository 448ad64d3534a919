import { sportTag } from '../boards/formats/pick-text.ts';
import { betGame } from '../games/bet-games.ts';
import { checkGame, findGames, type Game, gameKey, moneylineWays } from '../games/game.ts';
import { readTeams } from '../games/names/aliases.ts';
import { gameTitle, similarTeams, type Teams, unknownTeam } from '../games/names/teams.ts';
import { readFixture } from '../games/names/title.ts';
import { checkResult } from '../games/results.ts';
import { checkStats, statField, statsOfSports } from '../games/stats.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf, plain } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { iso, isoOrNull } from '../platform/clock.ts';
import { lineFromE3 } from '../rules/fixed-point.ts';
import { statNames } from '../rules/markets/player-markets.ts';
import { playedValues } from '../rules/played.ts';
import { writtenSets } from '../rules/sets.ts';
import { gradingScoreName } from '../rules/units.ts';
import { gameStatuses, results } from '../rules/vocabulary.ts';
import { waitingSelections } from '../sources/waiting.ts';
import {
  choice,
  defined,
  type Field,
  factsOf,
  flagTyped,
  noteFaults,
  oneOf,
  type Problems,
  stepForm,
  taken,
  takenFrom,
  without,
  yesOrNo,
} from './fields.ts';
import {
  faultOf,
  hasLine,
  type Selection,
  type Sides,
  selectionFacts,
  selectionFields,
  selectionTyped,
  selectionWords,
  shortWords,
  sidesNamed,
} from './selections.ts';
import { fieldsStep, gameFacts, reviewStep, type Step, type StepContext, startFacts } from './steps.ts';
import { countTyped, instantTyped, lineTyped, pickedInstant, type Typed, zones } from './typed.ts';

/** What names a game in a row. */
function nameOf({ sport, name, announcedStart }: Game) {
  return { sport, game: name, startsAt: isoOrNull(announcedStart) };
}

function leadOf({ sport, name, startsAt }: Game, path: string): Html {
  const start = startsAt === null ? 'no start' : fullText(iso(startsAt));
  return html`${sportTag(sport)}: ${name}, ${start} <a href="${path}">Another game</a>`;
}

export async function scoreStep({ path, values }: StepContext, game: Game, title: string): Promise<Step> {
  const teams = readFixture(game.name, game.sport) ?? { away: 'Away', home: 'Home' };
  const isTennis = game.sport === 'tennis';
  const status: Field = {
    ...{ name: 'status', label: 'The game is' },
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
    hint: `The games of each set, ${teams.home} first, such as 6-4 3-6 7-6.`,
  };
  const played: Field = {
    ...{ name: 'played', label: 'How much was played', optional: true },
    hint: 'Empty: nobody said, so all of it.',
    options: playedValues.map((value) => ({ value, label: plain(value) })),
  };
  const periods: Field = {
    ...{ name: 'periods', label: 'Periods played', optional: true, keys: 'decimal' },
    hint: 'Of a shortened game, such as 5 innings or 3.75 quarters.',
  };
  const problems: Problems = new Map();
  if (values.review !== undefined) {
    const chosen = takenFrom(problems, values, status, oneOf(gameStatuses));
    const count = (field: Field) => takenFrom(problems, values, field, countTyped);
    const [awayScore, homeScore, awayHalfScore, homeHalfScore] = [...scores, ...halves].map(count);
    const given = {
      ...{ awayScore, homeScore, awayHalfScore, homeHalfScore },
      sets: takenFrom(problems, values, sets, setsTyped),
      played: takenFrom(problems, values, played, oneOf(playedValues)),
      periods: takenFrom(problems, values, periods, numberTyped),
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
    if (problems.size === 0) noteFaults(problems, checkGame(row));
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row, submit: 'Save', back: without(values, 'review') },
        warning:
          chosen === 'final' || chosen === 'cancelled'
            ? 'A final or canceled game stays so, and the picks on it are graded by this.'
            : 'The picks on the game follow what becomes of it.',
        facts: [
          ...gameFacts(game.sport, game.name, game.startsAt),
          ['The game is', labelOf('gameStatus', chosen!)],
          ...factsOf([...scores, ...halves, sets, played, periods], values),
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
    ? { fault: 'Write the games of each set, such as 6-4 3-6 7-6.' }
    : { value: sets };
}

function numberTyped(text: string): Typed<number> {
  return /^\d{1,2}(\.\d{1,3})?$/.test(text)
    ? { value: Number(text) }
    : { fault: 'Write a number, such as 5.5.' };
}

/** The opponents and players of a game, with which its selections are named. */
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
            note: 'Bets of pending picks that the score does not grade.',
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
    ...(lined === undefined ? { optional: true, hint: 'Empty if the bet has none.' } : {}),
  };
  const result: Field = {
    ...{ name: 'result', label: 'Result' },
    options: results.map((value) => ({ value, label: labelOf('result', value) })),
  };
  const half: Field = {
    ...{ name: 'half', label: 'Half of the stake only', optional: true, options: yesOrNo, value: 'no' },
    hint: 'Of a quarter line, where the other half came back.',
  };
  if (values.review !== undefined) {
    const points = lined === false ? null : (takenFrom(problems, values, line, lineTyped) ?? null);
    const outcome = takenFrom(problems, values, result, oneOf(results));
    const isHalf = takenFrom(problems, values, half, oneOf(['yes', 'no'])) === 'yes';
    const selection: Selection = { ...chosen, line: points };
    const fault = problems.size === 0 ? faultOf(sides, selection) : undefined;
    if (fault !== undefined) problems.set('row', { fault });
    const row = defined({
      ...{ ...nameOf(game), market, subject: subject ?? undefined, side, line: points ?? undefined },
      ...{ result: outcome, half: isHalf ? true : undefined },
    });
    if (problems.size === 0) noteFaults(problems, checkResult(row));
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row, submit: 'Set this result', back: without(values, 'review') },
        warning: 'The first result stands: picks on the bet settle by it, and the settlements are sealed.',
        facts: [
          ...gameFacts(game.sport, game.name, game.startsAt),
          ['Bet', html`<strong>${selectionWords(sides, selection)}</strong>`],
          ...selectionFacts(sides, selection),
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
  const played: Field = { name: 'played', label: 'Did they play?', options: yesOrNo };
  const own = statsOfSports.get(game.sport) ?? new Set();
  const figures = statNames
    .filter((name) => own.has(name))
    .map((name): Field => ({ name: statField(name), label: plain(name), optional: true, keys: 'numeric' }));
  const problems: Problems = new Map();
  if (values.review !== undefined) {
    const row = defined({
      ...nameOf(game),
      player: takenFrom(problems, values, player, (text) => ({ value: text })),
      played: takenFrom(problems, values, played, flagTyped),
      ...Object.fromEntries(
        figures.map((field) => [field.name, takenFrom(problems, values, field, countTyped)]),
      ),
    });
    if (problems.size === 0) noteFaults(problems, checkStats(row));
    if (problems.size === 0)
      return reviewStep(path, {
        ...{ title, row, submit: 'Set these statistics', back: without(values, 'review') },
        warning: 'The first value of each statistic stands, and picks on the player are graded by it.',
        facts: [
          ...gameFacts(game.sport, game.name, game.startsAt),
          ...factsOf([player, played, ...figures], values),
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
    { name: 'away', label: 'Away team', hint: 'As you call it: Lakers, LAL, or Los Angeles Lakers.' },
    { name: 'home', label: 'Home team', hint: 'Of a match without one, the player or team named second.' },
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
    const chosen = takenFrom(problems, values, sport, oneOf(sports));
    const zoneName = values.zone ?? zones[0].text;
    const startsAt =
      values.start === undefined
        ? taken(problems, 'date', pickedInstant(values.date ?? '', values.time ?? '', zoneName))
        : takenFrom(problems, values, words, (text) => instantTyped(text, zoneName, now));
    if (values.start !== undefined && (values.date !== undefined || values.time !== undefined))
      problems.set('start', { fault: 'Give the start either with date and time, or in words.' });
    const given = [away, home].map((field) =>
      takenFrom(problems, values, field, (text) => ({ value: text })),
    );
    const teams = chosen === undefined ? undefined : await readTeams(database, chosen);
    const named = teams && namedTeams(problems, teams, given[0], given[1]);
    if (named !== undefined && startsAt !== undefined && problems.size === 0) {
      const row = defined({
        ...{ sport: chosen, game: gameTitle(named, teams!), startsAt: iso(startsAt), status: 'scheduled' },
        competition: values.competition,
      });
      const checked = checkGame(row);
      noteFaults(problems, checked);
      if (checked.ok)
        return reviewStep(path, {
          ...{ title, row, submit: 'Add this game', back: without(values, 'review') },
          warning: 'A game keeps its name and its first announced start.',
          doubts: [
            ...[named.away, named.home]
              .filter((name) => !teams!.knows(name))
              .map((name) => doubtOf(name, chosen!)),
            ...((await findGames(database, [checked.value])).has(gameKey(checked.value))
              ? ['This game is there already.']
              : []),
          ],
          facts: [
            ['Game', `${sportTag(chosen!)}: ${row.game}`],
            ...startFacts(startsAt),
            ['The game is', labelOf('gameStatus', 'scheduled')],
            ...factsOf([competition], values),
          ],
        });
    }
  }
  return fieldsStep(context, {
    ...{ title, heading: 'Game', problems },
    fields: [
      ...[sport, away, home],
      { name: 'date', label: 'Date of the start', kind: 'date', optional: 'silently' },
      { name: 'time', label: 'Time of the start', kind: 'time', optional: 'silently' },
      ...[zone, words, competition],
    ],
    kept: { review: 'yes' },
  });
}

/** The teams whom names mean. A closed league says which of its teams a name that it does not have may be. */
function namedTeams(
  problems: Problems,
  teams: Teams,
  away: string | undefined,
  home: string | undefined,
): { away: string; home: string } | undefined {
  if (away === undefined || home === undefined) return undefined;
  if (teams.keyOf(away) === teams.keyOf(home)) {
    problems.set('home', { fault: 'A team does not play against itself.' });
    return undefined;
  }
  if (unknownTeam({ away, home }, teams) !== undefined)
    for (const [field, name] of Object.entries({ away, home }))
      if (!teams.knows(name)) problems.set(field, unknownName(name, teams.sport));
  return { away, home };
}

/** Says that a name is taken as it is written. */
function doubtOf(name: string, sport: string): string {
  const similar = similarTeams(name, sport);
  const near = similar.length === 0 ? '' : ` Similar: ${similar.join(', ')}.`;
  return `No list of ${sportTag(sport)} teams has ${name}: check the spelling.${near}`;
}

function unknownName(name: string, sport: string) {
  const similar = similarTeams(name, sport);
  if (similar.length === 0) return { fault: `${sportTag(sport)} has no team ${name}. Check the name.` };
  return {
    why: `${sportTag(sport)} has no team ${name}.`,
    choices: similar.map((team) => ({ label: team, text: team })),
  };
}
