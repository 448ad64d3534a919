import { expect } from 'chai';
import { linesOf } from '../../../src/status/alerts/message.ts';
import { afterTelling, news } from '../../../src/status/alerts/news.ts';
import type { Incident } from '../../../src/status/incidents.ts';
import { checksOf } from '../../../src/status/index.ts';
import { entryOf, runbook } from '../../../src/status/runbook.ts';
import { testConfig } from '../../support/config.ts';

const hour = 3_600_000;

function incident(more: Partial<Incident> = {}): Incident {
  return {
    id: 'one',
    check: 'sealing',
    title: 'Sealing',
    status: 'degraded',
    worst: 'degraded',
    message: '3 events wait.',
    affects: [],
    openedAt: 0,
    closedAt: null,
    told: null,
    recoveryToldAt: null,
    ...more,
  };
}

const texts = (incidents: Incident[], now: number) =>
  linesOf(news(incidents, now), now).map(({ head, text }) => `${head}: ${text}`);

describe('what a chat is told of an incident', () => {
  it('its opening, once', () => {
    const opened = [incident()];
    expect(texts(opened, 30_000)).to.deep.equal(['DEGRADED: Sealing. 3 events wait.']);
    const told = afterTelling(opened, news(opened, 30_000), 30_000);
    expect(news(told, 5 * hour)).to.deep.equal([]);
  });

  it('its getting worse, once, also when it was better meanwhile', () => {
    const worse = [incident({ told: { status: 'degraded', at: 0 }, status: 'down', worst: 'down' })];
    expect(texts(worse, hour)).to.deep.equal(['NOW DOWN: Sealing. 3 events wait.']);
    const [told] = afterTelling(worse, news(worse, hour), hour);
    expect(news([{ ...told!, status: 'degraded' }], 2 * hour)).to.deep.equal([]);
    expect(news([{ ...told!, status: 'down' }], 3 * hour)).to.deep.equal([]);
  });

  it('a reminder six hours after the last word of it, and six hours after that', () => {
    let now = 6 * hour;
    let open = [incident({ status: 'down', told: { status: 'down', at: 0 } })];
    expect(news(open, now - 1)).to.deep.equal([]);
    expect(texts(open, now)).to.deep.equal(['STILL DOWN after 6 h: Sealing. 3 events wait.']);
    open = afterTelling(open, news(open, now), now);
    expect(news(open, now + 6 * hour - 1)).to.deep.equal([]);
    now += 6 * hour;
    expect(texts(open, now)).to.deep.equal(['STILL DOWN after 12 h: Sealing. 3 events wait.']);
  });

  it('its end with how long it was, once', () => {
    const over = [incident({ told: { status: 'degraded', at: 0 }, closedAt: 12 * 60_000 })];
    expect(texts(over, hour)).to.deep.equal(['RECOVERED after 12 min: Sealing.']);
    expect(news(afterTelling(over, news(over, hour), hour), 100 * hour)).to.deep.equal([]);
  });

  it('in one line what opened and closed before it could be told', () => {
    const over = [incident({ worst: 'down', closedAt: 90_000 })];
    expect(texts(over, hour)).to.deep.equal([
      'RECOVERED: Sealing. It was down for 1 min 30 s, before this could be told.',
    ]);
    expect(news(afterTelling(over, news(over, hour), hour), 2 * hour)).to.deep.equal([]);
  });

  it('how many other checks it affects, and the worst first', () => {
    const lines = texts(
      [
        incident(),
        incident({ id: 'two', title: 'Redis', status: 'down', message: 'It is gone.', affects: ['a', 'b'] }),
        incident({ id: 'three', title: 'Old', told: { status: 'down', at: 0 }, closedAt: 1000 }),
      ],
      hour,
    );
    expect(lines).to.deep.equal([
      'DOWN: Redis. It is gone. 2 other checks affected.',
      'DEGRADED: Sealing. 3 events wait.',
      'RECOVERED after 1 s: Old.',
    ]);
  });

  it('what readers notice, what to try first, since when, and where to look', () => {
    const [line] = linesOf(
      news([incident({ check: 'workers-boards' })], hour),
      hour,
      'https://picks.example',
    );
    expect(line?.text).to.equal(
      `Sealing. 3 events wait. Since 1970-01-01T00:00:00.000Z. Readers: ${runbook.workers?.readers} ` +
        `First: ${runbook.workers?.first} https://picks.example/ops (incident one).`,
    );
  });

  it('of every check there is, by an entry of the runbook', () => {
    const checks = checksOf(testConfig().status.checks, () => Promise.resolve());
    const names = ['status-worker', ...checks.flatMap(({ subjects }) => subjects.map(({ name }) => name))];
    expect(names.filter((name) => entryOf(name) === undefined)).to.deep.equal([]);
    const used = new Set(names.map(entryOf));
    expect(
      Object.keys(runbook).filter((name) => !used.has(runbook[name])),
      'of no check',
    ).to.deep.equal([]);
  });
});
