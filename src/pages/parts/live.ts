import { type Html, html } from '../html.ts';

/** `src/pages/client.js` says here what happened since the page was loaded; empty without a script. @param filters of the event stream */
export function liveNotice(filters: { capper_handle?: string; sport?: string } = {}): Html {
  return html`<div class="live" data-live="${new URLSearchParams(filters).toString()}"><p role="status"></p><button type="button" hidden>Show</button></div>
`;
}
