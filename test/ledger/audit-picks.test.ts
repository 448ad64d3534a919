import { expect } from 'chai';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import type { Database, Transaction } from '../../src/platform/database.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { richLog } from '../support/rich-log.ts';
import { unlock } from './tampering.ts';

async function findings(database: Database): Promise<string[]> {
  const found: string[] = [];
  for await (const { message } of auditPicks(database, () => {})) found.push(message);
  return found;
}

/** Each forgery is an assignment to the first row that the condition selects. */
const forgeries: [table: string, set: string, where: string, finding: RegExp][] = [
  [
    'settlements',
    `result = 'win', net_units_e4 = 9091`,
    `result = 'loss' and grader = 'score'`,
    /column result: it must be loss, by the final score/,
  ],
  [
    'settlements',
    `result = 'push', net_units_e4 = 0`,
    `grader = 'result'`,
    /column result: it must be \w+, by the result event/,
  ],
  [
    'settlements',
    `net_units_e4 = 999999`,
    `result = 'win'`,
    /column net_units_e4: stake, counted odds, and a win give \d+/,
  ],
  [
    'settlements',
    `net_units_e4 = -1`,
    `result = 'loss'`,
    /column net_units_e4: stake, counted odds, and a loss give -\d+/,
  ],
  [
    'settlements',
    `settled_at = settled_at + interval '1 ms'`,
    `grader = 'score'`,
    /column settled_at: it must be .+, by the final score/,
  ],
  [
    'settlements',
    `settled_at = settled_at - interval '1 year'`,
    `grader = 'result'`,
    /column settled_at: it must be/,
  ],
  ['settlements', `home_score = home_score + 1`, `grader = 'score'`, /column home_score: it must be \d+/],
  ['settlements', `away_score = away_score + 1`, `grader = 'score'`, /column away_score: it must be \d+/],
  [
    'settlements',
    `away_score = 1, home_score = 0`,
    `grader = 'result'`,
    /column away_score: it must be null/,
  ],
  ['settlements', `grader = 'result'`, `grader = 'score'`, /column grader: the score decides it/],
  [
    'settlements',
    `grader = 'cancelled', result = 'void', net_units_e4 = 0`,
    `grader = 'score'`,
    /column grader: the game is final/,
  ],
  [
    'settlements',
    `grader = 'postponed', result = 'void', net_units_e4 = 0`,
    `grader = 'score'`,
    /column grader: the game was not postponed/,
  ],
  ['settlements', `grader = 'score'`, `grader = 'cancelled'`, /column grader: no such score decides it/],
  [
    'settlements',
    `grader = 'first_half_score'`,
    `grader = 'score'`,
    /column grader: no such score decides it/,
  ],
  [
    'settlements',
    `price_verdict = 'unseen'`,
    'true',
    /column price_verdict: it must be null, by the prices stored when the pick settled/,
  ],
  ['settlements', `grader = 'me'`, 'true', /column grader: no such grader/],
  ['closings', `clv_bps = 99999`, 'true', /column clv_bps: the stored prices give/],
  [
    'closings',
    `odds_american = odds_american + 5`,
    'odds_american > 0',
    /column odds_american: the stored prices give/,
  ],
  ['closings', `line_e3 = line_e3 + 500`, 'line_e3 is not null', /column line_e3: the stored prices give/],
  ['closings', `book = 'elsewhere'`, 'true', /column book: the stored prices give/],
  [
    'closings',
    `captured_at = captured_at - interval '1 hour'`,
    'true',
    /column captured_at: the stored prices give/,
  ],
  [
    'closings',
    `captured_at = closed_at + interval '1 hour'`,
    'true',
    /column captured_at: it is after the start/,
  ],
  [
    'closings',
    `closed_at = closed_at + interval '1 day'`,
    'true',
    /column closed_at: its game did not start then/,
  ],
  ['closings', `prices = '[]'`, 'true', /column prices: the stored prices give/],
  ['closings', `fair_e9 = 1`, 'fair_e9 is not null', /column fair_e9: the stored prices give/],
  [
    'closings',
    `edge_source = case edge_source when 'hand' then 'provider' else 'hand' end`,
    'fair_e9 is not null',
    /column edge_source: the stored prices give/,
  ],
  ['closings', `last_line_id = 0`, 'true', /no stored price closes the pick/],
  [
    'picks',
    `starts_at = starts_at + interval '1 hour'`,
    'true',
    /column starts_at: its game never had that start/,
  ],
  ['picks', `posted_at = starts_at`, 'starts_at is not null', /column posted_at: it is not before the start/],
  [
    'picks',
    `side = case side when 'home' then 'away' else 'home' end`,
    `market = 'spread'`,
    /settlements, pick .+, column result|closings, pick/,
  ],
];

describe('an audit of closings, settlements, and work lists', () => {
  const stores = withDatabase();
  const folder = withFolder();

  before(async () => {
    await richLog(stores.database, folder);
    await unlock(stores.owner);
  });

  /** Returns the findings after a change, then reverts it. */
  async function findingsAfter(
    change: (transaction: Transaction) => PromiseLike<unknown>,
  ): Promise<string[]> {
    const transaction = await stores.owner.transaction();
    try {
      await change(transaction);
      return await findings(transaction);
    } finally {
      await transaction.rollback();
    }
  }

  it('finds nothing in a ledger that the rules produced', async () => {
    expect(await findings(stores.database)).to.deep.equal([]);
  });

  for (const [table, set, where, finding] of forgeries)
    it(`reports a forged row of ${table}: ${set}`, async () => {
      const key = table === 'picks' ? 'id' : 'pick_id';
      const scope = table === 'picks' ? 'join settlements s on s.pick_id = t.id' : '';
      const found = await findingsAfter(async (transaction) => {
        const { rowCount } = await transaction.raw(
          `update ${table} set ${set} where ${key} =
             (select t.${key} from ${table} t ${scope} where ${where} order by t.${key} limit 1)`,
        );
        expect(rowCount, 'rows changed').to.equal(1);
      });
      expect(found.join('\n')).to.match(finding);
    });

  it('reports a missing closing if a stored price closes the pick', async () => {
    const found = await findingsAfter((transaction) =>
      transaction.raw(
        `delete from closings where pick_id = (select min(pick_id) from closings join settlements using (pick_id) where grader = 'score')`,
      ),
    );
    expect(found).to.have.length(1);
    expect(found[0]).to.match(/^closings, pick .+: it is missing: a price captured at .+ closes the pick$/);
  });

  it('ignores prices stored after the pick closed', async () => {
    const found = await findingsAfter((transaction) =>
      transaction.raw(
        `insert into lines (game_id, market, side, line_e3, odds_american, captured_at, closing, book)
         select game_id, market, side, line_e3, 500, captured_at, true, book from lines`,
      ),
    );
    expect(found).to.deep.equal([]);
  });

  it('reports live picks of a live log that were stored later than they claim', async () => {
    const makeLive = async (transaction: Transaction) => {
      await transaction.raw('alter table log_kind disable trigger all');
      await transaction.raw(`update log_kind set kind = 'live'`);
    };
    const backdate = (transaction: Transaction, provenance: string) =>
      transaction.raw(
        `update picks set provenance = ?, posted_at = posted_at - interval '10 years' where id = (select max(pick_id) from ledger_entries where kind = 'posted')`,
        [provenance],
      );
    const found = await findingsAfter(async (transaction) => {
      await makeLive(transaction);
      await backdate(transaction, 'live');
    });
    expect(found).to.have.length(3);
    expect(found[0]).to.match(
      /^picks, pick .+, column posted_at: it is not in the checkpoint of .+: it was stored later/,
    );
    expect(found[1], 'nor does an imported pick have a price check').to.match(/column price_verdict/);
    expect(found[2], 'nor counted odds').to.match(/column price_counted/);
    expect(
      await findingsAfter(async (transaction) => {
        await makeLive(transaction);
        await backdate(transaction, 'imported');
      }),
    ).to.deep.equal([]);
  });

  it('accepts the start that a game had before it was moved', async () => {
    const found = await findingsAfter((transaction) =>
      transaction.raw(`update games set starts_at = starts_at + interval '1 day' where status <> 'final'`),
    );
    expect(found).to.deep.equal([]);
  });

  it('reports a game that is missing from the due list although its picks could settle', async () => {
    const unsettled = (alsoGone: string) =>
      findingsAfter(async (transaction) => {
        await transaction.raw(
          `create temp table unsettled as select pick_id from settlements order by pick_id limit 1;
           delete from settlements where pick_id in (select pick_id from unsettled);
           insert into pending_picks (pick_id, game_id, market, subject, side, closed)
           select p.id, p.game_id, p.market, p.subject, p.side, exists (select from closings where pick_id = p.id)
           from picks p join unsettled u on u.pick_id = p.id;
           delete from due_games;
           insert into due_games (game_id, due_at)
           select distinct game_id, timestamptz 'epoch' from pending_picks where ${alsoGone}`,
        );
      });
    expect((await unsettled('true')).join()).not.to.contain('due_games');
    expect((await unsettled('false')).join()).to.match(
      /due_games, game of pick .+: it is missing, but the result is known: the pick would not settle/,
    );
  });

  it("reports a subject that differs from the pick's, on the list of pending picks and in results", async () => {
    const pending = await findingsAfter((transaction) =>
      transaction.raw(
        `create temp table gone as select min(pick_id) as pick_id from settlements;
         delete from settlements where pick_id = (select pick_id from gone);
         insert into pending_picks (pick_id, game_id, market, subject, side, closed)
         select p.id, p.game_id, p.market, 'Somebody', p.side, exists (select from closings where pick_id = p.id)
         from picks p join gone on p.id = gone.pick_id`,
      ),
    );
    expect(pending.join()).to.match(/pending_picks, pick .+, column subject: it must be null/);
    const result = await findingsAfter((transaction) =>
      transaction.raw(
        `alter table results disable trigger all;
         update results set subject = 'Somebody' where subject is not null`,
      ),
    );
    expect(result.join()).to.match(/column grader: there is no result event for its side and line/);
  });

  it('reports missing and surplus rows on the list of pending picks', async () => {
    const gone = await findingsAfter((transaction) =>
      transaction.raw('delete from settlements where pick_id = (select min(pick_id) from settlements)'),
    );
    expect(gone.join()).to.match(/pending_picks, pick .+: it is missing: the pick would never settle/);
    const surplus = await findingsAfter((transaction) =>
      transaction.raw(
        `insert into pending_picks (pick_id, game_id, market, side)
         select id, game_id, market, side from picks join settlements on pick_id = id limit 1`,
      ),
    );
    expect(surplus.join()).to.match(/pending_picks, pick .+: it is pending, but the pick is settled/);
  });
});
