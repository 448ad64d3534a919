import { expect } from 'chai';
import { seal } from '../../src/jobs/declared.ts';
import { queueNames } from '../../src/jobs/job.ts';
import type { Enqueue } from '../../src/jobs/runtime/enqueue.ts';
import { startApi } from '../support/api.ts';
import { withDatabase } from '../support/database.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';
import { until } from '../support/until.ts';

const token = 'the-token-of-these-tests';
const bearer = { Authorization: `Bearer ${token}` };
const now = Date.parse('2024-10-06T16:00:00Z');
const game = { sport: 'nfl', game: 'Harbor Gulls @ Copper Foxes', startsAt: '2024-10-06T17:00:00Z' };
const pick = {
  capperHandle: 'ada',
  ...game,
  market: 'moneyline',
  side: 'home',
  pick: 'Foxes',
  oddsAmerican: -110,
  stakeUnits: 1,
};

/** Returns a subject with which a pick repeats no other pick. */
const about = (subject: string) => ({ market: 'question', subject });

describe("the operator's port", () => {
  const stores = withDatabase();
  const redis = withRedis();
  let operator: RunningOperator;
  let enqueue: Enqueue;
  let address: string;

  before(async () => {
    operator = await startOperator(
      { database: stores, redis },
      { now: () => now },
      { OPERATOR_TOKEN: token },
    );
    ({ enqueue, address } = operator);
  });
  after(() => operator?.close());

  // biome-ignore lint/suspicious/noExplicitAny: bodies are what is being tested
  async function post(path: string, body: unknown, headers: Record<string, string> = {}): Promise<any> {
    const response = await fetch(address + path, {
      method: 'POST',
      headers: { 'Content-Type': 'application/json', ...bearer, ...headers },
      body: typeof body === 'string' ? body : JSON.stringify(body),
    });
    return {
      status: response.status,
      type: response.headers.get('content-type'),
      body: await response.json(),
    };
  }

  it('answers no request without the token', async () => {
    for (const headers of [
      {},
      { Authorization: 'Bearer wrong' },
      { Authorization: `Basic ${btoa(`x:${token}`)}` },
    ])
      for (const [method, path] of [
        ['POST', '/picks'],
        ['GET', '/elsewhere'],
      ] as const) {
        const response = await fetch(address + path, { method, headers });
        expect(response.status).to.equal(401);
        expect(response.headers.get('www-authenticate')).to.match(/^Bearer/);
        expect(response.headers.get('content-type')).to.equal('application/problem+json');
      }
  });

  it('serves Bull Board with every queue, read-only, only with the token', async () => {
    const refused = await fetch(`${address}/queues`);
    expect([refused.status, refused.headers.get('www-authenticate')?.slice(0, 5)]).to.deep.equal([
      401,
      'Basic',
    ]);
    const basic = { Authorization: `Basic ${btoa(`anyone:${token}`)}` };
    const page = await fetch(`${address}/queues`, { headers: basic });
    expect([page.status, await page.text()]).to.satisfy(
      ([status, text]: [number, string]) => status === 200 && text.includes('<title>'),
    );
    const { queues } = (await (await fetch(`${address}/queues/api/queues`, { headers: basic })).json()) as {
      queues: { name: string; readOnlyMode: boolean }[];
    };
    expect(queues.map(({ name, readOnlyMode }) => [name, readOnlyMode])).to.deep.equal(
      queueNames.map((name) => [name, true]),
    );
  });

  it('refuses every change through Bull Board', async () => {
    await enqueue.add(seal, {});
    const [job] = (await enqueue.queues.get('sealing')?.getJobs()) ?? [];
    for (const [method, path] of [
      ['PUT', `sealing/${job?.id}/clean`],
      ['PUT', `sealing/${job?.id}/promote`],
      ['PUT', `sealing/${job?.id}/retry/failed`],
      ['PUT', 'sealing/retry/failed'],
      ['PUT', 'sealing/pause'],
      ['PUT', 'pause'],
      ['PUT', 'sealing/empty'],
      ['PUT', 'sealing/obliterate'],
      ['POST', 'sealing/add'],
    ] as const) {
      const response = await fetch(`${address}/queues/api/queues/${path}`, {
        method,
        headers: { ...bearer, 'Content-Type': 'application/json' },
        body: '{}',
      });
      expect([response.status, response.headers.get('allow')], path).to.deep.equal([405, 'GET, HEAD']);
    }
    expect((await enqueue.queues.get('sealing')?.getJob(job?.id ?? ''))?.id).to.equal(job?.id);
    expect(await enqueue.queues.get('sealing')?.isPaused()).to.equal(false);
  });

  it('serves none of its pages on the public port', async () => {
    const api = await startApi({ database: stores, redis }, { memory: false });
    try {
      for (const path of ['/queues', '/queues/api/queues', '/metrics', '/picks', '/games', '/cappers'])
        for (const method of ['GET', 'POST']) {
          // The directory of cappers is a public page.
          if (method === 'GET' && path === '/cappers') continue;
          const response = await fetch(api.address + path, { method, headers: bearer });
          expect(response.status, `${method} ${path}`).to.be.oneOf([404, 405]);
        }
    } finally {
      await api.close();
    }
  });

  it('accepts cappers, games, prices, and picks, one or many, and reports the outcome of each row', async () => {
    const capper = { handle: 'ada', tier: 'elite', verified: true };
    expect((await post('/cappers', capper)).body).to.deep.equal({
      rows: [{ index: 0, outcome: 'added' }],
      counts: { added: 1 },
    });
    const games = await post('/games', [
      { ...game, status: 'scheduled' },
      { ...game, sport: 'curling', status: 'scheduled' },
      7,
    ]);
    expect(games.status).to.equal(200);
    expect(games.body.counts).to.deep.equal({ added: 1, refused: 2 });
    expect(games.body.rows[1].reason).to.match(/curling/);
    const line = {
      ...game,
      market: 'moneyline',
      side: 'home',
      oddsAmerican: -120,
      capturedAt: '2024-10-06T15:59:00Z',
      book: 'north',
    };
    expect((await post('/lines', [line, line])).body.counts).to.deep.equal({ added: 1, unchanged: 1 });
    const posted = await post('/picks', pick);
    expect(posted.body.rows[0]).to.include({ outcome: 'added', postedAt: '2024-10-06T16:00:00.000Z' });
    expect(posted.body.rows[0].priceCheck).to.include({
      provisional: true,
      oddsAmerican: -120,
      book: 'north',
    });
    const [stored] = await stores.database('picks').where('uuid', posted.body.rows[0].pickUuid);
    expect(stored).to.include({ pick: 'Foxes', posted_at: now });
  });

  it('stores markets and sides under their declared names, whatever words name them', async () => {
    const line = { ...game, market: 'Point Spread', side: 'Home', line: -3.5, oddsAmerican: -120 };
    const price = { ...line, capturedAt: '2024-10-06T15:59:00Z', book: 'north' };
    const lines = await post('/lines', [price, { ...price, market: 'spreads', side: 'home' }]);
    expect(lines.body.counts).to.deep.equal({ added: 1, unchanged: 1 });
    const spread = await post('/picks', { ...pick, ...line, pick: 'Foxes -3.5' });
    const [stored] = await stores.database('picks').where('uuid', spread.body.rows[0].pickUuid);
    expect(stored).to.include({ market: 'spread', side: 'home' });
    const misspelled = await post('/picks', { ...pick, market: 'moneylien' });
    expect([misspelled.status, misspelled.body.detail]).to.deep.equal([
      422,
      'market "moneylien" is not known: did you mean moneyline?',
    ]);
    const result = await post('/results', { ...game, market: 'ML', side: 'H', result: 'win' });
    expect(result.body.detail).to.equal(
      'the market moneyline is graded from the score, so give its game the final score instead',
    );
  });

  it('enqueues jobs for new rows', async () => {
    await until(async () => {
      const jobs = await enqueue.queues.get('sealing')?.getJobs();
      return jobs?.some(({ name }) => name === 'seal') === true;
    });
  });

  it('answers the same Idempotency-Key with the same picks, row by row', async () => {
    const rows = [
      { ...pick, ...about('One'), pick: 'one' },
      { ...pick, ...about('Two'), pick: 'two' },
    ];
    const first = await post('/picks', rows, { 'Idempotency-Key': 'k' });
    const again = await post('/picks', rows, { 'Idempotency-Key': 'k' });
    const uuids = (answer: typeof first) =>
      answer.body.rows.map(({ pickUuid }: { pickUuid: string }) => pickUuid);
    expect(uuids(again)).to.deep.equal(uuids(first));
    expect(again.body.counts).to.deep.equal({ unchanged: 2 });
  });

  it('records concurrent requests each with its own outcome, even if the database refuses one', async () => {
    await stores.owner.raw(`
      create function refuse_some() returns trigger language plpgsql as $$ begin
        if new.pick = 'refused' then raise exception 'this cannot be' using errcode = 'PP001'; end if;
        return new;
      end $$;
      create trigger refuse_some before insert on picks for each row execute function refuse_some();`);
    const recorded = async () =>
      (
        await stores
          .database('operator_actions as a')
          .leftJoin('operator_outcomes as o', 'o.action_id', 'a.id')
          .where('a.action', 'picks')
          .orderBy('a.id')
          .select('a.about', 'a.rows', 'o.counts', 'o.picks', 'o.refusals')
      ).map(({ about, ...rest }) => ({ ...rest, pick: / (\w+), -110/.exec(about)?.[1] }));
    try {
      for (const refused of [false, true]) {
        const before = await recorded();
        const picks = ['p', 'q', 'r', ...(refused ? ['refused'] : [])];
        const named = (name: string) => ({ ...pick, ...about(`${name} ${refused}`), pick: name });
        const sent = [
          ...picks.map((name) => named(name)),
          [named('s'), { ...named('t'), capperHandle: 'nobody' }, { no: 'pick' }, named('u')],
        ];
        const answers = await Promise.all(sent.map((body) => post('/picks', body)));
        const after = (await recorded()).slice(before.length);
        expect(after.length).to.equal(sent.length);
        for (const [index, body] of sent.entries()) {
          const rows: { outcome: string; pickUuid?: string; reason?: string; index: number }[] =
            answers[index].status === 422
              ? [{ index: 0, outcome: 'refused', reason: answers[index].body.detail }]
              : answers[index].body.rows;
          const counts: Record<string, number> = {};
          for (const { outcome } of rows) counts[outcome] = (counts[outcome] ?? 0) + 1;
          const first = Array.isArray(body) ? 's' : body.pick;
          if (first === 'refused') expect(rows[0]?.reason).to.equal('this cannot be');
          const [found] = after.filter((each) => each.pick === first);
          expect(found).to.deep.include({ rows: rows.length, counts });
          expect(found?.picks).to.deep.equal(rows.flatMap(({ pickUuid }) => pickUuid ?? []));
          expect(
            found?.refusals.toSorted((a: { index: number }, b: { index: number }) => a.index - b.index),
          ).to.deep.equal(
            rows.flatMap(({ index: at, reason }) => (reason === undefined ? [] : [{ index: at, reason }])),
          );
        }
      }
    } finally {
      await stores.owner.raw('drop function refuse_some() cascade');
    }
  });

  it('refuses a repeat of a pending pick with 409, naming the first', async () => {
    const row = { ...pick, ...about('Repeat') };
    const first = (await post('/picks', row)).body.rows[0].pickUuid;
    const repeat = await post('/picks', row);
    expect(repeat).to.deep.include({ status: 409, type: 'application/problem+json' });
    expect(repeat.body.detail).to.equal(`it repeats pick ${first} of this capper, which is pending`);
    const several = await post('/picks', [row, { ...row, ...about('Other') }]);
    expect(several.body.rows[0]).to.include({ outcome: 'refused', repeats: first });
    expect(several.body.counts).to.deep.equal({ refused: 1, added: 1 });
  });

  it('refuses a single invalid row, with the reason', async () => {
    const refused = await post('/picks', { ...pick, capperHandle: 'nobody' });
    expect(refused).to.deep.include({ status: 422, type: 'application/problem+json' });
    expect(refused.body.detail).to.equal('no capper is named nobody');
  });

  it('takes a game without a status as scheduled, and assumes no tier, verification, or result', async () => {
    const fresh = { ...game, game: 'Amber Larks @ Cedar Terns' };
    expect((await post('/games', fresh)).body.rows[0]).to.include({ outcome: 'added' });
    const stored = await stores.database('games').where({ name: fresh.game }).first('status');
    expect(stored.status).to.equal('scheduled');
    const cappers = await post('/cappers', [
      { handle: 'cas', verified: true },
      { handle: 'cas', tier: 'listed' },
    ]);
    const result = await post('/results', { ...fresh, market: 'btts', subject: 'Both teams', side: 'yes' });
    expect([
      ...cappers.body.rows.map(({ reason }: { reason: string }) => reason),
      result.body.detail,
    ]).to.deep.equal(['tier is missing', 'verified is missing', 'result is missing']);
  });

  it('ignores a posting time from the client', async () => {
    const posted = await post('/picks', { ...pick, ...about('Time'), postedAt: '2020-01-01T00:00:00Z' });
    expect(posted.body.rows[0].postedAt).to.equal('2024-10-06T16:00:00.000Z');
  });

  it('records each change of a tier or verification as a notice', async () => {
    const rows = [
      { handle: 'wren', tier: 'listed', verified: true },
      { handle: 'wren', tier: 'elite', verified: false },
      { handle: 'wren', tier: 'elite', verified: false, displayName: 'Wren' },
    ];
    expect((await post('/cappers', rows)).body.counts).to.deep.equal({ added: 1, updated: 2 });
    expect(
      await stores.database('notices').where({ topic: 'remark' }).orderBy('id').pluck('text'),
    ).to.deep.equal([
      'The tier of wren was changed from listed to elite.',
      'The verification of wren was withdrawn.',
    ]);
  });

  it('records a correction of a final score as a notice', async () => {
    const other = {
      ...game,
      game: 'Delta Rays @ Tundra Owls',
      startsAt: '2024-10-06T12:00:00Z',
      status: 'final',
      homeScore: 3,
      awayScore: 0,
    };
    await post('/games', other);
    expect((await post('/games', { ...other, homeScore: 6 })).body.counts).to.deep.equal({ unchanged: 1 });
    expect(await stores.database('notices').where({ topic: 'correction' })).to.have.lengthOf(1);
  });

  it('names what is wrong with a request', async () => {
    expect((await post('/picks', '{"half":')).status).to.equal(400);
    expect((await post('/picks', '<pick/>', { 'Content-Type': 'application/xml' })).status).to.equal(415);
    expect(
      (
        await post(
          '/picks',
          Array.from({ length: 5001 }, () => 1),
        )
      ).status,
    ).to.equal(413);
    expect((await post('/nowhere', {})).status).to.equal(404);
    const response = await fetch(`${address}/picks`, { headers: bearer });
    expect([response.status, response.headers.get('allow')]).to.deep.equal([405, 'POST']);
  });
});
