import type { Verdict } from '../../rules/verdict.ts';
import { type Html, html } from '../html.ts';

/** The only colors of a record: they follow its verdict (docs/rules/records.md#on-pages). */
const shown = {
  proven: { label: 'Proven', tone: 'gain' },
  promising: { label: 'Promising', tone: 'gain' },
  losing: { label: 'Losing', tone: 'cost' },
  unproven: { label: 'Unproven', tone: 'even' },
} as const;

export function verdictLabel({ word }: Pick<Verdict, 'word'>): string {
  return shown[word].label;
}

export function verdictTone({ word }: Pick<Verdict, 'word'>): 'gain' | 'cost' | 'even' {
  return shown[word].tone;
}

export function verdictCell(verdict: Verdict): Html {
  return html`<b class="${verdictTone(verdict)}">${verdictLabel(verdict)}</b> <small>${verdict.sentence}</small>`;
}

/** @param of the part of the record that it covers, if not all of it. @param how where its rule is explained */
export function verdictFinding({ missing, ...verdict }: Verdict, of: string, how: string): Html {
  return html`<p class="finding"><b class="${verdictTone(verdict)}">${verdictLabel(verdict)}${of !== '' && ` in ${of}`}.</b> ${verdict.sentence}${missing !== null && html` <span class="quiet">Missing: ${missing}</span>`} <a href="${how}">How verdicts are decided</a></p>`;
}

/** Empty if anybody in the list is proven. */
export function nobodyProven(verdicts: readonly Verdict[]): string {
  return verdicts.length === 0 || verdicts.some(({ word }) => word === 'proven')
    ? ''
    : 'Nobody here is proven to have skill.';
}

const edgeMeaning = 'profit expected by the market’s last odds, without the bookmaker’s cut';
const clvMeaning = 'the odds taken against the market’s last odds';

export const edgeExplained = `Edge: ${edgeMeaning}.`;

export const explained = `${edgeExplained} CLV (closing line value): ${clvMeaning}.`;

/** The same two figures, as labels that explain themselves. */
export const clvLabel = html`<abbr title="closing line value: ${clvMeaning}">CLV</abbr>`;
export const edgeLabel = html`<abbr title="${edgeMeaning}">Average edge</abbr>`;
