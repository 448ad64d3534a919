import { discord } from './discord.ts';
import type { Platform } from './platform.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';
import { telegram } from './telegram.ts';

export const platforms: readonly Platform[] = [discord, slack, teams, telegram];

export function platformOf(url: URL): Platform | undefined {
  const bare = withoutDot(url);
  return platforms.find(({ matches }) => matches(bare));
}

/** Returns the platform of an alert channel's address. Others, such as Mattermost, accept Slack's format. */
export function alertPlatformOf(url: URL): Platform {
  const bare = withoutDot(url);
  return platforms.find(({ matches, matchesAlert = matches }) => matchesAlert(bare)) ?? slack;
}

/** @throws Error if no platform has this name */
export function platformNamed(name: string): Platform {
  const platform = platforms.find((each) => each.name === name);
  if (platform === undefined) throw new Error(`no chat platform ${JSON.stringify(name)}`);
  return platform;
}

function withoutDot(url: URL): URL {
  const bare = new URL(url);
  bare.hostname = bare.hostname.replace(/\.$/, '');
  return bare;
}
