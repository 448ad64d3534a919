import { type BoardContext, NotFound } from '../boards/endpoint.ts';
import { oddsText } from '../boards/formats/odds-text.ts';
import {
  countedAt,
  lineText,
  notCounted,
  outcomeText,
  ownWords,
  selectionText,
  sportTag,
  units,
} from '../boards/formats/pick-text.ts';
import { uuid } from '../boards/params.ts';
import { pickClosing } from '../boards/picks/closing.ts';
import { pickTimeline } from '../boards/picks/events.ts';
import { pickBoard, relatedPicks } from '../boards/picks/pick.ts';
import { pickConfidence } from '../boards/picks/pod.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { bookName } from '../rules/book-words.ts';
import { confidenceBars } from './charts/confidence-bars.ts';
import { lineField } from './charts/price-line.ts';
import { clv, counted, netUnits, odds, percentText, signedPercent } from './figures.ts';
import { type Html, html, jsonLd } from './html.ts';
import { labelOf } from './labels.ts';
import type { Page } from './layout.ts';
import { page, type View } from './page.ts';
import { capperOf, capperPath } from './parts/capper.ts';
import { aboutLinks, teamLinks } from './parts/entity-links.ts';
import { pathWith } from './parts/filters.ts';
import { gradedText, lifeOf } from './parts/life.ts';
import { facts } from './parts/lists.ts';
import { oddsTaken, outcome, pickList } from './parts/pick-list.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { shareLinks } from './parts/share-links.ts';
import { verdictTicks } from './parts/verdicts.ts';
import { fullWhen, hasStarted, startDate, unknownStart } from './times.ts';

const hours = 72;
const maxRelated = 5;

type PickData = Awaited<ReturnType<typeof readPick>>;

export const pickPage = page({
  path: '/p/:uuid',
  params: Type.Object({ uuid }),
  tags: () => everyEvent,
  examples: [{ uuid: '{uuid}' }],
  data: (context, params) => readPick(context, params.uuid),
  render: renderPick,
});

/** `/record/:id`: the same page by record number. Its canonical address is `/p/:uuid`. */
export const recordEntryPage = page({
  path: '/record/:id',
  params: Type.Object({
    id: Type.String({
      pattern: '^[1-9]\\d{0,14}$',
      must: 'the number of a record',
      description: 'The number of a pick in the record.',
    }),
  }),
  tags: () => everyEvent,
  examples: [{ id: '1' }],
  async data(context, { id }) {
    const [found]: string[] = await context.database('picks').where('id', id).pluck('uuid');
    if (found === undefined)
      throw new NotFound(
        `No pick has record number ${id}. Check the number: numbers are given in order and never removed.`,
      );
    return readPick(context, found);
  },
  render: renderPick,
});

async function readPick(context: BoardContext, uuid: string) {
  const [pick, { events }, closing, confidence, related] = await Promise.all([
    pickBoard.compute(context, { uuid }),
    pickTimeline.compute(context, { uuid }),
    pickClosing.compute(context, { uuid }),
    pickConfidence.compute(context, { uuid }),
    relatedPicks.compute(context, { uuid, hours }),
  ]);
  return { pick, events, closing, confidence, related: related.picks };
}

function renderPick(
  { pick, events, closing, confidence, related }: PickData,
  { site, now }: Pick<View, 'site' | 'now'>,
): Page {
  const path = `/p/${pick.pickUuid}`;
  const api = `/api/picks/${pick.pickUuid}`;
  const title = `${selectionText(pick)} ${oddsText(pick.oddsAmerican)}`;
  const body = html`${pageHead({
    eyebrow: html`Record no. ${pick.id}<br>${sportTag(pick.sport)}`,
    title: html`<bdi>${selectionText(pick)}</bdi> <span class="price">${countedAt(pick) !== null ? html`<s>${oddsText(pick.oddsAmerican)}</s>` : oddsText(pick.oddsAmerican)}</span>`,
    lead: html`<a href="/game/${pick.gameId}"><bdi>${pick.game}</bdi></a>${pick.startsAt === null ? pick.day !== null && html`<br>${unknownStart(pick)}` : html`<br>${hasStarted(pick.startsAt, now) ? 'Started' : 'Starts'} ${fullWhen(pick.startsAt)}`}`,
  })}${section({
    heading: 'Result',
    id: 'result',
    how: '#verdicts',
    data: [{ path: `${api}/timeline` }],
    body: html`<p class="verdict-of-pick">${outcome(pick.result, pick.half)}${pick.result !== null && html` ${netUnits(pick.netUnits)}`}</p>
<p>${gradedText(events, pick) ?? 'It is graded when the game has ended.'}</p>
${verdictTicks(pick)}`,
  })}${section({ heading: 'The pick', id: 'pick', how: '#odds', data: [{ path: api }], body: pickDetails({ pick, closing }) })}${section(
    {
      heading: 'Odds movement',
      id: 'price',
      how: `?handle=${encodeURIComponent(pick.capperHandle)}#clv`,
      note: 'Edge is what the odds taken were worth at the closing odds without the bookmaker’s margin. Closing line value compares the two odds as they are: above 0, the pick beat the close.',
      data: [{ path: `${api}/closing` }],
      body: priceSection(closing, pick),
    },
  )}${
    related.length > 0 &&
    section({
      heading: 'Same side',
      id: 'related',
      note: `Other picks on this side, posted within ${hours} hours of this one.`,
      data: [{ path: `${api}/related?hours=${hours}` }],
      body: html`${pickList(related.slice(0, maxRelated), now, { game: false })}${
        related.length > maxRelated &&
        html`<p class="rest">Plus ${related.length - maxRelated} more in <a href="${pathWith(`/game/${pick.gameId}`, { market: pick.market, subject: pick.subject, side: pick.side })}#picks">all picks on this side</a>.</p>`
      }`,
    })
  }<details class="evidence" id="evidence"><summary>Evidence</summary>${section({
    heading: 'Timeline',
    id: 'life',
    note: 'Each step includes the hash of the one before, so any later change would show.',
    body: html`${lifeOf(events, pick)}${
      pick.hashStatus === 'unhashed' &&
      html`<p class="empty">Not sealed into the log yet. This usually takes a few seconds.</p>`
    }`,
  })}${section({
    heading: 'Confidence Index',
    id: 'confidence',
    how: '#confidence',
    note: `${confidence.index.toFixed(1)} out of 100. It rates the capper and the odds when the pick was posted. It is not a probability of winning.`,
    data: [{ path: `${api}/confidence` }],
    body: confidenceBars(confidence.components),
  })}${section({ heading: 'Check it yourself', id: 'receipt', body: receipt(pick, api) })}</details>${section(
    {
      heading: 'Share',
      id: 'share',
      body: shareLinks(pick.verifyUrl, `${title}, ${pick.game}, by ${pick.capperHandle}`),
    },
  )}`;
  return {
    title: `${title}, ${pick.game}`,
    about: `${selectionText(pick)} at ${oddsText(pick.oddsAmerican)} by ${pick.capperHandle}: ${outcomeText(pick) ?? 'pending'}. ${pick.game}.`,
    path,
    under: '/record/export',
    card: {
      path: `${path}/card.png`,
      alt: `${title} by ${pick.capperHandle}: ${outcomeText(pick) ?? 'pending'}`,
    },
    feeds: [
      { title: `Picks by ${pick.capperHandle}`, path: `${capperPath(pick.capperHandle)}/rss.xml` },
      {
        title: `${pick.bet}, ${pick.game}`,
        path: `/oembed?url=${encodeURIComponent(pick.verifyUrl)}`,
        type: 'application/json+oembed',
      },
    ],
    head: structured(pick, site.baseUrl),
    body,
  };
}

function pickDetails({ pick, closing }: Pick<PickData, 'pick' | 'closing'>): Html {
  const own = ownWords(pick);
  const none = html`<span class="quiet">–</span>`;
  return facts([
    ['Odds', oddsTaken(pick)],
    onOffer(pick),
    ['Closing odds', closing.closing === null ? none : odds(closing.closing.oddsAmerican)],
    ...closingValue(closing, pick.market),
    ['Stake', units(pick.stakeUnits)],
    ['Game', teamLinks(pick) || html`<bdi>${pick.game}</bdi>`],
    [
      'Market',
      html`${aboutLinks(pick)}, ${labelOf('side', pick.side).toLowerCase()}${pick.line !== null && ` ${lineText(pick.line, pick.market)}`}`,
    ],
    own !== null && ['In the capper’s words', html`“<bdi>${own}</bdi>”`],
    ['Capper (tier when posted)', capperOf(pick)],
    ['Posted', fullWhen(pick.postedAt)],
    [
      'Signed into the log',
      pick.sealedAt === null ? html`<span class="quiet">Not yet</span>` : fullWhen(pick.sealedAt),
    ],
  ]);
}

type Fact = readonly [name: Html | string, value: Html | string];

function onOffer(pick: PickData['pick']): Fact | false {
  const { priceCheck } = pick;
  if (priceCheck === null) return false;
  const counted = countedAt(pick);
  const { oddsAmerican, book, capturedAt } = priceCheck;
  return (
    oddsAmerican !== null &&
    capturedAt !== null && [
      'Odds on offer',
      html`${odds(oddsAmerican)} <small>at <bdi>${bookName(book ?? '')}</bdi>, ${fullWhen(capturedAt)}${counted !== null && `; ${counted}`}</small>`,
    ]
  );
}

/** The edge, then the closing line value, or the lines if they differ: odds at two lines cannot be compared. */
function closingValue({ posted, closing, clvBps, edgePct }: PickData['closing'], market: string): Fact[] {
  const compared =
    closing === null || posted.line === null || closing.line === posted.line
      ? (['Closing line value', clv(clvBps)] as const)
      : (['Line', lineOf(posted.line, closing.line, market)] as const);
  return [['Edge', signedPercent(edgePct)], compared];
}

function priceSection(board: PickData['closing'], pick: PickData['pick']): Html {
  const { status, posted, closing, consensus, lineMove } = board;
  const remark = edgeRemark(board);
  if (closing === null)
    return empty(
      status === 'open'
        ? 'Closing odds are recorded when the game starts.'
        : 'No odds were available at the start of the game, so there is neither an edge nor a closing line value.',
    );
  const moved = lineMove ?? 0;
  return html`${lineField(posted, closing, notCounted(pick) === null)}${facts([
    consensus !== null && [
      'Fair probability',
      html`${percentText(consensus.fairPct)} <small>without margin, ${consensus.books === 1 ? 'at the only book' : `median of ${consensus.books} books`} with every side</small>`,
    ],
    posted.line !== null && ['Line', lineOf(posted.line, closing.line, pick.market)],
    moved !== 0 && [
      'Line moved',
      `${counted(Math.abs(moved), 'point')} ${moved > 0 ? 'in the bettor’s favor' : 'against the bettor'}`,
    ],
    [
      'Closing odds from',
      closing.source === 'median' ? 'The median of all books' : html`<bdi>${closing.source}</bdi>`,
    ],
  ])}${remark !== undefined && html`<p class="note">${remark}</p>`}`;
}

function edgeRemark({ posted, closing, edgePct, edgeMethod }: PickData['closing']): string | undefined {
  if (edgeMethod === 'margin_model')
    return 'No book had every side at the line taken. For the edge, a model of the sport’s scores converts the closing odds at another line.';
  if (closing?.line !== posted.line)
    return 'The line moved, and there is no model that converts odds between lines for this sport and market, so there is no edge.';
  return edgePct === null ? 'There is no edge, because not every side had closing odds.' : undefined;
}

function lineOf(posted: number, closing: number | null, market: string): string {
  if (closing === null || closing === posted) return lineText(posted, market);
  return `${lineText(posted, market)}, closed at ${lineText(closing, market)}`;
}

function receipt({ pickUuid, pickHash, id }: PickData['pick'], api: string): Html {
  return html`<p>The receipt contains the pick and proof that it is in the log. You can check it without trusting this site.</p>
${pickHash !== null && html`<details class="hash"><summary>Pick hash, SHA-256</summary><code>${pickHash}</code></details>`}
<p class="actions"><a class="button" href="/verify?pick=${pickUuid}">Verify in your browser</a> <a class="button" href="${api}/receipt" download="receipt-${pickUuid}.json">Download the receipt</a> <a href="/record/export.json?after_id=${id - 1}&amp;limit=1">This pick in the export</a></p>`;
}

function structured(pick: PickData['pick'], baseUrl: string): Html {
  return jsonLd({
    '@context': 'https://schema.org',
    '@type': 'CreativeWork',
    name: `${pick.bet} ${oddsText(pick.oddsAmerican)}`,
    identifier: pick.pickUuid,
    url: pick.verifyUrl,
    datePublished: pick.postedAt,
    ...(pick.settledAt === null ? {} : { dateModified: pick.settledAt }),
    author: { '@type': 'Person', name: pick.capperHandle, url: `${baseUrl}${capperPath(pick.capperHandle)}` },
    about: {
      '@type': 'SportsEvent',
      name: pick.game,
      ...startDate(pick),
    },
    isPartOf: { '@type': 'Dataset', name: 'Public Picks record', url: `${baseUrl}/record/export` },
  });
}
