import type { BetReading } from '../rules/bet-text/bet.ts';
import { type BetGame, dayOf } from '../rules/bet-text/day.ts';
import { bareMeanings } from '../rules/bet-text/plausible.ts';
import { betText } from '../rules/bet-text/print.ts';
import { readBetText } from '../rules/bet-text/read.ts';
import { marketIn } from '../rules/markets/index.ts';
import { isQuestion, shapeOf } from '../rules/markets/known.ts';
import { keyOf, type Lexeme, lexiconIn, longestPhrase } from '../rules/markets/lexicon.ts';
import { type MarketMeant, meant, statisticsMeant } from '../rules/markets/meant.ts';
import { inPeriod, type Period, periodOf, periodWords } from '../rules/markets/periods.ts';
import { nameKey, plainLetters } from '../rules/plain-name.ts';
import { selectionFault } from '../rules/selection.ts';
import { type Marks, writtenLine } from '../rules/written-numbers.ts';
import { type Cells, type HeadedCell, RowRefused } from './cells.ts';
import { firstInning } from './mapping.ts';

import { structureOf } from './structure.ts';

export interface BetCells {
  cell: Cells;
  /** Cells of columns for markets, without words such as `Single`. */
  markets: readonly HeadedCell[];
  /** Its cell about the part of the game. */
  period: HeadedCell;
  marks: Marks;
}

/** The parts of a bet in a cell. Undefined parts are left to the other cells. */
interface Said {
  written: string;
  /** The market of the whole game: a declared one, a known one, or a slug. */
  market?: string;
  subject?: MarketMeant['subject'];
  part?: Period;
  role?: 'home' | 'away';
  /** The side, unless it is only a team. */
  side?: string;
  line?: number;
  odds?: number;
  /** Whether a total is named without its market: `Foxes over 2.5`. */
  isBare?: boolean;
  /** Words without a meaning here. */
  words: string;
}

/** Words of columns for markets that leave the market to other columns. */
const generic =
  /^(?:props?|player props?|player|player specials?|game props?|team props?|game|game lines?|match|side|sides|main|main market|other|specials?|alternate|alternates?|bet|pick|futures?)$/;

/** Reports whether a pick is only an outcome of the game. */
function isOutcome(pick: string, sport: string): boolean {
  return (
    /^(?:1|x|2|n|1[xn]|[xn]1|[xn]2|2[xn]|12)$/i.test(pick) ||
    (sport === 'soccer' && /^[hda]$/i.test(pick)) ||
    lexemesOf(sport, pick, 'team', 'side').some((each) => /^(?:home|away|draw)$/.test(each))
  );
}

/** Splits an outcome of a part of the game, or of a market: `1 HT`, `1H X2`, `DNB 1`, `HC 0:1 1`. */
function outcomeIn(
  pick: string,
  sport: string,
): { outcome: string; of: string; kind: 'period' | 'market' } | undefined {
  const [one = '', ...rest] = pick.split(' ');
  const last = rest.at(-1) ?? '';
  for (const [outcome, of] of [
    [one, rest.join(' ')],
    [last, [one, ...rest.slice(0, -1)].join(' ')],
  ] as const) {
    if (!isOutcome(outcome, sport)) continue;
    const found = meant(of, { sport });
    if (found?.kind === 'period') return { outcome, of, kind: 'period' };
    // `1 & Over 2.5` are two bets.
    const isMarket =
      found?.kind === 'market' &&
      found.side === undefined &&
      (found.subject !== 'question' || /^(?:hc|handicap)\b/i.test(of)) &&
      !/^\W|\W$|[&+]| (?:and|und|y|e|et|en|og) /.test(of);
    if (isMarket && /^[12xn]{1,2}$/i.test(outcome)) return { outcome, of, kind: 'market' };
  }
  return undefined;
}

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
  const isAboutSubject = row.cell('subject') !== '';
  const split = outcomeIn(row.cell('pick'), games[0]!.sport);
  if (split !== undefined && (split.kind === 'period' ? row.period.cell === '' : markets.length === 0)) {
    const cell: Cells = (field) => (field === 'pick' ? split.outcome : row.cell(field));
    const said = { header: 'pick', cell: split.of };
    const with_ = split.kind === 'period' ? { period: said } : { markets: [said] };
    return betOf({ ...row, cell, ...with_ }, games, none, notes);
  }
  if (
    markets.length === 0 &&
    !isAboutSubject &&
    row.cell('line') === '' &&
    isOutcome(row.cell('pick'), games[0]!.sport)
  ) {
    notes.push(`No column names the market, so ${row.cell('pick')} is read as a side of the moneyline.`);
    markets.push({ header: 'pick', cell: games[0]!.moneylineWays === 3 ? '1X2' : 'Moneyline' });
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

/** Returns the texts to read a bet from, most complete first. */
function textsOf(cell: Cells, games: readonly BetGame[]): string[] {
  const fields = ['description', 'pick', 'team', 'side', 'line', 'game'] as const;
  const [description = '', pick = '', team = '', side = '', line = '', game = ''] = fields.map(cell);
  const parts = (...some: string[]) => some.filter((part) => part !== '').join(' ');
  const sided = /^(?:over|under|o|u)$/i.test(side) ? side : '';
  const signed = line !== '' && sided === '' && /^\d/.test(line) ? `+${line}` : line;
  const isTotal = sided !== '' || /^(?:over|under)\b/i.test(pick);
  // With the names of both teams, `Foxes over 1.5` would be a total of the game.
  const isOfTeam = [pick, team, description].some((text) => namesOpponent(text, games));
  const texts = [
    ...[description, pick, parts(pick, isTotal ? line : signed)],
    ...(isOfTeam ? [] : [parts(pick, game), parts(pick, line, game)]),
    parts(team, sided === '' ? signed : parts(sided, line)),
    ...(isOfTeam ? [] : [parts(game, sided, line)]),
    // `LAL` in a column of teams, with odds, is a moneyline only if the column says no more.
    ...(line === '' && side === '' ? [parts(team, 'ML'), parts(pick, 'ML')] : []),
  ];
  return [...new Set(texts)].filter((text) => /\p{L}/u.test(text));
}

function namesOpponent(text: string, games: readonly BetGame[]): boolean {
  const day = dayOf(games);
  const words = text.split(/[^\p{L}\p{N}.'-]+/u).filter((word) => word !== '');
  return words.some((_, from) =>
    [1, 2, 3, 4].some((count) =>
      day.find(words.slice(from, from + count).join(' ')).some(({ role }) => role !== 'player'),
    ),
  );
}

/** Reads the first text that is one bet. @throws RowRefused */
function readAny(texts: readonly string[], games: readonly BetGame[]): { bet: BetReading; text: string } {
  let reason: string | undefined;
  let choices: RowRefused | undefined;
  for (const text of texts) {
    const found = readBetText(text, games);
    if (found.kind === 'bet') return { bet: found.bet, text };
    if (found.kind === 'choices')
      choices ??= new RowRefused(`${JSON.stringify(text)} fits several bets.`, found.choices.map(betText));
    else reason ??= `${JSON.stringify(text)}: ${found.reason}`;
  }
  throw choices ?? new RowRefused(reason ?? 'The row has no bet.');
}

/** Reads the bet from text, and checks it against the columns that say something about it. */
function fromText(row: BetCells, games: readonly BetGame[], notes: string[]): BetReading {
  const named = partOf(row.period, games[0]!.sport);
  const texts = textsOf(row.cell, games);
  // A line that the game cannot have is that of the part which a column names.
  const inPart =
    named === undefined ? [] : texts.map((each) => `${each} ${periodWords[named].split('|', 1)[0]}`);
  const { bet, text } = readAny([...texts, ...inPart], games);
  if (text !== texts[0]) notes.push(`Read as ${JSON.stringify(text)}.`);
  if (text !== texts[0] && text.endsWith(' ML'))
    notes.push('No column names the market, so the team is read as a moneyline.');
  const game = games.find((each) => each.game === bet.game && each.startsAt === bet.startsAt)!;
  const { whole, period: part } = periodOf(bet.market);
  const contradicts = (header: string, cell: string) =>
    new RowRefused(`The ${header} column says ${cell}, but the bet reads as ${betText(bet)}.`);
  const period = partOf(row.period, bet.sport);
  if (row.period.cell !== '' && period !== part) {
    const market = period === undefined ? undefined : inPeriod(bet.sport, whole, period);
    if (part !== undefined || market === undefined) throw contradicts('period', row.period.cell);
    bet.market = market;
    bet.subject ??= marketIn(bet.sport, market) === undefined ? bet.game : null;
  }
  const [side, line, team] = [row.cell('side'), row.cell('line'), row.cell('team')];
  const said = saidIn(side, game, row.marks);
  if (
    (said.side !== undefined &&
      said.side !== 'yes' &&
      said.side !== bet.side.replace(/^(?:home|away)_(?=over|under)/, '')) ||
    (said.role !== undefined && !bet.side.startsWith(said.role))
  )
    throw contradicts('side', side);
  // `-7 (-110)` has the odds, too.
  const written = line === '' ? undefined : writtenLine(line.replace(/\s+\(?[+-]\d{3,5}\)?$/, ''), row.marks);
  const isPrice =
    written !== undefined &&
    (written === bet.oddsAmerican ||
      (bet.oddsAmerican === null && bet.line === null && Math.abs(written) >= 100));
  if (isPrice) bet.oddsAmerican = written;
  // `3.5` can be the line of -3.5 if its column writes no signs.
  const isSame =
    (bet.line ?? 0) === written || (/^\d/.test(line) && written === Math.abs(bet.line ?? Number.NaN));
  if (line !== '' && !isPrice && !isSame) throw contradicts('line', line);
  const role = roleIn(team, game);
  if (role !== undefined && /^(?:home|away)$/.test(bet.side) && role !== bet.side)
    throw contradicts('team', team);
  return bet;
}

/** Words of headers for parts of a game, as markets call them. */
const partNames: Readonly<Record<string, string>> = {
  halbzeit: 'half',
  tempo: 'half',
  tiempo: 'half',
  'mi-temps': 'half',
  mitemps: 'half',
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

/** Words of markets whose sides are numbers. */
const counting = /\b(?:exact\w*|number|somma|suma|summe|genaue?|anzahl|numero|nombre)\b/;

/** Markets whose sides the columns must say. The side of any other is what its columns say, because no score grades it. */
const strict = /^(?:moneyline|spread|total|team_total|draw_no_bet|double_chance|btts)$/;

/** Builds the bet in one game. @throws RowRefused */
function inGame(
  row: BetCells,
  columns: readonly HeadedCell[],
  game: BetGame,
  notes: Set<string>,
): BetReading {
  const { sport, game: title } = game;
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
  const line = cellLine ?? market.line ?? pick.line ?? side.line ?? ofWords ?? more.line;
  for (const other of [market.line, pick.line, side.line, more.line])
    if (other !== undefined && line !== undefined && Math.abs(other) !== Math.abs(line))
      throw new RowRefused(`The columns name two lines, ${line} and ${other}.`);
  const fromPeriod = partOf(row.period, sport) ?? pick.part;
  const part = market.part ?? fromPeriod;
  if (market.part !== undefined && fromPeriod !== undefined && market.part !== fromPeriod)
    throw new RowRefused(
      `The columns name two parts of the game, ${market.written} and ${row.period.cell || pickCell}.`,
    );
  if (pick.side !== undefined && side.side !== undefined && pick.side !== side.side)
    throw new RowRefused(`The columns name two sides, ${cell('pick')} and ${cell('side')}.`);
  const made = (of: Pick<BetReading, 'market' | 'subject' | 'side' | 'line'>): BetReading => {
    const lineE3 = of.line === null ? null : Math.round(of.line * 1000);
    const fault = selectionFault({ ...of, lineE3 }, { sport, game: title }, game.moneylineWays);
    if (fault !== undefined) throw new RowRefused(`${market.written}: ${fault}.`);
    return {
      sport,
      game: title,
      startsAt: game.startsAt,
      away: game.away.name,
      home: game.home.name,
      ...of,
      oddsAmerican: pick.odds ?? null,
      stakeUnits: null,
      book: null,
    };
  };
  const inPart = (whole: string) => {
    const own = part === undefined ? whole : inPeriod(sport, whole, part);
    if (own === undefined) throw new RowRefused(`${sport} has no ${periodWords[part!].split('|', 1)[0]}.`);
    return own;
  };
  let word = pick.side ?? side.side ?? market.side ?? more.side;
  // `NRFI` with `No` is a bet on a run.
  if (/^(?:over|under)$/.test(market.side ?? '') && (word === 'yes' || word === 'no'))
    word = (word === 'yes') === (market.side === 'over') ? 'over' : 'under';

  if (market.subject === 'player') {
    const own = player || nameIn(sport, pick.words);
    const name = market.part === undefined ? inPart(market.market!) : market.market!;
    if (own === '') throw new RowRefused(`${market.written} is about a player, and the row names none.`);
    const of = { market: name, subject: own };
    if (isQuestion(name)) {
      const answer = word === 'over' ? 'yes' : word === 'under' ? 'no' : (word ?? 'yes');
      return made({ ...of, side: answer, line: null });
    }
    // `To hit a home run: yes` asks for at least one.
    if (line === undefined && (word === 'yes' || word === 'no'))
      return made({ ...of, side: word === 'yes' ? 'over' : 'under', line: 0.5 });
    return made({ ...of, side: needed(word, 'over or under'), line: needed(line, 'a line') });
  }
  if (player !== '') {
    const answer = needed(word ?? (line === undefined ? 'yes' : undefined), 'over or under');
    return made({ market: slugOf(market.written), subject: player, side: answer, line: line ?? null });
  }

  const role = pick.role ?? side.role ?? team.role ?? market.role ?? more.role;
  // `1X` can stand below `1X2`.
  const isChance = pick.market === 'double_chance' && /^1[x ]?2$/i.test(market.written);
  const name = (isChance ? 'double_chance' : market.market) ?? pick.market ?? marketBy(word, role, line);
  const reversed = [pick, more].flatMap(({ words }) =>
    lexemesOf(sport, words.split(' ', 1)[0]!, 'refused'),
  )[0];
  if (reversed !== undefined) throw new RowRefused(`${cell('pick') || description}: it ${reversed}`);
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
        `${JSON.stringify(pick.words)} in ${cell('pick')} is no side of ${market.written}.`,
      );
    const own = inPart(whole);
    const about = marketIn(sport, own) === undefined ? title : null;
    return made({ market: own, subject: about, side: needed(choice, what), line: points });
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
            ? { total: true, team: false }
            : bareMeanings(sport, points, part !== undefined);
      const bets = [
        ...(open.total || !open.team ? [full('total', side, 'over or under', points)] : []),
        ...(open.team ? [full('team_total', `${role}_${side}`, 'over or under', points)] : []),
      ];
      if (bets.length > 1) throw new RowRefused(`${cell('pick')} fits several bets.`, bets.map(betText));
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
      // A number can be what the market counts.
      const isCount = /^\d+$/.test(cell('pick')) && counting.test(plainLetters(market.written));
      const isNumber = isCount || /^\d/.test(pick.words);
      const spoken =
        isText || isCount
          ? slugOf(cell('pick'))
          : role !== undefined && (word === 'yes' || word === 'no')
            ? role + (word === 'no' ? '_no' : '')
            : (word ?? role ?? slugOf(pick.words || cell('side') || cell('team')));
      if (spoken === '') throw new RowRefused(`${market.written} has no side.`);
      const own = (part === undefined ? undefined : inPeriod(sport, name, part)) ?? name;
      const about =
        market.subject === 'game' || role === undefined || cell('team') === '' ? title : game[role].name;
      const isCombined = overUnder !== undefined && role !== undefined && about === title;
      return made({
        market: own.slice(0, 40),
        subject: about,
        line: isNumber && line === ofWords ? null : (line ?? null),
        side: isCombined ? `${role}_${overUnder}` : spoken,
      });
    }
  }
}

/** Splits the name of a market that names its team, if it is a total: `Foxes Total Goals`, `Team Total Points - Foxes`. */
function teamTotalIn(
  written: string,
  game: BetGame,
): { rest: string; said: { market: string; role: 'home' | 'away' } } | undefined {
  const words = written.split(' ');
  for (let count = Math.min(4, words.length - 1); count > 0; count -= 1)
    for (let from = 0; from + count <= words.length; from += 1) {
      const role = roleIn(words.slice(from, from + count).join(' '), game);
      const rest = words
        .toSpliced(from, count)
        .join(' ')
        .replace(/^[\s:–-]+|[\s:–-]+$/g, '');
      const found = role === undefined ? undefined : meant(rest, { sport: game.sport });
      if (role !== undefined && found?.kind === 'market' && /^(?:team_)?total$/.test(found.market))
        return { rest, said: { market: 'team_total', role } };
    }
  return undefined;
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

/** Reports whether the market in a text is that of its column. A moneyline of three sides is one, too. */
function agree(market: string, named: string): boolean {
  const plain = (name: string) => periodOf(name).whole.replace(/^h2h(?:_3_way)?$/, 'moneyline');
  const [one, other] = [plain(market), plain(named)];
  return one === other || [one, other].every((name) => /^(?:team_)?total$/.test(name));
}

function merged(said: readonly Said[]): Said {
  return said.reduce((one, other) => {
    if (one.market !== undefined && other.market !== undefined && !agree(one.market, other.market))
      throw new RowRefused(`The columns name two markets, ${one.written} and ${other.written}.`);
    return {
      ...other,
      ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
    } as Said;
  });
}

/** Reads the cell of a column for markets: `Asian Handicap -0.5`, `1st Half Goals`, `Over/Under 2.5`. */
function marketOf(
  written: string,
  { sport, hasSubject, isTitled }: { sport: string; hasSubject: boolean; isTitled: boolean },
  line: number | undefined,
): Said {
  const beside = { sport, hasSubject, ...(line === undefined ? {} : { line }) };
  const whole = meant(firstInning(written) ?? written, beside);
  // `Corners O/U` is the market of the corners.
  const rest = written.replace(/\bo\s*\/\s*u\b|\bover\s*\/?\s*under\b/i, ' ').trim();
  const short = rest === '' || rest === written ? undefined : meant(rest, beside);
  const isLonger = whole?.kind === 'market' && whole.subject === 'question';
  const open = isLonger && short?.kind === 'market' && short.subject !== 'question' ? short : whole;
  // The winner of a row that names both teams is that of the game.
  const winners =
    open?.kind === 'several' ? open.markets.filter(({ market }) => !market.startsWith('outrights')) : [];
  const found = isTitled && winners.length === 1 ? winners[0] : open;
  const refuse = (why: string) => new RowRefused(`${written}${why}`);
  switch (found?.kind) {
    case undefined:
      throw refuse(
        ' is no market that is known here. Write it as its book does, or skip the column with --map.',
      );
    case 'misspelled':
      throw refuse(` is not known. Did you mean ${found.market}?`);
    case 'refused':
      throw refuse(`: ${found.reason}`);
    case 'several':
      throw refuse(` can mean ${found.markets.map(({ market }) => market).join(' or ')}.`);
    case 'period':
      return { written, words: '', part: found.period };
    case 'market': {
      const { kind: _, team, market, ...rest } = found;
      const said: Said = {
        written,
        words: '',
        market,
        ...rest,
        ...(team === undefined ? {} : { role: team }),
      };
      if (said.side === 'home' || said.side === 'away') {
        said.role = said.side;
        delete said.side;
      }
      const { whole: ofGame, period } = periodOf(market);
      // A market of three sides has no whole of its own.
      const isPart =
        period !== undefined &&
        !market.startsWith('h2h_3_way') &&
        !/^(?:player|question)$/.test(found.subject);
      return isPart ? { ...said, market: ofGame, part: period } : said;
    }
  }
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

/** Outcomes in soccer, where the home team comes first, as bet slips write them. */
const outcomes: Readonly<Record<string, Partial<Said>>> = {
  1: { role: 'home' },
  x: { side: 'draw' },
  d: { side: 'draw' },
  2: { role: 'away' },
  ...Object.fromEntries(
    Object.entries({ home_or_draw: '1x x1 1n', away_or_draw: 'x2 2x n2', home_or_away: '12' }).flatMap(
      ([side, words]) => words.split(' ').map((word) => [word, { side, market: 'double_chance' }]),
    ),
  ),
  goal: { side: 'yes' },
  'no goal': { side: 'no' },
  gg: { side: 'yes' },
  ng: { side: 'no' },
};

/** Reads a cell that names a side, a team, or both, with a line: `Over 2.5`, `Foxes -3.5 (-110)`, `X`, `1X`. */
function saidIn(written: string, game: BetGame, marks: Marks, isBesideMarket = false): Said {
  let text = plainLetters(written.replace(/[\u2212\u2013]/g, '-'))
    .replace(/\s+/g, ' ')
    .trim();
  const found: Said = { written, words: '' };
  if (text === '' || (structureOf(written) === 'single' && !/^(?:1|no|for|pour|punta)$/.test(text)))
    return found;
  const inning = firstInning(text);
  if (inning !== undefined) return { ...found, side: inning.includes('over') ? 'over' : 'under', line: 0.5 };
  const titled = /^(.+?)\s+(?:@|vs?\.?|at|-)\s+(.+?)\s*(?::|,|\s-)\s*(.+)$/.exec(text);
  if (titled?.slice(1, 3).every((name) => roleIn(name, game))) text = titled[3]!;
  const odds = /(?:^|\s)(?:@\s*)?[(]?([+-]\d{3,5})[)]?$/.exec(text);
  if (odds !== null) {
    found.odds = Number(odds[1]);
    text = text.slice(0, odds.index).trim();
  }
  // Beside a market, a number is a side in every sport.
  const only = game.moneylineWays === 3 || isBesideMarket ? outcomes[text] : undefined;
  if (only !== undefined) return { ...found, ...only };
  const score = /^(\d{1,3})\s*[-:]\s*(\d{1,3})$/.exec(text);
  if (score !== null) return { ...found, words: `${score[1]}-${score[2]}` };
  const orDraw = /^(.*?)\s*(?:or|\/)\s*(?:the )?(?:draw|tie|x)$|^(?:draw|tie|x)\s*(?:or|\/)\s*(.*)$/.exec(
    text,
  );
  const or = orDraw === null ? undefined : saidIn(orDraw[1] ?? orDraw[2] ?? '', game, marks).role;
  const both = /^(.+?)\s*(?:\bor\b|\/)\s*(.+)$/
    .exec(text)
    ?.slice(1)
    .map((name) => roleIn(name, game));
  const isEither = both?.includes('home') && both.includes('away');
  if (or !== undefined || isEither)
    return { ...found, side: isEither ? 'home_or_away' : `${or}_or_draw`, market: 'double_chance' };
  text = withoutTotal(text, game.sport, found);
  const signed =
    /(?:^|\s|\()([+-]\s?\d+(?:[.,]\d+)?(?:\s?[,/]\s?[+-]?\d+(?:[.,]\d+)?)?|pk|pick ?'?em)\)?(?=$|\s)/.exec(
      text,
    );
  const value =
    signed === null || found.line !== undefined
      ? undefined
      : writtenLine(signed[1]!.replace(/([+-])\s/, '$1'), marks);
  if (value !== undefined) {
    found.line = value;
    text = `${text.slice(0, signed!.index)} ${text.slice(signed!.index + signed![0].length)}`.trim();
  }
  const { side, ...rest } = restOf(text, game);
  Object.assign(found, rest, side === undefined || found.side !== undefined ? {} : { side });
  if (found.side === undefined || found.market !== undefined) delete found.isBare;
  // The case of a player's name is the cell's.
  const at = plainLetters(written).indexOf(found.words);
  if (at !== -1) found.words = written.slice(at, at + found.words.length).trim();
  return found;
}

/** Takes over or under out of a text, with the line behind it. @returns the rest */
function withoutTotal(text: string, sport: string, found: Said): string {
  const words = text.replace(/(?<=^|[\s(])(over|under|o|u)(?=\(?[\d.])/g, '$1 ').split(' ');
  for (let at = 0; at < words.length; at += 1)
    for (let to = Math.min(words.length, at + 3); to > at; to -= 1) {
      const phrase = words.slice(at, to).join(' ');
      const [side] = lexemesOf(sport, phrase, 'side');
      if (side !== 'over' && side !== 'under') continue;
      const line = lineIn((words[to] ?? '').replace(/[()]/g, ''), { decimalComma: true });
      if (line === undefined && phrase.length < 3 && words.length > 1) continue;
      found.side = side;
      if (line !== undefined) found.line = line;
      found.isBare = true;
      return [...words.slice(0, at), ...words.slice(line === undefined ? to : to + 1)].join(' ');
    }
  return text;
}

/** Returns what a phrase means in a sport, of some kinds. */
function lexemesOf(sport: string, phrase: string, ...kinds: Lexeme['kind'][]): string[] {
  return (lexiconIn(sport).get(keyOf(phrase)) ?? []).flatMap(({ kind, value, short }) =>
    kinds.includes(kind) && !short ? [value] : [],
  );
}

/** Reads words without numbers: a team or a side, with the market or the part of the game before or behind it. */
function restOf(given: string, game: BetGame): Pick<Said, 'role' | 'side' | 'market' | 'part' | 'words'> {
  const { sport } = game;
  const text = given.replace(/^[\s:,()-]+|[\s:,()-]+$/g, '');
  if (text === '') return { words: '' };
  const role = roleIn(text, game);
  if (role !== undefined) return { role, words: '' };
  const [team] = lexemesOf(sport, text, 'team');
  const letter = /^h$/.test(text) ? 'home' : /^a$/.test(text) ? 'away' : team;
  if (letter !== undefined) return { role: letter as 'home', words: '' };
  const [side] = lexemesOf(sport, text, 'side');
  if (side !== undefined) return { side, words: '' };
  const both = /^(.+?)\s+(?:@|vs?\.?|at|-)\s+(.+)$/.exec(text);
  if (both?.slice(1).every((name) => roleIn(name, game))) return { words: '' };
  const words = text.split(' ');
  for (let count = Math.min(words.length, longestPhrase); count > 0; count -= 1)
    for (const [phrase, rest] of [
      [words.slice(-count), words.slice(0, -count)],
      [words.slice(0, count), words.slice(count)],
    ] as const) {
      const own = phrase.join(' ');
      const markets = lexemesOf(sport, own, 'market');
      const [part] = lexemesOf(sport, own, 'period') as Period[];
      const isEmpty = lexemesOf(sport, own, 'unit', 'filler').length > 0;
      if (markets.length === 0 && part === undefined && !isEmpty) continue;
      const inner = restOf(rest.join(' '), game);
      if (inner.words !== '') continue;
      const market = markets.find((name) => marketIn(sport, name) !== undefined) ?? markets[0];
      if (market !== undefined) return { ...inner, market: inner.market ?? market };
      return part === undefined || isEmpty ? inner : { ...inner, part };
    }
  return { words: text };
}

function lineIn(cell: string, marks: Marks): number | undefined {
  if (cell === '') return undefined;
  return writtenLine(
    cell.replace(/^(?:over|under|o|u)\s*/i, '').replace(/\s*(?:goals?|points?|pts|runs?)$/i, ''),
    marks,
  );
}

/** Returns the opponent that a text names. In tennis it can stand in a column for players. */
function roleIn(name: string, game: BetGame): 'home' | 'away' | undefined {
  if (name === '') return undefined;
  const roles = new Set(
    dayOf([game])
      .find(name)
      .map(({ role }) => role),
  );
  roles.delete('player');
  return roles.size === 1 ? ([...roles][0] as 'home' | 'away') : undefined;
}

export function slugOf(text: string): string {
  return plainLetters(text)
    .replace(/&|\+/g, ' and ')
    .replace(/[^a-z0-9-]+/g, '_')
    .replace(/^[_-]+|[_-]+$/g, '')
    .slice(0, 40)
    .replace(/_+$/, '');
}
