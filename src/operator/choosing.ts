import { sportTag, utcText } from '../boards/formats/pick-text.ts';
import { type Capper, cappersNamed, listCappers } from '../cappers/cappers.ts';
import { pastBetGames, type StoredBetGame } from '../games/bet-games.ts';
import { type Game, gameById } from '../games/game.ts';
import { openGamesBetween } from '../games/open-bets.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { empty, section } from '../pages/parts/section.ts';
import { dayText, fullText, unknownStart, when } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { nameKey } from '../rules/plain-name.ts';
import { sportMeant } from '../rules/sport-words.ts';
import type { Typed } from '../rules/typed-numbers.ts';
import { readWaiting } from '../sources/waiting.ts';
import { choice, type Field, type Option, type Problems, stepForm, type Values } from './fields.ts';
import { accept, type Details, fieldsStep, type Step, type StepContext } from './row-form.ts';

/** Maximum number of cappers suggested. Others can be typed. */
const maxListed = 500;

export async function capperOptions(database: Database): Promise<Option[]> {
  const cappers = await listCappers(database, maxListed);
  return cappers.map(({ handle, displayName }) => ({ value: handle, label: displayName ?? handle }));
}

export async function capperField(database: Database): Promise<Field> {
  const suggestions = await capperOptions(database);
  return { name: 'capper', label: 'Capper', hint: 'Name or handle.', suggestions };
}

/** Finds the capper that a text names, by handle or display name. */
export async function capperTyped(database: Database, text: string): Promise<Typed<Capper>> {
  const { exact, cappers } = await cappersNamed(database, text);
  const [only] = cappers;
  if (only === undefined)
    return { fault: `No capper is named ${text}. Check the name, or add the capper first.` };
  if (exact && cappers.length === 1) return { value: only };
  return {
    why: exact ? `Several cappers are named ${text}.` : `No capper is named exactly ${text}.`,
    choices: cappers.map((capper) => ({ label: capperText(capper), text: capper.handle })),
  };
}

export function capperText({ handle, displayName, tier }: Capper): string {
  const name = displayName === null || displayName === handle ? handle : `${displayName} (${handle})`;
  return `${name}, ${labelOf('tier', tier).toLowerCase()}`;
}

/** Returns a game and its start in both zones, labeled. */
export function gameDetails(sport: string, name: string, startsAt: number | null): Details {
  return [['Game', `${sportTag(sport)}: ${name}`], ...startDetails(startsAt)];
}

export function startDetails(startsAt: number | null): Details {
  if (startsAt === null) return [['Start', 'not announced']];
  return [
    ['Start', fullText(iso(startsAt))],
    ['Start in UTC', utcText(iso(startsAt))],
  ];
}

/** Period before and after now in which a search finds games, in milliseconds. */
const searchMs = 14 * 86_400_000;

const maxGames = 300;

/** Maximum number of waiting games listed. */
const maxWaiting = 100;

/** Up to this many games are shown without folding. */
const unfolded = 24;

/**
 * Returns the step that chooses a game.
 * @param which `open`: games that take picks. `any`: past games too, those with waiting picks first
 */
export async function gameStep(
  context: StepContext,
  which: 'open' | 'any',
  { kept, before, ...step }: Omit<Step, 'body'> & { kept: Values; before?: Html | undefined },
): Promise<Step> {
  const { database, now, path, values } = context;
  const { q, day } = values;
  const problems: Problems = new Map();
  if (day !== undefined && !isDay(day)) problems.set('day', { fault: 'Choose a day, such as 2026-11-27.' });
  const span = spanOf(which, values, now);
  const found = await (which === 'open'
    ? openGamesBetween(database, span.from, span.to, now)
    : pastBetGames(database, span.from, span.to));
  const games = q === undefined ? found : found.filter((game) => isNamed(game, q));
  const waiting =
    which === 'any' && q === undefined && day === undefined
      ? await readWaiting(database, now, { limit: maxWaiting })
      : [];
  const link = (id: number) => pathWith(path, { ...kept, game: String(id) });
  const start = (at: number | null, day: string | null) =>
    at === null ? unknownStart({ day }) : when(iso(at), now);
  return {
    ...step,
    refused: step.refused === true || problems.size > 0,
    body: html`${before}${
      waiting.length > 0 &&
      section({
        heading: 'Waiting',
        id: 'waiting',
        note: 'Picks on these games need attention.',
        body: html`${waiting.map(({ id, sport, name, startsAt, day, reasons }) =>
          choice({
            title: `${sportTag(sport)}: ${name}`,
            note: html`${start(startsAt, day)}; ${reasons.join('; ')}`,
            path: link(id),
          }),
        )}`,
      })
    }${section({
      heading: 'Games',
      id: 'games',
      note: `${span.text} Times are Eastern.`,
      links: [{ path: '/forms/games', label: 'Add a game' }],
      body: html`${stepForm({
        path,
        values,
        kept,
        problems,
        submit: 'Find',
        fields: [
          {
            name: 'q',
            label: 'Team or sport',
            kind: 'search',
            optional: true,
            hint: 'Any team name, such as Lakers or LAL.',
          },
          { name: 'day', label: 'Day', kind: 'date', optional: true },
        ],
      })}${gameList(games, link, start)}${
        games.length === 0 &&
        empty(
          q === undefined
            ? `No game ${which === 'open' ? 'takes picks' : 'starts'} on these days. Choose another day, search by team, or add the game.`
            : html`No game matches <bdi>${q}</bdi>. Check the name, choose a day, or add the game.`,
        )
      }`,
    })}`,
  };
}

function isDay(text: string): boolean {
  return /^20\d{2}-\d{2}-\d{2}$/.test(text) && !Number.isNaN(Date.parse(`${text}T00:00:00Z`));
}

/**
 * Returns the period in which games are listed, in epoch milliseconds: the chosen day, a few weeks for a search, or the days around today.
 */
export function spanOf(
  which: 'open' | 'any',
  { q, day }: Values,
  now: number,
): { from: number; to: number; text: string } {
  if (day !== undefined && isDay(day))
    return { from: etDayStart(day), to: etDayStart(addDays(day, 1)), text: `${dayText(day)}.` };
  const today = etDay(now);
  if (which === 'open')
    return q === undefined
      ? { from: now, to: etDayStart(addDays(today, 2)), text: 'Today and tomorrow.' }
      : { from: now, to: now + searchMs, text: 'The next two weeks.' };
  return q === undefined
    ? {
        from: etDayStart(addDays(today, -1)),
        to: etDayStart(addDays(today, 1)),
        text: 'Yesterday and today.',
      }
    : { from: now - searchMs, to: now + searchMs, text: 'The last and next two weeks.' };
}

/** Reports whether a text names a team of the game, or its sport. */
function isNamed({ sport, away, home, game }: StoredBetGame, text: string): boolean {
  const key = nameKey(text);
  if (sport === text.toLowerCase() || sportMeant(text)?.sports.includes(sport) === true) return true;
  return [game, away.name, home.name, ...away.names, ...home.names].some((name) =>
    nameKey(name).includes(key),
  );
}

/** Renders games by sport, folded if there are many. */
function gameList(
  games: readonly StoredBetGame[],
  link: (id: number) => string,
  start: (at: number | null, day: string | null) => Html | string,
): Html {
  const shown = games.slice(0, maxGames);
  const bySport = Map.groupBy(shown, ({ sport }) => sport);
  return html`${[...bySport].map(
    ([
      sport,
      own,
    ]) => html`<details class="games"${shown.length <= unfolded && html` open`}><summary><strong>${sportTag(sport)}</strong> <small>${own.length}</small></summary>
<div class="sides">
${own.map((game) =>
  choice({
    title: game.game,
    note: html`${start(game.hasStart ? game.begins : null, game.day ?? null)}${stateOf(game)}`,
    path: link(game.id),
  }),
)}</div></details>
`,
  )}${games.length > maxGames && html`<p class="hint">Not all games are listed. Search by team.</p>`}`;
}

function stateOf({ status, awayScore, homeScore }: StoredBetGame): string {
  if (status === 'scheduled') return '';
  const label = labelOf('gameStatus', status).toLowerCase();
  return status === 'final' ? `, ${label} ${awayScore}-${homeScore}` : `, ${label}`;
}

export function gameId({ game }: Values): number | undefined {
  return game !== undefined && /^[1-9]\d{0,14}$/.test(game) ? Number(game) : undefined;
}

export const ofGame =
  (step: (context: StepContext, game: Game) => Promise<Step>) =>
  async (context: StepContext): Promise<Step> => {
    const id = gameId(context.values);
    const game = id === undefined ? undefined : await gameById(context.database, id);
    if (game !== undefined) return step(context, game);
    return gameStep(context, 'any', { kept: {}, lead: 'Choose the game.' });
  };

export const ofCapper =
  (step: (context: StepContext, capper: Capper) => Promise<Step>) =>
  async (context: StepContext): Promise<Step> => {
    const { database, values } = context;
    const problems: Problems = new Map();
    const typed = values.capper === undefined ? undefined : await capperTyped(database, values.capper);
    const capper = typed && accept(problems, 'capper', typed);
    if (capper !== undefined) return step(context, capper);
    return askCapper(context, problems, [await capperField(database)]);
  };

export function askCapper(context: StepContext, problems: Problems, fields: readonly Field[]): Step {
  const links = [{ path: '/forms/cappers', label: 'Add a capper' }];
  const heading = fields.length === 1 ? 'Capper' : 'Capper and pick';
  return fieldsStep(context, problems, { heading, links, submit: 'Continue', fields });
}
