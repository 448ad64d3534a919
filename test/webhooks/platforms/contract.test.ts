import { readdirSync, readFileSync } from 'node:fs';
import { expect } from 'chai';
import fc from 'fast-check';
import { htmlText } from '../../../src/pages/html.ts';
import { subscribeForm } from '../../../src/pages/webhooks/form.ts';
import { webhooksView } from '../../../src/pages/webhooks/page.ts';
import { allowedHosts } from '../../../src/platform/config/kinds.ts';
import { settings } from '../../../src/platform/config/settings.ts';
import { createDeliveryClient } from '../../../src/webhooks/client/client.ts';
import { parseTarget } from '../../../src/webhooks/guard/target.ts';
import {
  alertPlatformOf,
  platformNamed,
  platformOf,
  platforms,
} from '../../../src/webhooks/platforms/index.ts';
import type { Card } from '../../../src/webhooks/platforms/platform.ts';
import { codePoint } from '../../support/code-point.ts';
import { type Receiver, receiversAuthority, startReceiver, status } from '../../support/receivers.ts';
import { readers } from './readers.ts';

const hostile =
  '@everyone <@1> <!channel> <at>ada</at> *b* **bold** _i_ [x](https://evil.example) <https://evil.example|x> ~~s~~ ||s|| `code` <#2> :smile: # h > q & &lt; \\';

const card = (changes: Partial<Card> = {}): Card => ({
  title: 'LOSS for ada_l',
  lead: 'Foxes -3.5',
  text: 'Gulls @ Foxes',
  url: 'https://picks.example/p/3f9d3a5e-6b7c-4d8e-9f00-112233445566',
  tone: 'bad',
  fields: [
    { name: 'Sport', value: 'NBA' },
    { name: 'Odds', value: '+105' },
  ],
  footer: 'verified sharp · log entry 7',
  timestamp: '2029-06-01T12:00:00.000Z',
  ...changes,
});

/** Up to the maximum length of a pick's texts, without control characters. */
const text = (longest: number) =>
  fc
    .string({ minLength: 1, maxLength: longest, unit: codePoint })
    .map((any) => any.replace(/[\p{Cc}\p{Zl}\p{Zp}]/gu, '-'));
const cards = fc.array(
  fc.record({
    title: text(60),
    lead: text(300),
    text: text(200),
    fields: fc.array(fc.record({ name: text(20), value: text(40) }), { minLength: 1, maxLength: 6 }),
  }),
  { minLength: 1, maxLength: 50 },
);

describe('the list of chat platforms', () => {
  it('contains every platform that has a file', async () => {
    const folder = new URL('../../../src/webhooks/platforms/', import.meta.url);
    const shared = ['index.ts', 'platform.ts'];
    const files = readdirSync(folder).filter((file) => !shared.includes(file));
    const exported = await Promise.all(files.map((file) => import(new URL(file, folder).href)));
    expect(platforms).to.have.members(exported.flatMap((module) => Object.values(module)));
  });

  it('has a test reader for each, and each name once', () => {
    expect(platforms.map(({ name }) => name).toSorted()).to.deep.equal(Object.keys(readers).toSorted());
    expect(() => platformNamed('none')).to.throw('no chat platform "none"');
  });

  it('is complete everywhere people read it', () => {
    const site = {
      baseUrl: 'https://picks.example',
      demo: false,
      helpLine: { name: '1-800-GAMBLER', number: '1-800-426-2537' },
    };
    const filters = { cappers: [], sports: [] };
    const [chat] = /<[^>]*id="chat".*?<\/section>/s.exec(htmlText(webhooksView(site, filters).body)) ?? [];
    const glossary = readFileSync(new URL('../../../docs/glossary.md', import.meta.url), 'utf8');
    const texts = {
      'the page about webhooks': chat,
      'the form': htmlText(subscribeForm(filters, {})),
      ALERT_WEBHOOK_URL: settings.status.alertUrl.about,
      'the glossary': /^\| platform \|.*$/m.exec(glossary)?.[0],
    };
    for (const [where, text] of Object.entries(texts))
      for (const { title } of Object.values(readers)) expect(text, where).to.contain(title);
  });
});

for (const platform of platforms) {
  const { name, encode, encodeAlert } = platform;
  const reader = readers[name]!;

  describe(`the chat platform ${name}`, () => {
    let receiver: Receiver | undefined;
    afterEach(async () => {
      await receiver?.close();
      receiver = undefined;
    });

    it('recognizes its addresses, for deliveries and for alerts, and no others', () => {
      expect(platformNamed(name)).to.equal(platform);
      for (const address of reader.addresses) {
        expect(platformOf(new URL(address)), address).to.equal(platform);
        expect(alertPlatformOf(new URL(address)), address).to.equal(platform);
        const verdict = parseTarget(address, new Set());
        expect(verdict.ok && verdict.target.platform, address).to.equal(platform);
      }
      for (const address of [...reader.others, 'https://example.com/'])
        expect(platformOf(new URL(address)), address).to.equal(undefined);
    });

    it('shows every field of a card, and its link', () => {
      const { body, cards: count } = encode([card()]);
      expect(count).to.equal(1);
      const { texts, links } = reader.read(body);
      expect(links).to.deep.equal([card().url]);
      const shown = texts.join('\n');
      for (const part of [card().title, card().lead!, card().text, 'Sport: NBA', 'Odds: +105'])
        expect(shown).to.contain(part);
    });

    it('sends a card with only a title and a text', () => {
      const { texts, links } = reader.read(encode([{ title: 'Public Picks', text: 'A test.' }]).body);
      expect(texts).to.deep.equal(['Public Picks', 'A test.']);
      expect(links).to.deep.equal([]);
    });

    it('shows hostile text literally, without effect', () => {
      const { texts, links } = reader.read(
        encode([card({ title: hostile.slice(0, 60), lead: hostile, text: hostile })]).body,
      );
      expect(texts.filter((shown) => shown === hostile)).to.have.length(2);
      expect(texts[0]).to.equal(hostile.slice(0, 60));
      expect(links).to.deep.equal([card().url]);
    });

    it('stays within its limits and omits no card, however long the texts', () => {
      fc.assert(
        fc.property(cards, (given) => {
          let left = given.map((changes, index) =>
            card({ ...changes, url: `https://picks.example/p/${index}` }),
          );
          const links: string[] = [];
          while (left.length > 0) {
            const { body, cards: count } = encode(left);
            expect(count).to.be.at.least(1);
            const shown = reader.read(body);
            expect(shown.links).to.have.length(count);
            links.push(...shown.links);
            left = left.slice(count);
          }
          expect(links).to.deep.equal(given.map((_, index) => `https://picks.example/p/${index}`));
        }),
        { numRuns: 30 },
      );
    });

    it('shows an alert line by line, with hostile text literally', () => {
      const lines = [
        { head: 'DOWN', text: hostile },
        { head: 'RECOVERED', text: 'Redis.' },
      ];
      expect(reader.read(encodeAlert('Public Picks', lines)).texts).to.deep.equal([
        'Public Picks',
        `DOWN ${hostile}`,
        'RECOVERED Redis.',
      ]);
    });

    it('shows as many lines of an alert as fit, and the number of the rest', () => {
      const lines = Array.from({ length: 500 }, (_, index) => ({
        head: 'DOWN',
        text: `Board ${index} & is old.`,
      }));
      const { texts } = reader.read(encodeAlert('Public Picks', lines));
      const shown = texts.slice(1, -1);
      expect(shown).to.deep.equal(lines.slice(0, shown.length).map(({ text: each }) => `DOWN ${each}`));
      expect(texts.at(-1)).to.equal(`... and ${500 - shown.length} more.`);
    });

    for (const { waitMs, ...answer } of reader.limited)
      it(`reads ${JSON.stringify(answer)} as a wait of ${waitMs} ms`, () => {
        expect(platform.rateLimitMs?.({ body: '', ...answer }) ?? null).to.equal(waitMs);
      });

    it('obeys Retry-After when a delivery is refused', async () => {
      receiver = await startReceiver();
      receiver.answer = status(429, { 'Retry-After': '7' });
      const allowed = allowedHosts(receiver.host);
      const { certificate: ca } = await receiversAuthority();
      const client = createDeliveryClient({ allowed, ca });
      try {
        const verdict = parseTarget(receiver.url('/'), allowed);
        if (!verdict.ok) throw new Error(verdict.reason);
        const attempt = await client.post({ ...verdict.target, platform }, '{}', {});
        expect(attempt).to.include({ status: 429, error: 'http', retryAfterMs: 7000 });
      } finally {
        await client.close();
      }
    });
  });
}

describe('Discord', () => {
  it("is asked to confirm storing a message, whatever the address's query", () => {
    expect(
      platformNamed('discord').endpoint?.('https://discord.com/api/webhooks/1/x?thread_id=5&wait=false'),
    ).to.equal('https://discord.com/api/webhooks/1/x?thread_id=5&wait=true');
  });
});

describe('Microsoft Teams', () => {
  let receiver: Receiver;
  afterEach(() => receiver.close());

  it('refuses a message if a connector answers 200 with a failure in the body', async () => {
    receiver = await startReceiver();
    receiver.answer = (response) =>
      response
        .writeHead(200)
        .end(
          'Webhook message delivery failed with error: Microsoft Teams endpoint returned HTTP error 429 with ContextId 1',
        );
    const allowed = allowedHosts(receiver.host);
    const { certificate: ca } = await receiversAuthority();
    const client = createDeliveryClient({ allowed, ca });
    try {
      const verdict = parseTarget(receiver.url('/'), allowed);
      if (!verdict.ok) throw new Error(verdict.reason);
      const target = { ...verdict.target, platform: platformNamed('teams') };
      expect(await client.post(target, '{}', {})).to.include({ status: 429, error: 'http' });
      // For any other receiver the body is ignored.
      expect(await client.post(verdict.target, '{}', {})).to.include({ status: 200, error: null });
      receiver.answer = (response) => response.writeHead(200).end('1');
      expect(await client.post(target, '{}', {})).to.include({ status: 200, error: null });
    } finally {
      await client.close();
    }
  });
});

describe('Telegram', () => {
  it('refuses addresses that could never receive a message, and says how one looks', () => {
    for (const path of [
      '',
      'bot1:a',
      'bot1:a/sendMessage',
      'bot1:a/getUpdates?chat_id=1',
      'bot1:a/sendMessage?chat_id=a',
    ]) {
      const verdict = parseTarget(`https://api.telegram.org/${path}`, new Set());
      expect(verdict.ok, path).to.equal(false);
      expect(!verdict.ok && verdict.reason).to.include('/bot<token>/sendMessage?chat_id=');
    }
  });

  it('knows answers that end a subscription', () => {
    const { statusOf, ends } = platformNamed('telegram');
    const answer = (status: number, description: string) =>
      statusOf?.({
        status,
        headers: {},
        body: JSON.stringify({ ok: false, error_code: status, description }),
      });
    for (const [status, description, isEnd] of [
      [400, 'Bad Request: chat not found', true],
      [400, 'Bad Request: group chat was upgraded to a supergroup chat', true],
      [400, 'Bad Request: message is too long', false],
      [401, 'Unauthorized', true],
      [403, 'Forbidden: bot was blocked by the user', true],
      [429, 'Too Many Requests: retry after 5', false],
      [500, 'Internal Server Error', false],
    ] as const)
      expect(ends?.includes(answer(status, description)!), description).to.equal(isEnd);
  });
});
