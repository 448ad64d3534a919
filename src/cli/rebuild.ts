import { Command } from 'commander';
import { migrate } from '../../migrations/migrate.ts';
import { MirrorError } from '../../packages/client/src/mirror.ts';
import { createAnswers } from '../answers/answers.ts';
import { addedSports } from '../games/names/league-files.ts';
import { withOwnPostgres } from '../local/launch.ts';
import { compareBoards } from '../mirror/compare.ts';
import { RebuildError, rebuildFrom } from '../mirror/rebuild.ts';
import { LogUnreadable } from '../monitor/log-client.ts';
import { createClock } from '../platform/clock.ts';
import { variable } from '../platform/config/read.ts';
import { createLogger } from '../platform/logger.ts';
import { cacheStore, openRedis } from '../platform/redis.ts';
import { rebuildProjections } from '../projections/rebuild.ts';
import { onDatabase } from './session.ts';
import { type ConfigOf, type Say, type Verb, VerbRefused } from './verb.ts';

export const rebuildVerb: Verb = (config, say, warn) =>
  new Command('rebuild')
    .description(
      'compares what boards are computed from with the log and repairs it; the service may run. With a folder: fills an empty database from a mirror',
    )
    .argument('[folder]', 'a folder that `mirror` filled')
    .option('--compare <address>', 'compare every board with the service at this address')
    .addHelpText(
      'after',
      '\nThe database is that of DATABASE_OWNER_URL, which must be empty, or else one in the folder.\nExit status with --compare: 0 no difference, 1 a difference.',
    )
    .action(async (folder: string | undefined, { compare }: { compare?: string }) => {
      if (folder === undefined) return repair(config, say);
      const fill = (url: string) => fromMirror(folder, url, compare, say);
      const url = variable(process.env, 'DATABASE_OWNER_URL');
      try {
        process.exitCode = await (url === undefined ? withOwnPostgres(folder, warn, fill) : fill(url));
      } catch (error) {
        if (error instanceof MirrorError || error instanceof RebuildError || error instanceof LogUnreadable)
          throw new VerbRefused(error.message);
        throw error;
      }
    });

/** @returns the exit status */
async function fromMirror(
  folder: string,
  url: string,
  address: string | undefined,
  say: Say,
): Promise<number> {
  await migrate(url, 'replay', {}, addedSports());
  const began = performance.now();
  return onDatabase(url, 'rebuild', async (owner) => {
    const entries = await rebuildFrom(folder, owner);
    const seconds = (performance.now() - began) / 1000;
    say(`Rebuilt ${entries} entries in ${seconds.toFixed(1)} s, ${Math.round(entries / seconds)} a second.`);
    if (address === undefined) return 0;
    const { answers, differences, beyond } = await compareBoards(owner, address);
    for (const difference of differences) say(difference);
    for (const path of beyond) say(`Differs, but is not in the log: ${path}`);
    say(`${answers} answers compared: ${differences.length} differences.`);
    return differences.length === 0 ? 0 : 1;
  });
}

async function repair(config: ConfigOf, say: Say): Promise<void> {
  const { database: settings, redis: address, process, site } = config('boards');
  const log = createLogger('cli', 'silent');
  const redis = openRedis(cacheStore(address), log);
  await onDatabase(settings.url, 'rebuild', async (database) => {
    const repaired = await rebuildProjections(database);
    for (const [table, rows] of Object.entries(repaired)) say(`${table}: ${rows} rows repaired.`);
    if (Object.values(repaired).every((rows) => rows === 0)) return;
    if ((await redis.ping().catch(() => null)) === null) {
      say('Redis is unavailable: restart the boards worker, which renders every board again.');
      return;
    }
    const { baseUrl, helpLine } = site;
    const clock = createClock(process.clock);
    const answers = createAnswers({ redis, database, clock, baseUrl, helpLine: helpLine.name, log });
    await answers.renewEpoch();
    answers.close();
  }).finally(() => redis.disconnect());
}
