import type { Database } from '../platform/database.ts';
import { blockLength } from '../projections/changes.ts';
import type { CopiedRow } from './copied-row.ts';
import { copyOut } from './copy-out.ts';

/** The pages of the record that a sitemap lists. */
export type SiteSection = 'sports' | 'cappers' | 'games' | 'picks';
export const siteSections: readonly SiteSection[] = ['sports', 'cappers', 'games', 'picks'];

/** One stretch of a section: its number from 1, and the latest change of any page in it. */
export interface SiteStretch {
  number: number;
  changedAt: number | null;
}

/**
 * Ids in a stretch, a multiple of `blockLength`. A stretch never holds more pages than that, the maximum of sitemaps.org, and a page never
 * moves to another one.
 */
export const stretchLength = 50_000;

/** A pick's page shows it posted, closed and settled; a capper's page shows that of every pick. */
const entries: Record<SiteSection, string> = {
  picks: `select pick_id as id, '/p/' || uuid as path, greatest(posted_at, closed_at, settled_at) as changed_at from board_picks`,
  sports: `select row_number() over (order by key) as id, '/sport/' || key as path, null::timestamptz as changed_at from sports`,
  // Prices come and go without a word about when.
  games: `select id, '/game/' || id as path, null::timestamptz as changed_at from games`,
  cappers: `select c.id, '/c/' || c.handle as path, coalesce(p.changed_at, c.created_at) as changed_at
    from cappers c left join capper_changes p on p.capper_id = c.id`,
};

const stretchOf = `(id - 1) / ${stretchLength}`;

/** What stretches are made of: parts of them, each with the number of its stretch from 0. */
const parts: Record<SiteSection, string> = {
  picks: `select block / ${stretchLength / blockLength} as stretch, changed_at from pick_blocks`,
  cappers: `select ${stretchOf} as stretch, changed_at from (${entries.cappers}) as page`,
  sports: `select ${stretchOf} as stretch, changed_at from (${entries.sports}) as page`,
  games: `select generate_series(0, (max(id) - 1) / ${stretchLength}) as stretch, null::timestamptz as changed_at from games`,
};

/** The stretches of a section that hold a page, in order. */
export async function siteStretches(database: Database, section: SiteSection): Promise<SiteStretch[]> {
  const { rows }: { rows: SiteStretch[] } = await database.raw(
    `select (stretch + 1)::int as number, "changedAt"
     from (select stretch, max(changed_at) as "changedAt" from (${parts[section]}) as part group by 1) as s order by 1`,
  );
  return rows;
}

/** The cells of a row of {@link readSiteEntries}: the page's path, and when what it shows changed last; null where nothing says so. */
export const siteEntryCells = { path: 0, changedAt: 1 } as const;

/**
 * Reads the pages of one stretch, by id: none where there is no such stretch.
 * @param onEntry gets the same object for each page
 */
export function readSiteEntries(
  database: Database,
  section: SiteSection,
  number: number,
  onEntry: (row: CopiedRow) => void,
): Promise<void> {
  const query = `select path, changed_at from (${entries[section]}) as page
    where id > ${(number - 1) * stretchLength} and id <= ${number * stretchLength} order by id`;
  return copyOut(database, query, onEntry);
}
