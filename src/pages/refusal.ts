import { curly, html } from './html.ts';
import { layout } from './layout.ts';
import { pageHead, section } from './parts/section.ts';
import type { Site } from './site.ts';

export interface Refused {
  status: number;
  detail: string;
  requestId: string;
}

const titles: Record<number, string> = {
  400: 'That request is not valid',
  404: 'Page not found',
  405: 'Method not allowed',
  500: 'Something went wrong',
  503: 'Temporarily unavailable',
};

const helps: Record<number, string> = {
  500: 'The error is on our side and has been logged. Try again; the record is not affected.',
  503: 'The ledger cannot be read right now. Nothing is lost. Try again in a few seconds.',
};

export function refusalPage({ status, detail, requestId }: Refused, site: Site): string {
  const title = titles[status] ?? (status < 500 ? 'Request refused' : titles[500]!);
  const body = html`${pageHead({ eyebrow: `Error ${status}`, title, lead: helps[status] ?? curly(detail) })}${section(
    {
      heading: 'Where to go next',
      id: 'further',
      body: html`<ul class="prose">
<li><a href="/">Today</a>: Pick of the Day, consensus, latest results</li>
<li><a href="/leaderboard">Leaderboard</a>: cappers by record, closing line value, and units</li>
<li><a href="/cappers">Cappers</a>: everyone who posts here, by sport and tier</li>
<li><a href="/record/export">Record</a>: every pick, as CSV or JSON</li>
<li><a href="/docs">API reference</a></li>
</ul>
${status >= 500 && html`<p class="note">If this keeps happening, send the operator this request ID: <code>${requestId}</code></p>`}`,
    },
  )}`;
  return layout({ title, about: detail, body }, site);
}
