import { oddsText, otherOddsText } from '../boards/formats/odds-text.ts';
import { units } from '../boards/formats/pick-text.ts';
import type { Capper } from '../cappers/cappers.ts';
import { betGame, type StoredBetGame } from '../games/bet-games.ts';
import {
  openGamesBetween,
  type PricedBet,
  pricedBets,
  readOpenBets,
  takesPicks,
} from '../games/open-bets.ts';
import { pick as pickKind } from '../intake/pick.ts';
import { checkPicks } from '../ledger/grading/check-picks.ts';
import { html } from '../pages/html.ts';
import { marketLabel } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { iso, isoOrNull } from '../platform/clock.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { numberedText } from '../rules/bet-text/print.ts';
import { bookMeant, bookName, knownBooks } from '../rules/book-words.ts';
import { withSign } from '../rules/written-numbers.ts';
import { whenAsked } from '../sources/odds-api/when-asked.ts';
import {
  askCapper,
  capperField,
  capperText,
  capperTyped,
  gameDetails,
  gameId,
  gameStep,
  spanOf,
} from './choosing.ts';
import { alert, choice, type Field, type Problems, stepForm, type Values } from './fields.ts';
import { accept, type Input, inputOf, rowStep, type Step, type StepContext, type Tried } from './row-form.ts';
import {
  faultOf,
  hasLine,
  type Selection,
  selectionDetails,
  selectionFields,
  selectionTyped,
  selectionWords,
  shortWords,
} from './selections.ts';

export async function quickFields(database: StepContext['database']): Promise<Field[]> {
  return [
    await capperField(database),
    {
      ...lineField,
      label: 'The pick in one line',
      hint: 'Such as Lakers -3.5 -110 2u. Leave empty to choose a game.',
      optional: true,
    },
  ];
}

const lineField: Field = {
  name: 'text',
  label: 'The pick',
  hint: 'Such as Lakers -3.5 -110 2u, or over 8.5 Yankees Red Sox 1.91 1u.',
  maxLength: 300,
};

/** Returns the next step of posting a pick: capper, game, selection, odds and stake, then a review. */
export async function pickStep(context: StepContext): Promise<Step> {
  const { database, values } = context;
  const problems: Problems = new Map();
  const capper =
    values.capper === undefined
      ? undefined
      : accept(problems, 'capper', await capperTyped(database, values.capper));
  if (capper !== undefined && !capper.verified)
    problems.set('capper', {
      fault: `${capper.handle} is not verified. Verify the capper before posting.`,
    });
  if (capper === undefined || problems.size > 0)
    return askCapper(context, problems, await quickFields(database));
  if (values.text !== undefined && values.game === undefined) return textStep(context, capper, values.text);
  const id = gameId(values);
  if (id === undefined) return chooseGame(context, capper);
  const game = await betGame(database, id);
  if (game === undefined || !takesPicks(game, context.now))
    return chooseGame(
      context,
      capper,
      'This game takes no picks. It has started, has ended, or does not exist. Choose another.',
    );
  const kept = { capper: capper.handle, game: String(game.id) };
  const selection =
    values.market === undefined && values.side === undefined
      ? undefined
      : selectionTyped(game, values, problems);
  const fault = selection === undefined ? undefined : subjectFaultOf(game, selection);
  if (fault !== undefined) problems.set('subject', { fault });
  if (selection === undefined || problems.size > 0)
    return chooseSelection(context, capper, game, kept, problems);
  return priceStep(context, capper, game, selection);
}

/** Returns the fault of a selection whose line is not chosen yet. */
function subjectFaultOf(game: StoredBetGame, selection: Selection): string | undefined {
  return faultOf(game, { ...selection, line: hasLine(game.sport, selection.market) === true ? 0 : null });
}

/** Reads a pick from a line, among the games of the chosen day or of today and tomorrow. */
async function textStep(context: StepContext, capper: Capper, text: string): Promise<Step> {
  const { database, now, path, values } = context;
  const { from, to } = spanOf('open', { day: values.day }, now);
  const open = await openGamesBetween(database, from, to, now);
  const { why, bets } = readOpenBets(text, open);
  const [only] = bets;
  if (only === undefined)
    return chooseGame(context, capper, why ?? 'This line matches no bet on these games.');
  if (bets.length === 1)
    return priceStep(
      { ...context, values: valuesOf(capper, only.bet, only.game) },
      capper,
      only.game,
      only.bet,
      why ?? undefined,
    );
  return {
    lead: capperText(capper),
    body: section({
      heading: 'Which bet?',
      id: 'bets',
      note: html`<bdi>${text}</bdi>`,
      body: html`${why !== null && html`<p>${why}</p>`}${bets.map(({ bet, game }) =>
        choice({
          title: numberedText(bet, open),
          note: `${game.game}, ${fullText(iso(game.begins))}`,
          path: pathWith(path, valuesOf(capper, bet, game)),
        }),
      )}<p><a href="${pathWith(path, { capper: values.capper })}">Another bet</a></p>`,
    }),
  };
}

function valuesOf(capper: Capper, bet: BetReading, game: StoredBetGame): Values {
  const { market, subject, side, line, oddsAmerican, stakeUnits, book } = bet;
  const isWhole = oddsAmerican !== null && stakeUnits !== null;
  return {
    capper: capper.handle,
    game: String(game.id),
    market,
    subject: subject ?? undefined,
    side,
    line: numberText(line),
    oddsAmerican: oddsAmerican === null ? undefined : withSign(oddsAmerican),
    stakeUnits: numberText(stakeUnits),
    book: book ?? undefined,
    review: isWhole ? 'yes' : undefined,
  };
}

const numberText = (value: number | null) => (value === null ? undefined : String(value));

async function chooseGame(context: StepContext, capper: Capper, fault?: string): Promise<Step> {
  const { path, values } = context;
  const kept = { capper: capper.handle };
  return gameStep(context, 'open', {
    kept,
    refused: fault !== undefined,
    lead: html`${capperText(capper)} <a href="${path}">Change</a>`,
    before: section({
      heading: 'In one line',
      id: 'line',
      body: html`${fault !== undefined && alert(fault)}${stepForm({
        path,
        values,
        kept: { ...kept, day: values.day },
        submit: 'Continue',
        fields: [lineField],
      })}`,
    }),
  });
}

/** Returns the step that chooses a selection: a link for each one with stored odds, fields for others. */
async function chooseSelection(
  { database, path, values }: StepContext,
  capper: Capper,
  game: StoredBetGame,
  kept: { capper: string; game: string },
  problems: Problems,
): Promise<Step> {
  const { onGame, onSubjects } = await pricedBets(database, game);
  const link = ({ market, side }: Pick<PricedBet, 'market' | 'side'>, subject: string | null) =>
    pathWith(path, { ...kept, market, subject, side });
  const button = (bet: PricedBet) =>
    choice({
      title: shortWords(game, bet),
      note:
        bet.oddsAmerican === null ? 'no odds yet' : `${oddsText(bet.oddsAmerican)} at ${bookName(bet.book!)}`,
      path: link(bet, bet.subject),
    });
  const byMarket = Map.groupBy(onGame, ({ market }) => market);
  const bySubject = Map.groupBy(onSubjects, ({ subject }) => subject ?? '');
  return {
    lead: html`${capperText(capper)}, ${game.game}, ${fullText(iso(game.begins))} <a href="${pathWith(path, { capper: capper.handle })}">Another game</a>`,
    refused: problems.size > 0,
    body: html`${section({
      heading: 'Selection',
      id: 'selection',
      note: 'With the latest stored odds of each side.',
      body: html`${[...byMarket].map(
        ([market, bets]) => html`<h3>${marketLabel(market)}</h3>
<div class="sides">
${bets.map((bet) => button({ ...bet, subject: null }))}</div>
`,
      )}${[...bySubject].map(
        ([
          subject,
          bets,
        ]) => html`<details class="games"><summary><strong>${subject}</strong> <small>${bets.length}</small></summary>
<div class="sides">
${bets.map(button)}</div></details>
`,
      )}`,
    })}${section({
      heading: 'Another market',
      id: 'other',
      body: stepForm({
        path,
        values,
        kept,
        problems,
        submit: 'Continue',
        fields: selectionFields(game),
      }),
    })}`,
  };
}

/** Returns the step for line, odds, stake, and book, prefilled from the newest stored odds, or the review. */
async function priceStep(
  context: StepContext,
  capper: Capper,
  game: StoredBetGame,
  chosen: Selection,
  note?: string,
): Promise<Step> {
  const { database, values, path, now } = context;
  const { market, subject, side } = chosen;
  const given = { market, subject: subject ?? undefined, side };
  const kept = { capper: capper.handle, game: String(game.id), ...given };
  const newest = await newestOf(database, game, chosen);
  const selectionOf = ({ line }: Readonly<Record<string, unknown>>): Selection => ({
    ...chosen,
    line: (line as number | undefined) ?? null,
  });
  return rowStep(context, {
    kind: pickKind,
    lead: html`${capperText(capper)}, ${game.game}, ${fullText(iso(game.begins))} <a href="${pathWith(path, { capper: kept.capper, game: kept.game })}">Another selection</a>`,
    heading: shortWords(game, { ...chosen, line: newest?.line ?? chosen.line }),
    note:
      newest?.seenAt == null
        ? 'No stored odds.'
        : `${oddsText(newest.oddsAmerican!)} at ${bookName(newest.book!)}, seen ${fullText(iso(newest.seenAt))}.`,
    ...(note === undefined ? {} : { before: html`<p class="hint">${note}</p>` }),
    given: {
      capperHandle: capper.handle,
      sport: game.sport,
      game: game.game,
      startsAt: game.day == null ? isoOrNull(game.startsAt) : null,
      day: game.day ?? null,
      ...given,
    },
    fields: priceFields(game, chosen, newest),
    kept,
    complete(problems, row) {
      const selection = selectionOf(row);
      const fault = problems.size === 0 ? faultOf(game, selection) : undefined;
      if (fault !== undefined) problems.set('line', { fault });
      return { pick: values.pick ?? selectionWords(game, selection) };
    },
    async attempt(row): Promise<Tried> {
      const [answer] = await checkPicks(database, [row], now, whenAsked);
      return answer!.outcome === 'refused' ? answer! : { ...answer!, outcome: 'added' };
    },
    review(row) {
      const selection = selectionOf(row);
      const odds = Number(row.oddsAmerican);
      return {
        submit: 'Post this pick',
        warning: 'A pick cannot be withdrawn.',
        notes: [...(note === undefined ? [] : [note]), ...remarks(values, odds)],
        also: { begins: String(game.begins), game: kept.game },
        details: [
          ['Capper', capperText(capper)],
          ...gameDetails(game.sport, game.game, game.begins),
          ['Selection', html`<strong>${String(row.pick)}</strong>`],
          ...selectionDetails(game, selection),
          ['Odds', `${oddsText(odds)} (decimal ${otherOddsText(odds)})`],
          ['Stake', units(Number(row.stakeUnits))],
          ['Book', row.book === undefined ? 'none' : bookName(String(row.book))],
          ['Time', 'when you confirm'],
          ['Posted by', 'the operator, not signed by the capper'],
        ],
      };
    },
  });
}

/** Returns remarks about the input for the review. */
function remarks({ oddsAmerican: odds }: Values, american: number): string[] {
  if (odds === undefined || Number(odds) === american) return [];
  return [`You wrote the odds as ${odds}. The log stores American odds: ${oddsText(american)}.`];
}

async function newestOf(
  database: StepContext['database'],
  game: StoredBetGame,
  { market, subject, side, line }: Selection,
): Promise<PricedBet | undefined> {
  const { onGame, onSubjects } = await pricedBets(database, game);
  const bets = [...onGame.map((bet) => ({ ...bet, subject: null })), ...onSubjects];
  return bets.find(
    (bet) =>
      bet.market === market &&
      bet.subject === subject &&
      bet.side === side &&
      bet.oddsAmerican !== null &&
      (line === null || line === bet.line),
  );
}

function priceFields(game: StoredBetGame, chosen: Selection, newest: PricedBet | undefined): Input[] {
  const { market, subject } = chosen;
  const lined = hasLine(game.sport, market);
  const line = newest?.line ?? chosen.line;
  const lineText = line === null ? undefined : market.endsWith('spread') ? withSign(line) : String(line);
  const required = lined === undefined ? {} : { optional: undefined };
  return [
    ...(lined === false ? [] : [inputOf(pickKind, 'line', { value: lineText, ...required })]),
    inputOf(pickKind, 'oddsAmerican', { value: newest && withSign(newest.oddsAmerican!) }),
    inputOf(pickKind, 'stakeUnits', { value: '1' }),
    inputOf(pickKind, 'book', {
      value: newest?.book == null ? undefined : bookName(newest.book),
      suggestions: knownBooks.map((book) => ({ value: bookName(book), label: book })),
      read: (text) => ({ value: bookMeant(text) ?? text.toLowerCase() }),
    }),
    ...(lined !== undefined || subject === null
      ? []
      : [inputOf(pickKind, 'pick', { value: selectionWords(game, chosen), optional: 'silently' })]),
  ];
}
