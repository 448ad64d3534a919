import { v5 } from 'uuid';

/** The identity of a consensus group. */
export interface GroupIdentity {
  sport: string;
  game: string;
  /** The first announced start, in epoch milliseconds. It identifies the game, even after the start moves. */
  announcedStart: number | null;
  market: string;
  subject: string | null;
  side: string;
}

// A random UUID. Changing it would rename every group.
const groupNamespace = 'dd0fc2ed-8b9c-4e4e-9304-a19ab664c4b4';

/**
 * Returns the id of a group: the version 5 UUID of the JSON array `[sport, game, announced start or null, market, side]`, with the subject
 * before the side if there is one.
 */
export function groupId({ sport, game, announcedStart, market, subject, side }: GroupIdentity): string {
  const start = announcedStart === null ? null : new Date(announcedStart).toISOString();
  const about = subject === null ? [] : [subject];
  return v5(JSON.stringify([sport, game, start, market, ...about, side]), groupNamespace);
}
