import { expect } from 'chai';
import { sourcesBody } from '../../src/operator/sources.ts';
import { type Html, htmlText } from '../../src/pages/html.ts';
import { recordRun } from '../../src/sources/runs.ts';
import { noteRequest } from '../../src/sources/source-requests.ts';
import { withDatabase } from '../support/database.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-10T12:00:00Z');

describe("the operator's page of sources", () => {
  const stores = withDatabase();
  const textOf = (page: Html) =>
    htmlText(page)
      .replace(/<[^>]*>/g, ' ')
      .replace(/\s+/g, ' ');

  before(async () => {
    const { database } = stores;
    const later = now + 12 * hour;
    await recordRun(database, 'espn/nba/schedule', now, true, '2 games', { nextAt: later });
    await recordRun(database, 'espn/nba/scores', now, true, '1 game', {}, { 'unknown state': 1 });
    await recordRun(database, 'odds-api', now, false, 'The Odds API: the answer is 500', {
      quotaRemaining: 40,
    });
    const request = { source: 'espn/nba', etag: null, lastModified: null, finding: null };
    await noteRequest(database, { ...request, request: 'day 20260110', refusal: null }, now);
    await noteRequest(
      database,
      { ...request, request: 'month 202601', refusal: 'month, the answer is 400' },
      now,
    );
  });

  it('lists every source with its last answers, and those that are not polled with their setting', async () => {
    const text = textOf(await sourcesBody(stores.database, now));
    expect(text).to.contain('ESPN scoreboard').and.contain('2 feeds, all answer espn/nba/schedule: answers');
    expect(text).to.contain('Left out: 1 unknown state. Readers miss: results.');
    expect(text)
      .to.contain('1 feed, 1 fails odds-api: failed 1 time in a row')
      .and.contain('40 credits left.');
    expect(text).to.contain('Not polled. FOOTBALL_DATA_KEY turns it on.');
  });

  it('lists the requests with a fault, and unfolds only feeds that lack data', async () => {
    const page = await sourcesBody(stores.database, now);
    expect(textOf(page))
      .to.match(/Requests with a fault espn\/nba: month 202601 .*Not answered: Month, the answer is 400\./)
      .and.not.contain('day 20260110');
    const folds = (some: Html) => htmlText(some).match(/<details(?: open)?>/g);
    expect(folds(page)).to.deep.equal(['<details open>', '<details open>']);
    await stores.database('source_requests').update({ refusal: null });
    await stores.database('source_runs').update({ left_out: '{}', ok: true });
    const well = await sourcesBody(stores.database, now);
    expect(folds(well)).to.deep.equal(['<details>', '<details>']);
    expect(textOf(well)).to.not.contain('Requests with a fault');
  });
});
