import { Command } from 'commander';
import { checkpointStore } from '../ledger/publishing/checkpoint-store/open.ts';
import { storedOrigin } from '../ledger/publishing/identity.ts';
import { startNewOrigin } from '../ledger/publishing/new-origin.ts';
import { createClock } from '../platform/clock.ts';
import { isKeyName } from '../proof/verifier-key.ts';
import { onDatabase } from './session.ts';
import { type Verb, VerbRefused } from './verb.ts';

/** The service must be stopped. */
export const newOriginVerb: Verb = (config, say) =>
  new Command('new-origin')
    .description('starts a new log after a restore that lost sealed entries; the service must be stopped')
    .argument('<origin>', "the new log's name")
    .requiredOption('--reason <text>', 'recorded in its first entry')
    .action((origin: string, { reason }: { reason: string }) => {
      const { database, ledger, process } = config('migrate');
      const { checkpointStore: address } = ledger;
      const store = address === undefined ? undefined : checkpointStore(address);
      if (!isKeyName(origin))
        throw new VerbRefused(
          `${JSON.stringify(origin)} is not a valid log name: it must not have spaces or a plus sign.`,
        );
      return onDatabase(database.ownerUrl, 'new-origin', async (owner) => {
        const before = (await storedOrigin(owner)) ?? 'no log';
        const published = (await store?.read()) ?? null;
        const [, size = '', root = ''] = (published ?? '').split('\n');
        const last =
          published === null ? '' : ` Published last under the old name: ${size} entries, root ${root}.`;
        const notice = `This log replaces ${before}: ${reason}.${last}`;
        const at = createClock(process.clock).now();
        const { schema, entries } = await startNewOrigin(owner, { origin, notice, at });
        say(`${origin} starts with ${entries} entries. The old log's tables are in the schema ${schema}.`);
        if (store !== undefined && published !== null)
          say(`The old log's last checkpoint is ${await store.setAside(published, schema)}.`);
        say('If LEDGER_ORIGIN is set, set it to the new name. Purge proxy caches of /ledger/.');
        say('Publish the new key (/ledger/key) to verifiers, and start the service.');
      });
    });
