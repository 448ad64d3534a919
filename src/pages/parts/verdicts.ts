import type { PublicPick } from '../../boards/pick.ts';
import { type ShownVerdict, shownVerdicts, verdictsOf } from '../../proof/verdicts.ts';
import { type Html, html } from '../html.ts';

type Judged = Pick<
  PublicPick,
  'hashStatus' | 'provenance' | 'sealedInTime' | 'result' | 'priceCheck' | 'postedBy'
>;

/** The four verdicts, in words, as in its receipt. */
export function pickVerdicts({
  hashStatus,
  provenance,
  sealedInTime,
  result,
  priceCheck,
  postedBy,
}: Judged): ShownVerdict[] {
  const verdicts = verdictsOf({
    sealed: hashStatus === 'sealed',
    provenance,
    sealedInTime,
    price: priceCheck?.verdict ?? (result === null ? null : 'unchecked'),
    authorVerified: postedBy === 'author',
  });
  return shownVerdicts(verdicts).map((shown) =>
    shown.key === 'price' && priceCheck?.provisional === true
      ? { ...shown, word: `${shown.word} so far` }
      : shown,
  );
}

const glyphs = { good: '✓', plain: '○', claim: '?', bad: '✕' } as const;

export function verdictTicks(pick: Judged): Html {
  const verdicts = pickVerdicts(pick);
  return html`<details class="ticks"><summary>${verdicts.map(
    ({ name, word, tone }) =>
      html`<span class="${tone}"><small>${name}</small> <b>${glyphs[tone]} ${word}</b></span> `,
  )}</summary><dl class="verdicts">${verdicts.map(
    ({
      name,
      word,
      tone,
      meaning,
    }) => html`<div class="${tone}"><dt>${name}</dt><dd><strong>${word}</strong> <small>${meaning}</small></dd></div>
`,
  )}</dl></details>`;
}
