import type { Logger } from '../../platform/logger.ts';
import { retryAfter } from '../../platform/retry-after.ts';
import { alertPlatformOf } from '../../webhooks/platforms/index.ts';
import type { Answer, Line, Platform } from '../../webhooks/platforms/platform.ts';
import { post } from './call.ts';

/** A chat channel's incoming webhook. */
export interface Chat {
  /** Sends all lines in one message. Never rejects. */
  send(heading: string, lines: readonly Line[]): Promise<Sent>;
}

export interface Sent {
  /** Whether the chat accepted the message. */
  accepted: boolean;
  /** Milliseconds that the chat asks to wait before the next message. */
  waitMs: number;
}

/** Whatever a chat asks for, the next message is tried after an hour. */
const maxWaitMs = 3_600_000;

/** @param url an incoming webhook of a chat platform, or of anything that takes what Slack takes */
export function createChat(url: string, log: Logger): Chat {
  const platform = alertPlatformOf(new URL(url));
  const address = new URL(platform.endpoint?.(url) ?? url);
  return {
    async send(heading, lines) {
      const { error, ...answer } = await post(address, platform.encodeAlert(heading, lines));
      const status = platform.statusOf?.(answer) ?? answer.status;
      const accepted = status >= 200 && status < 300;
      const waitMs = Math.min(waitOf(platform, { ...answer, status }), maxWaitMs);
      // The address is a credential: it is never logged.
      if (!accepted) log.warn({ status, err: error, waitMs }, 'the chat did not accept a message');
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
