// The grading worker: closes picks at the start of their game and settles them once results are known.

import {
  closeGame,
  gradeDueJob,
  planAheadMs,
  planClosings,
  relistGamesJob,
  seal,
  thinPricesJob,
} from '../src/jobs/declared.ts';
import { ok, snoozed } from '../src/jobs/job.ts';
import { handles } from '../src/jobs/runtime/handlers.ts';
import { type WorkerContext, worker } from '../src/jobs/runtime/process.ts';
import { thinPrices } from '../src/ledger/closing/thin-prices.ts';
import {
  type GradingWork,
  gradingWork,
  relistGames,
  upcomingStarts,
} from '../src/ledger/grading/due-games.ts';
import { gradeDue, gradeGames } from '../src/ledger/grading/grade.ts';
import { isImportOpen } from '../src/ledger/grading/open-imports.ts';
import { decisionTime } from '../src/ledger/log-kind.ts';
import { singleFlight } from '../src/platform/once.ts';
import { run } from '../src/workers.ts';

/** Pause before games that grading left due are tried again, in ms. */
const restMs = 15_000;

const handlersOf = ({ database, clock, enqueue, log, closing }: WorkerContext<'grading'>) => {
  let gradedAt = Number.NEGATIVE_INFINITY;
  let refused = false;
  const onRefused = (gameId: number, error: Error) => {
    refused = true;
    log.error(
      { gameId, err: error },
      'the database refused the closings or settlements of a game; its picks stay pending',
    );
  };
  const sealSoon = () => void enqueue.add(seal, {});
  const polling = singleFlight<GradingWork>();
  // Both jobs poll for work at the same time, and share one query.
  const work = () => polling('', () => gradingWork(database, clock.now(), planAheadMs));
  return [
    handles(
      gradeDueJob,
      async () => {
        gradedAt = performance.now();
        refused = false;
        const now = await decisionTime(database, clock);
        return ok({ ...(await gradeDue(database, now, { onBatch: sealSoon, onRefused, closing })) });
      },
      {
        async due() {
          if (!(await work()).due) return false;
          return performance.now() - gradedAt > restMs || !(refused || (await isImportOpen(database)));
        },
      },
    ),
    handles(relistGamesJob, async () => ok({ games: await relistGames(database) })),
    handles(thinPricesJob, async () =>
      ok({ ...(await thinPrices(database, await decisionTime(database, clock), closing)) }),
    ),
    handles(closeGame, async ({ gameId, startsAt }) => {
      const now = await decisionTime(database, clock);
      // Queues use the machine's clock, but games start by the service's and PostgreSQL's clocks.
      if (startsAt > now) return snoozed(startsAt - now);
      const graded = await database.transaction((transaction) => gradeGames(transaction, [gameId], now));
      if (graded.closed + graded.settled > 0) sealSoon();
      return ok({ ...graded });
    }),
    handles(
      planClosings,
      async () => {
        const starts = await upcomingStarts(database, clock.now(), planAheadMs);
        for (const start of starts)
          await enqueue.add(closeGame, start, { delayMs: Math.max(0, start.startsAt - clock.now()) });
        return ok({ planned: starts.length });
      },
      { due: async () => (await work()).starts },
    ),
  ];
};

// With two jobs at a time, games are closed at their start even while a large import settles.
export const gradingWorker = worker('grading', handlersOf, { concurrency: 2 });

if (import.meta.main) await run([gradingWorker]);
