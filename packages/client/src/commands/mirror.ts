import { fetchRetrying } from '../../../../src/monitor/fetch-retrying.ts';
import { LogUnreadable, openLog, verifierKeysIn } from '../../../../src/monitor/log-client.ts';
import { formatVerifierKey } from '../../../../src/proof/verifier-key.ts';
import { copyLog, MirrorError, readMirror } from '../mirror.ts';
import { type Command, VerbRefused } from './command.ts';

/** `mirror`: copies a log to a folder, or verifies such a copy. */
export const mirrorCommand: Command = {
  argument: { name: 'address', about: 'address of the site, such as https://picks.example' },
  options: {
    folder: { value: '<folder>', about: 'the folder; default: mirror-<host>' },
    key: {
      value: '<key>',
      about: 'verifier key of the log; default: those it publishes at the first copy',
      many: true,
    },
    offline: { about: 'only verify the folder' },
  },
  note: 'Exit status: 0 the folder is the log, 1 it is not, or the log is forked, 2 the log could not be read.',
  async run(
    address,
    { folder, key, offline }: { folder?: string; key: string[]; offline: boolean },
    say,
    warn,
  ) {
    if (!URL.canParse(address)) throw new VerbRefused(`${address} is not a URL.`);
    const place = folder ?? `mirror-${new URL(address).host.replaceAll(/[^a-z0-9.-]/g, '_')}`;
    const keys = key.flatMap((text) => verifierKeysIn(text)).map((each) => formatVerifierKey(each));
    if (key.length > keys.length)
      throw new VerbRefused('--key has no verifier key: <name>+<8 hex digits>+<base64>.');
    try {
      if (offline) {
        const { origin, size } = await readMirror(place, keys);
        say(`${place} is whole: ${size} entries of ${origin}.`);
        return 0;
      }
      const log = openLog(address, fetchRetrying({ onWait: warn }));
      const { origin, size, read, missing } = await copyLog(log, place, {
        keys,
        onProgress(entries) {
          if (process.stdout.isTTY) process.stdout.write(`\r${entries} entries read\r`);
        },
      });
      say(`${place} has all ${size} entries of ${origin}, ${read} of them new. Every one is proven.`);
      if (missing.length > 0) warn(`The log lists data files that it does not serve: ${missing.join(', ')}.`);
      return 0;
    } catch (error) {
      if (error instanceof MirrorError) throw new VerbRefused(error.message);
      if (!(error instanceof LogUnreadable)) throw error;
      warn(`The log could not be read: ${error.message}. Run the command again to continue.`);
      return 2;
    }
  },
};
