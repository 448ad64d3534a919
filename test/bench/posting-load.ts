// Posts live picks as a client does. A message says how many and for how long; the answer has the results.

import { setTimeout as sleep } from 'node:timers/promises';
import pg from 'pg';
import { createPostClient } from './post-client.ts';

interface Target {
  address: string;
  token: string;
  games: number;
  cappers: number;
  /** The start of the games, ISO 8601. */
  startsAt: string;
  seconds: number;
}

export type Asked = Target &
  (
    | { kind: 'posts' /** Picks per request. */; rows: number /** Requests at once. */; atOnce: number }
    | {
        kind: 'visible' /** The database in which boards' rows appear. */;
        database: string;
        perSecond: number;
      }
  );

/** Picks added per second, and milliseconds. */
export interface Measured {
  perSecond: number;
  p50: number;
  p99: number;
}

let posted = 0;

/** Every pick is its capper's first on its game. */
function picks({ games, cappers, startsAt }: Target, rows: number): object[] {
  return Array.from({ length: rows }, () => {
    posted += 1;
    const round = Math.floor(posted / cappers);
    if (round >= games) throw new Error('every capper has a pick on every game: add games');
    return {
      capperHandle: `capper-${posted % cappers}`,
      sport: 'nba',
      game: `Away ${round} @ Home`,
      startsAt,
      market: 'moneyline',
      side: posted % 2 === 0 ? 'home' : 'away',
      pick: `Pick ${posted}`,
      oddsAmerican: -110,
      stakeUnits: 1,
    };
  });
}

function poster(target: Target, connections: number) {
  const client = createPostClient(target.address, connections);
  return {
    close: () => client.close(),
    async post(rows: number): Promise<string[]> {
      const list = picks(target, rows);
      const [status, text] = await client.post(
        '/picks',
        {
          authorization: `Bearer ${target.token}`,
          'content-type': 'application/json',
          'idempotency-key': `bench-${process.pid}-${posted}`,
        },
        JSON.stringify(rows === 1 ? list[0] : list),
      );
      const answer = JSON.parse(text) as {
        rows: { outcome: string; pickUuid: string; acknowledgement?: string }[];
      };
      if (status !== 200) throw new Error(text);
      for (const row of answer.rows)
        if (row.outcome !== 'added' || row.acknowledgement === undefined)
          throw new Error(JSON.stringify(row));
      return answer.rows.map(({ pickUuid }) => pickUuid);
    },
  };
}

async function posts(asked: Asked & { kind: 'posts' }): Promise<Measured> {
  const { rows, atOnce, seconds } = asked;
  const { post, close } = poster(asked, atOnce);
  const start = performance.now();
  const times: number[] = [];
  let count = 0;
  await Promise.all(
    Array.from({ length: atOnce }, async () => {
      while (performance.now() < start + seconds * 1000) {
        const began = performance.now();
        await post(rows);
        times.push(performance.now() - began);
        count += rows;
      }
    }),
  );
  const took = performance.now() - start;
  close();
  return { perSecond: (count / took) * 1000, ...percentiles(times) };
}

/**
 * Measures the time from sending a request to the row that boards are computed from, which is stored as the cursor moves past its entry.
 */
async function visible(asked: Asked & { kind: 'visible' }): Promise<Measured> {
  const rows = 50;
  const { post, close } = poster(asked, 16);
  const reader = new pg.Client({ connectionString: asked.database });
  await reader.connect();
  const cursor = `select next_seq from reader_cursors where reader = 'boards'`;
  const { rows: cursors } = await reader.query(cursor);
  let read: string = cursors[0].next_seq;
  /** When the request was sent, and when the pick was seen, by UUID. Either may be known first. */
  const sentAt = new Map<string, number>();
  const seenAt = new Map<string, number>();
  const times: number[] = [];
  let count = 0;
  let isPosting = true;
  const note = (uuid: string) => {
    const [sent, seen] = [sentAt.get(uuid), seenAt.get(uuid)];
    if (sent === undefined || seen === undefined) return;
    times.push(seen - sent);
    sentAt.delete(uuid);
  };
  const watch = async () => {
    while (isPosting || sentAt.size > 0) {
      const found = await reader.query(
        `select seq, uuid from ledger_entries where seq >= $1 and seq < (${cursor})`,
        [read],
      );
      const now = performance.now();
      for (const { seq, uuid } of found.rows) {
        if (BigInt(seq) >= BigInt(read)) read = String(BigInt(seq) + 1n);
        seenAt.set(uuid, now);
        note(uuid);
      }
      await sleep(20);
    }
  };
  const watching = watch();
  const start = performance.now();
  const pending: Promise<void>[] = [];
  const every = (rows / asked.perSecond) * 1000;
  for (let n = 0; performance.now() < start + asked.seconds * 1000; n += 1) {
    await sleep(Math.max(0, start + n * every - performance.now()));
    const sent = performance.now();
    pending.push(
      post(rows).then((uuids) => {
        for (const uuid of uuids) {
          sentAt.set(uuid, sent);
          note(uuid);
        }
        count += uuids.length;
      }),
    );
  }
  await Promise.all(pending);
  const took = performance.now() - start;
  isPosting = false;
  await watching;
  close();
  await reader.end();
  return { perSecond: (count / took) * 1000, ...percentiles(times) };
}

function percentiles(times: number[]): { p50: number; p99: number } {
  const sorted = times.toSorted((one, other) => one - other);
  const at = (share: number) => sorted[Math.floor(sorted.length * share)] ?? Number.NaN;
  return { p50: at(0.5), p99: at(0.99) };
}

process.on('message', (asked: Asked) => {
  (asked.kind === 'posts' ? posts(asked) : visible(asked)).then(
    (measured) => process.send?.(measured),
    (error: unknown) => {
      process.stderr.write(`${(error as Error).stack}\n`);
      process.exit(1);
    },
  );
});
