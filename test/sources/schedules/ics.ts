export function ics(...events: readonly string[][]): string {
  const bodies = events.map((lines) =>
    ['BEGIN:VEVENT', 'DTSTAMP:20260101T000000Z', ...lines, 'END:VEVENT'].join('\r\n'),
  );
  return ['BEGIN:VCALENDAR', 'VERSION:2.0', 'PRODID:-//test//EN', ...bodies, 'END:VCALENDAR', ''].join(
    '\r\n',
  );
}
