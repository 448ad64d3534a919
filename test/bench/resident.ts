import { setTimeout as pause } from 'node:timers/promises';
import { Agent, request } from 'undici';
import { runIngest } from '../../src/cli/ingest.ts';
import { readConfig } from '../../src/platform/config/config.ts';
import type { Note } from './figures.ts';
import { seasonFiles } from './import.ts';
import { onService, type RunningService } from './service.ts';

/** Requests of readers per second. One pick is posted every second, and one array every ten seconds. */
const perSecond = 20;
const arrayOf = 200;

const games = 40;
/** Each has its own rate limit. */
const readers = 250;

/** Resident memory of each process of `npm start` after an import of 48,000 picks and minutes of readers and posts. Linux only. */
export async function bench(
  say: (line: string) => void,
  note: Note,
  { on = onService({ TRUST_PROXY: '1' }), games = 4000, minutes = Number(process.env.MINUTES ?? 5) } = {},
): Promise<void> {
  const files = seasonFiles(games);
  try {
    await on(async (service) => {
      const status = (about: string) =>
        say(
          `  ${about.padEnd(20)} ${[...service.resident()].map(([name, bytes]) => `${name} ${mb(bytes)}`).join(', ')}`,
        );
      status('started');
      await runIngest(
        readConfig(service.environment),
        [files.folder],
        { wait: true },
        { say() {}, warn() {} },
      );
      status('imported');
      await mixed(service, files.cappers, minutes * 60_000, status);
      for (const [name, bytes] of service.resident())
        note({ name: `resident: ${name}`, ours: bytes / 2 ** 20, unit: 'MB', aim: { atMost: 200 } });
    });
  } finally {
    files.remove();
  }
}

/** Mixes readers of pages, boards, feeds, cards, and exports; live posts; a scrape of metrics; and the operator's page. */
async function mixed(
  { environment }: RunningService,
  cappers: number,
  ms: number,
  status: (about: string) => void,
): Promise<void> {
  const { PORT, OPERATOR_PORT, OPERATOR_TOKEN } = environment;
  const dispatcher = new Agent({ connections: 16 });
  const site = `http://127.0.0.1:${PORT}`;
  const operator = `http://127.0.0.1:${OPERATOR_PORT}`;
  const authorization = `Bearer ${OPERATOR_TOKEN}`;
  const uuids: string[] = [];
  let posted = 0;
  let asked = 0;
  const get = async (url: string, headers = {}) => {
    asked += 1;
    const from = { 'x-forwarded-for': `203.0.113.${asked % readers}` };
    const { statusCode, body } = await request(url, {
      dispatcher,
      headers: { 'accept-encoding': 'br', ...from, ...headers },
    });
    await body.dump({ limit: 2 ** 30 });
    if (statusCode >= 400 && statusCode !== 503) throw new Error(`${url} answered ${statusCode}`);
  };
  const startsAt = new Date(Date.now() + 12 * 3_600_000).toISOString();
  const send = async (kind: string, list: object[]) => {
    const { body } = await request(`${operator}/${kind}`, {
      dispatcher,
      method: 'POST',
      headers: { authorization, 'content-type': 'application/json' },
      body: JSON.stringify(list),
    });
    const { rows } = (await body.json()) as {
      rows: { outcome: string; pickUuid?: string; reason?: string }[];
    };
    for (const { outcome, reason } of rows) if (outcome !== 'added') throw new Error(`${outcome}: ${reason}`);
    return rows;
  };
  const game = (n: number) => ({ sport: 'nba', game: `Away ${n % games} @ Home`, startsAt });
  const post = async (rows: number) => {
    const list = Array.from({ length: rows }, () => {
      posted += 1;
      // A unique subject keeps it from repeating another pick.
      const about = {
        market: 'question',
        subject: `question ${posted}`,
        side: 'yes',
        pick: `Pick ${posted}`,
      };
      const terms = { ...about, oddsAmerican: -110, stakeUnits: 1 };
      return { capperHandle: `capper-${posted % cappers}`, ...game(posted), ...terms };
    });
    for (const { pickUuid } of await send('picks', list))
      if (pickUuid !== undefined && uuids.length < 2000) uuids.push(pickUuid);
  };
  const paths: readonly ((n: number) => string)[] = [
    () => '/',
    (n) => `/c/capper-${n % cappers}`,
    (n) => `/p/${uuids[n % uuids.length]}`,
    (n) => `/p/${uuids[n % uuids.length]}/card.png`,
    () => '/api/feed/picks',
    (n) => `/api/leaderboard?window=${['7d', '30d', '90d', 'all'][n % 4]}&limit=${1 + (n % 100)}`,
    (n) => `/api/picks/${uuids[n % uuids.length]}/receipt`,
    (n) => `/sport/${['nba', 'nhl', 'nfl'][n % 3]}`,
    (n) => `/search?q=capper-${n % cappers}`,
    (n) => `/record/export.${['csv', 'json'][n % 2]}?limit=${1000 + (n % 4000)}`,
  ];
  await send(
    'games',
    Array.from({ length: games }, (_, n) => ({ ...game(n), status: 'scheduled' })),
  );
  await post(1);
  const began = performance.now();
  for (let n = 0; performance.now() - began < ms; n += 1) {
    const work = [get(site + (paths[n % paths.length] as (n: number) => string)(n))];
    if (n % perSecond === 0) work.push(post(n % (10 * perSecond) === 0 ? arrayOf : 1));
    if (n % (15 * perSecond) === 0)
      work.push(get(`${operator}/metrics`, { authorization }), get(`${operator}/`, { authorization }));
    await Promise.all([...work, pause(1000 / perSecond)]);
    if (n % (60 * perSecond) === 0) status(`after ${Math.round((performance.now() - began) / 1000)} s`);
  }
  await dispatcher.close();
}

const mb = (bytes: number) => `${(bytes / 2 ** 20).toFixed(0)} MB`;
