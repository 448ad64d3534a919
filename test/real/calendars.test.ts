import { expect } from 'chai';
import { isSwapped, teamsOf } from '../../src/games/names/teams.ts';
import { readFixture } from '../../src/games/names/title.ts';
import { doors, whichGames } from '../../src/games/which-game.ts';
import { applyReports } from '../../src/sources/apply-reports.ts';
import { readCalendar } from '../../src/sources/schedules/calendar.ts';
import { readFolder, realDataFolder } from '../naive/read.ts';
import { ics } from '../sources/schedules/ics.ts';
import { withDatabase } from '../support/database.ts';

const folder = realDataFolder();
const day = 86_400_000;

if (folder === null) {
  process.stdout.write('REAL_DATA is absent: skipping the calendars of the real games\n');
} else {
  describe('the calendars of real seasons that name the away team first', () => {
    const stores = withDatabase();
    const { games } = readFolder(folder);
    beforeEach(() => stores.owner.raw('delete from source_events; delete from games'));

    for (const sport of ['nfl', 'mlb', 'soccer', 'nhl', 'nba']) {
      const teams = teamsOf(sport);
      const all = games.filter((game) => game.sport === sport);
      const first = Math.min(...all.map(({ startsAt }) => Date.parse(startsAt!)));
      const now = first - day;
      const season = all
        .filter(({ startsAt }) => Date.parse(startsAt!) < now + 199 * day)
        .map(({ game, startsAt }) => ({
          ...readFixture(game, sport)!,
          game,
          startsAt: Date.parse(startsAt!),
        }));
      const calendar = ics(
        ...season.map(({ away, home, startsAt }, index) => [
          `UID:${index}`,
          `DTSTART:${new Date(startsAt).toISOString().replace(/[-:]|\.000/g, '')}`,
          `SUMMARY:${away} vs. ${home}`,
        ]),
      );
      const take = (order?: 'away first') =>
        applyReports(
          stores.database,
          'schedule/x/1',
          sport,
          readCalendar(calendar, sport, now, undefined, order).events,
          now,
        );
      const stored = (): Promise<{ name: string; startsAt: number }[]> =>
        stores.database('games').select({ name: 'name', startsAt: 'announced_start' });
      /** Returns the games with home and away swapped. Each exists once. */
      const wrong = async () => {
        const names = await stored();
        expect(names).to.have.length(season.length);
        return season.filter(
          (fixture) =>
            !names.some(
              ({ name, startsAt }) =>
                startsAt === fixture.startsAt &&
                [fixture.away, fixture.home].every((team) => {
                  const ours = readFixture(name, sport)!;
                  return [ours.away, ours.home].some((each) => teams.keyOf(each) === teams.keyOf(team));
                }) &&
                !isSwapped(fixture, name, teams),
            ),
        ).length;
      };

      it(`are parsed correctly with the setting for it: ${sport}`, async () => {
        await take('away first');
        expect(await wrong()).to.equal(0);
      });

      it(`are corrected by a source that names some of the games: ${sport}`, async () => {
        await take();
        expect(await wrong()).to.equal(season.length);
        const reports = season
          .map((fixture, index) => ({ ...fixture, eventId: String(index) }))
          .filter((_, index) => index % 3 === 0);
        await applyReports(stores.database, 'odds-api/x', sport, reports, now);
        expect(await wrong()).to.equal(season.length - reports.length);
        await take();
        expect(await wrong()).to.equal(0);
      });

      it(`accept every post that names a game correctly, without a second game: ${sport}`, async () => {
        await take();
        const rows = season.map(({ game, startsAt }) => ({
          sport,
          game,
          startsAt: new Date(startsAt).toISOString(),
        }));
        const resolved = await stores.database.transaction((transaction) =>
          whichGames(transaction, rows, doors.row),
        );
        expect(resolved.filter((one) => 'refused' in one || one.swapped === true)).to.deep.equal([]);
        expect(await wrong()).to.equal(0);
      });
    }
  });
}
