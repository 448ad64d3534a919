import { lifetimes } from '../../cache/lifetimes.ts';
import { columnNamed, csvColumns, csvName, jsonColumns, permalink } from '../../record/export-columns.ts';
import { html, jsonLd } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { fold, pageHead, section } from '../parts/section.ts';

/** `/record/export`: what the export is and how to use it. */
export const recordExportPage: FixedPage = {
  path: '/record/export',
  lifetime: lifetimes.release,
  render({ baseUrl }) {
    const csv = `${baseUrl}/record/export.csv`;
    const json = `${baseUrl}/record/export.json`;
    const body = html`${pageHead({
      eyebrow: 'Open data',
      title: 'The record, in full',
      lead: 'Every pick in the ledger with its price, stake, closing price and result. Free, without signup or key.',
    })}${section({
      heading: 'Get it',
      id: 'get',
      body: html`<p class="actions"><a class="button" href="/record/export.csv">Download CSV</a> <a class="button" href="/record/export.json">Open JSON</a> <a href="/record/rss.xml">Follow by RSS</a></p>
<p>A row is locked when its pick is posted. It gains its closing price and its result once; nothing else about it ever changes, and
no row is edited or deleted afterwards. Losses stay where they are.</p>`,
    })}${section({
      heading: 'What to ask for',
      id: 'parameters',
      body: html`<table class="standings split">
<thead><tr><th scope="col">Parameter</th><th scope="col">Default</th><th scope="col">Meaning</th></tr></thead>
<tbody>
<tr><th scope="row"><code>since</code></th><td data-label="Default">none</td><td>Only picks posted at or after this date or instant (any form of ISO 8601 or RFC 3339; UTC where it names no zone)</td></tr>
<tr><th scope="row"><code>sport</code></th><td data-label="Default">all</td><td>One sport key, such as <code>nfl</code></td></tr>
<tr><th scope="row"><code>limit</code></th><td data-label="Default">1000</td><td>Most rows, 1 to 5000</td></tr>
<tr><th scope="row"><code>after_id</code></th><td data-label="Default">none</td><td>Only rows with a larger <code>id</code>: the way through everything, page by page</td></tr>
</tbody>
</table>
<p>The newest rows come first; with <code>since</code> or <code>after_id</code> the oldest do, by <code>id</code>. To page, start with
<code>after_id=0</code>, pass on the last <code>id</code> you got, and stop at an empty page.</p>
<p>A filter that cannot be read falls back to its default: the export never answers with an error for it, and the JSON shows in
<code>filters</code> what was effective. A header, <code>X-Ignored-Parameters</code>, names each parameter that could not be read or was given
more than once; then the first counts. While the ledger cannot be read, JSON says <code>"db_reachable": false</code> and the CSV has a
line that begins with <code>#</code> after its header.</p>`,
    })}${section({
      heading: 'Columns',
      id: 'columns',
      links: [{ path: '/record/export.schema.json', label: 'JSON Schema' }],
      body: html`${fold(
        'All columns',
        html`<table class="standings split">
<thead><tr><th scope="col">CSV</th><th scope="col">JSON</th><th scope="col">Type</th><th scope="col">Meaning</th></tr></thead>
<tbody>
${[...csvColumns, ...jsonColumns.filter((name) => !csvColumns.includes(name))].map(
  (name) =>
    html`<tr><th scope="row">${csvColumns.includes(name) ? html`<code>${csvName(name)}</code>` : '–'}</th><td data-label="JSON"><code>${name}</code></td><td data-label="Type">${typeOf(name)}</td><td>${meaningOf(name)}</td></tr>
`,
)}</tbody>
</table>`,
      )}
<p>CSV follows RFC 4180: UTF-8, commas, CRLF. A text that a spreadsheet might run as a
formula, because it begins with <code>=</code>, <code>+</code>, <code>-</code> or <code>@</code> or has one of these behind spaces, quotes
or separators, has one apostrophe before it, and so has a text that itself begins with an apostrophe: remove one leading apostrophe, and you
have the exact text.</p>`,
    })}${section({
      heading: 'Examples',
      id: 'examples',
      body: html`${fold(
        'curl',
        html`<h3>curl</h3>
<pre tabindex="0"><code>curl --compressed -o record.csv '${csv}?since=2026-01-01&amp;limit=5000'</code></pre>`,
      )}${fold(
        'Python',
        html`<h3>Python</h3>
<pre tabindex="0"><code>import pandas as pd

pages, after = [], 0
while True:
    page = pd.read_csv(f"${csv}?limit=5000&amp;after_id={after}")
    if page.empty:
        break
    pages.append(page)
    after = page["id"].max()
record = pd.concat(pages, ignore_index=True)</code></pre>`,
      )}${fold(
        'R',
        html`<h3>R</h3>
<pre tabindex="0"><code>record &lt;- jsonlite::fromJSON("${json}?sport=nfl&amp;limit=5000")
stopifnot(record$db_reachable)
tapply(record$picks$clv_bps, record$picks$market, mean, na.rm = TRUE)</code></pre>`,
      )}${fold(
        'Spreadsheet',
        html`<h3>Spreadsheet</h3>
<p>Google Sheets: put this into an empty cell. Excel: Data, From Web, with the address in it.</p>
<pre tabindex="0"><code>=IMPORTDATA("${csv}?limit=1000")</code></pre>`,
      )}`,
    })}${section({
      heading: 'Terms of use',
      id: 'terms',
      body: html`<ul class="prose">
<li>You may read, copy, analyse and republish the record, commercially too. Please name Public Picks and link to the permalinks.</li>
<li>Ask no more than once a minute. Answers carry an entity tag; send it back with <code>If-None-Match</code> and pay nothing for what has
not changed.</li>
<li>Names of teams and leagues belong to their owners, and prices come from bookmakers: rights in those are not ours to give.</li>
<li>The record comes as it is, without warranty. It is history and no advice to bet. For people aged 21 and over.</li>
</ul>`,
    })}${section({
      heading: 'Versions',
      id: 'versions',
      body: html`<p>This is version 1. Its columns keep their names, meaning and order; new ones come at the end. Anything else would get an address of its
own, <code>/record/export.v2.json</code>.</p>
<dl class="releases">
<dt><strong>v1.0.0</strong>, <time datetime="2026-04-25">25 April 2026</time></dt>
<dd>First release of the JSON and CSV exports.</dd>
</dl>`,
    })}`;
    return {
      title: 'Record export',
      about:
        'Download every pick in the public ledger as CSV or JSON: prices, stakes, closing prices, results.',
      path: '/record/export',
      feeds: [{ title: 'Settled picks', path: '/record/rss.xml' }],
      under: '/record/export',
      head: jsonLd({
        '@context': 'https://schema.org',
        '@type': 'Dataset',
        name: 'Public Picks record',
        description:
          'Every pick in the public ledger with its price, stake, closing price and result. Append-only.',
        url: `${baseUrl}/record/export`,
        isAccessibleForFree: true,
        distribution: [
          { '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: csv },
          { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: json },
        ],
      }),
      body,
    };
  },
};

function typeOf(name: string): string {
  if (name === permalink) return 'address';
  const { type } = columnNamed(name);
  if (type.scaled) return 'number';
  const names = { timestamptz: 'instant', text: 'text', uuid: 'uuid', boolean: 'true or false' };
  return { ...names, int: 'integer', bigint: 'integer' }[type.sql];
}

function meaningOf(name: string): string {
  return name === permalink ? 'The page of the row.' : columnNamed(name).about.replaceAll('`', '');
}
