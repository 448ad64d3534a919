import { RRuleTemporal } from 'rrule-temporal';

/**
 * Converts the times of a calendar (RFC 5545) for a reader that does not know its zones. A time in a zone that the calendar defines
 * (VTIMEZONE, section 3.6.5) becomes UTC, and a floating time gets a zone.
 * @param zone IANA zone of floating times. Default: the calendar's X-WR-TIMEZONE, or its only defined zone; otherwise they stay floating
 * @param now zones are compared around this instant
 */
export function inKnownZones(text: string, zone: string | undefined, now: EpochMs): string {
  const lines = text.replace(/\r?\n[ \t]/g, '').split(/\r?\n/);
  const own = ownZones(lines);
  const [only] = own.size === 1 ? own.keys() : [];
  const named = /^X-WR-TIMEZONE[^:]*:(.+)$/im.exec(lines.join('\n'))?.[1]?.trim();
  const floating = zone ?? (named !== undefined && (isZone(named) || own.has(named)) ? named : only);
  // Occurrences keep their time of day in summer and winter, so a rule needs a zone, not UTC.
  const repeats = lines.some((line) => /^RRULE[;:]/i.test(line) && !isYearly(line));
  const equals = new Map<string, string | undefined>();
  const equalOf = (name: string, of: OwnZone) => {
    if (!equals.has(name)) equals.set(name, repeats ? equalZone(of, now) : undefined);
    return equals.get(name);
  };
  return withoutZones(lines)
    .map((line) => {
      const [, name, parameters = '', value = ''] = timed.exec(line) ?? [];
      if (name === undefined) return line;
      const given = /;TZID=(?:"([^"]*)"|([^;:]*))/i.exec(parameters);
      const id = given?.[1] ?? given?.[2];
      const rest = parameters.replace(/;TZID=(?:"[^"]*"|[^;:]*)/i, '');
      if (id === undefined) {
        const isFloating = value.split(',').every((each) => localTime.test(each));
        if (!isFloating || floating === undefined) return line;
      }
      const wanted = (id ?? floating)!;
      const defined = own.get(wanted);
      if (isZone(wanted)) return `${name}${rest};TZID=${wanted}:${value}`;
      if (defined === undefined)
        return unclear.test(wanted) ? `${name}${rest};TZID=Unknown/Zone:${value}` : line;
      const equal = equalOf(wanted, defined);
      if (equal !== undefined) return `${name}${rest};TZID=${equal}:${value}`;
      return `${name}${rest}:${value
        .split(',')
        .map((each) => utc(each, defined))
        .join(',')}`;
    })
    .join('\r\n');
}

const timed = /^(DTSTART|DTEND|RECURRENCE-ID|EXDATE|RDATE)((?:;[A-Z-]+=(?:"[^"]*"|[^:;"]*))*):(.*)$/i;
const localTime = /^(\d{4})(\d{2})(\d{2})T(\d{2})(\d{2})(\d{2})$/;

/** Removes zone definitions: the reader would apply them to floating times. */
function withoutZones(lines: readonly string[]): string[] {
  let inside = false;
  return lines.filter((line) => {
    if (/^BEGIN:VTIMEZONE/i.test(line)) inside = true;
    if (!inside) return true;
    if (/^END:VTIMEZONE/i.test(line)) inside = false;
    return false;
  });
}

/** A zone's offset changes in order: the offset in ms from each local instant on. */
type OwnZone = readonly { from: number; offset: number }[];

/** Returns the zones that a calendar defines, by TZID. */
function ownZones(lines: readonly string[]): Map<string, OwnZone> {
  const zones = new Map<string, OwnZone>();
  for (let at = 0; at < lines.length; at++) {
    if (!/^BEGIN:VTIMEZONE/i.test(lines[at]!)) continue;
    const end = lines.findIndex((line, index) => index > at && /^END:VTIMEZONE/i.test(line));
    if (end < 0) break;
    const body = lines.slice(at + 1, end);
    const id = lineValue(body, 'TZID')?.replace(/^"(.*)"$/, '$1');
    const changes = body.flatMap((line, index) =>
      /^BEGIN:(?:STANDARD|DAYLIGHT)/i.test(line) ? changesOf(body.slice(index + 1)) : [],
    );
    if (id !== undefined && changes.length > 0)
      zones.set(
        id,
        changes.sort((a, b) => a.from - b.from),
      );
    at = end;
  }
  return zones;
}

/** Last year in which rules are expanded. */
const lastYear = 2100;

function changesOf(observance: readonly string[]): { from: number; offset: number }[] {
  const own = observance.slice(
    0,
    observance.findIndex((line) => /^END:/i.test(line)),
  );
  const offset = offsetOf(lineValue(own, 'TZOFFSETTO'));
  const start = localMs(lineValue(own, 'DTSTART') ?? '');
  if (offset === undefined || start === undefined) return [];
  const dates = own.flatMap((line) => /^RDATE[^:]*:(.*)$/i.exec(line)?.[1]?.split(',') ?? []);
  const rule = own.find((line) => /^RRULE:/i.test(line));
  const instants = [start, ...dates.flatMap((date) => localMs(date) ?? []), ...repeated(start, rule)];
  return instants.map((from) => ({ from, offset }));
}

/** Returns the local instants of a yearly rule; none for other rules, which zones do not need. */
function repeated(start: number, rule: string | undefined): number[] {
  if (rule === undefined || !isYearly(rule)) return [];
  const compact = new Date(start).toISOString().replace(/[-:]|\.000/g, '');
  try {
    return new RRuleTemporal({ rruleString: `DTSTART:${compact}\n${rule}`, maxIterations: 1000 })
      .between(new Date(start), new Date(Date.UTC(lastYear, 0)), true)
      .map(({ epochMilliseconds }) => epochMilliseconds);
  } catch {
    return [];
  }
}

function isYearly(rule: string): boolean {
  return /FREQ=YEARLY/i.test(rule);
}

function lineValue(lines: readonly string[], name: string): string | undefined {
  return lines
    .map((line) => new RegExp(`^${name}(?:;[^:]*)?:(.*)$`, 'i').exec(line)?.[1]?.trim())
    .find((value) => value !== undefined);
}

/** Parses an offset such as `-0500` to ms. */
function offsetOf(text: string | undefined): number | undefined {
  const [, sign, hours, minutes, seconds = '0'] = /^([+-])(\d{2})(\d{2})(\d{2})?$/.exec(text ?? '') ?? [];
  if (sign === undefined) return undefined;
  const ms = (Number(hours) * 3600 + Number(minutes) * 60 + Number(seconds)) * 1000;
  return sign === '-' ? -ms : ms;
}

function localMs(text: string): number | undefined {
  const [, year, month, day, hour, minute, second] = localTime.exec(text) ?? [];
  if (year === undefined) return undefined;
  const at = Date.UTC(+year, +month! - 1, +day!, +hour!, +minute!, +second!);
  return Number.isNaN(at) ? undefined : at;
}

function utc(text: string, zone: OwnZone): string {
  const local = localMs(text);
  if (local === undefined) return text;
  const at = new Date(local - offsetAt(local, zone)).toISOString();
  return at.replace(/[-:]|\.000/g, '');
}

/** Returns the offset at a local time: that of the latest change before it, or of the first one. */
function offsetAt(local: number, zone: OwnZone): number {
  return (zone.findLast(({ from }) => from <= local) ?? zone[0]!).offset;
}

/** Returns an IANA zone with the same offsets from a year before now to a year after. */
function equalZone(zone: OwnZone, now: number): string | undefined {
  const samples = Array.from({ length: 52 }, (_, at) => now + (at - 26) * 14 * 86_400_000);
  return Intl.supportedValuesOf('timeZone').find((name) => {
    const format = new Intl.DateTimeFormat('sv-SE', {
      timeZone: name,
      dateStyle: 'short',
      timeStyle: 'medium',
    });
    return samples.every((sample) => {
      const local = Math.trunc(sample / 1000) * 1000;
      const at = local - offsetAt(local, zone);
      return Date.parse(`${format.format(at).replace(' ', 'T')}Z`) === local;
    });
  });
}

/** Abbreviations that ICU takes for a zone of its own (`BST` for Dhaka), and names for which the reader takes the zone of its machine. */
const unclear =
  /^(?:(?:ACT|AET|AGT|ART|AST|BET|BST|CAT|CNT|CST|CTT|EAT|ECT|IET|IST|JST|MIT|NET|NST|PLT|PNT|PRT|PST|SST|VST)$|customized time zone|tzone|\(no tz)/i;

export function isZone(name: string | undefined): boolean {
  if (name === undefined || unclear.test(name)) return false;
  try {
    new Intl.DateTimeFormat('en', { timeZone: name });
    return true;
  } catch {
    return false;
  }
}
