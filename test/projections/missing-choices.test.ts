import { expect } from 'chai';
import { auditMissingChoices } from '../../src/projections/pick-of-the-day.ts';
import { withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { richLog } from '../support/rich-log.ts';

describe('an audit of past Picks of the Day', () => {
  const stores = withDatabase();
  const folder = withFolder();
  before(() => richLog(stores.database, folder));

  /** Makes one pick of a live log a candidate, then runs the owner's statements. */
  async function findingsAfter(...statements: string[]): Promise<string[]> {
    const transaction = await stores.owner.transaction();
    try {
      const { rows } = await transaction.raw(
        `select b.pick_id as id, g.starts_at as start from board_picks b join games g on g.id = b.game_id
         where g.starts_at = g.announced_start and not exists (select from start_moves m where m.game_id = g.id)
           and (g.starts_at at time zone 'America/New_York')::time > '12:00' order by 1 limit 1`,
      );
      const [{ id, start }] = rows;
      const hoursBefore = (hours: number) => new Date(start - hours * 3_600_000);
      await transaction.raw('alter table log_kind disable trigger log_kind_append_only');
      await transaction('log_kind').update({ kind: 'live' });
      await transaction.raw('alter table checkpoint_times drop constraint checkpoint_times_size_fkey');
      await transaction('checkpoint_times').insert({ size: 1_000_000, signed_at: hoursBefore(1.5) });
      await transaction('board_picks')
        .where({ pick_id: id })
        .update({ provenance: 'live', price_verdict: 'available', sealed_at: hoursBefore(2) });
      for (const statement of statements) await transaction.raw(statement.replace('$pick', `${id}`));
      const found: string[] = [];
      for await (const { message } of auditMissingChoices(transaction)) found.push(message);
      return found;
    } finally {
      await transaction.rollback();
    }
  }

  it('reports a day without one although a pick was open', async () => {
    const found = await findingsAfter();
    expect(found).to.have.length(1);
    expect(found[0]).to.match(
      /^picks_of_the_day, day [-\d]{10}: it is missing, but pick [-\w]{36} was eligible; /,
    );
  });

  it('finds nothing if one exists, if no checkpoint was signed, or if no pick was eligible', async () => {
    for (const statement of [
      `insert into picks_of_the_day (day, pick_id, chosen_at) select (g.starts_at at time zone 'America/New_York')::date, b.pick_id, g.starts_at
       from board_picks b join games g on g.id = b.game_id where b.pick_id = $pick`,
      'delete from checkpoint_times',
      `update board_picks set price_verdict = 'unseen'`,
      `update board_picks set sealed_at = starts_at`,
    ])
      expect(await findingsAfter(statement), statement).to.deep.equal([]);
  });

  it('is backed by the database, which refuses to remove one', async () => {
    const error = await stores
      .owner('picks_of_the_day')
      .delete()
      .then(
        () => null,
        ({ message }: Error) => message,
      );
    expect(error).to.match(/append-only/);
  });
});
