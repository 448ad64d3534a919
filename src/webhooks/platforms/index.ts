import { discord } from './discord.ts';
import type { Platform } from './platform.ts';
import { slack } from './slack.ts';
import { teams } from './teams.ts';

/** Every chat platform. */
export const platforms: readonly Platform[] = [discord, slack, teams];

/** The platform that an address belongs to, if any. */
export function platformOf(url: URL): Platform | undefined {
  const bare = withoutDot(url);
  return platforms.find(({ matches }) => matches(bare));
}

/** The platform that an alert channel's address belongs to. Anything else, such as Mattermost, takes what Slack takes. */
export function alertPlatformOf(url: URL): Platform {
  const bare = withoutDot(url);
  return platforms.find(({ matches, matchesAlert = matches }) => matchesAlert(bare)) ?? slack;
}

/**
 * The platform of a stored name.
 * @throws Error for a name that is on no platform
 */
export function platformNamed(name: string): Platform {
  const platform = platforms.find((each) => each.name === name);
  if (platform === undefined) throw new Error(`there is no chat platform ${JSON.stringify(name)}`);
  return platform;
}

/** Without the dot that ends an absolute name. */
function withoutDot(url: URL): URL {
  const bare = new URL(url);
  bare.hostname = bare.hostname.replace(/\.$/, '');
  return bare;
}
