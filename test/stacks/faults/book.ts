/** A pick that was acknowledged. */
export interface BookedPick {
  handle: string;
  game: string;
  side: 'over' | 'under';
  /** When its first request was sent and when it was acknowledged, in milliseconds of `performance.now()`. */
  sent: number;
  acknowledged: number;
  /** During which fault. */
  fault: string;
}

/** A game of the load. Scores are decided at once and posted once it has begun. */
export interface BookedGame {
  name: string;
  /** Epoch milliseconds. */
  startsAt: number;
  homeScore: number;
  awayScore: number;
  /** When the last price of before its start that was acknowledged was captured, in epoch milliseconds; 0: none. */
  lastPriceAt: number;
  /** Whether its score was acknowledged. */
  final: boolean;
}

/** A webhook subscription that was acknowledged. */
export interface BookedSubscription {
  /** Path at the receiver, which no other has. */
  path: string;
  handle: string;
  acknowledged: number;
}

/** What came of a fault: a row of the table. */
export interface FaultRow {
  times: number;
  acknowledged: number;
  lost: number;
  repeated: number;
  /** Milliseconds, the longest span without an acknowledged pick, and without a page read. */
  silence: number;
  unread: number;
  /** Why the fault was left out. */
  skipped?: string;
}

/** What the service acknowledged and what it answered, kept outside of it. */
export interface Book {
  picks: Map<string, BookedPick>;
  games: BookedGame[];
  subscriptions: BookedSubscription[];
  /** How many requests were answered with each status; 0: none came in time. */
  statuses: Map<string, number>;
  /** Answers that no fault excuses, such as 500. */
  wrong: string[];
  rows: ReadonlyMap<string, FaultRow>;
  /** Faults are on from now: what happens is counted in the row of that name. */
  turnTo(fault: string): FaultRow;
  /** The present fault. */
  fault(): string;
  pickAcknowledged(uuid: string, pick: Omit<BookedPick, 'acknowledged' | 'fault'>): void;
  pageRead(): void;
  answered(what: string, status: number, body: string): void;
}

/** What a client may be told while parts are away: to come again. */
const excused = new Set([0, 408, 429, 502, 503, 504]);

export function openBook(): Book {
  const rows = new Map<string, FaultRow>();
  let fault = '';
  let lastPick = performance.now();
  let lastRead = performance.now();
  const row = () => rows.get(fault)!;
  const book: Book = {
    ...{ picks: new Map(), games: [], subscriptions: [], statuses: new Map(), wrong: [], rows },
    fault: () => fault,
    turnTo(next) {
      if (rows.has(fault)) {
        const now = performance.now();
        row().silence = Math.max(row().silence, now - lastPick);
        row().unread = Math.max(row().unread, now - lastRead);
      }
      fault = next;
      const fresh = { times: 0, acknowledged: 0, lost: 0, repeated: 0, silence: 0, unread: 0 };
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
    answered(what, status, body) {
      const name = `${what} ${status}`;
      book.statuses.set(name, (book.statuses.get(name) ?? 0) + 1);
      // A pick whose game began while nobody answered is refused, and so is one that its capper has posted already.
      const isRefused = what === '/picks' && (status === 409 || status === 422);
      const isExcused = excused.has(status) || isRefused;
      if (status >= 400 && !isExcused && book.wrong.length < 20)
        book.wrong.push(`${name} during ${fault}: ${body.slice(0, 300)}`);
    },
  };
  book.turnTo('none');
  return book;
}

const titles = ['fault', 'times', 'acknowledged', 'lost', 'repeated', 'silence in posting', 'in reading'];

/** The table of a run. */
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
