import { isIP } from 'node:net';
import { seconds, single } from '../../platform/retry-after.ts';
import { alertText, type Card, clip, countWithin, type Platform, type Tone } from './platform.ts';

/** Limits of a Discord message (https://docs.discord.com/developers/resources/message#embed-object-embed-limits). */
const maxEmbeds = 10;
const maxCharacters = 6000;
const max = {
  title: 256,
  description: 4096,
  name: 256,
  value: 1024,
  fields: 25,
  footer: 2048,
  content: 2000,
};

const colors: Record<Tone, number> = { news: 0x1565c0, good: 0x2e7d32, bad: 0xc62828, neutral: 0x757575 };

/** Keeps any text from notifying people. */
const noMentions = { allowed_mentions: { parse: [] } };

export const discord: Platform = {
  name: 'discord',

  /** Discord's test clients copy addresses that start with `canary.` or `ptb.`. */
  matches: ({ hostname }) => /^(?:(?:canary|ptb)\.)?(?:discord|discordapp)\.com$/.test(hostname),

  /** Also matches other hosts of Discord, and a stand-in at an IP address. Addresses that end in `/slack` take Slack's format. */
  matchesAlert: ({ hostname, pathname }) =>
    !pathname.endsWith('/slack') &&
    (/(^|\.)(discord|discordapp)\.com$/.test(hostname) ||
      (isIP(hostname) !== 0 && pathname.startsWith('/api/webhooks/'))),

  /** With `wait`, Discord answers once the message is stored instead of queued. */
  endpoint(url) {
    const waiting = new URL(url);
    waiting.searchParams.set('wait', 'true');
    return waiting.href;
  },

  rates: [
    { times: 5, inMs: 2_000 },
    { times: 30, inMs: 60_000 },
  ],

  encode(cards) {
    const embeds = cards.slice(0, maxEmbeds).map(embedOf);
    const count = Math.max(1, countWithin(embeds, maxCharacters, lengthOf));
    return { body: JSON.stringify({ embeds: embeds.slice(0, count), ...noMentions }), cards: count };
  },

  encodeAlert: (heading, lines) =>
    JSON.stringify({
      content: alertText(heading, lines, { escaped, bold: ['**', '**'], max: max.content }),
      ...noMentions,
    }),

  rateLimitMs({ status, headers, body }) {
    if (status !== 429 && single(headers['x-ratelimit-remaining']) !== '0') return null;
    const [, inBody] = /"retry_after"\s*:\s*([\d.]+)/.exec(status === 429 ? body : '') ?? [];
    const waits = [seconds(single(headers['x-ratelimit-reset-after'])), seconds(inBody)];
    const known = waits.filter((wait) => wait !== null);
    return known.length === 0 ? null : Math.max(...known);
  },
};

function embedOf({ title, lead, text, url, footer, tone, fields, timestamp }: Card) {
  const bold = lead === undefined ? '' : `**${clip(lead, max.description / 2 - 5, escaped)}**\n`;
  return {
    title: clip(title, max.title, escaped),
    description: `${bold}${clip(text, max.description / 2, escaped)}`,
    url,
    // Discord shows footers without markup.
    footer: footer === undefined ? undefined : { text: clip(footer, max.footer) },
    color: tone && colors[tone],
    fields: fields?.slice(0, max.fields).map(({ name, value }) => ({
      name: clip(name, max.name, escaped),
      value: clip(value, max.value, escaped),
      inline: true,
    })),
    timestamp,
  };
}

/** Escapes all markup, links, and emoji: Discord drops a backslash before any punctuation. */
function escaped(text: string): string {
  return text.replace(/[\\`*_~|<>#[\]():@&-]/g, '\\$&');
}

/** Counts the characters of an embed as Discord does. */
function lengthOf({ title, description, fields = [], footer }: ReturnType<typeof embedOf>): number {
  const texts = [
    title,
    description,
    footer?.text ?? '',
    ...fields.flatMap(({ name, value }) => [name, value]),
  ];
  return texts.reduce((sum, text) => sum + text.length, 0);
}
