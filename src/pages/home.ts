import { leaderboard } from '../boards/cappers/leaderboard.ts';
import { lifetimes } from '../boards/endpoint.ts';
import { settledFeed } from '../boards/feeds/latest.ts';
import { upcomingFeed } from '../boards/feeds/today.ts';
import { selectionText, sportTag } from '../boards/formats/pick-text.ts';
import type { PublicPick } from '../boards/pick.ts';
import { shownProvenance } from '../boards/record.ts';
import { Type } from '../platform/type.ts';
import { everyEvent } from '../projections/tags.ts';
import { etDay } from '../rules/et-day.ts';
import { counted } from './figures.ts';
import { type Html, html, jsonLd } from './html.ts';
import { page } from './page.ts';
import { sportChoices } from './parts/filters.ts';
import { lines, listed } from './parts/lists.ts';
import { liveNotice } from './parts/live.ts';
import { pickList } from './parts/pick-list.ts';
import { pageHead, part, section } from './parts/section.ts';
import { standings } from './parts/standings.ts';
import { dayText, startText } from './times.ts';

const shown = { games: 20, unfolded: 6, sides: 2, cappers: 3, settled: 3 };

/** Cappers of the leaderboard among which those with skill are looked up. */
const ranked = 100;

export const homePage = page({
  path: '/',
  params: Type.Object({}),
  lifetime: lifetimes.live,
  tags: () => everyEvent,
  examples: [{}],
  async data(context) {
    const provenance = await shownProvenance(context);
    const [upcoming, leaders, settled] = await Promise.all([
      upcomingFeed.compute(context, { hours: 24 }),
      leaderboard.compute(context, { window: 'all', provenance, limit: ranked }),
      settledFeed.compute(context, { limit: shown.settled, provenance: 'all' }),
    ]);
    const judged = (word: string) => leaders.cappers.filter(({ verdict }) => verdict.word === word);
    return {
      games: [...Map.groupBy(upcoming.picks, ({ gameId }) => gameId).values()],
      cappers: [...judged('proven'), ...judged('promising')].slice(0, shown.cappers),
      settled: settled.picks,
    };
  },
  render({ games, cappers, settled }, { now, site, sports }) {
    const body = html`${pageHead({
      eyebrow: dayText(etDay(now)),
      title: 'Every pick, on the record',
      lead: html`With the odds taken, the closing odds, and the result. Nothing is ever edited or deleted:
<a href="/record/export">check it yourself</a>.`,
    })}${part(html`<div class="chips">${sportChoices(sports.values())}</div>`)}${liveNotice()}${section({
      heading: 'Tonight',
      id: 'tonight',
      data: [{ path: '/api/feed/upcoming?hours=24' }, { path: '/api/feed/today.ics', label: 'Calendar' }],
      links: [{ path: '/sharp', label: 'Where sharps agree' }],
      body: html`${listed(
        games.slice(0, shown.games),
        'No pending picks on games in the next 24 hours.',
        (some) => gameList(some, now),
        [shown.unfolded, 'game'],
      )}${
        games.length > shown.games &&
        html`<p class="rest">And ${counted(games.length - shown.games, 'more game')}. Choose a sport to see them.</p>`
      }`,
    })}${section({
      heading: 'Worth following',
      id: 'cappers',
      how: '#verdicts',
      data: [{ path: '/api/leaderboard' }],
      links: [{ path: '/leaderboard', label: 'Leaderboard' }],
      body: listed(
        cappers,
        'Nobody is proven or promising: luck can still explain every good record here.',
        (some) => standings(some, {}),
      ),
    })}${section({
      heading: 'Latest results',
      id: 'settled',
      data: [{ path: '/record/rss.xml', label: 'RSS' }],
      body: listed(settled, 'No results yet.', (some) => pickList(some, now)),
    })}`;
    return {
      title: 'Today',
      about: 'A public ledger of sports picks: every pick with its odds, closing odds, and result.',
      path: '/',
      under: '/',
      feeds: [
        { title: 'Sharp consensus', path: '/sharp/consensus.rss' },
        { title: 'Winning streaks', path: '/sharp/hot-streaks.rss' },
        { title: 'Settled picks', path: '/record/rss.xml' },
        { title: 'Today’s games', path: '/api/feed/today.ics', type: 'text/calendar' },
      ],
      head: jsonLd({
        '@context': 'https://schema.org',
        '@type': 'WebSite',
        name: 'Public Picks',
        url: `${site.baseUrl}/`,
      }),
      body,
    };
  },
});

function gameList(games: readonly (readonly PublicPick[])[], now: number): Html {
  return lines(
    games.map((picks) => {
      const { gameId, game, sport, startsAt, day } = picks[0]!;
      const sides = [...Map.groupBy(picks, selectionText)].sort(([, a], [, b]) => b.length - a.length);
      const rest = sides.length - shown.sides;
      const sharps = new Set(
        picks.filter(({ capperTier }) => capperTier !== 'listed').map(({ capperHandle }) => capperHandle),
      );
      const named = sides
        .slice(0, shown.sides)
        .map(
          ([side, own], at) =>
            html`${at > 0 && ', '}<bdi>${side}</bdi>${own.length > 1 && html` <b>×${own.length}</b>`}`,
        );
      return html`<span class="sport">${sportTag(sport)}</span> <a href="/game/${gameId}"><bdi>${game}</bdi></a>
<br>${named}${rest > 0 && ` and ${rest} more`}
<br><small>${startText({ startsAt, day }, now)} · ${counted(picks.length, 'pick')}${sharps.size > 0 && html`, <b>${sharps.size} sharp</b>`}</small>`;
    }),
  );
}
