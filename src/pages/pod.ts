import type { Static } from 'typebox';
import { oddsText } from '../boards/formats/odds-text.ts';
import { podBoard } from '../boards/picks/pod.ts';
import { podArchive } from '../boards/picks/pod-archive.ts';
import { Type } from '../platform/type.ts';
import { confidenceBars } from './charts/confidence-bars.ts';
import { netUnits, selectionText } from './figures.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { featuredPick } from './parts/featured-pick.ts';
import { outcome } from './parts/pick-list.ts';
import { recordCard } from './parts/record.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { shareLinks } from './parts/share-links.ts';
import { dayText } from './times.ts';

/** Days of the archive that are shown at once. */
const archived = 14;

/** `/pod`: the Pick of the Day, and those of the days before. */
export const podPage = page({
  path: '/pod',
  params: Type.Object({ before: podArchive.params.properties.before }),
  lifetime: podBoard.lifetime,
  tags: podBoard.tags,
  examples: [{}, { before: '2100-01-01' }],
  async data(context, params) {
    const [pod, archive] = await Promise.all([
      podBoard.compute(context, {}),
      podArchive.compute(context, { ...params, limit: archived }),
    ]);
    return { pod, archive };
  },
  render({ pod, archive }, { now, site, params: { before } }) {
    const { pick, confidence } = pod;
    const body = html`${pageHead({
      eyebrow: dayText(pod.day),
      title: 'Pick of the Day',
      lead: 'One pick a day, chosen by a rule and kept, whatever becomes of it.',
    })}${section({ heading: 'Today', id: 'today', body: featuredPick(pod, now), links: [{ path: '/api/pod', label: 'JSON' }] })}${
      confidence !== null &&
      section({
        heading: 'Confidence Index',
        id: 'confidence',
        how: '#confidence',
        note: `${confidence.index.toFixed(1)} of 100. It weighs what is known of the capper and the price. It is no probability of winning.`,
        body: confidenceBars(confidence.components),
      })
    }${
      archive.record.picks > 0 &&
      section({
        heading: 'Record',
        id: 'record',
        how: '#price',
        note: 'Every Pick of the Day so far, as it was posted. A rule that chooses well is no promise that it will.',
        links: [{ path: '/api/pod/archive', label: 'JSON' }],
        body: html`<div class="records">${recordCard('All picks of the day', archive.record)}</div>`,
      })
    }${
      (archive.days.length > 0 || before !== undefined) &&
      section({
        heading: 'Archive',
        id: 'archive',
        note:
          before === undefined
            ? 'The latest day first.'
            : html`Before ${dayText(before)}. <a href="/pod">The latest</a>`,
        body:
          archive.days.length === 0
            ? empty('No Pick of the Day before that.')
            : html`${dayList(archive.days)}${
                archive.nextBefore !== null &&
                html`<p class="rest"><a href="/pod?before=${archive.nextBefore}#archive">Earlier days</a></p>`
              }`,
      })
    }${section({
      heading: 'The rule',
      id: 'rule',
      body: html`<ul class="prose">
<li>At 9 AM Eastern Time, or at the first moment after that with a candidate, the pending pick on a game of the day that has not started with the highest Confidence Index is chosen.</li>
<li>Between equals the higher tier decides, then the earlier posting.</li>
<li>The choice is stored once and kept for the day. It is not taken back when it loses.</li>
</ul>`,
    })}${
      pick !== null &&
      section({
        heading: 'Share',
        id: 'share',
        body: shareLinks(`${site.baseUrl}/pod`, `Pick of the Day, ${dayText(pod.day)}`),
      })
    }`;
    return {
      title: 'Pick of the Day',
      about:
        pick === null
          ? 'One pick a day, chosen by a rule and kept, whatever becomes of it.'
          : `${dayText(pod.day)}: ${selectionText(pick)} in ${pick.game}, by ${pick.capperHandle}.`,
      path: '/pod',
      under: '/pod',
      card: {
        path: '/pod/card.png',
        alt: pick === null ? 'Pick of the Day' : `Pick of the Day: ${selectionText(pick)}, ${pick.game}`,
      },
      body,
    };
  },
});

function dayList(days: Static<typeof podArchive.body>['days']): Html {
  return html`<table class="standings split">
<thead><tr><th scope="col">Day (ET)</th><th scope="col">Pick</th><th scope="col">Price</th><th scope="col">Capper</th><th scope="col">Result</th></tr></thead>
<tbody>${days.map(
    ({ day, pick }) =>
      html`<tr><th scope="row">${day}</th><td data-label="Pick"><a href="/p/${pick.pickUuid}"><bdi>${selectionText(pick)}</bdi></a></td><td data-label="Price">${oddsText(pick.oddsAmerican)}</td><td data-label="Capper">${capperLink(pick.capperHandle)}</td><td data-label="Result">${outcome(pick.result)}${pick.result !== null && html` ${netUnits(pick.netUnits)}`}</td></tr>
`,
  )}</tbody></table>`;
}
