import type { Clock } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import type { Logger } from '../platform/logger.ts';

/** Sources of answers outside this service: caches in front, and the published log as files. */
export const outlets = ['cdn', 'log-files'] as const;
export type Outlet = (typeof outlets)[number];

/** Interval at which an unchanged outcome is recorded, in ms. */
const everyMs = 10_000;

/** Records, for the status, whether an outlet is up to date. @param isUsed if false, its record is deleted */
export function openOutlet(database: Database, outlet: Outlet, clock: Clock, log: Logger, isUsed: boolean) {
  let recorded: { failure: string | undefined; at: number } | undefined;
  let writing = isUsed
    ? Promise.resolve()
    : attempt(() => database('outlets').where('name', outlet).delete());

  async function attempt(work: () => PromiseLike<unknown>): Promise<void> {
    try {
      await work();
    } catch (error) {
      recorded = undefined;
      log.debug({ err: (error as Error).message, outlet }, 'cannot record the state of an outlet');
    }
  }

  function write(failure: string | undefined): Promise<void> {
    const now = new Date(clock.now());
    const error = failure?.slice(0, 300) ?? null;
    return attempt(() =>
      database.raw(
        `insert into outlets as o (name, updated_at, failing_since, error) values (:outlet, :updated, :failing, :error)
         on conflict (name) do update set updated_at = coalesce(excluded.updated_at, o.updated_at), error = excluded.error,
           failing_since = case when excluded.error is not null then coalesce(o.failing_since, excluded.failing_since) end`,
        { outlet, updated: error === null ? now : null, failing: error === null ? null : now, error },
      ),
    );
  }

  return {
    /** Records an outcome; never throws. @param failure why the update failed; undefined if the outlet is up to date */
    note(failure: string | undefined): void {
      const at = performance.now();
      if (recorded !== undefined && recorded.failure === failure && at - recorded.at < everyMs) return;
      recorded = { failure, at };
      writing = writing.then(() => write(failure));
    },
    close: () => writing,
  };
}
