import { expect } from 'chai';
import type { CheckName } from '../../src/platform/config/settings.ts';
import {
  ageCheck,
  type Check,
  type CheckContext,
  type Remembered,
  runChecks,
  stuckFor,
} from '../../src/status/check.ts';
import { withDatabase } from '../support/database.ts';
import { quiet } from '../support/quiet.ts';

describe('the checks of a round', () => {
  const stores = withDatabase();

  /** Returns a check that reads PostgreSQL, whose value is its transaction. */
  function reading(name: CheckName, sql = 'select pg_current_xact_id()::text::bigint as value'): Check {
    return ageCheck({
      name,
      title: name,
      about: name,
      dependsOn: ['database'],
      thresholds: { degraded: 1, down: 2 },
      runbook: { means: '', readers: '', lookAt: '', first: '' },
      async measure(context) {
        const { rows } = await context.database.raw(sql);
        return { seconds: 0, value: rows[0].value, message: '' };
      },
    });
  }

  async function valuesOf(checks: readonly Check[]): Promise<(number | undefined)[]> {
    const context = { database: stores.database, now: 0, machineNow: 0, before: () => undefined };
    const results = await runChecks(checks, context as unknown as CheckContext, quiet);
    expect(results.map(({ subject }) => subject.name)).to.deep.equal(
      checks.map(({ subjects }) => subjects[0]!.name),
    );
    return results.map(({ finding }) => finding?.value);
  }

  it('share one transaction', async () => {
    const values = await valuesOf([reading('sealing'), reading('closings'), reading('gradings')]);
    expect(values[0]).to.be.a('number');
    expect(new Set(values).size).to.equal(1);
  });

  it('do not depend on one that fails', async () => {
    const [first, failing, last] = await valuesOf([
      reading('sealing'),
      reading('closings', 'select 1 / 0 as value'),
      reading('gradings'),
    ]);
    expect(failing).to.equal(undefined);
    expect([first, last]).to.satisfy((values: unknown[]) => values.every((each) => typeof each === 'number'));
  });
});

describe('a check of work', () => {
  it('measures the time without progress, because an import brings more than is done at once', () => {
    let at = 0;
    let remembered: Remembered | undefined;
    const stuck = (oldest: string, count: number) => {
      const found = stuckFor({ now: at, before: () => remembered } as never, oldest, count);
      remembered = found.remember;
      at += 60_000;
      return found.seconds;
    };
    expect([40, 30, 20].map((count) => stuck('a', count))).to.deep.equal([0, 0, 0]);
    // New items hide no stuck one.
    expect([21, 20, 35].map((count) => stuck('a', count))).to.deep.equal([60, 120, 180]);
    expect(stuck('b', 35)).to.equal(0);
    // An import adds more a minute than a healthy worker does, and then the worker stands still.
    const growing = [4_000, 8_000, 12_000, 16_000, 16_000, 16_000, 16_000, 16_000];
    expect(growing.map((count) => stuck('c', count))).to.deep.equal([0, 0, 0, 0, 0, 0, 40, 100]);
  });
});
