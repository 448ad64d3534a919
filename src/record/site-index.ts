import type { Database } from '../platform/database.ts';

/** The pages of the record that a sitemap lists. */
export type SiteSection = 'cappers' | 'picks';
export const siteSections: readonly SiteSection[] = ['cappers', 'picks'];

/** One page, and when what it shows changed last; epoch milliseconds. */
export interface SiteEntry {
  path: string;
  changedAt: number;
}

/** One stretch of a section: its number from 1, and the latest change of any page in it. */
export interface SiteStretch {
  number: number;
  changedAt: number;
}

/** A pick's page shows it posted, closed and settled; a capper's page shows that of every pick. */
const pages: Record<SiteSection, string> = {
  picks: `select pick_id as id, '/p/' || uuid as path, greatest(posted_at, closed_at, settled_at) as changed_at from board_picks`,
  cappers: `select c.id, '/c/' || c.handle as path, coalesce(p.changed_at, c.created_at) as changed_at
    from cappers c left join (
      select capper_id, max(greatest(posted_at, closed_at, settled_at)) as changed_at from board_picks group by capper_id
    ) p on p.capper_id = c.id`,
};

/**
 * The stretches of a section that hold a page, in order.
 * @param length ids in a stretch, so that a stretch never holds more pages than that, and a page never moves to another one
 */
export async function siteStretches(
  database: Database,
  section: SiteSection,
  length: number,
): Promise<SiteStretch[]> {
  const { rows }: { rows: SiteStretch[] } = await database.raw(
    `select ((id - 1) / ?::bigint + 1)::int as number, max(changed_at) as "changedAt"
     from (${pages[section]}) as page group by 1 order by 1`,
    [length],
  );
  return rows;
}

/** The pages of one stretch, by id: none where there is no such stretch. */
export async function siteEntries(
  database: Database,
  section: SiteSection,
  number: number,
  length: number,
): Promise<SiteEntry[]> {
  const { rows }: { rows: SiteEntry[] } = await database.raw(
    `select path, changed_at as "changedAt" from (${pages[section]}) as page
     where id > ? and id <= ? order by id`,
    [(number - 1) * length, number * length],
  );
  return rows;
}
