import type { PastBetGame } from '../games/bet-games.ts';
import { handleOf } from '../intake/cells.ts';
import type { ImportedPickRow } from '../ledger/posting/pick-row.ts';
import type { BetReading } from '../rules/bet-text/bet.ts';
import { betText, selectionWords } from '../rules/bet-text/print.ts';
import { bookMeant } from '../rules/book-words.ts';
import { knownMarket } from '../rules/markets/known.ts';
import type { Outcome } from '../rules/markets/market.ts';
import { meant } from '../rules/markets/meant.ts';
import { periodOf } from '../rules/markets/periods.ts';
import { ownValue } from '../rules/own-value.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { leagueMeant, sportMeant } from '../rules/sport-words.ts';
import type { Marks } from '../rules/written-numbers.ts';
import { betOf } from './bet-columns.ts';
import { asMoneyline } from './bet-of-text.ts';
import type { RowFigures } from './brake.ts';
import { type AllCells, type Cells, type HeadedCell, RowRefused } from './cells.ts';
import type { SheetField } from './columns.ts';
import { teamTotalIn } from './market-cells.ts';
import { checkModifiers } from './modifiers.ts';
import { oddsOf } from './odds.ts';
import type { OddsColumn } from './odds-column.ts';
import { isResult, type ResultColumn } from './results.ts';
import type { MadeGame, RowGames } from './row-games.ts';
import { ownResult } from './row-results.ts';
import { lexemesOf, slugOf } from './said.ts';
import { scoreOf, type WrittenScore } from './scores.ts';
import { profitOf, stakeIn, stakeOf } from './stakes.ts';
import { ofPicks, onlyYes, structureOf } from './structure.ts';
import { dateAndTime, postedAtOf, type Times, timeOf } from './times.ts';

/** Decisions about a sheet, by whole columns and by the operator. */
export interface Reading {
  times: Times;
  odds: OddsColumn;
  marks: Marks;
  /** Money per unit by currency; `''` for amounts without one. Undefined: stakes are in units. */
  units: ReadonlyMap<string, number> | undefined;
  results: ResultColumn;
  /** Whether any line has a sign. */
  areLinesSigned: boolean;
  /** Whether lines can be those of the home team: see `areLinesOfGames`. */
  areLinesOfGames: boolean;
  /** Headers that are the market of the sides below. */
  marketHeaders: ReadonlySet<string>;
  games: RowGames;
  /** Capper and sport of rows that name none. */
  capper: string | undefined;
  sport: string | undefined;
  sports: readonly string[];
}

/** A row whose bet is read, before scores and results are compared. */
export interface RowRead {
  /** The capper's name as written. */
  capper: string;
  bet: BetReading;
  pick: ImportedPickRow;
  game: PastBetGame;
  made: MadeGame | undefined;
  written: WrittenScore | undefined;
  own: Outcome | undefined;
  /** Whether the bet is on the away team, at a line that can be the home team's. */
  isLineOpen: boolean;
  figures: Pick<RowFigures, 'stake' | 'profit' | 'isExplained'>;
}

/** Reads a row. @throws RowRefused */
export async function readRow(
  given: AllCells,
  above: string | undefined,
  reading: Reading,
  notes: string[],
): Promise<RowRead> {
  const cellsOf = withParts(withTail(withFlags(given)));
  const cell: Cells = (field) => cellsOf(field)[0]?.cell ?? '';
  const { times, marks } = reading;
  const { isCashedOut } = checkModifiers(cellsOf, notes);
  const [firstTeam, secondTeam] = [cell('first'), cell('second')];
  const pair = firstTeam !== '' && secondTeam !== '' ? `${firstTeam} vs ${secondTeam}` : '';
  const name = cell('capperHandle') || (reading.capper ?? '');
  const handle = handleOf(name);
  if (handle === undefined)
    throw new RowRefused(
      name === ''
        ? 'The row names no capper. Set it with --capper <name>.'
        : `${name} cannot become a handle, which needs two letters or digits.`,
    );
  const sports = sportsOf(cell, reading);
  const start = timeOf(cell('startsAt'), times) ?? dateAndTime(cell, above, times, notes);
  const posted =
    timeOf(cell('postedAt'), times) ?? (cell('startsAt') === '' ? undefined : timeOf(cell('date'), times));
  const about = start ?? posted;
  if (about === undefined) throw new RowRefused('The row has no date.');
  const isStart =
    start !== undefined && 'instant' in start && (cell('startsAt') !== '' || posted === undefined);
  const asked = cellsOf('pick').filter(({ header }) => reading.marketHeaders.has(header));
  if (asked.length > 1)
    throw new RowRefused(`${asked.map(({ header }) => header).join(' and ')} are several bets at one price.`);
  const markets = [
    ...cellsOf('market').filter(({ cell: market }) => structureOf(market) !== 'single' || market === '1'),
    ...asked.map(({ header }) => ({ header, cell: header })),
    // `ML` below `Line`.
    ...cellsOf('line').filter(({ cell: line }) => isMoneyline.test(line)),
  ];
  const [team, opponent] = [cell('team'), cell('opponent')];
  const [isHome, isAway] = [/^(?:h|home|vs\.?)$/i, /^(?:a|away|r|road|v|@|at)$/i].map(
    (word) => team !== '' && opponent !== '' && word.test(cell('homeAway')),
  );
  const named = {
    league: cell('league'),
    home: cell('home') || (isHome ? team : isAway ? opponent : ''),
    away: cell('away') || (isHome ? opponent : isAway ? team : ''),
    game: cell('game') || pair,
    number: cell('gameNumber').replace(/^\D*/, 'game '),
    team,
    opponent,
    texts: [cell('description'), cell('pick')].filter((text) => text !== ''),
  };
  const several = namesSeveralGames(named.game);
  if (several)
    throw new RowRefused(`${named.game} names several games. A bet on several games is not one pick.`);
  const { games, made, none } = await reading.games.find(named, sports, { about, isStart }, notes);
  const bet = betOf(
    {
      cell: (field) =>
        field === 'line' ? lineCell(cell, cellsOf('line'), markets) : withoutStructure(cell)(field),
      markets,
      marks,
      period: cellsOf('period')[0] ?? { header: '', cell: '' },
    },
    ...([games, none, notes] as const),
  );
  const isBareTotal =
    bet.market === 'total' &&
    markets.length === 0 &&
    /^\p{L}+(?: (?:de|als|dan|di))?\s?[\d.,]+$/iu.test(cell('pick') || cell('description'));
  for (const remark of [...cellsOf('comment'), ...cellsOf('kind')])
    checkMarketIn(remark, bet, games, isBareTotal);
  checkLine(cell, cellsOf, bet, reading, notes);
  const game = reading.games.keep(bet, made);
  const postedAt = postedAtOf(posted ?? about, game.begins, posted === undefined, notes);
  const odds = oddsOf(cellsOf, bet, reading.odds, marks, notes);
  const stakeUnits = stakeOf(cellsOf, bet, reading.units, notes);
  const source = postedAt.isDay ? { source: 'day' } : {};
  const book =
    cell('book') === '' ? bet.book : (bookMeant(cell('book')) ?? (slugOf(cell('book')) || 'unknown'));
  const pick: ImportedPickRow = {
    capperHandle: handle,
    sport: bet.sport,
    game: bet.game,
    ...(game.day == null
      ? { startsAt: game.startsAt === null ? null : new Date(game.startsAt).toISOString() }
      : { startsAt: null, day: game.day }),
    market: bet.market,
    subject: bet.subject,
    side: bet.side,
    line: bet.line,
    pick: (cell('pick') || cell('description') || selectionWords(bet)).slice(0, 300),
    oddsAmerican: odds,
    stakeUnits,
    ...(book === null ? {} : { book }),
    ...source,
    postedAt: new Date(postedAt.at).toISOString(),
  };
  if (made !== undefined)
    notes.push(
      `New game: ${bet.game}, ${pick.startsAt == null ? `on ${pick.day}, time unknown` : `starting ${pick.startsAt}`}.`,
    );
  const stake = stakeIn(cellsOf)?.amount;
  const profit = profitOf(cell, stake);
  const own = isCashedOut
    ? undefined
    : ownResult(cellsOf, reading.results, { ...bet, oddsAmerican: odds }, { profit, stake }, notes);
  return {
    capper: name.replace(/^@/, '').slice(0, 100),
    bet: { ...bet, oddsAmerican: odds, stakeUnits, book },
    pick,
    game,
    made,
    own,
    written: scoreOf(cell, game, made, notes),
    isLineOpen:
      reading.areLinesOfGames &&
      periodOf(bet.market).whole === 'spread' &&
      bet.side === 'away' &&
      bet.line !== 0 &&
      !/[+-]\d/.test(`${cell('pick')} ${cell('description')}`),
    figures: {
      stake,
      profit,
      isExplained: isCashedOut || cellsOf('freeBet').length + cellsOf('boost').length > 0,
    },
  };
}

/** Competitions whose teams have the names of others: on screens, or of other players. */
const otherGames =
  /\b(?:e-?(?:soccer|football|basketball|hockey|sports?)|cyber|virtuals?|simulated|srl|2k|(?:fifa|fc|madden) ?\d+|g[- ]?league|summer league)\b/i;

/** Returns the sports that a row can be about. @throws RowRefused */
function sportsOf(cell: Cells, { sports: all, sport }: Reading): readonly string[] {
  const other = [cell('league'), cell('sport')].find((text) => otherGames.test(text));
  if (other !== undefined)
    throw new RowRefused(
      `${other} has games of its own between teams of these names, which are not kept here.`,
    );
  for (const text of [cell('league'), cell('sport'), sport ?? '']) {
    if (text === '') continue;
    if (all.includes(text.toLowerCase())) return [text.toLowerCase()];
    const meaning = leagueMeant(text);
    if (meaning === undefined) continue;
    if (meaning.sports.length === 0)
      throw new RowRefused(`${text} is not a sport of this ledger. Its sports are ${all.join(', ')}.`);
    return meaning.sports.filter((each) => all.includes(each));
  }
  const said = cell('league') || cell('sport');
  if (said !== '')
    throw new RowRefused(
      `${said} is not a known sport. This ledger has ${all.join(', ')}. Set one with --sport.`,
    );
  return all;
}

/** Headers that say how the game went: `OT` above `Yes`. */
const ofCourse = /^(?:went (?:to|into) )?(?:ot|overtime|so|shoot-?out)\??$/i;

/** Takes the header of a remark for the remark where its cell says only yes: `1H?` above `Y`, `Fade` above `x`. */
function withFlags(cellsOf: AllCells): AllCells {
  return (field) =>
    field === 'comment'
      ? cellsOf(field).map((headed) =>
          onlyYes.test(headed.cell) && !ofCourse.test(headed.header)
            ? { ...headed, cell: headed.header.replace(/\W+$/, '') }
            : headed,
        )
      : cellsOf(field);
}

/** Splits a cell before its last words: those behind a title, and one or two of a league. */
function cutsOf(field: SheetField, cell: string): (readonly [before: string, tail: string])[] {
  if (field === 'game') {
    const [, before = '', tail = ''] =
      /^(.+?\s(?:vs?\.?|@|at|-|–)\s.+?)(?:\s+[-–|]|\s*[:,([|])\s*([^()[\]]{2,40})[)\]]?$/i.exec(cell) ?? [];
    return [[before, tail]];
  }
  const words = cell.split(' ');
  return [2, 1].map((count) => [words.slice(0, -count).join(' '), words.slice(-count).join(' ')]);
}

/**
 * Takes a market or a part of the game from the end of a title, a league, or a path of categories: `Gulls v Foxes - Corners`, `NHL Reg.
 * Time`, `Football / Cup Corners`.
 */
function withTail(cellsOf: AllCells): AllCells {
  const of = (field: SheetField) =>
    cellsOf(field).filter(({ cell }) => field !== 'kind' || cell.includes('/'));
  for (const field of ['game', 'league', 'kind'] as const)
    for (const { header, cell } of of(field))
      for (const [before, tail] of cutsOf(field, cell)) {
        // `(OT)` says how a game ended, `(Game 2)` which one it was, and `(Championship)` is a league.
        if (before === '' || /^(?:ot|so|aet|(?:game|gm|g|dh|leg) ?#?\d)$/i.test(tail) || sportMeant(tail))
          continue;
        const found = meant(tail);
        const isMarket =
          found?.kind === 'market' &&
          (field === 'game'
            ? found.subject !== 'question'
            : knownMarket(found.market)?.shape === 'overUnder');
        if (!isMarket && found?.kind !== 'period' && (field !== 'game' || !found || found.kind === 'market'))
          continue;
        const to = found?.kind === 'period' && cellsOf('period').length === 0 ? 'period' : 'market';
        return (each) =>
          each === field
            ? [{ header, cell: before }]
            : each === to
              ? [...cellsOf(each), { header, cell: tail }]
              : cellsOf(each);
      }
  return cellsOf;
}

/** Splits cells that hold two fields: `Arsenal - Everton : Over 2.5`, and a market with its side, `Moneyline - Foxes`. */
function withParts(cellsOf: AllCells): AllCells {
  const has = (...fields: SheetField[]) => fields.some((field) => cellsOf(field).length > 0);
  const source = (['pick', 'description'] as const).find((field) => has(field));
  const [text] = source === undefined ? [] : cellsOf(source);
  const titled = /^(.{2,80}?\s(?:-|–|vs?\.?|@)\s.{2,80}?)\s*:\s*(.+)$/i.exec(text?.cell ?? '');
  if (titled !== null && !has('game', 'home', 'opponent', 'first'))
    return (field) =>
      field === 'game'
        ? [{ header: text!.header, cell: titled[1]! }]
        : field === source
          ? [{ header: text!.header, cell: titled[2]! }]
          : cellsOf(field);
  if (has('pick', 'description', 'side', 'team', 'subject')) return cellsOf;
  const markets = cellsOf('market').map((each) => ({
    ...each,
    parts: /^(.+?)\s+[-–:]\s+(.+)$/.exec(each.cell),
  }));
  return (field) =>
    field === 'market'
      ? markets.map(({ header, cell, parts }) => ({ header, cell: parts?.[1] ?? cell }))
      : field === 'pick'
        ? markets.flatMap(({ header, parts }) => (parts === null ? [] : [{ header, cell: parts[2]! }]))
        : cellsOf(field);
}

/** Reports whether a cell has several titles: `Gulls v Foxes | Owls v Rams`. */
function namesSeveralGames(cell: string): boolean {
  const between = /\s(?:vs?\.?|@|versus)\s/gi;
  const titles = cell
    .split(/\s*[|;\n]\s*|\s[/+&]\s|,\s/)
    .filter((part) => /\s(?:vs?\.?|@|versus|-|–)\s/i.test(part));
  return titles.length > 1 || (cell.match(between)?.length ?? 0) > 1;
}

/** Cells of sides such as BACK say nothing about the bet. */
function withoutStructure(cell: Cells): Cells {
  return (field) => {
    if (field === 'pick') return sideWord(cell(field)).replace(/^back (?=\p{L})/iu, '');
    if (field !== 'side') return cell(field);
    const isSilent = structureOf(cell(field)) === 'single' && !/^no$/i.test(cell(field));
    return isSilent ? '' : sideWord(cell(field));
  };
}

/** Translates a cell that is only "more" or "less". In a text these words could be names. */
function sideWord(cell: string): string {
  const word = plainLetters(cell);
  if (/^(?:mas|mais|plus|piu|mehr|meer)$/.test(word)) return 'over';
  return /^(?:menos|moins|meno|weniger|minder)$/.test(word) ? 'under' : cell;
}

const isMoneyline = /^(?:ml|m\/l|money ?line|straight up|su)$/i;

/** Returns the cell of the bet's line where a row has several, as below `Spread` and `Total`. */
function lineCell(cell: Cells, lines: readonly HeadedCell[], markets: readonly HeadedCell[]): string {
  const own = lines.filter((line) => !isMoneyline.test(line.cell));
  // `Thunder` and `Sunderland` are teams.
  const isTotal = /\b(?:totals?|over|under|o\/u)\b|^[ou]\s?\d/i;
  const asked = [...markets.map((market) => market.cell), cell('pick'), cell('side')].some((text) =>
    isTotal.test(text),
  );
  return (own.find(({ header }) => /total|over|o\/u/i.test(header) === asked) ?? own[0])?.cell ?? '';
}

/** Headers of how or when a bet wins, by sport. */
const narrowing: Readonly<Record<string, RegExp>> = {
  mma: /^(?:method|round|rd)s?\b/i,
  tennis: /^sets?\b/i,
};

/** Checks the line of a spread, and columns of lines that no field reads. @throws RowRefused */
function checkLine(
  cell: Cells,
  cellsOf: AllCells,
  { sport, market, side, line }: BetReading,
  { areLinesSigned }: Reading,
  notes: string[],
): void {
  const isSpread = periodOf(market).whole === 'spread';
  const isSigned = areLinesSigned || /[+-]\d/.test(`${cell('pick')} ${cell('description')}`);
  if (isSpread && line !== null && line > 0 && !isSigned && /^\d/.test(cell('line')))
    notes.push(`No line of the sheet has a sign, so ${line} counts as +${line}.`);
  const ofLines = cellsOf('comment').flatMap(({ header, cell: written }) => {
    const points = written.replace(/[\u2212\u2013]/g, '-');
    // The price at the close can stand below `Closing Line`.
    const isOfOthers = /clos|^cl\b|open|fair|^(?:remark|comment|note|info|detail)s?$/i.test(header);
    const isLine = isOfOthers
      ? /^[+-]\d{1,2}(?:[.,](?:0|25|5|75))?$/
      : /^(?:[+-]?\d{1,2}(?:[.,]\d+)?|\(?\d:\d\)?)$/;
    const isHeaded = isOfOthers
      ? !/odds|price|value|edge|%/i.test(header)
      : /\b(?:spread|handicap|hcp?|hdp|total|o\/u|line|ahl?|bought|teased)\b/i.test(header) &&
        !/mov/i.test(header);
    const narrows = ownValue(narrowing, sport)?.test(header) === true;
    return narrows || (isHeaded && isLine.test(points)) ? [{ header, points, isOfOthers }] : [];
  });
  for (const { header, points, isOfOthers } of ofLines) {
    const isOwn = /\b(?:alt\w*|new|bought|teased|adj\w*)\b/i.test(header);
    if (isOwn && line !== null && Number(points.replace(',', '.')) !== line)
      throw new RowRefused(
        `${header} says ${points}, but the bet reads as ${side} ${line}. Write the line of the bet beside its team.`,
      );
    if (notes.includes(asMoneyline))
      throw new RowRefused(
        `${header} says ${points}, so the bet may be no moneyline. Write the line of the bet beside its team, or ML.`,
      );
    const of = header.split(/[^\p{L}]+/u).flatMap((word) => lexemesOf(sport, word, 'team'))[0];
    const theirs = Number(points.replace(',', '.')) * (of === side ? 1 : -1);
    if (isSpread && !isOfOthers && of !== undefined && line !== 0 && theirs === -line!)
      throw new RowRefused(
        `${header} says ${points}, but the bet reads as ${side} ${line}. Write the line of the bet beside its team.`,
      );
  }
}

/**
 * Checks a remark that is only a market or a part of the game: `2nd half only`, `corners`, `DNB`.
 * @throws RowRefused if the bet is on another one
 */
function checkMarketIn(
  { header, cell }: HeadedCell,
  bet: BetReading,
  games: readonly PastBetGame[],
  isBareTotal: boolean,
): void {
  const text = cell.replace(/\s+(?:only|bet|line|play|wager|market)$/i, '');
  const isSentence = text.split(' ').length > 8;
  // `Serie A` is no series, and `W` no part of the game, but `1Q` is one.
  const isShort = !/\p{L}{2}|\p{L}\d|\d\p{L}/u.test(text);
  if (isShort || isSentence || isResult(text) || sportMeant(cell) !== undefined) return;
  const refuse = (why: string) => new RowRefused(`${header} says ${cell}, and ${why}.`);
  const { whole, period } = periodOf(bet.market);
  const game = games.find((each) => each.game === bet.game);
  const isOfTeam = game !== undefined && teamTotalIn(text, game) !== undefined;
  const found = [cell, text]
    .map((each) => meant(each, { sport: bet.sport }))
    .find((each) => each?.kind === 'period' || (each?.kind === 'market' && each.subject !== 'question'));
  if (
    found === undefined &&
    isBareTotal &&
    /[ck]ategor/i.test(header) &&
    structureOf(cell) === undefined &&
    !ofPicks.test(cell) &&
    /\p{L}{2}/u.test(cell)
  )
    throw refuse(
      `nobody knows here whether ${bet.line} counts that. Name the market, or skip the column with --map '${header}=-'`,
    );
  if (
    found?.kind === 'period' &&
    found.period !== period &&
    !(found.period === 'regulation' && bet.sport === 'soccer')
  )
    throw refuse('no column says that the bet is on a part of the game');
  const market = isOfTeam ? 'team_total' : found?.kind === 'market' ? found.market : 'total';
  const other = periodOf(market);
  const isOther = market !== 'total' && market !== bet.market && whole !== other.whole;
  if (isOther || (other.period !== undefined && other.period !== period))
    throw refuse(`the bet reads as ${betText(bet)}`);
}
