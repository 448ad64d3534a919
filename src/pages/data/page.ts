import type { DataFile } from '../../proof/data-index.ts';
import { dataTables } from '../../record/data-files.ts';
import { html } from '../html.ts';
import type { Page } from '../layout.ts';
import { code, table } from '../parts/lists.ts';
import { pageHead, section } from '../parts/section.ts';

/** The query of the page's DuckDB line: the ranking of `/leaderboard?by=units` over the listed months. */
export function unitsQuery(files: readonly string[]): string {
  return `select capper, round(sum(net_units), 2) as units from read_parquet([${files.map((file) => `'${file}'`).join(', ')}]) where counted_odds is not null group by capper order by units desc, capper`;
}

/** `/data`: the files, and a line for each program that reads them. @param files null: the service writes none */
export function dataPage(files: readonly DataFile[] | null, baseUrl: string): Page {
  const address = (name: string) => `${baseUrl}/data/${name}`;
  const months = [...new Set((files ?? []).map(({ name }) => monthOf(name)))].sort().reverse();
  const picks = (files ?? [])
    .filter(({ name }) => name.startsWith('picks-'))
    .map(({ name }) => address(name));
  const first = picks.at(-1) ?? address('picks-2026-10.parquet');
  return {
    title: 'Data files',
    about: 'The record of past months as Parquet files: picks, games, results, cappers, and prices.',
    path: '/data',
    under: '/record/export',
    body: html`${pageHead({
      eyebrow: html`<a href="/record/export">Record</a>`,
      title: 'Data files',
      lead: 'The record of past months as Parquet files. A file never changes. Free, with no signup and no API key.',
    })}${section({
      heading: 'Files',
      id: 'files',
      links: files === null || files.length === 0 ? [] : [{ path: '/data/index', label: 'Signed index' }],
      note: 'A month holds the picks whose results the log had by its end, UTC. The current month is in the record export.',
      body:
        months.length === 0
          ? html`<p class="empty">${files === null ? 'This service writes no data files.' : 'No files yet: those of a month are written soon after it ends.'} The <a href="/record/export">record export</a> has every pick.</p>`
          : html`${table(
              ['Month', 'Files'],
              months.map((month) => [
                month,
                (files ?? [])
                  .filter(({ name }) => monthOf(name) === month)
                  .map(
                    ({ name, bytes, sha256 }) =>
                      html`<a href="/data/${name}" title="SHA-256: ${sha256}">${name.replace(/-.*/, '')}</a> (${sizeText(bytes)}) `,
                  ),
              ]),
            )}
<p>The index is a note signed by the <a href="/ledger">log</a>’s key, with the SHA-256 of each file.</p>`,
    })}${section({
      heading: 'Contents',
      id: 'contents',
      body: html`<dl class="claims">
${dataTables.map(
  ({ name, about, columns }) =>
    html`<dt><strong>${name}</strong></dt><dd>${about} Columns: ${columns.map(({ name: column }, at) => html`${at > 0 && ', '}<code>${column}</code>`)}.</dd>
`,
)}<dt><strong>prices</strong></dt><dd>A stored price, as the log has it, if the service publishes prices.</dd>
</dl>`,
    })}${section({
      heading: 'Read them',
      id: 'read',
      body: html`${code('DuckDB', `duckdb -c "${unitsQuery(picks.length === 0 ? [first] : picks)}"`)}
${code('pandas', `picks = pd.concat(pd.read_parquet(f) for f in [${(picks.length === 0 ? [first] : picks).map((file) => `"${file}"`).join(', ')}])`)}
${code('R', `picks <- arrow::read_parquet("${first}")`)}
${code('Excel', `Data > Get Data > From Other Sources > Blank Query: = Parquet.Document(Web.Contents("${first}"))`)}
${code('Google Sheets', `=IMPORTDATA("${baseUrl}/record/export.csv?limit=5000")`)}
<p>Google Sheets reads no Parquet, so its line reads the record export.</p>`,
    })}`,
  };
}

const monthOf = (name: string) => name.replace(/^.*?-(\d{4}-\d\d)\..*$/, '$1');

function sizeText(bytes: number): string {
  return bytes < 1_000_000 ? `${Math.ceil(bytes / 1000)} KB` : `${(bytes / 1_000_000).toFixed(1)} MB`;
}
