import { readFileSync } from 'node:fs';
import { Command } from 'commander';
import { signingKeys } from '../ledger/publishing/identity.ts';
import { receiptOf } from '../ledger/publishing/published.ts';
import { openLog } from '../monitor/log-client.ts';
import { type Acknowledgement, openAcknowledgement } from '../proof/acknowledgement.ts';
import { checkPromise } from '../proof/check-acknowledgement.ts';
import { parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import { onDatabase } from './session.ts';
import { collect, type Verb } from './verb.ts';

interface CheckOptions {
  /** The log's site. Default: the service's database. */
  url?: string;
  /** Verifier keys of the log. Default: those that the log publishes, which a dishonest log chooses. */
  key: readonly string[];
}

/** The status is 0 if the promise is kept, 1 if broken, 2 if still open. */
export const checkAcknowledgementVerb: Verb = (config, say) =>
  new Command('check-acknowledgement')
    .description('checks the acknowledgement of a posted pick against the log')
    .argument('<file>', 'file that holds the acknowledgement')
    .option('--url <address>', 'site of the log; default: the database of the service')
    .option('--key <key>', 'verifier key of the log; repeatable', collect, [])
    .action(async (file: string, options: CheckOptions) => {
      const note = readFileSync(file, 'utf8');
      const check = async (log: Log) => {
        const keys =
          options.key.length > 0 ? options.key.map((key) => parseVerifierKey(key)) : await log.keys();
        if (options.key.length === 0)
          say(
            'The keys come from the log itself. For an independent check, pass one from another source with --key.',
          );
        const opened = await openedOrReason(note, keys);
        const { outcome, detail } =
          typeof opened === 'string'
            ? ({ outcome: 'broken', detail: opened } as const)
            : await checkPromise(opened, await log.receipt(opened.pick.uuid), keys);
        say(detail);
        process.exitCode = { kept: 0, broken: 1, open: 2 }[outcome];
      };
      if (options.url !== undefined) return check(openLog(options.url));
      return onDatabase(config('sealing', 'auditor').database.url, 'check', (database) =>
        check({
          keys: async () => (await signingKeys(database)).map(({ key }) => key),
          receipt: (uuid) => receiptOf(database, uuid),
        }),
      );
    });

async function openedOrReason(note: string, keys: readonly VerifierKey[]): Promise<Acknowledgement | string> {
  const origin = keys[0]?.name;
  if (origin === undefined) return 'The log has no key yet.';
  try {
    return await openAcknowledgement(note, origin, keys);
  } catch (error) {
    return `It is not an acknowledgement of ${origin}: ${(error as Error).message}.`;
  }
}

interface Log {
  keys(): Promise<VerifierKey[]>;
  receipt(uuid: string): Promise<unknown>;
}
