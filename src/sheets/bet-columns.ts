import type { BetReading } from '../rules/bet-text/bet.ts';
import type { BetGame } from '../rules/bet-text/day.ts';
import { bareMeanings, isSpread, isTeamTotal, isTotal } from '../rules/bet-text/plausible.ts';
import { betText } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { marketIn } from '../rules/markets/index.ts';
import { aboutOf, isQuestion, shapeOf } from '../rules/markets/known.ts';
import { meant, sideMeant, statisticsMeant } from '../rules/markets/meant.ts';
import { inPeriod, type Period, periodWords } from '../rules/markets/periods.ts';
import { nameKey, plainLetters } from '../rules/plain-name.ts';
import { selectionFault } from '../rules/selection.ts';
import { type BetCells, fromText, isTotalOfTeam, textsOf } from './bet-of-text.ts';
import { type Cells, type HeadedCell, RowRefused } from './cells.ts';
import {
  agree,
  isOutcome,
  leftOf,
  longhand,
  marketOf,
  merged,
  nameIn,
  outcomeIn,
  partOf,
  playerIn,
  teamTotalIn,
} from './market-cells.ts';
import { lexemesOf, lineIn, roleIn, type Said, saidIn, slugOf } from './said.ts';

/** Words of columns for markets that leave the market to other columns. */
const generic =
  /^(?:props?|player (?:props?|o\/?u|over\/?under)|player|player specials?|game props?|team props?|game|game lines?|match|side|sides|main|main market|other|specials?|alternate|alternates?|alts?|bet|pick)$/;

/** Sides of BTTS: both teams score, or not. */
const isOfGoals = /^(?:gg|ng|gol|goal|no ?go(?:a)?l)$/i;

/**
 * Builds the bet of a row from its columns; text fills what no column says (docs/rules/intake.md#bets).
 * @throws RowRefused if columns contradict each other, or lack a part of the bet
 */
export function betOf(row: BetCells, games: readonly BetGame[], none: string, notes: string[]): BetReading {
  if (games.length === 0) throw new RowRefused(none);
  const markets = row.markets
    .map(({ header, cell }) => ({
      header,
      // Exchanges write `OVER_UNDER_25`.
      cell: cell
        .replace(/(?<=^[A-Z_]+_\d)5$/, '.5')
        .replace(/_/g, ' ')
        .replace(/(?<=\p{Ll})(?=\p{Lu})/gu, ' '),
    }))
    .filter(({ cell }) => !generic.test(plainLetters(cell)));
  const isAboutSubject = row.cell('subject') !== '';
  const pick = longhand(row.cell('pick'), games[0]!.sport);
  if (pick !== row.cell('pick')) {
    const cell: Cells = (field) => (field === 'pick' ? pick : row.cell(field));
    return betOf({ ...row, cell }, games, none, notes);
  }
  const split = outcomeIn(pick, games[0]!.sport);
  if (split !== undefined && (split.kind === 'period' ? row.period.cell === '' : markets.length === 0)) {
    const cell: Cells = (field) => (field === 'pick' ? split.outcome : row.cell(field));
    const of = { header: 'pick', cell: split.of };
    const named = split.kind === 'period' ? { period: of } : { markets: [of] };
    return betOf({ ...row, cell, ...named }, games, none, notes);
  }
  const isGoals = games[0]!.sport === 'soccer' && isOfGoals.test(pick);
  if (
    markets.length === 0 &&
    !isAboutSubject &&
    row.cell('line') === '' &&
    (isGoals || isOutcome(pick, games[0]!.sport))
  ) {
    const said = isGoals ? 'BTTS' : games[0]!.moneylineWays === 3 ? '1X2' : 'Moneyline';
    notes.push(
      `No column names the market, so ${pick} is read as a side of ${isGoals ? said : 'the moneyline'}.`,
    );
    markets.push({ header: 'pick', cell: said });
  }
  // `ML` below `Bet`, beside the team.
  const isOpen = markets.length === 0 && !isAboutSubject && row.cell('team') !== '';
  const chosen = isOpen ? meant(row.cell('pick'), { sport: games[0]!.sport }) : undefined;
  if (chosen?.kind === 'market' && chosen.subject === 'none') {
    markets.push({ header: 'pick', cell: row.cell('pick') });
    const cell: Cells = (field) => (field === 'pick' ? '' : row.cell(field));
    return betOf({ ...row, cell, markets }, games, none, notes);
  }
  const named = [row.cell('team'), row.cell('opponent')].filter((name) => name !== '');
  const theirs = games.filter((game) => named.some((name) => roleIn(name, game) !== undefined));
  const open = theirs.length > 0 ? theirs : games;
  if (markets.length === 0 && !isAboutSubject) return fromText(row, open, notes);
  const found = new Map<string, BetReading>();
  const said = new Set<string>();
  let refusal: RowRefused | undefined;
  for (const game of open) {
    try {
      const bet = inGame(row, markets, game, said);
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

/** Words of markets whose sides are numbers. */
const counting = /\b(?:exact\w*|number|somma|suma|summe|genaue?|anzahl|numero|nombre)\b/;

/** Markets whose sides the columns must say. The side of any other is what its columns say, because no score grades it. */
const strict = /^(?:moneyline|spread|total|team_total|draw_no_bet|double_chance|btts)$/;

/** A bet in one game, as the columns of a row give it. */
interface Parts {
  cell: Cells;
  game: BetGame;
  market: Said;
  pick: Said;
  /** The bet in words. */
  more: Said;
  player: string;
  role: 'home' | 'away' | undefined;
  /** The side, unless it is only a team. */
  word: string | undefined;
  line: number | undefined;
  /** Whether the line is only a number among the words of the pick. */
  isLineOfWords: boolean;
  part: Period | undefined;
}

/** Builds the bet in one game. @throws RowRefused */
function inGame(
  row: BetCells,
  columns: readonly HeadedCell[],
  game: BetGame,
  notes: Set<string>,
): BetReading {
  const parts = partsIn(row, columns, game, notes);
  if (!('pick' in parts)) return parts;
  const isPlayers = parts.market.subject === 'player' || parts.player !== '';
  return isPlayers ? ofPlayer(parts) : ofGame(parts);
}

/**
 * Collects what the columns say. If they lack the market, returns the bet of the text.
 * @throws RowRefused if they contradict each other
 */
function partsIn(
  row: BetCells,
  columns: readonly HeadedCell[],
  game: BetGame,
  notes: Set<string>,
): Parts | BetReading {
  const { sport } = game;
  const { cell, marks } = row;
  const [subject, description] = [cell('subject'), cell('description')];
  const isHeaded = columns.some(({ header }) => header !== 'pick');
  const isTeam = roleIn(subject, game) !== undefined;
  const read = (text: string) => saidIn(text, game, marks, isHeaded);
  // `Rory Finch - Receiving Yds` in the column of the market.
  const inMarket = columns
    .map((column) => playerIn(sport, column.cell))
    .find((each) => each !== undefined && roleIn(each.player, game) === undefined);
  const isInMarket = inMarket !== undefined && (subject === '' || isTeam);
  const markets = isInMarket ? [{ header: 'market', cell: inMarket.statistic }] : columns;
  const player = isInMarket ? inMarket.player : isTeam ? '' : subject;
  const pickCell = isInMarket ? cell('pick').replace(player, '').trim() : cell('pick');
  const pick = read(pickCell || cell('team'));
  const side = read(cell('side'));
  const more = read(description);
  const team = read(cell('team') || (player === '' ? subject : ''));
  const hasSubject = player !== '' || (pick.words !== '' && pick.role === undefined);
  const isTitled = (['home', 'game', 'opponent', 'second'] as const).some((field) => cell(field) !== '');
  const about = { sport, hasSubject, isTitled };
  const cellLine = lineIn(cell('line'), marks);
  const known = markets.filter(({ cell: written }) => meant(written, { sport, hasSubject }) !== undefined);
  // Exports have columns of their own words beside the market, such as `arbitrage`.
  if (known.length > 0)
    for (const { header, cell: written } of markets)
      if (!known.some((each) => each.cell === written))
        notes.add(`${header} says ${written}, which is not read.`);
  let said = (known.length > 0 ? known : markets).map((each) => {
    const points = cellLine ?? pick.line ?? side.line;
    const ofTeam = teamTotalIn(each.cell, game);
    return ofTeam === undefined
      ? marketOf(each.cell, about, points)
      : { ...marketOf(ofTeam.rest, about, points), ...ofTeam.said };
  });
  if (said.length === 0) {
    // The text says what the columns lack.
    const texts = [cell('pick'), description].filter((text) => /\p{L}/u.test(text));
    const statistic = texts.map(leftOf).find((text) => statisticsMeant(sport, text).length > 0);
    if (statistic !== undefined)
      said = [marketOf(statistic, { ...about, hasSubject: true }, cellLine ?? pick.line)];
    else {
      const found = [...texts, ...textsOf(cell, [game])]
        .map((text) => readBetText(text, [game]))
        .find(({ kind }) => kind === 'bet');
      const bet = found?.kind === 'bet' ? found.bet : undefined;
      const isPlayers = bet?.subject != null && nameKey(bet.subject).includes(nameKey(player).slice(-5));
      if (bet === undefined || (player !== '' && !isPlayers))
        throw new RowRefused(`No column says what of ${player || subject} the bet is on.`);
      return bet;
    }
  }
  const market = merged(said);
  const ofWords = /^even/i.test(pick.words) ? undefined : lineIn(pick.words, marks);
  const first =
    (cellLine === 0 ? undefined : cellLine) ??
    market.line ??
    pick.line ??
    side.line ??
    ofWords ??
    more.line ??
    cellLine;
  // A column can write no signs, but none can write the other one.
  const isPlus = /(?:^|[\s(])\+\d{1,2}(?!\d)/.test(
    [cell('line'), pickCell, cell('side'), description, market.written].join(' '),
  );
  const others = [market.line, pick.line, side.line, more.line].filter((each) => each !== undefined);
  for (const other of others)
    if (first !== undefined && (isPlus ? other !== first : Math.abs(other) !== Math.abs(first)))
      throw new RowRefused(`The columns name two lines, ${first} and ${other}.`);
  const line = first !== undefined && others.some((each) => each < 0) ? -Math.abs(first) : first;
  const fromPeriod = partOf(row.period, sport) ?? pick.part;
  const part = market.part ?? fromPeriod;
  if (market.part !== undefined && fromPeriod !== undefined && market.part !== fromPeriod)
    throw new RowRefused(
      `The columns name two parts of the game, ${market.written} and ${row.period.cell || pickCell}.`,
    );
  if (pick.side !== undefined && side.side !== undefined && pick.side !== side.side)
    throw new RowRefused(`The columns name two sides, ${cell('pick')} and ${cell('side')}.`);
  const named = pick.side ?? side.side ?? market.side ?? more.side;
  const isAnswer = market.market !== undefined && (named === 'yes' || named === 'no');
  const word = isAnswer
    ? sideMeant(sport, { market: market.market!, ...(market.side && { side: market.side }) }, named)
    : named;
  const roles = new Set([pick, side, team, market].flatMap((each) => each.role ?? []));
  if (roles.size > 1)
    throw new RowRefused(`The columns name two teams, ${game.home.name} and ${game.away.name}.`);
  const role = pick.role ?? side.role ?? team.role ?? market.role ?? more.role;
  const isLineOfWords = first !== undefined && first === ofWords;
  return { cell, game, market, pick, more, player, role, word, line, isLineOfWords, part };
}

/** Completes a selection. @throws RowRefused if its market has no such side or line */
function made(
  { game, market, pick }: Parts,
  of: Pick<BetReading, 'market' | 'subject' | 'side' | 'line'>,
): BetReading {
  const { sport, game: title, startsAt, away, home, moneylineWays } = game;
  const lineE3 = of.line === null ? null : Math.round(of.line * 1000);
  const fault = selectionFault({ ...of, lineE3 }, { sport, game: title }, moneylineWays);
  if (fault !== undefined) throw new RowRefused(`${market.written}: ${fault}.`);
  const named = { sport, game: title, startsAt, away: away.name, home: home.name };
  return { ...named, ...of, oddsAmerican: pick.odds ?? null, stakeUnits: null, book: null };
}

/** Returns the market of the part of the game that the row names. @throws RowRefused */
function inPart({ game: { sport }, part }: Parts, whole: string): string {
  const own = part === undefined ? whole : inPeriod(sport, whole, part);
  if (own === undefined) throw new RowRefused(`${sport} has no ${periodWords[part!].split('|', 1)[0]}.`);
  return own;
}

/** Takes yes or no off the beginning or end of a text. */
function answerIn(sport: string, text: string): { answer?: string; rest: string } {
  const last = /^(?<rest>.+?)[\s:(–-]+(?<word>\p{L}+)\)?$/u.exec(text)?.groups;
  const first = /^(?<word>\p{L}+)[\s:–-]+(?<rest>.+)$/u.exec(text)?.groups;
  for (const { word = '', rest = '' } of [last, first].filter((found) => found !== undefined)) {
    const answer = lexemesOf(sport, plainLetters(word), 'side').find((side) => /^(?:yes|no)$/.test(side));
    if (answer !== undefined) return { answer, rest };
  }
  return { rest: text };
}

function ofPlayer(parts: Parts): BetReading {
  const { market, pick, player, line } = parts;
  const { sport } = parts.game;
  // `Ada Cole - No` answers the market's question.
  const given = player || nameIn(sport, pick.words);
  const { answer: said, rest: own } = answerIn(sport, given);
  if (said !== undefined && parts.word !== undefined && parts.word !== said)
    throw new RowRefused(`The columns name two sides, ${parts.word} and ${said}.`);
  const word = parts.word ?? said;
  if (market.subject !== 'player') {
    const answer = needed(word ?? (line === undefined ? 'yes' : undefined), 'over or under');
    return made(parts, { market: slugOf(market.written), subject: own, side: answer, line: line ?? null });
  }
  if (/\s(?:[+&]|and)\s|\//i.test(own))
    throw new RowRefused(`${own} are several players, and ${market.written} is about one.`);
  const name = market.part === undefined ? inPart(parts, market.market!) : market.market!;
  if (own === '') throw new RowRefused(`${market.written} is about a player, and the row names none.`);
  const of = { market: name, subject: own };
  if (isQuestion(name)) {
    const answer = word === 'over' ? 'yes' : word === 'under' ? 'no' : (word ?? 'yes');
    return made(parts, { ...of, side: answer, line: null });
  }
  // `To hit a home run: yes` asks for at least one.
  if (line === undefined && (word === 'yes' || word === 'no'))
    return made(parts, { ...of, side: word === 'yes' ? 'over' : 'under', line: 0.5 });
  return made(parts, { ...of, side: needed(word, 'over or under'), line: needed(line, 'a line') });
}

function ofGame(parts: Parts): BetReading {
  const { cell, game, market, pick, more, role, word, line, isLineOfWords, part } = parts;
  const { sport, game: title } = game;
  // `1X` can stand below `1X2`.
  const isChance = pick.market === 'double_chance' && /^1[x ]?2$/i.test(market.written);
  // Exchanges write a handicap of 0 beside every market.
  if (line === 0 && market.market === undefined && pick.market === undefined && game.moneylineWays === 3)
    throw new RowRefused(
      `The line 0 beside ${market.written} can mean none. Name the market: a draw no bet, or the result.`,
    );
  const name = (isChance ? 'double_chance' : market.market) ?? pick.market ?? marketBy(word, role, line);
  const reversed = [pick, more].flatMap(({ words }) =>
    lexemesOf(sport, words.split(' ', 1)[0]!, 'refused'),
  )[0];
  if (reversed !== undefined) throw new RowRefused(`${cell('pick') || cell('description')}: it ${reversed}`);
  // The sides of markets such as half-time and full-time are texts: `Draw/Foxes`.
  const isText = shapeOf(sport, name) === 'other' && pick.market !== undefined;
  const other = [pick, more].find(
    (each) => each.market !== undefined && !isText && !agree(name, each.market),
  );
  if (market.market !== undefined && other !== undefined && !isChance)
    throw new RowRefused(
      `The market column says ${market.written}, but the bet reads as ${cell(other === pick ? 'pick' : 'description')}.`,
    );
  const full = (
    whole: string,
    choice: string | undefined,
    what: string,
    points: number | null,
  ): BetReading => {
    if (pick.words !== '')
      throw new RowRefused(
        `${JSON.stringify(pick.words)}${cell('pick') === '' ? '' : ` in ${cell('pick')}`} is no side of ${market.written}.`,
      );
    const own = inPart(parts, whole);
    const about = marketIn(sport, own) === undefined ? title : null;
    return made(parts, { market: own, subject: about, side: needed(choice, what), line: points });
  };
  const ofTeam = word === 'draw' ? word : word === undefined || word === 'yes' ? role : undefined;
  const overUnder = word === 'over' || word === 'under' ? word : undefined;
  switch (strict.test(name) ? shapeOf(sport, name) : undefined) {
    case 'team':
      if (line !== undefined && line !== 0)
        throw new RowRefused(
          `The market column says ${market.written}, which has no line, but the row has the line ${line}.`,
        );
      // In French, N is the draw.
      return full(name, word === 'no' && /^n$/i.test(cell('pick')) ? 'draw' : ofTeam, 'a team', null);
    case 'spread':
      checkUsual(parts, 'spread', needed(line, 'a line'));
      return full(name, ofTeam, 'a team', needed(line, 'a line'));
    case 'overUnder':
    case 'teamOverUnder': {
      const points = needed(line, 'a line');
      const side = needed(overUnder, 'over or under');
      if (name === 'team_total' && role === undefined) throw new RowRefused('A team total needs a team.');
      // Sheets often call a team total a total.
      const open =
        name === 'team_total'
          ? { total: false, team: true }
          : pick.role === undefined || pick.isBare !== true
            ? { total: true, team: isTotalOfTeam(cell, game, points, part !== undefined) }
            : bareMeanings(sport, points, part !== undefined);
      checkUsual(parts, open.total || !open.team ? 'total' : 'team_total', points);
      const bets = [
        ...(open.total || !open.team ? [full('total', side, 'over or under', points)] : []),
        ...(open.team ? [full('team_total', `${role}_${side}`, 'over or under', points)] : []),
      ];
      if (bets.length > 1)
        throw new RowRefused(`${cell('pick') || market.written} fits several bets.`, bets.map(betText));
      return bets[0]!;
    }
    case 'yesNo':
      return full(name, word === 'yes' || word === 'no' ? word : undefined, 'yes or no', null);
    case 'teamOrDraw':
      return full(
        name,
        word?.includes('_or_') ? word : role === undefined ? undefined : `${role}_or_draw`,
        'two of the three outcomes',
        null,
      );
    default: {
      // `Division` and `Award` beside a team.
      const isScope = role !== undefined && lexemesOf(sport, market.written, 'scope').length > 0;
      if (aboutOf(name) === 'competition' || isScope)
        throw new RowRefused(
          `${market.written} is about a competition, and the row names the game ${title}.`,
        );
      // `Set 2` is no total of sets.
      if (shapeOf(sport, name) === 'overUnder' && role !== undefined) needed(overUnder, 'over or under');
      // A number can be what the market counts.
      const isCount = /^\d+$/.test(cell('pick')) && counting.test(plainLetters(market.written));
      const isNumber = isCount || /^\d/.test(pick.words);
      const isWithoutLine = shapeOf(sport, name) === 'team' && line === 0;
      // `Foxes and over 2.5` is one side of two markets together.
      const isJoined = word !== undefined && /[&+/]|\b(?:and|und|y|e|et|en|og)\b/.test(pick.words);
      const spoken =
        isText || isCount || isJoined
          ? slugOf(cell('pick'))
          : role !== undefined && (word === 'yes' || word === 'no')
            ? role + (word === 'no' ? '_no' : '')
            : (word ?? role ?? slugOf(pick.words || cell('side') || cell('team')));
      if (spoken === '') throw new RowRefused(`${market.written} has no side.`);
      const own = (part === undefined ? undefined : inPeriod(sport, name, part)) ?? name;
      const about =
        market.subject === 'game' || role === undefined || cell('team') === '' ? title : game[role].name;
      const isCombined = overUnder !== undefined && role !== undefined && about === title;
      return made(parts, {
        market: own.slice(0, 40),
        subject: about,
        line: isWithoutLine || isJoined || (isNumber && isLineOfWords) ? null : (line ?? null),
        side: isCombined ? `${role}_${overUnder}` : spoken,
      });
    }
  }
}

/** Refuses a line that the score rarely has: it counts something else, such as corners or sets, or is that of a part of the game. */
function checkUsual(
  { cell, game: { sport }, market, part }: Parts,
  name: 'spread' | 'total' | 'team_total',
  line: number,
): void {
  const words = `${market.written} ${cell('pick')} ${cell('description')}`;
  if (/\balt/i.test(words)) return;
  const isUsual =
    name === 'total'
      ? isTotal(sport, line, part !== undefined)
      : name === 'team_total'
        ? isTeamTotal(sport, line)
        : isSpread(sport, line, true);
  const isOfSets =
    sport === 'tennis' &&
    name === 'spread' &&
    Math.abs(line) <= 2.5 &&
    !/game|juego|spiel|jeu|gioc/i.test(words);
  if (!isUsual || isOfSets)
    throw new RowRefused(
      `${line} is no usual line of a ${name.replace('_', ' ')} in ${sport}. Name what it counts, or the part of the game.`,
    );
}

function needed<T>(value: T | undefined, what: string): T {
  if (value === undefined) throw new RowRefused(`The columns do not say ${what}.`);
  return value;
}

/** Returns the market of a bet if the columns for markets name only a part of the game. */
function marketBy(side: string | undefined, role: string | undefined, line: number | undefined): string {
  if (side === 'over' || side === 'under') return role === undefined ? 'total' : 'team_total';
  if (role !== undefined || side === 'draw') return line === undefined ? 'moneyline' : 'spread';
  throw new RowRefused('The columns do not say which market the bet is on.');
}
