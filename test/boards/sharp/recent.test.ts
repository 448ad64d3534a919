import { expect } from 'chai';
import type { BoardContext } from '../../../src/boards/endpoint.ts';
import { sharpRecent } from '../../../src/boards/sharp/consensus.ts';
import { loadWorld } from '../../bench/growth/load.ts';
import { fillProjections } from '../../bench/growth/projections.ts';
import { growthWorld } from '../../bench/growth/world.ts';
import { withDatabase } from '../../support/database.ts';

describe('the board of resolved groups', () => {
  const stores = withDatabase();
  const world = growthWorld(3, 12);
  const context = (): BoardContext => ({
    database: stores.database,
    now: world.now,
    baseUrl: 'https://picks.example',
    helpLine: '1-800-GAMBLER',
    sports: new Map(),
  });

  before(async () => {
    await loadWorld(stores.ownerUrl, world);
    // The games end at one instant, so that page boundaries fall within it.
    await stores.owner.raw(
      `alter table settlements disable trigger all;
       update settlements set settled_at = date_trunc('hour', settled_at) + interval '1 hour';
       alter table settlements enable trigger all`,
    );
    await fillProjections(stores.owner, world.now);
  });

  it('has the same groups in the same order in pages of any length', async () => {
    const whole = await sharpRecent.compute(context(), { hours: 168, limit: 200 });
    expect(whole.nextCursor).to.equal(null);
    expect(whole.groups.length).to.be.above(10);
    for (const limit of [1, 2, 3, 7]) {
      const groups: unknown[] = [];
      let cursor: string | null = null;
      do {
        const page: typeof whole = await sharpRecent.compute(context(), {
          hours: 168,
          limit,
          ...(cursor === null ? {} : { cursor }),
        });
        expect(page.groups.length).to.be.within(1, limit);
        groups.push(...page.groups);
        cursor = page.nextCursor;
      } while (cursor !== null);
      expect(groups).to.deep.equal(whole.groups);
    }
  });
});
