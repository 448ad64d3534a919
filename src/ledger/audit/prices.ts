import { findGames, gameKey } from '../../games/game.ts';
import type { Database } from '../../platform/database.ts';
import { canonical } from '../../proof/canonical.ts';
import { equalBytes } from '../../proof/encoding.ts';
import { type LoggedPrice, loggedPrice, pricesRoot } from '../../proof/prices.ts';
import { keptWholeMs } from '../../rules/repeated-prices.ts';
import { Difference, differencesIn, differing } from '../difference.ts';
import { sha256 } from '../sealing/log-entry.ts';
import {
  leavesOf,
  loggedPriceOf,
  type NumberedLine,
  numberedColumns,
  unpacked,
} from '../sealing/number-prices.ts';

interface Batch {
  id: number;
  from: number;
  to: number;
  root: Buffer;
  rows: Buffer;
}

const batchesAtOnce = 20;

/**
 * Recomputes the roots of numbered prices from the kept rows, and compares the rows with the stored prices. Then checks that closings and
 * settlements name the last price that they could use.
 */
export async function* auditPrices(database: Database): AsyncGenerator<Difference> {
  let next = 1;
  for (let after = 0; ; ) {
    const batches: Batch[] = await database('price_batches')
      .where('id', '>', after)
      .orderBy('id')
      .limit(batchesAtOnce)
      .select({ id: 'id', from: 'from_seq', to: 'to_seq', root: 'root', rows: 'rows' });
    for (const batch of batches) {
      if (batch.from !== next)
        yield new Difference('price_batches', `id ${batch.id}`, 'from_seq', `it must be ${next}`);
      next = batch.to + 1;
      yield* auditBatch(database, batch);
    }
    if (batches.length < batchesAtOnce) break;
    after = batches.at(-1)!.id;
  }
  yield* auditBounds(database, next);
}

async function* auditBatch(
  database: Database,
  { id, from, to, root, rows }: Batch,
): AsyncGenerator<Difference> {
  const differs = differing('price_batches', `id ${id}`);
  let texts: string[];
  try {
    texts = unpacked(rows);
  } catch (error) {
    return yield differs('rows', `it cannot be read: ${(error as Error).message}`);
  }
  if (texts.length !== to - from + 1)
    yield differs('rows', `it has ${texts.length} rows, not ${to - from + 1}`);
  else if (!equalBytes(pricesRoot(leavesOf(texts), sha256), root))
    yield differs('rows', 'its rows do not have the root that was sealed');
  const lines: NumberedLine[] = await database('lines as l')
    .join('games as g', 'g.id', 'l.game_id')
    .whereBetween('l.price_seq', [from, to])
    .orderBy('l.price_seq')
    .select(numberedColumns);
  const found = new Set(lines.map(({ priceSeq }) => priceSeq - from));
  yield* removedTooEarly(
    database,
    texts.filter((_, at) => !found.has(at)),
  );
  for (const line of lines) {
    const text = texts[line.priceSeq - from];
    if (canonical(loggedPriceOf(line)) === text) continue;
    const sentence = `it is not price ${line.priceSeq} of the log, ${text}`;
    yield new Difference('lines', `id ${line.id}`, null, sentence);
  }
}

/** Finds prices that were removed from `lines`, although their game has not ended long ago. */
async function* removedTooEarly(database: Database, texts: readonly string[]): AsyncGenerator<Difference> {
  if (texts.length === 0) return;
  const prices = texts.map(priceIn);
  const unreadable = prices.indexOf(undefined);
  if (unreadable >= 0)
    return yield new Difference('price_batches', JSON.stringify(texts[unreadable]), 'rows', 'it is no price');
  const nameOf = ({ sport, game, starts_at, day }: LoggedPrice) => ({
    sport,
    game,
    startsAt: starts_at,
    day,
  });
  const games = await findGames(database, (prices as LoggedPrice[]).map(nameOf));
  for (const price of prices as LoggedPrice[]) {
    const ended = games.get(gameKey(nameOf(price)))?.finalAt ?? Number.POSITIVE_INFINITY;
    if (ended <= Date.now() - keptWholeMs) continue;
    return yield new Difference('lines', `price ${price.price_seq}`, null, 'it is missing');
  }
}

/** A login could have stored any content; undefined if it is no price. */
function priceIn(text: string): LoggedPrice | undefined {
  try {
    const price = JSON.parse(text);
    loggedPrice(price, 'price');
    return price;
  } catch {
    return undefined;
  }
}

/** Finds prices beyond the batches, and bounds that earlier or later prices contradict. */
async function* auditBounds(database: Database, next: number): AsyncGenerator<Difference> {
  yield* differencesIn(
    database,
    `select 'lines' as "table", 'id ' || id as row, 'price_seq' as column, 'no entry of the log has it' as sentence
     from lines where price_seq >= :next order by id limit 10`,
    { next },
  );
  yield* differencesIn(
    database,
    `select 'ledger_entries' as "table", 'seq ' || e.seq as row, 'prices_to' as column, case
         when e.prices_to is not null and not exists (select from price_batches b join ledger_entries p on p.prices_id = b.id
           where e.prices_to between b.from_seq and b.to_seq and p.seq < e.seq) then 'no earlier entry has that price'
         when w.used > coalesce(e.prices_to, 0) then format('the pick could use price %s', w.used)
         else format('price %s was stored later', w.later) end as sentence
     from ledger_entries e
     join picks p on p.id = e.pick_id
     left join closings k on k.pick_id = p.id and e.kind = 'closed'
     left join settlements s on s.pick_id = p.id and e.kind = 'settled'
     cross join lateral (select
       max(l.price_seq) filter (where l.id <= coalesce(k.last_line_id, s.last_line_id)) as used,
       min(l.price_seq) filter (where l.id > coalesce(k.last_line_id, s.last_line_id)) as later
       from lines l where l.game_id = p.game_id and l.market = p.market) w
     where e.kind in ('closed', 'settled') and (w.used > coalesce(e.prices_to, 0) or w.later <= e.prices_to
       or e.prices_to is not null and not exists (select from price_batches b join ledger_entries q on q.prices_id = b.id
         where e.prices_to between b.from_seq and b.to_seq and q.seq < e.seq))
     order by e.seq limit 10`,
  );
}
