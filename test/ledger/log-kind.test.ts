import { expect } from 'chai';
import {
  createPostingTime,
  decisionTime,
  intakeTime,
  newLogKind,
  signingTime,
  suitableLogKind,
} from '../../src/ledger/log-kind.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { SettingsError } from '../../src/platform/config/config.ts';
import { rejection } from '../proof/rejection.ts';
import { testConfig } from '../support/config.ts';
import { migrateForTests, withDatabase } from '../support/database.ts';

const replaying = testConfig({ SERVICE_CLOCK: '2018-09-09T16:00:00Z' });
const demo = testConfig({ DEMO: '1' });
const live = testConfig();

describe('the kind of a log', () => {
  it("follows the settings of its database's first migration", () => {
    expect(newLogKind(live)).to.equal('live');
    expect(newLogKind(replaying)).to.equal('replay');
    expect(newLogKind(demo)).to.equal('demo');
    expect(newLogKind(testConfig({ SERVICE_CLOCK: '2018-09-09T16:00:00Z', DEMO: '1' }))).to.equal('demo');
  });

  describe('if it is live', () => {
    const database = withDatabase({ kind: 'live' });

    it('refuses a set clock and demo data, in a sentence', async () => {
      expect(await suitableLogKind(database.database, live)).to.equal('live');
      for (const [settings, name] of [
        [replaying, 'SERVICE_CLOCK'],
        [demo, 'DEMO'],
      ] as const) {
        const error = await rejection(suitableLogKind(database.database, settings));
        expect(error).to.be.instanceOf(SettingsError);
        expect(error.message).to.contain(name).and.to.contain('is live');
      }
    });

    it("posts by PostgreSQL's clock if the machine's is half a minute off, even after a jump", async () => {
      let wrong = 0;
      const clock = { now: () => Date.now() + wrong };
      const postingTime = createPostingTime(database.database, clock);
      for (const by of [7_200_000, 0, -7_200_000, 40_000, 0]) {
        wrong = by;
        expect(await postingTime(), String(by)).to.be.within(Date.now() - 5_000, Date.now() + 5_000);
      }
      wrong = 20_000;
      expect(await postingTime()).to.be.above(Date.now() + 15_000);
    });

    it("takes the time from PostgreSQL if the machine's clock is fast, and not if it is slow", async () => {
      const before = Date.now();
      const ahead = await decisionTime(database.database, { now: () => Date.now() + 60_000 });
      expect(ahead).to.be.within(before - 5_000, Date.now() + 5_000);
      expect(await decisionTime(database.database, { now: () => before - 60_000 })).to.equal(before - 60_000);
      for (const skew of [-7_200_000, 7_200_000])
        expect(await signingTime(database.database, { now: () => Date.now() + skew })).to.be.closeTo(
          Date.now(),
          30_000,
        );
    });

    it("judges intake by PostgreSQL's clock if the machine's is slow, and not if it is fast", async () => {
      const before = Date.now();
      const behind = await intakeTime(database.database, { now: () => Date.now() - 60_000 });
      expect(behind).to.be.within(before - 5_000, Date.now() + 5_000);
      expect(await intakeTime(database.database, { now: () => before + 60_000 })).to.equal(before + 60_000);
    });

    it('never changes, not even for the owner', async () => {
      for (const change of [
        `update log_kind set kind = 'replay'`,
        'delete from log_kind',
        'truncate log_kind',
        `insert into log_kind values (1, 'replay')`,
        `insert into log_kind values (2, 'replay')`,
      ])
        expect((await rejection(database.owner.raw(change))).message, change).to.match(
          /append-only|log_kind_pkey|check/,
        );
      expect(
        (await rejection(database.database.raw(`insert into log_kind values (2, 'demo')`))).message,
      ).to.match(/permission denied/);
    });
  });

  describe('if it is a replay', () => {
    const empty = withDatabase();
    beforeEach(() => empty.owner.raw('drop schema public cascade; create schema public'));

    it('is stated in the first entry of the log, and survives a migration as a live one', async () => {
      await migrateForTests(empty.ownerUrl, 'replay');
      await migrateForTests(empty.ownerUrl, 'live');
      expect(await suitableLogKind(empty.owner, live)).to.equal('replay');
      const later = Date.now() + 3_600_000;
      expect(await decisionTime(empty.owner, { now: () => later })).to.equal(later);
      expect(await intakeTime(empty.owner, { now: () => 0 })).to.equal(0);
      expect(await suitableLogKind(empty.owner, replaying)).to.equal('replay');
      await empty.owner('notices').insert({ at: new Date(0), topic: 'remark', text: 'Later.' });
      await sealAll(empty.owner);
      const first = await empty.owner('ledger_entries').where({ seq: 0 }).first('kind', 'body');
      expect(first.kind).to.equal('notice');
      expect(JSON.parse(first.body)).to.include({ topic: 'log-kind' });
      expect(first.body).to.contain('This log is a replay');
    });
  });
});
