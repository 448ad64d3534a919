import { createReadStream } from 'node:fs';
import { stat } from 'node:fs/promises';
import { join } from 'node:path';
import { coded, weakEntityTag } from '../../answers/coded.ts';
import { lifetimes } from '../../boards/endpoint.ts';
import { dataPage } from '../../pages/data/page.ts';
import { layout } from '../../pages/layout.ts';
import type { Site } from '../../pages/site.ts';
import { readDataIndex } from '../../proof/data-index.ts';
import { storedIndex } from '../../record/data-files.ts';
import { type Answer, cacheControl, pageType, problem } from '../answer.ts';
import { type Route, route } from '../routes.ts';

/** @param folder `DATA_FILES` */
export function dataRoutes(site: Site, folder: string | undefined): Route[] {
  const indexNote = () => (folder === undefined ? null : storedIndex(folder));
  const listed = () => {
    const note = indexNote();
    return note === null ? [] : readDataIndex(note).files;
  };
  return [
    {
      method: 'GET',
      path: '/data',
      page: true,
      lifetime: lifetimes.board,
      handle() {
        const text = layout(dataPage(folder === undefined ? null : listed(), site.baseUrl), site);
        return { type: pageType, ...coded(text) };
      },
    },
    route({
      method: 'GET',
      path: '/data/index',
      lifetime: cacheControl.exactly(300),
      handle() {
        const note = indexNote();
        if (note === null) throw problem(404, 'There are no data files yet.');
        return { type: 'text/plain; charset=utf-8', etag: weakEntityTag(note), body: note };
      },
    }),
    route({
      method: 'GET',
      path: '/data/:name',
      lifetime: cacheControl.immutable,
      async handle({ params, header }): Promise<Answer> {
        const file = listed().find(({ name }) => name === params.name);
        const path = file && join(folder!, file.name);
        const size = path && (await stat(path).catch(() => undefined))?.size;
        if (file === undefined || path === undefined || size !== file.bytes)
          throw problem(404, `There is no data file ${JSON.stringify(params.name)}: /data lists them.`);
        const common = {
          type: 'application/vnd.apache.parquet',
          etag: `"${file.sha256}"`,
          headers: { 'Accept-Ranges': 'bytes', 'X-Robots-Tag': 'noindex' },
        };
        const range = rangeOf(header('Range'), header('If-Range'), common.etag, size);
        if (range === null)
          throw problem(416, `The file has ${size} bytes.`, {
            headers: { 'Content-Range': `bytes */${size}` },
          });
        const { start, end } = range ?? { start: 0, end: size - 1 };
        return {
          ...common,
          status: range === undefined ? 200 : 206,
          headers: {
            ...common.headers,
            ...(range && { 'Content-Range': `bytes ${start}-${end}/${size}` }),
            'Content-Length': String(end - start + 1),
          },
          body: createReadStream(path, { start, end }),
        };
      },
    }),
  ];
}

/**
 * Returns the range of bytes that a request asks for (RFC 9110, section 14), as readers of Parquet do.
 * @returns undefined: the whole file, also for several ranges; null: the file has no such bytes
 */
function rangeOf(
  range: string,
  ifRange: string,
  etag: string,
  size: number,
): { start: number; end: number } | null | undefined {
  const [, from = '', to = ''] = /^bytes=(\d{0,15})-(\d{0,15})$/.exec(range) ?? [];
  if ((from === '' && to === '') || (ifRange !== '' && ifRange !== etag)) return undefined;
  if (from === '') return Number(to) === 0 ? null : { start: Math.max(0, size - Number(to)), end: size - 1 };
  const start = Number(from);
  const end = to === '' ? size - 1 : Math.min(Number(to), size - 1);
  if (to !== '' && Number(to) < start) return undefined;
  return start >= size ? null : { start, end };
}
