import { plainLetters } from '../rules/plain-name.ts';
import { amountOf } from './amounts.ts';

// The words that say how a bet is built: of one selection or several, back or lay, before the game or during it.

/** Words of a bet on a single selection, which change nothing. */
const single =
  /^(?:s|(?:singles?|straights?)(?: bets?| wagers?)?|simples?|sencill[ao]s?|singol[ae]|einzel(?:wetten?|tipps?)?|enkel(?:t|vad)?|win(?: single| only| bet)?|normal|standard|regular|b(?:ack(?:ing|ed)?(?: bet)?)?|buy|main|ordinary|pre(?:-?(?:match|game|live))?|punta|pour|for|a favore?|none|no|n\/a|-|—|0|1|false)$/;

/** Words of a bet on several selections. Those that can also mean a market count only if they are the whole cell. */
const multiple =
  /\b(?:trebles?|trixies?|patents?|(?:super )?yankee|heinz|goliath|lucky ?\d+|\w*-?folds?|acca(?:s|\d+)?|accu|a[ck]{1,2}umul\w*|combin(?:ed|ee?|ada|ata)|\w*kombi\w*|(?:zweier|dreier|vierer|funfer)\w*|parlays?|parlee|tease(?:rs?|d)|pleasers?|round ?robins?|sgp\w*|same ?game|bet ?builders?|build ?a ?bet|betbuilder|crea(?:r|te)?.?(?:apuesta|bet)|if.?bets?|reverse (?:bet|forecast)|multipl[aeo]s?|multibets?|schedina|tripl[ae]|quadrupl[ae]|cuadrupl[ae]|superfecta|trifecta|exacta|quinella|tricast|jackpot|system ?\d|\d+[- ](?:leg|team|pick)s?|leg \d+ of|dubbel|trippel|dvojice)\b/;
const wholeMultiple =
  /^(?:canadian|(?:straight |combination )?forecast|doubles?|doppi[ae]|dobles?|dupl[ao]s?|triples?|multis?|multiple bet|combos?|systems?|sistemas?|systeme|legs?|power play|flex play|\d ?\/ ?\d|x\d|\d{1,2}x?)(?:\s*[([].*[)\]])?(?:\s*x?\d+)?$/;
const eachWay =
  /(?:^|\b)(?:e\/?w|each[- ]?way|win ?(?:&|and|\/) ?place|\d ?\/ ?\d odds|to place|place only)\b/;
export const live =
  /\b(?:live(?: ?(?:bet(?:ting|s)?|wetten?))?|in[- ]?play|in[- ]?running|in-?game|en vivo|en directo|en direct|dal vivo|ao vivo)\b/;
const lay =
  /^lay(?:ing|ed)?\b(?! off)|\blay(?: bet)?$|^(?:sell(?:ing)?|short(?:ed)?)$|^(?:against|contre|gegen|contra|contro|banca|bancata|vende[rt]?|vendo|verkaufen|l)$/;

/** Returns why a word of a bet's type excludes the row; `single` if it changes nothing; undefined for other words. */
export function structureOf(cell: string): { refused: string } | 'single' | undefined {
  const text = plainLetters(cell.trim());
  if (single.test(text)) return 'single';
  if (/^1x2$|double (?:chance|double|result)|triple double|(?:mens|womens|mixed) doubles/.test(text))
    return undefined;
  if (eachWay.test(text))
    return { refused: `${cell}: an each-way bet is two bets at two prices, not one pick.` };
  if (multiple.test(text) || wholeMultiple.test(text))
    return { refused: `${cell}: a bet on several games or selections is not one pick.` };
  if (live.test(text)) return { refused: refusedLive(cell) };
  if (lay.test(text))
    return { refused: `${cell}: a lay bet is against its selection, so it is no pick on it.` };
  return undefined;
}

/** Words for picks, and not for bets. */
export const ofPicks =
  /^(?:value|free|vip|premium|paid|main|model|system|strategy|daily|weekend|potd|locks?|fun|favou?rites?|(?:under)?dogs?|low|medium|high|(?:pre|regular|post) ?season|playoffs?)\b/i;

/** Reports whether a cell says how a bet is built, in words that mean nothing else. */
export function isStructure(cell: string): boolean {
  return (
    /\p{L}{2}/u.test(cell) &&
    !/^(?:no|none|false|n\/a|win|for|pour|contra|main|normal|regular|standard)$/i.test(cell) &&
    structureOf(cell) !== undefined
  );
}

/** A yes that means nothing else. */
export const onlyYes = /^(?:true|yes|y|x|oui|si|sí|ja|sim|✓|✔️?)$/i;
const yes =
  /^(?:1|✅|live|lay|won|full|partial|on|free ?(?:bet|play)|bonus ?bet|(?:in|out).?play|in[- ]?running|in-?game)$/i;
const no =
  /^(?:|false|no|n|0+(?:[.,]0+)?%?|non|nein|não|nao|none|null|-|—|n\/a|na|off|back|pre(?:-?(?:match|game|live))?)$/i;

/** Reads a cell of a column that says yes or no, or an amount. Undefined for other text. */
export function saysYes(cell: string): boolean | undefined {
  if (no.test(cell)) return false;
  if (onlyYes.test(cell) || yes.test(cell) || (amountOf(cell) ?? 0) > 0) return true;
  return undefined;
}

export const refusedLive = (cell: string) =>
  `${cell}: the bet was placed after the start of its game. The ledger does not accept those.`;
