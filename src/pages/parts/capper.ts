import { type Html, html } from '../html.ts';

const tierNames: Record<string, string> = {
  elite: 'Elite',
  verified_sharp: 'Verified sharp',
  listed: 'Listed',
};

/** A tier's name with its sign: colour alone never distinguishes tiers. */
export function tierBadge(tier: string): Html {
  return html`<span class="tier tier-${tier}">${tierNames[tier] ?? tier}</span>`;
}

/** A capper's handle as a link, with the tier. */
export function capperLink(handle: string, tier?: string): Html {
  return html`<a class="capper" href="${capperPath(handle)}">${handle}</a>${tier !== undefined && html` ${tierBadge(tier)}`}`;
}

/** The page of a capper. */
export function capperPath(handle: string): string {
  return `/c/${encodeURIComponent(handle)}`;
}
