import { iso } from '../../platform/clock.ts';
import { entryOf } from '../../status/index.ts';
import type { OpenIncident } from '../../status/state.ts';
import { type Html, html } from '../html.ts';
import { when } from '../times.ts';

const maxEffects = 3;

const headings = {
  degraded: 'Some data is delayed.',
  down: 'Some features are unavailable.',
} as const;

/** Formats the loading progress: `Loading demo data: 40%`. @param share from 0 to 1 */
export function loadingText(share: number): string {
  return `Loading demo data: ${Math.floor(100 * share)}%`;
}

/** @param share from 0 to 1 */
export function loadingBanner(share: number): Html {
  return html`<aside class="trouble loading" aria-label="Service status"><p><strong>${loadingText(share)}.</strong> Boards and records fill in as it loads.</p></aside>
`;
}

/** The effects on readers (docs/operations.md#status-and-alerts). Undefined without any. @param incidents worst first */
export function troubleBanner(incidents: readonly OpenIncident[], now: number): Html | undefined {
  const [worst] = incidents;
  if (worst === undefined) return undefined;
  const effects = [...new Set(incidents.flatMap(({ check }) => entryOf(check)?.readers ?? []))];
  const since = iso(Math.min(...incidents.map(({ openedAt }) => openedAt)));
  return html`<aside class="trouble ${worst.status}" aria-label="Service status"><p><strong>${headings[worst.status]}</strong> ${effects.slice(0, maxEffects).join(' ')} Since ${when(since, now)}. <a href="/ops">See status</a></p></aside>
`;
}
