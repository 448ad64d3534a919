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
import { checkPicks } from '../ledger/grading/check-picks.ts';
import { checkPick } from '../ledger/posting/pick-row.ts';
import { html } from '../pages/html.ts';
import { marketLabel } from '../pages/labels.ts';
import { pathWith } from '../pages/parts/filters.ts';
import { section } from '../pages/parts/section.ts';
import { fullText } from '../pages/times.ts';
import { iso, isoOrNull } from '../platform/clock.ts';
import { faultsText } from '../platform/schema.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { numberedText } from '../rules/bet-text/print.ts';
import { knownBooks } from '../rules/book-words.ts';
import { lineTyped, oddsTyped, stakeTyped } from '../rules/typed-numbers.ts';
import { withSign } from '../rules/written-numbers.ts';
import { whenAsked } from '../sources/odds-api/when-asked.ts';
import {
  accept,
  alert,
  choice,
  type Field,
  type Problems,
  readField,
  stepForm,
  type Values,
} from './fields.ts';
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
import {
  addCapper,
  capperOptions,
  capperText,
  capperTyped,
  fieldsStep,
  gameDetails,
  gameId,
  gameStep,
  reviewStep,
  type Step,
  type StepContext,
  spanOf,
} from './steps.ts';
import { bookTyped } from './typed.ts';

const title = 'Post a pick';

/** Returns the fields of a pick in one line. */
export async function quickFields(database: StepContext['database']): Promise<Field[]> {
  return [
    {
      ...{ name: 'capper', label: 'Capper' },
      hint: 'Name or handle.',
      suggestions: await capperOptions(database),
    },
    {
      ...{ name: 'text', label: 'The pick in one line', optional: true, maxLength: 300 },
      hint: 'Such as Lakers -3.5 -110 2u. Leave empty to choose a game.',
    },
  ];
}

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
    return fieldsStep(context, {
      ...{ title, heading: 'Capper and pick', links: [addCapper], problems, submit: 'Continue' },
      fields: await quickFields(database),
    });
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
      ...([capper, only.game, only.bet, why === null ? [] : [why]] as const),
    );
  return {
    title,
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
    ...{ capper: capper.handle, game: String(game.id), market, subject: subject ?? undefined, side },
    ...{ line: numberText(line), odds: oddsAmerican === null ? undefined : withSign(oddsAmerican) },
    ...{ stake: numberText(stakeUnits), book: book ?? undefined, review: isWhole ? 'yes' : undefined },
  };
}

const numberText = (value: number | null) => (value === null ? undefined : String(value));

async function chooseGame(context: StepContext, capper: Capper, fault?: string): Promise<Step> {
  const { path, values } = context;
  const kept = { capper: capper.handle };
  return gameStep(context, 'open', {
    ...{ title, kept, refused: fault !== undefined },
    lead: html`${capperText(capper)} <a href="${path}">Change</a>`,
    before: section({
      heading: 'In one line',
      id: 'line',
      body: html`${fault !== undefined && alert(fault)}${stepForm({
        ...{ path, values, kept: { ...kept, day: values.day }, submit: 'Continue' },
        fields: [
          {
            ...{ name: 'text', label: 'The pick', maxLength: 300 },
            hint: 'Such as Lakers -3.5 -110 2u, or over 8.5 Yankees Red Sox 1.91 1u.',
          },
        ],
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
      note: bet.oddsAmerican === null ? 'no odds yet' : `${oddsText(bet.oddsAmerican)} at ${bet.book}`,
      path: link(bet, bet.subject),
    });
  const byMarket = Map.groupBy(onGame, ({ market }) => market);
  const bySubject = Map.groupBy(onSubjects, ({ subject }) => subject ?? '');
  return {
    title,
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
        ...{ path, values, kept, problems, submit: 'Continue' },
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
  notes: readonly string[] = [],
): Promise<Step> {
  const { database, values, path } = context;
  const { market, subject, side } = chosen;
  const kept = { capper: capper.handle, game: String(game.id), market, subject: subject ?? undefined, side };
  const problems: Problems = new Map();
  const newest = await newestOf(database, game, chosen);
  const lined = hasLine(game.sport, market);
  const fields = priceFields(game, chosen, newest);
  const [lineField, oddsField, stakeField, bookField] = fields as [Field, Field, Field, Field];
  const isReviewed = values.review !== undefined;
  if (isReviewed) {
    const line = lined === false ? null : (readField(problems, values, lineField, lineTyped) ?? null);
    const odds = readField(problems, values, oddsField, oddsTyped);
    const stake = readField(problems, values, stakeField, stakeTyped);
    const book = readField(problems, values, bookField, bookTyped);
    const selection = { ...chosen, line };
    const words = values.pick ?? selectionWords(game, selection);
    if (problems.size === 0 && odds !== undefined && stake !== undefined) {
      const row = {
        ...{
          capperHandle: capper.handle,
          sport: game.sport,
          game: game.game,
          startsAt: game.day == null ? isoOrNull(game.startsAt) : null,
          day: game.day ?? null,
        },
        ...{
          market,
          ...(subject === null ? {} : { subject }),
          side,
          ...(line === null ? {} : { line }),
          pick: words,
        },
        ...{ oddsAmerican: odds, stakeUnits: stake, ...(book === undefined ? {} : { book }) },
      };
      const checked = checkPick(row);
      const fault = checked.ok ? faultOf(game, selection) : `${faultsText(checked.faults)}.`;
      if (fault === undefined) {
        const [answer] = await checkPicks(database, [row], context.now, whenAsked);
        const isRefused = answer!.outcome === 'refused';
        return reviewStep(path, {
          title,
          warning: isRefused ? 'Posting would refuse this pick.' : answer!.sentence,
          doubts: isRefused ? [`${answer!.reason}.`] : [],
          submit: 'Post this pick',
          row,
          notes: [...notes, ...remarks(values, odds)],
          also: { begins: String(game.begins), game: String(game.id) },
          back: {
            ...kept,
            line: values.line,
            odds: values.odds,
            stake: values.stake,
            book: values.book,
            pick: values.pick,
          },
          details: [
            ['Capper', capperText(capper)],
            ...gameDetails(game.sport, game.game, game.begins),
            ['Selection', html`<strong>${words}</strong>`],
            ...selectionDetails(game, selection),
            ['Odds', `${oddsText(odds)} (decimal ${otherOddsText(odds)})`],
            ['Stake', units(stake)],
            ['Book', book ?? 'none'],
            ['Time', 'when you confirm'],
            ['Posted by', 'the operator, not signed by the capper'],
          ],
        });
      }
      problems.set('line', { fault });
    }
  }
  return fieldsStep(context, {
    title,
    lead: html`${capperText(capper)}, ${game.game}, ${fullText(iso(game.begins))} <a href="${pathWith(path, { capper: kept.capper, game: kept.game })}">Another selection</a>`,
    heading: shortWords(game, { ...chosen, line: newest?.line ?? chosen.line }),
    note:
      newest?.seenAt == null
        ? 'No stored odds.'
        : `${oddsText(newest.oddsAmerican!)} at ${newest.book}, seen ${fullText(iso(newest.seenAt))}.`,
    before: html`${notes.map(
      (note) => html`<p class="hint">${note}</p>
`,
    )}`,
    fields: lined === false ? fields.slice(1) : fields,
    problems,
    kept: { ...kept, review: 'yes' },
  });
}

/** Returns remarks about the input for the review. */
function remarks({ odds }: Values, american: number): string[] {
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

function priceFields(game: StoredBetGame, chosen: Selection, newest: PricedBet | undefined): Field[] {
  const { market, subject } = chosen;
  const line = newest?.line ?? chosen.line;
  const lineText = line === null ? undefined : market.endsWith('spread') ? withSign(line) : String(line);
  const isDeclared = hasLine(game.sport, market) !== undefined;
  return [
    {
      ...{ name: 'line', label: 'Line', value: lineText },
      hint: 'A multiple of 0.25, such as -3.5 or PK.',
      ...(isDeclared ? {} : { optional: true as const }),
    },
    {
      ...{ name: 'odds', label: 'Odds' },
      hint: 'American or decimal: -110 or 1.91.',
      value: newest === undefined ? undefined : withSign(newest.oddsAmerican!),
    },
    { name: 'stake', label: 'Stake in units', hint: 'From 0.01 to 100.', value: '1', keys: 'decimal' },
    {
      ...{ name: 'book', label: 'Book', optional: true, value: newest?.book ?? undefined },
      hint: 'The book with these odds, such as DraftKings.',
      suggestions: knownBooks.map((book) => ({ value: book, label: book })),
    },
    ...(isDeclared || subject === null
      ? []
      : [
          {
            ...{ name: 'pick', label: 'Selection in words', maxLength: 300 },
            value: selectionWords(game, chosen),
          },
        ]),
  ];
}
