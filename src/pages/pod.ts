import { Type } from 'typebox';
import { podBoard } from '../boards/picks/pod.ts';
import { confidenceBars } from './charts/confidence-bars.ts';
import { html } from './html.ts';
import { page } from './page.ts';
import { featuredPick } from './parts/featured-pick.ts';
import { pageHead, section } from './parts/section.ts';
import { shareLinks } from './parts/share-links.ts';
import { dayText } from './times.ts';

/** `/pod`: the Pick of the Day. */
export const podPage = page({
  path: '/pod',
  params: Type.Object({}),
  lifetime: podBoard.lifetime,
  tags: podBoard.tags,
  examples: [{}],
  data: (context) => podBoard.compute(context, {}),
  render(pod, { now, site }) {
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
          : `${dayText(pod.day)}: ${pick.pick} in ${pick.game}, by ${pick.capperHandle}.`,
      path: '/pod',
      under: '/pod',
      card: {
        path: '/pod/card.png',
        alt: pick === null ? 'Pick of the Day' : `Pick of the Day: ${pick.pick}, ${pick.game}`,
      },
      body,
    };
  },
});
