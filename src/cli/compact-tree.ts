import { Command } from 'commander';
import { compactTree } from '../ledger/compact-tree.ts';
import type { Config } from '../platform/config/config.ts';
import { openDatabase } from '../platform/database.ts';
import { type Say, type Verb, VerbRefused } from './verb.ts';

const lockNotAvailable = '55P03';

async function runCompactTree(config: Config<'migrate'>, say: Say): Promise<void> {
  const owner = openDatabase(config.database.ownerUrl, { name: 'public-picks compact-tree', connections: 1 });
  try {
    const { before, after } = await compactTree(owner);
    say(`ledger_nodes had ${megabytes(before)} MB, and has ${megabytes(after)} MB.`);
  } catch (error) {
    if ((error as { code?: string }).code !== lockNotAvailable) throw error;
    throw new VerbRefused('ledger_nodes is in use, perhaps by an audit. Nothing has changed: try again.');
  } finally {
    await owner.destroy();
  }
}

function megabytes(bytes: number): string {
  return (bytes / 1e6).toFixed(1);
}

/** `compact-tree`: drops the nodes that are computed from others, after the upgrade of a log that has them. */
export const compactTreeVerb: Verb = (config, say) =>
  new Command('compact-tree')
    .description(
      'drops stored nodes of the tree that can be computed; the service may run, if no process of it is older than the upgrade',
    )
    .action(() => runCompactTree(config('migrate'), say));
