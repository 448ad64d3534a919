import { expect } from 'chai';
import { auditDerived } from '../../src/ledger/audit/derived.ts';
import { auditPicks } from '../../src/ledger/audit/picks.ts';
import { auditStatusDays } from '../../src/status/history.ts';
import { announceEvents, auditWebhookEvents } from '../../src/webhooks/messages/events.ts';
import { providersPrice } from '../attack/derived.ts';
import { buildWorld } from '../attack/world.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';

describe('an audit of derived tables', () => {
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();

  before(async () => {
    await buildWorld(stores.database, folder);
    await announceEvents(stores.database, Date.now());
  });

  /** Returns the findings after statements of the owner, then reverts them. */
  async function findingsAfter(...statements: string[]): Promise<string[]> {
    const transaction = await stores.owner.transaction();
    const found: string[] = [];
    try {
      for (const statement of statements) await transaction.raw(statement);
      for (const findings of [
        auditDerived(transaction),
        auditPicks(transaction, () => {}),
        auditWebhookEvents(transaction),
        auditStatusDays(transaction),
      ])
        for await (const { message } of findings) found.push(message);
    } finally {
      await transaction.rollback();
    }
    return found;
  }

  it("finds nothing in a busy log, even under the auditor's login", async () => {
    expect(await findingsAfter()).to.deep.equal([]);
    expect(await findingsAfter('set local role test_auditor')).to.deep.equal([]);
  });

  it('reports missing search words, and how to restore them', async () => {
    const [found] = await findingsAfter('delete from search_words');
    expect(found).to.match(/^search_words, \d+ words: they are missing, such as \w+: /);
    const [repair = ''] = /insert into search_words .*/.exec(found ?? '') ?? [];
    expect(await findingsAfter('delete from search_words', repair)).to.deep.equal([]);
    expect(await findingsAfter(`insert into search_words values ('of-nothing')`)).to.deep.equal([]);
  });

  it('reports a sequence that lags or is far ahead, and how to set it', async () => {
    const [behind] = await findingsAfter('alter table picks alter id restart');
    expect(behind).to.match(
      /^picks, sequence picks_id_seq: it is at 0, but ids go up to (\d+); .*setval\('picks_id_seq', \1\)$/,
    );
    const [ahead] = await findingsAfter('alter sequence cappers_id_seq restart with 2000000000');
    expect(ahead).to.match(
      /^cappers, sequence cappers_id_seq: it is at 1999999999, but ids end at 2147483647; /,
    );
    expect(await findingsAfter('alter sequence picks_id_seq restart with 1000000')).to.deep.equal([]);
  });

  const others: [finding: RegExp, ...statements: string[]][] = [
    [
      /^log_kind, id 1, column kind: it is demo, but the first entry of the log does not say so/,
      'alter table log_kind disable trigger log_kind_append_only',
      `update log_kind set kind = 'demo'`,
    ],
    [
      /^log_kind, id 1, column kind: it is live, but the first entry of the log says that the log is not live/,
      'alter table notices disable trigger user',
      `update notices set topic = 'log-kind' where id = (select min(id) from notices)`,
    ],
    [
      /^priced_days, nba [-\d]+: it is missing, though line \d+ is a price of that day/,
      providersPrice,
      'alter table priced_days disable trigger priced_days_append_only',
      'delete from priced_days',
    ],
    [
      /^priced_days, nfl 2020-01-01, column captured_at: no price can have been stored/,
      `insert into priced_days (sport, day, captured_at, line_id) values ('nfl', '2020-01-01', '2021-01-01', 1)`,
    ],
    [
      /^open_imports, id \d+, column until: it is 2099/,
      `insert into open_imports (until) values ('2099-01-01')`,
    ],
    [
      /^due_games, game of pick [-\w]+, column due_at: it is due at 2099-01-01T00:00:00\.000Z, after the time/,
      `update due_games set due_at = '2099-01-01'`,
    ],
    [/^due_games, game of pick [-\w]+: it is missing, but the result is known/, 'delete from due_games'],
    [
      /^webhook_events, seq \d+: it is missing, so no subscriber receives it/,
      'delete from webhook_events where seq = (select max(seq) from webhook_events)',
    ],
    [/^webhook_events, seq \d+: it differs from its entry/, `update webhook_events set kind = 'settled'`],
    [
      /^webhook_filters, id \d+, column head_seq: it is 3, and the newest/,
      'update webhook_filters set head_seq = 3',
    ],
    [
      /^webhook_subscriptions, id \d+, column cursor_seq: it is 100000, and the log has \d+ entries/,
      'update webhook_subscriptions set cursor_seq = 100000',
    ],
    [/^status_days, day [-\d]+ of redis: no bad round is stored/, 'delete from status_days'],
    [
      /^status_days, day [-\d]+: no round of checks is stored, although checkpoints were signed/,
      'alter table checkpoint_times drop constraint checkpoint_times_size_fkey',
      `insert into checkpoint_times (size, signed_at) values (1000001, clock_timestamp() - interval '5 days'), (1000002, clock_timestamp() - interval '3 days')`,
    ],
  ];

  for (const [finding, ...statements] of others)
    it(`reports the difference after ${statements.at(-1)}`, async () => {
      const found = await findingsAfter(...statements);
      expect(
        found.some((message) => finding.test(message)),
        found.join('\n'),
      ).to.equal(true);
    });
});
