import { type Html, html } from '../html.ts';

/**
 * Renders a line in which `src/pages/client.js` says what happened since the page was loaded. Empty without a script.
 * @param filters of the event stream; only matching events count
 */
export function liveNotice(filters: { capper_handle?: string; sport?: string } = {}): Html {
  return html`<div class="live" data-live="${new URLSearchParams(filters).toString()}"><p role="status"></p><button type="button" hidden>Show</button></div>
`;
}
