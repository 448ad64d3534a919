import { expect } from 'chai';
import { closeServer } from '../../src/platform/shutdown.ts';
import { startApi } from '../support/api.ts';
import { countingBoard } from '../support/boards.ts';
import { withDatabase } from '../support/database.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

describe('the public port during shutdown', () => {
  const database = withDatabase();
  const redis = withRedis();

  it('completes started requests, accepts no others, and closes idle connections', async () => {
    const counted = countingBoard();
    const api = await startApi({ database, redis }, { boards: [counted.board] });
    await (await fetch(`${api.address}/livez`)).text();
    const release = counted.hold();
    const begun = fetch(`${api.address}/api/counted`);
    await until(() => counted.computed() === 1);
    api.api.startShutdown();
    const closed = closeServer(api.server);
    const refused = await fetch(`${api.address}/livez`).then(
      () => false,
      () => true,
    );
    expect(refused).to.equal(true);
    release();
    expect((await begun).status).to.equal(200);
    await (await begun).text();
    await closed;
    await api.close();
  });
});
