import { expect } from 'chai';
import { createBoardCache } from '../../src/boards/board-cache.ts';
import { type Endpoint, endpoint } from '../../src/boards/endpoint.ts';
import { lifetimes } from '../../src/platform/lifetimes.ts';
import { Type } from '../../src/platform/type.ts';
import { withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';

describe('warming up', () => {
  const own = withDatabase();
  const redis = withRedis();
  const computed: string[] = [];

  beforeEach(() => computed.splice(0));

  const counted = (path: string, statement = 'select 1', params = Type.Object({})): Endpoint =>
    endpoint({
      path,
      params,
      contentType: 'application/json',
      lifetime: lifetimes.board,
      tags: () => [],
      async render({ database }) {
        computed.push(path);
        await database.raw(statement);
        return { text: path };
      },
    });

  async function warmUp(endpoints: readonly Endpoint[], signal: AbortSignal): Promise<boolean> {
    const cache = createBoardCache({
      redis: redis.redis,
      database: own.database,
      clock: fixedClock('2026-01-15T12:00:00Z'),
      baseUrl: '',
      helpLine: '',
      log: quiet,
    });
    try {
      await cache.warmUp(endpoints, 0, signal);
      return cache.memory.isEmpty();
    } finally {
      cache.close();
    }
  }

  it('computes what needs no parameter once, and keeps none of it', async () => {
    const named = counted('/api/:name', 'select 1', Type.Object({ name: Type.String() }));
    const isEmpty = await warmUp([counted('/one'), named, counted('/two')], new AbortController().signal);
    expect(computed).to.deep.equal(['/one', '/two']);
    expect(isEmpty).to.equal(true);
    expect(await redis.redis.keys('*/one*')).to.deep.equal([]);
  });

  it('ends where the database cannot be read', async () => {
    await warmUp([counted('/failing', 'select 1 / 0'), counted('/next')], new AbortController().signal);
    expect(computed).to.deep.equal(['/failing']);
  });

  it('ends when it is told to', async () => {
    await warmUp([counted('/one')], AbortSignal.abort());
    expect(computed).to.deep.equal([]);
  });
});
