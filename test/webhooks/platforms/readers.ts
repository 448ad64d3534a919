import { expect } from 'chai';

/** The visible content of a message in a channel. */
export interface Shown {
  /** Texts without the platform's markup, in order. */
  texts: string[];
  links: string[];
}

/** The contract of a platform, independent of its module: limits, markup, and addresses. */
export interface Reader {
  /** The platform's public name. */
  title: string;
  addresses: readonly string[];
  /** Addresses of the same company that accept no messages. */
  others: readonly string[];
  /**
   * Parses a message as the platform does.
   * @throws AssertionError if it exceeds the platform's limits, or has unexpected markup or a mention
   */
  read(body: string): Shown;
  /** Answers that ask for a pause, in addition to Retry-After, and the milliseconds they ask for. */
  limited: readonly {
    status: number;
    headers: Record<string, string>;
    body?: string;
    waitMs: number | null;
  }[];
}

const markdown = /[\\`*_~|<>#[\]():@&-]/;

/** https://docs.discord.com/developers/resources/message#embed-object-embed-limits */
const discord: Reader = {
  title: 'Discord',
  addresses: [
    'https://discord.com/api/webhooks/1/token',
    'https://DISCORDAPP.com./api/webhooks/1/token?thread_id=5',
    'https://discord.com:8443/api/webhooks/1/token',
    'https://canary.discord.com/api/webhooks/1/token',
    'https://PTB.discordapp.com./api/webhooks/1/token',
  ],
  others: [
    'https://cdn.discordapp.com/',
    'https://canary.ptb.discord.com/',
    'https://discord.com.example.com/',
    'https://notdiscord.com/',
  ],
  read(body) {
    const { content, embeds = [], allowed_mentions, ...rest } = JSON.parse(body);
    expect(allowed_mentions).to.deep.equal({ parse: [] });
    expect(rest).to.deep.equal({});
    if (content !== undefined) {
      expect(content.length).to.be.at.most(2000);
      return { texts: content.split('\n').map(unbolded), links: [] };
    }
    expect(embeds.length).to.be.within(1, 10);
    const texts: string[] = [];
    let sum = 0;
    for (const { title, description, fields = [], footer } of embeds) {
      expect(title.length).to.be.within(1, 256);
      expect(description.length).to.be.within(1, 4096);
      expect(fields.length).to.be.at.most(25);
      for (const { name, value } of fields) {
        expect(name.length).to.be.within(1, 256);
        expect(value.length).to.be.within(1, 1024);
        sum += name.length + value.length;
      }
      sum += title.length + description.length + (footer?.text.length ?? 0);
      const named = fields.map(({ name, value }: { name: string; value: string }) => `${name}: ${value}`);
      texts.push(
        unescaped(title),
        ...description.split('\n').map(unbolded),
        ...named.map((text: string) => text.replace(/\\(.)/g, '$1')),
      );
    }
    expect(sum).to.be.at.most(6000);
    return { texts, links: embeds.flatMap(({ url }: { url?: string }) => url ?? []) };
  },
  limited: [
    {
      status: 204,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '0.333' },
      waitMs: 333,
    },
    {
      status: 204,
      headers: { 'x-ratelimit-remaining': '1', 'x-ratelimit-reset-after': '0.333' },
      waitMs: null,
    },
    {
      status: 204,
      headers: { 'x-ratelimit-remaining': '0', 'x-ratelimit-reset-after': '-3' },
      waitMs: null,
    },
    { status: 204, headers: { 'x-ratelimit-reset-after': '3' }, waitMs: null },
    { status: 429, headers: {}, body: '{"message": "rate limited", "retry_after": 1.5}', waitMs: 1500 },
    { status: 429, headers: {}, body: '<html>', waitMs: null },
  ],
};

/** Removes the service's own bold. */
function unbolded(line: string): string {
  return unescaped(line.replace(/^\*\*(.*?)(?<!(?<!\\)(?:\\\\)*\\)\*\*/s, '$1'));
}

/** Discord drops a backslash before punctuation. Unescaped punctuation would be markup. */
function unescaped(text: string): string {
  expect(text.replace(/\\[^0-9A-Za-z\s]/g, '')).not.to.match(markdown);
  return text.replace(/\\(?=[^0-9A-Za-z\s])/g, '').replace(/\\{2}/g, '\\');
}

/** https://docs.slack.dev/reference/block-kit/blocks */
const slack: Reader = {
  title: 'Slack',
  addresses: [
    'https://hooks.slack.com/services/T0/B0/token',
    'https://HOOKS.slack.com./services/T0/B0/x',
    'https://hooks.slack-gov.com/services/T0/B0/token',
  ],
  others: [
    'https://hooks.slack.com/workflows/T0/A0/1/token',
    'https://hooks.slack.com/triggers/T0/1/token',
    'https://slack.com/services/T0/B0/token',
    'https://hooks.slack.com.example.com/services/T0/B0/token',
  ],
  read(body) {
    const { text, blocks, ...rest } = JSON.parse(body);
    expect(rest).to.deep.equal({ unfurl_links: false });
    expect(text.length).to.be.within(1, 4000);
    if (blocks === undefined)
      return {
        texts: text.split('\n').map((line: string) => decoded(line.replace(/^\*([^*]*)\*/, '$1'))),
        links: [],
      };
    decoded(text);
    expect(blocks.length).to.be.within(1, 50);
    const texts: string[] = [];
    const links: string[] = [];
    let sum = text.length;
    const take = (object: { type: string; text: string; emoji?: boolean }, max: number) => {
      expect(object.text.length).to.be.within(1, max);
      sum += object.text.length;
      if (object.type === 'mrkdwn') {
        const [, url] = /^<([^<>|]+)\|Verify>$/.exec(object.text)!;
        links.push(url!);
        return;
      }
      expect(object).to.include({ type: 'plain_text', emoji: false });
      texts.push(...decoded(object.text).split('\n'));
    };
    for (const block of blocks) {
      if (block.type === 'context') {
        expect(block.elements.length).to.be.within(1, 10);
        for (const element of block.elements) take(element, 2000);
        continue;
      }
      take(block.text, block.type === 'header' ? 150 : 3000);
      expect(block.fields?.length ?? 1).to.be.within(1, 10);
      for (const field of block.fields ?? []) take(field, 2000);
    }
    expect(sum, 'characters of all blocks').to.be.at.most(10_000);
    return { texts, links };
  },
  limited: [{ status: 200, headers: {}, waitMs: null }],
};

/** Slack interprets text in angle brackets. */
function decoded(text: string): string {
  expect(text).not.to.match(/[<>]|&(?!(amp|lt|gt);)/);
  return text.replaceAll('&lt;', '<').replaceAll('&gt;', '>').replaceAll('&amp;', '&');
}

const workflow =
  'workflows/0a1b/triggers/manual/paths/invoke?api-version=1&sp=%2Ftriggers%2Fmanual%2Frun&sig=x';

/** https://learn.microsoft.com/microsoftteams/platform/webhooks-and-connectors/how-to/connectors-using */
const teams: Reader = {
  title: 'Teams',
  addresses: [
    `https://prod-12.westeurope.logic.azure.com:443/${workflow}`,
    `https://default98.7.environment.api.powerplatform.com:443/powerautomate/automations/direct/${workflow}`,
    `https://default98.7.environment.api.powerplatform.com/powerautomate/automations/direct/cu/1/${workflow}`,
    'https://example.webhook.office.com/webhookb2/1@2/IncomingWebhook/3/4',
  ],
  others: [
    'https://logic.azure.com/workflows/1/triggers/manual/paths/invoke',
    'https://prod-12.westeurope.logic.azure.com/another',
    'https://example.webhook.office.com/another',
    `https://logic.azure.com.example.com/${workflow}`,
  ],
  read(body) {
    expect(Math.max(Buffer.byteLength(body), body.length * 2)).to.be.at.most(28 * 1024);
    const { type, attachments, ...rest } = JSON.parse(body);
    expect([type, rest]).to.deep.equal(['message', {}]);
    expect(attachments).to.have.length(1);
    const [{ contentType, content }] = attachments;
    expect(contentType).to.equal('application/vnd.microsoft.card.adaptive');
    expect(content).to.have.keys('$schema', 'type', 'version', 'body');
    const links: string[] = [];
    const texts = content.body
      .flatMap((element: { type: string; items?: object[] }) =>
        element.type === 'Container' ? element.items : [element],
      )
      .map(({ type: kind, inlines }: { type: string; inlines: Run[] }) => {
        // Only a text run is free of Markdown.
        expect(kind).to.equal('RichTextBlock');
        return inlines
          .map(({ type: of, text, selectAction }) => {
            expect(of).to.equal('TextRun');
            if (selectAction === undefined) return text;
            expect(selectAction.type).to.equal('Action.OpenUrl');
            links.push(selectAction.url);
            return '';
          })
          .join('');
      });
    return { texts, links };
  },
  limited: [{ status: 202, headers: {}, waitMs: null }],
};

interface Run {
  type: string;
  text: string;
  selectAction?: { type: string; url: string };
}

/** https://core.telegram.org/bots/api#html-style */
const telegram: Reader = {
  title: 'Telegram',
  addresses: [
    'https://api.telegram.org/bot110201543:AAHdqTcvCH1vGWJxfSeofSAs0K5PALDsaw/sendMessage?chat_id=-100123',
    'https://API.telegram.org./bot1:a_b-c/sendMessage?chat_id=@a_channel&message_thread_id=5',
  ],
  others: [
    'https://telegram.org/',
    'https://t.me/bot',
    'https://api.telegram.org.example.com/bot1:a/sendMessage?chat_id=1',
  ],
  read(body) {
    const { text, parse_mode, link_preview_options, ...rest } = JSON.parse(body);
    expect(rest).to.deep.equal({});
    expect(parse_mode).to.equal('HTML');
    expect(link_preview_options).to.deep.equal({ is_disabled: true });
    const links: string[] = [];
    const seen = text
      .replace(/<a href="([^"<>]*)">Verify<\/a>/g, (_: string, url: string) => {
        links.push(url);
        return '';
      })
      .replace(/<b>([^<>]*)<\/b>/g, '$1');
    expect(seen).not.to.match(/[<>"]|&(?!(amp|lt|gt|quot);)/);
    const plain = seen
      .replaceAll('&lt;', '<')
      .replaceAll('&gt;', '>')
      .replaceAll('&quot;', '"')
      .replaceAll('&amp;', '&');
    expect(plain.length).to.be.within(1, 4096);
    // Telegram makes mentions, tags, commands, and links of such words automatically.
    expect(plain).not.to.match(/[@#$][A-Za-z]|(^|\s|\/)\/\w|\w\.[A-Za-z]/);
    const texts = plain
      .replaceAll('\u2060', '')
      .split('\n')
      .filter((line: string) => line !== '');
    return { texts, links };
  },
  limited: [
    {
      status: 429,
      headers: {},
      body: '{"ok":false,"error_code":429,"description":"Too Many Requests: retry after 14","parameters":{"retry_after":14}}',
      waitMs: 14_000,
    },
    { status: 429, headers: {}, body: '<html>', waitMs: null },
    { status: 200, headers: {}, body: '{"ok":true,"parameters":{"retry_after":14}}', waitMs: null },
  ],
};

/** The readers, by platform. */
export const readers: Readonly<Record<string, Reader>> = { discord, slack, teams, telegram };
