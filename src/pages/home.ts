import { type HotStreak, streaks } from '../boards/cappers/streaks.ts';
import { settledFeed } from '../boards/feeds/latest.ts';
import { upcomingFeed } from '../boards/feeds/today.ts';
import { podBoard } from '../boards/picks/pod.ts';
import { recordWindows } from '../boards/picks/record-windows.ts';
import { consensus } from '../boards/sharp/consensus.ts';
import { shownProvenance } from '../boards/shown-provenance.ts';
import { lifetimes } from '../cache/lifetimes.ts';
import { Type } from '../platform/type.ts';
import { everyEvent, tags } from '../projections/tags.ts';
import { chanceText } from '../rules/chance.ts';
import { counted } from './figures.ts';
import { type Html, html, jsonLd } from './html.ts';
import { sportTags } from './labels.ts';
import { page, type View } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { featuredPick } from './parts/featured-pick.ts';
import { provenanceSentence } from './parts/filters.ts';
import { groupList } from './parts/group-list.ts';
import { liveNotice } from './parts/live.ts';
import { pickList } from './parts/pick-list.ts';
import { windowRecords } from './parts/record.ts';
import { empty, foldRest, pageHead, section } from './parts/section.ts';
import { explained, verdictLabel } from './parts/verdict.ts';
import { dayText, hasStarted } from './times.ts';

/** Number of items shown in each section. */
const shown = { groups: 2, streaks: 3, settled: 3, upcoming: 3 };

/** `/`: today at a glance. */
export const homePage = page({
  path: '/',
  params: Type.Object({}),
  lifetime: lifetimes.live,
  tags: () => [tags.pickOfTheDay, ...everyEvent],
  examples: [{}],
  async data(context) {
    const provenance = await shownProvenance(context);
    const [pod, active, hot, settled, upcoming, record] = await Promise.all([
      podBoard.compute(context, {}),
      consensus.compute(context, {}),
      streaks.compute(context, { min: 3, limit: 25 }),
      settledFeed.compute(context, { limit: shown.settled, provenance: 'all' }),
      upcomingFeed.compute(context, { hours: 24 }),
      recordWindows.compute(context, { provenance }),
    ]);
    return {
      pod,
      groups: active.groups.filter(({ startsAt }) => !hasStarted(startsAt, context.now)),
      hot: hot.streaks,
      settled: settled.picks,
      upcoming: upcoming.picks,
      ...record,
      provenance,
    };
  },
  render({ pod, groups, hot, settled, upcoming, windows, provenance }, { now, site, sports }) {
    const body = html`${pageHead({
      eyebrow: dayText(pod.day),
      title: 'Every pick, on the record',
      lead: html`Every pick with the odds taken, the closing odds, and the result. Nothing is ever
edited or deleted: <a href="/record/export">download it all and check it yourself</a>.`,
    })}${liveNotice()}${section({
      heading: 'Pick of the Day',
      id: 'pod',
      how: '#pod',
      note: 'The pending pick with the highest Confidence Index, chosen at 9 AM ET.',
      data: [{ path: '/pod', label: 'Past picks' }],
      body: featuredPick(pod, now),
    })}${section({
      heading: 'Sharp consensus',
      id: 'consensus',
      how: '#consensus',
      note: 'Two or more elite or verified sharp cappers on the same side, posted within 6 hours.',
      data: [
        { path: '/sharp', label: groups.length > shown.groups ? `All ${groups.length}` : 'More' },
        { path: '/sharp/consensus.rss', label: 'RSS' },
      ],
      body:
        groups.length === 0
          ? empty(
              'No consensus right now. It takes two sharp cappers on the same side of an upcoming game within 6 hours.',
            )
          : groupList(groups.slice(0, shown.groups), now),
    })}${section({
      heading: 'Starting soon',
      id: 'upcoming',
      note: 'Pending picks on games that start within 24 hours.',
      data: [{ path: '/api/feed/today.ics', label: 'Calendar' }],
      body:
        upcoming.length === 0
          ? empty('No pending picks on games in the next 24 hours.')
          : html`${pickList(upcoming.slice(0, shown.upcoming), now)}${
              upcoming.length > shown.upcoming &&
              html`<p class="rest">And ${counted(upcoming.length - shown.upcoming, 'more pick', 'more picks')}: ${sportLinks(upcoming, sports)}.</p>`
            }`,
    })}${section({
      heading: 'Latest results',
      id: 'settled',
      note: 'Settled picks, most recent first.',
      data: [{ path: '/record/rss.xml', label: 'RSS' }],
      body: settled.length === 0 ? empty('No results yet.') : pickList(settled, now),
    })}${section({
      heading: 'Winning streaks',
      id: 'streaks',
      how: '#streaks',
      note: '3 or more in a row. Streaks also happen by luck: each says how often, at its odds.',
      data: [{ path: '/sharp/hot-streaks.rss', label: 'RSS' }],
      body:
        hot.length === 0
          ? empty('Nobody is on a streak of 3 or more right now.')
          : foldRest(hot, shown.streaks, 'streak', streakList),
    })}${section({
      heading: 'Overall record',
      id: 'record',
      how: '#price',
      note: `All cappers combined, by the day picks settled (ET). ${provenanceSentence(provenance)} Ranges are 95% confidence intervals. ${explained}`,
      data: [{ path: '/leaderboard', label: 'Leaderboard' }],
      body: windowRecords(windows),
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

function sportLinks(picks: readonly { sport: string }[], sports: View['sports']): Html[] {
  const keys = [...sports.keys()].filter((key) => picks.some(({ sport }) => sport === key));
  return keys.map(
    (key, index) => html`${index > 0 && ', '}<a href="/sport/${key}">${sports.get(key)?.label ?? key}</a>`,
  );
}

/** Renders winning streaks, longest first. */
function streakList(streaks: readonly HotStreak[]): Html {
  return html`<ol class="streaks">
${streaks.map(
  ({
    length,
    sports,
    chancePct,
    verdict,
    ...capper
  }) => html`<li><b class="run">${length} <small>wins</small></b>
<span>${capperLink(capper)}<br><small>${sportTags(sports)} · ${chanceText(chancePct)} · ${verdictLabel(verdict)}</small></span></li>
`,
)}</ol>`;
}
