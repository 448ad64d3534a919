import { randomUUID } from 'node:crypto';
import { chmodSync, renameSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { ownRedis } from '../support/own-redis.ts';
import { startReceiver } from '../support/receivers.ts';
import { until } from '../support/until.ts';
import { auditOf, startOwnServer } from './own-server.ts';
import { packagedProgram } from './packages.ts';
import { startProduct } from './product.ts';
import type { StackContext } from './stack.ts';

/** Milliseconds that each wrong clock lasts. */
const forMs = 15_000;

/**
 * All processes while their clocks jump hours ahead and back: first with a correct clock of PostgreSQL, then together with it. A pick is
 * posted every half second throughout. Every acknowledged pick is sealed in the end, and the audit finds nothing.
 */
export async function stack(context: StackContext): Promise<string> {
  const packaged = { packages: ['libfaketime'], paths: ['usr/lib/*/faketime/libfaketime.so.1'] };
  const library = (await packagedProgram('libfaketime', packaged, context)).command;
  const clockOf = (name: string) => {
    const file = join(context.folder, name);
    const set = (by: string) => {
      writeFileSync(`${file}.new`, by);
      chmodSync(`${file}.new`, 0o644);
      renameSync(`${file}.new`, file);
    };
    set('+0');
    const variables = {
      LD_PRELOAD: library,
      FAKETIME_TIMESTAMP_FILE: file,
      FAKETIME_NO_CACHE: '1',
      FAKETIME_DONT_FAKE_MONOTONIC: '1',
    };
    return { set, variables };
  };
  const clocks = { processes: clockOf('clock-of-processes'), server: clockOf('clock-of-server') };
  const [redis, receiver] = [await ownRedis(), await startReceiver()];
  try {
    const server = await startOwnServer(context, clocks.server.variables);
    const product = await startProduct(context, {
      databaseUrl: (login) => server.url(login),
      redisUrl: redis.url,
      receiver,
      variables: () => clocks.processes.variables,
    });
    const send = (path: string, row: object, key: string = randomUUID()) =>
      fetch(`${product.operator}${path}`, {
        method: 'POST',
        headers: {
          Authorization: `Bearer ${product.token}`,
          'Content-Type': 'application/json',
          'Idempotency-Key': key,
        },
        body: JSON.stringify(row),
        signal: AbortSignal.timeout(10_000),
      });
    const startsAt = new Date(Math.ceil(Date.now() / 3_600_000) * 3_600_000 + 8 * 3_600_000).toISOString();
    const game = { sport: 'soccer', game: 'Hawks @ Otters', startsAt };
    await send('/cappers', { handle: 'ada', tier: 'elite', verified: true });
    await send('/games', { ...game, status: 'scheduled' });

    const acknowledged: string[] = [];
    /** Posts and reads for a while. @returns how often each answer came */
    async function use(ms: number): Promise<string> {
      const counts = new Map<string, number>();
      const count = (answer: string) => counts.set(answer, (counts.get(answer) ?? 0) + 1);
      for (const endAt = performance.now() + ms; performance.now() < endAt; await pause(500)) {
        const bet = { market: 'question', subject: randomUUID(), side: 'yes', pick: 'Yes' };
        const row = { capperHandle: 'ada', ...game, ...bet, oddsAmerican: -110, stakeUnits: 1 };
        const post = await send('/picks', row);
        const body = (await post.json()) as { rows?: { pickUuid: string }[]; detail?: string };
        if (post.ok) acknowledged.push(body.rows![0]!.pickUuid);
        count(`post ${post.status}${post.ok ? '' : ` (${body.detail?.replace(/^pick \S+: /, '')})`}`);
        const read = await fetch(`${product.sites[0]}/api/cappers/ada/picks`);
        await read.arrayBuffer();
        count(`read ${read.status}`);
      }
      return [...counts].map(([answer, n]) => `${n} x ${answer}`).join(', ');
    }

    const unsealed = async () => {
      const [row] = await server.query('select count(*)::int as n from unsealed_events');
      return Number(row?.n);
    };
    /** Returns what the audit finds in picks posted while the clock was wrong, and whether it finds anything else. */
    async function audited(): Promise<{ wrongTimes: number; status: number }> {
      await until(async () => (await unsealed()) === 0);
      const { status, output } = await auditOf(context, product, server);
      const found = output.split('\n').filter((line) => line.startsWith('picks, '));
      const ofClocks = found.filter((line) =>
        /it is in the future|it was stored later than this time|the checkpoint that covers it was signed before it/.test(
          line,
        ),
      );
      if (ofClocks.length < found.length || !/ match what was sealed and signed\.$/m.test(output))
        throw new Error(output);
      return { wrongTimes: ofClocks.length, status };
    }

    context.say(`  right: ${await use(5_000)}`);
    for (const by of ['+2h', '-2h']) {
      clocks.processes.set(by);
      context.say(`  ${by} for processes: ${await use(forMs)}`);
      clocks.processes.set('+0');
      context.say(`    after that: ${await use(forMs)}`);
    }
    const beside = await audited();
    context.say(`  the audit ends with ${beside.status}`);
    for (const by of ['+2h', '-2h']) {
      for (const clock of Object.values(clocks)) clock.set(by);
      context.say(`  ${by} for processes and PostgreSQL: ${await use(forMs)}`);
      for (const clock of Object.values(clocks)) clock.set('+0');
      context.say(`    after that: ${await use(forMs)}`);
    }
    const together = await audited();
    const [{ n: sealed } = {}] = await server.query(
      `select count(*)::int as n from ledger_entries e join picks p on p.id = e.pick_id
       where e.kind = 'posted' and p.uuid in ('${acknowledged.join("', '")}')`,
    );
    const line =
      `clock-jumps: ${acknowledged.length} picks acknowledged, ${sealed} of them sealed; audit beside a right PostgreSQL ends with ` +
      `${beside.status}; when its clock jumped too, with ${together.status}: it names ${together.wrongTimes} picks with wrong times, and nothing else`;
    if (sealed !== acknowledged.length || beside.status !== 0 || together.wrongTimes === 0)
      throw new Error(line);
    return line;
  } finally {
    await context.supervisor.stop();
    await Promise.all([redis.close(), receiver.close()]);
  }
}
