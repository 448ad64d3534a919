import { seconds } from '../../platform/retry-after.ts';
import { type Answer, alertText, type Card, clip, countWithin, oneLine, type Platform } from './platform.ts';

/** Limits of a message, in characters; Telegram does not count markup (https://core.telegram.org/bots/api#sendmessage). */
const max = { message: 4096, title: 200, text: 500, fields: 500 };

const maxCards = 10;

/** Path of a bot's method; the token is a secret. */
const path = /^\/bot(\d+):[\w-]+\/sendMessage$/;

export const telegram: Platform = {
  name: 'telegram',

  matches: ({ hostname }) => hostname === 'api.telegram.org',

  fault({ pathname, searchParams }) {
    if (path.test(pathname) && /^(?:-?\d{1,20}|@\w{1,64})$/.test(searchParams.get('chat_id') ?? ''))
      return undefined;
    return 'A Telegram address is https://api.telegram.org/bot<token>/sendMessage?chat_id=<ID of the chat>.';
  },

  /** One spelling per chat, because limits belong to the chat. */
  endpoint(url) {
    const { origin, pathname, searchParams } = new URL(url);
    const kept = ['chat_id', 'message_thread_id'].flatMap((name) => {
      const value = searchParams.get(name);
      return value === null ? [] : [[name, value] as [string, string]];
    });
    return `${origin}${pathname}?${new URLSearchParams(kept)}`;
  },

  // In a private chat only the first one holds, which Telegram's address does not tell.
  rates: [
    { times: 1, inMs: 1_000 },
    { times: 20, inMs: 60_000 },
  ],

  account: (url) => ({
    key: path.exec(new URL(url).pathname)?.[1] ?? '',
    rates: [{ times: 30, inMs: 1_000 }],
  }),

  /** The token was revoked, or the chat does not exist or has blocked or removed the bot. */
  ends: [401, 403, 404],

  encode(cards) {
    const texts = cards.slice(0, maxCards).map(textOf);
    const count = Math.max(
      1,
      countWithin(texts, max.message, ({ length }) => length + 2),
    );
    return { body: messageOf(texts.slice(0, count).join('\n\n')), cards: count };
  },

  encodeAlert: (heading, lines) =>
    messageOf(
      alertText(heading, lines, {
        escaped: (text) => escaped(inert(text)),
        bold: ['<b>', '</b>'],
        max: max.message,
      }),
    ),

  /** Telegram answers 400 for chats that do not exist (any more). */
  statusOf: ({ status, body }) =>
    status === 400 && /"(?:Bad Request: chat not found|[^"]*upgraded to a supergroup)/.test(body)
      ? 404
      : status,

  rateLimitMs({ status, body }: Answer) {
    if (status !== 429) return null;
    return seconds(/"retry_after"\s*:\s*(\d{1,6})\b/.exec(body)?.[1]);
  },
};

function textOf({ title, lead, text, fields = [], url, footer }: Card): string {
  const line = (words: string, longest: number) => clip(inert(oneLine(words)), longest, escaped);
  const about = fields.map(({ name, value }) => `${name}: ${value}`).join(' · ');
  return [
    `<b>${line(title, max.title)}</b>`,
    lead !== undefined && `<b>${line(lead, max.text)}</b>`,
    line(text, max.text),
    fields.length > 0 && line(about, max.fields),
    footer !== undefined && line(footer, max.text),
    url !== undefined && `<a href="${escaped(url)}">Verify</a>`,
  ]
    .filter(Boolean)
    .join('\n');
}

function messageOf(text: string): string {
  return JSON.stringify({ text, parse_mode: 'HTML', link_preview_options: { is_disabled: true } });
}

function escaped(text: string): string {
  return text
    .replaceAll('&', '&amp;')
    .replaceAll('<', '&lt;')
    .replaceAll('>', '&gt;')
    .replaceAll('"', '&quot;');
}

/** Keeps Telegram from turning words into mentions, tags, commands, and links: a word joiner, which takes no space, ends each of them. */
function inert(text: string): string {
  return text.replace(/[@#$](?=\w)|(?<!\w)\/(?=\w)|\.(?=\p{L})/gu, '$&\u2060');
}
