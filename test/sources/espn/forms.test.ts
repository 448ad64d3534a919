import { expect } from 'chai';
import { addDays, etDay } from '../../../src/rules/et-day.ts';
import { leaguesOf } from '../../../src/sources/espn/leagues.ts';
import { asksFor, type FormName, feedsOf, formsOf } from '../../../src/sources/espn/plan.ts';
import type { SourceRequest } from '../../../src/sources/source-requests.ts';

const leagues = leaguesOf(['all']);
const named = (key: string) => leagues.find((league) => league.key === key)!;
const minute = 60_000;
const now = Date.parse('2026-12-28T17:00:00Z');

describe("the forms of ESPN's requests", () => {
  const paths = (form: FormName, key: string, ...days: string[]) =>
    asksFor(form, named(key), days, now).map(({ path }) => path.replace('/apis/site/v2/sports/', ''));

  it('are months ahead and single days for scores; ranges only for MMA', () => {
    expect(formsOf(named('nba'), 'schedule')).to.deep.equal(['month', 'day', 'core']);
    expect(formsOf(named('nfl'), 'schedule')).to.deep.equal(['month', 'day', 'week', 'core']);
    expect(formsOf(named('ncaab'), 'schedule')).to.deep.equal(['day', 'core']);
    expect(formsOf(named('ufc'), 'schedule')).to.deep.equal(['range', 'month', 'day']);
    expect(formsOf(named('nfl'), 'scores')).to.deep.equal(['day', 'month', 'week', 'core']);
  });

  it('cross the turn of a year', () => {
    expect(paths('month', 'nhl', '2026-12-31', '2027-01-01')).to.deep.equal([
      'hockey/nhl/scoreboard?limit=500&dates=202612',
      'hockey/nhl/scoreboard?limit=500&dates=202701',
    ]);
    expect(paths('range', 'ufc', '2026-12-28', '2027-01-11')).to.deep.equal([
      'mma/ufc/scoreboard?limit=500&dates=20261228-20270111',
    ]);
    expect(paths('core', 'nba', '2026-12-28', '2027-01-04')).to.deep.equal([
      '/v2/sports/basketball/leagues/nba/events?limit=500&dates=20261228-20270104',
    ]);
  });

  it('leave out days on which ESPN lists no soccer', () => {
    expect(paths('day', 'soccer.eng.1', '2026-12-28', '2026-12-29', '2026-12-30')).to.deep.equal([
      'soccer/eng.1/scoreboard?limit=500&dates=20261228',
      'soccer/eng.1/scoreboard?limit=500&dates=20261229',
    ]);
  });

  it('know the weeks of football', () => {
    const week = (key: string, day: string) =>
      asksFor('week', named(key), [day], now).map(({ path, first, last }) => [
        path.split('dates=')[1],
        first,
        last,
      ])[0];
    expect(week('nfl', '2026-08-16')).to.deep.equal(['2026&seasontype=1&week=2', '2026-08-12', '2026-08-18']);
    expect(week('nfl', '2026-09-10')).to.deep.equal(['2026&seasontype=2&week=1', '2026-09-09', '2026-09-15']);
    expect(week('nfl', '2027-01-10')).to.deep.equal([
      '2026&seasontype=2&week=18',
      '2027-01-06',
      '2027-01-12',
    ]);
    expect(week('nfl', '2027-02-14')).to.deep.equal(['2026&seasontype=3&week=5', '2027-02-10', '2027-02-16']);
    expect(week('ncaaf', '2026-08-29')).to.deep.equal([
      '2026&seasontype=2&week=1',
      '2026-08-25',
      '2026-09-07',
    ]);
    expect(week('ncaaf', '2026-11-28')).to.deep.equal([
      '2026&seasontype=2&week=13',
      '2026-11-24',
      '2026-11-30',
    ]);
    expect(week('ncaaf', '2027-01-02')).to.deep.equal([
      '2026&seasontype=3&week=1',
      '2026-12-22',
      '2027-01-31',
    ]);
  });

  for (const refusal of [undefined, 'month'] as const)
    it(`make at most 1.5 times as many requests a day as one each half hour, ${refusal ? 'also without months' : 'with months'}`, () => {
      for (const league of leagues) {
        const asked = new Map<string, SourceRequest>();
        const start = now - (now % 86_400_000) + 5 * 60 * minute;
        const note = (request: string, askedAt: number, because: string | null = null) =>
          asked.set(request, {
            source: '',
            request,
            askedAt,
            refusal: because,
            etag: null,
            lastModified: null,
            finding: null,
            foundAt: null,
          });
        let requests = 0;
        for (let at = start; at < start + 86_400_000; at += minute) {
          if (refusal !== undefined) note(`${refusal} 202612`, at, '400');
          const [schedule] = feedsOf(league, new Map(), [...asked.values()], [], [], at);
          if (schedule!.dueAt! > at) continue;
          const refused = new Set<FormName>(refusal === undefined ? [] : [refusal]);
          const form = schedule!.forms.find((each) => !refused.has(each))!;
          for (const { name } of schedule!.asks(form, refused)) {
            note(name, at);
            requests += 1;
          }
        }
        expect(requests, league.key).to.be.within(48, 72);
      }
    });

  it('ask for each of the coming days by some request', () => {
    for (const league of leagues) {
      const [schedule] = feedsOf(league, new Map(), [], [], [], now);
      const asks = schedule!.asks(schedule!.forms[0]!, new Set());
      for (let ahead = 0; ahead <= league.aheadDays; ahead++) {
        const day = addDays(etDay(now), ahead);
        expect(
          asks.some(({ first, last }) => first <= day && day <= last),
          `${league.key} ${day}`,
        ).to.equal(true);
      }
    }
  });
});
