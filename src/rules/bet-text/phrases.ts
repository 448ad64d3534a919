import { bookAmongWords } from '../book-words.ts';
import type { Parse } from './parse.ts';
import { partMeant } from './parts.ts';
import { betWords, isOverOrUnder, markets, type NamedMarket } from './words.ts';

/** Joins a sign to the number after it: `Magic - 1.5`. Other dashes remain separators. */
export function joinSigns(parse: Parse): void {
  parse.tokens.forEach((token, at) => {
    if (token.kind !== 'mark' || !/^[+-]$/.test(token.raw)) return;
    const next = parse.tokens[at + 1];
    const before = parse.tokens[at - 1];
    const isBehindName = before?.kind === 'word' && !isOverOrUnder(parse.keys[at - 1]!);
    const isPrice = before?.kind === 'mark' && /^[(@]$/.test(before.raw);
    if (next?.number === undefined || next.number.sign !== '' || !(isBehindName || isPrice)) return;
    const { value, unit, under, hasPoint } = next.number;
    // In `Lakers ML - 1.91` and `Lakers ML - 2u` the dash is a separator.
    if (unit !== '' || under !== undefined || (hasPoint && value % 0.25 !== 0)) return;
    if (/^(?:ml|moneyline|pk)$/.test(parse.keys[at - 1]!) && value < 100) return;
    next.number.sign = token.raw as '+' | '-';
    parse.used[at] = true;
  });
}

/** Reads phrases of several words. This precedes names, so that `to win` is not read as a team's abbreviation. */
export function readPhrases(parse: Parse): void {
  const named = (market: NamedMarket) => {
    parse.market = market;
  };
  const phrases: readonly (readonly [RegExp, () => void])[] = [
    [/^money line$/, () => named('moneyline')],
    [/^straight up$/, () => named('moneyline')],
    [/^to win$/, () => named('moneyline')],
    [/^(?:match|fight|game) winner$/, () => named('moneyline')],
    [/^team totals?$/, () => named('team_total')],
    [/^(?:run|puck|point|goal) (?:line|spread|handicap)$/, () => named('spread')],
    [/^asian handicap$/, () => named('spread')],
    [/^(?:to )?draw no bet$/, () => named('draw_no_bet')],
    [/^double chance$/, () => named('double_chance')],
    [/^(?:or|\/) (?:draw|tie)$/, () => named('double_chance')],
    [/^both teams (?:to )?score$/, () => named('btts')],
    [/^(?:o\/u|over under)$/, () => named('total')],
    [/^no runs? (?:in )?(?:the )?(?:1st|first)(?: inning)?$/, () => firstInning(parse, 'under')],
  ];
  for (let at = 0; at < parse.tokens.length; at += 1)
    for (let count = Math.min(7, parse.tokens.length - at); count >= 2; count -= 1) {
      const words = parse.keys.slice(at, at + count).join(' ');
      const part = partMeant(words);
      const found = phrases.find(([pattern]) => pattern.test(words));
      if ((part === undefined && found === undefined) || parse.isUsed(at, at + count)) continue;
      parse.use(at, at + count);
      if (found !== undefined) found[1]();
      else parse.part = part;
      break;
    }
}

function firstInning(parse: Parse, side: 'over' | 'under'): void {
  parse.part = '1st_1_innings';
  parse.market = 'total';
  parse.side = side;
  parse.lines.push({ at: 0, value: 0.5, isSigned: false });
}

/** Reads single words that belong to bets. */
export function readWords(parse: Parse): void {
  for (let at = 0; at < parse.tokens.length; at += 1)
    if (!parse.used[at] && parse.tokens[at]!.kind !== 'mark') parse.used[at] = readWord(parse, at);
  // `Game 2`, `(Game 1)`.
  parse.tokens.forEach(({ number }, at) => {
    if (parse.used[at] || number === undefined || !/^(?:game|gm|#)$/.test(parse.keys[at - 1] ?? '')) return;
    if (number.value !== 1 && number.value !== 2) return;
    parse.gameNumber = number.value;
    parse.used[at] = true;
  });
}

/** Reports whether a single word belongs to a bet, and stores its meaning. */
function readWord(parse: Parse, at: number): boolean {
  const { raw } = parse.tokens[at]!;
  const key = parse.keys[at]!;
  const side = betWords.over.has(key) ? 'over' : betWords.under.has(key) ? 'under' : undefined;
  if (side !== undefined && (parse.side === undefined || parse.side === side)) {
    parse.side = side;
    parse.sideAt = at;
    return true;
  }
  const market = markets.get(key);
  if (market !== undefined && (parse.market === undefined || parse.market === market)) {
    parse.market = market;
    return true;
  }
  if (key === 'nrfi' || key === 'yrfi') {
    firstInning(parse, key === 'nrfi' ? 'under' : 'over');
    return true;
  }
  if (key === 'yes' || key === 'no') {
    parse.answer = key;
    return true;
  }
  const part = partMeant(key);
  if (part !== undefined && parse.part === undefined) {
    parse.part = part;
    return true;
  }
  const numbered = /^(?:g|gm|game|#)([12])$/.exec(key);
  if (numbered !== null) {
    parse.gameNumber = Number(numbered[1]);
    return true;
  }
  if (/^(?:pk|pickem)$/.test(key)) {
    parse.market = 'spread';
    parse.lines.push({ at, value: 0, isSigned: true });
    return true;
  }
  if (/^(?:even|evens|ev)$/.test(key)) {
    parse.odds.push({ at, odds: { american: [100] } });
    return true;
  }
  if (/^#\p{L}/u.test(key)) return true;
  const two =
    at + 1 < parse.tokens.length && !parse.used[at + 1] ? bookAmongWords(parse.raw(at, at + 2)) : undefined;
  const book = two ?? bookAmongWords(raw);
  if (book === undefined) return false;
  parse.book = book;
  if (two !== undefined) parse.used[at + 1] = true;
  return true;
}
