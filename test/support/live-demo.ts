import { advanceDemo } from '../../src/demo/advance.ts';
import { writeProgress } from '../../src/demo/progress.ts';
import { worldRows } from '../../src/demo/world.ts';
import type { Database } from '../../src/platform/database.ts';
import { goTheWholeWay } from './whole-way.ts';

const quarter = 15 * 60_000;
/** How long after something happens the demo comes to know of it. */
const delay = 2_000;

/** Brings the demo from where it is to an instant, in one step: as after a stop when that is longer than a minute. */
export async function advanceDemoTo(database: Database, now: number): Promise<void> {
  const enqueue = { add: async () => true };
  await advanceDemo({ demo: true, database, clock: { now: () => now }, enqueue });
}

/**
 * Plays the demo live from one instant to another, as a running service does: each row comes when it happens. Every quarter of an hour
 * what is due is graded, sealed and covered by a checkpoint, of which witnesses have cosigned every second one.
 */
export async function playLive(database: Database, from: number, to: number): Promise<void> {
  const rows = worldRows(from, to);
  const moments = [rows.games, rows.lines, rows.picks, rows.results].flatMap((list) =>
    list.map(({ at }) => at),
  );
  let reached = from;
  for (const at of moments.toSorted((a, b) => a - b)) {
    if (at <= reached) continue;
    if (Math.floor(at / quarter) > Math.floor(reached / quarter)) await publish(database, reached);
    // Nothing happens in between, and a longer gap would be imported.
    await database.transaction((transaction) => writeProgress(transaction, at - 1));
    reached = at + delay;
    await advanceDemoTo(database, reached);
  }
  await publish(database, to);
  const live = await database('picks').where('provenance', 'live').pluck('id');
  if (live.length !== rows.picks.length)
    throw new Error(`${rows.picks.length} picks, ${live.length} accepted`);
}

async function publish(database: Database, now: number): Promise<void> {
  await goTheWholeWay(database, now);
  const [{ size }] = await database('ledger_entries').select(database.raw('max(seq) + 1 as size'));
  const isWitnessed = Math.floor(now / quarter) % 2 === 0;
  await database('checkpoint_times')
    .insert({
      size,
      signed_at: new Date(now),
      cosignatures: isWitnessed ? 1 : 0,
      witnessed_at: isWitnessed ? new Date(now) : null,
    })
    .onConflict()
    .ignore();
  await goTheWholeWay(database, now);
}
