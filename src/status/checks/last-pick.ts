import type { Database } from '../../platform/database.ts';
import { ageCheck, observedFor } from '../check.ts';
import { span } from '../span.ts';

const name = 'last-pick';

/** How long before its start a game counts as open for betting, in hours. */
const bettableHours = 12;
/** How far back the check looks, in days. */
const lookBackDays = 30;

/** Neither the off-season nor an empty ledger raises an alarm. */
export const lastPickCheck = ageCheck({
  name,
  title: 'Last pick',
  about:
    'How long games have been open for betting without a new pick. Time without such games does not count.',
  thresholds: { degraded: 43_200, down: 172_800 },
  runbook: {
    means: 'Games are open for betting, but no picks arrive.',
    readers: 'Boards show no new picks.',
    lookAt:
      "The operator's page (`/`), its list of refused posts, and the log of the program that posts picks.",
    first:
      'Check that the program that posts picks runs and that its posts are accepted, then ask the cappers.',
  },
  dependsOn: ['database'],
  async measure(context) {
    const { database, now } = context;
    const last = await lastPickAt(database);
    if (last === null) return { seconds: null, message: 'No pick has been posted yet.' };
    const quiet = Math.max(0, (now - last) / 1000);
    const missed = await bettableSeconds(database, last, now);
    return {
      ...observedFor(context, name, String(last), missed),
      value: Math.floor(quiet),
      message: `The last pick was posted ${span(quiet)} ago; games have been open for betting for ${span(missed)} since.`,
    };
  },
});

/** Returns the latest `posted_at`, in epoch milliseconds. Picks not yet on the boards are among the newest rows. */
async function lastPickAt(database: Database): Promise<number | null> {
  const { rows }: { rows: { at: number | null }[] } = await database.raw(
    `select greatest((select max(posted_at) from board_picks),
       (select max(posted_at) from (select posted_at from picks order by id desc limit 100) newest)) as at`,
  );
  return rows[0]?.at ?? null;
}

async function bettableSeconds(database: Database, from: number, to: number): Promise<number> {
  const { rows }: { rows: { seconds: number | null }[] } = await database.raw(
    `select sum(extract(epoch from upper(stretch) - lower(stretch)))::float8 as seconds from (
       select unnest(range_agg(tstzrange(greatest(starts_at - make_interval(hours => :hours), :from), least(starts_at, :to)))) as stretch
       from games where status in ('scheduled', 'final')
         and starts_at > :from and starts_at - make_interval(hours => :hours) < :to
     ) as stretches`,
    {
      hours: bettableHours,
      from: new Date(Math.max(from, to - lookBackDays * 86_400_000)),
      to: new Date(to),
    },
  );
  return rows[0]?.seconds ?? 0;
}
