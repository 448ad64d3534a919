import { Command } from 'commander';
import { checkpointStore } from '../ledger/publishing/checkpoint-store/open.ts';
import { storedOrigin } from '../ledger/publishing/identity.ts';
import { startNewOrigin } from '../ledger/publishing/new-origin.ts';
import { createClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database.ts';
import { isKeyName } from '../proof/verifier-key.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

/**
 * Starts a new log under a new name, after a restore that lost sealed entries. The service must be stopped.
 * @param reason recorded in the log's first entry
 * @throws VerbRefused if the name is not valid; PublisherRefusal if the log cannot be replaced
 */
export async function runNewOrigin(
  config: Config<'migrate'>,
  origin: string,
  reason: string,
  say: Say,
): Promise<void> {
  const { checkpointStore: address } = config.ledger;
  const store = address === undefined ? undefined : checkpointStore(address);
  if (!isKeyName(origin))
    throw new VerbRefused(
      `${JSON.stringify(origin)} is not a valid log name: it must not have spaces or a plus sign.`,
    );
  const owner = openDatabase(config.database.ownerUrl, { name: 'public-picks new-origin' });
  try {
    const before = (await storedOrigin(owner)) ?? 'no log';
    const published = (await store?.read()) ?? null;
    const [, size = '', root = ''] = (published ?? '').split('\n');
    const last =
      published === null ? '' : ` Published last under the old name: ${size} entries, root ${root}.`;
    const notice = `This log replaces ${before}: ${reason}.${last}`;
    const { schema, entries } = await startNewOrigin(owner, {
      origin,
      notice,
      at: createClock(config.process.clock).now(),
    });
    say(`${origin} starts with ${entries} entries. The old log's tables are in the schema ${schema}.`);
    if (store !== undefined && published !== null)
      say(`The old log's last checkpoint is ${await store.setAside(published, schema)}.`);
    say('If LEDGER_ORIGIN is set, set it to the new name. Purge proxy caches of /ledger/.');
    say('Publish the new key (/ledger/key) to verifiers, and start the service.');
  } finally {
    await owner.destroy();
  }
}

/** `new-origin`: starts a new log from the events that survived a restore. */
export const newOriginVerb: Verb = (config, say) =>
  new Command('new-origin')
    .description('starts a new log after a restore that lost sealed entries; the service must be stopped')
    .argument('<origin>', "the new log's name")
    .requiredOption('--reason <text>', 'recorded in its first entry')
    .action((origin: string, { reason }: { reason: string }) =>
      runNewOrigin(config('migrate'), origin, reason, say),
    );
