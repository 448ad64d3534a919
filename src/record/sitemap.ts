import { escapeHtml } from '../boards/formats/safe-text.ts';
import { iso } from '../platform/clock.ts';
import type { Database } from '../platform/database.ts';
import { blockLength } from '../projections/changes.ts';
import { readInBatches } from './export-rows.ts';

export type SiteSection = 'sports' | 'cappers' | 'games' | 'picks';
export const siteSections: readonly SiteSection[] = ['sports', 'cappers', 'games', 'picks'];

/** A range of a section's ids: its number from 1, and the latest change of its pages. */
interface SiteChunk {
  number: number;
  changedAt: number | null;
}

/** Ids per chunk, a multiple of `blockLength`: the maximum of a sitemap (sitemaps.org). A page never moves to another chunk. */
export const chunkLength = 50_000;

const batchLength = 1000;

/** Queries of each section's pages. The pages of a pick and its capper change when the pick is posted, closes, or settles. */
const entries: Record<SiteSection, string> = {
  picks: `select pick_id as id, '/p/' || uuid as path, greatest(posted_at, closed_at, settled_at) as changed_at from board_picks`,
  sports: `select row_number() over (order by key) as id, '/sport/' || key as path, null::timestamptz as changed_at from sports`,
  // Changes of prices are not recorded.
  games: `select id, '/game/' || id as path, null::timestamptz as changed_at from games`,
  cappers: `select c.id, '/c/' || c.handle as path, coalesce(p.changed_at, c.created_at) as changed_at
    from cappers c left join capper_changes p on p.capper_id = c.id`,
};

const chunkOf = `(id - 1) / ${chunkLength}`;

/** Parts of chunks, each with the number of its chunk from 0. `pick_blocks` avoids reading all picks (docs/performance.md). */
const parts: Record<SiteSection, string> = {
  picks: `select block / ${chunkLength / blockLength} as chunk, changed_at from pick_blocks`,
  cappers: `select ${chunkOf} as chunk, changed_at from (${entries.cappers}) as page`,
  sports: `select ${chunkOf} as chunk, changed_at from (${entries.sports}) as page`,
  games: `select generate_series(0, (max(id) - 1) / ${chunkLength}) as chunk, null::timestamptz as changed_at from games`,
};

export async function siteChunks(database: Database, section: SiteSection): Promise<SiteChunk[]> {
  const { rows }: { rows: SiteChunk[] } = await database.raw(
    `select (chunk + 1)::int as number, "changedAt"
     from (select chunk, max(changed_at) as "changedAt" from (${parts[section]}) as part group by 1) as s order by 1`,
  );
  return rows;
}

/** A page, and when its content last changed; null if nothing records that. */
export interface SiteEntry {
  path: string;
  changedAt: number | null;
}

/** Ordered by id; none if the chunk does not exist. */
export function readSiteEntries(
  database: Database,
  section: SiteSection,
  number: number,
  onEntries: (entries: readonly SiteEntry[]) => void,
): Promise<void> {
  const query = database.raw(
    `select path, changed_at as "changedAt" from (${entries[section]}) as page
     where id > ? and id <= ? order by id`,
    [(number - 1) * chunkLength, number * chunkLength],
  );
  return readInBatches(database, query, batchLength, onEntries);
}

export async function sitemapIndex(database: Database, baseUrl: string): Promise<Buffer> {
  const files = createDocument('sitemapindex', baseUrl);
  files.add([{ path: '/sitemap/pages.xml', changedAt: null }]);
  const sections = await Promise.all(siteSections.map((section) => siteChunks(database, section)));
  siteSections.forEach((section, index) => {
    files.add(
      sections[index]!.map(({ number, changedAt }) => ({
        path: `/sitemap/${section}-${number}.xml`,
        changedAt,
      })),
    );
  });
  return files.end();
}

export function sitemapOfPages(paths: readonly string[], baseUrl: string): Buffer {
  const pages = createDocument('urlset', baseUrl);
  pages.add(paths.map((path) => ({ path, changedAt: null })));
  return pages.end();
}

/** Undefined if the chunk has no pages. */
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
