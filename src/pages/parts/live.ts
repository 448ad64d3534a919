import { type Html, html } from '../html.ts';

/** Of `src/pages/live/client.js`. */
export const liveScriptPath = '/assets/live.js';

/**
 * A line that says what happened since the page was loaded, where scripts run; empty otherwise.
 * @param filters of the event stream: only what they let through counts
 */
export function liveNotice(filters: { capper_handle?: string; sport?: string } = {}): Html {
  return html`<div class="live" data-live="${new URLSearchParams(filters).toString()}"><p role="status"></p><button type="button" hidden>Show</button></div>
<script type="module" src="${liveScriptPath}"></script>
`;
}
