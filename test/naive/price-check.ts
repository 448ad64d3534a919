import { closingSnapshot } from './closing.ts';
import { HOUR } from './days.ts';
import { compare, decimalOdds, type Fraction, fraction, multiply, nearestAmerican } from './fraction.ts';
import { PLAYER_SUMS } from './markets.ts';
import { normal } from './normal.ts';
import { carriedChance } from './scores.ts';

/** A captured price. Instants are in epoch milliseconds. */
export interface Seen {
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  capturedAt: number;
  closing: boolean;
  book: string;
  byHand: boolean;
}

export interface Posted {
  sport: string;
  market: string;
  subject: string | null;
  side: string;
  lineE3: number | null;
  oddsAmerican: number;
  book: string | null;
  postedAt: number;
}

export interface Checked {
  verdict: 'available' | 'above_market' | 'unseen' | 'unchecked';
  oddsAmerican: number | null;
  book: string | null;
  capturedAt: number | null;
}

type Wanted = Pick<Posted, 'market' | 'subject' | 'side' | 'lineE3'>;

/** Reports whether the posted price was on offer: docs/rules/prices.md. */
export function priceCheckOf(
  pick: Posted,
  all: Seen[],
  { start, hasSource }: { start: number | null; hasSource: boolean },
): Checked {
  const prices = all
    .filter((price) => start === null || price.capturedAt <= start)
    .filter((price) => (hasSource ? !price.byHand : true));
  const posted = decimalOdds(pick.oddsAmerican);
  for (const wanted of [pick, ...harder(pick, prices)])
    for (const [found, most] of tiers(pick, wanted, prices, start)) {
      if (found.length === 0) continue;
      const reference = atOwnLine(pick, wanted, referenceAmong(found, pick.book));
      const limit = multiply(decimalOdds(reference.oddsAmerican), most);
      const { oddsAmerican, book, capturedAt } = reference;
      return {
        verdict: compare(posted, limit) > 0 ? 'above_market' : 'available',
        ...{ oddsAmerican, book, capturedAt },
      };
    }
  return { verdict: hasSource ? 'unseen' : 'unchecked', oddsAmerican: null, book: null, capturedAt: null };
}

/** Returns each book's price by age, the strictest first, with the factor that a pick may exceed it by. */
function tiers(pick: Posted, wanted: Wanted, prices: Seen[], start: number | null): [Seen[], Fraction][] {
  const books = [...new Set(prices.map(({ book }) => book))];
  const of = (quotes: (book: string) => Seen[]) => books.flatMap((book) => highest(quotes(book)).slice(0, 1));
  const near = (hours: number) =>
    of((book) => {
      const rows = prices.filter(
        (price) =>
          price.book === book &&
          same(price, wanted) &&
          Math.abs(price.capturedAt - pick.postedAt) <= hours * HOUR,
      );
      const before = rows.filter((row) => row.capturedAt <= pick.postedAt);
      const after = rows.filter((row) => row.capturedAt > pick.postedAt);
      const last = Math.max(...before.map((row) => row.capturedAt));
      const next = Math.min(...after.map((row) => row.capturedAt));
      return [last, next].flatMap((at) => lowest(rows.filter((row) => row.capturedAt === at)).slice(0, 1));
    });
  const market = prices.filter((price) => price.market === wanted.market && price.subject === wanted.subject);
  const close =
    start === null
      ? []
      : of((book) => {
          const shot = closingSnapshot(market, book, start) as Seen[] | null;
          return lowest((shot ?? []).filter((price) => same(price, wanted))).slice(0, 1);
        });
  return [
    [near(0.25), fraction(101, 100)],
    [near(6), fraction(110, 100)],
    [close, fraction(125, 100)],
  ];
}

const same = (price: Seen, wanted: Wanted): boolean =>
  price.market === wanted.market &&
  price.subject === wanted.subject &&
  price.side === wanted.side &&
  price.lineE3 === wanted.lineE3;

const pays = (a: Seen, b: Seen): number =>
  compare(decimalOdds(a.oddsAmerican), decimalOdds(b.oddsAmerican)) || a.oddsAmerican - b.oddsAmerican;
const lowest = (prices: Seen[]): Seen[] => [...prices].sort(pays);
/** The earlier of two that pay the same. */
const highest = (prices: Seen[]): Seen[] =>
  [...prices].sort(
    (a, b) =>
      compare(decimalOdds(b.oddsAmerican), decimalOdds(a.oddsAmerican)) || a.capturedAt - b.capturedAt,
  );

function referenceAmong(found: Seen[], book: string | null): Seen {
  const own = found.find((price) => price.book === book);
  if (own) return own;
  const order = [...found].sort((a, b) => pays(b, a) || (a.book < b.book ? -1 : 1));
  return order.length >= 3 ? order[1]! : order[0]!;
}

/** Returns a harder line's price, at most a quarter above the margin model's price at the pick's own line. */
function atOwnLine(pick: Posted, { lineE3: line }: Wanted, reference: Seen): Seen {
  if (line === null || pick.lineE3 === null || line === pick.lineE3) return reference;
  const { sport, market, side } = pick;
  const price = decimalOdds(reference.oddsAmerican);
  const implied = Number(price.d) / Number(price.n);
  const [hard, own] = [line / 1000, pick.lineE3 / 1000];
  const chance =
    carriedChance({ sport, market, side, line: hard }, implied, { sport, market, side, line: own }) ??
    wideChance(market, implied, hard, own);
  const millionths = Math.round(1_250_000 / Math.max(chance, 0.001));
  const most = nearestAmerican(fraction(Math.max(millionths, 1_000_000), 1_000_000));
  const isLower = compare(decimalOdds(most), price) < 0;
  return isLower ? { ...reference, oddsAmerican: most } : reference;
}

/**
 * Returns the probability at an easier line if no model has the market: a bell curve, 15 points wide for spreads, else six tenths of the
 * line.
 */
function wideChance(market: string, chance: number, hard: number, own: number): number {
  const width = /spread$/.test(market) ? 15 : Math.max(1, 0.6 * Math.max(Math.abs(hard), Math.abs(own)));
  let [below, above] = [-8, 8];
  while (above - below > 1e-13) {
    const middle = (below + above) / 2;
    if (normal(middle) < chance) below = middle;
    else above = middle;
  }
  return normal(below + Math.abs(own - hard) / width);
}

/** Returns the selections that win only if the pick does: harder lines from the nearest on, and the moneyline as a line of -0.5. */
function harder(pick: Posted, prices: Seen[]): Wanted[] {
  const { market, subject, side, lineE3 } = pick;
  if (lineE3 === null) return [];
  const lowIsHard = /spread$/.test(market) || side.endsWith('under');
  const highIsHard = !lowIsHard && side.endsWith('over');
  const ofGames = ['spread', 'total', 'team_total', 'first_half_spread', 'first_half_total'];
  const declared = ofGames.includes(market) || Object.values(PLAYER_SUMS).some((sport) => market in sport);
  const lines = prices
    .filter((price) => price.market === market && price.subject === subject && price.side === side)
    .map((price) => price.lineE3!)
    .filter((line) => declared && ((lowIsHard && line < lineE3) || (highIsHard && line > lineE3)));
  const all = [...new Set(lines)].map((line) => ({
    line,
    wanted: { market, subject, side, lineE3: line } as Wanted,
  }));
  const outright = { spread: 'moneyline', first_half_spread: 'first_half_moneyline' }[market];
  if (outright && (lineE3 === 500 || lineE3 === -500))
    all.push({ line: -500, wanted: { market: outright, subject, side, lineE3: null } });
  return all
    .sort((a, b) => Math.abs(a.line - lineE3) - Math.abs(b.line - lineE3))
    .map(({ wanted }) => wanted);
}
