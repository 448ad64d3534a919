import type { Static } from 'typebox';
import type { CloseFigures } from '../../boards/cappers/close-figures.ts';
import type { recordSchema } from '../../boards/record.ts';
import { counted, countText, recordText } from '../figures.ts';
import { type Html, html } from '../html.ts';
import { closeOf, hitRate, meanEdge, units, yieldText } from './rate.ts';
import { clvLabel, edgeLabel } from './verdict.ts';

export type Record = Static<typeof recordSchema>;

export function recordCard(name: string, record: Record, close?: CloseFigures): Html {
  const { picks, clvMovedSample, unitsStaked } = record;
  const { importedPicks, latePicks } = record;
  const leftOut = record.unseen;
  if (picks === 0)
    return html`<div class="record"><h3>${name}</h3><p class="quiet">${leftOut > 0 ? `No settled picks that count; ${countText(leftOut)} not counted.` : 'No settled picks.'}</p></div>`;
  return html`<div class="record"><h3>${name}</h3>
<p class="tally"><b>${recordText(record.record)}</b> <small>W–L–P · ${counted(picks, 'pick')}${importedPicks > 0 && `, ${importedPicks === picks ? 'all' : countText(importedPicks)} imported`}${latePicks > 0 && html`, <span class="cost">${countText(latePicks)} sealed late</span>`}${leftOut > 0 && html`, <span class="cost">${countText(leftOut)} not counted</span>`}</small></p>
<dl>
<div><dt>Hit rate</dt><dd>${hitRate({ ...record, record: undefined })}</dd></div>
<div><dt>Yield</dt><dd>${yieldText(record)}</dd></div>
<div><dt>Net units</dt><dd>${units(record)} <small>of ${countText(Math.round(unitsStaked))}u staked</small></dd></div>
<div><dt>${edgeLabel}</dt><dd>${meanEdge(record, close)}</dd></div>
${
  close !== undefined &&
  html`<div><dt>${clvLabel}</dt><dd>${closeOf(close)}${clvMovedSample > 0 && html`<small class="wide">; the line moved on ${countText(clvMovedSample)} more</small>`}</dd></div>
`
}</dl></div>
`;
}
