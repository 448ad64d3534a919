import { plainWords } from './plain-name.ts';

/** Books: the key in stored prices, the name for people, and other names. */
const books: readonly (readonly string[])[] = `
draftkings: DraftKings, dk, draft kings, dkng, dk sportsbook | fanduel: FanDuel, fd, fan duel, fd sportsbook |
betmgm: BetMGM, mgm, bet mgm | williamhill_us: Caesars, czr, cz, caesars sportsbook, william hill us |
espnbet: ESPN BET, espn bet, espn, thescore bet, the score bet | betrivers: BetRivers, bet rivers, rivers, br, sugarhouse |
fanatics: Fanatics, fanatics sportsbook, fan, pointsbet us, pointsbet | hardrockbet: Hard Rock Bet, hard rock, hrb, hardrock |
bet365: bet365, b365, 365, bet 365 | pinnacle: Pinnacle, pinny, pinn, pin, ps3838 | bovada: Bovada, bov, bodog |
betonlineag: BetOnline, bol, bet online, betonline ag | betus: BetUS, bet us | mybookieag: MyBookie, my bookie | lowvig: LowVig, low vig, lowvig ag |
circasports: Circa, circa sports | ballybet: Bally Bet, bally | fliff: Fliff | novig: Novig, no vig exchange |
prophetx: ProphetX, prophet x, prophet exchange, prophet | kalshi: Kalshi | polymarket: Polymarket | sporttrade: Sporttrade, sport trade |
betfair_ex_uk: Betfair Exchange | betfair: Betfair, bf | williamhill: William Hill, whill | ladbrokes: Ladbrokes | coral: Coral |
unibet: Unibet | betway: Betway | paddypower: Paddy Power, pp | skybet: Sky Bet | betvictor: BetVictor, bet victor |
marathonbet: Marathonbet, marathon bet | onexbet: 1xBet, 1x bet | sport888: 888sport, 888 | matchbook: Matchbook | smarkets: Smarkets |
betsson: Betsson | stake: Stake, stake com | cloudbet: Cloudbet | sportsbet: Sportsbet | tab: TAB | neds: Neds
`
  .split('|')
  .map((book) => book.trim().split(/: |, /));

const byWord = new Map(
  books.flatMap(([key, ...words]) => [key!, ...words].map((word) => [keyOf(word), key!])),
);

const names = new Map(books.map(([key, name]) => [key!, name!]));

export const knownBooks: readonly string[] = [...names.keys()];

/** Returns the name of a book for people; its key if it has none. */
export function bookName(key: string): string {
  return names.get(key) ?? key;
}

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
