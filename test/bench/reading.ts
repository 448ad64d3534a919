import { type Dispatcher, request } from 'undici';
import { boards } from '../../src/boards/index.ts';
import type { Database } from '../../src/platform/database.ts';
import type { Recorded } from './bare.ts';
import { answerOf, median, shoot, withChild } from './children.ts';
import type { Note } from './figures.ts';
import type { Asked } from './readers.ts';
import { onSite } from './site.ts';

const connections = 16;

interface Case {
  name: string;
  path: string;
  headers?: Record<string, string>;
  /** Requested with the entity tag of the previous answer. */
  unchanged?: boolean;
  atLeast: number;
}

/**
 * Reading: cached answers, against bare `node:http` with the same bytes and headers, under load from a third process. Then boards that
 * nobody has requested before, 8 concurrently. Other load on the machine outlasts a short round, so each round is paired with one of the
 * baseline, in alternating order. The median of the pairs' ratios counts.
 */
export async function bench(
  say: (line: string) => void,
  note: Note,
  {
    on = onSite,
    rounds = Number(process.env.BENCH_ROUNDS ?? 30),
    shotMs = Number(process.env.BENCH_SHOT_MS ?? 100),
    warmUps = 4,
    pages = 20,
  } = {},
): Promise<void> {
  await on(async ({ address, port, database }) => {
    const cases = await casesOf(database);
    const recorded: Recorded = {};
    for (const [index, each] of cases.entries()) {
      // An answer is cached from its second request on, so the third comes from the cache.
      for (let time = 0; time < 3; time += 1) await record(address, each);
      recorded[`/${index}`] = await record(address, each);
    }
    await withChild('bare.ts', (bare) =>
      withChild('hammer.ts', async (hammer) => {
        const barePort = await answerOf<number>(bare, recorded);
        for (const [index, { name, path, headers = {}, atLeast }] of cases.entries()) {
          const about = { headers, connections, ms: shotMs };
          const shots = {
            ours: async () => (await shoot(hammer, { port, path, ...about })).perSecond,
            bare: async () =>
              (await shoot(hammer, { port: barePort, path: `/${index}`, ...about })).perSecond,
          };
          for (const shot of Object.values(shots)) for (let time = 0; time < warmUps; time += 1) await shot();
          const bare: number[] = [];
          const ratios: number[] = [];
          for (let round = 0; round < rounds; round += 1) {
            const speeds = { ours: Number.NaN, bare: Number.NaN };
            for (const name of round % 2 === 0 ? (['ours', 'bare'] as const) : (['bare', 'ours'] as const))
              speeds[name] = await shots[name]();
            bare.push(speeds.bare);
            ratios.push(speeds.ours / speeds.bare);
          }
          const baseline = median(bare);
          const bytes = Buffer.from(recorded[`/${index}`]?.body ?? '', 'base64').length;
          note({
            name: `${name}, ${bytes} bytes`,
            ours: median(ratios) * baseline,
            baseline,
            unit: '/s',
            aim: { atLeast },
          });
        }
      }),
    );
    await neverAskedFor(address, database, note, pages);
    say(`(${rounds} rounds of ${shotMs} ms, ${connections} connections)`);
  });
}

async function casesOf(database: Database): Promise<Case[]> {
  const settled: { uuid: string; handle: string } | undefined = await database('board_picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .whereNotNull('p.result')
    .orderBy('p.pick_id')
    .first('p.uuid', 'c.handle');
  if (settled === undefined) throw new Error('no pick has settled');
  const { uuid, handle } = settled;
  const inFull = (path: string) => [
    { name: `${path} uncompressed`, path, atLeast: 1 },
    { name: `${path} br`, path, headers: { 'Accept-Encoding': 'br' }, atLeast: 1 },
    { name: `${path} gzip`, path, headers: { 'Accept-Encoding': 'gzip' }, atLeast: 1 },
    { name: `${path} 304`, path, unchanged: true, atLeast: 1.15 },
  ];
  return [
    ...inFull('/api/leaderboard'),
    ...inFull(`/api/cappers/${handle}/picks?limit=100`),
    ...inFull('/leaderboard'),
    { name: 'receipt of a settled pick', path: `/api/picks/${uuid}/receipt`, atLeast: 0.9 },
    { name: 'full tile', path: '/ledger/tile/0/000', atLeast: 0.9 },
    { name: 'entry bundle', path: '/ledger/tile/entries/000', atLeast: 0.9 },
    { name: 'card of a settled pick', path: `/p/${uuid}/card.png`, atLeast: 0.9 },
    { name: 'checkpoint', path: '/ledger/checkpoint', atLeast: 0.9 },
    {
      name: 'export of 1,000 rows, repeated',
      path: '/record/export.json?limit=1000',
      headers: { 'Accept-Encoding': 'gzip' },
      atLeast: 0.9,
    },
  ];
}

/** Requests an answer, and returns what the baseline needs. Adds the entity tag to the case's headers if wanted. */
async function record(address: string, each: Case): Promise<Recorded[string]> {
  const ask = (headers: Record<string, string>) => request(address + each.path, { headers });
  const first = await ask(each.headers ?? {});
  const body = Buffer.from(await first.body.arrayBuffer());
  if (first.statusCode !== 200 && first.statusCode !== 304)
    throw new Error(`${each.path} answered ${first.statusCode}`);
  if (each.unchanged === true)
    each.headers = { ...each.headers, 'If-None-Match': String(first.headers.etag) };
  return {
    status: first.statusCode,
    headers: ownHeaders(first.headers),
    body: first.statusCode === 304 ? '' : body.toString('base64'),
  };
}

/** Returns headers in the flat form, without those that Node adds. */
function ownHeaders(headers: Dispatcher.ResponseData['headers']): string[] {
  return Object.entries(headers)
    .filter(([name]) => !['date', 'connection', 'keep-alive'].includes(name))
    .flatMap(([name, value]) => [name, String(value)]);
}

/** Requests every board with parameters that nobody has used before, 8 concurrently: `pages` lengths of each list. */
async function neverAskedFor(address: string, database: Database, note: Note, pages: number): Promise<void> {
  const game = await database('games').whereNotNull('final_at').orderBy('id').first('sport', 'name');
  const needed: Record<string, Record<string, string>> = {
    '/api/picks/by-game': { sport: game.sport, game: game.name },
    '/api/search': { q: game.name },
    '/api/feed/by-tier': { tier: 'elite' },
  };
  const paths = boards
    .filter(({ path }) => !path.includes(':'))
    .flatMap(({ path, params }) => {
      const limits =
        'limit' in params.properties ? Array.from({ length: pages }, (_, index) => 11 + index) : [];
      const given = needed[path] ?? {};
      const queries =
        limits.length === 0 ? [given] : limits.map((limit) => ({ ...given, limit: String(limit) }));
      return queries.map((query) => `${path}?${new URLSearchParams(query)}`);
    });
  const times = await withChild('readers.ts', (readers) =>
    answerOf<number[]>(readers, { address, paths, atOnce: 8 } satisfies Asked),
  );
  note({
    name: `${paths.length} boards without a cached answer, p99`,
    ours: times[Math.floor(times.length * 0.99)] ?? Number.NaN,
    unit: 'ms',
    aim: { atMost: 50 },
  });
}
