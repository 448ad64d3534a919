import { randomBytes } from 'node:crypto';
import { expect } from 'chai';
import fc from 'fast-check';
import { applyCappers } from '../../src/intake/capper.ts';
import { type KindName, kindNames } from '../../src/intake/kinds.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { postSigned } from '../../src/ledger/posting/post-signed.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { type AuthorKey, firstKey, signedPost, testOrigin } from '../support/author.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type RunningOperator, startOperator } from '../support/operator.ts';
import { withRedis } from '../support/redis.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest } from '../support/whole-way.ts';

const token = 'the-token-of-these-tests';
const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

/** Bets of the generated rows, with sides and lines that fit or not. */
const bets = [
  { market: 'moneyline', side: 'home' },
  { market: 'spread', side: 'away', line: 3.5 },
  { market: 'total', side: 'over', line: 41.25 },
  { market: 'first_half_total', side: 'under', line: 20 },
  { market: 'player_receptions', subject: 'Rory Finch', side: 'over', line: 4.5 },
  { market: 'first_touchdown', subject: 'Ada Cole', side: 'yes' },
  { market: 'first_touchdown', subject: 'Bea Ray', side: 'no' },
];
const bet = fc.constantFrom(...bets);
const score = fc.integer({ min: 0, max: 30 });
const maybe = <T>(value: fc.Arbitrary<T>) => fc.option(value, { nil: undefined, freq: 2 });

/** Fields of rows by kind, without the game and the times. */
const rows: Readonly<Record<KindName, fc.Arbitrary<object>>> = {
  cappers: fc.record({
    handle: fc.constantFrom('ada', 'bea'),
    tier: fc.constantFrom('elite', 'listed'),
    verified: fc.boolean(),
  }),
  games: fc.record(
    {
      status: fc.constantFrom('scheduled', 'final', 'postponed', 'cancelled'),
      homeScore: score,
      awayScore: score,
      homeHalfScore: maybe(fc.constantFrom(0, 3)),
      awayHalfScore: maybe(fc.constantFrom(0, 3)),
      played: maybe(fc.constantFrom('full', 'shortened')),
      moved: maybe(fc.integer({ min: -5, max: 5 })),
    },
    { noNullPrototype: true },
  ),
  lines: bet.map((one) => ({ ...one, oddsAmerican: -110, book: 'north' })),
  picks: fc.tuple(bet, fc.constantFrom(-110, 150)).map(([one, oddsAmerican]) => ({
    capperHandle: 'ada',
    ...one,
    pick: 'a bet',
    oddsAmerican,
    stakeUnits: 1,
  })),
  results: fc
    .tuple(bet, fc.constantFrom('win', 'loss', 'push', 'void'), fc.boolean(), maybe(fc.boolean()))
    .map(([one, result, isScratch, half]) =>
      isScratch
        ? { market: one.market, subject: one.subject, result: 'void', reason: 'Scratched.' }
        : { ...one, result, half },
    ),
  stats: fc.record({
    player: fc.constantFrom('Rory Finch', 'Ada Cole'),
    played: maybe(fc.boolean()),
    stats: maybe(fc.record({ receptions: fc.integer({ min: 0, max: 9 }) })),
  }),
  notices: fc.constant({ text: 'A remark.' }),
};

const step = fc.record({
  kind: fc.constantFrom(...kindNames, 'picks' as const, 'results' as const),
  door: fc.constantFrom('json', 'ndjson', 'signed'),
  /** Minutes after the start. */
  at: fc.constantFrom(-240, -120, -61, -1, 0, 30, 90, 200, 300),
  /** Difference between the row's own time and the clock, in minutes. */
  dated: fc.constantFrom(0, -100, 0, -1),
  choice: fc.nat(),
});

/** Set `DOORS_RUNS` for more. */
const numRuns = Number(process.env.DOORS_RUNS ?? 12);

describe('what a door accepts', () => {
  const stores = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let operator: RunningOperator;
  let number = 0;
  let now = Date.parse('2024-01-01T00:00:00Z');
  let key: AuthorKey;

  before(async () => {
    operator = await startOperator(
      { database: stores, redis },
      { now: () => now },
      { OPERATOR_TOKEN: token },
    );
    await verify();
    const { id } = await stores.database('cappers').where({ handle: 'ada' }).first('id');
    key = await firstKey(stores.database, { id, handle: 'ada' }, now);
  });
  after(() => operator?.close());

  /** Lets the capper post, who may have lost that by a generated row. */
  async function verify() {
    const ada = { handle: 'ada', tier: 'elite', verified: true } as const;
    await applyCappers(stores.database, [ada], { now, imported: false });
  }

  async function work(at: number) {
    await gradeDue(stores.database, at);
    await sealAll(stores.database);
  }

  /** Sends a row through a door. @returns its outcome */
  async function send(door: string, kind: KindName, row: Record<string, unknown>): Promise<string> {
    if (door === 'signed' && kind === 'picks') {
      const { startsAt, dated: _dated, capperHandle, oddsAmerican, stakeUnits, line, ...words } = row;
      const known = await stores.database('games').where({ name: row.game }).first('starts_at');
      const intent = {
        ...{
          origin: testOrigin,
          ...words,
          capper: capperHandle,
          starts_at: iso(known?.starts_at ?? Date.parse(String(startsAt))),
        },
        ...{ subject: row.subject ?? null, line_e3: line === undefined ? null : Number(line) * 1000 },
        ...{ odds_american: oddsAmerican, stake_e4: Number(stakeUnits) * 10_000, book: null },
        ...{ nonce: randomBytes(12).toString('base64url'), at: iso(now) },
      };
      return (await postSigned(stores.database, await signedPost(key, intent as never), now)).outcome;
    }
    if (door === 'ndjson' && kind !== 'notices') {
      const postedAt = kind === 'picks' ? { postedAt: row.dated } : {};
      const { dated: _, ...rest } = row;
      const file = folder.write(`${kind}.ndjson`, [{ ...rest, ...postedAt }]);
      const { counts } = await ingest(stores.database, file, now);
      return Object.entries(counts[kind]).find(([, count]) => count > 0)?.[0] ?? '';
    }
    const { dated: _, ...rest } = row;
    const response = await fetch(`${operator.address}/${kind}`, {
      method: 'POST',
      headers: { Authorization: `Bearer ${token}`, 'Content-Type': 'application/json' },
      body: JSON.stringify([rest]),
    });
    const { rows: answers } = (await response.json()) as { rows: { outcome: string }[] };
    return answers[0]!.outcome;
  }

  it('is sealed, graded, and clean in the audit, at every time', async () => {
    const reached = new Set<string>();
    await fc.assert(
      fc.asyncProperty(
        fc.array(
          step.chain((one) => rows[one.kind].map((fields) => ({ ...one, fields }))),
          { minLength: 4, maxLength: 12 },
        ),
        async (steps) => {
          number += 1;
          now += 400 * hour;
          const start = now + 100 * hour;
          const game = {
            sport: 'nfl',
            game: `Harbor Gulls ${number} @ Copper Foxes ${number}`,
            startsAt: iso(start),
          };
          now = start - 300 * 60_000;
          expect(await send('json', 'games', game)).to.equal('added');
          await verify();
          for (const { kind, door, at, dated, fields } of steps.toSorted((one, other) => one.at - other.at)) {
            now = start + at * 60_000 + (number % 7) * 1000;
            const own = now + dated * 60_000;
            const { moved, ...rest } = fields as { moved?: number };
            const times: Record<string, unknown> = {
              lines: { capturedAt: iso(own) },
              games: {
                ...(moved === undefined ? {} : { movedTo: iso(start + moved * hour) }),
                ...(dated === 0 ? {} : { finalAt: iso(own) }),
              },
              results: dated === 0 ? {} : { finalAt: iso(own) },
              stats: dated === 0 ? {} : { finalAt: iso(own) },
            };
            const named = kind === 'cappers' || kind === 'notices' ? {} : game;
            const dates = kind === 'picks' ? { dated: iso(own) } : times[kind];
            const outcome = await send(door, kind, { ...named, ...rest, ...(dates as object) });
            expect(outcome).to.not.equal('');
            reached.add(`${kind} ${outcome}`);
            await work(now);
          }
          now = Math.max(now, start) + 100 * hour;
          await send('json', 'games', { ...game, status: 'final', homeScore: 21, awayScore: 20 });
          await work(now);
          expect(await eventsSetAside(stores.database)).to.deep.equal([]);
          expect(await stores.database('unsealed_events')).to.deep.equal([]);
          const found: string[] = [];
          for await (const { message } of auditPicks(stores.database as never, () => {})) found.push(message);
          expect(found).to.deep.equal([]);
        },
      ),
      { numRuns },
    );
    await expectSoundLedger(stores.database);
    // Otherwise the property would say little.
    expect([...reached]).to.include.members(['picks added', 'results added', 'games updated', 'lines added']);
  }).timeout(600_000);

  it('voids the picks on a scratched player before the start, with a notice, and no later ones', async () => {
    const start = now + 10 * hour;
    const game = { sport: 'nfl', game: 'Harbor Gulls 0 @ Copper Foxes 0', startsAt: iso(start) };
    const finch = { market: 'player_receptions', subject: 'Rory Finch', side: 'over', line: 4.5 };
    const pick = { capperHandle: 'ada', ...game, pick: 'a bet', oddsAmerican: -110, stakeUnits: 1 };
    await verify();
    await send('json', 'games', game);
    await send('json', 'picks', { ...pick, ...finch });
    await send('json', 'picks', { ...pick, ...finch, side: 'under', line: 3.5 });
    await send('json', 'picks', { ...pick, ...finch, subject: 'Ada Cole' });
    now += hour;
    const scratch = { ...game, market: 'player_receptions', result: 'void', reason: 'Finch is scratched.' };
    const { side, line, ...bare } = { ...scratch, ...finch };
    expect(await send('json', 'results', { ...scratch, ...finch })).to.equal('refused');
    expect(await send('json', 'results', { ...game, ...finch, result: 'void' })).to.equal('refused');
    expect(await send('json', 'results', { ...bare, market: 'moneyline', subject: undefined })).to.equal(
      'refused',
    );
    expect(await send('json', 'results', bare)).to.equal('added');
    expect(await send('json', 'results', bare)).to.equal('unchanged');
    await work(now);
    now += hour;
    expect(await send('json', 'picks', { ...pick, ...finch })).to.equal('added');
    await work(now);
    const settled = await stores
      .database('picks as p')
      .join('games as g', 'g.id', 'p.game_id')
      .leftJoin('settlements as s', 's.pick_id', 'p.id')
      .where('g.name', game.game)
      .orderBy('p.id')
      .select('s.result', 's.grader', 's.settled_at');
    const isVoid = { result: 'void', grader: 'result', settled_at: now - hour };
    const isOpen = { result: null, grader: null, settled_at: null };
    expect(settled).to.deep.equal([isVoid, isVoid, isOpen, isOpen]);
    const notices = await stores.database('notices').where({ topic: 'void' }).orderBy('id', 'desc').limit(1);
    expect(notices[0].text).to.equal(
      `nfl: ${game.game}, player_receptions of Rory Finch: picks posted until ${iso(now - hour)} are void. Finch is scratched.`,
    );
    expect(await eventsSetAside(stores.database)).to.deep.equal([]);
    now = start + 1000;
    expect(await send('json', 'results', { ...bare, reason: 'Too late.' })).to.equal('refused');
    await expectSoundLedger(stores.database);
  });
});
