import { tags } from '../tags.ts';

/** What active consensus rests on: picks posted and settled, starts and tiers. */
export function consensusTags(sport: string | undefined): string[] {
  return sport === undefined ? [tags.posted, tags.settled, tags.world] : [tags.sport(sport), tags.world];
}
