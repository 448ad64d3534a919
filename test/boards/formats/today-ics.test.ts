import { expect } from 'chai';
import fc from 'fast-check';
import ICAL from 'ical.js';
import nodeIcal, { type VEvent } from 'node-ical';
import { todayIcs } from '../../../src/boards/feeds/today-ics.ts';
import { icalText } from '../../../src/boards/formats/safe-text.ts';
import type { PublicPick } from '../../../src/boards/pick.ts';
import { codePoint } from '../../support/code-point.ts';
import { baseUrl, closed, examplePick, helpLine, hostileTexts, settled } from './example-picks.ts';

const sports = new Map([['nfl', { key: 'nfl', label: 'NFL', moneylineWays: 2 as const, eventMinutes: 195 }]]);
const uuid = (n: number) => `00000000-0000-4000-8000-${String(n).padStart(12, '0')}`;
const render = (...picks: PublicPick[]) =>
  todayIcs.render({ day: '2024-10-06', picks }, { baseUrl, helpLine, params: {}, sports });

/** Checks a calendar's bytes against RFC 5545, and parses its events with one parser. */
function eventsIn(text: string): ICAL.Component[] {
  expect(text.endsWith('\r\n')).to.equal(true);
  expect(text.replaceAll('\r\n', '')).not.to.match(/[\r\n]/);
  for (const line of text.split('\r\n')) {
    const octets = Buffer.from(line);
    expect(octets.length).to.be.at.most(75);
    expect(octets.toString()).to.equal(line);
  }
  const calendar = new ICAL.Component(ICAL.parse(text));
  expect(calendar.getFirstPropertyValue('version')).to.equal('2.0');
  expect(calendar.getFirstPropertyValue('prodid')).to.be.a('string');
  expect(calendar.getFirstPropertyValue('method')).to.equal('PUBLISH');
  expect(calendar.getAllSubcomponents()).not.to.have.lengthOf(0);
  const events = calendar.getAllSubcomponents('vevent');
  for (const event of events)
    for (const name of ['uid', 'dtstamp', 'dtstart', 'sequence', 'last-modified', 'status', 'summary'])
      expect(event.getAllProperties(name), name).to.have.lengthOf(1);
  const uids = events.map((event) => event.getFirstPropertyValue('uid'));
  expect(new Set(uids).size).to.equal(uids.length);
  return events;
}

/** Parses the events with another parser. */
function otherEvents(text: string): VEvent[] {
  return Object.values(nodeIcal.sync.parseICS(text)).filter(
    (entry): entry is VEvent => entry?.type === 'VEVENT',
  );
}

const value = (event: ICAL.Component | undefined, name: string) =>
  String(event?.getFirstPropertyValue(name) ?? '');

describe("today's calendar", () => {
  it('has an event per pick, as long as a game of its sport takes', () => {
    const text = render(examplePick(), examplePick({ pickUuid: uuid(1), sport: 'curling' }));
    const [first, second] = eventsIn(text);
    expect(value(first, 'dtstart')).to.equal('2024-10-06T20:25:00Z');
    expect(value(first, 'dtend')).to.equal('2024-10-06T23:40:00Z');
    expect(value(second, 'dtend')).to.equal('2024-10-06T23:25:00Z');
    expect(value(first, 'uid')).to.equal(`${examplePick().pickUuid}@picks.example`);
    const [other] = otherEvents(text);
    expect(other?.start.toISOString()).to.equal('2024-10-06T20:25:00.000Z');
    expect(other?.end?.toISOString()).to.equal('2024-10-06T23:40:00.000Z');
    expect(other?.uid).to.equal(value(first, 'uid'));
  });

  it('is valid without events: it contains Eastern Time', () => {
    const text = render();
    expect(eventsIn(text)).to.deep.equal([]);
    const [zone] = new ICAL.Component(ICAL.parse(text)).getAllSubcomponents();
    expect(text.slice(text.indexOf('BEGIN:VTIMEZONE'))).to.match(/END:VTIMEZONE\r\nEND:VCALENDAR\r\n$/);
    const eastern = new ICAL.Timezone(zone as ICAL.Component);
    const offsetOn = (day: string) => eastern.utcOffset(ICAL.Time.fromDateTimeString(`${day}T12:00:00`));
    expect(eastern.tzid).to.equal('America/New_York');
    for (const day of ['2024-03-09', '2024-11-03', '2026-01-10'])
      expect(offsetOn(day), day).to.equal(-5 * 3600);
    for (const day of ['2024-03-10', '2024-11-02', '2026-07-10'])
      expect(offsetOn(day), day).to.equal(-4 * 3600);
  });

  it('tells clients how often to poll', () => {
    const calendar = new ICAL.Component(ICAL.parse(render(examplePick())));
    for (const name of ['refresh-interval', 'x-published-ttl'])
      expect(String(calendar.getFirstPropertyValue(name))).to.equal('PT10M');
  });

  it('keeps the UID of a pick and advances SEQUENCE, DTSTAMP, and LAST-MODIFIED with each event', () => {
    const lives = [examplePick(), examplePick(closed), examplePick(settled)].map(
      (pick) => eventsIn(render(pick))[0],
    );
    const values = (name: string) => lives.map((event) => value(event, name));
    expect(new Set(values('uid')).size).to.equal(1);
    expect(values('sequence')).to.deep.equal(['0', '1', '2']);
    const changes = ['2024-10-06T12:00:00Z', '2024-10-06T20:25:00Z', '2024-10-06T23:31:00Z'];
    expect(values('dtstamp')).to.deep.equal(changes);
    expect(values('last-modified')).to.deep.equal(changes);
  });

  it('cancels the event of a void pick and of no other', () => {
    for (const result of ['win', 'loss', 'push', 'void'] as const)
      expect(value(eventsIn(render(examplePick({ ...settled, result })))[0], 'status')).to.equal(
        result === 'void' ? 'CANCELLED' : 'CONFIRMED',
      );
  });

  it('turns a pick without a known start into an all-day event', () => {
    const text = render(examplePick({ startsAt: null }));
    expect(value(eventsIn(text)[0], 'dtstart')).to.equal('2024-10-06');
    expect(text).to.contain('DTSTART;VALUE=DATE:20241006\r\n');
    expect(otherEvents(text)[0]?.datetype).to.equal('date');
  });

  it('has the same bytes for the same slate', () => {
    expect(render(examplePick(settled))).to.equal(render(examplePick(settled)));
  });

  it("says where to find help, whatever the help line's name", () => {
    const text = render(examplePick());
    expect(value(eventsIn(text)[0], 'description')).to.contain(helpLine);
    // Neither parser decodes this text, so it is compared as RFC 5545, section 3.3.11, writes it.
    const [, about] = text.replaceAll('\r\n ', '').match(/^X-WR-CALDESC:(.*)$/m)!;
    expect(about).to.contain(`\\n`).and.to.contain(helpLine.replace(/[;,]/g, '\\$&'));
  });

  for (const text of hostileTexts)
    it(`preserves ${JSON.stringify(text.slice(0, 40))} in both parsers`, () => {
      const rendered = render(examplePick({ pick: text, game: text }));
      expect(value(eventsIn(rendered)[0], 'summary')).to.contain(icalText(text));
      // This parser mistakes an escaped backslash before an n for a line break.
      if (!text.includes('\\n'))
        expect(otherEvents(rendered)[0]?.summary).to.contain(icalText(text).trimEnd());
    });

  it('preserves any Unicode text', () => {
    fc.assert(
      fc.property(fc.string({ unit: codePoint, minLength: 1, maxLength: 300 }), (text) => {
        const [event] = eventsIn(render(examplePick({ pick: text, game: text })));
        expect(value(event, 'summary')).to.contain(icalText(text));
        expect(value(event, 'description')).to.contain(icalText(text));
      }),
    );
  });
});
