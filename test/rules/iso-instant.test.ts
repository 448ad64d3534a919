import { expect } from 'chai';
import fc from 'fast-check';
import { isoInstant } from '../../src/rules/iso-instant.ts';

const read = (text: string) => {
  const at = isoInstant(text);
  return at === null ? null : new Date(at).toISOString();
};

describe('an instant of ISO 8601 or RFC 3339', () => {
  const texts: [text: string, instant: string][] = [
    ['2026', '2026-01-01T00:00:00.000Z'],
    ['2026-03', '2026-03-01T00:00:00.000Z'],
    ['2026-03-04', '2026-03-04T00:00:00.000Z'],
    ['20260304', '2026-03-04T00:00:00.000Z'],
    ['2026-W01', '2025-12-29T00:00:00.000Z'],
    ['2026W01', '2025-12-29T00:00:00.000Z'],
    ['2026-W10-3', '2026-03-04T00:00:00.000Z'],
    ['2026W103', '2026-03-04T00:00:00.000Z'],
    ['2026-w10-3', '2026-03-04T00:00:00.000Z'],
    ['2020-W53-7', '2021-01-03T00:00:00.000Z'],
    ['2026-063', '2026-03-04T00:00:00.000Z'],
    ['2026063', '2026-03-04T00:00:00.000Z'],
    ['2024-366', '2024-12-31T00:00:00.000Z'],
    ['2026-03-04T17:05:06Z', '2026-03-04T17:05:06.000Z'],
    ['2026-03-04t17:05:06z', '2026-03-04T17:05:06.000Z'],
    ['2026-03-04 17:05:06Z', '2026-03-04T17:05:06.000Z'],
    ['2026-03-04 17:05:06 Z', '2026-03-04T17:05:06.000Z'],
    ['20260304T170506Z', '2026-03-04T17:05:06.000Z'],
    ['20260304T1705Z', '2026-03-04T17:05:00.000Z'],
    ['20260304T17Z', '2026-03-04T17:00:00.000Z'],
    ['2026-W10-3T17:05', '2026-03-04T17:05:00.000Z'],
    ['2026063T170506', '2026-03-04T17:05:06.000Z'],
    ['2026-03-04T17:05:06.5Z', '2026-03-04T17:05:06.500Z'],
    ['2026-03-04T17:05:06,25Z', '2026-03-04T17:05:06.250Z'],
    ['2026-03-04T17:05,5', '2026-03-04T17:05:30.000Z'],
    ['2026-03-04T17.25', '2026-03-04T17:15:00.000Z'],
    ['2026-03-04T17:05:06.123456789Z', '2026-03-04T17:05:06.124Z'],
    ['2026-03-04T17:05:06.123000000Z', '2026-03-04T17:05:06.123Z'],
    ['2026-03-04T17:05+02:00', '2026-03-04T15:05:00.000Z'],
    ['2026-03-04T17:05-0330', '2026-03-04T20:35:00.000Z'],
    ['2026-03-04T17:05\u221203:30', '2026-03-04T20:35:00.000Z'],
    ['2026-03-04T17:05+02', '2026-03-04T15:05:00.000Z'],
    ['2026-03-04T17:05 00:00', '2026-03-04T17:05:00.000Z'],
    ['2026-03-04 17:05 02:00', '2026-03-04T15:05:00.000Z'],
    ['2026-03-04T17:05 0200', '2026-03-04T15:05:00.000Z'],
    ['2026-03-04T17:05:06 +02:00', '2026-03-04T15:05:06.000Z'],
    ['2026-03-04T17:05:06-00:00', '2026-03-04T17:05:06.000Z'],
    ['2026-03-04T24:00', '2026-03-05T00:00:00.000Z'],
    ['1990-12-31T23:59:60Z', '1991-01-01T00:00:00.000Z'],
    ['1990-12-31T15:59:60.5-08:00', '1991-01-01T00:00:00.500Z'],
    ['0001-01-01', '0001-01-01T00:00:00.000Z'],
    ['9999-12-31T23:59:59Z', '9999-12-31T23:59:59.000Z'],
    ['  2026-03-04 ', '2026-03-04T00:00:00.000Z'],
  ];
  for (const [text, instant] of texts)
    it(`may be written ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.equal(instant);
    });

  const others = [
    ...[
      '',
      'yesterday',
      '26',
      '202',
      '202603',
      '2026-3-4',
      '2026-13',
      '2026-02-30',
      '2025-02-29',
      '2026-00-01',
    ],
    ...[
      '2026-W00',
      '2026-W54',
      '2025-W53-1',
      '2026-W10-0',
      '2026-W10-8',
      '2026-000',
      '2026-366',
      '2026-W10T17:05',
    ],
    ...['2026T17', '2026-03T17:05', '2026-03-04T', '2026-03-04T1', '2026-03-04T25:00', '2026-03-04T24:01'],
    ...['2026-03-04T24:00:00.1', '2026-03-04T17:60', '2026-03-04T17:05:61Z', '2026-03-04T17:05:60Z'],
    ...[
      '2026-03-04T23:59:60-08:00',
      '2026-03-04T17:05+24:00',
      '2026-03-04T17:05+02:60',
      '2026-03-04T17:05+2',
    ],
    ...['2026-03-04Z', '2026-03-04T17:05.', '0000-01-01T00:00+01:00', '9999-12-31T23:59-01:00', '\u0000'],
  ];
  for (const text of others)
    it(`may not be written ${JSON.stringify(text)}`, () => {
      expect(read(text)).to.equal(null);
    });

  const pad = (value: number, length = 2) => String(value).padStart(length, '0');
  const minutes = fc.integer({ min: -1_035_000_000, max: 4_220_000_000 }).map((at) => at * 60_000);

  /** Formats a day in one of the forms of a date, independently of the code under test. */
  function dateText(at: number, form: number): string {
    const date = new Date(at);
    const [year, month, day] = date.toISOString().slice(0, 10).split('-') as [string, string, string];
    const newYear = Date.parse(`${year}-01-01T00:00:00Z`);
    if (form < 2) return [year, month, day].join(form === 0 ? '-' : '');
    const ordinal = Math.floor((at - newYear) / 86_400_000) + 1;
    if (form < 4) return [year, pad(ordinal, 3)].join(form === 2 ? '-' : '');
    // The week's number is that of its Thursday among the Thursdays of its year.
    const weekday = date.getUTCDay() || 7;
    const thursday = new Date(at + (4 - weekday) * 86_400_000);
    const first = Date.parse(`${thursday.toISOString().slice(0, 4)}-01-01T00:00:00Z`);
    const week = Math.floor((thursday.getTime() - first) / (7 * 86_400_000)) + 1;
    return [thursday.toISOString().slice(0, 4), `W${pad(week)}`, weekday].join(form === 4 ? '-' : '');
  }

  it('is parsed from every form that it can be written in', () => {
    fc.assert(
      fc.property(
        minutes,
        fc.nat(5),
        fc.integer({ min: -1439, max: 1439 }),
        fc.constantFrom('T', 't', ' '),
        fc.constantFrom(':', ''),
        fc.constantFrom(':', ''),
        fc.boolean(),
        (at, form, offset, mark, colon, zoneColon, plusAsSpace) => {
          const local = at + offset * 60_000;
          const [hours, minute] = new Date(local).toISOString().slice(11, 16).split(':');
          const sign = offset < 0 ? '-' : plusAsSpace ? ' ' : '+';
          const [zoneHours, zoneMinutes] = [Math.floor(Math.abs(offset) / 60), Math.abs(offset) % 60];
          const zone =
            zoneMinutes === 0 ? pad(zoneHours) : `${pad(zoneHours)}${zoneColon}${pad(zoneMinutes)}`;
          const text = `${dateText(local, form)}${mark}${hours}${colon}${minute}${sign}${zone}`;
          expect(isoInstant(text), text).to.equal(at);
        },
      ),
      { numRuns: 700 },
    );
  });

  it('is parsed exactly from what JavaScript writes', () => {
    fc.assert(
      fc.property(
        fc.date({ min: new Date('0001-01-01'), max: new Date('9999-12-31'), noInvalidDate: true }),
        (date) => {
          expect(isoInstant(date.toISOString())).to.equal(date.getTime());
        },
      ),
    );
  });

  it('is rounded up to the millisecond', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^\d{1,40}$/), (digits) => {
        const at = isoInstant(`2026-03-04T17:05:06.${digits}Z`) as number;
        const scaled = BigInt(digits) * 1000n;
        const scale = 10n ** BigInt(digits.length);
        const beyond = BigInt(at - Date.parse('2026-03-04T17:05:06Z')) * scale - scaled;
        expect(beyond >= 0n && beyond < scale).to.equal(true);
      }),
    );
  });

  it('is a number or absent, whatever the text', () => {
    fc.assert(
      fc.property(fc.stringMatching(/^[0-9:.,WTZtz +-]{0,30}$/), (text) => {
        const at = isoInstant(text);
        expect(at === null || Number.isInteger(at)).to.equal(true);
      }),
      { numRuns: 700 },
    );
  });
});
