import { renameSync } from 'node:fs';
import { Command } from 'commander';
import { readCheckpointFile } from '../ledger/checkpoint-file.ts';
import { startNewOrigin } from '../ledger/new-origin.ts';
import { keptOrigin } from '../ledger/origin.ts';
import { createClock } from '../platform/clock.ts';
import { openOwnerDatabase } from '../platform/database.ts';
import type { Settings } from '../platform/settings.ts';
import { isKeyName } from '../proof/verifier-key.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

/**
 * Begins a new log under a new name, after a restore that lost sealed entries. The service must stand still.
 * @param reason goes into the log's first entry
 * @throws VerbRefused, or PublisherRefusal, which says why the log refuses
 */
export async function runNewOrigin(
  settings: Settings,
  origin: string,
  reason: string,
  say: Say,
): Promise<void> {
  const { CHECKPOINT_FILE, DATABASE_OWNER_URL, DATABASE_URL, SERVICE_CLOCK } = settings;
  if (!isKeyName(origin))
    throw new VerbRefused(
      `${JSON.stringify(origin)} cannot be a log's name: it has no spaces and no plus sign.`,
    );
  const owner = openOwnerDatabase(DATABASE_OWNER_URL ?? DATABASE_URL, { name: 'public-picks new-origin' });
  try {
    const before = (await keptOrigin(owner)) ?? 'no log';
    const published = CHECKPOINT_FILE === '' ? null : readCheckpointFile(CHECKPOINT_FILE);
    const [, size = '', root = ''] = (published ?? '').split('\n');
    const last =
      published === null ? '' : ` Published last under the old name: ${size} entries, root ${root}.`;
    const notice = `This log takes the place of ${before}: ${reason}.${last}`;
    const { schema, entries } = await startNewOrigin(owner, {
      origin,
      notice,
      at: createClock(SERVICE_CLOCK).now(),
    });
    say(`${origin} begins with ${entries} entries. The old log's tables are kept in the schema ${schema}.`);
    if (published !== null) {
      renameSync(CHECKPOINT_FILE, `${CHECKPOINT_FILE}.${schema}`);
      say(`The old log's last checkpoint is kept in ${CHECKPOINT_FILE}.${schema}.`);
    }
    say('Set LEDGER_ORIGIN to the new name where it is set, empty caches of /ledger/ that stand in front,');
    say('tell those who verify the new key (/ledger/key), and start the service.');
  } finally {
    await owner.destroy();
  }
}

/** `new-origin`: begins a new log over what a restore has left. */
export const newOriginVerb: Verb = (settings, say) =>
  new Command('new-origin')
    .description('begins a new log over what a restore has left; the service must stand still')
    .argument('<origin>', "the new log's name")
    .requiredOption('--reason <text>', 'goes into its first entry')
    .action((origin: string, { reason }: { reason: string }) =>
      runNewOrigin(settings(), origin, reason, say),
    );
