import { aged, type Check, type Thresholds } from '../check.ts';
import { type Outlet, outlets } from '../outlets.ts';
import { span } from '../span.ts';

const about: Record<Outlet, { title: string; restsOn: string; ok: string; failing: string }> = {
  cdn: {
    title: 'Caches in front',
    restsOn: 'workers-boards',
    ok: 'The caches in front take purges.',
    failing: 'A cache in front has not been purged',
  },
  'log-files': {
    title: 'The log as files',
    restsOn: 'workers-sealing',
    ok: 'The files of the log are written.',
    failing: 'The files of the log have not been written',
  },
};

/** Where readers get answers without asking this service (docs/decisions/0052-caches-in-front.md, 0053-the-log-as-files.md). */
export function outletsCheck(thresholds: Thresholds): Check {
  return {
    subjects: outlets.map((name) => ({
      name,
      title: about[name].title,
      restsOn: ['database', about[name].restsOn],
    })),
    about: 'How long a cache in front, or the log as files, could not be brought up to date.',
    thresholds,
    unit: 'seconds',
    async look({ database, now }) {
      const rows: { name: Outlet; failing_since: number | null }[] = await database('outlets').select(
        'name',
        'failing_since',
      );
      return new Map(
        outlets.map((name) => {
          const row = rows.find((each) => each.name === name);
          if (row === undefined) return [name, aged({ seconds: null, message: 'Not set up.' }, thresholds)];
          const seconds = row.failing_since === null ? 0 : (now - row.failing_since) / 1000;
          const message =
            row.failing_since === null ? about[name].ok : `${about[name].failing} for ${span(seconds)}.`;
          return [name, aged({ seconds, message }, thresholds)];
        }),
      );
    },
  };
}
