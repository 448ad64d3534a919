import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { isDeepStrictEqual } from 'node:util';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import type { Database } from '../../src/platform/database.ts';
import type { Rows } from '../naive/read.ts';
import { ingest } from './whole-way.ts';

const hour = 3_600_000;

/** A row of a file, and the instant at which it becomes known. */
interface KnownRow {
  kind: keyof Rows;
  at: number;
  row: object;
}

export interface Steps {
  folder: string;
  /** The number of imports. Each has the rows that became known since the last. */
  count: number;
  /** The seed of all random choices. */
  seed: number;
  /** The clock of each import and of grading. Default: the instant up to which the import knows. */
  now?: number;
}

/**
 * Imports rows in several steps in order of time, each as several files in random order. Grading runs before random transactions of each
 * step, after random steps, and once at the end.
 * @param last the instant up to which the last step knows
 */
export async function ingestInSteps(
  database: Database,
  rows: Rows,
  last: number,
  { folder, count, seed, now }: Steps,
): Promise<void> {
  const random = seeded(seed);
  const known = knownRows(rows);
  const instants = known.map(({ at }) => at).filter((at) => at > 0);
  const cuts = Array.from({ length: count - 1 }, () => instants[Math.floor(random() * instants.length)]!);
  let since = -1;
  for (const [step, until] of [...cuts.sort((a, b) => a - b), last].entries()) {
    const fresh = known.filter(({ at }) => at > since && at <= until);
    since = until;
    const files = write(join(folder, String(step)), fresh, random);
    const clock = now ?? until;
    await ingest(gradingBetween(database, clock, random), files, clock);
    if (random() < 0.5) await gradeDue(database, clock);
  }
  await gradeDue(database, now ?? last);
}

/** Returns rows with the instant at which they become known: games are announced first, and end three hours after their start. */
function knownRows({ cappers, games, lines, picks, results }: Rows): KnownRow[] {
  const announced = games.map((row) => ({ ...row, status: 'scheduled', homeScore: null, awayScore: null }));
  const ended = (startsAt: string | null | undefined) => Date.parse(startsAt!) + 3 * hour;
  return [
    ...cappers.map((row) => ({ kind: 'cappers' as const, at: 0, row })),
    ...announced.map((row) => ({ kind: 'games' as const, at: 0, row })),
    ...games.map((row) => ({ kind: 'games' as const, at: ended(row.startsAt), row })),
    ...lines.map((row) => ({ kind: 'lines' as const, at: Date.parse(row.capturedAt), row })),
    ...picks.map((row) => ({ kind: 'picks' as const, at: Date.parse(row.postedAt), row })),
    ...results.map((row) => ({ kind: 'results' as const, at: ended(row.startsAt), row })),
  ];
}

/** @returns the files: four of each kind, with their rows in random order, except that game announcements come first */
function write(folder: string, rows: readonly KnownRow[], random: () => number): string[] {
  mkdirSync(folder, { recursive: true });
  const files = new Map<string, string[]>();
  for (const { kind, row } of shuffled(rows, random).sort((one, other) => one.at - other.at)) {
    const path = join(folder, `${kind}-${Math.floor(random() * 4)}.ndjson`);
    files.set(path, [...(files.get(path) ?? []), `${JSON.stringify(row)}\n`]);
  }
  for (const [path, lines] of files) writeFileSync(path, lines.join(''));
  return shuffled([...files.keys()], random);
}

/** Returns a database that grades before half of its transactions. */
function gradingBetween(database: Database, now: number, random: () => number): Database {
  const transaction: Database['transaction'] = async (work: never) => {
    if (random() < 0.5) await gradeDue(database, now);
    return database.transaction(work);
  };
  return new Proxy(database, {
    get: (target, key) => (key === 'transaction' ? transaction : Reflect.get(target, key)),
  });
}

function shuffled<T>(values: readonly T[], random: () => number): T[] {
  return values
    .map((value) => ({ value, rank: random() }))
    .sort((one, other) => one.rank - other.rank)
    .map(({ value }) => value);
}

/** Returns numbers from 0 to 1 (mulberry32). */
function seeded(seed: number): () => number {
  let state = seed;
  return () => {
    state = (state + 0x6d2b79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
}

/** Returns how each pick closed and settled, by UUID. */
export async function endsOf(database: Database): Promise<Map<string, Record<string, unknown>>> {
  const rows: Record<string, unknown>[] = await database('picks as p')
    .leftJoin('closings as k', 'k.pick_id', 'p.id')
    .leftJoin('settlements as s', 's.pick_id', 'p.id')
    .select({
      uuid: 'p.uuid',
      result: 's.result',
      settledAt: 's.settled_at',
      netUnitsE4: 's.net_units_e4',
      closedAt: 'k.closed_at',
      oddsAmerican: 'k.odds_american',
      lineE3: 'k.line_e3',
      capturedAt: 'k.captured_at',
      prices: 'k.prices',
    });
  return new Map(rows.map(({ uuid, ...row }) => [uuid as string, row]));
}

/** Returns the picks that ended differently: `[one, other]`. */
export function differences(
  ones: Awaited<ReturnType<typeof endsOf>>,
  others: Awaited<ReturnType<typeof endsOf>>,
): unknown[] {
  return [...ones].flatMap(([uuid, one]) => {
    const other = others.get(uuid);
    return isDeepStrictEqual(one, other) ? [] : [[one, other]];
  });
}

/** Returns the picks that closed in one way of importing and not in the other. */
export function lost(
  ones: Awaited<ReturnType<typeof endsOf>>,
  others: Awaited<ReturnType<typeof endsOf>>,
): string[] {
  return [...ones].flatMap(([uuid, { closedAt }]) =>
    closedAt !== null && others.get(uuid)?.closedAt == null ? [uuid] : [],
  );
}
