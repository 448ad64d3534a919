import { columnNamed, csvColumns, csvName, jsonColumns, permalink } from '../../record/export-columns.ts';
import { curly, html, jsonLd } from '../html.ts';
import type { FixedPage } from '../page.ts';
import { code, table } from '../parts/lists.ts';
import { fold, pageHead, section } from '../parts/section.ts';
import { textOf } from '../rules/pages.ts';

export const recordExportPage: FixedPage = {
  path: '/record/export',
  render({ baseUrl }) {
    const csv = `${baseUrl}/record/export.csv`;
    const json = `${baseUrl}/record/export.json`;
    const body = html`${pageHead({
      eyebrow: 'Open data',
      title: 'The full record',
      lead: 'Every pick in the ledger with its odds, stake, closing odds, and result. Free, with no signup and no API key.',
    })}${section({
      heading: 'Download',
      id: 'get',
      body: html`<p class="actions"><a class="button" href="/record/export.csv">Download CSV</a> <a class="button" href="/record/export.json">Open JSON</a> <a href="/record/export.parquet">Parquet</a> <a href="/record/rss.xml">Follow with RSS</a></p>
<p>Past months are also <a href="/data">data files</a> that never change, with games, results, and cappers.</p>
<p>A row is locked when its pick is posted. Its closing odds and result are added once. Nothing else about it ever changes, and
no row is ever deleted. Losses stay.</p>`,
    })}${section({
      heading: 'Parameters and rules',
      id: 'parameters',
      body: textOf('/rules/answers#the-record-export'),
    })}${section({
      heading: 'Columns',
      id: 'columns',
      data: [{ path: '/record/export.schema.json', label: 'JSON Schema' }],
      body: html`${fold(
        'All columns',
        table(
          ['CSV', 'JSON', 'Type', html`Meaning`],
          [...csvColumns, ...jsonColumns.filter((name) => !csvColumns.includes(name))].map((name) => [
            csvColumns.includes(name) ? html`<code>${csvName(name)}</code>` : 'JSON only',
            html`<code>${name}</code>`,
            typeOf(name),
            meaningOf(name),
          ]),
        ),
      )}`,
    })}${section({
      heading: 'Examples',
      id: 'examples',
      body: html`${code('curl', `curl --compressed -o record.csv '${csv}?since=2026-01-01&limit=5000'`)}${code(
        'Python',
        `import pandas as pd

pages, after = [], 0
while True:
    page = pd.read_csv(f"${csv}?limit=5000&after_id={after}")
    if page.empty:
        break
    pages.append(page)
    after = page["id"].max()
record = pd.concat(pages, ignore_index=True)`,
      )}${code(
        'R',
        `record <- jsonlite::fromJSON("${json}?sport=nfl&limit=5000")
stopifnot(record$db_reachable)
tapply(record$picks$clv_bps, record$picks$market, mean, na.rm = TRUE)`,
      )}${fold(
        'Spreadsheet',
        html`<h3>Spreadsheet</h3>
<p>Google Sheets: paste this into an empty cell. Excel: choose Data, From Web, and paste the URL.</p>
<pre tabindex="0"><code>=IMPORTDATA("${csv}?limit=1000")</code></pre>`,
      )}`,
    })}${section({
      heading: 'Terms of use',
      id: 'terms',
      body: html`<ul class="prose">
<li>You may read, copy, analyze, and republish the record, including commercially. Please credit Public Picks and link to the permalinks.</li>
<li>Poll at most once a minute. Responses have an <code>ETag</code>; send it back as <code>If-None-Match</code> to download only
what changed.</li>
<li>Team and league names belong to their owners, and odds come from bookmakers. We cannot grant rights to those.</li>
<li>The record is provided as is, without warranty. It is history, not betting advice. 21+ only.</li>
</ul>`,
    })}${section({
      heading: 'Versions',
      id: 'versions',
      body: html`<p>This is version 1. Columns keep their names, meanings, and order; new columns are added at the end. An incompatible version would get a new
address, <code>/record/export.v2.json</code>.</p>
<dl class="claims">
<dt><strong>v1.0.0</strong>, <time datetime="2026-04-25">April 25, 2026</time></dt>
<dd>First release of the JSON and CSV exports.</dd>
</dl>`,
    })}`;
    return {
      title: 'Record export',
      about:
        'Download every pick in the public ledger as CSV, JSON, or Parquet: odds, stakes, closing odds, and results.',
      feeds: [{ title: 'Settled picks', path: '/record/rss.xml' }],
      under: '/record/export',
      head: jsonLd({
        '@context': 'https://schema.org',
        '@type': 'Dataset',
        name: 'Public Picks record',
        description:
          'Every pick in the public ledger with its odds, stake, closing odds, and result. Append-only.',
        url: `${baseUrl}/record/export`,
        isAccessibleForFree: true,
        distribution: [
          { '@type': 'DataDownload', encodingFormat: 'text/csv', contentUrl: csv },
          { '@type': 'DataDownload', encodingFormat: 'application/json', contentUrl: json },
          {
            '@type': 'DataDownload',
            encodingFormat: 'application/vnd.apache.parquet',
            contentUrl: `${baseUrl}/record/export.parquet`,
          },
        ],
      }),
      body,
    };
  },
};

function typeOf(name: string): string {
  if (name === permalink) return 'URL';
  const { type } = columnNamed(name);
  if (type.scaled) return 'number';
  const names = { timestamptz: 'timestamp', date: 'day', uuid: 'UUID', boolean: 'true or false' };
  return { ...names, text: 'text', jsonb: 'text', int: 'integer', bigint: 'integer' }[type.sql];
}

function meaningOf(name: string): string {
  return name === permalink ? 'Link to the pick’s page.' : curly(columnNamed(name).about.replaceAll('`', ''));
}
