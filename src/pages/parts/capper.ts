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

/** Says that a capper is not verified. */
export const notVerified = html` <small>not verified</small>`;

/** A capper's handle as a link, with the tier, marked if the capper is not verified. @param filter what the page is narrowed to */
export function currentCapper(
  { handle, tier, verified }: { handle: string; tier: string; verified: boolean },
  filter: CapperFilter = {},
): Html {
  return html`${capperLink(handle, tier, filter)}${!verified && notVerified}`;
}

/** A capper's handle as a link, with a tier. @param filter what the page is narrowed to */
export function capperLink(handle: string, tier?: string, filter: CapperFilter = {}): Html {
  return html`<a class="capper" href="${pathWith(capperPath(handle), { ...filter })}">${handle}</a>${tier !== undefined && html` ${tierBadge(tier)}`}`;
}

/** The page of a capper. */
export function capperPath(handle: string): string {
  return `/c/${encodeURIComponent(handle)}`;
}
