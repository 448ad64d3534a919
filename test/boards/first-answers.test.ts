import { expect } from 'chai';
import { createAnswers } from '../../src/answers/answers.ts';
import type { Renderable } from '../../src/boards/endpoint.ts';
import { type Database, openDatabase } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';

describe('the first answers after a start', () => {
  const own = withDatabase();
  const redis = withRedis();

  it('are computed over the first idle connection, and later renderings over the other pool', async () => {
    const firstDatabases = [0, 1].map(() => openDatabase(own.url, { connections: 1 }));
    const cache = createAnswers({
      redis: redis.redis,
      database: own.database,
      firstDatabases,
      clock: fixedClock('2026-01-15T12:00:00Z'),
      baseUrl: '',
      helpLine: '',
      log: quiet,
    });
    const nameOf = (database: Database) =>
      database === own.database ? 'the others' : firstDatabases.indexOf(database);
    const used: Record<string, number | string> = {};
    /** Returns a renderable whose rendering waits for `give`. */
    function answer(key: string) {
      const begun = Promise.withResolvers<void>();
      const gate = Promise.withResolvers<void>();
      const renderable: Renderable = {
        key,
        tags: [key],
        lifetime: 60,
        contentType: 'application/json',
        async render({ database }) {
          used[key] = nameOf(database);
          begun.resolve();
          await gate.promise;
          return { text: key };
        },
      };
      const ask = () => cache.answer(renderable);
      return { ask, begun: begun.promise, give: () => gate.resolve() };
    }
    const one = answer('/one');
    const two = answer('/two');
    const three = answer('/three');
    const four = answer('/four');
    try {
      const first = one.ask();
      await one.begun;
      const second = two.ask();
      await two.begun;
      expect(used).to.deep.equal({ '/one': 0, '/two': 1 });
      one.give();
      await first;
      const third = three.ask();
      await three.begun;
      expect(used['/three'], 'during the second computation').to.equal(0);
      two.give();
      three.give();
      await Promise.all([second, third]);
      four.give();
      await four.ask();
      expect(used['/four'], 'first').to.equal(0);
      await cache.bump(['/one'], 1);
      await one.ask();
      expect(used['/one'], 'with a previous answer').to.equal('the others');
    } finally {
      cache.close();
      await Promise.all(firstDatabases.map((database) => database.destroy()));
    }
  });
});
