import { bookAmongWords } from '../book-words.ts';
import { aboutOf, knownMarket } from '../markets/known.ts';
import { keyOf, type Lexeme, lexiconIn, longestPhrase } from '../markets/lexicon.ts';
import { statisticsMeant } from '../markets/meant.ts';
import type { Period } from '../markets/periods.ts';
import type { Parse } from './parse.ts';
import { isOverOrUnder } from './tokens.ts';

/** Words without meaning for the bet. A word that can change how a bet settles is never one of these. */
export const filler = new Set(
  'lock locks max maxbet mega super big small bet bets betting play plays pick picks potd pod free vip whale hammer bomb nuke official today tonight todays tonights the a an on in for to of and with is be this my our your straight single singles best top value card premium guaranteed bank banker high medium low confidence strong risk risking risked wager wagered stake units unit at line odds price prop props player pregame pre we i like love take taking taken got get give me gimme dime nickel sprinkle new update posted locked confirmed sharp action combined game match alt alternate'.split(
    ' ',
  ),
);

/** Words between opponents. */
export const versus = new Set(['vs', 'v', 'versus', 'against', 'gegen', 'contra', 'contro']);

const noNames = new Set(['ml', 'tt', 'rl', 'pl', 'ev', 'even']);

/** Reports whether a word is never part of a name. */
export function isNeverName(key: string): boolean {
  return isOverOrUnder(key) || noNames.has(key);
}

function postedByName(example: string): string {
  return `Post the bet by market and side, such as ${example}, with the title of the game as subject.`;
}

const methods = `Methods and rounds of victory cannot be read as text. ${postedByName('method_of_victory and away_ko')}`;

/** Bets that the reader does not support, and how to post each of them. The words of `markets/lexicon` are refused too. */
const unsupportedBets: readonly (readonly [written: RegExp, reason: string])[] = [
  // `Ko` is also a surname. In a kickoff time, a number follows.
  [/\bT?KOs?\b(?!\s*\d)|\bR[1-5]\b/, methods],
  [
    /\b(?:by t?ko|knockout|submission|stoppage|decision|inside the distance|itd|gtd|(?:in|wins?) (?:round|rd|r) ?\d|in (?:rounds|rds) \d|(?:go|goes|going) the distance)\b|\bby (?:sub|dec)\b/i,
    methods,
  ],
  [
    /~~|[\u274c\u2716\u{1f6ab}\u26d4\u{1f44e}\u{1f645}\u{1f5d1}]/u,
    'Text that is struck out, and signs such as \u274c, can take a bet back. Write the bet without them.',
  ],
  [/\bsets?\b/i, `Bets on sets cannot be read as text. ${postedByName('first_set_winner and away')}`],
  [
    /\b(?:lead the)\b|(?<![\d.-])\b\d-\d\b(?![\d.-])/i,
    `Exact scores and margins cannot be read as text. ${postedByName('correct_score and 2-1')}`,
  ],
];

/** Returns why a text is not one bet that the reader supports; undefined if nothing excludes it. */
export function unsupported(text: string): string | undefined {
  return unsupportedBets.find(([written]) => written.test(text))?.[1];
}

/** Finds the longest phrase for a market of a player. */
export function readStatistics(parse: Parse): void {
  const isPart = (at: number) => {
    const { kind, raw, number } = parse.tokens[at]!;
    if (kind === 'mark') return /^[+&/-]$/.test(raw);
    // `3 pointers`, but not `8.5 runs`.
    return number === undefined || (number.value === 3 && number.sign === '' && number.unit === '');
  };
  let best = { from: 0, to: 0 };
  for (let from = 0; from < parse.tokens.length; from += 1) {
    if (parse.tokens[from]!.kind === 'mark') continue;
    for (
      let to = Math.min(parse.tokens.length, from + longestPhrase + 1);
      to - from > best.to - best.from;
      to -= 1
    ) {
      const part = parse.tokens.slice(from, to);
      const isPhrase =
        !parse.isUsed(from, to) &&
        part.at(-1)!.kind === 'word' &&
        !isOverOrUnder(parse.keys[from]!) &&
        !isOverOrUnder(parse.keys[to - 1]!) &&
        (!filler.has(parse.keys[to - 1]!) || part.at(-2)?.kind === 'mark') &&
        part.every((_, at) => isPart(from + at)) &&
        part.slice(1).every(({ number }) => number === undefined);
      if (
        !isPhrase ||
        part.every(({ raw }) => filler.has(raw.toLowerCase()) || isOverOrUnder(raw.toLowerCase()))
      )
        continue;
      const found = statisticsMeant(parse.sport, parse.raw(from, to));
      if (found.length === 0) continue;
      parse.statistic = found;
      parse.hasUnit = (lexiconIn(parse.sport).get(parse.plain.slice(from, to).join('')) ?? []).some(
        ({ kind, value }) => kind === 'unit' || (kind === 'market' && value === 'total'),
      );
      best = { from, to };
    }
  }
  // If the text is not about a player, the phrase is the unit of a line, such as runs.
  parse.use(best.from, best.to);
}

/** Returns the words next to a statistic that name an unknown player. */
export function unknownPlayer(parse: Parse): { name: string; from: number; to: number } | undefined {
  const isKnown = parse.spans.some(({ named }) => named.some(({ role }) => role === 'player'));
  if (parse.statistic.length === 0 || isKnown) return undefined;
  const isName = (at: number) =>
    parse.tokens[at]?.kind === 'word' && !parse.used[at] && !filler.has(parse.keys[at]!);
  for (let first = 0; first < parse.tokens.length; first += 1) {
    if (!isName(first)) continue;
    let to = first + 1;
    while (isName(to)) to += 1;
    // A first name may also be a filler word: `Max Gull`.
    const before = parse.tokens[first - 1];
    const hasMore = before?.kind === 'word' && !parse.used[first - 1] && /^\p{Lu}/u.test(before.raw);
    const from = to - first === 1 && hasMore ? first - 1 : first;
    const name = parse.raw(from, to);
    return to - from >= 2 && to - from <= 4 && name.length <= 80 && /^\p{L}[\p{L}.' -]+$/u.test(name)
      ? { name, from, to }
      : undefined;
  }
  return undefined;
}

/**
 * Reads the words of the sport's markets, longest phrases first.
 * @param isEarly only phrases of several words that name a market or a part of the game: `to win` precedes the names of teams
 * @returns a fault: a word that the service does not take, or that names another market than those of the game
 */
export function readPhrases(parse: Parse, { isEarly }: { isEarly: boolean }): string | undefined {
  const lexicon = lexiconIn(parse.sport);
  for (let at = 0; at < parse.tokens.length; at += 1) {
    let to = Math.min(parse.tokens.length, at + longestPhrase);
    for (; to > at; to -= 1) {
      if (parse.isUsed(at, to) || parse.tokens[at]!.kind === 'mark' || parse.tokens[to - 1]!.kind === 'mark')
        continue;
      const isFiller = to === at + 1 && filler.has(parse.keys[at]!);
      const all = lexicon.get(parse.plain.slice(at, to).join('')) ?? [];
      const lexemes = all.filter(({ short }) => !short);
      // A bare number is never a word.
      if (lexemes.length === 0 || (to === at + 1 && parse.tokens[at]!.number !== undefined)) continue;
      if (isFiller && !lexemes.some(({ kind }) => kind === 'market' || kind === 'unit')) continue;
      if (isEarly) {
        const isEarlyPhrase =
          to > at + 1 && lexemes.some(({ kind }) => kind === 'market' || kind === 'period');
        const isTotal = lexemes.every(({ value }) => value === 'total');
        const isStatistic =
          all.some(({ kind }) => kind === 'stat') ||
          (isTotal && statisticsMeant(parse.sport, parse.raw(at, to)).length > 0);
        if (!isEarlyPhrase || isStatistic) continue;
      }
      const fault = readPhrase(parse, at, to, lexemes);
      if (fault === undefined) break;
      if (fault !== '') return fault;
    }
    if (to > at) at = to - 1;
  }
  return undefined;
}

/**
 * Reads one phrase.
 * @returns a fault, or an empty text if the phrase means something else here
 */
function readPhrase(parse: Parse, from: number, to: number, lexemes: readonly Lexeme[]): string | undefined {
  const raw = parse.raw(from, to);
  const of = (kind: Lexeme['kind']) => lexemes.flatMap((each) => (each.kind === kind ? [each.value] : []));
  const [side] = of('side');
  const [period] = of('period') as Period[];
  const [team] = of('team');
  const [reason] = of('refused');
  const markets = of('market');
  const key = parse.keys[from]!;
  if (raw.toLowerCase() === 'games' && parse.sport !== 'tennis')
    return `${JSON.stringify(raw)} counts the games of a series. ${postedByName('series_total_games and over')}`;
  if (reason !== undefined && markets.length === 0) {
    // `A -3 against B` names the opponent, and `laying -3` lays points.
    const isBetweenNames =
      parse.spans.some((each) => each.to <= from) && parse.spans.some((each) => each.from > from);
    if (to === from + 1 && versus.has(key) && isBetweenNames) return '';
    const next = parse.tokens[to]?.number;
    if (/^laying$/i.test(raw) && next?.sign === '-' && next.unit === '') return void parse.use(from, to);
    return `${JSON.stringify(raw)} ${reason}`;
  }
  if (markets.length > 0) {
    const known = markets.length === 1 ? knownMarket(markets[0]!) : undefined;
    if (
      known !== undefined &&
      (known.shape === 'other' || known.isOtherBet || aboutOf(known.name) !== 'game')
    )
      return `${JSON.stringify(raw)} names the market ${known.name}, which cannot be read as text. Post it by market and side, with the title of the game or competition as subject.`;
    const both =
      parse.markets === undefined ? markets : parse.markets.filter((each) => markets.includes(each));
    if (both.length === 0) return 'The text names two markets.';
    parse.markets = both;
  } else if (side === 'yes' || side === 'no') {
    if (parse.answer !== undefined && parse.answer !== side) return 'The text has both yes and no.';
    parse.answer = side;
  } else if (side !== undefined) {
    // `Team u 5.5 u`: a second one is something else, such as units.
    if (parse.side !== undefined && parse.side !== side)
      return key.length <= 2 ? '' : 'The text has two sides.';
    parse.side = side as 'over';
    if (side !== 'draw') parse.sideAt = from;
  } else if (period !== undefined) {
    if (period === 'regulation')
      return `${JSON.stringify(raw)} counts only regulation, which is another market. ${postedByName('h2h_3_way or totals_regulation and a side')}`;
    if (parse.period !== undefined && parse.period !== period) return 'The text names two parts of a game.';
    parse.period = period;
  } else if (team !== undefined) parse.venue = team as 'home';
  else if (of('unit').length > 0) parse.hasUnit = true;
  else if (of('pair').length > 0) parse.isTotal = true;
  else if (of('scope').length > 0)
    return `${JSON.stringify(raw)} can name another bet than one on the game. If it is one, post it by market and side, with a subject; otherwise leave the word out.`;
  parse.use(from, to);
  return undefined;
}

/** Reads numbers of doubleheaders and books, which mean the same in every sport. */
export function readGameAndBook(parse: Parse): void {
  parse.tokens.forEach(({ kind, raw, number }, at) => {
    if (parse.used[at] || kind === 'mark') return;
    const key = parse.keys[at]!;
    const written = /^(?:g|gm|game|#)([12])$/.exec(key)?.[1];
    const isNumbered =
      /^(?:game|gm|#)$/.test(parse.keys[at - 1] ?? '') && (number?.value === 1 || number?.value === 2);
    if (written !== undefined || isNumbered) {
      parse.gameNumber = Number(written ?? number!.value);
      parse.use(isNumbered ? at - 1 : at, at + 1);
      return;
    }
    if (/^#\p{L}/u.test(key)) {
      // `#fade` and `#LiveBet` say something about the bet; other tags do not.
      const parts = [raw, ...raw.split(/(?=\p{Lu}\p{Ll})|#/u)];
      const means = (part: string) =>
        lexiconIn(parse.sport)
          .get(keyOf(part))
          ?.some(({ kind }) => kind !== 'filler');
      if (!parts.some(means)) parse.use(at, at + 1);
      return;
    }
    const hasNext = at + 1 < parse.tokens.length && !parse.used[at + 1];
    const two = hasNext ? bookAmongWords(parse.raw(at, at + 2)) : undefined;
    const book = two ?? bookAmongWords(raw);
    if (book === undefined) return;
    parse.book = book;
    parse.use(at, at + (two === undefined ? 1 : 2));
  });
}
