import { iso } from '../platform/clock.ts';
import type { Logger } from '../platform/logger.ts';
import { retryAfter } from '../platform/retry-after.ts';
import { alertPlatformOf } from '../webhooks/platforms/index.ts';
import type { Answer, Line, Platform } from '../webhooks/platforms/platform.ts';
import { statuses } from './check.ts';
import type { Incident } from './incidents.ts';
import { entryOf } from './index.ts';
import { counted, span } from './span.ts';

interface Notified {
  incidents: readonly Incident[];
  chat: { failures: number; notBefore: number };
}

const firstRetryMs = 15_000;
const maxRetryMs = 900_000;

/**
 * Sends all news in one chat message. A rejected message is retried with exponential backoff from 15 seconds to 15 minutes, and not before
 * the chat's requested delay.
 * @param chat undefined if none is configured: all news then counts as sent
 * @param baseUrl as in {@link linesOf}
 * @returns undefined if there was nothing to do
 */
export async function notify(
  before: Notified,
  chat: Chat | undefined,
  heading: string,
  now: EpochMs,
  baseUrl?: string,
): Promise<Notified | undefined> {
  const list = news(before.incidents, now);
  if (list.length === 0) return undefined;
  const told = afterTelling(before.incidents, list, now);
  if (chat === undefined) return { incidents: told, chat: before.chat };
  if (now < before.chat.notBefore) return undefined;
  const { accepted, waitMs } = await chat.send(heading, linesOf(list, now, baseUrl));
  if (accepted) return { incidents: told, chat: { failures: 0, notBefore: now + waitMs } };
  const failures = before.chat.failures + 1;
  const backoff = Math.min(firstRetryMs * 2 ** Math.min(failures - 1, 10), maxRetryMs);
  return { incidents: before.incidents, chat: { failures, notBefore: now + Math.max(waitMs, backoff) } };
}

const reminderMs = 6 * 3_600_000;

interface News {
  /** `passed`: opened and closed before any message was accepted. */
  kind: 'opened' | 'worse' | 'reminder' | 'recovered' | 'passed';
  incident: Incident;
}

/** In the order of the incidents. They depend on what the chat has accepted: a failed message is sent later, an accepted one not again. */
export function news(incidents: readonly Incident[], now: EpochMs): News[] {
  return incidents.flatMap((incident) => {
    const kind = kindOf(incident, now);
    return kind === undefined ? [] : [{ kind, incident }];
  });
}

function kindOf({ status, told, closedAt, recoveryToldAt }: Incident, now: number): News['kind'] | undefined {
  if (closedAt !== null) {
    if (recoveryToldAt !== null) return undefined;
    return told === null ? 'passed' : 'recovered';
  }
  if (told === null) return 'opened';
  if (status === 'down' && told.status === 'degraded') return 'worse';
  return now - told.at >= reminderMs ? 'reminder' : undefined;
}

/** Marks incidents as reported after the chat accepted the news. */
export function afterTelling(incidents: readonly Incident[], told: readonly News[], now: number): Incident[] {
  const tellings = new Map(told.map(({ incident }) => [incident.id, incident]));
  return incidents.map((incident) => {
    const telling = tellings.get(incident.id);
    if (telling === undefined) return incident;
    const status = telling.status === 'down' || incident.told?.status === 'down' ? 'down' : 'degraded';
    const recoveryToldAt = incident.closedAt === null ? null : now;
    return { ...incident, told: { status, at: now }, recoveryToldAt };
  });
}

/** Worst first. @param baseUrl address of the site; with it, lines also name the impact, what to try first, and where to look */
export function linesOf(list: readonly News[], now: number, baseUrl?: string): Line[] {
  const order = ['worse', 'opened', 'reminder', 'passed', 'recovered'];
  const severity = ({ incident }: News) => statuses.indexOf(incident.status);
  return list
    .toSorted((a, b) => order.indexOf(a.kind) - order.indexOf(b.kind) || severity(b) - severity(a))
    .map((item) => lineOf(item, now, baseUrl));
}

function lineOf({ kind, incident }: News, now: number, baseUrl: string | undefined): Line {
  const { title, status, worst, openedAt, closedAt, affects } = incident;
  const lasted = span(((closedAt ?? now) - openedAt) / 1000);
  const affected = affects.length === 0 ? '' : ` ${counted(affects.length, 'other check')} affected.`;
  const text = `${title}. ${incident.message}${affected}${baseUrl === undefined ? '' : ` ${advice(incident, baseUrl)}`}`;
  const shown = status.toUpperCase();
  const lines: Record<News['kind'], Line> = {
    opened: { head: shown, text },
    worse: { head: `NOW ${shown}`, text },
    reminder: { head: `STILL ${shown} after ${lasted}`, text },
    recovered: { head: `RECOVERED after ${lasted}`, text: `${title}.` },
    passed: {
      head: 'RECOVERED',
      text: `${title}. It was ${worst} for ${lasted}; no alert could be sent at the time.`,
    },
  };
  return lines[kind];
}

function advice({ id, check, openedAt }: Incident, baseUrl: string): string {
  const entry = entryOf(check);
  const known = entry === undefined ? '' : ` Readers notice: ${entry.readers} Try first: ${entry.first}`;
  return `Since ${iso(openedAt)}.${known} ${baseUrl}/ops (incident ${id}).`;
}

export type Chat = ReturnType<typeof createChat>;

const maxWaitMs = 3_600_000;

/** @param url an incoming webhook of a chat platform, or of anything that accepts Slack's format */
export function createChat(url: string, log: Logger) {
  const platform = alertPlatformOf(new URL(url));
  const address = new URL(platform.endpoint?.(url) ?? url);
  return {
    /** Sends all lines in one message. Never rejects. @returns `waitMs`: minimum delay before the next message, as requested by the chat */
    async send(heading: string, lines: readonly Line[]) {
      const { error, ...answer } = await call(address, platform.encodeAlert(heading, lines));
      const status = platform.statusOf?.(answer) ?? answer.status;
      const accepted = status >= 200 && status < 300;
      const waitMs = Math.min(waitOf(platform, { ...answer, status }), maxWaitMs);
      // The address is a credential: it is never logged.
      if (!accepted) log.warn({ status, err: error, waitMs }, 'the chat rejected an alert: retrying later');
      return { accepted, waitMs };
    },
  };
}

function waitOf(platform: Platform, answer: Answer): number {
  const refused = answer.status < 200 || answer.status >= 300;
  return Math.max(
    platform.rateLimitMs?.(answer) ?? 0,
    refused ? (retryAfter(answer.headers, Date.now()) ?? 0) : 0,
  );
}

const timeoutMs = 10_000;
const maxBytes = 4096;

interface Called extends Answer {
  /** Why there was no answer, without the address. */
  error?: string;
}

/** Never rejects, follows no redirects, waits at most 10 s, and reads at most 4 KiB. @param body JSON to post; default: a GET request */
export async function call(url: URL, body?: string): Promise<Called> {
  const posting = { method: 'POST', headers: { 'Content-Type': 'application/json' } };
  try {
    const response = await fetch(url, {
      ...(body !== undefined && { ...posting, body }),
      redirect: 'manual',
      signal: AbortSignal.timeout(timeoutMs),
    });
    return {
      status: response.status,
      headers: Object.fromEntries(response.headers),
      body: await beginning(response),
    };
  } catch (error) {
    const { name, cause } = error as Error & { cause?: { code?: string } };
    return { status: 0, headers: {}, body: '', error: cause?.code ?? name };
  }
}

async function beginning(response: Response): Promise<string> {
  const parts: Uint8Array[] = [];
  let length = 0;
  const reader = response.body?.getReader();
  while (reader !== undefined && length < maxBytes) {
    const { done, value } = await reader.read();
    if (done) break;
    parts.push(value);
    length += value.length;
  }
  // Not awaited: the body may be endless.
  reader?.cancel().catch(() => {});
  return Buffer.concat(parts).subarray(0, maxBytes).toString();
}
