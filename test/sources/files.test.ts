import { mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import type { Database } from '../../src/platform/database.ts';
import { ingestFiles } from '../../src/sources/files.ts';
import { withDatabase } from '../support/database.ts';
import { league, withFolder } from '../support/folders.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
const pick = {
  capperHandle: 'ada',
  ...game,
  market: 'spread',
  side: 'home',
  line: -1.5,
  pick: 'Foxes -1.5',
  oddsAmerican: -110,
  stakeUnits: 1,
  postedAt: '2024-10-05T10:00:00Z',
};

describe('importing files', () => {
  const stores = withDatabase();
  const folder = withFolder();

  before(() => ingest(stores.database, league, now));

  const refused: [what: string, file: string, row: string | object, reason: RegExp][] = [
    ['a malformed line', 'picks', '{"capperHandle": "ada",', /not JSON/],
    ['a row that is not an object', 'picks', '17', /must be object/],
    [
      'an unknown sport',
      'games',
      { ...game, sport: 'curling', status: 'scheduled' },
      /sport curling is not one of nba/,
    ],
    ['a pick of an unknown sport', 'picks', { ...pick, sport: 'curling' }, /sport curling is not one of/],
    [
      'a pick without its game',
      'picks',
      { ...pick, game: 'Nobody @ Nowhere' },
      /no nfl game Nobody @ Nowhere/,
    ],
    [
      'a pick with another start than its game',
      'picks',
      { ...pick, startsAt: '2024-10-07T17:00:00Z' },
      /no nfl game/,
    ],
    ['impossible odds', 'picks', { ...pick, oddsAmerican: 99 }, /oddsAmerican must be American odds/],
    ['fractional odds', 'picks', { ...pick, oddsAmerican: -110.5 }, /oddsAmerican/],
    ['an eighth of a line', 'picks', { ...pick, line: -1.125 }, /steps of 0\.25/],
    ['a spread without a line', 'picks', { ...pick, line: null }, /a spread needs a line/],
    ['a moneyline with a line', 'picks', { ...pick, market: 'moneyline' }, /a moneyline has no line/],
    [
      'a side that the market does not have',
      'picks',
      { ...pick, side: 'draw' },
      /has the sides home, away, not draw/,
    ],
    ['a pick after the start', 'picks', { ...pick, postedAt: '2024-10-06T17:00:00Z' }, /the game started/],
    ['an unverified capper', 'picks', { ...pick, capperHandle: 'drifter' }, /drifter is not verified/],
    ['an unknown capper', 'picks', { ...pick, capperHandle: 'nobody' }, /no capper is named nobody/],
    [
      'text with control characters',
      'picks',
      { ...pick, pick: 'Foxes\u0007' },
      /pick must be 1 to 300 characters/,
    ],
    ['text that runs backwards', 'picks', { ...pick, pick: 'Foxes \u202E-1.5' }, /none of them a control/],
    ['half a surrogate pair', 'picks', JSON.stringify({ ...pick, pick: 'x\ud83d' }), /pick must be/],
    ['an overlong text', 'picks', { ...pick, pick: 'x'.repeat(301) }, /pick must be 1 to 300 characters/],
    ['a stake of zero', 'picks', { ...pick, stakeUnits: 0 }, /stakeUnits must be over 0/],
    ['an overlarge stake', 'picks', { ...pick, stakeUnits: 100.01 }, /stakeUnits/],
    ['a stake finer than a hundredth', 'picks', { ...pick, stakeUnits: 1.005 }, /steps of 0\.01/],
    ['a missing field', 'picks', { ...pick, postedAt: undefined }, /postedAt is missing/],
    [
      'a date without a time zone',
      'picks',
      { ...pick, postedAt: '2024-10-05T10:00:00' },
      /postedAt must be an instant/,
    ],
    [
      'a final game without its score',
      'games',
      { ...game, status: 'final' },
      /needs both scores: homeScore and awayScore/,
    ],
    [
      'an unknown tier',
      'cappers',
      { handle: 'eve', tier: 'gold', verified: true },
      /tier must be one of elite/,
    ],
    ['an invalid handle', 'cappers', { handle: '-eve', tier: 'elite', verified: true }, /handle/],
    ['a price of an unknown game', 'lines', lineOf({ game: 'Nobody @ Nowhere' }), /no nfl game/],
    [
      'a result of a market that the score grades',
      'results',
      resultOf({ market: 'total' }),
      /graded from the score/,
    ],
  ];

  for (const [what, file, row, reason] of refused)
    it(`refuses ${what} with file, line, and reason, and imports the rest`, async () => {
      const others = await count(stores.database, 'picks');
      const good = { ...pick, pick: `good beside ${what}` };
      const bad = folder.write(`${file}.ndjson`, [row]);
      const rest = folder.write('more-picks.ndjson', [good]);
      const { refusals } = await ingest(stores.database, [bad, rest], now);
      expect(refusals).to.have.length(1);
      expect(refusals[0]).to.include({ file: bad, line: 1 });
      expect(refusals[0]!.reason).to.match(reason);
      expect(await count(stores.database, 'picks')).to.equal(others + 1);
    });

  it("reads players' statistics from CSV, under headers in words", async () => {
    const file = join(folder.path(), 'player-stats.csv');
    writeFileSync(
      file,
      'Sport,Game,Starts at,Player,Played,Passing yards,Receptions,Team\n' +
        `nfl,${game.game},${game.startsAt},Rory Finch,yes,-3,5,Gulls\n` +
        `nfl,${game.game},${game.startsAt},Bea Ray,no,,,Foxes\n`,
    );
    const { counts, notes } = await ingest(stores.database, file, now);
    expect(counts.stats).to.include({ added: 2, refused: 0 });
    expect([...notes.keys()].join()).to.contain('the column Team is not read');
    const rows = await stores.database('stats').orderBy('id').select('subject', 'stat', 'value_e3', 'source');
    expect(rows).to.have.deep.members([
      { subject: 'Rory Finch', stat: 'played', value_e3: 1000, source: 'import' },
      { subject: 'Rory Finch', stat: 'passing_yards', value_e3: -3000, source: 'import' },
      { subject: 'Rory Finch', stat: 'receptions', value_e3: 5000, source: 'import' },
      { subject: 'Bea Ray', stat: 'played', value_e3: 0, source: 'import' },
    ]);
  });

  it('numbers the lines of a file like an editor, including blank ones', async () => {
    const file = folder.write('picks.ndjson', [{ ...pick, pick: 'first' }, '', 'nonsense']);
    const { refusals } = await ingest(stores.database, file, now);
    expect(refusals.map(({ line }) => line)).to.deep.equal([3]);
  });

  for (const [what, encode] of [
    ['UTF-8 with a byte order mark', (text: string) => Buffer.from(`\ufeff${text}`)],
    ['UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le')],
    ['UTF-16 without a byte order mark', (text: string) => Buffer.from(text, 'utf16le')],
    ['big-endian UTF-16', (text: string) => Buffer.from(`\ufeff${text}`, 'utf16le').swap16()],
    ['UTF-8 with Windows line endings', (text: string) => Buffer.from(text.replaceAll('\n', '\r\n'))],
  ] as const)
    it(`reads newline-delimited JSON in ${what}`, async () => {
      const rows = ['first', 'Füchse −1½ 🦊'].map((text) => ({ ...pick, pick: `${text} in ${what}` }));
      const file = folder.write('picks.ndjson', rows);
      writeFileSync(file, encode(readFileSync(file, 'utf8')));
      const { counts, refusals } = await ingest(stores.database, file, now);
      expect(refusals).to.deep.equal([]);
      expect(counts.picks.added).to.equal(2);
      expect(await stores.database('picks').where('pick', rows[1]!.pick).select('pick')).to.have.length(1);
    });

  it('refuses newline-delimited JSON in another encoding', async () => {
    const file = folder.write('picks.ndjson', []);
    writeFileSync(file, Buffer.from(JSON.stringify({ ...pick, pick: 'Füchse' }), 'latin1'));
    const { refusals } = await ingest(stores.database, file, now);
    expect(refusals.map(({ reason }) => reason)).to.deep.equal(['the text is not in UTF-8 or UTF-16']);
  });

  it('stores a large file in chunks, and reports each row at its line', async () => {
    const rows = Array.from({ length: 2_100 }, (_, index) => ({
      ...pick,
      pick: `part of many ${index + 1}`,
    }));
    const isBad = (line: number) => line % 500 === 0;
    const file = folder.write(
      'picks.ndjson',
      rows.map((row, index) => (isBad(index + 1) ? 'nonsense' : row)),
    );
    const reports: string[] = [];
    const { counts } = await ingestFiles(
      stores.database,
      [file],
      { now, imported: true },
      {
        onRefusal: ({ line }) => reports.push(`refused ${line}`),
        onProgress: () => reports.push('read'),
        onChunk: (kind) => reports.push(kind),
      },
    );
    expect(counts.picks).to.include({ added: 2_096, refused: 4 });
    expect(reports).to.deep.equal([
      ...['refused 500', 'refused 1000', 'picks', 'read'],
      ...['refused 1500', 'refused 2000', 'picks', 'read'],
      ...['picks', 'read'],
    ]);
  });

  it('keeps what precedes an unreadable file', async () => {
    const others = await count(stores.database, 'picks');
    const inside = join(folder.path(), 'unreadable');
    mkdirSync(join(inside, 'picks-2.ndjson'), { recursive: true });
    writeFileSync(join(inside, 'picks-1.ndjson'), JSON.stringify({ ...pick, pick: 'before it' }));
    expect(await failure(ingest(stores.database, inside, now))).to.match(/EISDIR/);
    expect(await count(stores.database, 'picks')).to.equal(others + 1);
  });

  it('names a missing path, and a file of unknown kind', async () => {
    expect(await failure(ingest(stores.database, join(folder.path(), 'absent'), now))).to.match(
      /no file or folder/,
    );
    expect(await failure(ingest(stores.database, folder.write('other.ndjson', []), now))).to.match(
      /kind of the rows/,
    );
  });

  it('skips and counts rows dated after the clock, and imports them later', async () => {
    const start = '2025-03-01T18:00:00Z';
    const later = { sport: 'nba', game: 'Later Larks @ Later Owls', startsAt: start };
    const files = [
      folder.write('games.ndjson', [{ ...later, status: 'final', homeScore: 100, awayScore: 90 }]),
      folder.write('lines.ndjson', [lineOf({ ...later, capturedAt: '2025-03-01T12:00:00Z' })]),
      folder.write('picks.ndjson', [{ ...pick, ...later, postedAt: '2025-03-01T10:00:00Z' }]),
    ];
    const before = await ingest(stores.database, files, now);
    expect(
      [before.counts.games, before.counts.lines, before.counts.picks].map((each) => each['left out']),
    ).to.deep.equal([1, 1, 1]);
    const during = await ingest(stores.database, files, Date.parse('2025-03-01T20:59:59Z'));
    expect(during.counts.games['left out'], 'three hours after the start the score is known').to.equal(1);
    expect([during.counts.lines.added, during.counts.picks.added]).to.deep.equal([1, 1]);
    const after = await ingest(stores.database, files, Date.parse('2025-03-01T21:00:00Z'));
    expect(after.counts.games.updated).to.equal(1);
  });

  it('imports every row of a new game', async () => {
    const fresh = { ...game, game: 'Harbor Gulls @ Gravel Foxes' };
    const file = folder.write('games.ndjson', [
      { ...fresh, status: 'scheduled' },
      { ...fresh, status: 'final', homeScore: 21, awayScore: 20 },
    ]);
    await ingest(stores.database, file, now);
    const [row] = await stores.database('games').where({ name: fresh.game });
    expect([row.status, row.home_score, row.away_score]).to.deep.equal(['final', 21, 20]);
  });

  it('keeps a final score, and records another one as a notice, once', async () => {
    const file = folder.write('games.ndjson', [{ ...game, status: 'final', homeScore: 21, awayScore: 20 }]);
    for (const _ of [1, 2]) await ingest(stores.database, file, now);
    const [row] = await stores.database('games').where({ name: game.game });
    expect([row.home_score, row.away_score]).to.deep.equal([20, 20]);
    const notices = await stores.database('notices').select('topic', 'text');
    expect(notices).to.have.length(1);
    expect(notices[0].text).to.match(/stands as 20-20; a later report says 20-21/);
  });
});

describe('the same batch', () => {
  const first = withDatabase();
  const second = withDatabase();
  const third = withDatabase();
  const folder = withFolder();

  it('imported twice changes nothing', async () => {
    await ingest(first.database, league, now);
    await runPipeline(first.database, now);
    const before = await everything(first.database);
    const again = await ingest(first.database, league, now);
    await runPipeline(first.database, now);
    for (const counts of Object.values(again.counts))
      expect(counts).to.include({ added: 0, updated: 0, refused: 0 });
    expect(await everything(first.database)).to.deep.equal(before);
  });

  it('in another order of files and rows yields the same boards', async () => {
    const files = readdirSync(league)
      .reverse()
      .map((name) =>
        folder.write(name, readFileSync(join(league, name), 'utf8').trim().split('\n').reverse()),
      );
    await ingest(second.database, files, now);
    await runPipeline(second.database, now);
    expect(await boardsOf(second.database)).to.deep.equal(await boardsOf(first.database));
  });

  it('in parts, each graded before the next, yields the same boards', async () => {
    const rows = readFileSync(join(league, 'picks.ndjson'), 'utf8').trim().split('\n').reverse();
    const world = ['cappers', 'games', 'lines', 'results'].map((kind) => join(league, `${kind}.ndjson`));
    await ingest(third.database, world, now);
    for (const row of rows) {
      await ingest(third.database, folder.write('picks.ndjson', [row]), now);
      await runPipeline(third.database, now);
    }
    expect(await boardsOf(third.database)).to.deep.equal(await boardsOf(first.database));
  });
});

function lineOf(change: object) {
  return {
    ...game,
    market: 'moneyline',
    side: 'home',
    line: null,
    oddsAmerican: -110,
    capturedAt: game.startsAt,
    book: 'north',
    ...change,
  };
}

function resultOf(change: object) {
  return {
    ...game,
    market: 'first_scorer',
    subject: 'Rory Finch',
    side: 'yes',
    line: null,
    result: 'win',
    ...change,
  };
}

async function count(database: Database, table: string): Promise<number> {
  const [row] = await database(table).count({ n: '*' });
  return Number(row?.n);
}

async function everything(database: Database) {
  const tables = [
    'cappers',
    'games',
    'lines',
    'picks',
    'closings',
    'settlements',
    'ledger_entries',
    'board_picks',
  ];
  return Promise.all(
    [...tables, 'daily_rollups', 'capper_totals'].map((table) => database(table).select('*').orderBy(1)),
  );
}

/** Returns the data that boards are computed from, without ids. */
async function boardsOf(database: Database) {
  const picks = await database('board_picks as b')
    .join('games as g', 'g.id', 'b.game_id')
    .join('cappers as c', 'c.id', 'b.capper_id')
    .orderBy('b.uuid')
    .select('b.*', 'g.name', 'g.starts_at', 'c.handle');
  const without = ({ pick_id, capper_id, game_id, id, ...rest }: Record<string, unknown>) => rest;
  const rollups = await database('daily_rollups as r')
    .join('cappers as c', 'c.id', 'r.capper_id')
    .orderBy(['c.handle', 'r.sport', 'r.market', 'r.day'])
    .select('r.*', 'c.handle');
  return { picks: picks.map(without), rollups: rollups.map(without) };
}

async function failure(work: Promise<unknown>): Promise<string> {
  return work.then(
    () => 'it was allowed',
    (error: Error) => error.message,
  );
}
