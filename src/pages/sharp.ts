import { Type } from 'typebox';
import { optionalSport } from '../boards/params.ts';
import { consensus } from '../boards/sharp/consensus.ts';
import { sharpHot } from '../boards/sharp/hot.ts';
import { sharpRecent } from '../boards/sharp/recent.ts';
import { sharpToday } from '../boards/sharp/today.ts';
import { eventsOf } from '../projections/tags.ts';
import { etDay } from '../rules/et-day.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { choices, pathWith } from './parts/filters.ts';
import { type Group, groupList, type ResolvedGroup } from './parts/group-list.ts';
import { empty, pageHead, section } from './parts/section.ts';
import { dayText } from './times.ts';

/** So many groups a section, that the page stays light; the boards have all. */
const most = 12;
const days = 7;

/** `/sharp`: where sharp cappers agree. */
export const sharpPage = page({
  path: '/sharp',
  params: Type.Object({ sport: optionalSport }),
  tags: ({ sport }) => eventsOf(sport),
  examples: [{}, { sport: '{sport}' }],
  async data(context, params) {
    const [now, today, hot, recent] = await Promise.all([
      consensus.compute(context, {}),
      sharpToday.compute(context, params),
      sharpHot.compute(context, {}),
      sharpRecent.compute(context, { ...params, hours: 24 * days, limit: 200 }),
    ]);
    const wanted = ({ sport }: { sport: string }) => params.sport === undefined || sport === params.sport;
    return {
      now: now.groups.filter(wanted),
      today: today.groups,
      hot: hot.cappers
        .map((capper) => ({ ...capper, groups: capper.groups.filter(wanted) }))
        .filter(({ groups }) => groups.length > 0),
      recent: recent.groups,
      moreResolved: recent.nextCursor !== null,
    };
  },
  render({ now: active, today, hot, recent, moreResolved }, { now, params: { sport }, sports }) {
    const query = sport === undefined ? '' : `?sport=${sport}`;
    const inSport = sport === undefined ? '' : ` in ${sports.get(sport)?.label ?? sport}`;
    const body = html`${pageHead({
      eyebrow: dayText(etDay(now)),
      title: 'Where sharp cappers agree',
      lead: 'A group is two or more different elite or verified-sharp cappers on the same side of the same market. Agreement is no proof: the resolved groups below show how it went.',
    })}<div class="entry"><div class="sheet">${choices('Sport', [
      { label: 'All', path: '/sharp', chosen: sport === undefined },
      ...[...sports.values()].map(({ key, label }) => ({
        label,
        path: pathWith('/sharp', { sport: key }),
        chosen: key === sport,
      })),
    ])}</div></div>${section({
      heading: 'Right now',
      id: 'now',
      how: '#consensus',
      note: 'Posted within the last 6 hours, still pending.',
      links: [
        { path: '/api/sharp/consensus', label: 'JSON' },
        { path: '/sharp/consensus.rss', label: 'RSS' },
      ],
      body: shown(
        active,
        now,
        '/api/sharp/consensus',
        `No consensus right now${inSport}: no two sharp cappers posted the same side within the last 6 hours.`,
      ),
    })}${section({
      heading: 'Hot hands',
      id: 'hot',
      how: '#streaks',
      note: 'Cappers in a group right now who won their last 3 or more.',
      links: [{ path: '/api/sharp/hot', label: 'JSON' }],
      body:
        hot.length === 0
          ? empty('Nobody in a group right now is on a winning streak.')
          : html`<ol class="streaks">${hot.map(
              ({ handle, tier, streak, groups }) =>
                html`<li><b class="run">${streak} <small>won</small></b><span>${capperLink(handle, tier)}<br><small>${groups.map((group, index) => html`${index > 0 && ', '}<bdi>${group.pick}</bdi>`)}</small></span></li>`,
            )}</ol>`,
    })}${section({
      heading: "Today's slate",
      id: 'today',
      note: 'Pending sharp picks on games that start today, Eastern Time, however early they were posted.',
      links: [
        { path: `/api/sharp/today${query}`, label: 'JSON' },
        { path: `/sharp/today.rss${query}`, label: 'RSS' },
      ],
      body: shown(
        today,
        now,
        `/api/sharp/today${query}`,
        `No two sharp cappers share a pending side on today's games${inSport}.`,
      ),
    })}${section({
      heading: 'Resolved',
      id: 'resolved',
      note: html`${resolvedNote(recent)} ${moreResolved ? `The ${recent.length} latest` : 'All'} of the last ${days} days.`,
      links: [{ path: pathWith('/api/sharp/recent', { hours: String(24 * days), sport }), label: 'JSON' }],
      body: shown(
        recent,
        now,
        pathWith('/api/sharp/recent', { hours: String(24 * days), sport }),
        `No group has resolved within ${days} days${inSport}.`,
      ),
    })}`;
    return {
      title: 'Sharp consensus',
      about: 'Sides on which two or more elite or verified-sharp cappers agree, and how earlier ones went.',
      path: pathWith('/sharp', { sport }),
      under: '/sharp',
      feeds: [
        { title: 'Sharp consensus', path: '/sharp/consensus.rss' },
        { title: `Sharp consensus today${inSport}`, path: `/sharp/today.rss${query}` },
        { title: 'Winning streaks', path: '/sharp/hot-streaks.rss' },
      ],
      body,
    };
  },
});

function shown(groups: readonly (Group | ResolvedGroup)[], now: number, json: string, none: string): Html {
  if (groups.length === 0) return empty(none);
  return html`${groupList(groups.slice(0, most), now)}${
    groups.length > most &&
    html`<p class="rest">And ${counted(groups.length - most, 'more group')}, in <a href="${json}">the JSON</a>.</p>`
  }`;
}

function resolvedNote(groups: readonly ResolvedGroup[]): string {
  const count = (result: string) => groups.filter((group) => group.result === result).length;
  return `${counted(count('win'), 'group')} won, ${count('loss')} lost, ${groups.length - count('win') - count('loss')} neither.`;
}
