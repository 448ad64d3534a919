import { iso } from '../../platform/clock.ts';
import type { OpenIncident } from '../../status/open-incidents.ts';
import { entryOf } from '../../status/runbook.ts';
import { type Html, html } from '../html.ts';
import { when } from '../times.ts';

/** More are on `/ops`. */
const maxEffects = 3;

const headings = {
  degraded: 'Not everything is up to date.',
  down: 'Part of this service does not work.',
} as const;

/**
 * What goes wrong at the moment, in the words of who reads pages (docs/decisions/0055-incidents-on-pages.md). Nothing while all is well.
 * @param incidents the worst first
 * @param now epoch milliseconds
 */
export function troubleBanner(incidents: readonly OpenIncident[], now: number): Html | undefined {
  const [worst] = incidents;
  if (worst === undefined) return undefined;
  const effects = [...new Set(incidents.flatMap(({ check }) => entryOf(check)?.readers ?? []))];
  const since = iso(Math.min(...incidents.map(({ openedAt }) => openedAt)));
  return html`<aside class="trouble ${worst.status}" aria-label="Trouble"><p><strong>${headings[worst.status]}</strong> ${effects.slice(0, maxEffects).join(' ')} Since ${when(since, now)}. <a href="/ops">${
    effects.length > maxEffects ? 'What else, and how it goes on' : 'How it goes on'
  }</a></p></aside>
`;
}
