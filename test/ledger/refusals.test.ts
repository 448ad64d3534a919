import { expect } from 'chai';
import { applyCappers } from '../../src/cappers/cappers.ts';
import { applyGames } from '../../src/games/apply-games.ts';
import type { GameRow } from '../../src/games/game.ts';
import { applyLines } from '../../src/games/lines.ts';
import { gradeDue } from '../../src/ledger/grade.ts';
import { postPick } from '../../src/ledger/post-picks.ts';
import { sealAll } from '../../src/ledger/seal.ts';
import { withDatabase } from '../support/database.ts';

const hour = 3_600_000;
const iso = (at: number) => new Date(at).toISOString();

describe('what the database refuses, from its owner too', () => {
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

      /** A sound pick, with what is given in place of its columns, as SQL. */
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
        ['of a capper whom there is not', { capper_id: '999' }],
        ['on a game that there is not', { game_id: '999', starts_at: 'null' }],
        ['of a tier that its capper has not', { tier: `'listed'` }],
        ['on a side that its market has not', { side: `'over'` }],
        ['without the line that its market needs', { line_e3: 'null' }],
        ['posted after the start', { posted_at: minutes(61), starts_at: 'null' }],
        ['with another start than its game', { starts_at: minutes(180) }],
        [
          'on a game that is over',
          {
            game_id: over,
            starts_at: `(select starts_at from games where name = 'Jays @ Owls')`,
            posted_at: minutes(-300),
          },
        ],
        [
          'imported, with another start than was announced',
          { provenance: `'imported'`, starts_at: minutes(90) },
        ],
        ['posted two minutes ago', { posted_at: minutes(-2) }, 'live'],
        ['posted in two minutes', { posted_at: minutes(2) }, 'live'],
        ['imported from in two minutes', { provenance: `'imported'`, posted_at: minutes(2) }, 'live'],
      ] as [string, Record<string, string>, string?][])
        it(`a pick ${what}${where === 'live' && kind === 'replay' ? ' is stored' : ''}`, async () => {
          const work = stores.owner.transaction(async (transaction) => {
            await pick(columns).transacting(transaction);
            throw Object.assign(new Error('it was stored'), { code: 'stored' });
          });
          const { code, message } = await refusalOf(work);
          expect(code, message).to.equal(where === 'live' && kind === 'replay' ? 'stored' : 'PP001');
        });

      it('but not what the service itself stores, from posting to the log', async () => {
        const row = {
          capperHandle: 'ada',
          ...game,
          market: 'spread',
          side: 'home',
          line: -3.5,
          pick: 'Foxes -3.5',
        };
        for (const book of ['north', null]) {
          const posted = await postPick(
            stores.database,
            { ...row, oddsAmerican: 120, stakeUnits: 1.23, book },
            undefined,
            Date.now(),
          );
          expect(posted.outcome).to.equal('added');
        }
        expect(await sealAll(stores.owner)).to.be.greaterThanOrEqual(2);
      });

      it('a pending pick forgotten, and prices removed that picks are on', async () => {
        expect((await refusalOf(stores.owner.raw('delete from pending_picks'))).code).to.equal('PP005');
        expect((await refusalOf(stores.owner.raw('truncate pending_picks'))).code).to.equal('PP005');
        expect((await refusalOf(stores.owner.raw('update pending_picks set closed = true'))).code).to.equal(
          'PP005',
        );
        expect((await refusalOf(stores.owner.raw(`update pending_picks set side = 'away'`))).code).to.equal(
          'PP005',
        );
        expect(
          (await refusalOf(stores.owner.raw(`update games set final_at = null where status = 'final'`))).code,
        ).to.equal('PP005');
      });

      it('a closing, a settlement or an entry of a pick that there is not', async () => {
        for (const statement of [
          `insert into closings (pick_id, closed_at, odds_american, captured_at, prices, clv_bps)
           values (999, '2026-01-11T18:00:00Z', 110, '2026-01-11T17:00:00Z', '[{"side": "home", "odds_american": 110}]', 0)`,
          `insert into settlements (pick_id, result, settled_at, net_units_e4, grader)
           values (999, 'void', '2026-01-11T18:00:00Z', 0, 'cancelled')`,
          `insert into ledger_entries (seq, kind, pick_id, uuid, capper, capper_seq, hash, leaf_hash)
           select max(seq) + 1, 'posted', 999, gen_random_uuid(), 'ada', 99, sha256(''), sha256('') from ledger_entries`,
        ])
          expect((await refusalOf(stores.owner.raw(statement))).code, statement).to.match(/^PP00[234]$/);
      });

      it('a game or a capper removed that picks are of', async () => {
        for (const statement of [
          `delete from games where name = 'Gulls @ Foxes'`,
          `delete from cappers where handle = 'ada'`,
          'truncate games cascade',
          'truncate cappers cascade',
        ])
          expect((await refusalOf(stores.owner.raw(statement))).code, statement).to.match(/^PP005$|^23503$/);
        expect(await stores.owner('games').pluck('name')).to.include('Gulls @ Foxes');
        expect(await stores.owner('cappers').pluck('handle')).to.include('ada');
      });

      it('entries with a gap, and checkpoints larger than the log', async () => {
        const entry = (seq: string) =>
          `insert into ledger_entries (seq, kind, notice_id, hash, leaf_hash, body)
           values (${seq}, 'notice', 1, sha256(''), sha256(''), '{}')`;
        await stores.owner.raw(
          `insert into notices (at, topic, text) values (to_timestamp(0), 'remark', 'A remark.')`,
        );
        expect(
          (await refusalOf(stores.owner.raw(entry('(select max(seq) + 2 from ledger_entries)')))).code,
        ).to.equal('PP004');
        const checkpoint = (size: string, previous = 'null') =>
          `insert into checkpoints (size, root, note, previous) values (${size}, sha256(''), '', ${previous})`;
        const {
          rows: [{ size }],
        } = await stores.owner.raw('select max(seq) + 1 as size from ledger_entries');
        expect((await refusalOf(stores.owner.raw(checkpoint(`${size + 1}`)))).code).to.equal('PP004');
        expect((await refusalOf(stores.owner.raw(checkpoint(`${size}`, '1')))).code).to.equal('PP004');
        await stores.owner.raw(checkpoint(`${size}`));
        expect((await refusalOf(stores.owner.raw(checkpoint(`${size - 1}`, '0')))).code).to.equal('PP004');
      });
    });

  describe('once a game has started', () => {
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

    const codeOf = async (sql: string) => {
      try {
        await stores.owner.transaction(async (transaction) => {
          await transaction.raw(sql);
          throw Object.assign(new Error(), { code: 'stored' });
        });
      } catch (error) {
        return (error as { code: string }).code;
      }
      return 'stored';
    };
    const insert =
      (table: string, sound: Record<string, string>) =>
      (columns: Record<string, string> = {}) => {
        const row = { ...sound, ...columns };
        return codeOf(`insert into ${table} (${Object.keys(row)}) values (${Object.values(row)})`);
      };
    const closing = insert('closings', {
      pick_id: '1',
      closed_at: `'${iso(start)}'`,
      odds_american: '-125',
      book: `'north'`,
      captured_at: `'${iso(start - hour)}'`,
      prices: `'[{"side": "away", "odds_american": 105}, {"side": "home", "odds_american": -125}]'`,
      clv_bps: '606',
    });
    const settlement = insert('settlements', {
      pick_id: '1',
      result: `'win'`,
      settled_at: `'${iso(start + 3 * hour)}'`,
      away_score: '10',
      home_score: '20',
      net_units_e4: '9091',
      grader: `'score'`,
    });

    it('a closing whose instants, prices or closing line value cannot be', async () => {
      expect(id).to.equal(1);
      expect(await closing()).to.equal('stored');
      const refused: Record<string, string>[] = [
        { clv_bps: '99999' },
        { clv_bps: '607' },
        { closed_at: `'${iso(start + hour)}'` },
        { captured_at: `'${iso(start - 2 * hour)}'` },
        { odds_american: '-124' },
        { book: 'null', line_e3: '500' },
        { book: `'south'` },
        { prices: `'[]'` },
        { prices: `'[{"side": "home", "odds_american": -125}, {"side": "home", "odds_american": 105}]'` },
        { prices: `'[{"side": "home", "odds_american": -125}, {"side": "away"}]'` },
        { prices: `'[{"side": "home", "odds_american": -125}, {"side": "away", "odds_american": 1.5}]'` },
        { prices: `'[{"side": "home", "odds_american": -125, "more": 1}]'` },
        { prices: `'[{"side": "home", "odds_american": -125}, 7]'` },
      ];
      for (const columns of refused)
        expect(await closing(columns), JSON.stringify(columns)).to.equal('PP002');
      expect(await closing({ captured_at: `'${iso(start + hour)}'` })).to.equal('23514');
    });

    it('a settlement before there is a result', async () => {
      expect(await settlement()).to.equal('PP003');
      expect(await settlement({ grader: `'result'`, away_score: 'null', home_score: 'null' })).to.equal(
        'PP003',
      );
      const nothing = { away_score: 'null', home_score: 'null', result: `'void'`, net_units_e4: '0' };
      for (const grader of ['cancelled', 'postponed', 'result', 'magic'])
        expect(await settlement({ ...nothing, grader: `'${grader}'` }), grader).to.equal('PP003');
    });

    it('a settlement that the score does not give, and one of another size', async () => {
      await stores.database.transaction((transaction) =>
        applyGames(transaction, [{ ...game, status: 'final', homeScore: 20, awayScore: 10 } as GameRow], {
          now: start + 3 * hour,
          imported: false,
        }),
      );
      expect(await settlement()).to.equal('stored');
      const refused: Record<string, string>[] = [
        { result: `'loss'`, net_units_e4: '-10000' },
        { result: `'void'`, net_units_e4: '0' },
        { net_units_e4: '999999' },
        { net_units_e4: '9090' },
        { home_score: '21' },
        { settled_at: `'${iso(start - hour)}'` },
        { settled_at: `'${iso(start + hour)}'` },
        { grader: `'first_half_score'` },
        { grader: `'result'`, away_score: 'null', home_score: 'null' },
      ];
      for (const columns of refused)
        expect(await settlement(columns), JSON.stringify(columns)).to.equal('PP003');
    });

    it('but not what grading stores', async () => {
      expect(await gradeDue(stores.database, start + 4 * hour)).to.include({ closed: 1, settled: 1 });
      expect(await stores.database('closings').pluck('clv_bps')).to.deep.equal([606]);
      for (const table of ['lines', 'results'])
        expect(await codeOf(`update ${table} set market = 'prop'`)).to.equal('PP005');
      expect(await codeOf('delete from lines')).to.equal('PP005');
      expect(
        await codeOf(
          `insert into pending_picks (pick_id, game_id, market, side) values (1, 1, 'moneyline', 'home')`,
        ),
      ).to.equal('PP005');
    });
  });
});
