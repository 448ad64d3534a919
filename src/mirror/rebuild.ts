// Fills an empty database from a copy of a log (docs/rules/ledger.md#a-copy). Only this file reads the log backwards, from bodies to rows:
// entries, tree, checkpoints, closings, and projections come from the code that the service runs.

import { kindNamedBy } from '../../migrations/index.ts';
import { keysIn, type MirroredEntry, readMirror } from '../../packages/client/src/mirror.ts';
import { type About, knownSubjects } from '../games/subjects.ts';
import { closedFields, settledFields } from '../ledger/events.ts';
import { insertOfBody } from '../ledger/field.ts';
import { pickFields } from '../ledger/pick.ts';
import { storeCheckpoint } from '../ledger/publishing/signed-checkpoints.ts';
import { type Chains, entryOf, type LogEntry } from '../ledger/sealing/log-entry.ts';
import { packed } from '../ledger/sealing/number-prices.ts';
import { recomputePicks } from '../ledger/sealing/recompute/events.ts';
import { storeEntries } from '../ledger/sealing/seal.ts';
import { ownColumns, type StoredEvent, subjectOf, subjects } from '../ledger/sealing/stored-events.ts';
import { growTree } from '../ledger/sealing/tree.ts';
import { columnsOf, columnTypes } from '../platform/columns.ts';
import type { Database, Transaction } from '../platform/database.ts';
import { updateProjections } from '../projections/update.ts';
import type { Bodies } from '../proof/bodies.ts';
import { canonical } from '../proof/canonical.ts';
import { idOfKey } from '../proof/capper-key.ts';
import { openCheckpoint } from '../proof/checkpoint.ts';
import { openKeyAnnouncement } from '../proof/key-announcement.ts';
import type { LoggedPrice } from '../proof/prices.ts';
import { parseNote } from '../proof/signed-note.ts';
import { formatVerifierKey, parseVerifierKey, type VerifierKey } from '../proof/verifier-key.ts';
import { etDay } from '../rules/et-day.ts';
import type { LogKind } from '../rules/vocabulary.ts';

/** The mirror cannot fill this database; the message says why. */
export class RebuildError extends Error {
  override name = 'RebuildError';
}

type Row = Record<string, string | number | boolean | null>;

/** A game as the log describes it. Instants are text. */
interface MirroredGame {
  id: number;
  sport: string;
  name: string;
  announced: string | null;
  day: string | null;
  /** The current start, and the first that had passed when it moved. */
  start: string | null;
  held: string | null;
  status: 'scheduled' | 'final' | 'cancelled';
  score: Pick<Bodies['settled'], 'home_score' | 'away_score' | 'sets' | 'played'> | null;
  half: [home: number, away: number] | null;
  endedAt: string | null;
  postponed: boolean;
  firstSeen: string;
}

/** Triggers of intake: the log has what they check, time, and list. */
const intake = [
  'capper_keys',
  'closings',
  'data_indexes',
  'game_joins',
  'games',
  'lines',
  'log_kind',
  'notices',
  'picks',
  'price_batches',
  'settlements',
  'signing_keys',
  'start_moves',
  'unsealed_events',
];

/**
 * Updates the projections, too.
 * @param owner a pool whose role owns the tables
 * @returns the number of entries
 * @throws RebuildError, or MirrorError if the mirror is not whole
 */
export async function rebuildFrom(
  folder: string,
  owner: Database,
  onProgress: (entries: number) => void = () => {},
): Promise<number> {
  const size = await owner.transaction(async (transaction) => {
    const [{ used }] = (
      await transaction.raw(
        `select exists (select from ledger_entries) or exists (select from cappers) or exists (select from games)
           or exists (select from notices where topic <> 'log-kind') as used`,
      )
    ).rows as [{ used: boolean }];
    if (used) throw new RebuildError('The database is not empty: rebuild into a new one.');
    const resume = await withoutTriggers(transaction);
    const { joins, kind } = await readAhead(folder);
    // The migration has stored the kind that it was given, and its notice.
    await transaction.raw('delete from unsealed_events');
    await transaction.raw('delete from notices');
    await transaction('log_kind').update({ kind });
    const writer = mirrorWriter(transaction, keysIn(folder, 'keys'), joins);
    const { origin, size, notes } = await readMirror(folder, [], async (entries) => {
      await writer.write(entries);
      onProgress(entries.at(-1)!.entry.seq + 1);
    });
    await storeSignatures(transaction, origin, await writer.finish(), keysIn(folder, 'witnesses'), notes);
    await storeFairPrices(transaction);
    await resume();
    return size;
  });
  await updateProjections(owner);
  return size;
}

type Join = Bodies['game_joined'];

/**
 * Reads a mirror for what the first rows depend on: its joins, because a game that others are joined into has a lower number, whichever the
 * log names first, and the kind of the log, which one of its first notices names unless it is live.
 */
async function readAhead(folder: string): Promise<{ joins: Join[]; kind: LogKind }> {
  const joins: Join[] = [];
  let kind: LogKind | undefined;
  await readMirror(folder, [], async (entries) => {
    for (const { entry, body } of entries) {
      if (entry.kind === 'game_joined') joins.push(body as Join);
      if (entry.kind === 'notice') kind ??= kindNamedBy(body as Bodies['notice']);
    }
  });
  return { joins, kind: kind ?? 'live' };
}

const identityOf = (sport: string, { game, announced_start, day }: Join['from']) =>
  canonical([sport, game, announced_start, day]);

/** Turns off the triggers of intake. Names of cappers and games still enter the search. @returns a function that turns them on again */
async function withoutTriggers(transaction: Transaction): Promise<() => Promise<void>> {
  const { rows }: { rows: { table: string; name: string; always: boolean }[] } = await transaction.raw(
    `select tgrelid::regclass::text as table, tgname as name, tgenabled = 'A' as always from pg_trigger
     where not tgisinternal and tgrelid = any(?::regclass[]) and tgname <> 'games_named'`,
    [intake],
  );
  for (const { table, name } of rows) await transaction.raw(`alter table ${table} disable trigger ${name}`);
  return async () => {
    for (const { table, name, always } of rows)
      await transaction.raw(`alter table ${table} enable ${always ? 'always ' : ''}trigger ${name}`);
  };
}

const inserts = {
  posted: insertOfBody(pickFields, 'p'),
  closed: insertOfBody(closedFields, 'k'),
  settled: insertOfBody(settledFields, 's'),
};

const lineTypes = {
  ...columnTypes(
    'id bigint, game_id bigint, market text, subject text, side text, line_e3 int, odds_american int',
  ),
  ...columnTypes('captured_at timestamptz, closing boolean, book text, by_hand boolean'),
  ...columnTypes('stored_at timestamptz, price_seq bigint'),
};

function mirrorWriter(transaction: Transaction, trusted: readonly string[], joins: readonly Join[]) {
  const keys: VerifierKey[] = [];
  const cappers = new Map<string, { id: number; tier: string; isNew: boolean }>();
  const games = new Map<string, MirroredGame>();
  // A game can be joined after others were joined into it, so the last join has the lowest numbers.
  const identities = joins
    .toReversed()
    .flatMap(({ sport, from, to }) => [identityOf(sport, to), identityOf(sport, from)]);
  const numbers = new Map([...new Set(identities)].map((identity, at) => [identity, at + 1]));
  const named = new Map<string, MirroredGame[]>();
  const picks = new Map<string, { id: number; game: MirroredGame }>();
  const abouts = new Map<string, About>();
  const chains: Chains = { cappers: new Map(), picks: new Map() };
  const counts = { key: 1, notice: 0, start_moved: 0, game_joined: 0, prices: 0, data: 0, capper_key: 0 };

  const insert = async (table: string, types: Readonly<Record<string, string>>, rows: readonly Row[]) => {
    if (rows.length === 0) return;
    const expression = columnsOf(types, rows);
    await transaction.raw(
      `insert into ${table} (${Object.keys(types).join(', ')}) overriding system value select * from ${expression.table}`,
      expression.bindings,
    );
  };
  const one = (table: string, row: Readonly<Record<string, unknown>>) =>
    transaction.raw(
      `insert into ${table} (${Object.keys(row).join(', ')}) overriding system value values (${Object.keys(row).map(() => '?')})`,
      Object.values(row) as never[],
    );

  const nameKey = (sport: string, name: string) => `${sport} ${name}`;
  let fresh: MirroredGame[] = [];
  function gameOf(
    { sport, game, day = null }: { sport: string; game: string; day?: string | null },
    announced: string | null,
    seenAt: string,
  ): MirroredGame {
    const key = identityOf(sport, { game, announced_start: announced, day });
    const known = games.get(key);
    if (known !== undefined) return known;
    const id = numbers.get(key) ?? numbers.size + 1;
    numbers.set(key, id);
    const made: MirroredGame = {
      id,
      sport,
      name: game,
      announced,
      day,
      start: announced,
      held: null,
      status: 'scheduled',
      score: null,
      half: null,
      endedAt: null,
      postponed: false,
      firstSeen: seenAt,
    };
    games.set(key, made);
    named.set(nameKey(sport, game), [...(named.get(nameKey(sport, game)) ?? []), made]);
    fresh.push(made);
    return made;
  }

  /** Returns the game of a pick, which names the start as known when it was posted. */
  function gameOfPick(pick: Bodies['posted']): MirroredGame {
    const same = (named.get(nameKey(pick.sport, pick.game)) ?? []).filter(({ day }) => day === pick.day);
    const found =
      same.find(({ start }) => start === pick.starts_at) ??
      same.find(({ announced }) => announced === pick.starts_at);
    return found ?? gameOf(pick, pick.day === null ? pick.starts_at : null, pick.posted_at);
  }

  /** Returns the game of a move. A move does not name the day of a game that was announced without a start. */
  function gameOfMove(move: Bodies['start_moved']): MirroredGame {
    const { sport, game, announced_start, from, to, at } = move;
    if (announced_start !== null) return gameOf(move, announced_start, at);
    const same = (named.get(nameKey(sport, game)) ?? []).filter(({ announced }) => announced === null);
    const day = etDay(Date.parse(to ?? from!));
    return (
      same.find(({ start }) => from !== null && start === from) ??
      same.find((each) => each.day === day) ??
      same.findLast(({ start }) => start === from) ??
      gameOf({ sport, game, day }, null, at)
    );
  }

  function capperOf(handle: string, tier?: string): number {
    const known = cappers.get(handle) ?? { id: cappers.size + 1, tier: 'listed', isNew: true };
    cappers.set(handle, known);
    if (tier !== undefined) known.tier = tier;
    return known.id;
  }

  function note(
    { id: gameId, sport, name: game }: MirroredGame,
    { market, subject }: Pick<About, 'market' | 'subject'>,
  ): void {
    if (subject !== null)
      abouts.set(`${gameId} ${market} ${subject}`, { gameId, sport, market, subject, game });
  }

  function learn(game: MirroredGame, body: Bodies['settled']): void {
    const { grader, home_score, away_score, sets, played, settled_at } = body;
    if (grader === 'cancelled') Object.assign(game, { status: 'cancelled', endedAt: settled_at });
    if (grader === 'postponed') game.postponed = true;
    if (home_score === null || away_score === null) return;
    if (grader === 'first_half_score') game.half = [home_score, away_score];
    else
      Object.assign(game, {
        status: 'final',
        score: {
          home_score,
          away_score,
          sets: sets ?? game.score?.sets ?? null,
          played: played ?? game.score?.played ?? null,
        },
        endedAt: game.endedAt ?? settled_at,
      });
  }

  function share(...both: [MirroredGame, MirroredGame]): void {
    for (const [game, other] of [both, both.toReversed() as typeof both]) {
      game.postponed ||= other.postponed;
      game.half ??= other.half;
      if (game.status !== 'scheduled') continue;
      const { status, score, endedAt } = other;
      Object.assign(game, { status, score, endedAt });
    }
  }

  async function write(entries: readonly MirroredEntry[]): Promise<void> {
    const rows = { posted: [] as Row[], closed: [] as Row[], settled: [] as Row[], lines: [] as Row[] };
    const others: [table: string, row: Readonly<Record<string, unknown>>][] = [];
    const made: LogEntry[] = [];
    abouts.clear();
    for (const { entry, body, prices } of entries) {
      const event = eventOf(entry.kind, body, entry.uuid, entry.capper);
      const pick = 'pickId' in event ? picks.get(entry.uuid!)! : undefined;
      if (event.kind === 'posted') {
        const posted = body as Bodies['posted'];
        rows.posted.push({
          ...inserts.posted.row(posted),
          capper_id: capperOf(posted.capper, posted.tier),
          game_id: pick!.game.id,
        });
        note(pick!.game, posted);
      } else if (event.kind === 'closed' || event.kind === 'settled') {
        const last = { pick_id: event.pickId, last_line_id: (body as Bodies['closed']).prices_to ?? 0 };
        rows[event.kind].push({ ...inserts[event.kind].row(body), ...last });
        if (event.kind === 'settled') learn(pick!.game, body as Bodies['settled']);
      } else others.push(await rowOfLog(event as never, prices, rows.lines));
      const of = 'prices_to' in body ? body.prices_to : null;
      const stored = entryOf(event, entry.seq, chains, of);
      if (stored.hash !== entry.hash || stored.capper_seq !== entry.capper_seq || stored.prev !== entry.prev)
        throw new RebuildError(`Entry ${entry.seq} does not continue the chain of its capper or pick.`);
      if (event.kind === 'settled') {
        chains.picks.delete(event.pickId);
        picks.delete(entry.uuid!);
      }
      made.push(stored);
    }
    await insert(
      'cappers',
      columnTypes('id int, handle text, tier text, verified boolean, created_at timestamptz'),
      [...cappers].flatMap(([handle, capper]) => {
        if (!capper.isNew) return [];
        capper.isNew = false;
        return {
          id: capper.id,
          handle,
          tier: capper.tier,
          verified: true,
          created_at: fresh[0]?.firstSeen ?? new Date(0).toISOString(),
        };
      }),
    );
    await insert(
      'games',
      {
        ...columnTypes('id bigint, sport text, name text, announced_start timestamptz, day date'),
        ...columnTypes('starts_at timestamptz, announced_at timestamptz'),
      },
      fresh.map(({ id, sport, name, announced, day, firstSeen }) => ({
        id,
        sport,
        name,
        announced_start: announced,
        day,
        starts_at: announced,
        announced_at: firstSeen,
      })),
    );
    fresh = [];
    await knownSubjects(transaction, [...abouts.values()]);
    await insert('lines', lineTypes, rows.lines);
    await insert('picks', { ...inserts.posted.types, capper_id: 'int', game_id: 'bigint' }, rows.posted);
    for (const kind of ['closed', 'settled'] as const)
      await insert(
        kind === 'closed' ? 'closings' : 'settlements',
        { ...inserts[kind].types, pick_id: 'bigint', last_line_id: 'bigint' },
        rows[kind],
      );
    for (const [table, row] of others) await one(table, row);
    await storeEntries(transaction, made);
    await growTree(
      transaction,
      made[0]!.seq,
      made.map(({ leaf_hash }) => Buffer.from(leaf_hash, 'hex')),
    );
  }

  /** Returns the event of an entry, with the ids that this database gives to its rows. */
  function eventOf(
    kind: StoredEvent['kind'],
    body: object,
    uuid: string | null,
    capper: string | null,
  ): StoredEvent {
    if (kind === 'posted') {
      const posted = body as Bodies['posted'];
      picks.set(posted.uuid, { id: posted.id, game: gameOfPick(posted) });
      return { kind, pickId: posted.id, capper: posted.capper, body: posted };
    }
    if (kind === 'closed' || kind === 'settled') {
      const pick = picks.get(uuid!);
      if (pick === undefined) throw new RebuildError(`Pick ${uuid} was ${kind} before it was posted.`);
      return {
        kind,
        pickId: pick.id,
        gameId: pick.game.id,
        lastLineId: 0,
        capper: capper!,
        body,
      } as StoredEvent;
    }
    counts[kind] += 1;
    return { kind, subjectId: counts[kind], body } as StoredEvent;
  }

  /** Returns the row of an entry that is not a pick's. @param lines gets its prices */
  async function rowOfLog(
    event: Extract<StoredEvent, { subjectId: number }>,
    prices: readonly LoggedPrice[] | undefined,
    lines: Row[],
  ): Promise<[table: string, row: Readonly<Record<string, unknown>>]> {
    const id = subjectOf(event);
    const { body } = event;
    const own = event.kind === 'prices' ? { id } : { id, ...ownColumns(event.kind, body) };
    const { table } = subjects[event.kind];
    if (event.kind === 'key') {
      const { note } = event.body;
      await beginKeys(note);
      const before = keys.at(-1)!;
      const { key } = await openKeyAnnouncement(note, before.name, before);
      keys.push(key);
      return [table, { ...own, vkey: formatVerifierKey(key) }];
    }
    if (event.kind === 'notice' || event.kind === 'data') return [table, own];
    if (event.kind === 'capper_key') {
      const { capper, key, at } = event.body;
      return [table, { ...own, capper_id: capperOf(capper), key_id: idOfKey(key), stored_at: at }];
    }
    if (event.kind === 'start_moved') {
      const { from, to, at } = event.body;
      const game = gameOfMove(event.body);
      if (from !== null && at >= from) game.held ??= from;
      game.start = to;
      return [table, { ...own, game_id: game.id }];
    }
    if (event.kind === 'game_joined') {
      const { sport, from, to, at } = event.body;
      const [origin, target] = [from, to].map((game) => gameOf({ sport, ...game }, game.announced_start, at));
      const before = [origin!.start, target!.start].every((start) => start === null || at < start);
      return [table, { ...own, from_game: origin!.id, to_game: target!.id, prices: before }];
    }
    const { from_seq, to_seq, root } = body as Bodies['prices'];
    const texts = (prices ?? []).map((price) => canonical(price));
    for (const price of prices ?? []) {
      const { sport, game, starts_at, day, source, price_seq, ...line } = price;
      const about = gameOf({ sport, game, day }, starts_at, price.stored_at);
      note(about, price);
      lines.push({ id: price_seq, price_seq, game_id: about.id, by_hand: source === 'hand', ...line });
    }
    return [table, { id, from_seq, to_seq, root: Buffer.from(root, 'hex'), rows: packed(texts) }];
  }

  /** Stores the first key of the log. @param announcement of the second key, which the first one has signed; undefined: it is the only one */
  async function beginKeys(announcement?: string): Promise<void> {
    if (keys.length > 0) return;
    const { text = '', signatures } = announcement === undefined ? {} : parseNote(announcement);
    const first = trusted
      .filter((key) => !text.includes(key))
      .map((key) => parseVerifierKey(key))
      .find(({ id }) => signatures?.some((by) => by.id === id) ?? true);
    if (first === undefined)
      throw new RebuildError(
        'The mirror lacks the first key of the log: mirror it again, with --key and that key.',
      );
    await one('signing_keys', { id: 1, vkey: formatVerifierKey(first), note: null });
    keys.push(first);
  }

  /** Stores what only the whole log says: tiers, starts, and results now. @returns the log's keys */
  async function finish(): Promise<VerifierKey[]> {
    await beginKeys();
    for (const { sport, from, to } of [...joins, ...joins.toReversed()])
      share(games.get(identityOf(sport, from))!, games.get(identityOf(sport, to))!);
    const tiers = columnsOf(
      columnTypes('id int, tier text'),
      [...cappers.values()].map(({ id, tier }) => ({ id, tier })),
    );
    await transaction.raw(
      `update cappers c set tier = t.tier from ${tiers.table} as t (id, tier) where t.id = c.id and t.tier <> c.tier`,
      tiers.bindings,
    );
    const types = {
      ...columnTypes(
        'id bigint, starts_at timestamptz, held_start timestamptz, status text, was_postponed boolean',
      ),
      ...columnTypes('home_score int, away_score int, home_half_score int, away_half_score int'),
      ...columnTypes('sets jsonb, played text, final_at timestamptz'),
    };
    const names = Object.keys(types);
    const known = columnsOf(
      types,
      [...games.values()].map(({ id, start, held, status, score, half, endedAt, postponed }) => ({
        id,
        starts_at: start,
        held_start: held,
        status,
        was_postponed: postponed,
        home_score: score?.home_score ?? null,
        away_score: score?.away_score ?? null,
        // A first half counts only with the final score: see the checks of `games`.
        home_half_score: score === null ? null : (half?.[0] ?? null),
        away_half_score: score === null ? null : (half?.[1] ?? null),
        sets: score?.sets ? JSON.stringify(score.sets) : null,
        played: score?.played ?? null,
        final_at: status === 'scheduled' ? null : endedAt,
      })),
    );
    await transaction.raw(
      `update games g set ${names.slice(1).map((name) => `${name} = n.${name}`)}
       from ${known.table} as n (${names.join(', ')}) where n.id = g.id`,
      known.bindings,
    );
    await transaction.raw(
      `insert into priced_days (sport, day, captured_at, line_id)
       select g.sport, (l.captured_at at time zone 'America/New_York')::date as day,
         (array_agg(l.captured_at order by l.stored_at, l.captured_at))[1], (array_agg(l.id order by l.stored_at, l.id))[1]
       from lines l join games g on g.id = l.game_id where not l.by_hand group by 1, 2`,
    );
    await transaction.raw(
      `insert into pending_picks (pick_id, game_id, market, subject, side, closed)
       select p.id, p.game_id, p.market, p.subject, p.side, k.pick_id is not null
       from picks p left join closings k on k.pick_id = p.id
       where not exists (select from settlements s where s.pick_id = p.id)`,
    );
    const { rows }: { rows: { table: string }[] } = await transaction.raw(
      `select attrelid::regclass::text as table from pg_attribute
       where attidentity <> '' and attname = 'id' and attrelid = any(?::regclass[])`,
      [['cappers', ...intake]],
    );
    for (const { table } of rows)
      await transaction.raw(
        `select setval(pg_get_serial_sequence('${table}', 'id'), id) from (select max(id) as id from ${table}) m where id is not null`,
      );
    return keys;
  }
  return { write, finish };
}

async function storeSignatures(
  transaction: Transaction,
  origin: string,
  keys: readonly VerifierKey[],
  witnesses: readonly string[],
  notes: readonly string[],
): Promise<void> {
  await transaction('ledger_origin').insert({ id: 1, origin });
  const cosigners = witnesses.map((key) => parseVerifierKey(key));
  for (const note of notes) {
    const { checkpoint, cosignedBy } = await openCheckpoint(note, origin, keys, cosigners);
    await storeCheckpoint(transaction, checkpoint, note, cosignedBy);
  }
}

/** Stores the fair prices of closings, which bodies do not have: the rules give them from the published prices. */
async function storeFairPrices(transaction: Transaction): Promise<void> {
  const types = columnTypes(
    'pick_id bigint, fair_e9 int, fair_books int, edge_method text, edge_source text',
  );
  for await (const picks of recomputePicks(transaction)) {
    const rows = picks.flatMap(({ pick, given: closing }) => {
      const given = closing();
      return given === null || given.fairE9 === null
        ? []
        : {
            pick_id: pick.id,
            fair_e9: given.fairE9,
            fair_books: given.fairBooks,
            edge_method: given.edgeMethod,
            edge_source: given.edgeSource,
          };
    });
    if (rows.length === 0) continue;
    const { table, bindings } = columnsOf(types, rows);
    await transaction.raw(
      `update closings k set fair_e9 = f.fair_e9, fair_books = f.fair_books, edge_method = f.edge_method, edge_source = f.edge_source
       from ${table} as f (${Object.keys(types).join(', ')}) where f.pick_id = k.pick_id`,
      bindings,
    );
  }
}
