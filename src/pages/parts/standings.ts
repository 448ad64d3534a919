import type { CloseFigures } from '../../boards/cappers/close-figures.ts';
import type { Verdict } from '../../rules/verdict.ts';
import { clv, signedText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { capperLink } from './capper.ts';
import { closeOf, edgeText, sampleText, units, yieldText } from './rate.ts';
import type { Record as ShownRecord } from './record.ts';
import { clvLabel, edgeLabel, verdictCell } from './verdict.ts';

export type OrderName = 'record' | 'clv' | 'units';
type Row = ShownRecord &
  Parameters<typeof capperLink>[0] & { rank: number | null; verdict: Verdict; onePick?: boolean };

const figures: Readonly<
  Record<
    OrderName,
    { label: Html | string; plain: string; of(row: Row, close: CloseFigures | undefined): Html }
  >
> = {
  record: {
    label: 'Yield',
    plain: 'Yield',
    of: ({ yieldPct, yieldLowPct, yieldHighPct }) => yieldText({ yieldPct, yieldLowPct, yieldHighPct }),
  },
  units: { label: 'Net units', plain: 'Net units', of: (row) => html`${units(row)}${flatUnits(row)}` },
  clv: {
    label: clvLabel,
    plain: 'CLV',
    of: ({ clvMeanBps }, close) =>
      html`${clv(clvMeanBps)} <small>average</small>${close !== undefined && html` <small>${closeOf(close)}</small>`}`,
  },
};

/** Each capper with the verdict, the figure that ranks, the edge, and the sample. @param filter of the boards, for the links */
export function standings(
  cappers: readonly Row[],
  filter: Parameters<typeof capperLink>[1],
  by: OrderName = 'record',
  closes: ReadonlyMap<string, CloseFigures> = new Map(),
): Html {
  const { label, plain, of } = figures[by];
  return html`<table class="standings three">
<thead><tr><th scope="col">Rank</th><th scope="col">Capper</th><th scope="col">Verdict</th><th scope="col" aria-sort="descending">${label}</th><th scope="col">${edgeLabel}</th><th scope="col">Sample (W–L–P)</th></tr></thead>
<tbody>
${cappers.map((row) => {
  const close = closes.get(row.handle);
  return html`<tr><td class="rank">${row.rank ?? '–'}</td><th scope="row">${capperLink(row, filter)}</th><td>${verdictCell(row.verdict)}</td><td data-label="${plain}">${of(row, close)}</td><td data-label="Average edge">${edgeText(row, close)}</td><td data-label="Sample">${sampleText(row)}</td></tr>
`;
})}</tbody>
</table>`;
}

function flatUnits({ flatUnits: flat, onePick }: Row): Html {
  return html`${flat !== null && html` <small>equal stakes ${signedText(flat, 2)}u</small>`}${onePick === true && html` <small class="small-sample">lead of one pick</small>`}`;
}
