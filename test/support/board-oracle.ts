import { expect } from 'chai';
import { NIL } from 'uuid';
import { answerSchema, type Board } from '../../src/boards/board.ts';
import { boards } from '../../src/boards/index.ts';
import { teamsOf } from '../../src/games/names/teams.ts';
import { iso } from '../../src/platform/clock.ts';
import { checker } from '../../src/platform/schema.ts';
import { type BoardPath, expectedBody, type Params } from '../naive/boards.ts';
import { sidesOf } from '../naive/boards-feeds.ts';
import { etDay, HOUR } from '../naive/days.ts';
import { differences, furtherFields } from '../naive/differences.ts';
import { CSV_COLUMNS, exportCsv } from '../naive/export-rows.ts';
import type { LedgerPick, LedgerState } from '../naive/ledger.ts';
import { urlOf } from './examples.ts';
import { atLength } from './long.ts';
import { wholeRecord } from './record-csv.ts';

/** Queries in addition to each board's declared examples. `{…}` is looked up in the ledger. */
const questions: Record<BoardPath, Params[]> = {
  '/api/pod': [],
  '/api/pod/archive': [{ before: '2000-01-01' }, { before: '{day}' }],
  '/api/picks/by-game': [{ sport: '{sport}', game: '{game}', limit: 2 }],
  '/api/picks/:uuid': [],
  '/api/picks/:uuid/timeline': [],
  '/api/picks/:uuid/confidence': [],
  '/api/picks/:uuid/closing': [],
  '/api/picks/:uuid/related': [],
  '/api/record/windows': [{ provenance: 'imported' }],
  '/api/sharp/consensus': [],
  '/api/sharp/today': [],
  '/api/sharp/sports': [],
  '/api/sharp/hot': [],
  '/api/sharp/markets': [],
  '/api/sharp/today/cappers': [],
  '/api/sharp/recent': [
    { hours: 168 },
    { hours: 168, limit: 1 },
    { hours: 168, limit: 3, cursor: '{settled}-1' },
  ],
  '/api/cappers': [{ tier: 'elite' }, { sport: '{sport}' }, { cursor: 5 }],
  '/api/cappers/by-tier/:tier': [{ tier: 'verified_sharp', sport: '{sport}', limit: 2 }],
  '/api/cappers/streaks': [{ min: 1, limit: 5 }, { min: 5000 }],
  '/api/leaderboard': [
    { provenance: 'imported' },
    { provenance: 'live', window: '7d' },
    { window: '7d' },
    { window: '30d', sport: '{sport}' },
    { window: '90d', tier: 'elite', limit: 3 },
    { window: '30d', sport: '{sport}', market: 'spread' },
    { delay: '5', window: '7d' },
    { delay: '60', provenance: 'live', sport: '{sport}' },
    { delay: '15', window: '90d', tier: 'listed', market: 'spread' },
    { delay: '5', provenance: 'imported' },
  ],
  '/api/leaderboard/clv': [
    { min_n: 1, window: '30d' },
    { min_n: 0, window: '7d', limit: 200 },
    { min_n: 3_000_000_000 },
    { min_n: 1, provenance: 'live' },
    { min_n: 2, sport: '{sport}', market: 'total', tier: 'listed', limit: 2 },
  ],
  '/api/leaderboard/units': [
    { min_n: 1, window: '7d' },
    { min_n: 0, window: '7d' },
    { min_n: 1, provenance: 'live', tier: 'verified_sharp', limit: 2 },
    { min_n: 3, sport: '{sport}', market: 'spread' },
  ],
  '/api/cappers/:handle/stats': [
    { handle: '{handle}', provenance: 'live' },
    { handle: '{handle}', provenance: 'imported', market: 'moneyline' },
    { handle: '{handle}', sport: 'nba', market: 'total' },
    { handle: '{handle}', market: 'spread' },
  ],
  '/api/cappers/:handle/picks': [
    { handle: '{handle}', sport: 'nfl', result: 'win', limit: 3 },
    { handle: '{handle}', market: 'spread', result: 'pending' },
    { handle: '{handle}', result: 'push', provenance: 'imported' },
    { handle: '{handle}', month: '{month}', limit: 200 },
    { handle: '{handle}', limit: 5, cursor: '{page}' },
  ],
  '/api/cappers/:handle/streak': [],
  '/api/cappers/:handle/sports': [],
  '/api/cappers/:handle/clv': [
    { handle: '{handle}', last_n: 3 },
    { handle: '{handle}', provenance: 'live' },
  ],
  '/api/cappers/:handle/markets': [
    { handle: '{handle}', sport: 'nfl' },
    { handle: '{handle}', provenance: 'live' },
  ],
  '/api/cappers/:handle/clv-by-sport': [],
  '/api/cappers/:handle/clv-trend': [
    { handle: '{handle}', days: 90 },
    { handle: '{handle}', days: 90, provenance: 'imported' },
  ],
  '/api/cappers/:handle/timeline': [
    { handle: '{handle}', days: 7, sport: 'nba', market: 'total' },
    { handle: '{handle}', provenance: 'live' },
  ],
  '/api/cappers/:handle/units-curve': [
    { handle: '{handle}', days: 90, sport: 'nfl', market: 'spread' },
    { handle: '{handle}', days: 90, provenance: 'live' },
  ],
  '/api/cappers/:handle/breakdown': [
    { handle: '{handle}', window: '30d', market: 'spread' },
    { handle: '{handle}', window: '90d', sport: 'nfl' },
    { handle: '{handle}', window: '7d', provenance: 'live' },
  ],
  '/api/cappers/:handle/luck': [
    { handle: '{handle}', window: '90d', market: 'spread', days: 90 },
    { handle: '{handle}', sport: 'nfl', market: 'total', provenance: 'imported' },
  ],
  '/api/cappers/:handle/follow': [
    { handle: '{handle}', window: '7d' },
    { handle: '{handle}', sport: 'nfl' },
    { handle: '{handle}', market: 'spread' },
  ],
  '/api/cappers/:handle/extremes': [
    { handle: '{handle}', n: 25 },
    { handle: '{handle}', provenance: 'imported' },
  ],
  '/api/cappers/:handle/vs/:other': [{ handle: '{handle}', other: '{handle}' }],
  '/api/feed/picks': [
    { sport: '{sport}', provenance: 'imported' },
    { cursor: '{settled}-00000000-0000-4000-8000-000000000000' },
  ],
  '/api/feed/today': [{ sport: '{sport}', team: '{team}' }, { player: '{player}' }],
  '/api/feed/upcoming': [
    { hours: 24 },
    { hours: 24, capper_handle: '{handle}', market: 'spread' },
    { hours: 24, sport: '{sport}', team: '{team}' },
    { hours: 24, sport: '{playerSport}', player: '{player}' },
  ],
  '/api/games/today': [],
  '/api/feed/settled': [
    { provenance: 'imported', limit: 200 },
    { sport: '{sport}', limit: 7 },
  ],
  '/api/feed/by-tier': [
    { tier: 'elite' },
    { tier: 'listed', provenance: 'live' },
    { tier: 'verified_sharp', sport: '{sport}', limit: 9 },
  ],
  '/api/sports': [],
  '/api/markets': [{ days: 90 }],
  '/api/markets/:sport/:market': [],
  '/api/players/:sport/:name': [],
  '/api/teams/:sport/:name': [],
  '/api/search': [{ q: '{word}' }],
  '/api/snapshot': [],
  '/api/snapshot/sport/:sport': [{ sport: 'wnba' }],
  '/record/export.json': [
    {},
    { sport: '{sport}', limit: 11 },
    { since: '{day}' },
    { after_id: '{id}', limit: 7 },
    { capper_handle: '{handle}', limit: 5 },
    { capper_handle: '{handle}', sport: '{sport}', after_id: '{id}' },
  ],
};

/** How many picks of different kinds are asked about, and how many cappers, sports, and teams. */
const [most, few] = atLength([8, 2], [24, 4]);

/** Fields that the naive computation omits: sentences, links, hashes, and the log. Other tests cover them. */
const elsewhere = [
  ...['generatedAt', 'query', 'label', 'links', 'note', 'pages', 'path', 'suggestion'],
  ...['entries', 'hash', 'pickHash', 'prevHash', 'seq'],
];

/** The checks of answers against their schemas, each compiled once for all ledgers. */
const checkers = new Map(boards.map((board) => [board, checker(answerSchema(board))]));

/** A ledger in the naive computation, and the address of a site over the same ledger. */
export interface Comparison {
  state: LedgerState;
  address: string;
  /** Cappers to query in addition to those of the sampled picks. */
  handles?: readonly string[];
  /** Additional queries. */
  questions?: Partial<Record<BoardPath, Params[]>>;
}

/**
 * Declares a test for each board and for the record export that compares their answers with the naive computation. Each board gets all its
 * examples and the queries above, for picks of every kind, several cappers, and every sport of the ledger.
 */
export function itAnswersAsComputedPlainly(given: () => Comparison): void {
  for (const board of boards)
    it(board.path, async () => {
      const comparison = given();
      for (const params of questionsFor(board, comparison)) {
        const url = urlOf(board, textsOf(params));
        const body = await answerOf(comparison, url);
        const expected = expectedBody(pathOf(board), comparison.state, params);
        expect(differences(expected, body), `${url} at ${iso(comparison.state.now)}`).to.deep.equal([]);
        const left = furtherFields(expected, body).filter((field) => !elsewhere.includes(field));
        expect(left, `fields of ${url} without a naive computation`).to.deep.equal([]);
        expect(checkers.get(board)!(body), `${url} against its schema`).to.include({ ok: true });
      }
    });

  it('/record/export.json', async () => {
    const comparison = given();
    for (const params of asked(questions['/record/export.json'], comparison)) {
      const url = urlOf({ path: '/record/export.json' }, textsOf(params));
      const expected = expectedBody('/record/export.json', comparison.state, params);
      expect(differences(expected, await answerOf(comparison, url)), url).to.deep.equal([]);
    }
  });

  it('/record/export.csv', async () => {
    const { state, address } = given();
    const rows = await wholeRecord(address);
    const ids = new Set(rows.map(({ id }) => id));
    expect([rows.length, ids.size]).to.deep.equal([state.picks.length, state.picks.length]);
    for (let after = 0; after < rows.length; after += 5000) {
      const params = { after_id: Number(rows[after - 1]?.id ?? 0), limit: 5000 };
      const expected = exportCsv(state, params).map((cells) =>
        Object.fromEntries(CSV_COLUMNS.map((column, index) => [column, cells[index]])),
      );
      expect(differences(expected, rows.slice(after, after + 5000))).to.deep.equal([]);
    }
  });
}

/** Returns the board parameters that no query uses. */
export function parametersLeftOut(): string[] {
  return boards.flatMap((board) => {
    const given = [...board.examples, ...questions[pathOf(board)]].flatMap(Object.keys);
    const names = Object.keys(board.params.properties);
    return names.filter((name) => !given.includes(name)).map((name) => `${board.path} ${name}`);
  });
}

const pathOf = (board: Board): BoardPath => board.path as BoardPath;

function questionsFor(board: Board, comparison: Comparison): Params[] {
  const path = pathOf(board);
  const examples = board.examples.map((example) => numbered(board, example));
  return asked([...examples, ...questions[path], ...(comparison.questions?.[path] ?? [])], comparison);
}

/** Returns an example with its numbers parsed. */
function numbered({ params }: Board, example: Readonly<Record<string, string>>): Params {
  return Object.fromEntries(
    Object.entries(example).map(([name, text]) => [
      name,
      (params.properties[name] as { type?: string }).type === 'integer' ? Number(text) : text,
    ]),
  );
}

const textsOf = (params: Params): Record<string, string> =>
  Object.fromEntries(Object.entries(params).map(([name, value]) => [name, String(value)]));

async function answerOf({ address }: Comparison, url: string): Promise<unknown> {
  // Only the body matters here, not its coding.
  const response = await fetch(address + url, { headers: { 'Accept-Encoding': 'identity' } });
  const body = await response.json();
  expect(response.status, `${url} ${JSON.stringify(body)}`).to.equal(200);
  return body;
}

const samples = new WeakMap<LedgerState, LedgerPick[]>();

/** Returns some picks of every kind: pending, settled, closed or not, of every sport, live and imported. */
function sampleOf(state: LedgerState): LedgerPick[] {
  const known = samples.get(state);
  if (known !== undefined) return known;
  const kinds = new Map<string, LedgerPick>();
  for (const pick of state.picks)
    for (const kind of [
      [pick.sport, pick.market, pick.status],
      [pick.status, pick.closing === null, pick.result, pick.provenance, pick.sealedInTime],
      [pick.market, pick.closing?.sameLine, pick.book === null, pick.provenance],
    ])
      kinds.set(kind.join(), pick);
  const sample = [...new Set(kinds.values())].slice(-most);
  samples.set(state, sample);
  return sample;
}

const spellings = new WeakMap<LedgerState, Map<string, Set<string>>>();

/** Returns a team of a pick's game with one spelling, since the naive computation knows no others. */
function teamIn({ sport, game }: LedgerPick, state: LedgerState): { team?: string } {
  const keyOf = (of: string, name: string) => `${of} ${teamsOf(of).keyOf(name)}`;
  let known = spellings.get(state);
  if (known === undefined) {
    known = new Map();
    for (const each of state.games)
      for (const name of sidesOf(each.game)) {
        const key = keyOf(each.sport, name);
        known.set(key, (known.get(key) ?? new Set()).add(name));
      }
    spellings.set(state, known);
  }
  const team = sidesOf(game).find(
    (name) => teamsOf(sport).fullName(name) === name && known.get(keyOf(sport, name))?.size === 1,
  );
  return team === undefined ? {} : { team };
}

const isOnPlayer = ({ market }: LedgerPick) => /^(player|batter|pitcher)_/.test(market);

/** Expands each query to everything that it can be about. */
function asked(list: readonly Params[], { state, handles: others = [] }: Comparison): Params[] {
  const picks = sampleOf(state);
  const handles = [...new Set([...others, ...picks.map(({ capperHandle }) => capperHandle)])].slice(0, few);
  const common = { day: state.today, settled: String(state.now - 36 * HOUR) };
  const ofPick = (pick: LedgerPick) => ({
    ...common,
    uuid: pick.uuid,
    id: String(pick.id),
    sport: pick.sport,
    game: pick.game,
    ...teamIn(pick, state),
    market: pick.market,
    ...(isOnPlayer(pick) && { playerSport: pick.sport, player: pick.subject! }),
    handle: pick.capperHandle,
    word: pick.game.split(/[ .]/).find((word) => word.length > 3) ?? pick.game,
  });
  const ofCapper = handles.map((handle, index) => {
    const all = state.byCapper.get(handle) ?? [];
    const { postedAt, uuid, id } = all[Math.floor(all.length / 2)] ?? {
      postedAt: state.now,
      uuid: NIL,
      id: 0,
    };
    const other = handles[(index + 1) % handles.length]!;
    const [month, page] = [etDay(postedAt).slice(0, 7), `${postedAt}-${uuid}`];
    return { ...common, handle, other, month, page, id: String(id), sport: all.at(-1)?.sport ?? 'nba' };
  });
  const ofSport = [...new Map(picks.map((pick) => [pick.sport, ofPick(pick)])).values()].slice(0, few);
  const ofTeam = picks.map(ofPick).filter((subject) => 'team' in subject);
  return list.flatMap((question) => {
    const text = JSON.stringify(question);
    const subjects: Record<string, string>[] = /\{handle\}/.test(text)
      ? ofCapper
      : /\{player\}/.test(text)
        ? picks.filter(isOnPlayer).map(ofPick)
        : /\{(uuid|game|id|market)\}/.test(text)
          ? picks.map(ofPick)
          : /\{team\}/.test(text)
            ? [...new Map(ofTeam.map((subject) => [subject.sport, subject])).values()].slice(0, few)
            : /\{(sport|word)\}/.test(text)
              ? ofSport
              : [common];
    return subjects.map((subject) => filledIn(question, subject));
  });
}

function filledIn(question: Params, subject: Record<string, string>): Params {
  const fill = (text: string) =>
    text.replace(/\{(\w+)\}/g, (_, name: string) => {
      const fact = subject[name];
      if (fact === undefined) throw new Error(`a query refers to ${name}: ${JSON.stringify(question)}`);
      return fact;
    });
  return Object.fromEntries(
    Object.entries(question).map(([name, value]) => [name, typeof value === 'string' ? fill(value) : value]),
  );
}
