import { expect } from 'chai';
import { Command } from 'commander';
import { eventsVerb } from '../../src/cli/events.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { type EventSetAside, eventsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { readConfigOf } from '../../src/platform/config/config.ts';
import { type TestDatabase, withDatabase } from '../support/database.ts';
import { league } from '../support/folders.ts';
import { expectSoundLedger } from '../support/sound-ledger.ts';
import { ingest, runPipeline } from '../support/whole-way.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

/** Runs `events` as cli.ts does. */
async function events({ ownerUrl }: TestDatabase, verb: string): Promise<string> {
  const lines: string[] = [];
  const environment = {
    DATABASE_URL: ownerUrl,
    REDIS_URL: 'redis://127.0.0.1:1',
    OPERATOR_TOKEN: 'a-token-for-tests',
    SECRET_KEY: Buffer.alloc(32, 1).toString('base64'),
    LEDGER_KEY: Buffer.alloc(32, 2).toString('base64'),
  };
  const program = new Command().addCommand(
    eventsVerb(
      (name) => readConfigOf(name, environment),
      (line) => lines.push(line),
    ),
  );
  await program.parseAsync(['events', verb], { from: 'user' });
  return lines.join('\n');
}

const insertStray = ({ owner }: TestDatabase, kind: string, subjectId: number) =>
  owner('unsealed_events').insert({ kind, subject_id: subjectId });

const reasons = async ({ database }: TestDatabase) =>
  (await eventsSetAside(database)).map(({ kind, subjectId, reason }) => [kind, subjectId, reason]);

describe('an event that cannot be sealed', () => {
  const stores = withDatabase();
  const reported: EventSetAside[] = [];

  before(async () => {
    await insertStray(stores, 'closed', 999);
    await ingest(stores.database, league, now);
    await insertStray(stores, 'notice', 999);
    await runPipeline(stores.database, now);
    const [sealed] = await stores
      .database('ledger_entries')
      .where({ kind: 'posted' })
      .orderBy('seq')
      .select('pick_id');
    await stores.database('notices').insert({ at: new Date(now), topic: 'remark', text: 'before' });
    await insertStray(stores, 'posted', sealed.pick_id);
    await stores.database('notices').insert(
      Array.from({ length: 5 }, (_, index) => ({
        at: new Date(now),
        topic: 'remark',
        text: `after ${index}`,
      })),
    );
    await sealAll(stores.database, { onSetAside: (more) => reported.push(...more) });
  });

  it('is set aside with the reason, and all others are sealed', async () => {
    const [one, other, again] = await reasons(stores);
    expect(one).to.deep.equal(['closed', 999, 'no closed event of 999 is stored']);
    expect(other).to.deep.equal(['notice', 999, 'no notice event of 999 is stored']);
    expect(again?.[2]).to.match(/duplicate key value violates unique constraint/);
    expect(reported).to.have.length(1);
    expect(await stores.database('unsealed_events')).to.deep.equal([]);
    expect(await stores.database('ledger_entries').where({ kind: 'notice' })).to.have.length(6);
    await expectSoundLedger(stores.database);
  });

  it('is listed by the verb, and set aside again until it can be sealed', async () => {
    expect(await events(stores, 'list')).to.match(
      /^1 \S+ closed event of 999: no closed event of 999 is stored$/m,
    );
    expect(await events(stores, 'put-back')).to.contain('Put back 3.');
    expect(await events(stores, 'list')).to.equal('No event is set aside.');
    await sealAll(stores.database);
    expect(await reasons(stores)).to.have.length(3);
  });
});

describe('an event with an unrepresentable instant', () => {
  const stores = withDatabase();

  it('is the only one set aside', async () => {
    const { owner, database } = stores;
    await owner.raw('alter domain instant_ms drop constraint instant_ms_check');
    await database('notices').insert({ at: new Date(now), topic: 'remark', text: 'before' });
    await owner.raw("insert into notices (at, topic, text) values ('infinity', 'remark', 'never')");
    await database('notices').insert({ at: new Date(now), topic: 'remark', text: 'after' });
    expect(await sealAll(database)).to.equal(2);
    expect((await reasons(stores)).map(([kind, , reason]) => [kind, reason])).to.deep.equal([
      ['notice', 'Invalid time value'],
    ]);
  });
});

describe('later events of a pick whose event is set aside', () => {
  const stores = withDatabase();

  it('wait, and are sealed in order once the event is repaired', async () => {
    const { owner, database } = stores;
    await ingest(database, league, now);
    const pick: { id: number } = await database('picks').orderBy('id').first('id');
    await owner.raw('alter table unsealed_events disable trigger check_unsealed_removed');
    await owner('unsealed_events').where({ kind: 'posted', subject_id: pick.id }).delete();
    await owner.raw('alter table unsealed_events enable always trigger check_unsealed_removed');
    await runPipeline(database, now);
    const kinds = (await reasons(stores)).map(([kind]) => kind);
    expect(kinds.at(-1)).to.equal('settled');
    expect((await reasons(stores))[0]?.[2]).to.equal(`pick ${pick.id} was ${kinds[0]} before it was sealed`);

    await insertStray(stores, 'posted', pick.id);
    expect(await events(stores, 'put-back')).to.contain(`Put back ${kinds.length}.`);
    expect(await sealAll(database)).to.equal(kinds.length + 1);
    expect(await reasons(stores)).to.deep.equal([]);
    await expectSoundLedger(database);
  });
});

describe('an event that waits to be sealed', () => {
  const stores = withDatabase();

  it('cannot be removed from the list, even by the owner', async () => {
    await ingest(stores.database, league, now);
    const refused = await stores
      .owner('unsealed_events')
      .delete()
      .catch((error) => error);
    expect(refused).to.include({ code: 'PP005' });
    expect(refused.message).to.match(/the \w+ event of \d+ is not sealed/);
  });
});
