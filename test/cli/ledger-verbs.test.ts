import { execFile } from 'node:child_process';
import { readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { expect } from 'chai';
import type { Login } from '../../migrations/rights.ts';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { signingKeys } from '../../src/ledger/publishing/identity.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { receiptOf } from '../../src/ledger/publishing/published.ts';
import { createActions } from '../../src/operator/actions.ts';
import { createIntake } from '../../src/operator/intake.ts';
import { parseVerifierKey } from '../../src/proof/verifier-key.ts';
import { verifyReceipt } from '../../src/proof/verify-receipt.ts';
import { type RunningApi, startApi } from '../support/api.ts';
import { testConfig } from '../support/config.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { game, pick } from '../support/posted-pick.ts';
import { withRedis } from '../support/redis.ts';
import { type RichLog, richLog } from '../support/rich-log.ts';
import { runVerb, verbEnvironment } from '../support/verbs.ts';
import { runPipeline } from '../support/whole-way.ts';

const root = resolve(import.meta.dirname, '..', '..');

describe("the ledger's verbs", () => {
  const database = withDatabase();
  const redis = withRedis();
  const folder = withFolder();
  let log: RichLog;
  let site: RunningApi;

  before(async () => {
    log = await richLog(database.database, folder, 6);
    site = await startApi({ database, redis }, { clock: { now: () => log.now } });
  });
  after(() => site.close());

  const environment = (login: Login) => ({
    ...verbEnvironment(asLogin(database.url, login), redis.url),
    DATABASE_OWNER_URL: database.ownerUrl,
    LEDGER_KEY: log.publisher.key,
    CHECKPOINT_STORE: log.publisher.checkpointFile,
    BASE_URL: 'https://picks.example',
  });

  /** Runs a verb in this process. */
  async function run(verb: string[]): Promise<{ status: number; out: string }> {
    const { status, out, err } = await runVerb(verb, (name, login) =>
      environment(login ?? (name === 'migrate' ? 'auditor' : (name as Login))),
    );
    return { status, out: out + err };
  }

  /** Runs a verb in its own process. */
  function runProcess(
    verb: string[],
    login: Login,
    more: Record<string, string> = {},
  ): Promise<{ status: number; out: string }> {
    return new Promise((settle) => {
      execFile(
        process.execPath,
        [resolve(root, 'src', 'cli.ts'), ...verb],
        { cwd: root, env: { ...environment(login), ...more } },
        (error, out, err) => settle({ status: error === null ? 0 : Number(error.code), out: out + err }),
      );
    });
  }

  it('print a seed and the matching verifier key (ledger-key)', async () => {
    const { out } = await runProcess(['ledger-key', 'picks.example/ledger'], 'auditor');
    const [, seed = ''] = /^LEDGER_KEY=(.+)$/m.exec(out) ?? [];
    const [, vkey = ''] = /^verifier key: (.+)$/m.exec(out) ?? [];
    expect(Buffer.from(seed, 'base64')).to.have.length(32);
    expect(parseVerifierKey(vkey).name).to.equal('picks.example/ledger');
    expect((await run(['ledger-key', 'picks.example/ledger'])).out).to.not.equal(out);
  });

  it('report what was compared (audit)', async () => {
    const { status, out } = await run(['audit']);
    expect(out).to.match(
      /^\d+ entries and 6 checkpoints match what was sealed and signed\.\nThey extend the \d+ /m,
    );
    expect(status).to.equal(0);
  });

  it('resume from a saved state, and keep that state when something differs (audit)', async () => {
    const state = join(folder.path(), 'audited.json');
    const first = await run(['audit', '--state', state]);
    expect(first.out).to.match(/^\d+ entries after the first 0 match.*\nThey extend the \d+ /m);
    expect(first.status).to.equal(0);
    const again = await run(['audit', '--state', state]);
    expect(again.out).to.match(/^0 entries after the first \d+ match/m);
    const held = readFileSync(state, 'utf8');
    writeFileSync(state, held.replace(/("frontier":\["[0-9a-f]{62})[0-9a-f]{2}/, '$100'));
    const other = readFileSync(state, 'utf8');
    const faulty = await run(['audit', '--state', state]);
    expect(faulty.out).to.match(
      /their root was .* stays before the step from entry \d+, which has 1 finding\./s,
    );
    expect(faulty.status).to.equal(1);
    expect(readFileSync(state, 'utf8')).to.equal(other);
  });

  it('report a difference and a missing checkpoint file, which --keep recreates (audit)', async () => {
    const file = log.publisher.checkpointFile;
    const held = readFileSync(file, 'utf8');
    rmSync(file);
    expect(await runProcess(['audit'], 'auditor')).to.deep.include({ status: 1 });
    const kept = await runProcess(['audit', '--keep'], 'auditor');
    expect(kept.status, kept.out).to.equal(0);
    expect(readFileSync(file, 'utf8')).to.equal(held);

    // The audit must find the row, not a disabled trigger.
    const change = (by: string) =>
      database.owner.raw(
        `alter table settlements disable trigger settlements_append_only;
         update settlements set net_units_e4 = net_units_e4 ${by}
           where pick_id = (select min(pick_id) from settlements where result = 'win');
         alter table settlements enable always trigger settlements_append_only`,
      );
    await change('+ 1');
    const { status, out } = await run(['audit']);
    await change('- 1');
    expect(out).to.match(/Differs from what was sealed: settlements, pick_id \d+, column net_units_e4: /);
    expect(status).to.equal(1);
    expect((await run(['audit'])).status).to.equal(0);
  });

  it('check a promise against the database or over HTTP (check-acknowledgement)', async () => {
    const live = { now: log.now, imported: false };
    await applyCappers(database.database, [{ handle: 'ada', tier: 'elite', verified: true }], live);
    await database.database.transaction((transaction) =>
      applyGames(transaction, [{ ...game, status: 'scheduled' }], live),
    );
    const deps = {
      config: testConfig({ LEDGER_KEY: log.publisher.key }),
      database: database.database,
      clock: { now: () => log.now },
      enqueue: { add: async () => true },
    };
    const post = () =>
      createIntake(deps, createActions(database.database, deps.clock))(
        { operator: 'operator', requestId: 'request-1' },
        'picks',
        [pick],
        'key-1',
      );
    const [answer] = await post();
    const file = join(folder.path(), 'acknowledgement');
    writeFileSync(file, answer!.acknowledgement!);
    expect(answer!.acknowledgement).to.match(/^picks\.example\/ledger\/acknowledgement\n/);

    const fromDatabase = ['check-acknowledgement', file];
    const overHttp = [...fromDatabase, '--url', site.address];
    expect(await run(fromDatabase)).to.deep.include({ status: 2 });
    await runPipeline(database.database, log.now);
    await publishCheckpoint(database.database, log.publisher, log.now);
    for (const verb of [fromDatabase, overHttp]) {
      const { status, out } = await run(verb);
      expect(out).to.match(/was sealed as acknowledged: entry \d+, in the signed tree of \d+ entries\./);
      expect(status).to.equal(0);
    }
    writeFileSync(file, answer!.acknowledgement!.replace('Foxes', 'Gulls'));
    expect((await run(fromDatabase)).status).to.equal(1);
    // Posting the pick again under its key is acknowledged again.
    const [again] = await post();
    expect(again).to.deep.include({ outcome: 'unchanged', pickUuid: answer!.pickUuid });
    expect(again!.acknowledgement).to.equal(answer!.acknowledgement);
  });

  it('announce the next key, which then signs, and keep old receipts valid (rotate-key)', async () => {
    const uuids: string[] = await database.database('picks').orderBy('id').pluck('uuid');
    const receipts = await Promise.all(uuids.map((uuid) => receiptOf(database.database, uuid)));
    const next = Buffer.alloc(32, 11).toString('base64');
    expect((await runProcess(['rotate-key'], 'sealing', { NEW_LEDGER_KEY: 'short' })).status).to.equal(1);
    const { status, out } = await runProcess(['rotate-key'], 'sealing', { NEW_LEDGER_KEY: next });
    expect(status, out).to.equal(0);
    expect((await runProcess(['rotate-key'], 'sealing', { NEW_LEDGER_KEY: next })).out).to.match(
      /newest key is .* but the configured key is/,
    );
    await runPipeline(database.database, log.now);
    log.publisher = { ...log.publisher, key: next };
    await publishCheckpoint(database.database, log.publisher, log.now);
    const keys = (await signingKeys(database.database)).map(({ key }) => key);
    expect(keys).to.have.length(3);
    expect(out).to.contain(keys[2]!.id);
    expect(await Promise.all(uuids.map((uuid) => receiptOf(database.database, uuid)))).to.deep.equal(
      receipts,
    );
    for (const receipt of receipts) expect((await verifyReceipt(receipt, { keys })).proof).to.equal('ok');
    expect((await run(['audit'])).status).to.equal(0);
  });

  it('start a log from the remaining events, and say so in its first entry (new-origin)', async () => {
    const hashes = () =>
      database.owner('ledger_entries').whereNotIn('kind', ['key', 'notice']).orderBy('seq').pluck('hash');
    const before = await hashes();
    await database.owner.raw(
      `insert into webhook_events (seq, pick_id, kind, capper_id, sport, market, tier, about, at)
       select e.seq, e.pick_id, e.kind, p.capper_id, 'nfl', p.market, p.tier, '{}', now() from ledger_entries e join picks p on p.id = e.pick_id
       where e.kind in ('posted', 'settled')`,
    );
    const announced = async () =>
      (await database.owner('webhook_events').orderBy('seq').select('pick_id', 'kind')) as object[];
    const announcedBefore = await announced();
    expect(announcedBefore).to.have.length.greaterThan(2);
    const refused = await run(['new-origin', 'picks.example/ledger', '--reason', 'none']);
    expect(refused).to.deep.include({
      status: 1,
      out: 'The log already has the origin picks.example/ledger: choose another.\n',
    });
    const { status, out } = await run(['new-origin', 'picks.example/log-2', '--reason', 'a disk was lost']);
    expect(status, out).to.equal(0);
    expect(readFileSync(`${log.publisher.checkpointFile}.log_1`, 'utf8')).to.match(
      /^picks\.example\/ledger\n/,
    );

    expect(await hashes()).to.deep.equal(before);
    const [first] = await database.database('ledger_entries').where({ seq: 0 }).select('kind', 'body');
    expect(first.kind).to.equal('notice');
    expect(JSON.parse(first.body).text).to.match(
      /^This log replaces picks\.example\/ledger: a disk was lost\. Published last under the old name: \d+ entries, root /,
    );
    expect(await publishCheckpoint(database.database, log.publisher, log.now)).to.equal(
      (await database.database('ledger_entries').pluck('seq')).length,
    );
    // Each event still names its entry, under the entry's new number.
    expect(await announced()).to.deep.equal(announcedBefore);
    const { rows: strays } = await database.owner.raw(
      `select w.seq from webhook_events w left join ledger_entries e using (seq, pick_id, kind) where e.seq is null`,
    );
    expect(strays).to.deep.equal([]);
    // The boards had read everything, and need not read it again.
    const [{ next_seq }] = await database.database('reader_cursors').where({ reader: 'boards' });
    expect(next_seq).to.equal((await database.database('ledger_entries').pluck('seq')).length);
    const old = await database.owner('log_1.checkpoints').count({ n: '*' });
    expect(old).to.deep.equal([{ n: 8 }]);
    // The log announces no imported pick.
    await database.owner('webhook_events').delete();
    const audited = await run(['audit']);
    expect(audited.out).to.contain('1 checkpoints match what was sealed');
    expect(audited.status, audited.out).to.equal(0);
  });
});
