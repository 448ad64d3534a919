import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { withRedis } from '../support/redis.ts';
import { bench as benchCards } from './cards.ts';
import { bench as benchExport } from './export.ts';
import { type Figure, type Note, noter } from './figures.ts';
import { bench } from './import.ts';
import { bench as benchPosting } from './posting.ts';
import { bench as benchPrices } from './prices.ts';
import { bench as benchProof } from './proof.ts';
import { bench as benchSealing } from './sealing.ts';
import { bench as benchStream } from './stream.ts';
import { bench as benchVerdicts } from './verdicts.ts';
import { bench as benchWebhooks } from './webhooks.ts';

describe('the benches', () => {
  const redis = withRedis();

  it('load', async () => {
    const named = readFileSync(join(import.meta.dirname, 'run.ts'), 'utf8').matchAll(/^ {2}'([a-z-]+)',$/gm);
    const files = new Set(readdirSync(import.meta.dirname));
    for (const [, name] of named) {
      expect(files.has(`${name}.ts`), name).to.equal(true);
      expect(((await import(`./${name}.ts`)) as { bench?: unknown }).bench, name).to.be.a('function');
    }
  });

  const withRedisUrl = async (work: () => Promise<void>) => {
    const before = process.env.REDIS_URL;
    process.env.REDIS_URL = redis.url;
    try {
      await work();
    } finally {
      if (before === undefined) delete process.env.REDIS_URL;
      else process.env.REDIS_URL = before;
    }
  };

  it('measure an import of a short season', async function () {
    this.timeout(180_000);
    await withRedisUrl(async () => {
      const figures: Figure[] = [];
      await bench(
        () => {},
        noter(() => {}, figures),
        { rounds: 1, games: 4 },
      );
      const [imported] = figures;
      expect(imported?.name).to.equal('import, closed, graded, sealed, counted');
      expect(imported!.ours).to.be.above(0);
      expect(imported!.baseline).to.be.above(0);
    });
  });

  for (const [name, count, run] of [
    ['cards', 7, (note: Note) => benchCards(() => {}, note, { rounds: 1, atOnce: 2 })],
    ['the export', 4, (note: Note) => benchExport(() => {}, note, { warmUps: 0, rounds: 1, games: 40 })],
    ['proofs', 1, (note: Note) => benchProof(() => {}, note, { sizes: [100, 300], rounds: 1 })],
    ['sealing', 2, (note: Note) => benchSealing(() => {}, note, { rounds: 1, games: 4 })],
    [
      'posting',
      5,
      (note: Note) => benchPosting(() => {}, note, { rounds: 1, seconds: 1, visibleSeconds: 2 }),
    ],
    ['deliveries', 1, (note: Note) => benchWebhooks(() => {}, note, { isShort: true })],
    ['prices', 2, (note: Note) => benchPrices(() => {}, note, { minutes: 5 })],
  ] as const)
    it(`measure ${name} in short`, async function () {
      this.timeout(120_000);
      const figures: Figure[] = [];
      await withRedisUrl(() => run(noter(() => {}, figures)));
      expect(figures).to.have.lengthOf(count);
      for (const each of figures) expect(each.ours, each.name).to.be.above(0);
    });

  it('measure a stream of events through a killed process', async function () {
    this.timeout(120_000);
    const figures: Figure[] = [];
    await withRedisUrl(() =>
      benchStream(
        () => {},
        noter(() => {}, figures),
        { clients: 20, rounds: 4 },
      ),
    );
    const of = (name: string) => figures.find((figure) => figure.name === name)?.ours;
    expect([of('events missed'), of('events repeated')]).to.deep.equal([0, 0]);
    expect(of('connections made')).to.be.above(20);
  });

  it('measure the verdicts of a few cappers', async function () {
    this.timeout(60_000);
    const figures: Figure[] = [];
    await benchVerdicts(
      () => {},
      noter(() => {}, figures),
      { cappers: 120, most: 600 },
    );
    expect(figures.map(({ name }) => name)).to.deep.equal([
      'all verdicts, per capper',
      'verdicts of 100 cappers and the largest',
      'verdict of the largest',
      'leaderboard after 100 cappers and the largest settled',
    ]);
    for (const { name, ours } of figures) expect(ours, name).to.be.above(0);
  });
});
