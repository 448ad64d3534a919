import { expect } from 'chai';
import { readCalendar } from '../../../src/sources/schedules/calendar.ts';
import { ics } from './ics.ts';

const now = Date.parse('2026-03-01T12:00:00Z');
const at = (text: string) => Date.parse(text);

describe('league schedules (.ics)', () => {
  it('yield games from any notation of titles', () => {
    const { events } = readCalendar(
      ics(
        ['UID:1', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART:20260306T180000Z', 'SUMMARY;LANGUAGE=en:🏈 Gulls at Foxes'],
        ['UID:3', 'DTSTART:20260307T180000Z', 'SUMMARY:Foxes vs. Gulls'],
      ),
      'nfl',
      now,
    );
    const teams = { away: 'Gulls', home: 'Foxes' };
    expect(events).to.deep.equal([
      { eventId: '1', ...teams, startsAt: at('2026-03-05T18:00:00Z') },
      { eventId: '2', ...teams, startsAt: at('2026-03-06T18:00:00Z') },
      { eventId: '3', ...teams, homeGuessed: true, startsAt: at('2026-03-07T18:00:00Z') },
    ]);
  });

  it('follow time zones over the change to daylight saving time', () => {
    const { events } = readCalendar(
      ics(
        ['UID:1', 'DTSTART;TZID=America/New_York:20260307T190000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART;TZID=America/New_York:20260308T190000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:3', 'DTSTART;TZID=Eastern Standard Time:20260308T190000', 'SUMMARY:Gulls @ Foxes'],
      ),
      'nfl',
      now,
    );
    expect(events.map(({ startsAt }) => startsAt)).to.deep.equal([
      at('2026-03-08T00:00:00Z'),
      at('2026-03-08T23:00:00Z'),
      at('2026-03-08T23:00:00Z'),
    ]);
  });

  it('have no start if their zone is an ambiguous abbreviation or a name that only Outlook knows', () => {
    const read = readCalendar(
      ics(
        ['UID:1', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls @ Foxes'],
        ...['PST', 'BST', 'Customized Time Zone', 'Customized Time Zone 1', 'tzone://Microsoft/Custom'].map(
          (zone, index) => [`UID:z${index}`, `DTSTART;TZID=${zone}:20260307T190000`, 'SUMMARY:Gulls @ Foxes'],
        ),
      ),
      'nfl',
      now,
    );
    expect(read.events).to.have.length(1);
    expect(read.leftOut).to.deep.equal({ 'no exact start': 5 });
  });

  it('name the teams that their categories mean, and obey their method and remarks', () => {
    const game = ['UID:1', 'DTSTART:20260305T180000Z'];
    const only = (text: string) => readCalendar(text, 'soccer', now).events[0]!;
    expect(only(ics([...game, 'CATEGORIES:Women', 'SUMMARY:Foxes v Gulls']))).to.include({
      away: 'Gulls Women',
      home: 'Foxes Women',
    });
    const cancelled = ics([...game, 'SUMMARY:Foxes v Gulls']).replace('VERSION', 'METHOD:CANCEL\r\nVERSION');
    expect(only(cancelled).state).to.equal('cancelled');
    expect(only(ics([...game, 'SUMMARY:Foxes v Gulls (date TBC)'])).day).to.equal('2026-03-05');
    expect(only(ics([...game, 'SUMMARY:Foxes v Gulls (provisional)'])).away).to.equal('Gulls');
  });

  it('yield a game per occurrence, including moved and cancelled ones, each with a stable id', () => {
    const { events } = readCalendar(
      ics(
        [
          'UID:w',
          'DTSTART;TZID=America/New_York:20260305T190000',
          'RRULE:FREQ=WEEKLY;COUNT=5',
          'EXDATE;TZID=America/New_York:20260312T190000',
          'SUMMARY:Foxes vs Gulls',
        ],
        [
          'UID:w',
          'RECURRENCE-ID;TZID=America/New_York:20260319T190000',
          'DTSTART;TZID=America/New_York:20260320T200000',
          'SUMMARY:Foxes vs Gulls',
        ],
        [
          'UID:w',
          'RECURRENCE-ID;TZID=America/New_York:20260326T190000',
          'DTSTART;TZID=America/New_York:20260326T190000',
          'STATUS:CANCELLED',
          'SUMMARY:Foxes vs Gulls',
        ],
      ),
      'nfl',
      now,
    );
    expect(
      events.map(({ eventId, startsAt, state }) => [eventId, new Date(startsAt).toISOString(), state]),
    ).to.deep.equal([
      ['w/2026-03-06T00:00:00.000Z', '2026-03-06T00:00:00.000Z', undefined],
      ['w/2026-03-19T23:00:00.000Z', '2026-03-21T00:00:00.000Z', undefined],
      ['w/2026-03-26T23:00:00.000Z', '2026-03-26T23:00:00.000Z', 'cancelled'],
      ['w/2026-04-02T23:00:00.000Z', '2026-04-02T23:00:00.000Z', undefined],
    ]);
  });

  it('name only the day if they last all day, or begin at midnight in their zone', () => {
    const { events } = readCalendar(
      ics(
        ['UID:1', 'DTSTART;VALUE=DATE:20260305', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART;VALUE=DATE:20260306', 'DTEND;VALUE=DATE:20260307', 'SUMMARY:Gulls @ Foxes'],
        ['UID:3', 'DTSTART;TZID=America/Los_Angeles:20260307T000000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:4', 'DTSTART;TZID=America/Los_Angeles:20260307T210000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:5', 'DTSTART:20260310T040000Z', 'SUMMARY:Gulls @ Foxes'],
        ['UID:6', 'DTSTART;TZID=America/Los_Angeles:20260311T210000', 'SUMMARY:Gulls @ Foxes (Time TBD)'],
        ['UID:7', 'DTSTART:20260313T010000Z', 'SUMMARY:Gulls @ Foxes - TBA'],
      ),
      'nfl',
      now,
    );
    expect(events.map(({ eventId, day }) => [eventId, day])).to.deep.equal([
      ['1', '2026-03-05'],
      ['2', '2026-03-06'],
      ['3', '2026-03-07'],
      ['4', null],
      ['5', undefined],
      ['6', '2026-03-11'],
      ['7', '2026-03-12'],
    ]);
  });

  it('name teams as they are, though a site escaped its titles as HTML', () => {
    const { events } = readCalendar(
      ics(['UID:1', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls A&amp\\;M @ St. Fox&#8217\\;s']),
      'ncaaf',
      now,
    );
    expect(events[0]).to.include({ away: 'Gulls A&M', home: 'St. Fox’s' });
  });

  it('skip and count events without an exact start or day, or two teams', () => {
    const { events, leftOut } = readCalendar(
      ics(
        ['UID:1', 'DTSTART;VALUE=DATE:20260305', 'DTEND;VALUE=DATE:20260309', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART:20260305T190000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:3', 'DTSTART;TZID=Nowhere/Land:20260305T190000', 'SUMMARY:Gulls @ Foxes'],
        ['UID:4', 'DTSTART:nonsense', 'SUMMARY:Gulls @ Foxes'],
        ['UID:5', 'DTSTART:20260305T180000Z', 'SUMMARY:All-Star Break'],
        ['UID:6', 'DTSTART:20260305T180000Z'],
        ['UID:7', 'DTSTART:20260305T180000Z', `SUMMARY:${'x'.repeat(97)} @ Foxes`],
      ),
      'nfl',
      now,
    );
    expect(events).to.deep.equal([]);
    expect(leftOut).to.deep.equal({
      'several days, no start yet': 1,
      'no exact start': 3,
      'no game': 1,
      'names no two opponents': 2,
    });
  });

  it('cancel a game even if they name only the day', () => {
    const { events } = readCalendar(
      ics(['UID:1', 'DTSTART;VALUE=DATE:20260305', 'STATUS:CANCELLED', 'SUMMARY:Gulls @ Foxes']),
      'nfl',
      now,
    );
    expect(events.map(({ startsAt: _, ...event }) => event)).to.deep.equal([
      {
        eventId: '1',
        away: 'Gulls',
        home: 'Foxes',
        day: '2026-03-05',
        state: 'cancelled',
      },
    ]);
  });

  it('are read from some days back to some months ahead', () => {
    const { events } = readCalendar(
      ics(
        ['UID:old', 'DTSTART:20250305T180000Z', 'SUMMARY:Gulls @ Foxes'],
        ['UID:far', 'DTSTART:20270305T180000Z', 'SUMMARY:Gulls @ Foxes'],
      ),
      'nfl',
      now,
    );
    expect(events).to.deep.equal([]);
  });

  it('are read in bounded time despite an endless rule', () => {
    const { events } = readCalendar(
      ics(
        ['UID:1', 'DTSTART:20200101T000000Z', 'RRULE:FREQ=SECONDLY', 'SUMMARY:Gulls @ Foxes'],
        ['UID:2', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls @ Foxes'],
      ),
      'nfl',
      now,
    );
    expect(events.map(({ eventId }) => eventId)).to.deep.equal(['2']);
  });

  it('are refused if they are not calendars', () => {
    for (const text of ['', '<html>', '{}', 'BEGIN:VEVENT\r\nEND:VEVENT\r\n'])
      expect(() => readCalendar(text, 'nfl', now)).to.throw('it is not a calendar');
    expect(readCalendar(ics(), 'nfl', now).events).to.deep.equal([]);
  });

  describe('with their own time zones', () => {
    /** Returns Eastern Time under another name, with clock changes in RFC 5545 notation. */
    const zone = (id: string, standard = '-0500', daylight = '-0400') =>
      [
        'BEGIN:VTIMEZONE',
        `TZID:${id}`,
        'BEGIN:DAYLIGHT',
        'DTSTART:20070311T020000',
        'RRULE:FREQ=YEARLY;BYMONTH=3;BYDAY=2SU',
        `TZOFFSETFROM:${standard}`,
        `TZOFFSETTO:${daylight}`,
        'END:DAYLIGHT',
        'BEGIN:STANDARD',
        'DTSTART:20071104T020000',
        'RRULE:FREQ=YEARLY;BYMONTH=11;BYDAY=1SU',
        `TZOFFSETFROM:${daylight}`,
        `TZOFFSETTO:${standard}`,
        'END:STANDARD',
        'END:VTIMEZONE',
      ].join('\r\n');
    const withHead = (head: string, text: string) => text.replace('VERSION:2.0', `VERSION:2.0\r\n${head}`);
    const starts = (text: string, feedZone?: string) =>
      readCalendar(text, 'nfl', now, feedZone).events.map(({ startsAt }) => new Date(startsAt).toISOString());
    const game = (uid: string, start: string, ...more: string[]) => [
      `UID:${uid}`,
      `DTSTART${start}`,
      'SUMMARY:Gulls @ Foxes',
      ...more,
    ];

    it('follow the zone over the change to daylight saving time', () => {
      const text = ics(
        game('1', ';TZID=League Time:20260307T190000'),
        game('2', ';TZID="League Time":20260308T190000'),
      );
      expect(starts(withHead(zone('League Time'), text))).to.deep.equal([
        '2026-03-08T00:00:00.000Z',
        '2026-03-08T23:00:00.000Z',
      ]);
      expect(starts(withHead(zone('League Time', '-0530', '-0430'), text))).to.deep.equal([
        '2026-03-08T00:30:00.000Z',
        '2026-03-08T23:30:00.000Z',
      ]);
    });

    it('keep the time of day of a recurring event in its zone', () => {
      const text = ics(game('w', ';TZID=League Time:20260305T190000', 'RRULE:FREQ=WEEKLY;COUNT=2'));
      expect(starts(withHead(zone('League Time'), text))).to.deep.equal([
        '2026-03-06T00:00:00.000Z',
        '2026-03-12T23:00:00.000Z',
      ]);
    });

    it('put times without a zone into that of the feed, of the calendar, or the only one declared', () => {
      const text = ics(game('1', ':20260305T190000'));
      expect(starts(text)).to.deep.equal([]);
      expect(starts(text, 'America/Chicago')).to.deep.equal(['2026-03-06T01:00:00.000Z']);
      const headed = withHead('X-WR-TIMEZONE:America/Denver', text);
      expect(starts(headed)).to.deep.equal(['2026-03-06T02:00:00.000Z']);
      expect(starts(headed, 'America/Chicago')).to.deep.equal(['2026-03-06T01:00:00.000Z']);
      expect(starts(withHead(zone('League Time'), text))).to.deep.equal(['2026-03-06T00:00:00.000Z']);
      expect(starts(withHead(`${zone('One')}\r\n${zone('Two', '-0600', '-0500')}`, text))).to.deep.equal([]);
    });

    it('are read in bounded time despite a zone whose clocks change every second', () => {
      const text = ics(game('1', ';TZID=Odd:20260307T190000'));
      expect(starts(withHead(zone('Odd').replaceAll('YEARLY', 'SECONDLY'), text))).to.have.length(1);
    });
  });

  it('yield occurrences that are listed one by one, without a rule', () => {
    const { events } = readCalendar(
      ics(
        ['UID:5', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls @ Foxes'],
        ['UID:5', 'RECURRENCE-ID:20260305T180000Z', 'DTSTART:20260306T190000Z', 'SUMMARY:Gulls @ Foxes'],
        ['UID:6', 'RECURRENCE-ID:20260405T180000Z', 'DTSTART:20260405T180000Z', 'SUMMARY:Gulls @ Foxes'],
        [
          'UID:6',
          'RECURRENCE-ID:20260412T180000Z',
          'DTSTART:20260412T190000Z',
          'STATUS:CANCELLED',
          'SUMMARY:Gulls @ Foxes',
        ],
      ),
      'nfl',
      now,
    );
    expect(
      events.map(({ eventId, startsAt, state }) => [eventId, new Date(startsAt).toISOString(), state]),
    ).to.deep.equal([
      ['5', '2026-03-06T19:00:00.000Z', undefined],
      ['6/2026-04-05T18:00:00.000Z', '2026-04-05T18:00:00.000Z', undefined],
      ['6/2026-04-12T18:00:00.000Z', '2026-04-12T19:00:00.000Z', 'cancelled'],
    ]);
  });

  it('drop additions to titles, and use a state that they name', () => {
    const { events, leftOut } = readCalendar(
      ics(
        ['UID:1', 'DTSTART:20260305T180000Z', 'SUMMARY:[NFL] Gulls at Foxes [Check Listings]'],
        ['UID:2', 'DTSTART:20260306T180000Z', 'SUMMARY:Gulls at Foxes (Postponed)'],
        ['UID:3', 'DTSTART:20260307T180000Z', 'SUMMARY:TBD at Foxes'],
      ),
      'nfl',
      now,
    );
    expect(events.map(({ away, home, state }) => [away, home, state])).to.deep.equal([
      ['Gulls', 'Foxes', undefined],
      ['Gulls', 'Foxes', 'postponed'],
    ]);
    expect(leftOut).to.deep.equal({ 'opponent not known yet': 1 });
  });

  describe('with several events under one UID', () => {
    const series = [
      ['UID:s', 'DTSTART:20260305T180000Z', 'SUMMARY:Gulls @ Foxes'],
      ['UID:s', 'DTSTART:20260306T180000Z', 'SUMMARY:Gulls @ Foxes'],
      ['UID:s', 'DTSTART:20260306T180000Z', 'SUMMARY:Otters @ Bears'],
    ] as const;
    const read = (...events: (readonly string[])[]) =>
      readCalendar(ics(...events.map((each) => [...each])), 'mlb', now);

    it('yield a game for each, with a stable id in any order', () => {
      const { events, leftOut } = read(...series);
      expect(events.map(({ away, startsAt }) => [away, startsAt])).to.deep.equal([
        ['Gulls', at('2026-03-05T18:00:00Z')],
        ['Gulls', at('2026-03-06T18:00:00Z')],
        ['Otters', at('2026-03-06T18:00:00Z')],
      ]);
      expect(leftOut).to.deep.equal({});
      const ids = events.map(({ eventId }) => eventId);
      expect(new Set(ids).size).to.equal(3);
      expect(read(...series.toReversed()).events.map(({ eventId }) => eventId)).to.deep.equal(
        ids.toReversed(),
      );
    });

    it('yield a copy once, and the latest of several versions, counting the others', () => {
      const [first, second] = series;
      const { events, leftOut } = read(
        first,
        first,
        [...first, 'SEQUENCE:0'],
        second,
        ['UID:v', 'DTSTART:20260310T180000Z', 'SUMMARY:Gulls @ Foxes', 'SEQUENCE:1'],
        ['UID:v', 'DTSTART:20260312T180000Z', 'SUMMARY:Gulls @ Foxes', 'SEQUENCE:3'],
      );
      expect(events.map(({ startsAt }) => startsAt)).to.have.members([
        at('2026-03-05T18:00:00Z'),
        at('2026-03-06T18:00:00Z'),
        at('2026-03-12T18:00:00Z'),
      ]);
      expect(leftOut).to.deep.equal({ 'older version of an event': 1 });
    });

    it('yield the latest version of an event whose title now names its state', () => {
      const start = 'DTSTART:20260310T180000Z';
      const { events, leftOut } = read(
        ['UID:v', start, 'SUMMARY:PPD: Gulls @ Foxes', 'SEQUENCE:2'],
        ['UID:v', start, 'SUMMARY:Gulls @ Foxes', 'SEQUENCE:1'],
      );
      expect(events.map(({ state }) => state)).to.deep.equal(['postponed']);
      expect(leftOut).to.deep.equal({ 'older version of an event': 1 });
    });

    it('assign occurrences to the recurring event', () => {
      const { events } = read(
        [
          'UID:s',
          'DTSTART:20260305T180000Z',
          'SUMMARY:Otters @ Bears',
          'BEGIN:VALARM',
          'UID:x',
          'END:VALARM',
        ],
        ['UID:s', 'DTSTART:20260306T180000Z', 'SUMMARY:Gulls @ Foxes', 'RRULE:FREQ=WEEKLY;COUNT=2'],
        ['UID:s', 'RECURRENCE-ID:20260313T180000Z', 'DTSTART:20260313T200000Z', 'SUMMARY:Gulls @ Foxes'],
      );
      expect(events.map(({ startsAt }) => startsAt)).to.have.members([
        at('2026-03-05T18:00:00Z'),
        at('2026-03-06T18:00:00Z'),
        at('2026-03-13T20:00:00Z'),
      ]);
    });
  });
});
