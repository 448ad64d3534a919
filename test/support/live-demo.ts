import { advanceDemo } from '../../src/demo/advance.ts';
import { beginDemo } from '../../src/demo/begin.ts';
import { readProgress } from '../../src/demo/progress.ts';
import type { DemoGame } from '../../src/demo/rows.ts';
import { worldRows } from '../../src/demo/world.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { applyResults } from '../../src/intake/result.ts';
import { applyStats } from '../../src/intake/stats.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { importPicks } from '../../src/ledger/posting/import-picks.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import type { Database } from '../../src/platform/database.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { testConfig } from './config.ts';
import { signTree } from './sign-tree.ts';

/** Returns how many witnesses cosign the checkpoint of a step, or undefined for no checkpoint. */
type Cosigned = (step: number) => number | undefined;

/** Covers every kind of checkpoint: of five steps, two are cosigned, two are signed, and one has no checkpoint before games start. */
const inTurns: Cosigned = (step) => [undefined, 2, 0, 2, 0][step % 5];

/**
 * Plays the demo to an instant in this process, like a running service: after each step everything is graded, sealed, and covered.
 * @param historyMs how long before that it starts, if it has not started
 */
export async function playDemo(
  database: Database,
  now: number,
  historyMs: number,
  cosigned: Cosigned = inTurns,
  player: Database = database,
): Promise<void> {
  await beginDemo(database, now - historyMs, testConfig().site);
  let step = 0;
  const outcome = await advanceDemo({
    demo: true,
    database: player,
    clock: { now: () => now },
    async catchUp() {
      step += 1;
      await follow(database, cosigned(step));
      return true;
    },
  });
  if (outcome.figures.refused !== 0) throw new Error(`picks were refused: ${JSON.stringify(outcome)}`);
  await updateProjections(database);
}

async function follow(database: Database, cosignatures: number | undefined): Promise<void> {
  const at = await readProgress(database);
  await gradeDue(database, at!);
  await sealAll(database);
  if (cosignatures === undefined) return;
  await signTree(database, at!, cosignatures > 0 ? at! : null);
}

/** Imports the part of the demo's world that becomes known in a period, as files of past games and picks. */
export async function importDemo(database: Database, from: number, to: number): Promise<void> {
  await importRows(database, worldRows(from, to), to);
}

/** Imports rows of the demo's world. Its cappers must exist. */
export async function importRows(database: Database, rows: DemoGame, now: number): Promise<void> {
  const intake = { now, imported: true };
  const of = <T>(timed: readonly { row: T }[]): T[] => timed.map(({ row }) => row);
  await database.transaction(async (transaction) => {
    await applyGames(transaction, of(rows.games), intake);
    await applyLines(transaction, of(rows.lines), intake, 'provider');
    await importPicks(transaction, of(rows.picks), intake);
    await applyResults(transaction, of(rows.results), intake);
    await applyStats(transaction, of(rows.stats), intake);
  });
}
