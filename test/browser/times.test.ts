import { expect } from 'chai';
import { startApi } from '../support/api.ts';
import { withBrowser } from '../support/browser.ts';
import { withServedLeague } from '../support/served-league.ts';

const now = Date.parse('2024-12-31T12:00:00Z');
const inHours = (hours: number) => new Date(Date.now() + hours * 3_600_000);

describe('the times on pages', () => {
  const served = withServedLeague(now);
  const browser = withBrowser();

  const timesIn = async (timezoneId: string, path: string, javaScriptEnabled = true) => {
    const { page, faults } = await browser.open({ timezoneId, javaScriptEnabled, locale: 'en-US' });
    await page.goto(served.site.address + path);
    const times = await page.$$eval('time:not(.countdown, .age)', (all) =>
      all.map((each) => ({ text: each.textContent ?? '', title: each.getAttribute('title') })),
    );
    expect(faults).to.deep.equal([]);
    return times;
  };

  it("are in the reader's time zone, with Eastern Time on hover", async () => {
    const eastern = await timesIn('America/New_York', '/c/ada');
    expect(eastern).not.to.have.lengthOf(0);
    for (const { text, title } of eastern)
      expect([text.endsWith('ET'), title], text).to.deep.equal([true, null]);
    const berlin = await timesIn('Europe/Berlin', '/c/ada');
    expect(berlin.map(({ title }) => title)).to.deep.equal(eastern.map(({ text }) => text));
    for (const { text } of berlin) expect(text).to.match(/(GMT[+]\d|CES?T)$/);
    const plain = await timesIn('Europe/Berlin', '/c/ada', false);
    expect(plain).to.deep.equal(eastern);
  });

  it('say how long ago a page was made, unless the service runs on a set clock', async () => {
    const made = async (address: string, javaScriptEnabled: boolean) => {
      const { page } = await browser.open({ javaScriptEnabled, timezoneId: 'America/New_York' });
      await page.goto(`${address}/leaderboard`);
      return page.textContent('time.age');
    };
    const clock = { now: () => Date.now() - 12_000 };
    const live = await startApi(served, { clock, logKind: () => 'live' });
    try {
      expect(await made(live.address, true)).to.match(/^\d+ s ago$/);
      expect(await made(live.address, false)).to.match(/ET$/);
      expect(await made(served.site.address, true)).to.match(/ET$/);
    } finally {
      await live.close();
    }
  });

  it('count down to a start, unless the service runs on a set clock', async () => {
    const game = async (name: string) => {
      const start = { announced_start: inHours(30), starts_at: inHours(30) };
      const [{ id }] = await served.database
        .owner('games')
        .insert({ sport: 'nba', name, ...start })
        .returning('id');
      return id as number;
    };
    const countdown = async (address: string, id: number) => {
      const { page } = await browser.open();
      await page.goto(`${address}/game/${id}`);
      return (await page.textContent('time.countdown'))?.replaceAll('\u00A0', ' ');
    };
    const live = await startApi(served, { clock: { now: () => now }, logKind: () => 'live' });
    try {
      expect(await countdown(live.address, await game('Owls @ Foxes'))).to.equal('in 1 day');
      expect(await countdown(served.site.address, await game('Foxes @ Owls'))).to.match(/^in \d{3} days$/);
    } finally {
      await live.close();
    }
  });
});
