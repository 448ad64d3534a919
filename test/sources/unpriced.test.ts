import { expect } from 'chai';
import { applyCappers } from '../../src/intake/capper.ts';
import { applyGames } from '../../src/intake/game.ts';
import { applyLines } from '../../src/intake/price.ts';
import { iso } from '../../src/platform/clock.ts';
import { readUnpriced } from '../../src/sources/waiting.ts';
import { asLogin, withDatabase } from '../support/database.ts';
import { startOperator } from '../support/operator.ts';
import { postPick } from '../support/post-pick.ts';
import { withRedis } from '../support/redis.ts';
import { runVerb, verbEnvironment } from '../support/verbs.ts';

const now = Date.parse('2026-01-11T12:00:00Z');
const start = now + 3_600_000;
const intake = { now, imported: false };
const game = { sport: 'nba', game: 'Harbor Gulls @ Copper Foxes', startsAt: iso(start) };
const bet = { market: 'player_points', side: 'over', line: 20.5, oddsAmerican: -110 };

describe('a player whom the price list of a game does not name', () => {
  const stores = withDatabase();
  const redis = withRedis();

  const price = (subject: string, capturedAt: number) =>
    applyLines(
      stores.database,
      [{ ...game, ...bet, subject, capturedAt: iso(capturedAt), book: 'north' }],
      { ...intake, now: capturedAt },
      'provider',
    );

  before(async () => {
    await applyCappers(stores.database, [{ handle: 'ada', tier: 'elite', verified: true }], intake);
    await applyGames(stores.database, [{ ...game, status: 'scheduled' }], intake);
    const posted = await postPick(
      stores.database,
      {
        capperHandle: 'ada',
        ...game,
        ...bet,
        subject: 'Nikola Gullich',
        stakeUnits: 1,
        pick: 'Nikola Gullich over 20.5 points',
      },
      undefined,
      now,
    );
    expect(posted).to.include({ outcome: 'added' });
  });

  it('is none of the waiting ones without a price list of the market', async () => {
    expect(await readUnpriced(stores.database, now)).to.deep.equal([]);
  });

  it('is listed with the nearest players, and joined with one click', async () => {
    for (const subject of ['N. Gullich', 'Bea Foxe']) await price(subject, now);
    const [listed, ...others] = await readUnpriced(stores.database, now);
    expect(others).to.deep.equal([]);
    expect(listed).to.include({ player: 'Nikola Gullich', picks: 1, startsAt: start, sport: 'nba' });
    expect(listed!.near).to.deep.equal(['N. Gullich']);

    const environment = () => ({
      ...verbEnvironment(asLogin(stores.url, 'operator'), redis.url),
      SERVICE_CLOCK: iso(now),
    });
    const { out } = await runVerb(['waiting'], environment);
    expect(out).to.include("if N. Gullich is meant: aliases add-player nba 'N. Gullich' 'Nikola Gullich'");

    const token = 'the-token-of-these-tests';
    const operator = await startOperator(
      { database: stores, redis },
      { now: () => now },
      { OPERATOR_TOKEN: token },
    );
    try {
      const headers = { Authorization: `Basic ${btoa(`x:${token}`)}`, Origin: operator.address };
      const page = await (await fetch(`${operator.address}/`, { headers })).text();
      const [, form = ''] = /id="players"[\s\S]*?(<form[\s\S]*?<\/form>)/.exec(page) ?? [];
      expect(form).to.match(/<button type="submit">N\. Gullich<\/button>/);
      const body = new URLSearchParams(
        [...form.matchAll(/name="([^"]*)" value="([^"]*)"/g)].map(([, name, value]): [string, string] => [
          name!,
          value!.replaceAll('&quot;', '"'),
        ]),
      );
      const sent = await fetch(`${operator.address}/forms/joins`, { method: 'POST', headers, body });
      expect(await sent.text()).to.include('N. Gullich now means Nikola Gullich');
    } finally {
      await operator.close();
    }

    // The next price of the other spelling is one of the player.
    await price('N. Gullich', now + 60_000);
    const priced = stores.database('lines').where('captured_at', new Date(now + 60_000));
    expect(await priced.pluck('subject')).to.deep.equal(['Nikola Gullich']);
    expect(await readUnpriced(stores.database, now)).to.deep.equal([]);
  });
});
