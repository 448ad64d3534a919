import { plainWords } from './plain-name.ts';

/** Books by the key in stored prices, with their other names. */
const books: readonly (readonly string[])[] = `
draftkings: dk, draft kings, dkng, dk sportsbook | fanduel: fd, fan duel, fd sportsbook | betmgm: mgm, bet mgm |
williamhill_us: caesars, czr, cz, caesars sportsbook, william hill us | espnbet: espn bet, espn, thescore bet, the score bet |
betrivers: bet rivers, rivers, br, sugarhouse | fanatics: fanatics sportsbook, fan, pointsbet us, pointsbet |
hardrockbet: hard rock, hard rock bet, hrb, hardrock | bet365: b365, 365, bet 365 | pinnacle: pinny, pinn, pin, ps3838 |
bovada: bov, bodog | betonlineag: bol, betonline, bet online, betonline ag | betus: bet us | mybookieag: mybookie, my bookie |
lowvig: low vig, lowvig ag | circasports: circa, circa sports | ballybet: bally bet, bally | fliff | novig: no vig exchange |
prophetx: prophet x, prophet exchange, prophet | kalshi | polymarket | sporttrade: sport trade | betfair_ex_uk: betfair exchange |
betfair: bf | williamhill: william hill, whill | ladbrokes | coral | unibet | betway | paddypower: paddy power, pp |
skybet: sky bet | betvictor: bet victor | marathonbet: marathon bet | onexbet: 1xbet, 1x bet | sport888: 888sport, 888 |
matchbook | smarkets | betsson | stake: stake com | cloudbet | sportsbet | tab | neds
`
  .split('|')
  .map((book) => book.trim().split(/: |, /));

const byWord = new Map(
  books.flatMap(([key, ...words]) => [key!, ...words].map((word) => [keyOf(word), key!])),
);

export const knownBooks: readonly string[] = books.map(([key]) => key!);

/** Names that mean something else in the text of a bet, so that they name a book only in a column for books. */
const onlyInItsColumn = new Set([
  'pp',
  'br',
  'tab',
  'stake',
  'fan',
  'pin',
  'coral',
  '365',
  '888',
  'espn',
  'bf',
  'cz',
  'prophet',
  'rivers',
]);

export function bookMeant(text: string): string | undefined {
  return byWord.get(keyOf(text));
}

/** Like {@link bookMeant}, for a word in the text of a bet. */
export function bookAmongWords(text: string): string | undefined {
  return onlyInItsColumn.has(keyOf(text)) ? undefined : bookMeant(text);
}

function keyOf(text: string): string {
  return plainWords(text).join('');
}
