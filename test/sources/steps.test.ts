import { join } from 'node:path';
import { expect } from 'chai';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import type { Rows } from '../naive/read.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { differences, endsOf, ingestInSteps, lost } from '../support/in-steps.ts';
import { season } from '../support/season.ts';
import { ingest } from '../support/whole-way.ts';

describe('a season in several imports, graded at random points', () => {
  const folder = withFolder();
  const oneCall = withDatabase();
  const rows = { ...season(40, 9), results: [] } as unknown as Rows;
  const last = Date.parse('2025-01-01T00:00:00Z');
  let expected: Awaited<ReturnType<typeof endsOf>>;

  before(async () => {
    const files = (['cappers', 'games', 'lines', 'picks'] as const).map((kind) =>
      folder.write(`${kind}.ndjson`, rows[kind]),
    );
    await ingest(oneCall.database, files, last);
    await gradeDue(oneCall.database, last);
    expected = await endsOf(oneCall.database);
    expect([...expected.values()].filter(({ closedAt }) => closedAt === null)).to.deep.equal([]);
  });

  for (const seed of [1, 2, 3])
    describe(`with seed ${seed}`, () => {
      const [byClock, today] = [withDatabase(), withDatabase()];

      it('yields the same as one import, if each import has the clock of its rows', async () => {
        const steps = { folder: join(folder.path(), `clock-${seed}`), count: 10, seed };
        await ingestInSteps(byClock.database, rows, last, steps);
        expect(differences(expected, await endsOf(byClock.database))).to.deep.equal([]);
      });

      it('loses no closing if all imports have the clock of a later day', async () => {
        const steps = { folder: join(folder.path(), `today-${seed}`), count: 10, seed, now: last };
        await ingestInSteps(today.database, rows, last, steps);
        expect(lost(expected, await endsOf(today.database))).to.deep.equal([]);
      });
    });
});
