export interface BookedPick {
  handle: string;
  game: string;
  side: 'over' | 'under';
  /** When its first request was sent and when it was acknowledged, in milliseconds of `performance.now()`. */
  sent: number;
  acknowledged: number;
  /** The fault in progress. */
  fault: string;
}

/** A game of the load. Its score is decided in advance and posted once it has begun. */
export interface BookedGame {
  name: string;
  /** Epoch milliseconds. */
  startsAt: number;
  homeScore: number;
  awayScore: number;
  /** When the last acknowledged price from before its start was captured, in epoch milliseconds. 0: none. */
  lastPriceAt: number;
  /** Whether its score was acknowledged. */
  final: boolean;
}

export interface BookedSubscription {
  /** Its unique path at the receiver. */
  path: string;
  handle: string;
  acknowledged: number;
}

/** The results of a fault: a row of the table. */
export interface FaultRow {
  times: number;
  acknowledged: number;
  lost: number;
  repeated: number;
  /** The longest spans without an acknowledged pick and without a page read, in milliseconds. */
  silence: number;
  unread: number;
  /** The longest wait for `/api/status` while the site's process ran, in milliseconds. */
  status: number;
  /** Why the fault was skipped. */
  skipped?: string;
}

/** The service's acknowledgements and answers, recorded outside of it. */
export interface Book {
  picks: Map<string, BookedPick>;
  games: BookedGame[];
  subscriptions: BookedSubscription[];
  /** The number of requests answered with each status. 0: no answer in time. */
  statuses: Map<string, number>;
  /** Answers that no fault excuses, such as 500. */
  wrong: string[];
  rows: ReadonlyMap<string, FaultRow>;
  /** Starts a fault: from now on, results count in the row of that name. */
  turnTo(fault: string): FaultRow;
  fault(): string;
  pickAcknowledged(uuid: string, pick: Omit<BookedPick, 'acknowledged' | 'fault'>): void;
  pageRead(): void;
  answered(what: string, status: number, body: string): void;
  /** Notes a request of `/api/status`. @param ms null: its connection was closed without an answer */
  statusRead(status: number, ms: number | null): void;
}

/** Longest wait for `/api/status`, in milliseconds: docs/operations.md#postgresql. */
const maxStatusMs = 3_000;

/** Statuses by which a client may be asked to retry while parts are down. */
const excused = new Set([0, 408, 429, 502, 503, 504]);

export function openBook(): Book {
  const rows = new Map<string, FaultRow>();
  let fault = '';
  let lastPick = performance.now();
  let lastRead = performance.now();
  const row = () => rows.get(fault)!;
  const book: Book = {
    picks: new Map(),
    games: [],
    subscriptions: [],
    statuses: new Map(),
    wrong: [],
    rows,
    fault: () => fault,
    turnTo(next) {
      if (rows.has(fault)) {
        const now = performance.now();
        row().silence = Math.max(row().silence, now - lastPick);
        row().unread = Math.max(row().unread, now - lastRead);
      }
      fault = next;
      const fresh = { times: 0, acknowledged: 0, lost: 0, repeated: 0, silence: 0, unread: 0, status: 0 };
      if (!rows.has(next)) rows.set(next, fresh);
      [lastPick, lastRead] = [performance.now(), performance.now()];
      return row();
    },
    pickAcknowledged(uuid, pick) {
      const now = performance.now();
      const before = book.picks.get(uuid);
      if (before === undefined) row().acknowledged += 1;
      row().silence = Math.max(row().silence, now - lastPick);
      lastPick = now;
      if (before === undefined) book.picks.set(uuid, { ...pick, acknowledged: now, fault });
    },
    pageRead() {
      const now = performance.now();
      row().unread = Math.max(row().unread, now - lastRead);
      lastRead = now;
    },
    statusRead(status, ms) {
      row().status = Math.max(row().status, ms ?? 0);
      if (ms !== null && ms <= maxStatusMs && status === 200) return;
      if (book.wrong.length < 20)
        book.wrong.push(
          `/api/status ${status} during ${fault}: ${ms === null ? 'cut off' : `${Math.round(ms)} ms`}`,
        );
    },
    answered(what, status, body) {
      const name = `${what} ${status}`;
      book.statuses.set(name, (book.statuses.get(name) ?? 0) + 1);
      // A pick is refused if its game began during an outage, or if its capper has posted it already.
      const isRefused = what === '/picks' && (status === 409 || status === 422);
      const isExcused = excused.has(status) || isRefused;
      if (status >= 400 && !isExcused && book.wrong.length < 20)
        book.wrong.push(`${name} during ${fault}: ${body.slice(0, 300)}`);
    },
  };
  book.turnTo('none');
  return book;
}

const titles = [
  'fault',
  'times',
  'acknowledged',
  'lost',
  'repeated',
  'silence in posting',
  'in reading',
  'status',
];

export function tableOf(rows: ReadonlyMap<string, FaultRow>): string {
  const seconds = (ms: number) => `${(ms / 1000).toFixed(1)} s`;
  const lines = [...rows].map(([name, row]) =>
    row.skipped !== undefined
      ? [name, `left out: ${row.skipped}`]
      : [
          name,
          row.times,
          row.acknowledged,
          row.lost,
          row.repeated,
          seconds(row.silence),
          seconds(row.unread),
          seconds(row.status),
        ],
  );
  const cells = [titles, ...lines.map((line) => line.map(String))];
  const widths = titles.map((_, column) =>
    Math.max(...cells.filter((line) => line.length > 2).map((line) => line[column]!.length)),
  );
  return cells
    .map((line) =>
      line
        .map((cell, column) =>
          column === 0 || line.length === 2 ? cell.padEnd(widths[column]!) : cell.padStart(widths[column]!),
        )
        .join('  '),
    )
    .join('\n');
}
