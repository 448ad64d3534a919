import { renameSync } from 'node:fs';
import { Command } from 'commander';
import { readCheckpointFile } from '../ledger/checkpoint-file.ts';
import { startNewOrigin } from '../ledger/new-origin.ts';
import { keptOrigin } from '../ledger/origin.ts';
import { createClock } from '../platform/clock.ts';
import type { Config } from '../platform/config/config.ts';
import { openOwnerDatabase } from '../platform/database.ts';
import { isKeyName } from '../proof/verifier-key.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

/**
 * Begins a new log under a new name, after a restore that lost sealed entries. The service must stand still.
 * @param reason goes into the log's first entry
 * @throws VerbRefused, or PublisherRefusal, which says why the log refuses
 */
export async function runNewOrigin(config: Config, origin: string, reason: string, say: Say): Promise<void> {
  const { checkpointFile } = config.ledger;
  if (!isKeyName(origin))
    throw new VerbRefused(
      `${JSON.stringify(origin)} cannot be a log's name: it has no spaces and no plus sign.`,
    );
  const owner = openOwnerDatabase(config.database.ownerUrl, { name: 'public-picks new-origin' });
  try {
    const before = (await keptOrigin(owner)) ?? 'no log';
    const published = checkpointFile === undefined ? null : readCheckpointFile(checkpointFile);
    const [, size = '', root = ''] = (published ?? '').split('\n');
    const last =
      published === null ? '' : ` Published last under the old name: ${size} entries, root ${root}.`;
    const notice = `This log takes the place of ${before}: ${reason}.${last}`;
    const { schema, entries } = await startNewOrigin(owner, {
      origin,
      notice,
      at: createClock(config.process.clock).now(),
    });
    say(`${origin} begins with ${entries} entries. The old log's tables are kept in the schema ${schema}.`);
    if (checkpointFile !== undefined && published !== null) {
      renameSync(checkpointFile, `${checkpointFile}.${schema}`);
      say(`The old log's last checkpoint is kept in ${checkpointFile}.${schema}.`);
    }
    say('Set LEDGER_ORIGIN to the new name where it is set, empty caches of /ledger/ that stand in front,');
    say('tell those who verify the new key (/ledger/key), and start the service.');
  } finally {
    await owner.destroy();
  }
}

/** `new-origin`: begins a new log over what a restore has left. */
export const newOriginVerb: Verb = (config, say) =>
  new Command('new-origin')
    .description('begins a new log over what a restore has left; the service must stand still')
    .argument('<origin>', "the new log's name")
    .requiredOption('--reason <text>', 'goes into its first entry')
    .action((origin: string, { reason }: { reason: string }) => runNewOrigin(config(), origin, reason, say));
