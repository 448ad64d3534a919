import { escapeHtml } from '../boards/formats/safe-text.ts';
import type { Database } from '../platform/database.ts';
import { readInBatches } from './export-rows.ts';

export type SiteSection = 'sports' | 'cappers' | 'games' | 'picks';
export const siteSections: readonly SiteSection[] = ['sports', 'cappers', 'games', 'picks'];

/** Ids per chunk: the maximum of a sitemap (sitemaps.org). A page never moves to another chunk. */
export const chunkLength = 50_000;

const batchLength = 1000;

/** Queries of each section's pages. */
const entries: Record<SiteSection, string> = {
  picks: `select pick_id as id, '/p/' || uuid as path from board_picks`,
  sports: `select row_number() over (order by key) as id, '/sport/' || key as path from sports`,
  games: `select id, '/game/' || id as path from games`,
  cappers: `select id, '/c/' || handle as path from cappers`,
};

/** Returns the number of chunks of a section. */
export async function siteChunks(database: Database, section: SiteSection): Promise<number> {
  const { rows }: { rows: [{ count: number }] } = await database.raw(
    `select coalesce((max(id) - 1) / ${chunkLength} + 1, 0)::int as count from (${entries[section]}) as page`,
  );
  return rows[0].count;
}

/** Reads the paths of a chunk by id; none if it does not exist. @param number from 1 */
export function readSitePaths(
  database: Database,
  section: SiteSection,
  number: number,
  onPaths: (paths: readonly string[]) => void,
): Promise<void> {
  const query = database.raw(
    `select path from (${entries[section]}) as page where id > ? and id <= ? order by id`,
    [(number - 1) * chunkLength, number * chunkLength],
  );
  return readInBatches<{ path: string }>(database, query, batchLength, (rows) =>
    onPaths(rows.map(({ path }) => path)),
  );
}

export async function sitemapIndex(database: Database, baseUrl: string): Promise<Buffer> {
  const chunks = await Promise.all(siteSections.map((section) => siteChunks(database, section)));
  const files = createDocument('sitemapindex', baseUrl);
  files.add(['/sitemap/pages.xml']);
  siteSections.forEach((section, index) => {
    files.add(Array.from({ length: chunks[index]! }, (_, at) => `/sitemap/${section}-${at + 1}.xml`));
  });
  return files.end();
}

export function sitemapOfPages(paths: readonly string[], baseUrl: string): Buffer {
  const pages = createDocument('urlset', baseUrl);
  pages.add(paths);
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
  await readSitePaths(database, section, number, (paths) => {
    isEmpty = false;
    pages.add(paths);
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
  const line = (path: string) => `<${element}><loc>${escapeHtml(baseUrl + path)}</loc></${element}>\n`;
  return {
    add(paths: readonly string[]) {
      chunks.push(Buffer.from(paths.map(line).join('')));
    },
    end: () => Buffer.concat([...chunks, Buffer.from(`</${root}>\n`)]),
  };
}
