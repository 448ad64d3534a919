import { expect } from 'chai';
import { createAvailability } from '../../src/platform/availability.ts';
import { openDatabase } from '../../src/platform/database.ts';
import { keptProbe } from '../../src/platform/postgres-probe.ts';
import { createStatusReader, type ReaderDeps } from '../../src/status/reader.ts';
import { startApi } from '../support/api.ts';
import { withOutage } from '../support/outage.ts';
import { latencyMs } from '../support/patience.ts';
import { quiet } from '../support/quiet.ts';
import { withServedLeague } from '../support/served-league.ts';
import { standStill } from '../support/stand-still.ts';

const now = Date.parse('2025-01-01T00:00:00Z');

describe('a busy process', () => {
  const served = withServedLeague(now);

  /** Starts the site with the service's own timeouts, over a PostgreSQL that can be cut off. */
  async function open() {
    const outage = await withOutage(served.database.url);
    const database = openDatabase(outage.url);
    const availability = createAvailability(keptProbe(outage.url), quiet);
    await availability.check();
    const site = await startApi(served, { clock: { now: () => now }, database, availability });
    const close = async () => {
      await site.close();
      await outage.close();
      await database.destroy();
    };
    return { site, outage, close };
  }

  it('does not declare PostgreSQL unavailable when its event loop stalls under load', async () => {
    const { site, close } = await open();
    try {
      for (let round = 0; round < 2; round += 1) {
        const reads = Array.from({ length: 30 }, async (_, index) => {
          const path =
            index % 2 === 0
              ? `/record/export.json?after_id=${round * 100 + index}`
              : `/api/cappers?cursor=${1000 + round * 100 + index}`;
          const response = await fetch(site.address + path);
          return { status: response.status, body: (await response.json()) as { db_reachable?: boolean } };
        });
        // By now some requests wait for PostgreSQL, and others have not been read.
        await new Promise((next) => setTimeout(next, 20));
        // In two stages: the first makes the process probe PostgreSQL, and the probe's answer waits for the second to end.
        standStill(500);
        await new Promise((next) => setTimeout(next, 1));
        standStill(1500);
        for (const { status, body } of await Promise.all(reads)) {
          expect(status).to.equal(200);
          expect(body.db_reachable ?? true).to.equal(true);
        }
      }
    } finally {
      await close();
    }
  });

  it('still notices within seconds that PostgreSQL is silent', async () => {
    const { site, outage, close } = await open();
    try {
      outage.freeze();
      const began = performance.now();
      const body = (await (await fetch(`${site.address}/record/export.json`)).json()) as object;
      expect(body).to.include({ db_reachable: false });
      expect(performance.now() - began).to.be.below(latencyMs(10_000));
    } finally {
      await close();
    }
  });

  it('reports the status of silent stores in time, however little of it the process has', async () => {
    const silent = () => new Promise<never>(() => {});
    const reader = createStatusReader({
      checkOverrides: {},
      clock: { now: () => now },
      database: undefined,
      redis: { ping: silent },
      availability: { check: silent, run: silent },
    } as unknown as ReaderDeps);
    let stalls = 0;
    const stalling = setInterval(() => {
      standStill(200);
      stalls += 1;
    }, 1);
    const { status } = await reader.report();
    clearInterval(stalling);
    expect(status).to.equal('down');
    expect(stalls, 'of 200 ms').to.be.below(10);
  });
});
