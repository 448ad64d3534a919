import { optionalSport } from '../boards/params.ts';
import { consensus, sharpHot, sharpRecent, sharpToday } from '../boards/sharp/consensus.ts';
import { Type } from '../platform/type.ts';
import { eventsOf } from '../projections/tags.ts';
import { etDay } from '../rules/et-day.ts';
import { counted } from './figures.ts';
import { type Html, html } from './html.ts';
import { page } from './page.ts';
import { capperLink } from './parts/capper.ts';
import { choices, pathWith } from './parts/filters.ts';
import { followLinks } from './parts/follow.ts';
import { type Group, groupList, type ResolvedGroup } from './parts/group-list.ts';
import { lines, listed } from './parts/lists.ts';
import { pageHead, part, section } from './parts/section.ts';
import { dayText, hasStarted } from './times.ts';

const most = { open: 40, resolved: 10, unfolded: 8 };
const days = 7;

export const sharpPage = page({
  path: '/sharp',
  params: Type.Object({
    sport: optionalSport,
    show: Type.Union([Type.Literal('open'), Type.Literal('resolved')], {
      default: 'open',
      must: 'open or resolved',
      description: 'Which groups to show: open or resolved.',
    }),
    cursor: sharpRecent.params.properties.cursor,
  }),
  tags: ({ sport }) => eventsOf(sport),
  examples: [{}, { sport: '{sport}' }, { show: 'resolved' }],
  async data(context, { show, sport, cursor }) {
    const ofSport = sport === undefined ? {} : { sport };
    if (show === 'resolved') {
      const after = cursor === undefined ? {} : { cursor };
      const recent = await sharpRecent.compute(context, {
        ...ofSport,
        ...after,
        hours: 24 * days,
        limit: most.resolved,
      });
      return { open: [], hot: [], resolved: recent.groups, nextCursor: recent.nextCursor };
    }
    const [now, today, hot] = await Promise.all([
      consensus.compute(context, {}),
      sharpToday.compute(context, ofSport),
      sharpHot.compute(context, {}),
    ]);
    const wanted = (group: { sport: string }) => sport === undefined || group.sport === sport;
    // An active group of today's slate already includes all of its pending picks.
    const open = new Map(
      [...now.groups.filter(wanted), ...today.groups].map((group) => [group.groupId, group]),
    );
    return {
      open: [...open.values()],
      hot: hot.cappers.filter(({ groups }) => groups.some(wanted)),
      resolved: [],
      nextCursor: null,
    };
  },
  render({ open, hot, resolved, nextCursor }, { now, params: { sport, show }, site, sports }) {
    const tab = show === 'open' ? undefined : show;
    const inSport = sport === undefined ? '' : ` in ${sports.get(sport)?.label ?? sport}`;
    const query = sport === undefined ? '' : `?sport=${sport}`;
    const body = html`${pageHead({
      eyebrow: dayText(etDay(now)),
      title: 'Where sharp cappers agree',
      lead: 'Two or more elite or verified sharp cappers on the same side of the same market. Agreement is no guarantee: see how past groups did under Resolved.',
    })}${part(
      html`${choices('Groups', [
        { label: 'Open', path: pathWith('/sharp', { sport }), chosen: show === 'open' },
        {
          label: 'Resolved',
          path: pathWith('/sharp', { sport, show: 'resolved' }),
          chosen: show === 'resolved',
        },
      ])}${choices('Sport', [
        { label: 'All', path: pathWith('/sharp', { show: tab }), chosen: sport === undefined },
        ...[...sports.values()].map(({ key, label }) => ({
          label,
          path: pathWith('/sharp', { sport: key, show: tab }),
          chosen: key === sport,
        })),
      ])}${followLinks(site, { sport }, `/sharp/today.rss${query}`, false)}`,
    )}${
      show === 'open'
        ? openSections(open, hot, { now, inSport, query })
        : section({
            heading: 'Resolved',
            id: 'resolved',
            how: '#consensus',
            note: `The last ${days} days, most recent first. ${resolvedNote(resolved)}`,
            data: [{ path: pathWith('/api/sharp/recent', { hours: String(24 * days), sport }) }],
            body: html`${listed(resolved, `No groups resolved in the last ${days} days${inSport}.`, (some) => groupList(some, now))}${
              nextCursor !== null &&
              html`<p class="rest"><a href="${pathWith('/sharp', { sport, show, cursor: nextCursor })}#resolved">Earlier groups</a></p>`
            }`,
          })
    }`;
    return {
      title: show === 'open' ? 'Sharp consensus' : 'Sharp consensus: resolved',
      about: 'Sides that two or more elite or verified sharp cappers agree on, and how past ones did.',
      path: pathWith('/sharp', { sport, show: tab }),
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

type HotCapper = Awaited<ReturnType<typeof sharpHot.compute>>['cappers'][number];

function openSections(
  open: readonly Group[],
  hot: readonly HotCapper[],
  { now, inSport, query }: { now: number; inSport: string; query: string },
): Html {
  const started = ({ startsAt }: Group) => hasStarted(startsAt, now);
  const [coming, playing] = [open.filter((group) => !started(group)), open.filter(started)];
  return html`${section({
    heading: 'Upcoming',
    id: 'now',
    how: '#consensus',
    note: 'Pending picks on today’s games (ET), or posted within the last 6 hours.',
    data: [
      { path: `/api/sharp/today${query}`, label: 'Today (JSON)' },
      { path: '/api/sharp/consensus', label: 'Last 6 hours (JSON)' },
      { path: '/sharp/consensus.rss', label: 'RSS' },
    ],
    body: openGroups(coming, now, `No two sharp cappers are on the same side of an upcoming game${inSport}.`),
  })}${
    playing.length > 0 &&
    section({
      heading: 'In play',
      id: 'playing',
      note: 'These games have started, so these odds are gone.',
      body: openGroups(playing, now),
    })
  }${
    hot.length > 0 &&
    section({
      heading: 'Hot hands',
      id: 'hot',
      how: '#streaks',
      note: 'Cappers in a group from the last 6 hours who won their last 3 or more.',
      data: [{ path: '/api/sharp/hot' }],
      body: lines(
        hot.map(({ streak, ...capper }) => html`<b class="gain">${streak} wins</b> ${capperLink(capper)}`),
      ),
    })
  }`;
}

function openGroups(groups: readonly Group[], now: number, whyEmpty = ''): Html {
  const beyond = groups.length - most.open;
  return html`${listed(groups.slice(0, most.open), whyEmpty, (some) => groupList(some, now), [most.unfolded, 'group'])}${
    beyond > 0 && html`<p class="rest">Plus ${counted(beyond, 'more group')}. Choose a sport to see them.</p>`
  }`;
}

function resolvedNote(groups: readonly ResolvedGroup[]): string {
  const count = (result: string) => groups.filter((group) => group.result === result).length;
  return groups.length === 0
    ? ''
    : `Of these ${groups.length}: ${count('win')} won, ${count('loss')} lost, ${groups.length - count('win') - count('loss')} pushed, void, or mixed.`;
}
