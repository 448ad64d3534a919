import type { Static } from 'typebox';
import { oddsText } from '../boards/formats/odds-text.ts';
import { selectionText, sportTag } from '../boards/formats/pick-text.ts';
import { podArchive, podBoard } from '../boards/picks/pod.ts';
import { Type } from '../platform/type.ts';
import { bookName } from '../rules/book-words.ts';
import { confidenceBars } from './charts/confidence-bars.ts';
import { netUnits, odds } from './figures.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { capperLink, capperOf } from './parts/capper.ts';
import { listed, table } from './parts/lists.ts';
import { outcome, pickLink } from './parts/pick-list.ts';
import { recordCard } from './parts/record.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { shareLinks } from './parts/share-links.ts';
import { edgeExplained } from './parts/verdict.ts';
import { dateText, dayText, when } from './times.ts';

const archived = 14;

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
      lead: 'One pick a day, chosen by a fixed rule. It stays on the record, win or lose.',
    })}${section({ heading: 'Today', id: 'today', how: '#pod', body: featuredPick(pod, now), data: [{ path: '/api/pod' }] })}${
      confidence !== null &&
      section({
        heading: 'Confidence Index',
        id: 'confidence',
        how: '#confidence',
        note: `${confidence.index.toFixed(1)} out of 100. It rates the capper and the odds. It is not a probability of winning. ${edgeExplained}`,
        body: confidenceBars(confidence.components),
      })
    }${
      archive.record.picks > 0 &&
      section({
        heading: 'Record',
        id: 'record',
        how: '#price',
        note: 'Every Pick of the Day so far, at the odds posted. Past results do not guarantee future results.',
        data: [{ path: '/api/pod/archive' }],
        body: html`<div class="records">${recordCard('Every Pick of the Day', archive.record)}</div>`,
      })
    }${
      (archive.days.length > 0 || before !== undefined) &&
      section({
        heading: 'Archive',
        id: 'archive',
        note:
          before === undefined
            ? 'Most recent first.'
            : html`Before ${dayText(before)}. <a href="/pod">The latest</a>`,
        body: html`${listed(archive.days, 'No earlier Picks of the Day.', dayList)}${
          archive.nextBefore !== null &&
          html`<p class="rest"><a href="/pod?before=${archive.nextBefore}#archive">Earlier days</a></p>`
        }`,
      })
    }${
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
          ? 'One pick a day, chosen by a fixed rule. It stays on the record, win or lose.'
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

function dayList(days: readonly Static<typeof podArchive.body>['days'][number][]): Html {
  return table(
    ['Day (ET)', 'Pick', 'Odds', 'Capper', 'Result'],
    days.map(({ day, pick }) => [
      dateText(`${day}T12:00:00Z`),
      pickLink(pick),
      oddsText(pick.oddsAmerican),
      capperLink({ handle: pick.capperHandle, verified: pick.capperVerified }),
      html`${outcome(pick.result, pick.half)}${pick.result !== null && html` ${netUnits(pick.netUnits)}`}`,
    ]),
  );
}

function featuredPick({ pick, confidence, now: offer }: Static<typeof podBoard.body>, now: number): Html {
  if (pick === null)
    return empty(
      'No pick yet today. It is chosen at 9 AM ET, or when the first pick on a remaining game is posted after that.',
    );
  return html`<article class="featured">
<div class="featured-what"><p class="note"><span class="sport">${sportTag(pick.sport)}</span> <bdi>${pick.game}</bdi>${
    pick.startsAt !== null && html`, ${when(pick.startsAt, now)}`
  }</p>
<h3>${pickLink(pick)}</h3>
<p class="featured-price">${odds(pick.oddsAmerican)} <span class="by">by ${capperOf(pick)}</span> ${outcome(pick.result, pick.half)}</p>
<p class="note">Posted at ${oddsText(pick.oddsAmerican)} on ${when(pick.postedAt, now)}.${
    offer !== null &&
    html` Now <b>${oddsText(offer.oddsAmerican)}</b> at <bdi>${bookName(offer.book)}</bdi>, as of ${when(offer.seenAt, now)}.`
  }</p></div>
${
  confidence !== null &&
  html`<p class="index"><b>${confidence.index.toFixed(1)}</b> <small>/ 100<br><abbr title="Confidence Index, version R24">Confidence Index</abbr></small></p>`
}
</article>`;
}
