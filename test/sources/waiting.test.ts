import { expect } from 'chai';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { iso } from '../../src/platform/clock.ts';
import { readWaiting, type WaitingGame } from '../../src/sources/waiting.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';
import { runVerb, verbEnvironment } from '../support/verbs.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2024-10-07T00:00:00Z');
const clock = { SERVICE_CLOCK: iso(now) };
const hour = 3_600_000;
const game = (name: string, startsAt: number, more: object = {}) => ({
  sport: 'nfl',
  game: `Harbor Gulls @ ${name} Foxes`,
  startsAt: iso(startsAt),
  status: 'scheduled',
  ...more,
});
const final = { status: 'final', homeScore: 21, awayScore: 17 };
const ended = game('Ended', now - 12 * hour, final);
const halved = game('Halved', now - 11 * hour, { ...final, homeHalfScore: 7, awayHalfScore: 3 });
const overdue = game('Overdue', now - 10 * hour);
const off = game('Canceled', now - 9 * hour, { status: 'cancelled' });
const other = (sport: string, hours: number, more: object = {}) => ({
  ...game(sport, now - hours * hour, { ...final, homeScore: 2, awayScore: 1, ...more }),
  sport,
});
const match = other('tennis', 8);
const bout = other('mma', 7, { homeScore: 1, awayScore: 0 });
const rained = other('mlb', 6, { played: 'shortened' });
const hoops = other('nba', 5, { homeScore: 101, awayScore: 99 });
const later = game('Later', now + hour);

describe('waiting picks', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();

  const pick = ({ sport, game: name, startsAt }: typeof ended, market: string, more: object = {}) => ({
    capperHandle: 'ada',
    sport,
    game: name,
    startsAt,
    market,
    pick: `${market} ${JSON.stringify(more)}`,
    oddsAmerican: -110,
    stakeUnits: 1,
    postedAt: iso(now - 24 * hour),
    ...more,
  });
  const half = { side: 'over', line: 20.5 };
  const prop = { subject: 'Ada Lovelace', side: 'yes' };

  before(async () => {
    const { refusals } = await ingest(
      stores.database,
      [
        folder.write('cappers.ndjson', [{ handle: 'ada', tier: 'elite', verified: true }]),
        folder.write('games.ndjson', [ended, halved, overdue, off, match, bout, rained, hoops, later]),
        folder.write('picks.ndjson', [
          pick(ended, 'moneyline', { side: 'home' }),
          pick(ended, 'first_half_total', half),
          pick(ended, 'first_half_total', { ...half, stakeUnits: 2 }),
          pick(ended, 'first_touchdown', prop),
          pick(ended, 'first_touchdown', { ...prop, subject: 'Bea Bell' }),
          pick(halved, 'first_half_total', half),
          pick(overdue, 'spread', { side: 'away', line: 3.5 }),
          pick(overdue, 'first_touchdown', prop),
          pick(off, 'moneyline', { side: 'away' }),
          pick(match, 'moneyline', { side: 'home' }),
          pick(match, 'total', { side: 'over', line: 21.5 }),
          pick(bout, 'total', { side: 'over', line: 2.5 }),
          pick(rained, 'moneyline', { side: 'home' }),
          pick(rained, 'total', { side: 'over', line: 2.5 }),
          pick(hoops, 'player_points', { subject: 'Ada Cole', ...half }),
          pick(hoops, 'player_double_double', { subject: 'Bea Ray', side: 'yes' }),
          pick(hoops, 'player_points', { subject: 'Bea Ray', ...half }),
          pick(rained, 'batter_hits', { subject: 'Dot Fay', side: 'over', line: 1.5 }),
          pick(later, 'moneyline', { side: 'home' }),
          pick(later, 'first_touchdown', prop),
        ]),
        folder.write('stats.ndjson', [
          {
            sport: hoops.sport,
            game: hoops.game,
            startsAt: hoops.startsAt,
            player: 'Bea Ray',
            minutes: 30,
            points: 21,
          },
          {
            sport: 'mlb',
            game: rained.game,
            startsAt: rained.startsAt,
            player: 'Dot Fay',
            plateAppearances: 3,
            hits: 1,
          },
        ]),
      ],
      now,
    );
    expect(refusals).to.deep.equal([]);
    await stores.owner.raw(
      `insert into stat_gaps (game_id, subject, source, reason, at)
       select id, 'Ada Cole', 'espn', 'the box score does not list them', timestamptz '2024-10-06T22:00:00Z' from games where sport = 'nba'`,
    );
  });

  const lines = (games: readonly WaitingGame[]) =>
    games.flatMap(({ name, selections }) =>
      selections.map(({ market, subject, side, line, picks, needs }) =>
        [name.slice(15, -6), market, subject, side, line, picks, needs]
          .filter((part) => part !== null)
          .join(' '),
      ),
    );
  const unsettled = [
    'Ended first_half_total over 20.5 2 the score of the first half, or a result event',
    'Ended player_1st_td Ada Lovelace yes 1 a result event',
    'Ended player_1st_td Bea Bell yes 1 a result event',
    'Overdue player_1st_td Ada Lovelace yes 1 a result event',
    'Overdue spread away 3.5 1 a final score',
    'tennis total over 21.5 1 the games of each set, or a result event',
    'mma total over 2.5 1 a result event',
    'mlb batter_hits Dot Fay over 1.5 1 how much was played, or a result event',
    'mlb moneyline home 1 how much was played, or a result event',
    'nba player_double_double Bea Ray yes 1 the statistics of the player, or a result event; missing: rebounds, assists, steals, blocks',
    'nba player_points Ada Cole over 20.5 1 the statistics of the player, or a result event; missing: played, points; espn: the box score does not list them',
  ];
  const finals = [...unsettled.slice(0, 3), ...unsettled.slice(5)];

  it('name the grading worker if nothing else is missing', async () => {
    expect(lines(await readWaiting(stores.database, now))).to.deep.equal([
      'Ended first_half_total over 20.5 2 the score of the first half, or a result event',
      'Ended moneyline home 1 the grading worker: the score is known',
      'Ended player_1st_td Ada Lovelace yes 1 a result event',
      'Ended player_1st_td Bea Bell yes 1 a result event',
      'Halved first_half_total over 20.5 1 the grading worker: the score is known',
      'Overdue player_1st_td Ada Lovelace yes 1 a result event',
      'Overdue spread away 3.5 1 a final score',
      'Canceled moneyline away 1 the grading worker: the game is canceled',
      'tennis moneyline home 1 the grading worker: the score is known',
      'tennis total over 21.5 1 the games of each set, or a result event',
      'mma total over 2.5 1 a result event',
      'mlb batter_hits Dot Fay over 1.5 1 how much was played, or a result event',
      'mlb moneyline home 1 how much was played, or a result event',
      'mlb total over 2.5 1 the grading worker: the score is known',
      'nba player_double_double Bea Ray yes 1 the statistics of the player, or a result event; missing: rebounds, assists, steals, blocks',
      'nba player_points Ada Cole over 20.5 1 the statistics of the player, or a result event; missing: played, points; espn: the box score does not list them',
      'nba player_points Bea Ray over 20.5 1 the grading worker: the statistics are known',
    ]);
  });

  it('include all on finished games, whatever their market, with what would settle them', async () => {
    await gradeDue(stores.database, now);
    const games = await readWaiting(stores.database, now);
    expect(lines(games)).to.deep.equal(unsettled);
    expect(games.slice(0, 2).map(({ over, reasons }) => [over, reasons])).to.deep.equal([
      [true, ['final 17-21']],
      [true, ['over without a result, and no source lists it: post its result']],
    ]);
    expect(lines(await readWaiting(stores.database, now, { limit: 1 }))).to.deep.equal(unsettled.slice(0, 3));
    expect(lines(await readWaiting(stores.database, now, { status: 'scheduled' }))).to.deep.equal(
      unsettled.slice(3, 5),
    );
    expect(lines(await readWaiting(stores.database, now, { status: 'final' }))).to.deep.equal(finals);
  });

  it('say what sources contradict each other about', async () => {
    const [id] = await stores.database('games').where('name', overdue.game).pluck('id');
    const statement = (source: string, home_score: number) => ({
      game_id: id,
      source,
      state: 'final',
      home_score,
      away_score: 3,
      said_at: new Date(now - hour),
    });
    await stores.owner('source_scores').insert([statement('espn', 7), statement('odds-api', 6)]);
    const [, disputed] = await readWaiting(stores.database, now);
    expect(disputed?.reasons.at(-1)).to.match(/^sources disagree: .*espn says 3-7/);
    await stores.owner('source_scores').delete();
  });

  it('are listed by the verb and on the operator’s page', async () => {
    const environment = () => ({ ...verbEnvironment(asLogin(stores.url, 'operator'), redis.url), ...clock });
    const { out } = await runVerb(['waiting'], environment);
    expect(out).to.include(
      `nfl ${ended.game}, ${ended.startsAt}: final 17-21\n` +
        '  first_half_total over 20.5, 2 picks: needs the score of the first half, or a result event\n' +
        '  player_1st_td Ada Lovelace yes, 1 pick: needs a result event\n',
    );
    expect(out).to.include('  spread away 3.5, 1 pick: needs a final score\n').and.not.include('Later');

    const token = 'the-token-of-these-tests';
    const operator = await startOperator(
      { database: stores, redis },
      { now: () => now },
      { OPERATOR_TOKEN: token },
    );
    try {
      const headers = { Authorization: `Basic ${btoa(`x:${token}`)}` };
      const page = await (await fetch(`${operator.address}/`, { headers })).text();
      // The Gulls of these games play several at once, which look like one.
      const waiting = page.slice(page.indexOf('id="waiting"'), page.indexOf('id="twins"'));
      expect(waiting).to.match(
        /Bea Bell first touchdown, 1 pick<.*?Needs a result event\..*?<p class="note">Final 17-21\.<\/p>/s,
      );
      expect(waiting.match(/<p class="note">\w+: Harbor Gulls @ /g)).to.have.length(unsettled.length);
      expect(page).not.to.include('More games wait');
    } finally {
      await operator.close();
    }
  });

  it('are counted by a later import', async () => {
    await runPipeline(stores.database, now);
    const environment = () => ({ ...verbEnvironment(asLogin(stores.url, 'ingest'), redis.url), ...clock });
    const { out } = await runVerb(['ingest', folder.write('more-games.ndjson', [later])], environment);
    expect(out).to.include(
      'on the boards, except 12 picks: `npm run cli -- waiting` shows what would settle them.\n',
    );
  });

  it('disappear once they settle', async () => {
    const results = folder.write('results.ndjson', [
      { ...pick(ended, 'first_half_total', half), result: 'win' },
      ...['Ada Lovelace', 'Bea Bell'].map((subject) => ({
        ...pick(ended, 'first_touchdown', { ...prop, subject }),
        result: 'loss',
      })),
    ]);
    await ingest(stores.database, results, now);
    await gradeDue(stores.database, now);
    expect(lines(await readWaiting(stores.database, now, { status: 'final' }))).to.deep.equal(
      unsettled.slice(5),
    );
  });
});
