import { expect } from 'chai';
import { type MonitorState, newState, poll } from '../../src/monitor/follow.ts';
import { openLog } from '../../src/monitor/log-client.ts';
import { type PostedPick, signAcknowledgement } from '../../src/proof/acknowledgement.ts';
import { bodyHash, type PickBody, type StartMovedBody } from '../../src/proof/bodies.ts';
import { signDataIndex } from '../../src/proof/data-index.ts';
import { hex, utf8 } from '../../src/proof/encoding.ts';
import { sha256 } from '../../src/proof/sha256.ts';
import { examplePick, logSigner, ORIGIN } from '../proof/example-log.ts';
import { withServer } from '../sources/http-server.ts';
import { createMemoryLog, follow, type MemoryLog, otherSigner, post, trusted } from './memory-log.ts';
import { serveLog } from './served-log.ts';

const at = (clock: string) => Date.parse(`2026-03-01T${clock}:00Z`);
const day = 86_400_000;

describe('a monitor of a log that signs falsehoods', () => {
  const server = withServer();
  let log: MemoryLog;
  let state: MonitorState;

  /** Adds a move of the start of the picks' game. */
  function move(fields: Pick<StartMovedBody, 'from' | 'to' | 'at'> & Partial<StartMovedBody>): void {
    const { sport, game, starts_at } = examplePick(1);
    const body: StartMovedBody = { v: 1, sport, game, announced_start: starts_at, by: 'ingest', ...fields };
    log.add({ kind: 'start_moved', hash: bodyHash('start_moved', body) }, body);
  }

  /** Polls over HTTP. @returns the findings' messages, each preceded by its kind */
  async function pollAt(now: number, acknowledgements: string[] = []): Promise<string[]> {
    const result = await poll(openLog(server.url), state, { now, acknowledgements });
    state = result.state;
    return result.findings.map(({ kind, message }) => `${kind}: ${message}`);
  }

  beforeEach(async () => {
    log = createMemoryLog();
    server.answer(serveLog(() => log.client()));
    state = newState(ORIGIN, [trusted]);
    post(log, 'ada', 1, 1);
    expect(await pollAt(at('12:40'))).to.deep.equal([]);
  });

  it('finds nothing in an honest life of a pick', async () => {
    post(log, 'bob', 1, 2);
    expect(await pollAt(at('12:41'))).to.deep.equal([]);
    const closed = follow(log, post(log, 'eve', 1, 3), 'closed');
    follow(log, closed, 'settled');
    expect(await pollAt(at('12:42'))).to.deep.equal([]);
  });

  it('reports a pick that was sealed after the start', async () => {
    expect(await pollAt(at('19:05'))).to.deep.equal([]);
    post(log, 'bob', 1, 2, { posted_at: '2026-03-01T18:59:00.000Z' });
    expect(await pollAt(at('19:06'))).to.deep.equal([
      'late: pick 3f2504e0-4f89-41d3-9a0c-000000000002 of bob was not in the log at 2026-03-01T19:05:00.000Z, after the start at 2026-03-01T19:00:00.000Z',
    ]);
  });

  it('reports a pick that was sealed long after the time it claims', async () => {
    await pollAt(at('14:00'));
    post(log, 'bob', 1, 2, { posted_at: '2026-03-01T13:44:00.000Z' });
    post(log, 'bob', 2, 3, { posted_at: '2026-03-01T13:46:00.000Z' });
    const found = await pollAt(at('14:01'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(
      /^late: pick .+02 of bob was not in the log at .+14:00.+, although it was posted at .+13:44/,
    );
  });

  it('reports a pick that was posted in the future, or not before the start', async () => {
    post(log, 'bob', 1, 2, { posted_at: '2026-03-01T18:00:00.000Z' });
    post(log, 'bob', 2, 3, { posted_at: '2026-03-01T12:30:00.000Z', starts_at: '2026-03-01T12:30:00.000Z' });
    const found = await pollAt(at('12:41'));
    expect(found[0]).to.match(/^late: pick .+02 of bob was posted in the future/);
    expect(found[1]).to.match(/^late: pick .+03 of bob was posted at .+, not before the start/);
  });

  it('reports a pick that was posted after any start that its game ever had', async () => {
    move({
      from: '2026-03-01T19:00:00.000Z',
      to: '2026-03-01T21:00:00.000Z',
      at: '2026-03-01T19:10:00.000Z',
    });
    move({
      from: '2026-03-01T21:00:00.000Z',
      to: '2026-03-02T19:00:00.000Z',
      at: '2026-03-01T19:20:00.000Z',
    });
    post(log, 'bob', 1, 2, {
      posted_at: '2026-03-01T19:30:00.000Z',
      starts_at: '2026-03-02T19:00:00.000Z',
    });
    const found = await pollAt(at('19:31'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(
      /^late: pick .+02 of bob was posted at 2026-03-01T19:30.+, after 2026-03-01T19:00.+, a start of its game that had already passed/,
    );
  });

  const delay = { from: '2026-03-01T19:00:00.000Z', to: '2026-03-01T21:00:00.000Z' };
  const meanwhile = { posted_at: '2026-03-01T19:30:00.000Z', starts_at: delay.to };

  it('reports nothing if a provider moved a start an hour before it came', async () => {
    move({ ...delay, at: '2026-03-01T18:00:00.000Z' });
    expect(await pollAt(at('18:01'))).to.deep.equal([]);
    post(log, 'bob', 1, 2, meanwhile);
    expect(await pollAt(at('19:31'))).to.deep.equal([]);
  });

  for (const [what, fields] of Object.entries({
    'a provider moved shortly before it came': { at: '2026-03-01T18:30:00.000Z' },
    'the operator moved long before it came': { at: '2026-03-01T12:40:00.000Z', by: 'operator' },
  }))
    it(`questions a pick that was posted after a start that ${what}`, async () => {
      move({ ...delay, ...fields });
      expect(await pollAt(Date.parse(fields.at) + 60_000)).to.deep.equal([]);
      post(log, 'bob', 1, 2, meanwhile);
      const found = await pollAt(at('19:31'));
      expect(found).to.have.length(1);
      expect(found[0]).to.match(
        /^moved: pick .+02 of bob was posted at .+19:30.+, after .+19:00.+, a start of .+ that \w+ had moved at .+\?$/,
      );
    });

  it('reports a pick after the start of a game that its game had been joined with', async () => {
    const { sport, game, starts_at } = examplePick(1);
    const twin = { game: `${game} FC`, announced_start: '2026-03-01T19:20:00.000Z', day: null };
    const body = {
      v: 1 as const,
      sport,
      to: { game, announced_start: starts_at, day: null },
      from: twin,
      at: '2026-03-01T12:45:00.000Z',
      by: 'operator',
    };
    log.add({ kind: 'game_joined', hash: bodyHash('game_joined', body) }, body);
    expect(await pollAt(at('12:46'))).to.deep.equal([]);
    const onTwin = { game: twin.game, starts_at: twin.announced_start };
    post(log, 'bob', 1, 2, { ...onTwin, posted_at: '2026-03-01T18:59:00.000Z' });
    expect(await pollAt(at('18:59'))).to.deep.equal([]);
    post(log, 'bob', 2, 3, { ...onTwin, posted_at: '2026-03-01T19:10:00.000Z' });
    const found = await pollAt(at('19:11'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(
      /^late: pick .+03 of bob was posted at .+19:10.+, after 2026-03-01T19:00.+, the start of a game that its game had been joined with/,
    );
  });

  it('reports a start that is moved to an instant before a pick', async () => {
    move({ ...delay, at: '2026-03-01T18:00:00.000Z' });
    post(log, 'bob', 1, 2, meanwhile);
    expect(await pollAt(at('19:31'))).to.deep.equal([]);
    move({ from: delay.to, to: delay.from, at: '2026-03-01T20:00:00.000Z' });
    const found = await pollAt(at('20:01'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(/^late: pick .+02 of bob was posted at .+19:30.+ had started at .+19:00/);
  });

  it('knows the moves from before its first poll', async () => {
    move({ ...delay, at: '2026-03-01T19:10:00.000Z' });
    state = newState(ORIGIN, [trusted]);
    expect(await pollAt(at('19:20'))).to.deep.equal([]);
    post(log, 'bob', 1, 2, meanwhile);
    const found = await pollAt(at('19:31'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(/^late: pick .+02 of bob was posted at .+19:30.+, after .+19:00/);
  });

  it('reports a move that was sealed long after the time it claims', async () => {
    await pollAt(at('18:30'));
    move({
      from: '2026-03-01T19:00:00.000Z',
      to: '2026-03-01T21:00:00.000Z',
      at: '2026-03-01T18:00:00.000Z',
    });
    expect((await pollAt(at('18:31')))[0]).to.match(/^late: the start of .+ was moved at 2026-03-01T18:00/);
  });

  it('reports a live pick without a start', async () => {
    post(log, 'bob', 1, 2, { starts_at: null });
    expect((await pollAt(at('12:41')))[0]).to.match(
      /^late: pick .+02 of bob was posted live on a game without a start/,
    );
  });

  it('questions a game first seen after the start of another unfinished game of the same teams', async () => {
    const { game } = examplePick(1);
    const turned = game.split(' @ ').toReversed().join(' @ ');
    const second = { posted_at: '2026-03-01T19:30:00.000Z', starts_at: '2026-03-01T20:00:00.000Z' };
    post(log, 'bob', 1, 2, { game: turned, ...second });
    const found = await pollAt(at('19:31'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(/^pair: pick .+02 of bob is the first on .+ was this game announced before\?$/);
  });

  it('accepts a second game of the same teams that the log named before the first began', async () => {
    const second = { starts_at: '2026-03-01T23:00:00.000Z' };
    post(log, 'bob', 1, 2, second);
    post(log, 'bob', 2, 3, { posted_at: '2026-03-01T19:30:00.000Z', ...second });
    expect(await pollAt(at('19:31'))).to.deep.equal([]);
  });

  it('treats the time of an imported pick as a claim', async () => {
    await pollAt(at('14:00'));
    post(log, 'bob', 1, 2, { provenance: 'imported', posted_at: '2025-03-01T00:00:00.000Z' });
    expect(await pollAt(at('14:01'))).to.deep.equal([]);
  });

  const lies: [what: string, lie: () => void, finding: RegExp][] = [
    [
      'a result that contradicts its score',
      () => settle({ result: 'loss', net_units_e4: -15_000 }),
      /^figures: pick .+: the score 101-109 makes it a win, not a loss$/,
    ],
    [
      'units that contradict stake and odds',
      () => settle({ net_units_e4: 999_999 }),
      /^figures: pick .+: 99.9999 units do not follow/,
    ],
    [
      'a result event although the score decides',
      () => settle({ grader: 'result', away_score: null, home_score: null }),
      /^figures: pick .+: the score decides/,
    ],
    [
      'a win on a game that was called off',
      () => settle({ grader: 'cancelled', away_score: null, home_score: null }),
      /^figures: pick .+ is void, not a win$/,
    ],
    [
      'a settlement without a deciding fact',
      () => settle({ grader: 'goodwill' }),
      /^figures: pick .+: goodwill is not a grader$/,
    ],
    [
      'a settlement before the start',
      () => settle({ settled_at: '2026-03-01T18:00:00.000Z' }),
      /^figures: pick .+before the start/,
    ],
    [
      'a live pick without a price check',
      () => settle({ price_check: null }),
      /^figures: pick .+: it has no price check$/,
    ],
    [
      'a price that contradicts its verdict',
      () =>
        settle({
          price_check: {
            verdict: 'available',
            odds_american: -400,
            book: 'alpha-book',
            captured_at: '2026-03-01T12:30:00.000Z',
            counted_american: -110,
          },
        }),
      /^figures: pick .+: odds -110 against -400 of .+ make its price above_market, not available$/,
    ],
    [
      'a missing score',
      () => settle({ away_score: null, home_score: null }),
      /^figures: pick .+, but has none$/,
    ],
    [
      'a closing line value that contradicts the prices',
      () => close({ clv_bps: 9_999 }),
      /^figures: pick .+ a CLV of 606 bps, not 9999$/,
    ],
    [
      'a closing price from after the start',
      () => close({ captured_at: '2026-03-01T19:30:00.000Z' }),
      /^figures: pick .+ was captured at .+, after/,
    ],
    [
      'another body than the sealed one',
      () => log.replaceBody(1, { ...bob(), stake_e4: 1 }),
      /^body: pick .+: the log answers with another body/,
    ],
    ['a missing body', () => log.replaceBody(1, {}), /^body: pick /],
  ];
  it("recomputes the results that a player's statistic decides", async () => {
    const market = { market: 'player_points', subject: 'Ada Cole', side: 'over', line_e3: 20_500 };
    const scores = { grader: 'stat', away_score: null, home_score: null } as const;
    const points = (value_e3: number) => ({ ...scores, stat: { name: 'points', value_e3 } });
    const prop = (number: number) => post(log, 'bob', number, number + 1, { ...market, sport: 'nba' });
    follow(log, prop(1), 'settled', {}, { ...points(24_000), result: 'win' });
    follow(log, prop(2), 'settled', {}, { ...scores, stat: null, result: 'void', net_units_e4: 0 });
    expect(await pollAt(at('12:41'))).to.deep.equal([]);
    follow(log, prop(3), 'settled', {}, { ...points(18_000), result: 'win' });
    follow(
      log,
      prop(4),
      'settled',
      {},
      { ...scores, stat: { name: 'rebounds', value_e3: 24_000 }, result: 'win' },
    );
    follow(log, post(log, 'bob', 5, 6), 'settled', {}, { ...points(24_000), result: 'win' });
    const found = await pollAt(at('12:42'));
    expect(found).to.have.length(3);
    expect(found[0]).to.match(/points of 18 does not make it a win$/);
    expect(found[1]).to.match(/rebounds of 24 does not make it a win$/);
    expect(found[2]).to.match(/no statistic decides a/);
  });

  const bob = (): PickBody => examplePick(2, { capper: 'bob' });
  let posted: ReturnType<typeof post>;
  const settle = (fields: object) => follow(log, posted, 'settled', {}, fields);
  const close = (fields: object) => follow(log, posted, 'closed', {}, fields);

  for (const [what, lie, finding] of lies)
    it(`reports ${what}`, async () => {
      posted = post(log, 'bob', 1, 2);
      lie();
      const found = await pollAt(at('12:41'));
      expect(found).to.have.length(1);
      expect(found[0]).to.match(finding);
    });

  it('reports two scores of one game', async () => {
    follow(log, post(log, 'bob', 1, 2), 'settled');
    follow(
      log,
      post(log, 'eve', 1, 3),
      'settled',
      {},
      { away_score: 120, result: 'loss', net_units_e4: -15_000 },
    );
    expect(await pollAt(at('12:41'))).to.deep.equal([
      'score: pick 3f2504e0-4f89-41d3-9a0c-000000000003 was settled by 120-109, but nba: Harbor Herons @ Mesa Muleteers (2026-03-01T19:00:00.000Z) ended 101-109',
    ]);
  });

  it('reports a void pick if other picks show how the game ended', async () => {
    follow(log, post(log, 'bob', 1, 2), 'settled');
    const off = {
      grader: 'cancelled',
      result: 'void',
      net_units_e4: 0,
      away_score: null,
      home_score: null,
    } as const;
    follow(log, post(log, 'eve', 1, 3), 'settled', {}, off);
    const found = await pollAt(at('12:41'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(
      /^score: pick .+03 was settled as a void by cancelled, but nba: .+ ended 101-109$/,
    );
  });

  it('reports a missing settlement once, an hour after another pick has shown the score', async () => {
    follow(log, post(log, 'bob', 1, 2), 'settled');
    expect(await pollAt(at('21:00'))).to.deep.equal([]);
    expect(await pollAt(at('21:59'))).to.deep.equal([]);
    const found = await pollAt(at('22:01'));
    expect(found).to.have.length(1);
    expect(found[0]).to.match(/^unsettled: pick .+01 of ada is not settled, although nba: .+ ended 101-109/);
    expect(await pollAt(at('23:00'))).to.deep.equal([]);
  });

  describe('with data files', () => {
    const bytes = utf8('rows');
    const file = { name: 'picks-2026-01.parquet', sha256: hex(sha256(bytes)), bytes: bytes.length };
    const newer = { ...file, name: 'picks-2026-02.parquet' };

    beforeEach(async () => {
      log.files.set(file.name, bytes);
      await log.list([file]);
      expect(await pollAt(at('12:41'))).to.deep.equal([]);
    });

    it('reads each listed file once', async () => {
      log.files.delete(file.name);
      log.files.set(newer.name, bytes);
      await log.list([file, newer]);
      expect(await pollAt(at('12:42'))).to.deep.equal([]);
      expect(state.files).to.deep.equal([file, newer]);
    });

    it('reports a file that is missing, has another content, or another length', async () => {
      for (const content of [undefined, utf8('rowz'), utf8('more rows')]) {
        const before = state;
        const honest = log;
        log = log.clone();
        if (content !== undefined) log.files.set(newer.name, content);
        await log.list([file, newer]);
        const found = await pollAt(at('12:42'));
        expect(found, String(content)).to.have.length(1);
        expect(found[0]).to.match(/^data: the data file picks-2026-02.parquet is .*, but the log lists/);
        [state, log] = [before, honest];
      }
    });

    it('reports an index that changes or leaves out a past month, and keeps the file that it knows', async () => {
      for (const files of [[{ ...file, sha256: '0'.repeat(64) }], [newer]]) {
        await log.list(files);
        expect(await pollAt(at('12:42'))).to.deep.equal([
          'data: the index changes or leaves out picks-2026-01.parquet, which it listed before',
        ]);
        expect(state.files).to.deep.equal([file]);
      }
    });

    it('reports an index that another key signed, and another body than the sealed one', async () => {
      const note = await signDataIndex(
        { origin: ORIGIN, at: '2026-03-01T00:00:00.000Z', files: [file] },
        otherSigner,
      );
      log.add({ kind: 'data', hash: bodyHash('data', { v: 1, note }) }, { v: 1, note });
      expect(await pollAt(at('12:42'))).to.match(/^data: .*signed/);
      const { seq } = await log.list([file]);
      log.replaceBody(seq, { v: 1, note });
      expect(await pollAt(at('12:43'))).to.match(/^data: the log answers with another body/);
    });
  });

  it('reports a pick that is unsettled two weeks after its start', async () => {
    expect(await pollAt(at('19:00') + 14 * day)).to.deep.equal([]);
    const found = await pollAt(at('19:00') + 14 * day + 1);
    expect(found).to.have.length(1);
    expect(found[0]).to.match(/^unsettled: pick .+01 of ada is not settled/);
  });

  describe('with acknowledgements', () => {
    const acknowledge = (pick: PickBody, fields: Partial<PickBody> = {}) => {
      const { capper_seq: _, capper_prev: __, ...promised } = { ...pick, ...fields };
      return signAcknowledgement(
        { origin: ORIGIN, at: '2026-03-01T12:40:00.000Z', pick: promised as PostedPick },
        [logSigner],
      );
    };

    it('accepts a pick that was sealed as promised', async () => {
      const note = await acknowledge(bob());
      expect(await pollAt(at('12:45'), [note])).to.deep.equal([]);
      post(log, 'bob', 1, 2);
      expect(await pollAt(at('12:46'), [note])).to.deep.equal([]);
      expect(state.promises).to.deep.equal({ [bob().uuid]: 'kept' });
      expect(await pollAt(at('19:00'), [note])).to.deep.equal([]);
    });

    it('reports once that a pick is not in the log after 15 minutes', async () => {
      const note = await acknowledge(bob());
      expect(await pollAt(at('12:55'), [note])).to.deep.equal([]);
      expect(await pollAt(at('12:56'), [note])).to.deep.equal([
        `promise: pick ${bob().uuid} was acknowledged at 2026-03-01T12:40:00.000Z and is not in the log`,
      ]);
      expect(await pollAt(at('12:57'), [note])).to.deep.equal([]);
    });

    it('reports a pick that was sealed with other fields', async () => {
      const note = await acknowledge(bob(), { odds_american: 250 });
      post(log, 'bob', 1, 2);
      const found = await pollAt(at('12:41'), [note]);
      expect(found).to.deep.equal([
        `promise: Pick ${bob().uuid} was sealed differently: odds_american differ.`,
      ]);
    });

    it('reports a receipt from another tree than the published one', async () => {
      const note = await acknowledge(bob());
      post(log, 'eve', 1, 3);
      await pollAt(at('12:41'));
      const fork = createMemoryLog();
      post(fork, 'ada', 1, 1);
      post(fork, 'bob', 1, 2);
      server.answer(serveLog(() => ({ ...log.client(), receipt: (uuid) => fork.client().receipt(uuid) })));
      expect(await pollAt(at('12:42'), [note])).to.deep.equal([
        `promise: the receipt of pick ${bob().uuid} belongs to another tree than the one served here`,
      ]);
    });

    it('reports an acknowledgement that the log has not signed', async () => {
      const note = (await acknowledge(bob())).replace('12:40', '12:39');
      expect(await pollAt(at('12:41'), [note])).to.match(/promise: an acknowledgement does not come from/);
    });
  });

  it('keeps its state small: only the scores of games remain of settled picks', async () => {
    for (let n = 2; n < 52; n += 1) follow(log, post(log, 'bob', n - 1, n), 'settled');
    await pollAt(at('12:41'));
    expect(Object.keys(state.open)).to.have.length(1);
    expect(Object.keys(state.scores!)).to.have.length(1);
    expect(JSON.stringify(state).length).to.be.lessThan(2_500);
  });
});
