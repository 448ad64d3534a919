import type { Database } from '../../platform/database.ts';

/** What the form that subscribes offers to choose from. */
export interface FilterChoices {
  /** Handles of verified cappers, in their order; others may be typed. */
  cappers: readonly string[];
  sports: readonly { key: string; label: string }[];
}

/** So many handles keep the page small. */
const maxCappers = 200;

export async function filterChoices(database: Database): Promise<FilterChoices> {
  const [cappers, sports] = await Promise.all([
    database('cappers').where('verified', true).orderBy('handle').limit(maxCappers).pluck('handle'),
    database('sports').orderBy('position').select('key', 'label'),
  ]);
  return { cappers, sports };
}
