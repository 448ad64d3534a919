import { execFile } from 'node:child_process';
import { resolve } from 'node:path';
import { expect } from 'chai';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { runVerb, verbEnvironment } from '../support/verbs.ts';
import { runPipeline } from '../support/whole-way.ts';

const root = resolve(import.meta.dirname, '..', '..');

describe("the operator's verbs", () => {
  const stores = withDatabase();
  const redis = withRedis();

  const environment = () => verbEnvironment(asLogin(stores.url, 'operator'), redis.url);
  const printed = async (...args: string[]) => {
    const { status, out, err } = await runVerb(args, environment);
    expect([status, err]).to.deep.equal([0, '']);
    return out.trimEnd();
  };
  const refused = async (...args: string[]) => {
    const { status, out, err } = await runVerb(args, environment);
    expect([status, out]).to.deep.equal([1, '']);
    return err.trimEnd();
  };
  const notices = (): Promise<string[]> => stores.database('notices').orderBy('id').pluck('text');
  const jobs = async (queue: string) => (await redis.redis.keys(`bull:${queue}:*`)).length;

  describe('cappers', () => {
    it('adds a capper once', async () => {
      expect(await printed('cappers', 'add', 'Ada', '--tier', 'listed')).to.equal(
        'Added ada: listed, not verified.',
      );
      expect(await refused('cappers', 'add', 'ADA', '--tier', 'elite')).to.equal(
        'Capper ada already exists: change it with tier, verify, or unverify.',
      );
      expect(
        await printed('cappers', 'add', 'bea', '--tier', 'elite', '--verified', '--name', 'Bea B.'),
      ).to.equal('Added bea: elite, verified.');
      expect(
        await stores.database('cappers').orderBy('id').select('handle', 'tier', 'verified', 'display_name'),
      ).to.deep.equal([
        { handle: 'ada', tier: 'listed', verified: false, display_name: null },
        { handle: 'bea', tier: 'elite', verified: true, display_name: 'Bea B.' },
      ]);
      expect(await notices()).to.deep.equal([]);
    });

    it('changes tier and verification, each with a notice in the log, and enqueues jobs', async () => {
      expect(await printed('cappers', 'verify', 'ada')).to.equal('ada was verified.');
      expect(await printed('cappers', 'tier', 'ADA', 'elite')).to.equal(
        'The tier of ada was changed from listed to elite.',
      );
      expect(await printed('cappers', 'unverify', 'ada')).to.equal('The verification of ada was withdrawn.');
      expect(await printed('cappers', 'unverify', 'ada')).to.equal('ada is unchanged.');
      expect(await notices()).to.deep.equal([
        'ada was verified.',
        'The tier of ada was changed from listed to elite.',
        'The verification of ada was withdrawn.',
      ]);
      expect([await jobs('sealing'), await jobs('boards')].every((count) => count > 0)).to.equal(true);
      await runPipeline(stores.database, Date.now());
      expect(await stores.database('ledger_entries').pluck('kind')).to.deep.equal([
        'notice',
        'notice',
        'notice',
      ]);
    });

    it('keeps the display name when another field changes', async () => {
      await printed('cappers', 'tier', 'bea', 'listed');
      expect(
        await stores.database('cappers').where('handle', 'bea').first('tier', 'display_name'),
      ).to.deep.equal({
        tier: 'listed',
        display_name: 'Bea B.',
      });
    });

    it('reports invalid arguments and changes nothing', async () => {
      expect(await refused('cappers', 'tier', 'ada', 'best')).to.equal(
        'The arguments are not valid: tier must be one of elite, verified_sharp, listed.',
      );
      expect(await refused('cappers', 'add', '?', '--tier', 'elite')).to.match(
        /not valid: handle must be a handle/,
      );
      expect(await refused('cappers', 'verify', 'nobody')).to.equal('There is no capper nobody.');
      expect(await refused('cappers', 'add', 'eve')).to.match(
        /required option '--tier <tier>' not specified/,
      );
    });

    it('lists cappers', async () => {
      expect(
        (await printed('cappers', 'list')).split('\n').map((line) => line.split(/\s{2,}/)),
      ).to.deep.equal([
        ['ada', 'elite', 'not verified'],
        ['bea', 'listed', 'verified'],
      ]);
      expect(await printed('cappers', 'list', '--tier', 'verified_sharp')).to.equal('No cappers.');
    });
  });

  describe('results', () => {
    const prop = ['results', 'set', '--sport', 'nfl', '--game', 'Harbor Gulls @ Copper Foxes', '--starts-at'];
    const start = '2024-09-08T17:00:00Z';
    const of = (market: string, side: string, result: string, ...more: string[]) => [
      ...prop,
      start,
      '--market',
      market,
      '--side',
      side,
      '--result',
      result,
      ...more,
    ];

    before(async () => {
      await stores.database('games').insert({
        sport: 'nfl',
        name: 'Harbor Gulls @ Copper Foxes',
        announced_start: start,
        starts_at: start,
      });
      const posted = await postPick(
        stores.database,
        {
          capperHandle: 'bea',
          sport: 'nfl',
          game: 'Harbor Gulls @ Copper Foxes',
          startsAt: start,
          market: 'player_sacks',
          subject: 'Rory Finch',
          side: 'over',
          line: 4.5,
          pick: 'Finch over 4.5 sacks',
          oddsAmerican: 120,
          stakeUnits: 1,
        },
        undefined,
        Date.parse(start) - 3_600_000,
      );
      expect(posted).to.include({ outcome: 'added' });
    });

    it('sets a result with a notice, and lets the picks on it be graded', async () => {
      const sentence =
        'The result of player_sacks Rory Finch over 4.5 in nfl: Harbor Gulls @ Copper Foxes (2024-09-08T17:00:00.000Z) was set to win by the operator.';
      expect(
        await printed(...of('player_sacks', 'over', 'win', '--subject', 'Rory Finch', '--line', '4.5')),
      ).to.equal(sentence);
      expect(
        await stores.database('results').select('market', 'subject', 'side', 'line_e3', 'result'),
      ).to.deep.equal([
        { market: 'player_sacks', subject: 'Rory Finch', side: 'over', line_e3: 4500, result: 'win' },
      ]);
      expect((await notices()).at(-1)).to.equal(sentence);
      expect(await jobs('grading')).to.be.above(0);
      await runPipeline(stores.database, Date.now());
      expect(await stores.database('settlements').select('result', 'grader')).to.deep.equal([
        { result: 'win', grader: 'result' },
      ]);
    });

    it('takes another spelling of a game for it, as other doors do', async () => {
      const spelled = [
        'results',
        'set',
        '--sport',
        'nfl',
        '--game',
        'harbor gulls vs copper foxes',
        '--starts-at',
        start,
      ];
      const prop = [
        '--market',
        'player_1st_td',
        '--subject',
        'Rory Finch',
        '--side',
        'yes',
        '--result',
        'win',
      ];
      const sentence =
        'The result of player_1st_td Rory Finch yes in nfl: Harbor Gulls @ Copper Foxes (2024-09-08T17:00:00.000Z) was set to win by the operator.';
      expect(await printed(...spelled, ...prop)).to.equal(sentence);
    });

    it('names a game of which only the day is known by its day', async () => {
      await stores.database('games').insert({ sport: 'soccer', name: 'Otters @ Hawks', day: '2024-09-08' });
      const question = [
        '--market',
        'question',
        '--subject',
        'Corner first',
        '--side',
        'yes',
        '--result',
        'win',
      ];
      expect(
        await printed(
          'results',
          'set',
          '--sport',
          'soccer',
          '--game',
          'Hawks vs Otters',
          '--day',
          '2024-09-08',
          ...question,
        ),
      ).to.equal(
        'The result of question Corner first yes in soccer: Otters @ Hawks (2024-09-08) was set to win by the operator.',
      );
    });

    it('keeps the first result, reports a contradicting one, and leaves a notice', async () => {
      expect(
        await printed(...of('player_sacks', 'over', 'win', '--subject', 'Rory Finch', '--line', '4.5')),
      ).to.equal('This result is already set.');
      expect(
        await refused(...of('player_sacks', 'over', 'loss', '--subject', 'Rory Finch', '--line', '4.5')),
      ).to.match(/stands as win; a later report says loss/);
      expect((await notices()).at(-1)).to.match(/stands as win; a later report says loss/);
      const stored = await stores.database('results').where({ market: 'player_sacks' }).pluck('result');
      expect(stored).to.deep.equal(['win']);
    });

    it('refuses invalid results', async () => {
      expect(await refused(...of('player_sacks', 'over', 'win', '--line', '4.5'))).to.equal(
        'The result is refused: player_sacks needs a subject: the player, team, or question that it is about.',
      );
      expect(await refused(...of('spread', 'home', 'win'))).to.equal(
        'The result is refused: the market spread is graded from the score, so give its game the final score instead.',
      );
      expect(await refused(...of('player_sacks', 'over', 'won'))).to.equal(
        'The arguments are not valid: result must be one of win, loss, push, void.',
      );
      expect(await refused(...of('player_sacks', 'over', 'win', '--line', 'four'))).to.match(
        /not valid: line must be/,
      );
      expect(await refused(...of('player_sacks', 'over', 'win', '--game', 'No @ One'))).to.match(
        /^The result is refused: nfl has no team/,
      );
    });
  });

  describe('notices', () => {
    it('adds a remark to the log, and lists notices', async () => {
      await printed('notices', 'add', 'Prices of 3 March came late: the provider was down.');
      expect((await notices()).at(-1)).to.equal('Prices of 3 March came late: the provider was down.');
      expect((await printed('notices', 'list')).split('\n')[0]).to.match(
        /^\d{4}-.*Z remark: Prices of 3 March came late: the provider was down\.$/,
      );
      await runPipeline(stores.database, Date.now());
      expect(await stores.database('unsealed_events')).to.deep.equal([]);
    });

    it('refuses empty and overlong text', async () => {
      for (const text of ['  ', 'x'.repeat(1001), 'two\nlines'])
        expect(await refused('notices', 'add', text)).to.equal(
          'The arguments are not valid: text must be 1 to 1000 characters, none of them a control character.',
        );
    });
  });

  describe('aliases', () => {
    it("matches a provider's event to its game", async () => {
      const now = Date.parse('2024-09-08T12:00:00Z');
      const event = {
        eventId: 'e',
        away: 'HBG',
        home: 'Copper Foxes',
        startsAt: Date.parse('2024-09-08T17:00:00Z'),
      };
      expect(await printed('aliases', 'add', 'nfl', 'HBG', 'Harbor Gulls')).to.equal(
        'In nfl, "hbg" means "harbor gulls".',
      );
      expect(await applyReports(stores.database, 'test', 'nfl', [event], now)).to.include({
        events: 1,
        added: 0,
      });
      expect(await printed('aliases', 'list')).to.equal('nfl hbg = harbor gulls');
      expect(await refused('aliases', 'add', 'curling', 'a', 'b')).to.equal('There is no sport curling.');
      expect(await refused('aliases', 'add', 'nfl', 'A.', 'a')).to.equal(
        'The alias and the team are the same name.',
      );
    });

    it('adds and lists aliases of players', async () => {
      expect(await printed('aliases', 'add-player', 'nba', 'Ace Cole', 'Alma Côle')).to.equal(
        'In nba, the player "acecole" is "almacole".',
      );
      expect(await printed('aliases', 'list')).to.contain('nba player acecole = almacole');
      expect(await refused('aliases', 'add-player', 'nba', 'Ace Cole', 'ace cole')).to.match(/the same name/);
      expect(await refused('aliases', 'add-player', 'curling', 'Ace', 'Bea')).to.match(/no sport curling/);
    });
  });

  describe('join', () => {
    it('lists games that look like one, and joins them once', async () => {
      const startsAt = new Date(Date.now() + 3_600_000);
      const games = ['Gulls @ Foxes', 'Gulls @ CFX'].map((name) => ({
        sport: 'soccer',
        name,
        announced_start: startsAt,
        starts_at: startsAt,
      }));
      const [one, two] = (await stores.database('games').insert(games).returning('id')).map(({ id }) => id);
      const at = startsAt.toISOString();
      expect(await printed('join')).to.equal(
        `join ${one} ${two}: soccer Gulls @ Foxes, ${at} = soccer Gulls @ CFX, ${at}`,
      );
      expect(await refused('join', String(one))).to.equal('Give the numbers of two games.');
      expect(await refused('join', String(one), '999999')).to.match(/^Name two different games/);
      expect(await printed('join', String(one), String(two))).to.equal(
        `Gulls @ CFX is now Gulls @ Foxes (game ${one}). The join becomes an entry of the log.\nIn soccer, "cfx" means "foxes".`,
      );
      expect(await refused('join', String(one), String(two))).to.match(/was joined into game \d+ before/);
      expect(await printed('join')).to.equal('No games look like one fixture.');
      const [{ joined_by }] = await stores.database('game_joins').select('joined_by');
      expect(joined_by).to.equal('operator');
    });
  });

  describe('waiting', () => {
    it('lists games that picks wait for, or says that none are waiting', async () => {
      const waiting = await printed('waiting');
      expect(waiting).to.match(/^(?:No picks wait for a game|nfl .+: over without a result)/);
    });
  });

  it('print what was done, or exit with 1 and a sentence', async () => {
    const run = (args: string[], env: NodeJS.ProcessEnv) =>
      new Promise<unknown[]>((settle) => {
        const command = [resolve(root, 'src', 'cli.ts'), ...args];
        execFile(process.execPath, command, { cwd: root, env }, (error, out, err) =>
          settle([error?.code ?? 0, out, err.split(';')[0]]),
        );
      });
    expect(await run(['cappers', 'verify', 'nobody'], environment())).to.deep.equal([
      1,
      '',
      'There is no capper nobody.\n',
    ]);
    expect(await run(['aliases', 'list'], environment())).to.deep.equal([0, 'No aliases.\n', '']);
    expect(await run(['notices', 'list'], { ...environment(), DATABASE_URL: 'nonsense' })).to.deep.equal([
      1,
      '',
      'Wrong settings:\n  DATABASE_URL must be a postgres:// or postgresql:// address\n',
    ]);
  });
});
