import { expect } from 'chai';
import { importNamespace } from '../../../src/ledger/posting/import-picks.ts';
import { expectedBody } from '../../naive/boards.ts';
import { differences } from '../../naive/differences.ts';
import { importName, uuidV5 } from '../../naive/identity.ts';
import { ledgerAt } from '../../naive/ledger.ts';
import { readFolder } from '../../naive/read.ts';
import { league } from '../../support/folders.ts';
import { withServedLeague } from '../../support/served-league.ts';

const now = Date.parse('2024-12-06T12:00:00Z');

describe("a capper's luck", () => {
  const served = withServedLeague(now);
  const state = ledgerAt(readFolder(league), {
    now,
    ids: {
      idOf: (_, row) => ({ uuid: uuidV5(importNamespace, importName(row)), id: -1 }),
      capperIdOf: () => -1,
      gameIdOf: () => -1,
    },
  });

  const luck = async (handle: string, query: string): Promise<{ decided: number }> => {
    const response = await fetch(`${served.site.address}/api/cappers/${handle}/luck?${query}`);
    const text = await response.text();
    expect(response.status, text).to.equal(200);
    return JSON.parse(text);
  };

  it('covers the requested window, sport, market, and provenance', async () => {
    const sizes = new Map<string, number>();
    for (const handle of ['ada', 'bram', 'cleo'])
      for (const query of [
        'window=all',
        'window=7d&days=7',
        'window=30d&days=90',
        'sport=nfl',
        'market=moneyline&days=90',
        'window=90d&sport=nfl&market=spread',
        'sport=nba&market=moneyline&provenance=imported',
        'provenance=live',
      ]) {
        const asked = Object.fromEntries(new URLSearchParams(query));
        const params = { ...asked, handle, ...(asked.days !== undefined && { days: Number(asked.days) }) };
        const body = await luck(handle, query);
        const expected = expectedBody('/api/cappers/:handle/luck', state, params);
        expect(differences(expected, body), `${handle} ${query}`).to.deep.equal([]);
        sizes.set(query, (sizes.get(query) ?? 0) + body.decided);
      }
    expect([...sizes.values()]).to.deep.equal([10, 1, 1, 3, 6, 2, 1, 0]);
  });

  it('appears on the filtered page, with units over the days of the window', async () => {
    for (const [handle, query, days] of [
      ['cleo', 'market=moneyline', 90],
      ['cleo', 'window=30d', 30],
    ] as const) {
      const { decided } = await luck(handle, query);
      const text = await (await fetch(`${served.site.address}/c/${handle}?${query}`)).text();
      expect(text).to.contain(`Based on ${decided} ${decided === 1 ? 'win or loss' : 'wins and losses'}`);
      expect(text).to.contain(`The last ${days} days, starting at 0.`);
      expect(text).to.match(/class="band"/);
    }
  });
});
