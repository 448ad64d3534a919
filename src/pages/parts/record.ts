import type { Static } from 'typebox';
import type { recordSchema } from '../../boards/record.ts';
import { clv, counted, countText, netUnits, percentText, recordText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { hitRate, sampleMark } from './rate.ts';

export type Record = Static<typeof recordSchema>;

/** A record in full, as facts below a name. */
export function recordCard(name: string, record: Record): Html {
  const { wins, losses, picks, roiPct, clvMeanBps, clvSample, clvSameLineSample, unitsStaked } = record;
  const { importedPicks, latePicks } = record;
  if (picks === 0)
    return html`<div class="record"><h3>${name}</h3><p class="quiet">Nothing settled.</p></div>`;
  return html`<div class="record"><h3>${name}</h3>
<p class="tally"><b>${recordText(record.record)}</b> <small>won, lost, push · ${counted(picks, 'pick')}</small></p>
${(importedPicks > 0 || latePicks > 0) && html`<p class="quiet"><small>${countText(importedPicks)} of ${countText(picks)} imported${latePicks > 0 && html`, <span class="cost">${countText(latePicks)} sealed late</span>`}</small></p>`}
<dl>
<div><dt>Hit rate</dt><dd>${hitRate({ wins, losses })}</dd></div>
<div><dt>Net units</dt><dd>${netUnits(record.unitsNet)} <small>on ${countText(Math.round(unitsStaked))}u, ROI ${percentText(roiPct)}</small></dd></div>
<div><dt><abbr title="closing line value">CLV</abbr>, mean</dt><dd>${clv(clvMeanBps)} <small>n ${countText(clvSample)}, line unmoved on ${countText(clvSameLineSample)}</small>${clvSample > 0 && sampleMark(clvSample)}</dd></div>
</dl></div>
`;
}
