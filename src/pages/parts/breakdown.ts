import type { Static } from 'typebox';
import type { capperBreakdown } from '../../boards/cappers/breakdown.ts';
import { type Html, html } from '../html.ts';
import { monthText } from '../times.ts';
import { bandText } from './luck.ts';
import { hitRate, units, yieldText } from './rate.ts';
import type { Record } from './record.ts';

type Breakdown = Static<typeof capperBreakdown.body>;

/** Renders a record by month, by odds, and by stake. Each table unfolds. */
export function breakdownTables({ months, odds, stakes }: Breakdown): Html {
  return html`${table('By month', 'Month', months, ({ month }) => monthText(month))}${table('By odds', 'Odds', odds, bandText)}${table('By stake', 'Stake', stakes, stakeText)}`;
}

function stakeText({ fromUnits, toUnits }: Breakdown['stakes'][number]): string {
  if (fromUnits === null) return `Under ${toUnits}u`;
  return toUnits === null ? `${fromUnits}u and up` : `${fromUnits}u to under ${toUnits}u`;
}

function table<Row extends Record>(
  summary: string,
  heading: string,
  rows: readonly Row[],
  name: (row: Row) => string,
): Html {
  return html`<details class="more"><summary>${summary}</summary>
<table class="standings split">
<thead><tr><th scope="col">${heading}</th><th scope="col">Yield</th><th scope="col">Hit rate (W–L–P)</th><th scope="col">Net units</th></tr></thead>
<tbody>${rows.map(
    (
      row,
    ) => html`<tr><th scope="row">${name(row)}</th><td data-label="Yield">${yieldText(row)}</td><td data-label="Hit rate">${hitRate(row)}</td><td data-label="Net units">${units(row)}</td></tr>
`,
  )}</tbody></table></details>
`;
}
