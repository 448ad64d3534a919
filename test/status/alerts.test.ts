import { expect } from 'chai';
import { afterTelling, createChat, linesOf, news } from '../../src/status/alerts.ts';
import type { Incident } from '../../src/status/incidents.ts';
import { checks, entryOf } from '../../src/status/index.ts';
import { alertPlatformOf } from '../../src/webhooks/platforms/index.ts';
import { type ChatReceiver, chatReceiver } from '../support/chat-receiver.ts';
import { logLines } from '../support/log-lines.ts';
import { quiet } from '../support/quiet.ts';

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

describe("an incident's messages to the chat", () => {
  it('announce its opening, once', () => {
    const opened = [incident()];
    expect(texts(opened, 30_000)).to.deep.equal(['DEGRADED: Sealing. 3 events wait.']);
    const told = afterTelling(opened, news(opened, 30_000), 30_000);
    expect(news(told, 5 * hour)).to.deep.equal([]);
  });

  it('announce once that it got worse, even if it improved meanwhile', () => {
    const worse = [incident({ told: { status: 'degraded', at: 0 }, status: 'down', worst: 'down' })];
    expect(texts(worse, hour)).to.deep.equal(['NOW DOWN: Sealing. 3 events wait.']);
    const [told] = afterTelling(worse, news(worse, hour), hour);
    expect(news([{ ...told!, status: 'degraded' }], 2 * hour)).to.deep.equal([]);
    expect(news([{ ...told!, status: 'down' }], 3 * hour)).to.deep.equal([]);
  });

  it('remind every six hours after the last message', () => {
    let now = 6 * hour;
    let open = [incident({ status: 'down', told: { status: 'down', at: 0 } })];
    expect(news(open, now - 1)).to.deep.equal([]);
    expect(texts(open, now)).to.deep.equal(['STILL DOWN after 6 h: Sealing. 3 events wait.']);
    open = afterTelling(open, news(open, now), now);
    expect(news(open, now + 6 * hour - 1)).to.deep.equal([]);
    now += 6 * hour;
    expect(texts(open, now)).to.deep.equal(['STILL DOWN after 12 h: Sealing. 3 events wait.']);
  });

  it('announce its end with its duration, once', () => {
    const over = [incident({ told: { status: 'degraded', at: 0 }, closedAt: 12 * 60_000 })];
    expect(texts(over, hour)).to.deep.equal(['RECOVERED after 12 min: Sealing.']);
    expect(news(afterTelling(over, news(over, hour), hour), 100 * hour)).to.deep.equal([]);
  });

  it('summarize in one line what opened and closed before it could be announced', () => {
    const over = [incident({ worst: 'down', closedAt: 90_000 })];
    expect(texts(over, hour)).to.deep.equal([
      'RECOVERED: Sealing. It was down for 1 min 30 s; no alert could be sent at the time.',
    ]);
    expect(news(afterTelling(over, news(over, hour), hour), 2 * hour)).to.deep.equal([]);
  });

  it('count the other checks affected, and put the worst incident first', () => {
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

  it('say what readers notice, what to try first, since when, and where to look', () => {
    const [line] = linesOf(
      news([incident({ check: 'workers-boards' })], hour),
      hour,
      'https://picks.example',
    );
    expect(line?.text).to.equal(
      'Sealing. 3 events wait. Since 1970-01-01T00:00:00.000Z. Readers notice: New picks, results, or webhooks may be missing. ' +
        'Try first: Start it again. If it exits at once, its log names the setting or store that is missing. ' +
        'https://picks.example/ops (incident one).',
    );
  });

  it('have a runbook entry for every check', () => {
    const names = ['status-worker', ...checks.flatMap(({ subjects }) => subjects.map(({ name }) => name))];
    expect(names.filter((name) => entryOf(name) === undefined)).to.deep.equal([]);
  });
});

const discordPath = '/api/webhooks/123/discord-token';
const slackPath = '/services/T0/B0/slack-token';

describe('a chat', () => {
  let receiver: ChatReceiver;
  beforeEach(async () => {
    receiver = await chatReceiver();
  });
  afterEach(() => receiver.close());

  const chat = (path: string) => createChat(receiver.address + path, quiet);
  const body = () => JSON.parse(receiver.heard.at(-1)?.body ?? '');
  const hostile = [
    { head: 'DOWN', text: 'A*b_c`d` @everyone <@123> <!channel> [x](y) & > \\ \u0007line\nfeed' },
  ];

  it('gets Discord markdown in which hostile text has no effect and mentions nobody', async () => {
    expect(await chat(discordPath).send('Public Picks', hostile)).to.deep.equal({
      accepted: true,
      waitMs: 0,
    });
    expect(receiver.heard[0]).to.include({ method: 'POST', path: `${discordPath}?wait=true` });
    expect(body()).to.deep.equal({
      content:
        '**Public Picks**\n**DOWN** A\\*b\\_c\\`d\\` \\@everyone \\<\\@123\\> \\<!channel\\> \\[x\\]\\(y\\) \\& \\> \\\\ line feed',
      allowed_mentions: { parse: [] },
    });
  });

  it('gets Slack text with three characters as entities', async () => {
    await chat(slackPath).send('Public Picks', hostile);
    expect(body()).to.deep.equal({
      text: '*Public Picks*\n*DOWN* A*b_c`d` @everyone &lt;@123&gt; &lt;!channel&gt; [x](y) &amp; &gt; \\ line feed',
      unfurl_links: false,
    });
  });

  for (const [address, platform] of [
    ['https://discord.com/api/webhooks/1/x', 'discord'],
    ['https://ptb.discord.com/api/webhooks/1/x', 'discord'],
    ['https://DISCORDAPP.com./api/webhooks/1/x', 'discord'],
    ['https://discord.com/api/webhooks/1/x/slack', 'slack'],
    ['https://hooks.slack.com/services/T/B/x', 'slack'],
    ['https://notdiscord.com/api/webhooks/1/x', 'slack'],
    ['https://chat.example/hooks/x', 'slack'],
    ['https://prod-1.westeurope.logic.azure.com/workflows/1/triggers/manual/paths/invoke?sig=x', 'teams'],
  ] as const)
    it(`is ${platform} at ${address}`, () => {
      expect(alertPlatformOf(new URL(address)).name).to.equal(platform);
    });

  it('gets many lines within the limits of one message', async () => {
    const lines = Array.from({ length: 80 }, (_, index) => ({
      head: 'DOWN',
      text: `Board ${index} is old.`,
    }));
    await chat(discordPath).send('Public Picks', lines);
    const { content } = body() as { content: string };
    expect(content.length).to.be.at.most(2000);
    expect(content).to.match(/\n\.\.\. and (\d+) more\.$/);
    const shown = content.split('\n').length - 2;
    expect(content).to.contain(`and ${80 - shown} more.`);
  });

  for (const [what, status, headers, answer, waitMs] of [
    ['after Retry-After in seconds', 429, { 'Retry-After': '7' }, '', 7000],
    [
      "after Discord's fractional delay",
      429,
      { 'X-RateLimit-Reset-After': '1.5' },
      '{"retry_after": 1.5}',
      1500,
    ],
    ['after Retry-After of a server error', 503, { 'Retry-After': '60' }, '', 60_000],
    ['after an hour at most', 429, { 'Retry-After': '999999' }, '', 3_600_000],
    ['at once for an invalid delay', 429, { 'Retry-After': 'soon' }, 'no JSON', 0],
  ] as const)
    it(`refuses a message with ${status}, and is retried ${what}`, async () => {
      receiver.answerNext(status, headers, answer);
      expect(await chat(discordPath).send('x', [])).to.deep.equal({ accepted: false, waitMs });
    });

  it('is retried at the instant in Retry-After', async () => {
    const date = new Date(Math.floor(Date.now() / 1000) * 1000);
    receiver.answerNext(429, {
      Date: date.toUTCString(),
      'Retry-After': new Date(date.getTime() + 20_000).toUTCString(),
    });
    expect(await chat(slackPath).send('x', [])).to.deep.equal({ accepted: false, waitMs: 20_000 });
  });

  it('is retried after the last message that its limit allows', async () => {
    receiver.answerNext(200, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '2' });
    expect(await chat(discordPath).send('x', [])).to.deep.equal({ accepted: true, waitMs: 2000 });
  });

  it('is never followed to a redirect', async () => {
    receiver.answerNext(302, { Location: `${receiver.address}/elsewhere` });
    expect(await chat(slackPath).send('x', [])).to.include({ accepted: false });
    expect(receiver.heard).to.have.length(1);
  });

  it('is read only to the start of an endless answer', async () => {
    receiver.answerWith((_, res) => {
      res.writeHead(200);
      const more = () => res.write('x'.repeat(1024)) && setImmediate(more);
      res.on('drain', more);
      more();
    });
    expect(await chat(slackPath).send('x', [])).to.include({ accepted: true });
  });

  it('refuses connections without revealing its address in the log', async () => {
    const { log, lines } = logLines();
    await receiver.close();
    const sent = await createChat(`${receiver.address}${discordPath}`, log).send('x', []);
    expect(sent).to.deep.equal({ accepted: false, waitMs: 0 });
    expect(JSON.stringify(lines)).to.contain('ECONNREFUSED').and.not.contain('discord-token');
    receiver = await chatReceiver();
  });
});
