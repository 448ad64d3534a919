import type { BetGame } from '../rules/bet-text/day.ts';
import { meant, statisticsMeant } from '../rules/markets/meant.ts';
import { type Period, periodOf } from '../rules/markets/periods.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { type HeadedCell, RowRefused } from './cells.ts';
import { lexemesOf, roleIn, type Said } from './said.ts';

/** Reports whether the market in a text is that of its column. A moneyline of three sides is one, too. */
export function agree(market: string, named: string): boolean {
  const plain = (name: string) => periodOf(name).whole.replace(/^h2h(?:_3_way)?$/, 'moneyline');
  const [one, other] = [plain(market), plain(named)];
  return one === other || [one, other].every((name) => /^(?:team_)?total$/.test(name));
}

export function merged(said: readonly Said[]): Said {
  return said.reduce((one, other) => {
    if (one.market !== undefined && other.market !== undefined && !agree(one.market, other.market))
      throw new RowRefused(`The columns name two markets, ${one.written} and ${other.written}.`);
    return {
      ...other,
      ...Object.fromEntries(Object.entries(one).filter(([, value]) => value !== undefined)),
    } as Said;
  });
}

interface AboutRow {
  sport: string;
  /** Whether the row names a player. */
  hasSubject: boolean;
  /** Whether the row names both teams. */
  isTitled: boolean;
}

/** Reads the cell of a column for markets: `Asian Handicap -0.5`, `1st Half Goals`, `Over/Under 2.5`. */
export function marketOf(written: string, about: AboutRow, line: number | undefined): Said {
  const { sport, hasSubject, isTitled } = about;
  const [, before = '', least, behind = ''] = /^(.*?)(\d{1,3})\+(.*)$/.exec(written) ?? [];
  const statistic = `${before} ${behind}`.trim();
  // `2+ TDs` is over 1.5.
  if (least !== undefined) {
    const points = Number(least) - 0.5;
    const found = meant(statistic, { sport, hasSubject, line: points });
    if (found?.kind === 'market' && found.subject !== 'question')
      return { ...marketOf(statistic, about, points), written, side: 'over', line: points };
  }
  const beside = { sport, hasSubject, ...(line === undefined ? {} : { line }) };
  const open = meant(written, beside);
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
export function leftOf(text: string): string {
  return text
    .replace(/\b(?:over|under|o|u)\b/gi, ' ')
    .replace(/[+-]?\d+(?:[.,]\d+)?/g, ' ')
    .replace(/\s+/g, ' ')
    .trim();
}

/** Returns the player in words such as `John Example Strikeouts`. */
export function nameIn(sport: string, words: string): string {
  const all = words.split(' ');
  const cut = all.findIndex((_, at) => at > 0 && statisticsMeant(sport, all.slice(at).join(' ')).length > 0);
  return cut === -1 ? words : all.slice(0, cut).join(' ');
}

/** Splits the name of a market such as `Rory Finch - Receiving Yds`, `Assists - Rory Finch`, or `Rory Finch Receiving Yards O/U`. */
export function playerIn(sport: string, written: string): { player: string; statistic: string } | undefined {
  const whole = meant(written, { sport });
  if (
    statisticsMeant(sport, written).length > 0 ||
    (whole?.kind === 'market' && whole.subject !== 'question')
  )
    return undefined;
  const [, one, two] = /^(.+?)\s+[-–:]\s+(.+)$/.exec(written) ?? [];
  const isReversed = one !== undefined && statisticsMeant(sport, one).length > 0;
  const player = (isReversed ? two : one) ?? nameIn(sport, written);
  // `To Score First TD` and `Result/Both Teams to Score` name nobody.
  if (/^(?:to|the|any|first|last|next|match|result|both|either|team)\b|\//i.test(player)) return undefined;
  const statistic = (isReversed ? one : two) ?? written.slice(player.length).trim();
  return player.includes(' ') && player !== written && statisticsMeant(sport, statistic).length > 0
    ? { player, statistic }
    : undefined;
}
/** Splits the name of a market that names its team, if it is a total: `Foxes Total Goals`, `Team Total Points - Foxes`. */
export function teamTotalIn(
  written: string,
  game: BetGame,
): { rest: string; said: { market: string; role: 'home' | 'away' } } | undefined {
  const words = written.split(' ');
  // A sentence is no name of a market.
  if (words.length > 8 || !words.some((word) => lexemesOf(game.sport, word, 'unit', 'market').length > 0))
    return undefined;
  const whole = meant(written, { sport: game.sport });
  if (whole !== undefined && !(whole.kind === 'market' && whole.subject === 'question')) return undefined;
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

const wholeGame =
  /^(?:ft|full(?: ?time| ?game| ?match)?|game|match|whole game|fg|regular|all|90 ?min(?:utes|s)?|90|0|-|—|none|n\/a)$/;

/** Words of headers for parts of a game, as markets call them. */
const partNames: Readonly<Record<string, string>> = {
  p: 'period',
  prd: 'period',
  halbzeit: 'half',
  tempo: 'half',
  tiempo: 'half',
  'mi-temps': 'half',
  mitemps: 'half',
};

export function partOf({ header, cell }: HeadedCell, sport: string): Period | undefined {
  const text = plainLetters(cell.trim());
  if (text === '' || wholeGame.test(text) || (text === '9' && /inning/i.test(header))) return undefined;
  // `1st` below `Half`, and `3` below `Quarter`.
  const [, number] = /^([1-4])(?:st|nd|rd|th|[.°ºa])?$/.exec(text) ?? [];
  const isPart =
    number !== undefined &&
    /half|quarter|qtr|period|^p(?:rd|er)?$|halbzeit|tempo|tiempo|mi-?temps|inning/.exec(plainLetters(header));
  const part = isPart
    ? `${number}${['st', 'nd', 'rd', 'th'][Number(number) - 1]} ${partNames[isPart[0]] ?? isPart[0]}`
    : text;
  const found = meant(part, { sport });
  if (found?.kind === 'period')
    return found.period === 'regulation' && sport === 'soccer' ? undefined : found.period;
  throw new RowRefused(`${cell} is no part of a game that is known here.`);
}

/** Reports whether a pick is only an outcome of the game. */
export function isOutcome(pick: string, sport: string): boolean {
  return (
    /^(?:1|x|2|n|1[xn]|[xn]1|[xn]2|2[xn]|12)$/i.test(pick) ||
    (sport === 'soccer' && /^[hda]$/i.test(pick)) ||
    lexemesOf(sport, pick, 'team', 'side').some((each) => /^(?:home|away|draw)$/.test(each))
  );
}

const numbered: Readonly<Record<string, string>> = { 1: 'Home', 2: 'Away' };

/** How bookmakers shorten bets on the first (home) and second team, and on totals. Russian books write them in Cyrillic. */
const shorthands: readonly (readonly [RegExp, (part: string, line: string) => string])[] = [
  [/^ml ?([12])$/i, (team) => numbered[team]!],
  [
    /^(?:ah|f|ф) ?([12]) ?(?=[(+-])\(?([+-]?\d+(?:[.,]\d+)?)\)?$/i,
    (team, line) => `${numbered[team]} ${signed(line)}`,
  ],
  // A whole number can be a European handicap.
  [/^([12]) ?\(([+-]\d+[.,](?:25|5|75))\)$/, (team, line) => `${numbered[team]} ${line}`],
  [/^t ?([ou]) ?\(?(\d+(?:[.,]\d+)?)\)?$/i, (side, line) => `${/o/i.test(side) ? 'Over' : 'Under'} ${line}`],
  [/^т ?([бм]) ?\(?(\d+(?:[.,]\d+)?)\)?$/i, (side, line) => `${/б/i.test(side) ? 'Over' : 'Under'} ${line}`],
  [/^dnb ?([12])$/i, (team) => `DNB ${team}`],
  [/^(1х|х2|х)$/i, (outcome) => outcome.replace(/х/i, 'X')],
];

const signed = (line: string) => (/^[+-]/.test(line) ? line : `+${line}`);

/** Sports in which the winner of regulation time is that of the game, or whose moneyline is that of regulation time. */
const ofOneWinner = new Set(['soccer', 'tennis', 'mma', 'mlb']);

/** Writes out a bookmaker's shorthand: `AH1(-0.5)` is `Home -0.5`. Returns other picks unchanged. */
export function longhand(pick: string, sport: string): string {
  const [, winner] = (ofOneWinner.has(sport) && /^[wп] ?([12])$/i.exec(pick)) || [];
  if (winner !== undefined) return numbered[winner]!;
  for (const [pattern, write] of shorthands) {
    const [, part, line = ''] = pattern.exec(pick) ?? [];
    if (part !== undefined) return write(part, line);
  }
  return pick;
}

/** Splits an outcome of a part of the game, or of a market: `1 HT`, `1H X2`, `DNB 1`, `HC 0:1 1`. */
export function outcomeIn(
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
