import { expect } from 'chai';
import { createChat } from '../../../src/status/alerts/chat.ts';
import { alertPlatformOf } from '../../../src/webhooks/platforms/index.ts';
import { type ChatReceiver, chatReceiver } from '../../support/chat-receiver.ts';
import { logLines } from '../../support/log-lines.ts';
import { quiet } from '../../support/quiet.ts';

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

  it('Discord gets markdown in which nothing of a text takes effect, and nobody is called', async () => {
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

  it('Slack gets its three characters as entities', async () => {
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
    it(`takes ${address} for ${platform}`, () => {
      expect(alertPlatformOf(new URL(address)).name).to.equal(platform);
    });

  it('many lines stay within what the chat takes in one message', async () => {
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
    ['Retry-After in seconds', 429, { 'Retry-After': '7' }, '', 7000],
    [
      "Discord's fraction of a second",
      429,
      { 'X-RateLimit-Reset-After': '1.5' },
      '{"retry_after": 1.5}',
      1500,
    ],
    ['Retry-After of a chat that is out of order', 503, { 'Retry-After': '60' }, '', 60_000],
    ['more than an hour as an hour', 429, { 'Retry-After': '999999' }, '', 3_600_000],
    ['nonsense as nothing', 429, { 'Retry-After': 'soon' }, 'no JSON', 0],
  ] as const)
    it(`is not taken on ${status}, and obeys ${what}`, async () => {
      receiver.answerNext(status, headers, answer);
      expect(await chat(discordPath).send('x', [])).to.deep.equal({ accepted: false, waitMs });
    });

  it('obeys an instant in Retry-After', async () => {
    const date = new Date(Math.floor(Date.now() / 1000) * 1000);
    receiver.answerNext(429, {
      Date: date.toUTCString(),
      'Retry-After': new Date(date.getTime() + 20_000).toUTCString(),
    });
    expect(await chat(slackPath).send('x', [])).to.deep.equal({ accepted: false, waitMs: 20_000 });
  });

  it('waits after the last message that its limit allows', async () => {
    receiver.answerNext(200, { 'X-RateLimit-Remaining': '0', 'X-RateLimit-Reset-After': '2' });
    expect(await chat(discordPath).send('x', [])).to.deep.equal({ accepted: true, waitMs: 2000 });
  });

  it('follows no redirect', async () => {
    receiver.answerNext(302, { Location: `${receiver.address}/elsewhere` });
    expect(await chat(slackPath).send('x', [])).to.include({ accepted: false });
    expect(receiver.heard).to.have.length(1);
  });

  it('reads no more than the beginning of an endless answer', async () => {
    receiver.answerWith((_, res) => {
      res.writeHead(200);
      const more = () => res.write('x'.repeat(1024)) && setImmediate(more);
      res.on('drain', more);
      more();
    });
    expect(await chat(slackPath).send('x', [])).to.include({ accepted: true });
  });

  it('that is not there is not taken, and its address does not come into the log', async () => {
    const { log, lines } = logLines();
    await receiver.close();
    const sent = await createChat(`${receiver.address}${discordPath}`, log).send('x', []);
    expect(sent).to.deep.equal({ accepted: false, waitMs: 0 });
    expect(JSON.stringify(lines)).to.contain('ECONNREFUSED').and.not.contain('discord-token');
    receiver = await chatReceiver();
  });
});
