import { v5 } from 'uuid';

/** What a consensus group is the same by. */
export interface GroupIdentity {
  sport: string;
  game: string;
  /** The first announced start, in epoch milliseconds: it names the game for ever, wherever the start moves. */
  announcedStart: number | null;
  market: string;
  subject: string | null;
  side: string;
}

// A random UUID, fixed for ever: changing it would rename every group.
const groupNamespace = 'dd0fc2ed-8b9c-4e4e-9304-a19ab664c4b4';

/**
 * The id of a group: the version 5 UUID of its identity, written as the JSON array
 * `[sport, game, announced start or null, market, side]`, with the subject before the side where there is one.
 */
export function groupId({ sport, game, announcedStart, market, subject, side }: GroupIdentity): string {
  const start = announcedStart === null ? null : new Date(announcedStart).toISOString();
  const about = subject === null ? [] : [subject];
  return v5(JSON.stringify([sport, game, start, market, ...about, side]), groupNamespace);
}
