import { readFileSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { expect } from 'chai';
import { fromTheBeginning } from '../../src/ledger/audit/audit.ts';
import {
  type AuditState,
  auditStep,
  readAuditState,
  type Step,
  writeAuditState,
} from '../../src/ledger/audit/steps.ts';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { expectedOfTests, withDatabase } from '../support/database.ts';
import { withFolder } from '../support/folders.ts';
import { type RichLog, richLog } from '../support/rich-log.ts';
import { runPipeline } from '../support/whole-way.ts';

const size = 40;

describe('an audit in steps', () => {
  const stores = withDatabase();
  const folder = withFolder();
  let log: RichLog;
  let entries: number;

  before(async () => {
    log = await richLog(stores.database, folder, 6);
    entries = await countEntries();
  });

  const countEntries = async () => Number((await stores.database('ledger_entries').count())[0]!.count);
  const kept = async () => readFileSync(log.publisher.checkpointFile, 'utf8');
  const step = (state: AuditState) =>
    auditStep(stores.database, kept, state, { signing: log.publisher, expected: expectedOfTests }, size);

  /** Audits to the end of the log or the first finding, keeping state between steps only in the file. */
  async function goOn(file: string): Promise<Step[]> {
    const steps: Step[] = [];
    for (;;) {
      const done = await step(readAuditState(file));
      steps.push(done);
      if (done.found.length > 0) return steps;
      writeAuditState(file, done.state);
      if (done.ended) return steps;
    }
  }

  /** Changes append-only rows, as the owner can. */
  async function change(table: string, set: string, where: string): Promise<void> {
    await stores.owner.raw(
      `alter table ${table} disable trigger ${table}_append_only;
       update ${table} set ${set} where ${where};
       alter table ${table} enable always trigger ${table}_append_only`,
    );
  }

  it('reaches the end of the log step by step, each continuing from the last', async () => {
    const file = join(folder.path(), 'state');
    const steps = await goOn(file);
    expect(steps.flatMap(({ found }) => found)).to.deep.equal([]);
    expect(steps).to.have.length(Math.floor(entries / size) + 1);
    expect(steps.at(-1)).to.include({ ended: true, comparedWith: entries });
    expect(steps.at(-1)!.state.passed.count).to.equal(6);

    await stores.database('notices').insert({ at: new Date(log.now), topic: 'remark', text: 'One more.' });
    await runPipeline(stores.database, log.now);
    await publishCheckpoint(stores.database, log.publisher, log.now);
    const more = await goOn(file);
    expect(more).to.have.length(1);
    expect(more[0]!.found).to.deep.equal([]);
    expect(more[0]!.state.frontier.size).to.equal(await countEntries());
  });

  it('repeats a step that found a fault until the fault is repaired', async () => {
    const file = join(folder.path(), 'faulty');
    // A step audits each pick with an entry in it completely, so the fault is found at the pick's first entry.
    const [{ seq, pick_id }] = await stores
      .database('ledger_entries as e')
      .join('settlements as s', 's.pick_id', 'e.pick_id')
      .where({ 'e.kind': 'posted' })
      .orderBy('seq', 'desc')
      .limit(1)
      .select('e.seq', 'e.pick_id');
    await change('settlements', `settled_at = settled_at + interval '1 ms'`, `pick_id = ${pick_id}`);
    const steps = await goOn(file);
    const before = Math.floor(seq / size) * size;
    expect(steps.at(-1)!.found.map(({ table, column }) => `${table}.${column}`)).to.include(
      'settlements.settled_at',
    );
    expect(steps.at(-1)!.state.frontier.size).to.equal(before);
    expect(readAuditState(file).frontier.size).to.equal(before);
    await change('settlements', `settled_at = settled_at - interval '1 ms'`, `pick_id = ${pick_id}`);
    expect((await goOn(file)).at(-1)).to.include({ ended: true });
  });

  it('reports a closing without a price among the entries of its step', async () => {
    const [{ pick_id }] = await stores
      .database('ledger_entries')
      .where('kind', 'closed')
      .orderBy('seq')
      .limit(1);
    await change('closings', 'last_line_id = 0', `pick_id = ${pick_id}`);
    let state = fromTheBeginning();
    let done = await step(state);
    for (; done.found.length === 0 && !done.ended; done = await step(state)) state = done.state;
    await change('closings', 'last_line_id = (select max(id) from lines)', `pick_id = ${pick_id}`);
    expect(done.found.map(({ message }) => message).join()).to.contain('no stored price closes the pick');
  });

  it('reports that the log before its step was rewritten', async () => {
    const file = join(folder.path(), 'state');
    const [{ leaf_hash }] = await stores.database('ledger_entries').where({ seq: 0 });
    await change('ledger_entries', 'leaf_hash = sha256(leaf_hash)', 'seq = 0');
    const [done] = await goOn(file);
    await change('ledger_entries', `leaf_hash = '\\x${leaf_hash.toString('hex')}'`, 'seq = 0');
    expect(done!.found[0]!.message).to.match(
      /ledger_nodes, the first \d+ entries: their root was [0-9a-f]{64}/,
    );
  });

  it('refuses any other file as its state', () => {
    const file = join(folder.path(), 'other');
    writeFileSync(file, '{}');
    expect(() => readAuditState(file)).to.throw('is not the state of an audit');
    writeFileSync(file, 'text');
    expect(() => readAuditState(file)).to.throw('cannot be read as the state of an audit');
  });
});
