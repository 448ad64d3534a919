import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames, type GameRow } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { gradeDue } from '../../src/ledger/grading/grade.ts';
import { ledgerSigner } from '../../src/ledger/publishing/identity.ts';
import { recomputePicks } from '../../src/ledger/sealing/recompute/events.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { formatVerifierKey } from '../../src/proof/verifier-key.ts';
import { withDatabase } from '../support/database.ts';
import { postPick } from '../support/post-pick.ts';

const hour = 3_600_000;
const foreignKey = '23503';
const unique = '23505';
const iso = (at: number) => new Date(at).toISOString();

describe('the database, written to by its owner', () => {
  for (const kind of ['live', 'replay'] as const)
    describe(`in a ${kind} log`, () => {
      const stores = withDatabase({ kind });
      const now = Date.now();
      const intake = { now, imported: false };
      const game = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(now + hour) };

      before(async () => {
        await stores.owner.transaction(async (transaction) => {
          await applyCappers(
            transaction,
            [
              { handle: 'ada', tier: 'elite', verified: true },
              { handle: 'eve', tier: 'listed', verified: false },
            ],
            intake,
          );
          await applyGames(
            transaction,
            [
              { ...game, status: 'scheduled' } as GameRow,
              {
                ...game,
                game: 'Jays @ Owls',
                startsAt: iso(now - 4 * hour),
                status: 'final',
                homeScore: 20,
                awayScore: 10,
              } as GameRow,
            ],
            { now, imported: true },
          );
        });
      });

      /** Inserts a valid pick, with some columns replaced by SQL. */
      const pick = (columns: Record<string, string> = {}) => {
        const row = {
          uuid: 'gen_random_uuid()',
          capper_id: `(select id from cappers where handle = 'ada')`,
          tier: `'elite'`,
          game_id: `(select id from games where name = 'Gulls @ Foxes')`,
          starts_at: `(select starts_at from games where name = 'Gulls @ Foxes')`,
          market: `'spread'`,
          side: `'home'`,
          line_e3: '-3500',
          pick: `'Foxes'`,
          odds_american: '-110',
          stake_e4: '10000',
          source: `'operator'`,
          provenance: `'live'`,
          posted_at: `date_trunc('milliseconds', clock_timestamp())`,
          ...columns,
        };
        return stores.owner.raw(`insert into picks (${Object.keys(row)}) values (${Object.values(row)})`);
      };
      const refusalOf = async (work: PromiseLike<unknown>) => {
        try {
          await work;
        } catch (error) {
          return error as Error & { code: string };
        }
        return { code: 'stored', message: 'it was stored' };
      };
      const over = `(select id from games where name = 'Jays @ Owls')`;
      const minutes = (count: number) =>
        `date_trunc('milliseconds', clock_timestamp()) + interval '${count} minutes'`;

      for (const [what, columns, where] of [
        [
          'of a capper who is not verified',
          { capper_id: `(select id from cappers where handle = 'eve')`, tier: `'listed'` },
        ],
        ["with another tier than its capper's", { tier: `'listed'` }],
        ['posted after the start', { posted_at: minutes(61), starts_at: 'null' }],
        ["with another start than its game's", { starts_at: minutes(180) }],
        [
          'on a finished game',
          {
            game_id: over,
            starts_at: `(select starts_at from games where name = 'Jays @ Owls')`,
            posted_at: minutes(-300),
          },
        ],
        [
          'imported with another start than the announced one',
          { provenance: `'imported'`, starts_at: minutes(90) },
        ],
        ['dated two minutes ago', { posted_at: minutes(-2) }, 'live'],
        ['dated in two minutes', { posted_at: minutes(2) }, 'live'],
        ['imported with a date in two minutes', { provenance: `'imported'`, posted_at: minutes(2) }, 'live'],
      ] as [string, Record<string, string>, string?][])
        it(`${where === 'live' && kind === 'replay' ? 'stores' : 'refuses'} a pick ${what}`, async () => {
          const work = stores.owner.transaction(async (transaction) => {
            await pick(columns).transacting(transaction);
            throw Object.assign(new Error('it was stored'), { code: 'stored' });
          });
          const { code, message } = await refusalOf(work);
          expect(code, message).to.equal(where === 'live' && kind === 'replay' ? 'stored' : 'PP001');
        });

      it('stores everything that the service itself writes, from posting to the log', async () => {
        const row = {
          capperHandle: 'ada',
          ...game,
          market: 'spread',
          side: 'home',
          pick: 'Foxes',
        };
        for (const [book, line] of [
          ['north', -3.5],
          [null, -4],
        ] as const) {
          const posted = await postPick(
            stores.database,
            { ...row, line, oddsAmerican: 120, stakeUnits: 1.23, book },
            undefined,
            Date.now(),
          );
          expect(posted.outcome).to.equal('added');
        }
        expect(await sealAll(stores.owner)).to.be.greaterThanOrEqual(2);
      });

      it('refuses a change of how or when a game ended', async () => {
        for (const change of ['final_at = null', 'home_score = 21', `status = 'cancelled'`])
          expect(
            (await refusalOf(stores.owner.raw(`update games set ${change} where status = 'final'`))).code,
            change,
          ).to.equal('PP005');
      });

      it('refuses a pick of an unknown capper or game, and a closing, settlement, or entry of an unknown pick', async () => {
        expect((await refusalOf(pick({ capper_id: '999' }))).code).to.equal(foreignKey);
        expect((await refusalOf(pick({ game_id: '999', starts_at: 'null' }))).code).to.equal(foreignKey);
        for (const statement of [
          `insert into closings (pick_id, closed_at, odds_american, captured_at, prices, clv_bps)
           values (999, '2026-01-11T18:00:00Z', 110, '2026-01-11T17:00:00Z', '[{"side": "home", "odds_american": 110}]', 0)`,
          `insert into settlements (pick_id, result, settled_at, net_units_e4, grader)
           values (999, 'void', '2026-01-11T18:00:00Z', 0, 'cancelled')`,
          `insert into ledger_entries (seq, kind, pick_id, uuid, capper, capper_seq, hash, leaf_hash)
           select max(seq) + 1, 'posted', 999, gen_random_uuid(), 'ada', 99, sha256(''), sha256('') from ledger_entries`,
        ])
          expect((await refusalOf(stores.owner.raw(statement))).code, statement).to.equal(foreignKey);
      });

      it('refuses to remove a game or a capper with picks', async () => {
        for (const statement of [
          `delete from games where name = 'Gulls @ Foxes'`,
          `delete from cappers where handle = 'ada'`,
          'truncate games cascade',
          'truncate cappers cascade',
        ])
          expect((await refusalOf(stores.owner.raw(statement))).code, statement).to.match(/^23503$|^23001$/);
        expect(await stores.owner('games').pluck('name')).to.include('Gulls @ Foxes');
        expect(await stores.owner('cappers').pluck('handle')).to.include('ada');
      });

      it('refuses entries with a gap, and checkpoints that do not form a chain', async () => {
        const entry = (seq: string) =>
          `insert into ledger_entries (seq, kind, notice_id, hash, leaf_hash, body)
           values (${seq}, 'notice', 1, sha256(''), sha256(''), '{}')`;
        await stores.owner.raw(
          `insert into notices (at, topic, text) values (date_trunc('milliseconds', clock_timestamp()), 'remark', 'A remark.')`,
        );
        expect(
          (await refusalOf(stores.owner.raw(entry('(select max(seq) + 2 from ledger_entries)')))).code,
        ).to.equal('PP004');
        const checkpoint = (size: string, previous = 'null') =>
          `insert into checkpoints (size, root, note, previous) values (${size}, sha256(''),
             concat_ws(e'\\n', 'a log', ${size}, encode(sha256(''), 'base64')), ${previous})`;
        const {
          rows: [{ size }],
        } = await stores.owner.raw('select max(seq) + 1 as size from ledger_entries');
        expect((await refusalOf(stores.owner.raw(checkpoint(`${size}`, '1')))).code).to.equal(foreignKey);
        await stores.owner.raw(checkpoint('1'));
        expect((await refusalOf(stores.owner.raw(checkpoint(`${size}`)))).code).to.equal(unique);
        expect((await refusalOf(stores.owner.raw(checkpoint('1', `${size}`)))).code).to.match(/^23/);
        await stores.owner.raw(checkpoint(`${size}`, '1'));
        expect((await refusalOf(stores.owner.raw(checkpoint(`${size}`, '1')))).code).to.equal(unique);
      });
    });
});

describe('sealing', () => {
  describe('of a pick on a game with a price', () => {
    const stores = withDatabase();
    const start = Date.parse('2024-10-06T17:00:00Z');
    const game = { sport: 'nfl', game: 'Gulls @ Foxes', startsAt: iso(start) };
    let id: number;

    before(async () => {
      const { database } = stores;
      await database.transaction(async (transaction) => {
        const intake = { now: start - hour, imported: false };
        await applyCappers(transaction, [{ handle: 'ada', tier: 'elite', verified: true }], intake);
        await applyGames(transaction, [{ ...game, status: 'scheduled' } as GameRow], intake);
        const line = {
          ...game,
          market: 'moneyline',
          line: null,
          capturedAt: iso(start - hour),
          book: 'north',
        };
        await applyLines(
          transaction,
          [
            { ...line, side: 'home', oddsAmerican: -125 },
            { ...line, side: 'away', oddsAmerican: 105 },
          ],
          intake,
        );
      });
      const row = {
        capperHandle: 'ada',
        ...game,
        market: 'moneyline',
        side: 'home',
        line: null,
        pick: 'Foxes',
      };
      await postPick(
        database,
        { ...row, oddsAmerican: -110, stakeUnits: 1, book: 'north' },
        undefined,
        start - hour,
      );
      [id] = (await database('picks').pluck('id')) as [number];
    });

    /** Seals what a statement stores, and reverts both. @returns why the event was set aside, or `sealed` */
    const fateOf = async (statement: string): Promise<string> => {
      const transaction = await stores.owner.transaction();
      try {
        await sealAll(transaction);
        // An event that could use prices is preceded by an entry of them.
        const events = () => transaction('ledger_entries').whereNot({ kind: 'prices' }).pluck('seq');
        const before = await events();
        await transaction.raw(statement);
        await sealAll(transaction);
        const [aside] = await eventsSetAside(transaction);
        expect(await events()).to.have.length(before.length + (aside === undefined ? 1 : 0));
        return aside?.reason ?? 'sealed';
      } finally {
        await transaction.rollback();
      }
    };
    const insert =
      (table: string, sound: Record<string, string>) =>
      (columns: Record<string, string> = {}) => {
        const row = { ...sound, ...columns };
        return fateOf(`insert into ${table} (${Object.keys(row)}) values (${Object.values(row)})`);
      };
    const pick = insert('picks', {
      uuid: 'gen_random_uuid()',
      capper_id: '1',
      tier: `'elite'`,
      game_id: '1',
      starts_at: `'${iso(start)}'`,
      market: `'spread'`,
      side: `'home'`,
      line_e3: '-3500',
      pick: `'Foxes'`,
      odds_american: '-110',
      stake_e4: '10000',
      source: `'operator'`,
      provenance: `'live'`,
      posted_at: `'${iso(start - hour)}'`,
    });
    const closing = insert('closings', {
      pick_id: '1',
      closed_at: `'${iso(start)}'`,
      odds_american: '-125',
      book: `'north'`,
      captured_at: `'${iso(start - hour)}'`,
      prices: `'[{"side": "away", "odds_american": 105}, {"side": "home", "odds_american": -125}]'`,
      clv_bps: '606',
      fair_e9: '534586227',
      fair_books: '1',
      edge_method: `'power'`,
      edge_source: `'hand'`,
    });
    const settlement = insert('settlements', {
      pick_id: '1',
      result: `'win'`,
      settled_at: `'${iso(start + 3 * hour)}'`,
      away_score: '10',
      home_score: '20',
      net_units_e4: '8000',
      grader: `'score'`,
      price_verdict: `'above_market'`,
      price_odds: '-125',
      price_book: `'north'`,
      price_captured_at: `'${iso(start - hour)}'`,
      price_counted: '-125',
    });

    it('sets aside a pick on a side or line that its market does not have', async () => {
      expect(await pick()).to.equal('sealed');
      expect(await pick({ side: `'over'` })).to.match(/a spread in nfl has the sides home, away, not over/);
      expect(await pick({ line_e3: 'null' })).to.match(/a spread needs a line/);
      expect(await pick({ market: `'moneyline'` })).to.match(/a moneyline has no line/);
    });

    it('sets aside a closing that the stored prices contradict', async () => {
      expect(id).to.equal(1);
      expect(await closing()).to.equal('sealed');
      const forged: [Record<string, string>, RegExp][] = [
        [{ clv_bps: '99999' }, /clv_bps/],
        [{ clv_bps: '607' }, /clv_bps/],
        [{ closed_at: `'${iso(start + hour)}'` }, /closed_at: its game did not start then/],
        [{ captured_at: `'${iso(start - 2 * hour)}'` }, /captured_at/],
        [{ odds_american: '-124' }, /odds_american/],
        [{ book: 'null', line_e3: '500' }, /line_e3/],
        [{ book: `'south'` }, /book/],
        [{ prices: `'[]'` }, /prices/],
        [
          { prices: `'[{"side": "home", "odds_american": -125}, {"side": "home", "odds_american": 105}]'` },
          /prices/,
        ],
        [
          { prices: `'[{"side": "home", "odds_american": -125}, {"side": "away", "odds_american": 900}]'` },
          /prices/,
        ],
        [{ prices: `'[{"side": "home", "odds_american": -125, "more": 1}]'` }, /prices/],
      ];
      for (const [columns, reason] of forged)
        expect(await closing(columns), JSON.stringify(columns)).to.match(reason);
    });

    it('sets aside a settlement without a result', async () => {
      expect(await settlement()).to.match(/grader: no such score decides it: the game is scheduled/);
      const unscored = { away_score: 'null', home_score: 'null' };
      expect(await settlement({ ...unscored, grader: `'result'` })).to.match(/there is no result event/);
      const voided = { ...unscored, result: `'void'`, net_units_e4: '0' };
      for (const [grader, reason] of [
        ['cancelled', /the game is scheduled/],
        ['postponed', /the game was not postponed/],
        ['result', /there is no result event/],
        ['magic', /no such grader exists/],
      ] as const)
        expect(await settlement({ ...voided, grader: `'${grader}'` }), grader).to.match(reason);
    });

    it('sets aside a settlement that the score contradicts', async () => {
      await stores.database.transaction((transaction) =>
        applyGames(transaction, [{ ...game, status: 'final', homeScore: 20, awayScore: 10 } as GameRow], {
          now: start + 3 * hour,
          imported: false,
        }),
      );
      expect(await settlement(), 'its closing is missing').to.match(/closings, pick \S+: it is missing/);
      await gradeDue(stores.database, start + 4 * hour);
      await sealAll(stores.database);
      const entries = await stores
        .database('ledger_entries')
        .whereNot({ kind: 'prices' })
        .orderBy('seq')
        .pluck('kind');
      expect(entries).to.deep.equal(['posted', 'closed', 'settled']);
      expect(await stores.database('closings').pluck('clv_bps')).to.deep.equal([606]);
    });

    it('sets aside a settlement by the wrong grader or with the wrong units', async () => {
      const forged: [Record<string, string>, RegExp][] = [
        [{ result: `'loss'`, net_units_e4: '-10000' }, /result: it must be win/],
        [{ result: `'void'`, net_units_e4: '0' }, /result: it must be win/],
        [{ net_units_e4: '999999' }, /net_units_e4/],
        [{ net_units_e4: '9090' }, /net_units_e4/],
        [{ home_score: '21' }, /home_score/],
        [{ settled_at: `'${iso(start - hour)}'` }, /settled_at/],
        [{ price_verdict: `'available'` }, /price_verdict: it must be above_market/],
        [{ price_odds: '-110' }, /price_odds: it must be -125/],
        [{ price_counted: '-110', net_units_e4: '9091' }, /price_counted: it must be -125/],
        [{ price_captured_at: `'${iso(start)}'` }, /price_captured_at/],
        [{ settled_at: `'${iso(start + hour)}'` }, /settled_at/],
        [{ grader: `'first_half_score'` }, /no such score decides it/],
        [{ grader: `'result'`, away_score: 'null', home_score: 'null' }, /the score decides it/],
      ];
      for (const [columns, reason] of forged) {
        const changes = Object.entries(columns).map(([column, value]) => `${column} = ${value}`);
        const found: string[] = [];
        await stores.owner
          .transaction(async (transaction) => {
            await transaction.raw(
              `alter table settlements disable trigger all; update settlements set ${changes.join(', ')}`,
            );
            for await (const [pick] of recomputePicks(transaction, [1]))
              found.push(...pick!.settled.map(({ message }) => message));
            throw new Error('undone');
          })
          .catch(() => {});
        expect(found[0], JSON.stringify(columns)).to.match(reason);
      }
    });
  });

  describe('of the signing keys', () => {
    const stores = withDatabase();
    const keyOf = (seed: number) =>
      ledgerSigner('picks.example/ledger', Buffer.alloc(32, seed).toString('base64'));

    it('sets aside a key that the previous key has not announced', async () => {
      const [first, second] = [await keyOf(1), await keyOf(2)];
      await stores.owner('ledger_origin').insert({ id: 1, origin: 'picks.example/ledger' });
      await stores.owner('signing_keys').insert({ id: 1, vkey: formatVerifierKey(first.key) });
      await stores.owner('signing_keys').insert({
        id: 2,
        vkey: formatVerifierKey(second.key),
        note: 'An announcement that nobody signed.',
      });
      expect(await sealAll(stores.database)).to.equal(0);
      const [aside] = await eventsSetAside(stores.database);
      expect(aside?.reason).to.match(/^signing_keys, id 2, column note: /);
    });
  });
});
