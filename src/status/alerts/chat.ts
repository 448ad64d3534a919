import { isIP } from 'node:net';
import type { Logger } from '../../platform/logger.ts';
import { post } from './call.ts';
import type { Line } from './message.ts';

/** A chat channel's incoming webhook. */
export interface Chat {
  /** Tells it all of the lines in one message. Never rejects. */
  tell(heading: string, lines: readonly Line[]): Promise<Telling>;
}

export interface Telling {
  taken: boolean;
  /** Milliseconds that the chat wants to be left alone. */
  waitMs: number;
}

/** Discord takes 2000 characters; Slack advises 4000. */
const longest = { discord: 2000, slack: 4000 };

/** Whatever a chat asks for, it is tried again after an hour. */
const longestWaitMs = 3_600_000;

/** @param url an incoming webhook of Discord, or of Slack or anything that takes what Slack takes */
export function createChat(url: string, log: Logger): Chat {
  const address = new URL(url);
  const platform = platformOf(address);
  // Answers when the message is stored, not merely queued.
  if (platform === 'discord') address.searchParams.set('wait', 'true');
  return {
    async tell(heading, lines) {
      const body = platform === 'discord' ? discordBody(heading, lines) : slackBody(heading, lines);
      const answer = await post(address, body);
      const waitMs = Math.min(waitOf(answer), longestWaitMs);
      const taken = answer.status >= 200 && answer.status < 300;
      // The address is a credential: it is never logged.
      if (!taken)
        log.warn({ status: answer.status, err: answer.error, waitMs }, 'the chat did not take a message');
      return { taken, waitMs };
    },
  };
}

/** Discord by its hosts, and by the path of its webhooks where a host has no name of its own; its `/slack` addresses take what Slack takes. */
export function platformOf({ hostname, pathname }: URL): 'discord' | 'slack' {
  const host = hostname.replace(/\.$/, '');
  const discord =
    /(^|\.)(discord|discordapp)\.com$/.test(host) ||
    (isIP(host) !== 0 && pathname.startsWith('/api/webhooks/'));
  return discord && !pathname.endsWith('/slack') ? 'discord' : 'slack';
}

function discordBody(heading: string, lines: readonly Line[]): object {
  const escaped = (text: string) =>
    plain(text)
      .replace(/[\\*_~`|<>[\]()#]/g, '\\$&')
      .replaceAll('@', '@\u200b');
  return {
    content: fitting(heading, lines, escaped, '**', longest.discord),
    allowed_mentions: { parse: [] },
  };
}

function slackBody(heading: string, lines: readonly Line[]): object {
  const escaped = (text: string) =>
    plain(text).replaceAll('&', '&amp;').replaceAll('<', '&lt;').replaceAll('>', '&gt;');
  return { text: fitting(heading, lines, escaped, '*', longest.slack), unfurl_links: false };
}

/** As many lines as fit, and how many more there are. */
function fitting(
  heading: string,
  lines: readonly Line[],
  escaped: (text: string) => string,
  bold: string,
  most: number,
): string {
  const room = most - 60;
  let text = `${bold}${escaped(heading)}${bold}`;
  for (const [index, line] of lines.entries()) {
    const next = `\n${bold}${escaped(line.head)}${bold} ${escaped(line.text)}`;
    if (text.length + next.length > room) return `${text}\n... and ${lines.length - index} more.`;
    text += next;
  }
  return text;
}

/** One line, without control characters. */
function plain(text: string): string {
  return text.toWellFormed().replace(/[\s\p{Cc}]+/gu, ' ');
}

/** What Discord's headers, Discord's body or `Retry-After` (seconds, or an instant; RFC 9110, section 10.2.3) ask for. */
function waitOf({ status, headers, body }: Awaited<ReturnType<typeof post>>): number {
  const waits: number[] = [];
  if (status === 429 || status === 503) {
    const after = headers.get('retry-after') ?? '';
    const seconds = after.trim() === '' ? Number.NaN : Number(after);
    waits.push(
      Number.isNaN(seconds) ? Date.parse(after) - Date.parse(headers.get('date') ?? '') : seconds * 1000,
    );
    waits.push(retryAfterIn(body) * 1000);
  }
  if (status === 429 || headers.get('x-ratelimit-remaining') === '0')
    waits.push(Number(headers.get('x-ratelimit-reset-after') ?? Number.NaN) * 1000);
  return Math.max(0, ...waits.filter((wait) => Number.isFinite(wait)));
}

function retryAfterIn(body: string): number {
  try {
    return Number((JSON.parse(body) as { retry_after?: unknown } | null)?.retry_after ?? Number.NaN);
  } catch {
    return Number.NaN;
  }
}
