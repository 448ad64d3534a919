import { expect } from 'chai';
import { HtmlValidate } from 'html-validate';
import { htmlText } from '../../src/pages/html.ts';
import { historyBars, opsPage } from '../../src/pages/ops/page.ts';
import { daysUpTo } from '../../src/rules/et-day.ts';
import type { History, Rounds } from '../../src/status/history.ts';
import type { ShownCheck, StatusReport } from '../../src/status/report.ts';
import { scriptsBeside } from '../support/page-scripts.ts';

const site = {
  baseUrl: 'https://picks.example',
  helpLine: { name: '1-800-GAMBLER', number: '1-800-426-2537' },
  demo: false,
};
const days = daysUpTo('2026-01-15', 90);

function history(given: Record<string, (Rounds | undefined)[]>): History {
  const byName = new Map(
    Object.entries(given).map(([name, last]) => [
      name,
      [...new Array<undefined>(90 - last.length).fill(undefined), ...last],
    ]),
  );
  return { days, byName };
}

function check(more: Partial<ShownCheck> = {}): ShownCheck {
  return {
    name: 'sealing',
    title: 'Sealing',
    status: 'ok',
    threshold: { degraded: 60, down: 600, unit: 'seconds' },
    message: 'Every event is sealed into the log.',
    checkedAt: '2026-01-15T12:00:00.000Z',
    ...more,
  };
}

function report(more: Partial<StatusReport> = {}): StatusReport {
  return {
    generatedAt: '2026-01-15T12:00:05.000Z',
    status: 'ok',
    checks: [check()],
    totals: { picks: 1234, settled: 1200, pending: 34, cappers: 5, subscriptions: 6, deliveries24h: 7 },
    incidents: [],
    sources: [],
    notices: [],
    ...more,
  };
}

const page = (given: Partial<StatusReport>, past: History | undefined = history({})) =>
  opsPage(report(given), past, site);

const ok: Rounds = { ok: 10, degraded: 0, down: 0 };

const trouble: Partial<StatusReport> = {
  status: 'down',
  checks: [
    check({ name: 'redis', title: 'Redis', status: 'down', message: 'Redis does not answer.' }),
    check({
      name: 'jobs-sealing',
      title: 'Jobs: sealing',
      status: 'down',
      message: 'It cannot be measured.',
      cause: 'redis',
    }),
    check({ name: 'board:/api/pod', title: 'Board /api/pod', status: 'degraded' }),
    check({ name: 'fanout', title: 'Webhook fanout' }),
    check({ name: 'workers-sealing', title: 'Workers: sealing' }),
  ],
  incidents: [
    {
      id: 'a',
      check: 'redis',
      title: 'Redis',
      status: 'down',
      worst: 'down',
      message: 'Redis does not answer.',
      affects: ['Jobs: sealing', 'Board /api/pod'],
      openedAt: '2026-01-15T11:48:00.000Z',
      closedAt: null,
      durationSeconds: 725,
    },
    {
      id: 'b',
      check: 'sealing',
      title: 'Sealing',
      status: 'degraded',
      worst: 'degraded',
      message: 'Slow.',
      affects: [],
      openedAt: '2026-01-14T11:00:00.000Z',
      closedAt: '2026-01-14T11:30:00.000Z',
      durationSeconds: 1800,
    },
  ],
  notices: [
    { id: 1, at: '2026-01-15T10:00:00.000Z', topic: 'remark', text: 'A <script>alert(1)</script> remark' },
  ],
};

describe('/ops', () => {
  it('says at the top how the service is, and how many checks pass', () => {
    expect(page({}))
      .to.contain('class="banner ok"')
      .and.contain('All systems operational')
      .and.contain('Passing checks: 1 of 1.');
    expect(page(trouble)).to.contain('class="banner down"').and.contain('Some features are unavailable');
    expect(page({ status: 'degraded' })).to.contain('Some data is delayed');
  });

  it('says how much demo data has loaded instead of the trouble that loading causes', () => {
    const text = opsPage(report(trouble), undefined, site, 0.4);
    expect(text).to.contain('<h1>Loading demo data: 40%</h1>').and.not.to.contain('are unavailable');
  });

  it('shows each check with its state in words, its message, and a link to its explanation', () => {
    const text = page(trouble);
    for (const each of trouble.checks ?? []) expect(text).to.contain(each.title).and.contain(each.message);
    expect(text).to.contain('<span class="state down">Down</span>');
    expect(text).to.contain('Caused by: Redis.');
    expect(
      text.match(/<details class="group-of-checks" id="(ledger|webhooks|workers|jobs|boards)"/g),
    ).to.have.length(5);
    expect(text, 'a passing check takes one line').to.contain('id="workers"><summary>');
    expect(text, 'a failing one is expanded').to.contain('id="jobs" open><summary>');
  });

  it('shows open incidents before closed ones, with their duration and what they affect', () => {
    const text = page(trouble);
    expect(text).to.contain('12 min 5 s. Also affects: Jobs: sealing, Board /api/pod.');
    expect(text).to.contain('30 min.');
    expect(text.indexOf('Redis does not answer.')).to.be.lessThan(text.indexOf('Slow.'));
  });

  it('shows each feed of a source: its last outcome, what its answer left out, and when it is polled next', () => {
    expect(page({})).to.contain('None configured');
    const feed = {
      feed: 'espn/nfl/schedule',
      title: 'ESPN scoreboard',
      askedAt: '2026-01-15T11:00:00.000Z',
      nextAt: null,
    };
    const text = page({
      sources: [
        { ...feed, ok: false, message: 'The answer is <b>500</b>.', leftOut: {} },
        { ...feed, ok: true, message: '9 games.', leftOut: { 'unknown state': 2, 'unreadable game': 1 } },
      ],
    });
    expect(text).to.contain('espn/nfl/schedule').and.contain('The answer is &lt;b&gt;500');
    expect(text).to.contain('>Failing</td>').and.contain('>nothing</td>');
    expect(text).to.contain('2 unknown state, 1 unreadable game').and.contain('when a game needs it');
  });

  it("escapes operators' texts", () => {
    const text = page(trouble);
    expect(text).to.contain('A &lt;script&gt;alert(1)');
    expect(text).to.not.contain('<script>');
  });

  it('draws an unmeasured day as such, never as a good one', () => {
    const bars = htmlText(
      historyBars([
        { day: '2026-01-14', status: undefined },
        { day: '2026-01-15', status: 'ok' },
      ]),
    );
    expect(bars).to.contain('<path class="unmeasured" stroke-width="4" d="M0 18h3"/>');
    expect(bars).to.contain('<path class="ok" stroke-width="11" d="M4 14.5h3"/>');
    expect(bars).to.contain('aria-label="2 days: 1 OK, 0 degraded, 0 down, 1 not measured"');
    const text = page(
      {},
      history({ sealing: [ok, { ok: 9, degraded: 1, down: 0 }, { ok: 8, degraded: 1, down: 1 }] }),
    );
    expect(text).to.contain('aria-label="90 days: 1 OK, 1 degraded, 1 down, 87 not measured"');
  });

  it('works without a history and without totals', () => {
    const text = opsPage(report({ totals: null }), undefined, site);
    expect(text).to.contain('The last 90 days are unavailable right now.').and.not.contain('Pending');
  });

  it('is valid HTML without inline scripts and styles', () => {
    const text = page(trouble, history({ redis: [ok] }));
    expect(scriptsBeside(text)).to.deep.equal([]);
    expect(text).to.not.match(/<style| style=| on[a-z]+=/);
    const validator = new HtmlValidate({ extends: ['html-validate:standard'] });
    const { valid, results } = validator.validateStringSync(text);
    expect(
      valid,
      JSON.stringify(results[0]?.messages.map(({ message, line }) => `${line}: ${message}`)),
    ).to.equal(true);
  });

  describe('the data that readers miss because of sources', () => {
    const source = (feed: string, more: Partial<StatusReport['sources'][0]> = {}) => ({
      feed,
      title: 'A source',
      ok: true,
      message: '3 games.',
      askedAt: null,
      nextAt: null,
      leftOut: {},
      ...more,
    });
    const shown = (...sources: StatusReport['sources']) => page({ sources }).replace(/\s+/g, ' ');

    const nextAt = '2026-01-15T12:30:00.000Z';

    it('comes first, results before games before prices, with the reasons', () => {
      const text = shown(
        source('odds-api/x/odds', { leftOut: { 'unknown market': 2, 'price after the start': 9 } }),
        source('schedule/nba/1', { ok: false, nextAt, leftOut: { 'unknown team': 4 } }),
        source('espn/nhl/scores', { ok: false }),
        source('espn/nba/scores', { leftOut: { 'final score: no winner': 1 } }),
      );
      expect(text).to.match(
        /Results: .*1 final score: no winner in espn\/nba\/scores\..*Games: .*schedule\/nba\/1 is failing; 4 unknown team in schedule\/nba\/1\..*Odds: .*2 unknown market in odds-api\/x\/odds\./,
      );
    });

    it('includes everything a source offers if its account fails', () => {
      expect(shown(source('odds-api', { ok: false, nextAt }))).to.match(
        /Results: .*odds-api is failing\..*Games: .*odds-api is failing\..*Odds: .*odds-api is failing\./,
      );
    });

    it('is empty if only data about unknown games was left out', () => {
      expect(shown(source('espn/nba/schedule', { leftOut: { 'opponent not known yet': 3 } }))).to.contain(
        'All feeds work',
      );
    });
  });
});
