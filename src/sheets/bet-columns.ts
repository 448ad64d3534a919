import type { BetReading } from '../rules/bet-text/bet.ts';
import { type BetGame, dayOf } from '../rules/bet-text/day.ts';
import { bareMeanings } from '../rules/bet-text/plausible.ts';
import { betText } from '../rules/bet-text/print.ts';
import { marketIn } from '../rules/markets/index.ts';
import { isQuestion } from '../rules/markets/known.ts';
import { meant, statisticsMeant } from '../rules/markets/meant.ts';
import { inPeriod, type Period, periodOf, periodWords } from '../rules/markets/periods.ts';
import { nameKey, plainLetters } from '../rules/plain-name.ts';
import { selectionFault } from '../rules/selection.ts';
import { type Marks, writtenLine } from '../rules/written-numbers.ts';
import { readAny, textsOf } from './bet-texts.ts';
import { firstInning } from './columns.ts';
import type { HeadedCell } from './fields.ts';
import { structureOf } from './modifiers.ts';
import { type Cells, RowRefused } from './row.ts';

/** The cells of a row about its bet. */
export interface BetCells {
  cell: Cells;
  /** Cells of columns for markets, without words such as `Single`. */
  markets: readonly HeadedCell[];
  /** Its cell about the part of the game. */
  period: HeadedCell;
  marks: Marks;
}

/** The market that a column names. Undefined parts are left to the other columns. */
interface Named {
  written: string;
  /** The market of the whole game: a declared one, a known one, or a slug; undefined if the cell names only a part of the game. */
  market?: string;
  subject?: 'none' | 'game' | 'player' | 'question';
  part?: Period;
  team?: 'home' | 'away';
  side?: string;
  line?: number;
}

/** Words of columns for markets that leave the market to other columns. */
const generic =
  /^(?:props?|player props?|player|player specials?|game props?|team props?|game|game lines?|match|side|sides|main|main market|other|specials?|alternate|alternates?|bet|pick|futures?)$/;

/** Picks that are only an outcome of the game. */
const outcome = /^(?:1|x|2|n|1[xn]|[xn]1|[xn]2|2[xn]|12|home|away|draw|tie)$/i;

const wholeGame =
  /^(?:ft|full(?: ?time| ?game| ?match)?|game|match|whole game|fg|regular|all|90 ?min(?:utes|s)?|90|0|-|—|none|n\/a)$/;

/**
 * Builds the bet of a row from its columns; text fills what no column says (docs/rules/intake.md#bets).
 * @throws RowRefused if columns contradict each other, or lack a part of the bet
 */
export function betOf(row: BetCells, games: readonly BetGame[], none: string, notes: string[]): BetReading {
  if (games.length === 0) throw new RowRefused(none);
  const markets = row.markets
    .map(({ header, cell }) => ({
      header,
      cell: cell.replace(/_/g, ' ').replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '),
    }))
    .filter(({ cell }) => !generic.test(plainLetters(cell)));
  if (
    markets.length === 0 &&
    row.cell('subject') === '' &&
    row.cell('line') === '' &&
    outcome.test(row.cell('pick'))
  ) {
    notes.push(`No column names the market, so ${row.cell('pick')} is read as a side of the moneyline.`);
    markets.push({ header: 'pick', cell: games[0]!.moneylineWays === 3 ? '1X2' : 'Moneyline' });
  }
  const named = [row.cell('team'), row.cell('opponent')].filter((name) => name !== '');
  const theirs = games.filter((game) => named.some((name) => isOpponent(name, game)));
  const open = theirs.length > 0 ? theirs : games;
  if (markets.length === 0 && row.cell('subject') === '') return fromText(row, open, notes);
  const found = new Map<string, BetReading>();
  const said = new Set<string>();
  let refusal: RowRefused | undefined;
  for (const game of open) {
    try {
      const bet = inGame(row, markets, row.period, game, said);
      found.set(JSON.stringify(bet), bet);
    } catch (error) {
      if (!(error instanceof RowRefused)) throw error;
      refusal ??= error;
    }
  }
  notes.push(...said);
  const [first, second] = found.values();
  if (first === undefined) throw refusal!;
  if (second !== undefined)
    throw new RowRefused('The columns fit several games. Name both teams.', [...found.values()].map(betText));
  return first;
}

/** Reads the bet from text, and checks it against the columns that say something about it. */
function fromText(row: BetCells, games: readonly BetGame[], notes: string[]): BetReading {
  const texts = textsOf(row.cell);
  const { bet, text, isMoneylineGuessed } = readAny(texts, games);
  if (text !== texts[0]) notes.push(`Read as ${JSON.stringify(text)}.`);
  if (isMoneylineGuessed) notes.push('No column names the market, so the team is read as a moneyline.');
  const game = games.find((each) => each.game === bet.game && each.startsAt === bet.startsAt)!;
  const { whole, period: part } = periodOf(bet.market);
  const contradicts = (header: string, cell: string) =>
    new RowRefused(`The ${header} column says ${cell}, but the bet reads as ${betText(bet)}.`);
  const period = partOf(row.period, bet.sport);
  if (period !== part) {
    const market = period === undefined ? undefined : inPeriod(bet.sport, whole, period);
    if (part !== undefined || market === undefined) throw contradicts('period', row.period.cell);
    bet.market = market;
    bet.subject ??= marketIn(bet.sport, market) === undefined ? bet.game : null;
  }
  const [side, line, team] = [row.cell('side'), row.cell('line'), row.cell('team')];
  const said = wordsOf(side, game, row.marks);
  const own = bet.side.replace(/^(?:home|away)_/, '');
  if (
    (said.side !== undefined && said.side !== own) ||
    (said.role !== undefined && !bet.side.startsWith(said.role))
  )
    throw contradicts('side', side);
  const written = line === '' ? undefined : writtenLine(line, row.marks);
  const isPrice = written !== undefined && written === bet.oddsAmerican;
  if (line !== '' && !isPrice && !(written === 0 && bet.line === null) && !sameLine(written, bet.line, line))
    throw contradicts('line', line);
  const role = team === '' ? undefined : wordsOf(team, game, row.marks).role;
  if (role !== undefined && /^(?:home|away)$/.test(bet.side) && role !== bet.side)
    throw contradicts('team', team);
  return bet;
}

/** `3.5` can be the line of -3.5 if its column writes no signs. */
function sameLine(written: number | undefined, line: number | null, cell: string): boolean {
  if (written === undefined || line === null) return false;
  return written === line || (/^\d/.test(cell) && written === Math.abs(line));
}

/** Words of headers for parts of a game, as markets call them. */
const partNames: Readonly<Record<string, string>> = {
  ...{ halbzeit: 'half', tempo: 'half', tiempo: 'half', 'mi-temps': 'half', mitemps: 'half' },
};

function partOf({ header, cell }: HeadedCell, sport: string): Period | undefined {
  const text = plainLetters(cell.trim());
  if (text === '' || wholeGame.test(text)) return undefined;
  // `1st` below `Half`, and `3` below `Quarter`.
  const [, number] = /^([1-4])(?:st|nd|rd|th|[.°ºa])?$/.exec(text) ?? [];
  const isPart =
    number !== undefined &&
    /half|quarter|qtr|period|halbzeit|tempo|tiempo|mi-?temps|inning/.exec(plainLetters(header));
  const part = isPart
    ? `${number}${['st', 'nd', 'rd', 'th'][Number(number) - 1]} ${partNames[isPart[0]] ?? isPart[0]}`
    : text;
  const found = meant(part, { sport });
  if (found?.kind === 'period')
    return found.period === 'regulation' && sport === 'soccer' ? undefined : found.period;
  throw new RowRefused(`${cell} is no part of a game that is known here.`);
}

/** Builds the bet in one game. @throws RowRefused */
function inGame(
  row: BetCells,
  markets: readonly HeadedCell[],
  period: HeadedCell,
  game: BetGame,
  notes: Set<string>,
): BetReading {
  const { sport, game: title } = game;
  const { cell, marks } = row;
  const player = isOpponent(cell('subject'), game) ? '' : cell('subject');
  const fromPeriod = partOf(period, sport);
  const pick = wordsOf(cell('pick') || cell('team'), game, marks);
  const side = wordsOf(cell('side'), game, marks);
  const more = wordsOf(cell('description'), game, marks);
  const team = wordsOf(cell('team') || (player === '' ? cell('subject') : ''), game, marks);
  const description = cell('description');
  const hasSubject = player !== '' || (pick.words !== '' && pick.role === undefined);
  const cellLine = lineIn(cell('line'), marks) ?? pick.line ?? side.line;
  const known = markets.filter(({ cell: written }) => meant(written, { sport, hasSubject }) !== undefined);
  // Exports have columns of their own words beside the market, such as `arbitrage`.
  if (known.length > 0)
    for (const { header, cell: written } of markets)
      if (!known.some((each) => each.cell === written))
        notes.add(`${header} says ${written}, which is not read.`);
  const of =
    player === '' && pick.role === undefined
      ? markets
          .map(({ cell: text }) => playerIn(sport, text))
          .find((each) => each !== undefined && !isOpponent(each.player, game))
      : undefined;
  if (of !== undefined)
    return inGame(
      {
        ...row,
        cell: (field) =>
          field === 'subject'
            ? of.player
            : field === 'pick'
              ? cell('pick').replace(of.player, '').trim()
              : cell(field),
      },
      [{ header: 'market', cell: of.statistic }],
      ...([period, game, notes] as const),
    );
  let said = (known.length > 0 ? known : markets).map((each) =>
    marketOf(each.cell, sport, hasSubject, cellLine),
  );
  // The text says what the columns lack.
  const texts = [cell('pick'), description].filter((text) => /\p{L}/u.test(text));
  const read = () => {
    for (const text of [...texts, ...textsOf(cell)]) {
      try {
        return readAny([text], [game]).bet;
      } catch (error) {
        if (!(error instanceof RowRefused)) throw error;
      }
    }
    return undefined;
  };
  if (said.length === 0) {
    const statistic = texts
      .map((text) => leftOf(text))
      .find((text) => statisticsMeant(sport, text).length > 0);
    if (statistic !== undefined) said = [marketOf(statistic, sport, true, cellLine)];
    else {
      const bet = read();
      if (bet === undefined || (player !== '' && !isPlayer(player, bet.subject)))
        throw new RowRefused(`No column says what of ${player || cell('subject')} the bet is on.`);
      return bet;
    }
  }
  const market = merged(said);
  const line =
    lineIn(cell('line'), marks) ??
    market.line ??
    pick.line ??
    side.line ??
    lineIn(pick.words, marks) ??
    more.line;
  for (const other of [market.line, pick.line, side.line, more.line])
    if (other !== undefined && line !== undefined && Math.abs(other) !== Math.abs(line))
      throw new RowRefused(`The columns name two lines, ${line} and ${other}.`);
  const part = market.part ?? fromPeriod;
  if (market.part !== undefined && fromPeriod !== undefined && market.part !== fromPeriod)
    throw new RowRefused(`The columns name two parts of the game, ${market.written} and ${period.cell}.`);
  const base = { sport, game: title, startsAt: game.startsAt, away: game.away.name, home: game.home.name };
  const made = (of: Pick<BetReading, 'market' | 'subject' | 'side' | 'line'>): BetReading => {
    const bet = { ...base, ...of, oddsAmerican: pick.odds ?? null, stakeUnits: null, book: null };
    const fault = selectionFault(
      { ...of, lineE3: of.line === null ? null : Math.round(of.line * 1000) },
      { sport, game: title },
      game.moneylineWays,
    );
    if (fault !== undefined) throw new RowRefused(`${market.written}: ${fault}.`);
    return bet;
  };
  const written = pick.side ?? side.side ?? market.side ?? more.side;
  const opposite = market.side === 'over' ? 'under' : market.side === 'under' ? 'over' : undefined;
  // `NRFI` with `No` is a bet on a run.
  const sideWord =
    opposite === undefined || (written !== 'yes' && written !== 'no')
      ? written
      : written === 'yes'
        ? market.side
        : opposite;
  if (pick.side !== undefined && side.side !== undefined && pick.side !== side.side)
    throw new RowRefused(`The columns name two sides, ${cell('pick')} and ${cell('side')}.`);

  // A player's market.
  const own = player !== '' ? player : nameIn(sport, pick.words);
  if (market.subject === 'player') {
    const name =
      part === undefined || market.part !== undefined
        ? market.market!
        : inPeriod(sport, market.market!, part);
    if (name === undefined) throw new RowRefused(`${sport} has no ${period.cell}.`);
    if (own === '') throw new RowRefused(`${market.written} is about a player, and the row names none.`);
    if (isQuestion(name)) {
      const answer = sideWord === 'over' ? 'yes' : sideWord === 'under' ? 'no' : (sideWord ?? 'yes');
      return made({ market: name, subject: own, side: answer, line: null });
    }
    return made({
      market: name,
      subject: own,
      side: needed(sideWord, 'over or under'),
      line: needed(line, 'a line'),
    });
  }
  if (player !== '') {
    const answer = sideWord ?? (line === undefined ? 'yes' : undefined);
    return made({
      market: slugOf(market.written),
      subject: player,
      side: needed(answer, 'over or under'),
      line: line ?? null,
    });
  }

  // `1X` can stand below `1X2`.
  const isChance = pick.chance !== undefined && /^1[x ]?2$/i.test(market.written);
  const name =
    (isChance ? 'double_chance' : market.market) ??
    textMarket(pick.market, sideWord, pick.role ?? side.role ?? team.role ?? more.role, line);
  const other = [pick, more].find((each) => each.market !== undefined && !agree(name, each.market));
  if (market.market !== undefined && other !== undefined && !isChance)
    throw new RowRefused(
      `The market column says ${market.written}, but the bet reads as ${cell(other === pick ? 'pick' : 'description')}.`,
    );
  const role = pick.role ?? side.role ?? team.role ?? market.team ?? more.role;
  const full = (whole: string, choice: string, points: number | null): BetReading => {
    const inPart = part === undefined ? whole : inPeriod(sport, whole, part);
    if (inPart === undefined) throw new RowRefused(`${sport} has no ${periodWords[part!].split('|', 1)[0]}.`);
    const subject = marketIn(sport, inPart) === undefined ? title : null;
    return made({ market: inPart, subject, side: choice, line: points });
  };
  const leftover = (allowed: boolean) => {
    if (pick.words !== '' && !allowed)
      throw new RowRefused(
        `${JSON.stringify(pick.words)} in ${cell('pick')} is no side of ${market.written}.`,
      );
  };
  switch (name) {
    case 'moneyline':
    case 'draw_no_bet':
      // In French, N is the draw.
      if (name === 'moneyline' && sideWord === 'no' && /^n$/i.test(cell('pick')))
        return full(name, 'draw', null);
      leftover(false);
      if (line !== undefined && line !== 0)
        throw new RowRefused(
          `The market column says ${market.written}, which has no line, but the row has the line ${line}.`,
        );
      return full(name, needed(sideOfTeam(sideWord, role), 'a team'), null);
    case 'spread': {
      leftover(false);
      const choice = needed(sideOfTeam(sideWord, role), 'a team');
      return full(name, choice, needed(line, 'a line'));
    }
    case 'total':
    case 'team_total': {
      leftover(false);
      const choice = needed(sideWord, 'over or under');
      if (!/^(?:over|under)$/.test(choice)) throw new RowRefused(`${choice} is no side of a total.`);
      const points = needed(line, 'a line');
      if (name === 'team_total' && role === undefined) throw new RowRefused('A team total needs a team.');
      const ofTeam = () => full('team_total', `${role}_${choice}`, points);
      const ofGame = () => full('total', choice, points);
      if (name === 'team_total') return ofTeam();
      if (pick.role === undefined || pick.isBare !== true) return ofGame();
      // Sheets often call a team total a total.
      const open = bareMeanings(sport, points, part !== undefined);
      if (open.total && open.team)
        throw new RowRefused(`${cell('pick')} fits several bets.`, [betText(ofGame()), betText(ofTeam())]);
      return open.team ? ofTeam() : ofGame();
    }
    case 'btts': {
      const answer = /^no ?goal$/i.test(cell('pick'))
        ? 'no'
        : /^goal$/i.test(cell('pick'))
          ? 'yes'
          : sideWord;
      leftover(answer !== sideWord);
      return full(name, needed(answer === 'over' ? undefined : answer, 'yes or no'), null);
    }
    case 'double_chance': {
      leftover(false);
      const choice = pick.chance ?? side.chance ?? (role === undefined ? undefined : `${role}_or_draw`);
      return full(name, needed(choice, 'two of the three outcomes'), null);
    }
    default: {
      // No score grades it, so its side is what the columns say.
      const spoken = sideWord ?? role ?? slugOf(pick.words || cell('side') || cell('team'));
      if (spoken === '') throw new RowRefused(`${market.written} has no side.`);
      const inPart = (part === undefined ? undefined : inPeriod(sport, name, part)) ?? name;
      const about =
        market.subject === 'game' || role === undefined || cell('team') === '' ? title : game[role].name;
      const combined = sideWord !== undefined && role !== undefined && /^(?:over|under)$/.test(sideWord);
      return made({
        market: inPart.slice(0, 40),
        subject: about,
        side: combined && about === title ? `${role}_${sideWord}` : spoken,
        line: line ?? null,
      });
    }
  }
}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RowRefused(`The columns do not say ${what}.`);
  return value;
}

function sideOfTeam(side: string | undefined, role: string | undefined): string | undefined {
  if (side !== undefined && /^(?:home|away|draw)$/.test(side)) return side;
  return side === undefined || side === 'yes' ? role : undefined;
}

/** Returns the market of a bet if the columns for markets name only a part of the game. */
function textMarket(
  named: string | undefined,
  side: string | undefined,
  role: string | undefined,
  line: number | undefined,
): string {
  if (named !== undefined) return named;
  if (side === 'over' || side === 'under') return role === undefined ? 'total' : 'team_total';
  if (role !== undefined || side === 'home' || side === 'away' || side === 'draw')
    return line === undefined ? 'moneyline' : 'spread';
  throw new RowRefused('The columns do not say which market the bet is on.');
}

/** Reports whether the market in a text is that of its column. A moneyline of three sides is one, too. */
function agree(market: string, named: string): boolean {
  const plain = (name: string) => periodOf(name).whole.replace(/^h2h(?:_3_way)?$/, 'moneyline');
  const [one, other] = [plain(market), plain(named)];
  return (
    one === other ||
    (one === 'total' && other === 'team_total') ||
    (one === 'team_total' && other === 'total')
  );
}

function merged(said: readonly Named[]): Named {
  return said.reduce((one, other) => {
    if (one.market !== undefined && other.market !== undefined && !agree(one.market, other.market))
      throw new RowRefused(`The columns name two markets, ${one.written} and ${other.written}.`);
    return {
      ...other,
      ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
    } as Named;
  });
}

/** Reads the cell of a column for markets: `Asian Handicap -0.5`, `1st Half Goals`, `Over/Under 2.5`. */
function marketOf(written: string, sport: string, hasSubject: boolean, line: number | undefined): Named {
  const found = meant(firstInning(written) ?? written, {
    sport,
    hasSubject,
    ...(line === undefined ? {} : { line }),
  });
  if (found === undefined)
    throw new RowRefused(
      `${written} is no market that is known here. Write it as its book does, or skip the column with --map.`,
    );
  if (found.kind === 'misspelled')
    throw new RowRefused(`${written} is not known. Did you mean ${found.market}?`);
  if (found.kind === 'refused') throw new RowRefused(`${written}: ${found.reason}`);
  if (found.kind === 'several')
    throw new RowRefused(`${written} can mean ${found.markets.map(({ market }) => market).join(' or ')}.`);
  if (found.kind === 'period') return { written, part: found.period };
  const { kind: _, ...meaning } = found;
  if (found.subject === 'player' || found.subject === 'question') return { written, ...meaning };
  const { whole, period } = periodOf(found.market);
  // A market of three sides has no whole of its own.
  return period === undefined || found.market.startsWith('h2h_3_way')
    ? { written, ...meaning }
    : { written, ...meaning, market: whole, part: period };
}

/** Removes the side and line of a text: `Over 4.5 Receptions` leaves `Receptions`. */
function leftOf(text: string): string {
  return text
    .replace(/\b(?:over|under|o|u)\b/gi, ' ')
    .replace(/[+-]?\d+(?:[.,]\d+)?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the player in words such as `John Example Strikeouts`. */
function nameIn(sport: string, words: string): string {
  const all = words.split(' ');
  const cut = all.findIndex((_, at) => at > 0 && statisticsMeant(sport, all.slice(at).join(' ')).length > 0);
  return cut === -1 ? words : all.slice(0, cut).join(' ');
}

/** Splits the name of a market such as `Rory Finch - Receiving Yds`, or `Rory Finch Receiving Yards O/U`. */
function playerIn(sport: string, written: string): { player: string; statistic: string } | undefined {
  const whole = meant(written, { sport });
  if (
    statisticsMeant(sport, written).length > 0 ||
    (whole?.kind === 'market' && whole.subject !== 'question')
  )
    return undefined;
  const [, one, two] = /^(.+?)\s+[-–:]\s+(.+)$/.exec(written) ?? [];
  const player = one ?? nameIn(sport, written);
  const statistic = two ?? written.slice(player.length).trim();
  return player.includes(' ') && player !== written && statisticsMeant(sport, statistic).length > 0
    ? { player, statistic }
    : undefined;
}

interface SideWords {
  side?: string;
  role?: 'home' | 'away';
  line?: number;
  odds?: number;
  market?: string;
  /** A double chance. */
  chance?: string;
  /** Whether a team and a total are named without the word total. */
  isBare?: boolean;
  /** The other words. */
  words: string;
}

const sideWords: readonly (readonly [RegExp, string])[] = [
  [/^(?:over|o|plus de|mas de|mais de|mehr als|uber|oltre|meer dan|higher|more)(?![\p{L}])/u, 'over'],
  [/^(?:under|u|moins de|menos de|weniger als|unter|sotto|minder dan|lower|less)(?![\p{L}])/u, 'under'],
  [/^(?:yes|y|oui|si|ja|sim|gg)$/, 'yes'],
  [/^(?:no|n|non|nein|nao|nee|ng)$/, 'no'],
  [/^(?:home|home team|h|host|local|casa|domicile|heim)$/, 'home'],
  [/^(?:away|away team|a|visitor|visitante|ospite|exterieur|gast)$/, 'away'],
  [/^(?:draw|tie|the draw|match nul|nul|empate|pareggio|unentschieden|remis)$/, 'draw'],
];

const marketWords: readonly (readonly [RegExp, string])[] = [
  [/\s*\b(?:to )?(?:draw no bet|dnb)\b/, 'draw_no_bet'],
  [/\s*\b(?:double chance)\b/, 'double_chance'],
  [/\s*\b(?:both teams to score|btts)\b\s*-?/, 'btts'],
  [/\s*\b(?:team total|tt)\b/, 'team_total'],
  [/\s*\b(?:ml|money ?line|to win|winner|win)$/, 'moneyline'],
  [/\s*\b(?:asian handicap|ah|spread|ats|run line|puck line|handicap|hcp)\b/, 'spread'],
];

/** Reads a cell that names a side, a team, or both, with a line: `Over 2.5`, `Foxes -3.5 (-110)`, `X`, `1X`. */
function wordsOf(cell: string, game: BetGame, { decimalComma }: Marks): SideWords {
  let text = plainLetters(cell.replace(/[\u2212\u2013]/g, '-'))
    .replace(/\s+/g, ' ')
    .trim();
  const found: SideWords = { words: '' };
  if (text === '' || (structureOf(cell) === 'single' && !/^(?:1|no|for|pour|punta)$/.test(text)))
    return found;
  const inning = firstInning(text);
  if (inning !== undefined) return { words: '', side: inning.includes('over') ? 'over' : 'under', line: 0.5 };
  const titled = /^(.+?)\s+(?:@|vs?\.?|at|-)\s+(.+?)\s*(?::|,|\s-)\s*(.+)$/.exec(text);
  if (titled !== null && [titled[1]!, titled[2]!].every((name) => isOpponent(name, game))) text = titled[3]!;
  const odds = /(?:^|\s)(?:@\s*)?[(]?([+-]\d{3,5})[)]?$/.exec(text);
  if (odds !== null) {
    found.odds = Number(odds[1]);
    text = text.slice(0, odds.index).trim();
  }
  // In soccer the home team comes first.
  const outcome = game.moneylineWays === 3 ? { 1: 'home', x: 'draw', 2: 'away' }[text] : undefined;
  if (outcome !== undefined) return { ...found, side: outcome };
  const chances = {
    '1x': 'home_or_draw',
    x1: 'home_or_draw',
    x2: 'away_or_draw',
    '2x': 'away_or_draw',
    '1n': 'home_or_draw',
    n2: 'away_or_draw',
    12: 'home_or_away',
  };
  const chance = game.moneylineWays === 3 ? (chances as Record<string, string>)[text] : undefined;
  if (chance !== undefined) return { ...found, chance, market: 'double_chance' };
  const orDraw = /^(.*?)\s*(?:or|\/)\s*(?:the )?(?:draw|tie|x)$|^(?:draw|tie|x)\s*(?:or|\/)\s*(.*)$/.exec(
    text,
  );
  if (orDraw !== null) {
    const { role, side } = wordsOf(orDraw[1] ?? orDraw[2] ?? '', game, { decimalComma });
    const team = role ?? (side === 'home' || side === 'away' ? side : undefined);
    if (team !== undefined) return { ...found, chance: `${team}_or_draw`, market: 'double_chance' };
  }
  for (const [pattern, market] of marketWords)
    if (pattern.test(text) && !(market === 'moneyline' && text.length < 3)) {
      found.market = market;
      text = text.replace(pattern, ' ').replace(/\s+/g, ' ').trim();
    }
  const total = /^(.*?)(?:^|\s|\()(over|under|o|u)\s?\(?(\d+(?:[.,]\d+)?)\)?(.*)$/.exec(text);
  if (total !== null) {
    found.side = total[2]!.startsWith('o') ? 'over' : 'under';
    const value = lineIn(total[3]!, { decimalComma: true });
    if (value !== undefined) found.line = value;
    text = `${total[1]} ${total[4]}`.trim();
    found.isBare = found.market === undefined;
  }
  const signed =
    /(?:^|\s|\()([+-]\s?\d+(?:[.,]\d+)?(?:\s?[,/]\s?[+-]?\d+(?:[.,]\d+)?)?|pk|pick ?'?em)\)?$/.exec(text);
  if (signed !== null && found.line === undefined) {
    const value = writtenLine(signed[1]!.replace(/([+-])\s/, '$1'), { decimalComma });
    if (value !== undefined) {
      found.line = value;
      text = text.slice(0, signed.index).trim();
    }
  }
  text = text
    .replace(/\b(?:total )?(?:goals?|points?|pts|runs?|games?|total|in the match|full time|ft)$/, '')
    .replace(/^[\s:,-]+|[\s:,-]+$/g, '');
  for (const [pattern, side] of sideWords) {
    const match = pattern.exec(text);
    if (match === null || found.side !== undefined) continue;
    found.side = side;
    text = text.slice(match[0].length).trim();
    const value = lineIn(text, { decimalComma: true });
    if (value !== undefined) {
      found.line ??= value;
      text = '';
    }
  }
  if (text === '') return found;
  const named = dayOf([game])
    .find(text)
    .filter(({ role }) => role !== 'player');
  const roles = [...new Set(named.map(({ role }) => role as 'home' | 'away'))];
  if (roles.length === 1) return { ...found, role: roles[0]! };
  const both = /^(.+?)\s+(?:@|vs?\.?|at|-)\s+(.+)$/.exec(text);
  if (both?.slice(1).every((name) => isOpponent(name, game))) return found;
  // The case of a player's name is the cell's.
  const at = plainLetters(cell).indexOf(text);
  return { ...found, words: at === -1 ? text : cell.slice(at, at + text.length).trim() };
}

function lineIn(cell: string, marks: Marks): number | undefined {
  if (cell === '') return undefined;
  return writtenLine(
    cell.replace(/^(?:over|under|o|u)\s*/i, '').replace(/\s*(?:goals?|points?|pts|runs?)$/i, ''),
    marks,
  );
}

/** Reports whether a name in a column for players is one of the opponents, as in tennis. */
function isOpponent(name: string, game: BetGame): boolean {
  return (
    name !== '' &&
    dayOf([game])
      .find(name)
      .some(({ role }) => role !== 'player')
  );
}

function isPlayer(name: string, subject: string | null): boolean {
  return subject !== null && nameKey(subject).includes(nameKey(name).slice(-5));
}

export function slugOf(text: string): string {
  return plainLetters(text)
    .replace(/&|\+/g, ' and ')
    .replace(/[^a-z0-9-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '');
}
