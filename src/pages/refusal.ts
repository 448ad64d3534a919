import { html } from './html.ts';
import { layout } from './layout.ts';
import { pageHead, section } from './parts/section.ts';
import type { Site } from './site.ts';

/** What a reader who asked for a page gets instead of one. */
export interface Refused {
  /** The HTTP status. */
  status: number;
  /** A sentence for the reader. */
  detail: string;
  /** By which the logs know the request. */
  requestId: string;
}

const titles: Record<number, string> = {
  400: 'That cannot be read',
  404: 'There is nothing here',
  405: 'Not like this',
  500: 'Something went wrong on our side',
  503: 'The ledger is out of reach',
};

const helps: Record<number, string> = {
  500: 'It has been noted. Trying again may help; the record itself is not harmed by it.',
  503: 'It cannot be read at the moment. Nothing is lost; please try again in a few seconds.',
};

/** The page in place of one that cannot be shown: what is the matter, and where to go from here. */
export function refusalPage({ status, detail, requestId }: Refused, site: Site): string {
  const title = titles[status] ?? (status < 500 ? 'That does not work' : titles[500]!);
  const body = html`${pageHead({ eyebrow: `Error ${status}`, title, lead: helps[status] ?? detail })}${section(
    {
      heading: 'From here',
      id: 'further',
      body: html`<ul class="prose">
<li><a href="/">Today</a>: the pick of the day, consensus, latest settlements</li>
<li><a href="/leaderboard">Leaderboard</a>: cappers by record, price and units</li>
<li><a href="/cappers">Cappers</a>: all of them, by sport and tier</li>
<li><a href="/record/export">The record</a>: every pick there is, as CSV and JSON</li>
<li><a href="/docs">API reference</a></li>
</ul>
${status >= 500 && html`<p class="note">If it stays like this, tell the operator this number: <code>${requestId}</code></p>`}`,
    },
  )}`;
  return layout({ title, about: detail, body }, site);
}
