import { expect } from 'chai';
import {
  type AttemptRecord,
  recordAttempt,
  trimAttempts,
} from '../../../src/webhooks/subscriptions/attempts.ts';
import { withDatabase } from '../../support/database.ts';

const day = 86_400_000;
const now = Date.parse('2029-06-01T12:00:00Z');

describe('attempts', () => {
  const stores = withDatabase();

  const attempt = (at: number): AttemptRecord => ({
    subscription_id: 1,
    at,
    delivery_id: 'msg_1_1',
    event: 'ping',
    pick_uuid: null,
    picks: 0,
    status: 204,
    error: null,
    duration_ms: 12,
  });
  const ages = async (at: number) => {
    const rows: { at: number }[] = await stores
      .database('webhook_attempts')
      .orderBy('at', 'desc')
      .select('at');
    return rows.map((row) => Math.round((at - row.at) / day));
  };

  afterEach(() => stores.database('webhook_attempts').delete());

  it('are kept for 30 days and then deleted, whole days at once', async () => {
    for (let age = 0; age <= 34; age += 1) await recordAttempt(stores.database, attempt(now - age * day));
    expect(await trimAttempts(stores.database, now)).to.equal(4);
    expect(await ages(now)).to.deep.equal(Array.from({ length: 31 }, (_, age) => age));
    expect(await trimAttempts(stores.database, now)).to.equal(0);
  });

  it('are deleted even after a time without a worker', async () => {
    for (const age of [60, 45, 36, 30, 1]) await recordAttempt(stores.database, attempt(now - age * day));
    await trimAttempts(stores.database, now);
    expect(await ages(now)).to.deep.equal([1, 30]);
  });
});
