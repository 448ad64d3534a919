import { expect } from 'chai';
import { parseTarget } from '../../../src/webhooks/guard/target.ts';
import { everything, filterFor } from '../../../src/webhooks/subscriptions/filters.ts';
import { resume, revoke } from '../../../src/webhooks/subscriptions/manage.ts';
import { eraseSubscriptions } from '../../../src/webhooks/subscriptions/retention.ts';
import { createSealer } from '../../../src/webhooks/subscriptions/secrets.ts';
import { subscribe } from '../../../src/webhooks/subscriptions/subscribe.ts';
import { findSubscription } from '../../../src/webhooks/subscriptions/subscriptions.ts';
import { withDatabase } from '../../support/database.ts';
import { secretKey } from '../../support/fanout.ts';

const day = 24 * 3_600_000;
const began = Date.parse('2029-06-01T12:00:00Z');
const sealer = createSealer(secretKey);
let clients = 0;

describe('the erasure of subscriptions', () => {
  const stores = withDatabase();
  afterEach(() => stores.database('webhook_subscriptions').delete());

  async function subscribed(ownerEmail: string): Promise<number> {
    const target = parseTarget('https://hooks.receiver.net/a-path', new Set());
    if (!target.ok) throw new Error(target.reason);
    const wanted = { ownerEmail, client: `client ${++clients}`, capperHandle: null, sport: null };
    const made = await subscribe(stores.database, sealer, { ...wanted, target: target.target }, began);
    if (!made.ok) throw new Error(made.fault.message);
    return made.id;
  }
  const disable = (id: number, at: number) =>
    stores
      .database('webhook_subscriptions')
      .where({ id })
      .update({ status: 'disabled', disabled_at: new Date(at) });
  const left = (): Promise<string[]> =>
    stores.database('webhook_subscriptions').orderBy('id').pluck('owner_email');

  it('comes 30 days after a subscription was revoked or disabled, unless it was enabled again', async () => {
    await revoke(stores.database, await subscribed('revoked@mail.net'), began);
    await disable(await subscribed('disabled@mail.net'), began);
    const enabled = await subscribed('enabled@mail.net');
    await disable(enabled, began);
    await resume(stores.database, (await findSubscription(stores.database, enabled))!, 'cursor');
    await subscribed('active@mail.net');
    expect(await eraseSubscriptions(stores.database, began + 30 * day)).to.equal(0);
    expect(await eraseSubscriptions(stores.database, began + 30 * day + 1)).to.equal(2);
    expect(await left()).to.deep.equal(['enabled@mail.net', 'active@mail.net']);
  });

  it('takes at most a thousand at once, the oldest first', async () => {
    const { database } = stores;
    const filter_id = await database.transaction((transaction) => filterFor(transaction, everything));
    const sealed = Buffer.from('sealed');
    const row = { filter_id, target_url_sealed: sealed, secret_sealed: sealed, target_host: 'a.net' };
    await database.batchInsert(
      'webhook_subscriptions',
      Array.from({ length: 1100 }, (_, index) => ({
        ...row,
        owner_email: `owner${index}@mail.net`,
        target_url_masked: 'https://a.net/…',
        cursor_seq: 0,
        created_at: new Date(began - index),
        status: 'revoked',
        revoked_at: new Date(began - index),
      })),
    );
    expect(await eraseSubscriptions(database, began + 31 * day)).to.equal(1000);
    expect(await database('webhook_subscriptions').min('created_at as oldest')).to.deep.equal([
      { oldest: began - 99 },
    ]);
    expect(await eraseSubscriptions(database, began + 31 * day)).to.equal(100);
  });
});
