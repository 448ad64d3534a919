import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import pg from 'pg';
import { from as copyFrom } from 'pg-copy-streams';
import type { Game } from '../../../src/games/game.ts';
import type { GameRow } from '../../../src/intake/game.ts';
import { closedBody, closingFields, closingInsert } from '../../../src/ledger/events.ts';
import { settlementOf } from '../../../src/ledger/grading/settlement.ts';
import { pickInsert, postedBody } from '../../../src/ledger/pick-forms.ts';
import { importedUuid } from '../../../src/ledger/posting/import-picks.ts';
import { pickOf } from '../../../src/ledger/posting/judge.ts';
import { type Chains, entryOf, type LogEntry, sha256 } from '../../../src/ledger/sealing/log-entry.ts';
import {
  leavesOf,
  loggedPriceOf,
  type NumberedLine,
  packed,
} from '../../../src/ledger/sealing/number-prices.ts';
import type { StoredEvent } from '../../../src/ledger/sealing/stored-events.ts';
import { canonical } from '../../../src/proof/canonical.ts';
import { pricesRoot } from '../../../src/proof/prices.ts';
import { TILE_HEIGHT } from '../../../src/proof/tiles.ts';
import { append, emptyFrontier } from '../../../src/proof/tree.ts';
import { closingMarket, closingOf } from '../../../src/rules/closing.ts';
import { lineToE3 } from '../../../src/rules/fixed-point.ts';
import { netUnitsE4 } from '../../../src/rules/odds.ts';
import type { Tier } from '../../../src/rules/vocabulary.ts';
import type { World, WorldDay } from './world.ts';

/** Rows of a table in the format of COPY. */
type Rows = Map<Table, unknown[][]>;

/** The tables and columns to fill, in an order that foreign keys allow. */
const columns = {
  cappers: ['id', 'handle', 'tier', 'verified', 'created_at'],
  games: [
    ...['id', 'sport', 'name', 'announced_start', 'starts_at', 'status', 'home_score', 'away_score'],
    ...['final_at', 'was_postponed', 'announced_at'],
  ],
  lines: [
    ...[
      'id',
      'game_id',
      'market',
      'side',
      'line_e3',
      'odds_american',
      'captured_at',
      'closing',
      'book',
      'stored_at',
      'price_seq',
    ],
  ],
  picks: ['id', ...Object.keys(pickInsert.types)],
  closings: [...Object.keys(closingInsert.types), 'last_line_id'],
  settlements: [
    ...['pick_id', 'result', 'settled_at', 'away_score', 'home_score', 'net_units_e4', 'grader'],
    'last_line_id',
  ],
  pending_picks: ['pick_id', 'game_id', 'market', 'side'],
  due_games: ['game_id', 'due_at'],
  ledger_entries: [
    ...['seq', 'kind', 'pick_id', 'uuid', 'capper', 'capper_seq', 'capper_prev', 'hash', 'prev'],
    ...['leaf_hash', 'prices_id', 'prices_to', 'body'],
  ],
  price_batches: ['id', 'from_seq', 'to_seq', 'root', 'rows'],
  ledger_nodes: ['level', 'index', 'hash'],
} as const;
type Table = keyof typeof columns;
const tables = Object.keys(columns) as Table[];

/** Days whose rows are copied at once. */
const daysAtOnce = 10;

/**
 * Stores a world as importing, grading, and sealing it day by day would: the same rows with the same ids, and the same log. Closings,
 * settlements, and entries follow the same rules; only the database's own checks are skipped.
 * @param ownerUrl an empty database with the current schema, under a superuser
 */
export async function loadWorld(
  ownerUrl: string,
  world: World,
  say: (line: string) => void = () => {},
): Promise<void> {
  const client = new pg.Client({ connectionString: ownerUrl });
  await client.connect();
  try {
    await withoutTriggers(client, async () => {
      const log = createLog();
      const cappers = new Map(
        world.cappers.map(({ handle, tier }, index) => [handle, { id: index + 1, tier }]),
      );
      const now = new Date(world.now).toISOString();
      let rows: Rows = new Map([
        ['cappers', world.cappers.map((c, i) => [i + 1, c.handle, c.tier, c.verified, now])],
      ]);
      let done = 0;
      for (const day of world.days()) {
        addDay(rows, day, world.now, cappers, log);
        done += 1;
        if (done % daysAtOnce !== 0 && done < world.length) continue;
        if (done === world.length)
          for (const line of log.unnumbered) rows.set('lines', [...(rows.get('lines') ?? []), rowOf(line)]);
        for (const table of tables) await copy(client, table, rows.get(table) ?? []);
        rows = new Map();
        if (done % 100 === 0) say(`  ${done} of ${world.length} days`);
      }
    });
    await client.query(`insert into search_words
      select unnest(tsvector_to_array(words_of(name))) from games
      union select unnest(tsvector_to_array(words_of(handle || ' ' || coalesce(display_name, '')))) from cappers`);
    for (const table of ['cappers', 'games', 'lines', 'picks', 'price_batches'])
      await client.query(
        `select setval(pg_get_serial_sequence('${table}', 'id'), (select max(id) from ${table}))`,
      );
    await client.query(`vacuum (analyze) ${tables.join(', ')}, search_words`);
  } finally {
    await client.end();
  }
}

/** The log so far, and the assigned numbers. */
interface Log {
  chains: Chains;
  frontier: ReturnType<typeof emptyFrontier>;
  games: number;
  lines: number;
  picks: number;
  prices: number;
  batches: number;
  /** Prices that no entry of the log has yet. */
  unnumbered: NumberedLine[];
}

function createLog(): Log {
  return {
    chains: { cappers: new Map(), picks: new Map() },
    frontier: emptyFrontier(),
    games: 0,
    lines: 0,
    picks: 0,
    prices: 0,
    batches: 0,
    unnumbered: [],
  };
}

function addDay(
  rows: Rows,
  day: WorldDay,
  now: number,
  cappers: ReadonlyMap<string, { id: number; tier: Tier }>,
  log: Log,
): void {
  const add = (table: Table, row: unknown[]) => {
    const list = rows.get(table);
    if (list === undefined) rows.set(table, [row]);
    else list.push(row);
  };
  const games = new Map(day.games.map((row) => [nameOf(row), gameOf(row, ++log.games)]));
  for (const g of games.values())
    add('games', [
      ...[g.id, g.sport, g.name, at(g.announcedStart), at(g.startsAt), g.status, g.homeScore, g.awayScore],
      ...[at(g.finalAt), false, at(g.announcedStart)],
    ]);
  const prices = new Map<string, Parameters<typeof closingMarket>[1][number][]>();
  for (const row of day.lines) {
    const { id } = games.get(nameOf(row))!;
    const lineE3 = lineToE3(row.line);
    const { market, side, oddsAmerican, capturedAt, closing = false, book } = row;
    log.unnumbered.push({
      id: ++log.lines,
      gameId: id,
      priceSeq: 0,
      sport: row.sport,
      game: row.game,
      day: null,
      subject: null,
      startsAt: Date.parse(row.startsAt!),
      market,
      side,
      lineE3,
      oddsAmerican,
      closing,
      book,
      byHand: true,
      capturedAt: Date.parse(capturedAt),
      storedAt: now,
    } as NumberedLine & { gameId: number });
    const key = `${id}/${market}`;
    const price = {
      side,
      lineE3,
      oddsAmerican,
      capturedAt: Date.parse(capturedAt),
      closing,
      book,
      byHand: true,
    };
    const list = prices.get(key);
    if (list === undefined) prices.set(key, [price]);
    else list.push(price);
  }
  const posted: StoredEvent[] = [];
  const closed: (StoredEvent & { at: number; pickId: number })[] = [];
  const settled: (StoredEvent & { at: number; pickId: number })[] = [];
  const open = new Set<Game>();
  const markets = new Map<string, ReturnType<typeof closingMarket>>();
  const marketOf = ({ id, startsAt }: Game, market: string) => {
    const key = `${id}/${market}`;
    const known = markets.get(key) ?? closingMarket(market, prices.get(key) ?? [], startsAt!);
    markets.set(key, known);
    return known;
  };
  for (const row of day.picks) {
    const game = games.get(nameOf(row))!;
    const capper = row.capperHandle;
    const post = { row, uuid: importedUuid(row), postedAt: Date.parse(row.postedAt) };
    const pick = pickOf(post, 'imported', cappers.get(capper)!, game);
    const id = ++log.picks;
    const { uuid, market, side } = pick;
    add('picks', [id, ...Object.values(pickInsert.row(pick))]);
    const body = postedBody({ ...pick, id });
    posted.push({ kind: 'posted', pickId: id, capper, body });
    const moneylineWays = game.sport === 'soccer' ? 3 : 2;
    const settlement = settlementOf(pick, game, undefined, moneylineWays, now);
    const startsAt = game.startsAt!;
    const isClosed = startsAt <= Math.min(now, settlement?.settledAt ?? now);
    const prices = isClosed ? marketOf(game, market) : null;
    const closing = prices === null ? null : closingOf(prices, pick);
    if (prices !== null && closing !== null) {
      const row = {
        pickId: id,
        ...closingFields(closing, startsAt, prices, { ...pick, sport: game.sport, moneylineWays }),
      };
      const body = closedBody({ ...row, uuid, lastLineId: log.lines });
      closed.push({
        kind: 'closed',
        pickId: id,
        gameId: game.id,
        capper,
        lastLineId: log.lines,
        at: startsAt,
        body,
      });
      add('closings', [...Object.values(closingInsert.row(row)), log.lines]);
    }
    if (settlement !== null) {
      const { result, grader, awayScore, homeScore, half } = settlement;
      const netUnits = netUnitsE4(result, pick.stakeE4, pick.oddsAmerican, half);
      const body = {
        v: 1 as const,
        uuid,
        result,
        half: false,
        settled_at: at(settlement.settledAt)!,
        away_score: awayScore,
        home_score: homeScore,
        sets: null,
        played: null,
        stat: null,
        price_check: null,
        net_units_e4: netUnits,
        grader,
      };
      settled.push({
        kind: 'settled',
        pickId: id,
        capper,
        lastLineId: log.lines,
        at: settlement.settledAt,
        body,
      } as (typeof settled)[number]);
      add('settlements', [
        ...[id, result, body.settled_at, awayScore, homeScore, netUnits, grader, log.lines],
      ]);
    } else {
      add('pending_picks', [id, game.id, market, side]);
      open.add(game);
    }
  }
  for (const { id, startsAt } of open) add('due_games', [id, at(startsAt)]);
  const byTime = (a: { at: number; pickId: number }, b: { at: number; pickId: number }) =>
    a.at - b.at || a.pickId - b.pickId;
  if (closed.length + settled.length > 0) sealPrices(add, log);
  for (const event of [...posted, ...closed.sort(byTime), ...settled.sort(byTime)]) seal(add, log, event);
  // The next events of this day's picks are after the world's end.
  log.chains.picks.clear();
}

function rowOf(line: NumberedLine): unknown[] {
  const { id, market, side, lineE3, oddsAmerican, capturedAt, closing, book, storedAt, priceSeq } = line;
  const { gameId } = line as typeof line & { gameId: number };
  const instants = [at(capturedAt), closing, book, at(storedAt)];
  return [id, gameId, market, side, lineE3, oddsAmerican, ...instants, priceSeq === 0 ? null : priceSeq];
}

/** Numbers the new prices, and puts them into the log. */
function sealPrices(add: (table: Table, row: unknown[]) => void, log: Log): void {
  const from = log.prices + 1;
  const lines = log.unnumbered.splice(0).map((line) => ({ ...line, priceSeq: ++log.prices }));
  if (lines.length === 0) return;
  for (const line of lines) add('lines', rowOf(line));
  const texts = lines.map((line) => canonical(loggedPriceOf(line)));
  const root = Buffer.from(pricesRoot(leavesOf(texts), sha256)).toString('hex');
  const subjectId = ++log.batches;
  add('price_batches', [subjectId, from, log.prices, bytes(root), bytes(packed(texts).toString('hex'))]);
  const body = { v: 1 as const, from_seq: from, to_seq: log.prices, count: lines.length, root };
  seal(add, log, { kind: 'prices', subjectId, body });
}

function seal(add: (table: Table, row: unknown[]) => void, log: Log, event: StoredEvent): void {
  const { frontier, chains } = log;
  const seq = frontier.size;
  const to = 'lastLineId' in event && log.prices > 0 ? log.prices : null;
  const entry: LogEntry = entryOf(event, seq, chains, to);
  add('ledger_entries', [
    ...[seq, entry.kind, entry.pick_id, entry.uuid, entry.capper, entry.capper_seq, bytes(entry.capper_prev)],
    ...[bytes(entry.hash), bytes(entry.prev), bytes(entry.leaf_hash), entry.prices_id, to, entry.body],
  ]);
  append(frontier, Buffer.from(entry.leaf_hash, 'hex'), sha256).forEach((hash, level) => {
    if (level > 0 && level % TILE_HEIGHT === 0)
      add('ledger_nodes', [level, Math.floor(seq / 2 ** level), bytes(Buffer.from(hash).toString('hex'))]);
  });
}

function gameOf(row: GameRow, id: number): Game {
  const start = Date.parse(row.startsAt!);
  return {
    id,
    sport: row.sport,
    name: row.game,
    homeKnown: true,
    announcedStart: start,
    day: null,
    startsAt: start,
    heldStart: null,
    status: row.status,
    homeScore: row.homeScore ?? null,
    awayScore: row.awayScore ?? null,
    homeHalfScore: null,
    awayHalfScore: null,
    sets: null,
    played: null,
    periodsE3: null,
    competition: null,
    finalAt: row.finalAt == null ? null : Date.parse(row.finalAt),
    wasPostponed: false,
    vouchedAt: 0,
  };
}

function nameOf({ sport, game, startsAt }: { sport: string; game: string; startsAt?: string | null }) {
  return `${sport}\n${game}\n${startsAt}`;
}

function at(instant: number): string;
function at(instant: number | null): string | null;
function at(instant: number | null): string | null {
  return instant === null ? null : new Date(instant).toISOString();
}

/** Returns bytes in the format of COPY, from hex. */
function bytes(hex: string | null): string | null {
  return hex === null ? null : `\\\\x${hex}`;
}

/** Disables the checks and work lists of the tables while they are filled. */
async function withoutTriggers(client: pg.Client, work: () => Promise<void>): Promise<void> {
  const { rows } = await client.query<{ table: string; name: string }>(
    `select tgrelid::regclass::text as table, tgname as name from pg_trigger
     where tgenabled = 'A' and tgrelid = any($1::regclass[])`,
    [tables],
  );
  for (const table of tables) await client.query(`alter table ${table} disable trigger all`);
  await work();
  for (const table of tables) await client.query(`alter table ${table} enable trigger all`);
  for (const { table, name } of rows)
    await client.query(`alter table ${table} enable always trigger ${name}`);
}

async function copy(client: pg.Client, table: Table, rows: readonly unknown[][]): Promise<void> {
  if (rows.length === 0) return;
  const text = rows.map((row) => `${row.map((cell) => (cell === null ? '\\N' : cell)).join('\t')}\n`);
  const lines = Array.from({ length: Math.ceil(text.length / 1000) }, (_, index) =>
    text.slice(index * 1000, (index + 1) * 1000).join(''),
  );
  const into = client.query(
    copyFrom(`copy ${table} (${columns[table].map((c) => `"${c}"`).join(', ')}) from stdin`),
  );
  await pipeline(Readable.from(lines), into);
}
