import type { PublicPick } from '../../boards/pick.ts';
import { type ShownVerdict, shownVerdicts, verdictsOf } from '../../proof/verdicts.ts';
import { type Html, html } from '../html.ts';

type Judged = Pick<
  PublicPick,
  'hashStatus' | 'provenance' | 'sealedInTime' | 'result' | 'priceCheck' | 'postedBy'
>;

/** Returns the four verdicts on a pick in words, as in its receipt. */
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

/** Renders the four verdicts on a pick: the subject, a word, and its meaning. */
export function verdictList(pick: Judged): Html {
  return html`<dl class="verdicts">${pickVerdicts(pick).map(
    ({
      name,
      word,
      tone,
      meaning,
    }) => html`<div class="${tone}"><dt>${name}</dt><dd><strong>${word}</strong> <small>${meaning}</small></dd></div>
`,
  )}</dl>`;
}
