import { expect } from 'chai';
import { sourceBody, sourcesBody } from '../../src/operator/sources.ts';
import { type Html, htmlText } from '../../src/pages/html.ts';
import { sources } from '../../src/sources/index.ts';
import { recordRun } from '../../src/sources/runs.ts';
import { noteRequest } from '../../src/sources/source-requests.ts';
import { withDatabase } from '../support/database.ts';

const hour = 3_600_000;
const now = Date.parse('2026-01-10T12:00:00Z');
const espn = sources.find(({ name }) => name === 'espn')!;

describe("the operator's pages of sources", () => {
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

  it('list every source, those that are not polled with their setting', async () => {
    const text = textOf(await sourcesBody(stores.database));
    expect(text).to.contain('ESPN scoreboard 2 feeds, all answer.');
    expect(text).to.contain('The Odds API 1 feed, 1 fails.');
    expect(text).to.contain('football-data.org Not polled. FOOTBALL_DATA_KEY turns it on.');
  });

  it('show the last answers of a source, and refused requests first', async () => {
    const text = textOf(await sourceBody(stores.database, espn));
    expect(text).to.contain('Left out: 1 unknown state. Readers miss: results.');
    expect(text).to.match(/month 202601 .*Not answered: Month, the answer is 400\..*day 20260110/);
    const empty = sources.find(({ name }) => name === 'schedule')!;
    expect(textOf(await sourceBody(stores.database, empty))).to.contain('Not polled yet.');
  });
});
