import { spawn, spawnSync } from 'node:child_process';
import { once } from 'node:events';
import { mkdirSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { text } from 'node:stream/consumers';
import { setTimeout as pause } from 'node:timers/promises';
import { migrate } from '../../migrations/migrate.ts';
import { randomOf } from '../../src/demo/random.ts';
import { databaseLogins } from '../../src/local/environment.ts';
import { createLimiter } from '../../src/platform/limiter.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { expectedOfTests } from '../support/database.ts';
import { type Outage, withOutage } from '../support/outage.ts';
import { ownNames } from '../support/own-names.ts';
import { ownRedis } from '../support/own-redis.ts';
import { startReceiver } from '../support/receivers.ts';
import { type Pair, startPair } from '../support/standby.ts';
import { type Book, openBook, tableOf } from './faults/book.ts';
import {
  footprint,
  undelivered,
  unfinished,
  untilNone,
  wrongInDeliveries,
  wrongInLedger,
} from './faults/checks.ts';
import type { Field, Kind } from './faults/kinds.ts';
import { startFaultLoad } from './faults/load.ts';
import { startNeighbors } from './faults/neighbors.ts';
import { faultOptions } from './faults/options.ts';
import { startProvider } from './faults/provider.ts';
import { packagedProgram } from './packages.ts';
import { type Product, startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

const minute = 60_000;

/** Seven picks in three seconds, of which each subscription gets fewer than its limit per minute. Clocks of processes differ by as much. */
const times = { everyMs: 900, aheadMs: 45_000, gameEveryMs: 9_000, lastCallMs: 8_000, finalMs: 2_000 };

/** Longest span without an acknowledged pick or a page while only others are at fault, in milliseconds. */
const outsideMs = 30_000;

/**
 * All processes under load, while faults of one kind after the other hit them, their stores, network and clocks, providers, and receivers.
 * This process keeps what was acknowledged, and compares it in the end.
 */
export async function stack(context: StackContext): Promise<string> {
  const { seed, minutes, kinds: chosen } = faultOptions(context.args);
  context.say(`npm run faults -- --seed ${seed} --minutes ${minutes}`);
  const random = randomOf(seed);
  const disk = mountDisk();
  const closing: (() => Promise<unknown>)[] = [];
  try {
    const pair = await startPair({ ...context, ...(disk === undefined ? {} : { folder: disk }) });
    closing.push(() => pair.stop());
    const [redis, otherRedis] = [await ownRedis(), await ownRedis()];
    const names = await ownNames(context.folder);
    if (names !== undefined) closing.push(() => names.close());
    const host = (name: string) => (names === undefined ? '127.0.0.1' : `${name}.test`);
    const receivers = [await startReceiver(), await startReceiver({ names: [host('hooks')] })];
    const provider = await startProvider();
    for (const each of [redis, otherRedis, ...receivers, provider]) closing.push(() => each.close());
    const neighbors = await startNeighbors(context.folder);
    closing.push(() => neighbors.close());
    const links = {
      redis: await withOutage(redis.url),
      postgres: await linksTo(pair),
      signer: await withOutage(neighbors.signer),
      witness: await withOutage(neighbors.witness.address),
    };
    for (const link of [links.redis, links.signer, links.witness, ...links.postgres])
      closing.push(() => link.close());
    const hosts = links.postgres.map(({ url }) => new URL(url).host).join(',');
    const logins = await databaseLogins({
      ownerUrl: pair.ownerUrl,
      url: `${pair.ownerUrl.replace(/@[^/]+/, `@${hosts}`)}?target_session_attrs=read-write`,
    });
    await migrate(pair.ownerUrl, 'live', logins);

    const variables = new Map<string, Record<string, string>>();
    const product = await startProduct(context, {
      databaseUrl: (login) => logins.urls[login],
      redisUrl: links.redis.url,
      receiver: { host: receivers.map(({ host }) => host).join(',') },
      settings: {
        TRUST_PROXY: '1',
        ESPN_LEAGUES: 'nba',
        ESPN_URL: `http://${host('espn')}:${provider.port}`,
        LEDGER_SIGNER: links.signer.url,
        WITNESSES: `${formatVerifierKey(neighbors.witness.key)} ${links.witness.url.replace('127.0.0.1', host('witness'))}`,
        LOG_FILES: join(context.folder, 'log-files'),
        LOG_LEVEL: 'info',
      },
      variables: (name) => variables.get(name) ?? {},
      ...(names && { through: names.through }),
    });
    const field: Field = {
      context,
      random,
      redis,
      otherRedis,
      pair,
      links,
      provider,
      owner: () => Object.assign(new URL(pair.primary().url), { pathname: '/picks' }).href,
      resolver: names,
      receivers,
      disk,
      variables,
      names: [...context.running().keys()],
      plainUrl: Object.assign(new URL(pair.ownerUrl), {
        username: new URL(logins.urls.auditor).username,
        password: new URL(logins.urls.auditor).password,
      }).href,
      faketime: await faketime(context),
    };
    const book = openBook();
    const load = await startFaultLoad(product, { book, receivers, random, times });
    closing.push(async () => load.stop());
    closing.push(watchStatus(context, product.sites[0]!, book));
    await pause(10_000);
    const picks = field.owner;
    const before = await footprint(context, picks(), redis.admin);

    const shares = chosen.reduce((sum, { share }) => sum + share, 0);
    let repeatedSoFar = 0;
    const repeatedNow = () => {
      const { repeated } = wrongInDeliveries(receivers);
      const all = repeated.reduce((sum, n) => sum + n, 0);
      const fresh = all - repeatedSoFar;
      repeatedSoFar = all;
      return fresh;
    };
    for (const kind of chosen) {
      context.aborted.throwIfAborted();
      const row = book.turnTo(kind.name);
      const skipped = kind.skipped?.(field);
      if (skipped !== undefined) row.skipped = skipped;
      else {
        const withinMs = (minutes * minute * kind.share) / shares;
        row.times = await happen(field, kind, withinMs);
        if (kind.isOutside) book.turnTo(kind.name);
        if (kind.isOutside && Math.max(row.silence, row.unread) > outsideMs)
          book.wrong.push(
            `${kind.name}: silence of ${row.silence} ms in posting, ${row.unread} ms in reading`,
          );
        // Until everything has recovered, results belong to this fault.
        await pause(6_000);
      }
      load.goesOn();
      row.repeated += repeatedNow();
      context.say(
        `  ${kind.name}: ${skipped ?? `${row.times} times, ${row.acknowledged} picks, silence ${Math.round(row.silence)} ms, ${Math.round(row.unread)} ms`}`,
      );
    }
    const last = book.turnTo('none');
    context.say('  no more faults; waiting for all games to end');
    await load.finish();
    await untilNone('picks not finished', () => unfinished(book, picks()), 2 * minute);
    await untilNone('events not delivered', () => undelivered(book, receivers), 6 * minute);
    last.repeated += repeatedNow();

    const faults = [...(await wrongInLedger(book, picks())), ...book.wrong];
    const { faults: disorder, repeated } = wrongInDeliveries(receivers);
    faults.push(...disorder);
    const happened = [...book.rows.values()].reduce((sum, { times }) => sum + times, 0);
    if (Math.max(0, ...repeated) > happened)
      faults.push(`${Math.max(...repeated)} repetitions at one receiver`);
    faults.push(...(await audited(context, product, logins.urls.auditor)));
    load.stop();
    await pause(5_000);
    const after = await footprint(context, picks(), redis.admin);
    context.say(`  open resources before: ${JSON.stringify(before)}\n  and after: ${JSON.stringify(after)}`);
    if (after.connections > 100 || after.clients > before.clients + 10 || after.keys > 20_000)
      faults.push('connections or keys have leaked');
    if (after.files > 1.5 * before.files || after.largestMb > 600) faults.push('files or memory have leaked');
    context.say(tableOf(book.rows));
    context.say(
      [...book.statuses]
        .sort()
        .map(([name, count]) => `${name}: ${count}`)
        .join(', '),
    );
    if (faults.length > 0) throw new Error(`${faults.length} faults:\n${faults.slice(0, 30).join('\n')}`);
    const { size } = book.picks;
    return `faults: seed ${seed}, ${happened} faults, ${size} picks acknowledged, none lost, all sealed, closed and settled once; ${book.subscriptions.length} subscriptions had every event in order; audits are clean`;
  } finally {
    await context.supervisor.stop(3_000);
    for (const close of closing.reverse()) await close().catch(() => {});
  }
}

/** Reads `/api/status` every second, as a monitor of the site does. Requests during which its process ended or stood still do not count. */
function watchStatus(context: StackContext, site: string, book: Book): () => Promise<void> {
  let stopped = false;
  const processOf = () => context.running().get('web')?.pid;
  const read = async () => {
    const [pid, fault] = [processOf(), book.fault()];
    if (pid === undefined || !context.isWorking('web')) return;
    const began = performance.now();
    const response = await fetch(`${site}/api/status`, { signal: AbortSignal.timeout(20_000) }).catch(
      () => undefined,
    );
    await response?.arrayBuffer().catch(() => {});
    const ms = performance.now() - began;
    // Processes are killed and frozen by these.
    if (
      processOf() !== pid ||
      !context.isWorking('web') ||
      fault.startsWith('process') ||
      fault !== book.fault()
    )
      return;
    book.statusRead(response?.status ?? 0, response === undefined && ms < 20_000 ? null : ms);
  };
  const watching = (async () => {
    while (!stopped) {
      await read();
      await pause(1_000);
    }
  })();
  return async () => {
    stopped = true;
    await watching;
  };
}

/** Causes a fault as often as the whole form requires, or until its time is over, and at least once. @returns how often it happened */
async function happen(field: Field, kind: Kind, withinMs: number): Promise<number> {
  const end = performance.now() + withinMs;
  let times = 0;
  const repeat = async (once: () => Promise<void>, restMs: number) => {
    for (let done = 0; done < kind.times && (done === 0 || performance.now() < end); done += 1) {
      field.context.aborted.throwIfAborted();
      await once();
      times += 1;
      if (restMs > 0) await pause(restMs);
    }
  };
  const { once, toProcess } = kind;
  if (once !== undefined) await repeat(() => once(field), 3_000);
  if (toProcess !== undefined) {
    // The others keep working, even on a machine on which a process takes long to start.
    const atOnce = createLimiter(3);
    const inTurn = async (name: string) => {
      await atOnce.acquire();
      await toProcess(field, name).finally(() => atOnce.release());
    };
    await Promise.all(field.names.map((name) => repeat(() => inTurn(name), 0)));
  }
  return times;
}

/** Returns a proxy in front of each server. */
function linksTo({ servers }: Pair): Promise<Outage[]> {
  return Promise.all(servers.map(({ url }) => withOutage(url)));
}

/** Runs the product's own audit. @returns its findings */
async function audited(
  { root, folder }: StackContext,
  { environment }: Product,
  databaseUrl: string,
): Promise<string[]> {
  // Asynchronous, since the proxies to PostgreSQL run in this process.
  const audit = spawn(process.execPath, [join(root, 'src', 'cli.ts'), 'audit'], {
    cwd: folder,
    env: {
      ...environment('sealing'),
      DATABASE_URL: databaseUrl,
      AUDIT_EXPECTED: expectedOfTests.join(','),
    },
    stdio: ['ignore', 'pipe', 'pipe'],
  });
  const [stdout, stderr, [status]] = await Promise.all([
    text(audit.stdout),
    text(audit.stderr),
    once(audit, 'close'),
  ]);
  return status === 0 ? [] : [`the audit ends with ${status}: ${stdout}${stderr}`];
}

/** Mounts a small in-memory file system for PostgreSQL. Returns undefined if this process may not mount. */
function mountDisk(): string | undefined {
  // The name is fixed: a killed run leaves it mounted.
  const disk = join(tmpdir(), 'public-picks-faults-disk');
  unmount(disk);
  mkdirSync(disk, { mode: 0o755 });
  const { status } = spawnSync('mount', ['-t', 'tmpfs', '-o', 'size=2g,mode=0755', 'tmpfs', disk]);
  if (status === 0) {
    process.once('exit', () => unmount(disk));
    return disk;
  }
  rmSync(disk, { recursive: true });
  return undefined;
}

function unmount(disk: string): void {
  spawnSync('umount', ['-l', disk]);
  rmSync(disk, { recursive: true, force: true });
}

async function faketime(context: StackContext): Promise<string | undefined> {
  const packaged = { packages: ['libfaketime'], paths: ['usr/lib/*/faketime/libfaketime.so.1'] };
  try {
    return (await packagedProgram('libfaketime', packaged, context)).command;
  } catch {
    return undefined;
  }
}
