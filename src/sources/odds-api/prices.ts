import { americanOdds, lineField } from '../../games/fields.ts';
import { instant as readInstant } from '../../platform/clock.ts';
import { instant, plainText, slug } from '../../platform/fields.ts';
import { checker } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import { lineToE3 } from '../../rules/fixed-point.ts';
import { markets } from '../../rules/markets/index.ts';
import type { Market, MoneylineWays } from '../../rules/markets/market.ts';
import { type PlayerMarket, playerMarkets } from '../../rules/markets/player-markets.ts';
import type { LeftOutCounts, PriceReport } from '../answer.ts';

/** A name, normalized like team names. */
const outcomeName = Type.String({ normalForm: 'NFC' });
const checkBook = checker(
  Type.Object({ key: slug, last_update: Type.Optional(instant), markets: Type.Array(Type.Unknown()) }),
);
const checkMarket = checker(
  Type.Object({
    key: Type.String(),
    last_update: Type.Optional(instant),
    outcomes: Type.Array(Type.Unknown(), { maxItems: 400 }),
  }),
);
const checkOutcome = checker(
  Type.Object({
    name: outcomeName,
    description: Type.Optional(outcomeName),
    price: Type.Number(),
    point: lineField,
  }),
);
const checkAmerican = checker(americanOdds);
const checkPlayer = checker(Type.Object({ player: plainText(1, 80) }));

interface Teams {
  home_team: string;
  away_team: string;
}

interface MarketPrices {
  declared: Market | PlayerMarket;
  isMain: boolean;
  capturedAt: number;
  outcomes: ReadOutcome[];
}

interface ReadOutcome {
  /** The player; absent in markets about the game. */
  subject?: string;
  side: string;
  line: number | null;
  oddsAmerican: number;
}

/** Matches pick'em apps, the region `us_dfs`: their payouts are fixed, so they show no prices. */
const isPickem = (book: string) =>
  /_dfs$/.test(book) || ['prizepicks', 'underdog', 'pick6', 'parlayplay', 'sleeper'].includes(book);

/** Matches what books list among players: several together, defenses, and that nobody scores. */
const noPlayer = /[+&/]|\bdefen[cs]e\b|^no (?:\w+ )?(?:goal)?scorer$/i;

/**
 * Returns the prices of an event's bookmakers. One listed twice is one. A market and its alternates are one snapshot of the later instant:
 * unchanged prices still hold then.
 * @param ways number of sides of a moneyline in this sport
 * @param leftOut collects invalid prices, by reason
 */
export function pricesOf(
  given: readonly unknown[],
  teams: Teams,
  ways: MoneylineWays,
  leftOut: LeftOutCounts,
): PriceReport[] {
  const read = given.flatMap((each) => {
    const book = checkBook(each);
    const fault = !book.ok ? 'unreadable bookmaker' : isPickem(book.value.key) ? "pick'em app" : undefined;
    if (!book.ok || fault !== undefined) {
      leftOut.add(fault!);
      return [];
    }
    const { key, last_update: updated, markets: list } = book.value;
    return list.flatMap((market) => {
      const prices = marketPrices(market, updated, teams, leftOut);
      return prices === undefined ? [] : { ...prices, key };
    });
  });
  const byMarket = Map.groupBy(read, ({ key, declared }) => `${key}\n${declared.name}`);
  return [...byMarket.values()].flatMap((parts) => {
    const { key, declared } = parts[0]!;
    const capturedAt = Math.max(...parts.map((part) => part.capturedAt));
    const main = distinct(parts.filter(({ isMain }) => isMain).flatMap((part) => part.outcomes));
    // A line in the market itself takes precedence over its alternate.
    const further = distinct(parts.filter(({ isMain }) => !isMain).flatMap((part) => part.outcomes)).filter(
      (each) =>
        !main.some(
          ({ subject, side, line }) => subject === each.subject && side === each.side && line === each.line,
        ),
    );
    const outcomes = [...main, ...further];
    const read =
      declared.gradedBy === 'stat'
        ? playerPrices(declared, outcomes, leftOut)
        : wholeContests(declared, outcomes, ways, leftOut);
    return read.map((price) => ({
      market: declared.name,
      ...price,
      capturedAt,
      book: key,
    }));
  });
}

function distinct(outcomes: readonly ReadOutcome[]): ReadOutcome[] {
  return [...new Map(outcomes.map((outcome) => [JSON.stringify(outcome), outcome])).values()];
}

function marketPrices(
  given: unknown,
  bookUpdated: string | undefined,
  teams: Teams,
  leftOut: LeftOutCounts,
): MarketPrices | undefined {
  const left = (reason: string) => {
    leftOut.add(reason);
    return undefined;
  };
  const checked = checkMarket(given);
  if (!checked.ok) return left('unreadable market');
  const { key, last_update: own, outcomes } = checked.value;
  const declared = [...markets, ...playerMarkets].find(
    ({ oddsApi }) => oddsApi.key === key || oddsApi.alternates === key,
  );
  if (declared === undefined) return left('unknown market');
  const updated = own ?? bookUpdated;
  if (updated === undefined) return left('market without the time of its prices');
  const read: MarketPrices['outcomes'] = [];
  for (const each of outcomes) {
    const outcome = checkOutcome(each);
    if (!outcome.ok) return left('unreadable market');
    const { price, point, ...named } = outcome.value;
    if (!checkAmerican(price).ok) return left('price that is not in American odds');
    const sides = { home: teams.home_team, away: teams.away_team };
    const side = declared.oddsApi.side(named, sides);
    const isPlayers = declared.gradedBy === 'stat';
    const { name, description } = named;
    // Some answers swap the player and the side, so their other fields cannot be trusted either.
    const isNamed = isPlayers
      ? checkPlayer({ player: description }).ok && declared.oddsApi.side({ name: description! }) === null
      : description === undefined || declared.oddsApi.side({ name }, sides) === null;
    if (side === null || !isNamed) return left('market with an unknown outcome');
    const subject = isPlayers ? description : undefined;
    const isTeam = (team: string) => team === subject || team.endsWith(` ${subject}`);
    if (subject !== undefined && (noPlayer.test(subject) || Object.values(sides).some(isTeam))) {
      leftOut.add('price about no player');
      continue;
    }
    read.push({
      ...(subject === undefined ? {} : { subject }),
      side,
      line: declared.line === null ? null : (point ?? null),
      oddsAmerican: price,
    });
  }
  return { declared, isMain: declared.oddsApi.key === key, capturedAt: readInstant(updated), outcomes: read };
}

/** Returns the prices of players, one per side and line. Many books price only one side, which is enough to close picks on it. */
function playerPrices(
  { line }: PlayerMarket,
  outcomes: readonly ReadOutcome[],
  leftOut: LeftOutCounts,
): ReadOutcome[] {
  const bySelection = Map.groupBy(outcomes, ({ subject, side, line: given }) =>
    JSON.stringify([subject, side, given]),
  );
  return [...bySelection.values()].flatMap((same) => {
    const [first] = same;
    if ((first!.line === null) === (line === null) && same.length === 1) return same;
    leftOut.add('market with an unknown line');
    return [];
  });
}

/** Returns the prices of complete contests: at each line, one price per side. */
function wholeContests(
  { contests, line }: Market,
  outcomes: readonly ReadOutcome[],
  ways: MoneylineWays,
  leftOut: LeftOutCounts,
): ReadOutcome[] {
  const left = (reason: string) => {
    leftOut.add(reason);
    return [];
  };
  if (outcomes.some(({ side }) => !contests(ways).some((sides) => sides.includes(side))))
    return left('market with an unknown outcome');
  return contests(ways).flatMap((sides) => {
    const own = outcomes.filter(({ side }) => sides.includes(side));
    const byLine = Map.groupBy(own, ({ side, line: given }) => {
      const lineE3 = lineToE3(given);
      return line === null || lineE3 === null ? null : line.shared(side, lineE3);
    });
    return [...byLine].flatMap(([shared, same]) => {
      if ((shared === null) !== (line === null)) return left('market with an unknown line');
      return same.length === sides.length && sides.every((side) => same.some((each) => each.side === side))
        ? same
        : left('contest without a price of each side');
    });
  });
}
