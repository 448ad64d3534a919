import { execFile } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import { applyImports } from '../../src/sources/waiting-imports.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { league, withFolder } from '../support/folders.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';
import { runVerb, type VerbRun, verbEnvironment } from '../support/verbs.ts';
import { runPipeline } from '../support/whole-way.ts';
import { xlsxFiles, zipOf } from '../support/xlsx.ts';

const root = resolve(import.meta.dirname, '..', '..');

describe('the ingest verb', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();

  const environment = () => verbEnvironment(asLogin(database.url, 'ingest'), redis.url);
  const ingest = (...args: string[]) => runVerb(['ingest', '--no-wait', ...args], environment);

  /** Runs the verb in its own process. */
  function ingestProcess(...args: string[]): Promise<VerbRun> {
    return new Promise((settle) => {
      const command = [resolve(root, 'src', 'cli.ts'), 'ingest', '--no-wait', ...args];
      execFile(process.execPath, command, { cwd: root, env: environment() }, (error, out, err) =>
        settle({ status: error === null ? 0 : Number(error.code), out, err }),
      );
    });
  }

  it('reports what it stored and exits with 0', async () => {
    const { status, out, err } = await ingest(league);
    expect(status).to.equal(0);
    expect(out).to.equal(
      'cappers: 4 added\ngames: 11 added\nlines: 31 added\npicks: 16 added\nresults: 1 added\nSee http://localhost:3000\n',
    );
    expect(err).to.match(/^note: nfl has no team Harbor Gulls\n/);
  });

  it('reports file, line, and reason of refused rows, stores the rest, and exits with 2', async () => {
    const file = folder.write('cappers.ndjson', [
      'nonsense',
      { handle: 'eve', tier: 'elite', verified: true },
    ]);
    expect(await ingestProcess(file)).to.deep.equal({
      status: 2,
      out: 'cappers: 1 added, 1 refused\nSee http://localhost:3000\n',
      err: `${file}:1: the line is not JSON\n`,
    });
  });

  it('counts refused and skipped rows by reason', async () => {
    const games = folder.write('games.ndjson', [
      { sport: 'nfl', game: 'Far Gulls @ Far Foxes', startsAt: '2999-10-05T18:00:00Z', status: 'scheduled' },
    ]);
    const pick = 'Far Gulls @ Far Foxes,nfl,2999-10-05T18:00:00Z,moneyline,home,Foxes,1.5,1';
    const picks = folder.write('picks.csv', [
      'Game,Sport,Start,Market,Side,Pick,Odds,Stake,Capper,Posted',
      `${pick},eve,2998-01-01T00:00:00Z`,
      `${pick},eve,2998-01-02 00:00`,
      ...[1, 2, 3].map((hour) => `${pick},nobody,2024-10-04T0${hour}:00:00Z`),
    ]);
    const { out, status } = await ingest('--zone', 'America/New_York', games, picks);
    expect(status).to.equal(2);
    expect(out).to.match(
      /^games: 1 added\npicks: 2 left out, 3 refused\n {2}left out: 2 were posted after the service's clock, \S+Z\n/,
    );
    expect(out).to.include('refused: 3 because no capper is named nobody\n');
  });

  it('names the format of odds, and accepts it as an option if the column is ambiguous', async () => {
    const games = folder.write('games.ndjson', [
      { sport: 'nfl', game: 'Odd Gulls @ Odd Foxes', startsAt: '2024-10-05T18:00:00Z', status: 'scheduled' },
    ]);
    const picks = folder.write('picks.csv', [
      'Game,Sport,Start,Market,Side,Pick,Odds,Stake,Capper,Posted',
      'Odd Gulls @ Odd Foxes,nfl,2024-10-05T18:00:00Z,moneyline,home,long odds,101.0,1,eve,2024-10-05T01:00Z',
    ]);
    const refused = await ingest(games, picks);
    expect(refused.status).to.equal(2);
    expect(refused.out).to.include(
      `${picks}: Odds has no cell that proves its format; cells such as 101.0 are refused without --odds\n`,
    );
    expect(refused.err).to.include(`${picks}:2: Odds: 101.0 could be +10000 if decimal, or +101 if american`);
    const taken = await ingest('--odds', 'decimal', picks);
    expect(taken.out).to.include('cells such as 101.0 are read as decimal\n');
    expect(await database.database('picks').where('pick', 'long odds').pluck('odds_american')).to.deep.equal([
      10_000,
    ]);
    expect((await ingest('--odds', 'roman', picks)).err).to.include('decimal, american, fractional');
  });

  it('refuses a reserved label, and ignores a provenance that the file claims', async () => {
    const pick = {
      capperHandle: 'eve',
      sport: 'nfl',
      game: 'Late Gulls @ Late Foxes',
      startsAt: '2024-10-05T18:00:00Z',
      market: 'moneyline',
      side: 'home',
      pick: 'Foxes, who won yesterday',
      oddsAmerican: 900,
      stakeUnits: 100,
      postedAt: '2024-10-05T17:00:00Z',
    };
    const games = folder.write('games.ndjson', [
      { sport: 'nfl', game: pick.game, startsAt: pick.startsAt, status: 'final', homeScore: 2, awayScore: 1 },
    ]);
    const file = folder.write('picks.ndjson', [
      { ...pick, source: 'operator' },
      { ...pick, source: 'north', provenance: 'live' },
      pick,
    ]);
    const { status, err } = await ingest(games, file);
    expect(status).to.equal(2);
    expect(err).to.include(`${file}:1: source must be a slug`);
    const stored = await database
      .database('picks')
      .where('pick', pick.pick)
      .orderBy('source')
      .select('source', 'provenance');
    expect(stored).to.deep.equal([
      { source: 'import', provenance: 'imported' },
      { source: 'north', provenance: 'imported' },
    ]);
  });

  it('takes the record export back in, and changes nothing', async () => {
    const stored = await database
      .database('picks as p')
      .join('games as g', 'g.id', 'p.game_id')
      .join('cappers as c', 'c.id', 'p.capper_id')
      .orderBy('p.id')
      .select(
        'p.id',
        'g.sport',
        'g.name',
        'p.market',
        'p.pick',
        'p.odds_american',
        'p.posted_at',
        'p.uuid',
        'c.handle',
      )
      .select('p.subject', 'p.side', 'p.line_e3', 'g.announced_start', 'p.book', 'p.stake_e4');
    const when = (at: number | null) => (at === null ? '' : new Date(at).toISOString());
    const file = folder.write('export.csv', [
      'id,sport,game,market,pick,odds_american,closing_odds_american,clv_bps,stake_units,result,posted_at,graded_at,permalink,uuid,capper,capper_tier,subject,side,line,starts_at,book,provenance,half',
      ...stored.map((row) =>
        [
          ...[
            row.id,
            row.sport,
            row.name,
            row.market,
            `"${row.pick}"`,
            row.odds_american,
            '',
            '',
            row.stake_e4 / 10_000,
          ],
          ...[
            'pending',
            when(row.posted_at),
            '',
            'http://x',
            row.uuid,
            row.handle,
            'elite',
            row.subject ?? '',
            row.side,
          ],
          ...[
            row.line_e3 === null ? '' : row.line_e3 / 1000,
            when(row.announced_start),
            row.book ?? '',
            'imported',
            'false',
          ],
        ].join(','),
      ),
    ]);
    expect((await ingest(file)).out).to.include(`picks: ${stored.length} unchanged\n`);
    expect(Number((await database.database('picks').count())[0]!.count)).to.equal(stored.length);
  });

  it('reports a missing path in a sentence', async () => {
    const { status, err } = await ingest('/not/there');
    expect([status, err]).to.deep.equal([1, 'There is no file or folder /not/there.\n']);
  });

  it('enqueues jobs for the workers', async () => {
    expect(await redis.redis.keys('bull:grading:*')).to.not.deep.equal([]);
  });
});

describe('the ingest verb, waiting for the workers', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();

  /** Runs the verb while this process stands in for the workers. */
  async function ingest(files: Record<string, object[]>): Promise<string> {
    const paths = Object.entries(files).map(([kind, rows]) => folder.write(`${kind}.ndjson`, rows));
    let ended = false;
    const environment = () => verbEnvironment(asLogin(database.url, 'ingest'), redis.url);
    const running = runVerb(['ingest', ...paths], environment).finally(() => {
      ended = true;
    });
    await until(async () => {
      await runPipeline(database.database, Date.now());
      return ended;
    });
    return (await running).out;
  }

  it('reports all games closed only if they are', async () => {
    const game = { sport: 'nfl', game: 'Still Gulls @ Still Foxes', startsAt: '2024-10-05T18:00:00Z' };
    const bet = { market: 'moneyline', side: 'home', oddsAmerican: 110 };
    const pick = { ...game, ...bet, capperHandle: 'ada', pick: 'Foxes', stakeUnits: 1, book: 'north' };
    const price = { ...game, ...bet, book: 'north', capturedAt: game.startsAt };
    const first = await ingest({
      cappers: [{ handle: 'ada', tier: 'elite', verified: true }],
      games: [{ ...game, status: 'final', homeScore: 2, awayScore: 1 }],
      picks: [{ ...pick, postedAt: '2024-10-05T10:00:00Z' }],
    });
    expect(first).to.include(
      'All finished games are graded, sealed, and on the boards.\nSettled without a closing price: 1 pick.\n',
    );
    expect(await ingest({ lines: [price] })).to.include(
      'Settled before their closing prices came in: 1 pick. Ingest prices before the scores, or with them.\n',
    );
    expect(await ingest({ picks: [{ ...pick, postedAt: '2024-10-05T11:00:00Z' }] })).to.include(
      'All finished games are closed, graded, sealed, and on the boards.\n',
    );
  });
});

describe('the ingest verb with sheets', () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  const environment = () => verbEnvironment(asLogin(database.url, 'ingest'), redis.url);
  const ingest = (...args: string[]) => runVerb(['ingest', '--no-wait', ...args], environment);

  const rows = [
    ['My bets 2024', '', '', '', '', '', ''],
    ['Date', 'League', 'Game', 'Pick', 'Odds', 'Stake', 'Result'],
    ['10/5/2024', 'NFL', 'Bills @ Ravens', 'Ravens -3', -110, 50, 'W'],
    ['10/5/2024', 'NFL', 'Bills @ Ravens', 'Ada Gull over 60.5 rushing yards', 1.9, 25, 'L'],
    ['10/5/2024', 'NFL', 'Bills @ Ravens', 'who knows', -110, 50, 'W'],
  ];
  const count = async (table: string) => Number((await database.database(table).count('*'))[0]!.count);

  function workbook(): string {
    const path = join(folder.path(), 'my-bets.xlsx');
    writeFileSync(path, zipOf(xlsxFiles({ Bets: rows })));
    return path;
  }

  it('shows in a dry run what each row becomes, and stores nothing', async () => {
    const { status, out } = await ingest('--dry-run', '--capper', 'Max Gull', workbook());
    expect(status).to.equal(2);
    expect(out).to.include('  Stake is money (guessed from its cells)\n');
    expect(out).to.include(
      'guess: Stakes are in money. 1 unit is 50, their median. Choose another with --unit.\n',
    );
    expect(out).to.include(
      '3: max-gull: NFL: Baltimore Ravens -3 -110 1u, Buffalo Bills @ Baltimore Ravens, posted 2024-10-06T03:58:00.000Z\n',
    );
    expect(out).to.match(/5: not stored: "who knows": No team or player who plays in these games/);
    expect(out).to.include('picks: 2 added, 1 refused\nNothing was stored.\n');
    expect(await Promise.all(['cappers', 'games', 'picks', 'results'].map(count))).to.deep.equal([
      0, 0, 0, 0,
    ]);
  });

  it('stores the rows, names its guesses, and changes nothing the second time', async () => {
    const { status, out, err } = await ingest('--now', '--capper', 'Max Gull', workbook());
    expect(status).to.equal(2);
    expect(out).to.include(
      'Some of this is guessed. To check each row without storing anything, use --dry-run.\n',
    );
    expect(out).to.include('cappers: 1 added\ngames: 1 added\npicks: 2 added, 1 refused\n');
    expect(err).to.match(/my-bets\.xlsx:5: "who knows"/);
    const picks = await database
      .database('picks as p')
      .join('cappers as c', 'c.id', 'p.capper_id')
      .orderBy('p.id')
      .select(
        'c.handle',
        'c.display_name',
        'p.market',
        'p.subject',
        'p.line_e3',
        'p.odds_american',
        'p.stake_e4',
        'p.source',
      );
    expect(picks.map((pick) => Object.values(pick))).to.deep.equal([
      ['max-gull', 'Max Gull', 'spread', null, -3000, -110, 10_000, 'day'],
      ['max-gull', 'Max Gull', 'player_rush_yds', 'Ada Gull', 60_500, -111, 5_000, 'day'],
    ]);
    expect((await ingest('--capper', 'Max Gull', workbook())).out).to.include(
      'picks: 2 unchanged, 1 refused\n',
    );
  });

  it('keeps picks with guesses back for 10 minutes, and withdraws them until then', async () => {
    const file = folder.write('more-bets.csv', [
      'Date,League,Game,Pick,Odds,Stake',
      '10/12/2024,NFL,Bills @ Ravens,Ravens -3,-110,1',
    ]);
    const now = Date.now();
    const before = await count('picks');
    const { status, out } = await ingest('--capper', 'Max Gull', file);
    expect(status).to.equal(0);
    const [, dueAt = '', id = ''] =
      /1 pick wait until (\S+) before they are public\. To withdraw them: .* --drop (\d+)/.exec(out) ?? [];
    expect(Date.parse(dueAt) - now).to.be.within(599_000, 660_000);
    expect(await count('picks')).to.equal(before);
    expect(await count('games')).to.equal(2);
    expect((await ingest('--capper', 'Max Gull', file)).out).to.include(`--drop ${id}`);
    expect(await count('waiting_imports')).to.equal(1);
    expect((await ingest('--drop', id)).out).to.equal(`Import ${id} is withdrawn.\n`);
    expect((await ingest('--drop', id)).status).to.equal(1);
    await ingest('--capper', 'Max Gull', file);
    const apply = (at: number) =>
      applyImports({
        database: database.database,
        clock: { now: () => at },
        enqueue: { add: async () => true },
      });
    await apply(now);
    expect(await count('picks')).to.equal(before);
    await apply(now + 11 * 60_000);
    expect(await count('picks')).to.equal(before + 1);
    expect(await count('waiting_imports')).to.equal(0);
  });

  it('ends with status 3 and lists its questions if it must ask and has no terminal', async () => {
    const file = folder.write('letters.csv', [
      'Date,League,Home,Away,Market,Pick,Odds,Stake,Result',
      ...['W', 'L', 'P'].map(
        (result, at) => `2024-11-0${at + 1},EPL,Arsenal,Everton,BTTS,Yes,1.9,1,${result}`,
      ),
    ]);
    const before = await count('picks');
    const { status, out } = await ingest('--now', '--capper', 'Max Gull', file);
    expect(status).to.equal(3);
    expect(out).to.match(
      /^question: What does P in the results mean \(1 row\)\? Answer with --answer 'results\.P=/m,
    );
    expect(await count('picks')).to.equal(before);
    const answered = await ingest('--now', '--answer', 'results.P=push', '--capper', 'Max Gull', file);
    expect([answered.status, await count('picks')]).to.deep.equal([0, before + 3]);
    const results = await database.database('results').where('market', 'btts').orderBy('id').pluck('result');
    expect(results).to.deep.equal(['win', 'loss', 'push']);
  });

  it("prints JSON and accepts the operator's mapping of columns", async () => {
    const file = folder.write('bets.csv', ['When,Memo,Quota', '2024-10-05,Bills @ Ravens: Bills +3,2.0']);
    const { out } = await ingest(
      '--json',
      '--dry-run',
      '--capper',
      'ada',
      '--sport',
      'nfl',
      ...['When=date', 'Memo=description', 'Quota=odds'].flatMap((map) => ['--map', map]),
      file,
    );
    const { stored, counts, sheets } = JSON.parse(out);
    expect([stored, counts.picks.added, sheets[0].rows[0].pick.line]).to.deep.equal([false, 1, 3]);
    expect((await ingest('--capper', 'ada', '/not/there.csv')).err).to.match(/^There is no file or folder/);
    expect((await ingest('--map', 'Memo=nonsense', file)).err).to.match(/^Memo=nonsense is not a mapping/);
    expect((await ingest('--capper', 'ada', file)).err).to.match(/^bets\.csv has no header row for bets/);
  });

  it("accepts an array of rows in the service's own layout", async () => {
    const file = join(folder.path(), 'cappers.json');
    writeFileSync(file, JSON.stringify([{ handle: 'eve', tier: 'listed', verified: true }]));
    expect((await ingest(file)).out).to.include('cappers: 1 added\n');
  });
});
