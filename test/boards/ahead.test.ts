import { expect } from 'chai';
import { createBoardCache } from '../../src/boards/board-cache.ts';
import type { BoardContext } from '../../src/boards/context.ts';
import type { Renderable } from '../../src/cache/renderable.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';

describe('boards that are rendered ahead', () => {
  const own = withDatabase();
  const redis = withRedis();
  const clock = fixedClock('2026-01-15T12:00:00Z');

  /** An answer that is made of what a statement gives. */
  const answer = (key: string, sql: string): Renderable<BoardContext> => ({
    key,
    tags: [key],
    lifetime: 60,
    contentType: 'application/json',
    async render({ database }) {
      const { rows } = await database.raw(sql);
      return { text: JSON.stringify(rows) };
    },
  });

  it('share a transaction, but for what comes after a failure', async () => {
    const cache = createBoardCache({
      redis: redis.redis,
      database: own.database,
      clock,
      baseUrl: '',
      helpLine: '',
      log: quiet,
    });
    const transaction = (key: string) => answer(key, 'select pg_current_xact_id()::text as id');
    const bodyOf = async (renderable: Renderable<BoardContext>) => {
      const { rendered, source } = await cache.answer(renderable);
      expect(source).not.to.equal('rendered');
      return (rendered.body.made('identity') as Buffer).toString();
    };
    try {
      const before = ['/one', '/two'].map(transaction);
      const after = ['/three', '/four'].map(transaction);
      const failing = answer('/failing', 'select 1 / 0');
      expect(await cache.refreshAhead([...before, failing, ...after])).to.deep.equal({
        looked: 5,
        rendered: 4,
        failed: 1,
      });
      const [one, two] = await Promise.all(before.map(bodyOf));
      const [three, four] = await Promise.all(after.map(bodyOf));
      expect(one).to.equal(two);
      expect(three).to.equal(four).and.not.to.equal(one);
      const { rows } = await own.owner.raw(
        `select from pg_stat_activity where datname = current_database() and state like 'idle in transaction%'`,
      );
      expect(rows).to.deep.equal([]);
    } finally {
      cache.close();
    }
  });
});
