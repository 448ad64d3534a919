import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { withRedis } from '../support/redis.ts';
import type { Figure } from './figures.ts';
import { noter } from './figures.ts';
import { bench } from './import.ts';
import { bench as benchVerdicts } from './verdicts.ts';

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

  it('measure an import of a short season', async function () {
    this.timeout(180_000);
    const before = process.env.REDIS_URL;
    process.env.REDIS_URL = redis.url;
    try {
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
    } finally {
      if (before === undefined) delete process.env.REDIS_URL;
      else process.env.REDIS_URL = before;
    }
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
