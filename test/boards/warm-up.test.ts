import { expect } from 'chai';
import { createAnswers } from '../../src/answers/answers.ts';
import type { Board } from '../../src/boards/board.ts';
import { endpoint, lifetimes } from '../../src/boards/endpoint.ts';
import { boards } from '../../src/boards/index.ts';
import { Type } from '../../src/platform/type.ts';
import { type TestDatabase, withDatabase } from '../support/database.ts';
import { fixedClock } from '../support/fixed-clock.ts';
import { busyDay } from '../support/ledgers.ts';
import { quiet } from '../support/quiet.ts';
import { withRedis } from '../support/redis.ts';

type WarmedUp = Pick<Board, 'renderable' | 'examples'>;

describe('the warm-up', () => {
  const own = withDatabase();
  const filled = withDatabase({ filling: busyDay });
  const redis = withRedis();
  const computed: string[] = [];

  beforeEach(() => computed.splice(0));

  const counted = (path: string, statement = 'select 1', examples: Board['examples'] = [{}]): WarmedUp => ({
    examples,
    ...endpoint({
      path,
      params: Type.Object({ sport: Type.Optional(Type.String()) }),
      contentType: 'application/json',
      lifetime: lifetimes.board,
      tags: () => [],
      async render({ database }, { sport }) {
        computed.push(sport === undefined ? path : `${path} ${sport}`);
        await database.raw(statement);
        return { text: path };
      },
    }),
  });

  async function warmUp(
    warmedUp: readonly WarmedUp[],
    signal: AbortSignal,
    { database }: TestDatabase = own,
  ): Promise<boolean> {
    const cache = createAnswers({
      redis: redis.redis,
      database,
      clock: fixedClock('2026-01-15T12:00:00Z'),
      baseUrl: '',
      helpLine: '',
      log: quiet,
    });
    try {
      await cache.warmUp(warmedUp, 0, signal);
      return cache.memory.isEmpty();
    } finally {
      cache.close();
    }
  }

  it('computes each board once, for its first example, and caches none', async () => {
    const two = counted('/two', 'select 1', [{ sport: 'nba' }, {}]);
    const isEmpty = await warmUp([counted('/one'), two], new AbortController().signal);
    expect(computed).to.deep.equal(['/one', '/two nba']);
    expect(isEmpty).to.equal(true);
    expect(await redis.redis.keys('*/one*')).to.deep.equal([]);
  });

  it('computes every board on a ledger with picks', async () => {
    const watched = boards.map(
      ({ path, examples, renderable }): WarmedUp => ({
        examples,
        renderable(given, sports) {
          const renders = renderable(given, sports);
          return {
            ...renders,
            render(context) {
              computed.push(path);
              return renders.render(context);
            },
          };
        },
      }),
    );
    await warmUp(watched, new AbortController().signal, filled);
    expect(computed).to.deep.equal(boards.map(({ path }) => path));
  });

  it('skips boards whose example needs a pick while the ledger is empty', async () => {
    const signal = new AbortController().signal;
    await warmUp([counted('/about', 'select 1', [{ sport: '{sport}' }]), counted('/next')], signal);
    expect(computed).to.deep.equal(['/next']);
  });

  it('stops if the database cannot be read', async () => {
    await warmUp([counted('/failing', 'select 1 / 0'), counted('/next')], new AbortController().signal);
    expect(computed).to.deep.equal(['/failing']);
  });

  it('stops when aborted', async () => {
    await warmUp([counted('/one')], AbortSignal.abort());
    expect(computed).to.deep.equal([]);
  });
});
