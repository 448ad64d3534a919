import { bodyHash, type ClosingBody, type PriceCheck } from './bodies.ts';
import { fromHex, hex } from './encoding.ts';
import { parseEntry } from './entry.ts';
import { rootByInclusion } from './inclusion.ts';
import { type LoggedPrice, priceLeaf } from './prices.ts';
import type { DecidingPrice, PricesProof, SealedReceipt } from './receipt.ts';
import { entryIsInLog, must, type ReceiptWalk } from './receipt-walk.ts';

/**
 * Checks that the log had the prices that decided a pick's closing and price check, before those, and that the closing and the check show
 * these prices. Requires that the other steps have passed. The rules that choose among prices are the monitor's to check.
 * @throws Error whose message says what failed
 */
export async function pricesAreInLog(walk: ReceiptWalk): Promise<string> {
  const { receipt } = walk;
  const { closing, settlement, proof } = receipt;
  for (const each of proof.prices) await pricesAreOfEntry(walk, each);
  const rows = proof.prices.flatMap(({ prices }) => prices);
  const deciding = (event: DecidingPrice['decided'][number]) =>
    rows.flatMap(({ price, decided }) => (decided.includes(event) ? price : []));
  if (closing !== null) closingIsOf(closing, receipt.pick.side, deciding('closed'));
  checkIsOf(settlement?.price_check ?? null, deciding('settled'));
  if (rows.length === 0) return 'No price decided it.';
  const last = rows
    .map(({ price }) => price.stored_at)
    .sort()
    .at(-1)!;
  const what = rows.length === 1 ? 'price' : `${rows.length} prices`;
  const where = proof.prices.map(({ seq }) => seq).join(', ');
  return `The log has the ${what} that decided it, in entry ${where}, stored until ${last}.`;
}

async function pricesAreOfEntry(walk: ReceiptWalk, proof: PricesProof): Promise<void> {
  const { receipt, trust, sha256 } = walk;
  const { body, seq, prices } = proof;
  const entry = parseEntry(proof.entry);
  must(
    entry.kind === 'prices' && entry.seq === seq && entry.hash === bodyHash('prices', body, sha256),
    `Entry ${seq} of the log does not have these prices.`,
  );
  await entryIsInLog({ receipt, proof, trust, sha256 });
  for (const { price, decided, inclusion } of prices) {
    const about = `price ${price.price_seq}`;
    const path = {
      index: price.price_seq - body.from_seq,
      size: body.count,
      hashes: inclusion.map(fromHex),
    };
    const root = rootByInclusion(priceLeaf(price, sha256), path, sha256);
    must(root !== null && hex(root) === body.root, `The path of ${about} does not lead to entry ${seq}.`);
    must(decided.length > 0, `The receipt does not say what ${about} decided.`);
    for (const event of decided) mustPrecede(receipt, event, price, seq);
  }
}

function mustPrecede(
  { pick, closing, settlement, proof }: SealedReceipt,
  event: DecidingPrice['decided'][number],
  price: LoggedPrice,
  seq: number,
): void {
  const about = `price ${price.price_seq}`;
  const body = event === 'closed' ? closing : settlement;
  const later = proof.events.find((each) => each.event === event);
  must(body !== null && later !== undefined, `The pick was not ${event}, but the receipt has prices for it.`);
  must(
    body.prices_to !== null && price.price_seq <= body.prices_to && seq < later.seq,
    `The pick was ${event} before ${about} was in the log.`,
  );
  const other = (['sport', 'game', 'day', 'market', 'subject'] as const).find(
    (key) => price[key] !== pick[key],
  );
  must(other === undefined, `The ${other} of ${about} is not the pick's.`);
  if (event === 'closed') {
    must(price.captured_at <= closing!.closed_at, `Price ${price.price_seq} was captured after the start.`);
    return;
  }
  must(
    price.side === pick.side && price.line_e3 === pick.line_e3,
    `${about} is not of the pick's selection.`,
  );
}

function closingIsOf(closing: ClosingBody, side: string, prices: readonly LoggedPrice[]): void {
  const own = prices.filter((price) => price.side === side && price.line_e3 === closing.line_e3);
  const payouts = own.map(({ odds_american }) => payoutOf(odds_american));
  const payout = payoutOf(closing.odds_american);
  const isMedian = Math.min(...payouts) <= payout && payout <= Math.max(...payouts);
  must(
    closing.book === null
      ? isMedian && own.some(({ captured_at }) => captured_at === closing.captured_at)
      : own.some(
          ({ odds_american, book, captured_at }) =>
            odds_american === closing.odds_american &&
            book === closing.book &&
            captured_at === closing.captured_at,
        ),
    'No price in the log is the closing price.',
  );
}

function checkIsOf(check: PriceCheck | null, prices: readonly LoggedPrice[]): void {
  const odds = check?.odds_american ?? null;
  if (odds === null)
    must(prices.length === 0, 'Nothing checked the price, but the receipt has prices that did.');
  else
    must(
      prices.some(
        ({ odds_american, book, captured_at }) =>
          odds_american === odds && book === check!.book && captured_at === check!.captured_at,
      ),
      'No price in the log is the one that the odds were compared with.',
    );
}

/** Orders American odds by what they pay: without the gap around even money. */
const payoutOf = (american: number) => (american > 0 ? american - 100 : american + 100);
