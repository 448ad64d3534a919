import type { Database } from '../../platform/database.ts';
import { full } from './limits.ts';

/**
 * Marks a subscription as proven, because its receiver answered a signed request with 2xx or its chat platform took a message. From then
 * on it counts towards the limits per e-mail and host, and its client address is erased. Where a limit is reached it stays unproven.
 * @param now epoch milliseconds
 */
export async function prove(database: Database, id: number, now: number): Promise<void> {
  await database.transaction(async (transaction) => {
    const unproven = () => transaction('webhook_subscriptions').where({ id }).whereNull('proven_at');
    const [row]: { owner_email: string; target_host: string; platform: string | null }[] =
      await unproven().select('owner_email', 'target_host', 'platform');
    if (row === undefined) return;
    const { owner_email: ownerEmail, target_host: targetHost, platform } = row;
    if ((await full(transaction, { ownerEmail, targetHost, platform, client: null })) !== undefined) return;
    await unproven().update({ proven_at: new Date(now), client: null, verify_at: null });
  });
}
