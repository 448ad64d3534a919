import { join } from 'node:path';
import { expect } from 'chai';
import { type Rows, readFolder } from '../naive/read.ts';
import { withDatabase } from '../support/database.ts';
import { realData, withFolder } from '../support/folders.ts';
import { differences, endsOf, ingestInSteps, lost } from '../support/in-steps.ts';
import { atLength } from '../support/long.ts';

const source = realData();

/** Leaves out the two sports with the most picks in the short form. */
function narrowed(rows: Rows): Rows {
  const isIn = ({ sport }: { sport: string }) => atLength(!['nfl', 'soccer'].includes(sport), true);
  const { games, lines, picks, results } = rows;
  return {
    ...rows,
    games: games.filter(isIn),
    lines: lines.filter(isIn),
    picks: picks.filter(isIn),
    results: results.filter(isIn),
  };
}

if (source !== undefined)
  describe('the real data in a dozen imports, graded at random points', () => {
    const folder = withFolder();
    const oneCall = withDatabase();
    const rows = narrowed(readFolder(source));
    const last = Date.parse('2026-06-01T00:00:00Z');
    let expected: Awaited<ReturnType<typeof endsOf>>;

    before(async () => {
      const files = { folder: join(folder.path(), 'one'), count: 1, seed: 1 };
      await ingestInSteps(oneCall.database, rows, last, files);
      expected = await endsOf(oneCall.database);
    });

    for (const seed of atLength([1], [1, 2]))
      describe(`with seed ${seed}`, () => {
        const [byClock, today] = [withDatabase(), withDatabase()];

        it('yields the same as one import, if each import has the clock of its rows', async () => {
          const steps = { folder: join(folder.path(), `clock-${seed}`), count: 12, seed };
          await ingestInSteps(byClock.database, rows, last, steps);
          expect(differences(expected, await endsOf(byClock.database))).to.deep.equal([]);
        });

        it('loses no closing if all imports have the clock of a later day', async () => {
          const steps = { folder: join(folder.path(), `today-${seed}`), count: 12, seed, now: last };
          await ingestInSteps(today.database, rows, last, steps);
          const found = await endsOf(today.database);
          expect(lost(expected, found)).to.deep.equal([]);
        });
      });
  });
