import { escapeHtml } from '../boards/formats/safe-text.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { blockLength } from '../projections/changes.ts';
import { readInBatches } from './read-in-batches.ts';

/** The kinds of pages of the record that sitemaps list. */
export type SiteSection = 'sports' | 'cappers' | 'games' | 'picks';
export const siteSections: readonly SiteSection[] = ['sports', 'cappers', 'games', 'picks'];

/** A range of ids of a section: its number from 1, and the latest change of any of its pages. */
interface SiteStretch {
  number: number;
  changedAt: number | null;
}

/**
 * Ids in a stretch, a multiple of `blockLength`. A stretch never holds more pages than that, the maximum of sitemaps.org, and a page never
 * moves to another one.
 */
export const stretchLength = 50_000;

/** Pages that are read and written at once. */
const batchLength = 1000;

/** A pick's page changes when the pick is posted, closes, or settles, and so does its capper's page. */
const entries: Record<SiteSection, string> = {
  picks: `select pick_id as id, '/p/' || uuid as path, greatest(posted_at, closed_at, settled_at) as changed_at from board_picks`,
  sports: `select row_number() over (order by key) as id, '/sport/' || key as path, null::timestamptz as changed_at from sports`,
  // Nothing records when prices changed.
  games: `select id, '/game/' || id as path, null::timestamptz as changed_at from games`,
  cappers: `select c.id, '/c/' || c.handle as path, coalesce(p.changed_at, c.created_at) as changed_at
    from cappers c left join capper_changes p on p.capper_id = c.id`,
};

const stretchOf = `(id - 1) / ${stretchLength}`;

/** Parts of stretches, each with the number of its stretch from 0. `pick_blocks` saves reading all picks (docs/performance.md). */
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

/** A page, and when its content last changed; null if nothing records that. */
export interface SiteEntry {
  path: string;
  changedAt: number | null;
}

/** Reads the pages of a stretch in order of their ids; none if the stretch does not exist. */
export function readSiteEntries(
  database: Database,
  section: SiteSection,
  number: number,
  onEntries: (entries: readonly SiteEntry[]) => void,
): Promise<void> {
  const query = database.raw(
    `select path, changed_at as "changedAt" from (${entries[section]}) as page
     where id > ? and id <= ? order by id`,
    [(number - 1) * stretchLength, number * stretchLength],
  );
  return readInBatches(database, query, batchLength, onEntries);
}

/** Writes `/sitemap.xml`, the index of all files. */
export async function sitemapIndex(database: Database, baseUrl: string): Promise<Buffer> {
  const files = createDocument('sitemapindex', baseUrl);
  files.add([{ path: '/sitemap/pages.xml', changedAt: null }]);
  const stretches = await Promise.all(siteSections.map((section) => siteStretches(database, section)));
  siteSections.forEach((section, index) => {
    files.add(
      stretches[index]!.map(({ number, changedAt }) => ({
        path: `/sitemap/${section}-${number}.xml`,
        changedAt,
      })),
    );
  });
  return files.end();
}

/** Lists the pages that exist whatever the record holds. */
export function sitemapOfPages(paths: readonly string[], baseUrl: string): Buffer {
  const pages = createDocument('urlset', baseUrl);
  pages.add(paths.map((path) => ({ path, changedAt: null })));
  return pages.end();
}

/** Lists the pages of a stretch. Returns undefined for one that has no pages. */
export async function sitemapOf(
  database: Database,
  section: SiteSection,
  number: number,
  baseUrl: string,
): Promise<Buffer | undefined> {
  const pages = createDocument('urlset', baseUrl);
  let isEmpty = true;
  await readSiteEntries(database, section, number, (entries) => {
    isEmpty = false;
    pages.add(entries);
  });
  return isEmpty ? undefined : pages.end();
}

const elements = { urlset: 'url', sitemapindex: 'sitemap' } as const;

/** A sitemap, or an index of sitemaps, whose addresses are added batch by batch. */
function createDocument(root: keyof typeof elements, baseUrl: string) {
  const element = elements[root];
  const chunks = [
    Buffer.from(
      `<?xml version="1.0" encoding="UTF-8"?>\n<${root} xmlns="http://www.sitemaps.org/schemas/sitemap/0.9">\n`,
    ),
  ];
  const line = ({ path, changedAt }: SiteEntry) => {
    const change = changedAt === null ? '' : `<lastmod>${iso(changedAt)}</lastmod>`;
    return `<${element}><loc>${escapeHtml(baseUrl + path)}</loc>${change}</${element}>\n`;
  };
  return {
    add(entries: readonly SiteEntry[]) {
      chunks.push(Buffer.from(entries.map(line).join('')));
    },
    end: () => Buffer.concat([...chunks, Buffer.from(`</${root}>\n`)]),
  };
}
