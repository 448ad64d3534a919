import { expect } from 'chai';
import pg from 'pg';
import type { Login } from '../../migrations/rights.ts';
import { audit } from '../../src/ledger/audit/audit.ts';
import { auditTimes } from '../../src/ledger/audit/checkpoints.ts';
import type { Difference } from '../../src/ledger/difference.ts';
import { startNewOrigin } from '../../src/ledger/publishing/new-origin.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { rowsSetAside } from '../../src/ledger/sealing/set-aside.ts';
import { auditProjections, rebuildProjections } from '../../src/projections/rebuild.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { buildWorld, type World } from './world.ts';

const long = '2020-01-01T00:00:00Z';

describe('forged checkpoint and notice times', function () {
  this.timeout(120_000);
  const stores = withDatabase({ kind: 'live' });
  const folder = withFolder();
  let world: World;

  before(async () => {
    world = await buildWorld(stores.database, folder);
  });

  /** Runs a statement under a login. @returns why it is refused */
  async function as(login: Login, statement: string): Promise<string | undefined> {
    const client = new pg.Client({ connectionString: asLogin(stores.ownerUrl, login) });
    await client.connect();
    try {
      await client.query(statement);
      return undefined;
    } catch (error) {
      return (error as Error).message;
    } finally {
      await client.end();
    }
  }

  const inTime = async () =>
    (
      await stores
        .database('board_picks')
        .where({ provenance: 'live' })
        .orderBy('pick_id')
        .pluck('sealed_in_time')
    ).join(' ');

  async function found(source: AsyncIterable<Difference>): Promise<string[]> {
    const messages: string[] = [];
    for await (const { message } of source) messages.push(message);
    return messages;
  }

  const forgedTimes = (size: string) =>
    `insert into checkpoint_times (size, signed_at, cosignatures, witnessed_at) values (${size}, '${long}', 3, '${long}')`;

  it('are refused without a checkpoint of their own', async () => {
    const end = '(select max(seq) + 1 from ledger_entries)';
    expect(await as('sealing', forgedTimes(`${end} - 1`))).to.match(/foreign key/);
    expect(await as('sealing', forgedTimes('(select max(size) from checkpoints)'))).to.match(/duplicate key/);
    expect(await inTime()).to.equal('signed signed signed signed');
  });

  it('make no pick witnessed, even with a forged checkpoint', async () => {
    await sealAll(stores.database);
    const end = '(select max(seq) + 1 from ledger_entries)';
    const forged = `insert into checkpoints (size, root, note, previous) select s.size, sha256(''),
        concat_ws(e'\\n', o.origin, s.size, encode(sha256(''), 'base64'), 'time 2020-01-01T00:00:00.000Z', '', '— forged AAAA', ''),
        (select max(size) from checkpoints)
      from ledger_origin o cross join (select ${end} as size) s`;
    expect(await as('sealing', forged)).to.equal(undefined);
    expect(await as('sealing', forgedTimes(end))).to.equal(undefined);
    await updateProjections(stores.database);
    const covered = await stores
      .database('board_picks')
      .whereNotNull('sealed_in_time')
      .distinct()
      .pluck('sealed_in_time');
    expect(covered).to.deep.equal(['signed']);
    // It stops neither the next checkpoint nor the status, which names it.
    await stores.database('notices').insert({ at: new Date(), topic: 'remark', text: 'One more.' });
    await sealAll(stores.database);
    const size = await publishCheckpoint(stores.database, world.publisher, Date.now());
    expect(size).to.be.a('number');
    expect((await rowsSetAside(stores.database)).map(({ table }) => table)).to.deep.equal(['checkpoints']);
    const whole = await audit(stores.database, () => world.publisher.store!.read(), { onFinding() {} });
    expect(whole.difference?.message).to.match(/^checkpoints, size \d+, column note: /);
    for (const table of ['checkpoint_times', 'checkpoints'])
      await stores.owner.raw(`alter table ${table} disable trigger all`);
    await stores
      .owner('checkpoint_times')
      .where({ signed_at: new Date(long) })
      .delete();
    await stores.owner('checkpoints').whereLike('note', '%forged%').delete();
    for (const table of ['checkpoint_times', 'checkpoints'])
      await stores.owner.raw(`alter table ${table} enable trigger all`);
  });

  it('are found by the audit when the owner stores them', async () => {
    const changed = async (...statements: string[]) => {
      const transaction = await stores.owner.transaction();
      try {
        for (const statement of statements) await transaction.raw(statement);
        return (await found(auditTimes(transaction))).join('\n');
      } finally {
        await transaction.rollback();
      }
    };
    expect(await changed('select 1')).to.equal('');
    expect(
      await changed(
        'alter table checkpoint_times drop constraint checkpoint_times_size_fkey',
        forgedTimes('(select max(size) + 1 from checkpoints)'),
      ),
    ).to.match(/checkpoint_times, size \d+: there is no such checkpoint/);
    expect(
      await changed(
        `update checkpoint_times set signed_at = '${long}' where size = (select max(size) from checkpoint_times)`,
      ),
    ).to.match(/column signed_at: it is before that of the checkpoint that it follows/);
    for (const [at, sentence] of [
      [long, /notices, id \d+, column at: it is not in a checkpoint that was signed long after it/],
      [
        '2030-01-01T00:00:00Z',
        /notices, id \d+, column at: the checkpoint that covers it was signed before it/,
      ],
    ] as const)
      expect(
        await changed(
          'alter table notices disable trigger notices_append_only',
          `update notices set at = '${at}' where id = (select max(id) from notices)`,
        ),
      ).to.match(sentence);
  });

  it('are refused in notices of a live log', async () => {
    for (const at of [long, '2030-01-01T00:00:00Z'])
      for (const login of ['operator', 'ingest'] as const)
        expect(
          await as(login, `insert into notices (at, topic, text) values ('${at}', 'remark', 'It was so.')`),
        ).to.match(/a notice in a live log must have the current time/);
  });

  it('do not change when a pick was first covered, even after a new log began', async () => {
    await updateProjections(stores.database);
    const before = await inTime();
    expect(before).to.contain('signed');
    await startNewOrigin(stores.owner, {
      origin: 'picks.example/second',
      notice: 'The first log is lost.',
      at: Date.now(),
    });
    const publisher = { ...world.publisher, store: undefined };
    await publishCheckpoint(stores.database, publisher, Date.now() + 48 * 3_600_000);
    await updateProjections(stores.database);
    expect(await inTime()).to.equal(before);
    expect(await found(auditProjections(stores.database))).to.deep.equal([]);
    const forge = `update board_picks set sealed_in_time = 'witnessed', sealed_at = '${long}' where provenance = 'live'`;
    expect(await as('boards', forge)).to.equal(undefined);
    expect((await found(auditProjections(stores.database))).join('\n')).to.match(
      /board_picks, pick \S+, column sealed_in_time: it is "witnessed", but the log gives "signed"/,
    );
    expect(
      await as('boards', `insert into earlier_seals select pick_id, '${long}', '${long}' from board_picks`),
    ).to.match(/permission denied/);
    await rebuildProjections(stores.database);
    expect(await inTime()).to.equal(before);
  });
});
