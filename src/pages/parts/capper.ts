import type { PublicPick } from '../../boards/pick.ts';
import { type Html, html } from '../html.ts';
import { labelOf } from '../labels.ts';
import { pathWith } from './filters.ts';

/** The name is always written, so tiers never differ only in color. */
export function tierBadge(tier: string): Html {
  const label = labelOf('tier', tier);
  return html`<a class="tier tier-${tier}" href="/how#tiers" title="Tier given by this site’s operator" aria-label="${label}, a tier given by this site’s operator">${label}</a>`;
}

interface ShownCapper {
  handle: string;
  /** Default: not shown. */
  tier?: string;
  verified: boolean;
}

export function unverifiedMark({ verified }: Pick<ShownCapper, 'verified'>): Html | false {
  return !verified && html` <small class="unverified">not verified</small>`;
}

/** @param filter narrows the linked page */
export function capperLink(
  capper: ShownCapper,
  filter: { sport?: string | undefined; market?: string | undefined } = {},
): Html {
  const { handle, tier } = capper;
  return html`<a class="capper" href="${pathWith(capperPath(handle), { ...filter })}">${handle}</a>${tier !== undefined && html` ${tierBadge(tier)}`}${unverifiedMark(capper)}`;
}

export function capperOf({
  capperHandle,
  capperTier,
  capperVerified,
}: Pick<PublicPick, 'capperHandle' | 'capperTier' | 'capperVerified'>): Html {
  return capperLink({ handle: capperHandle, tier: capperTier, verified: capperVerified });
}

export function capperPath(handle: string): string {
  return `/c/${encodeURIComponent(handle)}`;
}
