import type { PublicPick } from '../../boards/pick.ts';
import { type Html, html } from '../html.ts';
import { labelOf } from '../labels.ts';
import { pathWith } from './filters.ts';

/** A tier's name as a badge that links to what it means. The name is always written, so tiers never differ only in color. */
export function tierBadge(tier: string): Html {
  const label = labelOf('tier', tier);
  return html`<a class="tier tier-${tier}" href="/how#tiers" title="Tier given by this site’s operator" aria-label="${label}, a tier given by this site’s operator">${label}</a>`;
}

/** Narrows a capper's page. Default: all picks. */
interface CapperFilter {
  sport?: string | undefined;
  market?: string | undefined;
}

/** What every page says of a capper. */
interface CapperFacts {
  handle: string;
  /** Default: not shown. */
  tier?: string;
  verified: boolean;
}

/** Marks a capper who is not verified. */
export function unverifiedMark({ verified }: Pick<CapperFacts, 'verified'>): Html | false {
  return !verified && html` <small class="unverified">not verified</small>`;
}

/** A capper's handle as a link, with the tier, marked if the capper is not verified. @param filter what the page is narrowed to */
export function capperLink(capper: CapperFacts, filter: CapperFilter = {}): Html {
  const { handle, tier } = capper;
  return html`<a class="capper" href="${pathWith(capperPath(handle), { ...filter })}">${handle}</a>${tier !== undefined && html` ${tierBadge(tier)}`}${unverifiedMark(capper)}`;
}

/** The capper of a pick, with the tier when it was posted. */
export function capperOf({
  capperHandle,
  capperTier,
  capperVerified,
}: Pick<PublicPick, 'capperHandle' | 'capperTier' | 'capperVerified'>): Html {
  return capperLink({ handle: capperHandle, tier: capperTier, verified: capperVerified });
}

/** The page of a capper. */
export function capperPath(handle: string): string {
  return `/c/${encodeURIComponent(handle)}`;
}
