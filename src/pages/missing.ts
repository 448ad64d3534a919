import { html } from './html.ts';
import { layout } from './layout.ts';

/** The page of a record that does not exist. */
export function missingRecordPage(baseUrl: string): string {
  const body = html`<h1>There is no such record</h1>
<p class="lead">No pick has this number. Numbers are given when a pick is posted, and none is ever taken back.</p>
<p>All there are can be had from <a href="/record/export">the record</a>.</p>`;
  return layout({ title: 'No such record', about: 'No pick has this number.', body }, baseUrl);
}

/** The page while the ledger cannot be read. */
export function awayPage(baseUrl: string): string {
  const body = html`<h1>The ledger is out of reach</h1>
<p class="lead">It cannot be read at the moment. Nothing is lost; please try again in a few seconds.</p>`;
  return layout({ title: 'Out of reach', about: 'The ledger cannot be read at the moment.', body }, baseUrl);
}
