import { consistencyHashes, inclusionHashes } from '../../src/ledger/sealing/tree.ts';
import { growBare } from '../support/bare-entries.ts';
import { createDatabase, dropDatabase } from '../support/database.ts';
import type { Note } from './figures.ts';

const batch = 20_000;
const samples = 100;

/** Inclusion and consistency proofs from the database, in trees of a thousand, a hundred thousand, and a million entries. */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { sizes = [1_000, 100_000, 1_000_000], rounds = 5 } = {},
): Promise<void> {
  const database = await createDatabase();
  const medians: number[] = [];
  try {
    await database.owner.raw('alter table ledger_entries disable trigger all');
    let size = 0;
    for (const next of sizes) {
      while (size < next) size = await growBare(database.owner, size, Math.min(batch, next - size));
      await database.owner.raw('vacuum analyze ledger_entries, ledger_nodes');
      const inclusion = await best((at) => inclusionHashes(database.database, at, size), size, rounds);
      const consistency = await best(
        (at) => consistencyHashes(database.database, at + 1, size),
        size,
        rounds,
      );
      medians.push(inclusion);
      say(
        `${String(size).padStart(7)} entries   inclusion ${inclusion.toFixed(2)} ms   consistency ${consistency.toFixed(2)} ms   (log2 n ${Math.log2(size).toFixed(1)})`,
      );
    }
  } finally {
    await dropDatabase(database);
  }
  note({
    name: `inclusion, ${sizes.at(-1)!.toLocaleString('en')} entries against ${sizes[0]!.toLocaleString('en')}`,
    ours: medians.at(-1)!,
    baseline: medians[0]!,
    unit: 'ms',
    // Proportional to the logarithms.
    aim: { atMost: Math.log2(sizes.at(-1)!) / Math.log2(sizes[0]!) },
  });
}

/** Returns the best of a few medians of the time of proofs at positions spread over the log, in milliseconds. */
async function best(prove: (at: number) => Promise<unknown>, size: number, rounds: number): Promise<number> {
  const medians: number[] = [];
  for (let round = 0; round < rounds; round += 1) {
    const times: number[] = [];
    for (let i = 0; i < samples; i += 1) {
      // A step coprime to the sizes visits new positions every time.
      const at = ((round * samples + i) * 7_919) % (size - 1);
      const start = performance.now();
      await prove(at);
      times.push(performance.now() - start);
    }
    medians.push(times.toSorted((a, b) => a - b)[samples / 2]!);
  }
  return Math.min(...medians);
}
