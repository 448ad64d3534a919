import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { setTimeout as pause } from 'node:timers/promises';
import type { Receiver } from '../../support/receivers.ts';
import { ask } from '../../support/standby.ts';
import type { StackContext } from '../stack.ts';
import type { Book, BookedPick } from './book.ts';

interface Delivery {
  event: string;
  seq: number;
  uuid: string;
}

/** Returns deliveries to each subscription in order of arrival, including repetitions. */
function deliveriesOf(receivers: readonly Receiver[]): Map<string, Delivery[]> {
  const byPath = new Map<string, Delivery[]>();
  for (const { path, body } of receivers.flatMap(({ received }) => received)) {
    const { event, seq, pick } = JSON.parse(body);
    const list = byPath.get(path) ?? [];
    byPath.set(path, list);
    list.push({ event, seq, uuid: pick.pickUuid });
  }
  return byPath;
}

/** Returns how many entries of each kind the log has for each pick. */
async function entriesOf(url: string): Promise<Map<string, Record<'posted' | 'closed' | 'settled', number>>> {
  const rows = await ask(
    url,
    `select p.uuid::text as uuid, count(*) filter (where e.kind = 'posted')::int as posted,
       count(*) filter (where e.kind = 'closed')::int as closed, count(*) filter (where e.kind = 'settled')::int as settled
     from picks p left join ledger_entries e on e.pick_id = p.id group by p.uuid`,
  );
  return new Map(rows.map(({ uuid, ...counts }) => [uuid as string, counts as never]));
}

/** Returns the acknowledged picks that are not sealed, closed, and settled. */
export async function unfinished(book: Book, url: string): Promise<string[]> {
  const entries = await entriesOf(url);
  const priced = new Set(book.games.filter(({ lastPriceAt }) => lastPriceAt > 0).map(({ name }) => name));
  return [...book.picks].flatMap(([uuid, { fault, game }]) => {
    const found = entries.get(uuid);
    // Without a price there is no closing.
    const isClosed = found !== undefined && (found.closed > 0 || !priced.has(game));
    if (isClosed && found.posted * found.settled > 0) return [];
    return [`${uuid} on ${game}, acknowledged during "${fault}", has ${JSON.stringify(found ?? 'no row')}`];
  });
}

/** Returns subscriptions that lack an event of a pick whose posting began after they were acknowledged. */
export function undelivered(book: Book, receivers: readonly Receiver[]): string[] {
  const deliveries = deliveriesOf(receivers);
  return book.subscriptions.flatMap(({ path, handle, acknowledged }) => {
    const got = new Set((deliveries.get(path) ?? []).map(({ event, uuid }) => `${event} ${uuid}`));
    return [...book.picks]
      .filter(([, pick]) => pick.handle === handle && pick.sent > acknowledged)
      .flatMap(([uuid]) => ['pick.posted', 'pick.settled'].map((event) => `${event} ${uuid}`))
      .filter((event) => !got.has(event))
      .map((event) => `${event} to ${path} (${handle})`);
  });
}

/** Returns what is wrong with the ledger, compared with the book; empty if nothing is. */
export async function wrongInLedger(book: Book, url: string): Promise<string[]> {
  const faults: string[] = [];
  const entries = await entriesOf(url);
  for (const [uuid, pick] of book.picks) {
    const found = entries.get(uuid);
    if (found === undefined) {
      book.rows.get(pick.fault)!.lost += 1;
      faults.push(`pick ${uuid}, acknowledged during "${pick.fault}", is lost`);
    } else if (found.posted !== 1 || found.closed > 1 || found.settled !== 1)
      faults.push(`pick ${uuid} has entries ${JSON.stringify(found)}`);
  }
  const settled = await ask(
    url,
    `select p.uuid::text as uuid, s.result, (extract(epoch from c.captured_at) * 1000)::float8 as captured_at
     from picks p join settlements s on s.pick_id = p.id left join closings c on c.pick_id = p.id`,
  );
  const games = new Map(book.games.map((game) => [game.name, game]));
  for (const { uuid, result, captured_at } of settled as {
    uuid: string;
    result: string;
    captured_at: number;
  }[]) {
    const pick = book.picks.get(uuid);
    if (pick === undefined) continue;
    const game = games.get(pick.game)!;
    if (result !== resultOf(pick, game.homeScore + game.awayScore))
      faults.push(
        `pick ${uuid} on ${pick.side} is settled as ${result} by ${game.homeScore}:${game.awayScore}`,
      );
    if (game.lastPriceAt > 0 && !(captured_at >= game.lastPriceAt))
      faults.push(
        `pick ${uuid} is closed at a price of ${captured_at}, the last one is from ${game.lastPriceAt}`,
      );
  }
  return faults;
}

function resultOf({ side }: BookedPick, goals: number): string {
  return goals > 2.5 === (side === 'over') ? 'win' : 'loss';
}

/** Returns what is wrong with the order of deliveries. Counts repetitions in `repeated`, by subscription. */
export function wrongInDeliveries(receivers: readonly Receiver[]): { faults: string[]; repeated: number[] } {
  const faults: string[] = [];
  const repeated: number[] = [];
  for (const [path, list] of deliveriesOf(receivers)) {
    let last = -1;
    let again = 0;
    for (const { seq } of list) {
      if (seq === last) again += 1;
      else if (seq < last) faults.push(`entry ${seq} came after ${last} at ${path}`);
      last = Math.max(last, seq);
    }
    repeated.push(again);
  }
  return { faults, repeated };
}

/** The resources that the processes hold. */
export interface Footprint {
  /** To PostgreSQL and Redis. */
  connections: number;
  clients: number;
  /** Keys in Redis. */
  keys: number;
  /** Files and sockets of all processes, and the resident memory of the largest in MB; 0 if the system does not report them. */
  files: number;
  largestMb: number;
}

export async function footprint(
  { running }: StackContext,
  url: string,
  redis: { dbsize(): Promise<number>; info(section: string): Promise<string> },
): Promise<Footprint> {
  const [open] = await ask(
    url,
    `select count(*)::int as n from pg_stat_activity where application_name like 'public-picks%'`,
  );
  const clients = /^connected_clients:(\d+)/m.exec(await redis.info('clients'))?.[1];
  const processes = existsSync('/proc/self/fd')
    ? [...running().values()].flatMap(({ pid }) => inGroup(pid))
    : [];
  return {
    connections: Number(open!.n),
    clients: Number(clients),
    keys: await redis.dbsize(),
    files: processes.reduce((sum, pid) => sum + readdirSync(`/proc/${pid}/fd`).length, 0),
    largestMb: Math.max(0, ...processes.map(residentMb)),
  };
}

function inGroup(group: number): number[] {
  return readdirSync('/proc').flatMap((entry) => {
    if (!/^\d+$/.test(entry)) return [];
    try {
      const stat = readFileSync(`/proc/${entry}/stat`, 'utf8');
      return Number(stat.slice(stat.lastIndexOf(')') + 2).split(' ')[2]) === group ? [Number(entry)] : [];
    } catch {
      return [];
    }
  });
}

function residentMb(pid: number): number {
  const kb = /^VmRSS:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/status`, 'utf8'))?.[1];
  return Math.round(Number(kb ?? 0) / 1024);
}

/** Waits until a list is empty. @throws Error with the rest at the deadline */
export async function untilNone(
  what: string,
  left: () => Promise<readonly string[]> | readonly string[],
  withinMs: number,
): Promise<void> {
  const deadline = Date.now() + withinMs;
  for (;;) {
    // A store that has just recovered, or a busy machine, may not answer at once.
    const list = await (async () => left())().catch((error: Error) => [error.message]);
    if (list.length === 0) return;
    if (Date.now() > deadline) throw new Error(`${list.length} ${what}: ${list.slice(0, 5).join('; ')}`);
    await pause(500);
  }
}
