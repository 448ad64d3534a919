import { type ChildProcess, fork } from 'node:child_process';
import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { createDatabase, dropDatabase, withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { bench as benchCards } from './cards.ts';
import { answerOf } from './children.ts';
import { bench as benchCredits } from './credits.ts';
import { bench as benchExport } from './export.ts';
import { bench as benchFairness } from './fairness.ts';
import { bench as benchFanout } from './fanout.ts';
import { type Figure, type Note, noter } from './figures.ts';
import { loadLedger, update } from './growth/ledgers.ts';
import { growthWorld } from './growth/world.ts';
import { bench as benchGrowth } from './growth.ts';
import { bench as benchHotBoard } from './hot-board.ts';
import { bench as benchIdle } from './idle.ts';
import { bench } from './import.ts';
import { bench as benchMemory } from './memory.ts';
import { bench as benchPosting } from './posting.ts';
import { bench as benchPrices } from './prices.ts';
import { bench as benchProof } from './proof.ts';
import { bench as benchReading } from './reading.ts';
import { bench as benchResident } from './resident.ts';
import { bench as benchSealing } from './sealing.ts';
import type { RunningService } from './service.ts';
import { type OnSite, openSite } from './site.ts';
import { bench as benchStart } from './start.ts';
import { bench as benchStream } from './stream.ts';
import { bench as benchVerdicts } from './verdicts.ts';
import { bench as benchWebhooks } from './webhooks.ts';

/** Prints nothing. */
const say = () => {};

describe('the benches', () => {
  const redis = withRedis();
  const urlBefore = process.env.REDIS_URL;

  before(() => {
    process.env.REDIS_URL = redis.url;
  });
  after(() => {
    if (urlBefore === undefined) delete process.env.REDIS_URL;
    else process.env.REDIS_URL = urlBefore;
  });

  it('load', async () => {
    const named = readFileSync(join(import.meta.dirname, 'run.ts'), 'utf8').matchAll(/^ {2}'([a-z-]+)',$/gm);
    const files = new Set(readdirSync(import.meta.dirname));
    for (const [, name] of named) {
      expect(files.has(`${name}.ts`), name).to.equal(true);
      expect(((await import(`./${name}.ts`)) as { bench?: unknown }).bench, name).to.be.a('function');
    }
  });

  /** Runs a bench, and returns its figures, each of which is above zero unless it is named. */
  async function figuresOf(run: (note: Note) => Promise<void>, maybeZero = /^$/): Promise<Figure[]> {
    const figures: Figure[] = [];
    await run(noter(say, figures));
    for (const { name, ours, baseline } of figures) {
      const least = maybeZero.test(name) ? 0 : Number.MIN_VALUE;
      expect(ours, name).to.be.at.least(least);
      if (baseline !== undefined) expect(baseline, name).to.be.at.least(least);
    }
    return figures;
  }
  const namesOf = (figures: readonly Figure[]) => figures.map(({ name }) => name);

  for (const [name, count, run] of [
    ['an import', 4, (note: Note) => bench(say, note, { rounds: 1, games: 4 })],
    ['cards', 7, (note: Note) => benchCards(say, note, { rounds: 1, atOnce: 2 })],
    ['the export', 4, (note: Note) => benchExport(say, note, { warmUps: 0, rounds: 1, games: 40 })],
    ['proofs', 1, (note: Note) => benchProof(say, note, { sizes: [100, 300], rounds: 1 })],
    ['sealing', 2, (note: Note) => benchSealing(say, note, { rounds: 1, games: 4 })],
    [
      'posting',
      5,
      (note: Note) => benchPosting(say, note, { rounds: 1, seconds: 0.4, visibleSeconds: 1, finished: 100 }),
    ],
    ['deliveries', 1, (note: Note) => benchWebhooks(say, note, { isShort: true })],
    ['prices', 2, (note: Note) => benchPrices(say, note, { minutes: 5 })],
    ['credits', 1, (note: Note) => benchCredits(say, note, { plans: [{ credits: 500, regions: 1 }] })],
  ] as const)
    it(`measure ${name} in short`, async function () {
      this.timeout(180_000);
      expect(await figuresOf(run)).to.have.lengthOf(count);
    });

  it('measure a stream of events through a killed process', async function () {
    this.timeout(120_000);
    const figures = await figuresOf(
      (note) => benchStream(say, note, { clients: 20, rounds: 4 }),
      /^events (missed|repeated)$/,
    );
    const of = (name: string) => figures.find((figure) => figure.name === name)?.ours;
    expect([of('events missed'), of('events repeated')]).to.deep.equal([0, 0]);
    expect(of('connections made')).to.be.above(20);
  });

  it('measure the verdicts of a few cappers', async function () {
    this.timeout(60_000);
    const figures = await figuresOf((note) => benchVerdicts(say, note, { cappers: 120, most: 600 }));
    expect(namesOf(figures)).to.deep.equal([
      'all verdicts, per capper',
      'verdicts of 100 cappers and the largest',
      'verdict of the largest',
      'leaderboard after 100 cappers and the largest settled',
    ]);
  });

  it('measure a fanout, one worker killed', async function () {
    this.timeout(120_000);
    const figures = await figuresOf(
      (note) => benchFanout(say, note, { due: 60, seconds: 5, workerCount: 1, receivers: 2 }),
      /^(cycle|growth|repeated)/,
    );
    expect(namesOf(figures)).to.deep.equal([
      'cycle to first request',
      'growth of Redis',
      'repeated requests, one worker killed',
      'deliveries',
    ]);
  });

  it('measure a small ledger as two', async function () {
    this.timeout(180_000);
    const stores: Awaited<ReturnType<typeof createDatabase>>[] = [];
    const openLedgers = async () => ({
      async open(days: number) {
        const store = await createDatabase();
        stores.push(store);
        await update(store.ownerUrl);
        await loadLedger(store.ownerUrl, growthWorld(days, 10), say);
        return store.ownerUrl;
      },
      async stop() {
        for (const store of stores) await dropDatabase(store);
      },
    });
    const rounds = { tasks: 1, steps: 1 };
    const figures = await figuresOf((note) => benchGrowth(say, note, { sizes: [2], openLedgers, rounds }));
    expect(namesOf(figures)).to.include.members(['/api/leaderboard', 'quiet: grading', 'a pick: sealing']);
  });

  describe('on one site', () => {
    let opened: Awaited<ReturnType<typeof openSite>>;
    before(async function () {
      this.timeout(120_000);
      opened = await openSite(40);
    });
    after(() => opened?.close());
    const on: OnSite = (work) => work(opened.site);

    it('measure fairness in short', async () => {
      const figures = await figuresOf((note) =>
        benchFairness(say, note, { on, turns: 1, turnMs: 200, settleMs: 50 }),
      );
      expect(namesOf(figures)).to.deep.equal(['99 % under load, against quiet']);
    });

    it('measure memory in short', async () => {
      const figures = await figuresOf((note) => benchMemory(say, note, { on, first: 20, total: 200 }));
      expect(namesOf(figures)).to.deep.equal(['resident after 200 requests, against 20']);
    });

    it('measure a hot board in short', async () => {
      expect(
        await figuresOf((note) => benchHotBoard(say, note, { on, rounds: 1, shotMs: 200 })),
      ).to.have.lengthOf(3);
    });

    it('measure reading in short', async () => {
      expect(
        await figuresOf((note) =>
          benchReading(say, note, { on, rounds: 1, shotMs: 20, warmUps: 0, pages: 1 }),
        ),
      ).to.have.lengthOf(19);
    });
  });

  it('measure one start of the service, idle and in use', async function () {
    this.timeout(180_000);
    const figures: Figure[] = [];
    const meanwhile = async (service: RunningService) => {
      const on = (work: (service: RunningService) => Promise<void>) => work(service);
      figures.push(
        ...(await figuresOf(
          (note) => benchIdle(say, note, { on, settleMs: 0, seconds: 1 }),
          /^(CPU|PostgreSQL)/,
        )),
        ...(await figuresOf((note) => benchResident(say, note, { on, games: 4, minutes: 0.03 }))),
      );
    };
    figures.push(
      ...(await figuresOf((note) =>
        benchStart(say, note, { starts: 1, settings: { TRUST_PROXY: '1' }, meanwhile }),
      )),
    );
    expect(namesOf(figures)).to.include.members([
      'CPU of all processes',
      'Redis commands',
      'resident: src/web',
      'start 1 to ready',
    ]);
  });

  describe('when their runner is killed', () => {
    const stores = withDatabase();

    it('leave no process', async () => {
      const runner: ChildProcess = fork(join(import.meta.dirname, 'forever.ts'), [stores.url]);
      const pids = await answerOf<number[]>(runner, 'start');
      expect(pids).to.have.lengthOf(2);
      runner.kill('SIGKILL');
      await until(() => !pids.some(isRunning));
    });
  });
});

function isRunning(pid: number): boolean {
  try {
    return process.kill(pid, 0);
  } catch {
    return false;
  }
}
