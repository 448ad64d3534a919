import { bookAmongWords } from '../book-words.ts';
import { partMeant } from './parts.ts';
import type { Said } from './said.ts';
import { betWords, isOverOrUnder, markets, type SaidMarket } from './words.ts';

/** Joins a sign to the number that it stands before: `Magic - 1.5`. Elsewhere a dash parts what it stands between. */
export function joinSigns(said: Said): void {
  said.tokens.forEach((token, at) => {
    if (token.kind !== 'mark' || !/^[+-]$/.test(token.raw)) return;
    const next = said.tokens[at + 1];
    const before = said.tokens[at - 1];
    const isBehindName = before?.kind === 'word' && !isOverOrUnder(said.keys[at - 1]!);
    const isPrice = before?.kind === 'mark' && /^[(@]$/.test(before.raw);
    if (next?.number === undefined || next.number.sign !== '' || !(isBehindName || isPrice)) return;
    const { value, unit, under, hasPoint } = next.number;
    // `Lakers ML - 1.91` and `Lakers ML - 2u` have a dash.
    if (unit !== '' || under !== undefined || (hasPoint && value % 0.25 !== 0)) return;
    if (/^(?:ml|moneyline|pk)$/.test(said.keys[at - 1]!) && value < 100) return;
    next.number.sign = token.raw as '+' | '-';
    said.used[at] = true;
  });
}

/** Phrases of several words, before names: `to win` is no abbreviation of a team. */
export function readPhrases(said: Said): void {
  const named = (market: SaidMarket) => {
    said.market = market;
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
    [/^no runs? (?:in )?(?:the )?(?:1st|first)(?: inning)?$/, () => firstInning(said, 'under')],
  ];
  for (let at = 0; at < said.tokens.length; at += 1)
    for (let count = Math.min(7, said.tokens.length - at); count >= 2; count -= 1) {
      const words = said.keys.slice(at, at + count).join(' ');
      const part = partMeant(words);
      const found = phrases.find(([pattern]) => pattern.test(words));
      if ((part === undefined && found === undefined) || said.isUsed(at, at + count)) continue;
      said.use(at, at + count);
      if (found !== undefined) found[1]();
      else said.part = part;
      break;
    }
}

function firstInning(said: Said, side: 'over' | 'under'): void {
  said.part = '1st_1_innings';
  said.market = 'total';
  said.side = side;
  said.lines.push({ at: 0, value: 0.5, isSigned: false });
}

/** Single words with a meaning of their own. */
export function readWords(said: Said): void {
  for (let at = 0; at < said.tokens.length; at += 1)
    if (!said.used[at] && said.tokens[at]!.kind !== 'mark') said.used[at] = isMeant(said, at);
  // `Game 2`, `(Game 1)`.
  said.tokens.forEach(({ number }, at) => {
    if (said.used[at] || number === undefined || !/^(?:game|gm|#)$/.test(said.keys[at - 1] ?? '')) return;
    if (number.value !== 1 && number.value !== 2) return;
    said.gameNumber = number.value;
    said.used[at] = true;
  });
}

/** Whether a single word means something of a bet, which is noted. */
function isMeant(said: Said, at: number): boolean {
  const { raw } = said.tokens[at]!;
  const key = said.keys[at]!;
  const side = betWords.over.has(key) ? 'over' : betWords.under.has(key) ? 'under' : undefined;
  if (side !== undefined && (said.side === undefined || said.side === side)) {
    said.side = side;
    said.sideAt = at;
    return true;
  }
  const market = markets.get(key);
  if (market !== undefined && (said.market === undefined || said.market === market)) {
    said.market = market;
    return true;
  }
  if (key === 'nrfi' || key === 'yrfi') {
    firstInning(said, key === 'nrfi' ? 'under' : 'over');
    return true;
  }
  if (key === 'yes' || key === 'no') {
    said.answer = key;
    return true;
  }
  const part = partMeant(key);
  if (part !== undefined && said.part === undefined) {
    said.part = part;
    return true;
  }
  const numbered = /^(?:g|gm|game|#)([12])$/.exec(key);
  if (numbered !== null) {
    said.gameNumber = Number(numbered[1]);
    return true;
  }
  if (/^(?:pk|pickem)$/.test(key)) {
    said.market = 'spread';
    said.lines.push({ at, value: 0, isSigned: true });
    return true;
  }
  if (/^(?:even|evens|ev)$/.test(key)) {
    said.odds.push({ at, odds: { american: [100] } });
    return true;
  }
  if (/^#\p{L}/u.test(key)) return true;
  const two =
    at + 1 < said.tokens.length && !said.used[at + 1] ? bookAmongWords(said.raw(at, at + 2)) : undefined;
  const book = two ?? bookAmongWords(raw);
  if (book === undefined) return false;
  said.book = book;
  if (two !== undefined) said.used[at + 1] = true;
  return true;
}
