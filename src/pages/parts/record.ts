import type { Static } from 'typebox';
import type { recordSchema } from '../../boards/record.ts';
import { clv, counted, countText, netUnits, recordText, signedPercent } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { excess, hitRate, roi, sampleMark } from './rate.ts';

export type Record = Static<typeof recordSchema>;

/** A record in full, as facts below a name. */
export function recordCard(name: string, record: Record): Html {
  const { picks, clvMeanBps, clvSample, clvMovedSample, edgeMeanPct, edgeSample, unitsStaked } = record;
  const { importedPicks, latePicks } = record;
  if (picks === 0)
    return html`<div class="record"><h3>${name}</h3><p class="quiet">Nothing settled.</p></div>`;
  return html`<div class="record"><h3>${name}</h3>
<p class="tally"><b>${recordText(record.record)}</b> <small>won, lost, push · ${counted(picks, 'pick')}</small></p>
${(importedPicks > 0 || latePicks > 0) && html`<p class="quiet"><small>${countText(importedPicks)} of ${countText(picks)} imported${latePicks > 0 && html`, <span class="cost">${countText(latePicks)} sealed late</span>`}</small></p>`}
<dl>
<div><dt>Hit rate</dt><dd>${hitRate({ ...record, record: undefined })}</dd></div>
<div><dt>Against the price</dt><dd>${excess(record)}</dd></div>
<div><dt>Net units</dt><dd>${netUnits(record.unitsNet)} <small>on ${countText(Math.round(unitsStaked))}u</small> ${roi(record)}</dd></div>
<div><dt>Edge, mean</dt><dd>${signedPercent(edgeMeanPct)} <small>n ${countText(edgeSample)}</small>${edgeSample > 0 && sampleMark(edgeSample)}</dd></div>
<div><dt><abbr title="closing line value">CLV</abbr>, mean</dt><dd>${clv(clvMeanBps)} <small>n ${countText(clvSample)}${clvMovedSample > 0 && `, line moved on ${countText(clvMovedSample)} more`}</small>${clvSample > 0 && sampleMark(clvSample)}</dd></div>
</dl></div>
`;
}
