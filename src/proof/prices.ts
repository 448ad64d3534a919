import { canonical } from './canonical.ts';
import { utf8 } from './encoding.ts';
import { inclusionRanges } from './inclusion.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import {
  about,
  americanOdds,
  boolean,
  day,
  instant,
  integer,
  nullable,
  type Of,
  oneOf,
  shape,
  text,
} from './shape.ts';
import { append, emptyFrontier, leafHash, rootOf } from './tree.ts';

/** A stored price, as the log has it (docs/rules/ledger.md#prices). A leaf of the tree that an entry `prices` names. */
export const loggedPrice = shape(
  {
    price_seq: about(integer(1), 'The number of the price in the log.'),
    sport: text,
    game: text,
    starts_at: about(nullable(instant), 'The first announced start, which identifies the game.'),
    day: about(nullable(day), 'The day of a game that was announced without a start.'),
    market: text,
    subject: nullable(text),
    side: text,
    line_e3: nullable(about(integer(), 'Thousandths of a point.')),
    odds_american: americanOdds,
    book: text,
    captured_at: about(instant, 'When it was on offer, according to its source.'),
    stored_at: about(instant, "When it was stored, by the log's clock."),
    source: about(oneOf('provider', 'hand'), 'Whether a provider or a person gave it.'),
    closing: about(boolean, 'Whether the book marks it as its closing price.'),
  },
  { title: 'LoggedPrice', description: 'A stored price, as the log has it.' },
);

export type LoggedPrice = Of<typeof loggedPrice>;

/** Returns the leaf of a price. @throws TypeError if it is not a valid row */
export function priceLeaf(price: LoggedPrice, sha256: Sha256 = defaultSha256): Uint8Array {
  loggedPrice(price, 'price');
  return leafHash(utf8(canonical(price)), sha256);
}

export function pricesRoot(leaves: readonly Uint8Array[], sha256: Sha256 = defaultSha256): Uint8Array {
  const frontier = emptyFrontier();
  for (const leaf of leaves) append(frontier, leaf, sha256);
  return rootOf(frontier, sha256);
}

export function pricePath(
  leaves: readonly Uint8Array[],
  index: number,
  sha256: Sha256 = defaultSha256,
): Uint8Array[] {
  return inclusionRanges(index, leaves.length).map(({ begin, end }) =>
    pricesRoot(leaves.slice(begin, end), sha256),
  );
}
