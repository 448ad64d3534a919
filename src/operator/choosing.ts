// Aids of forms: links and lists from which an operator chooses a capper, a game, or a bet instead of typing its fields.

import { oddsText } from '../boards/formats/odds-text.ts';
import { sportTag } from '../boards/formats/pick-text.ts';
import { type Capper, cappersNamed, listCappers } from '../cappers/cappers.ts';
import { pastBetGames, type StoredBetGame } from '../games/bet-games.ts';
import { type Game, gameById } from '../games/game.ts';
import { readFixture } from '../games/names/title.ts';
import { openGamesBetween, pricedBets } from '../games/open-bets.ts';
import { type Html, html } from '../pages/html.ts';
import { labelOf, marketLabel } from '../pages/labels.ts';
import { choice, type Option, type Problems, type Values } from '../pages/parts/fields.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { empty, section } from '../pages/parts/section.ts';
import { dayText, fullText, unknownStart, when } from '../pages/times.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { betWords } from '../rules/bet-text/print.ts';
import { bookName } from '../rules/book-words.ts';
import { addDays, etDay, etDayStart } from '../rules/et-day.ts';
import { marketIn, markets } from '../rules/markets/index.ts';
import { playerMarkets } from '../rules/markets/player-markets.ts';
import { nameKey } from '../rules/plain-name.ts';
import { sportMeant } from '../rules/sport-words.ts';
import { withSign } from '../rules/written-numbers.ts';
import {
  type FormKind,
  type Input,
  inputOf,
  type RowForm,
  type Step,
  type StepContext,
  stepForm,
} from './form.ts';

/** Maximum number of cappers suggested. Others can be typed. */
const maxCappers = 500;

export async function capperOptions(database: Database): Promise<Option[]> {
  const cappers = await listCappers(database, maxCappers);
  return cappers.map(({ handle, displayName }) => ({ value: handle, label: displayName ?? handle }));
}

/** Returns the input for the capper of a row, by handle or display name. @param isVerified whether only verified ones are accepted */
export async function capperInput(kind: FormKind, database: Database, isVerified = false): Promise<Input> {
  return inputOf(kind, 'capperHandle', {
    hint: 'Name or handle.',
    maxLength: 100,
    suggestions: await capperOptions(database),
    async read(text) {
      const { exact, cappers } = await cappersNamed(database, text);
      const [only] = cappers;
      if (only === undefined)
        return { fault: `No capper is named ${text}. Check the name, or add the capper first.` };
      if (!exact || cappers.length > 1)
        return {
          why: exact ? `Several cappers are named ${text}.` : `No capper is named exactly ${text}.`,
          choices: cappers.map((capper) => ({ label: capperText(capper), text: capper.handle })),
        };
      if (isVerified && !only.verified)
        return { fault: `${only.handle} is not verified. Verify the capper before posting.` };
      return { value: only.handle, said: capperText(only) };
    },
  });
}

export function capperText({ handle, displayName, tier }: Capper): string {
  const name = displayName === null || displayName === handle ? handle : `${displayName} (${handle})`;
  return `${name}, ${labelOf('tier', tier).toLowerCase()}`;
}

/** Period before and after now in which a search finds games, in milliseconds. */
const searchMs = 14 * 86_400_000;

const maxGames = 300;

/** Up to this many games are shown without folding. */
const unfolded = 24;

/**
 * Returns the step that chooses a game.
 * @param which `open`: games that take picks. `any`: past games too
 */
export async function gameStep(
  { database, now, path, values }: StepContext,
  which: 'open' | 'any',
  { kept = {}, before, ...step }: Omit<Step, 'body'> & { kept?: Values; before?: Html } = {},
): Promise<Step> {
  const { q, day } = values;
  const problems: Problems = new Map();
  if (day !== undefined && !isDay(day)) problems.set('day', { fault: 'Choose a day, such as 2026-11-27.' });
  const span = spanOf(which, values, now);
  const found = await (which === 'open'
    ? openGamesBetween(database, span.from, span.to, now)
    : pastBetGames(database, span.from, span.to));
  const games = q === undefined ? found : found.filter((game) => isNamed(game, q));
  const gameChoice = (game: StoredBetGame) =>
    choice({
      title: game.game,
      note: html`${game.hasStart ? when(iso(game.begins), now) : unknownStart({ day: game.day ?? null })}${stateOf(game)}`,
      path: pathWith(path, { ...kept, game: String(game.id) }),
    });
  const shown = games.slice(0, maxGames);
  return {
    ...step,
    refused: step.refused === true || problems.size > 0,
    body: html`${before}${section({
      heading: 'Games',
      id: 'games',
      note: `${span.text} Times are Eastern.`,
      links: [
        { path: '/forms/games', label: 'Add a game' },
        ...(which === 'any' ? [{ path: '/#waiting', label: 'Waiting picks' }] : []),
      ],
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
      })}${[...Map.groupBy(shown, ({ sport }) => sport)].map(([sport, own]) =>
        folded(sportTag(sport), own.map(gameChoice), shown.length <= unfolded),
      )}${games.length > maxGames && html`<p class="hint">Not all games are listed. Search by team.</p>`}${
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

function folded(title: string, choices: readonly Html[], isOpen: boolean): Html {
  return html`<details class="games"${isOpen && html` open`}><summary><strong>${title}</strong> <small>${choices.length}</small></summary>
<div class="sides">
${choices}</div></details>
`;
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

function stateOf({ status, awayScore, homeScore }: StoredBetGame): string {
  if (status === 'scheduled') return '';
  const label = labelOf('gameStatus', status).toLowerCase();
  return status === 'final' ? `, ${label} ${awayScore}-${homeScore}` : `, ${label}`;
}

export function gameId({ game }: Values): number | undefined {
  return game !== undefined && /^[1-9]\d{0,14}$/.test(game) ? Number(game) : undefined;
}

/** Names the game of a form, with a link to the step that chooses another. */
export function gameLead(path: string, sport: string, name: string, start: string): Html {
  return html`${sportTag(sport)}: ${name}, ${start} <a href="${path}">Another game</a>`;
}

/** Returns the form of a row about a game that is chosen first. */
export const ofGame =
  (form: (context: StepContext, game: Game) => Promise<Omit<RowForm, 'lead'>>) =>
  async (context: StepContext): Promise<RowForm | Step> => {
    const id = gameId(context.values);
    const game = id === undefined ? undefined : await gameById(context.database, id);
    if (game === undefined) return gameStep(context, 'any', { lead: 'Choose the game.' });
    const { sport, name, startsAt, day } = game;
    const start = startsAt === null ? unknownStart({ day }) : fullText(iso(startsAt));
    return {
      ...(await form(context, game)),
      kept: { game: String(id) },
      lead: gameLead(context.path, sport, name, start),
    };
  };

/** A game with what is known of its sides and players. */
export type Sides = Pick<Game, 'sport' | 'name'> & { known: StoredBetGame | undefined };

export interface Selection {
  market: string;
  subject?: string | null | undefined;
  side: string;
  line?: number | null | undefined;
}

/** Writes a selection beside the title of its game. */
export function selectionWords({ sport, name }: Pick<Sides, 'sport' | 'name'>, selection: Selection): string {
  const { subject = null, line = null, ...bet } = selection;
  const words = betWords(
    { sport, subject, ...bet },
    line === null ? [] : [line],
    readFixture(name, sport) ?? undefined,
  );
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

export function selectionValues({ market, subject, side, line }: Selection): Values {
  const written = line == null ? undefined : market.endsWith('spread') ? withSign(line) : String(line);
  return { market, subject: subject ?? undefined, side, line: written };
}

/** Returns the inputs of a selection, which take any words. */
export function selectionInputs(kind: FormKind, { sport, known }: Sides): Input[] {
  const declared = [...markets, ...playerMarkets].filter(({ name }) => marketIn(sport, name) !== undefined);
  const sides = known === undefined ? [] : [known.away.name, known.home.name];
  const named = (names: readonly string[]) => names.map((name) => ({ value: name, label: name }));
  return [
    inputOf(kind, 'market', {
      hint: 'Such as moneyline, spread, team total, points, or first half total.',
      suggestions: named(declared.map(({ label }) => label)),
    }),
    inputOf(kind, 'subject', {
      suggestions: named((known?.players ?? []).slice(0, 200).map(({ name }) => name)),
    }),
    inputOf(kind, 'side', {
      hint: 'Over, under, yes, no, a team, or home or away.',
      optional: undefined,
      suggestions: named([
        ...sides,
        ...(known?.moneylineWays === 3 ? ['Draw'] : []),
        'Over',
        'Under',
        'Yes',
        'No',
      ]),
      read: (text) => ({ value: sideOf(known, text) }),
    }),
    inputOf(kind, 'line'),
  ];
}

/** Converts a team's name to its side. Other texts stay as they are. */
function sideOf(known: StoredBetGame | undefined, text: string): string {
  const key = nameKey(text);
  const has = ({ name, names }: StoredBetGame['away']) =>
    [name, ...names].some((one) => nameKey(one) === key);
  if (known === undefined || has(known.away) === has(known.home)) return text;
  return has(known.away) ? 'away' : 'home';
}

/** Renders a link for each selection of a game with stored odds, and for those that always exist. */
export async function betChoices(
  { database, path }: StepContext,
  game: StoredBetGame,
  kept: Values,
): Promise<Html> {
  const { onGame, onSubjects } = await pricedBets(database, game);
  const link = (bet: (typeof onSubjects)[number]) =>
    choice({
      title: selectionWords({ sport: game.sport, name: `${game.away.name} @ ${game.home.name}` }, bet),
      note:
        bet.oddsAmerican === null
          ? 'no odds yet'
          : `${oddsText(bet.oddsAmerican)} at ${bookName(bet.book!)}, seen ${fullText(iso(bet.seenAt!))}`,
      path: pathWith(path, { ...kept, ...selectionValues(bet), ...priceValues(bet) }),
    });
  const byMarket = Map.groupBy(onGame, ({ market }) => marketLabel(market));
  const bySubject = Map.groupBy(onSubjects, ({ subject }) => subject!);
  return html`${[...byMarket].map(([market, bets]) =>
    folded(
      market,
      bets.map((bet) => link({ ...bet, subject: null })),
      true,
    ),
  )}${[...bySubject].map(([subject, bets]) => folded(subject, bets.map(link), false))}`;
}

export function priceValues({
  oddsAmerican,
  book,
}: {
  oddsAmerican: number | null;
  book: string | null;
}): Values {
  return {
    oddsAmerican: oddsAmerican === null ? undefined : withSign(oddsAmerican),
    book: book === null ? undefined : bookName(book),
  };
}
