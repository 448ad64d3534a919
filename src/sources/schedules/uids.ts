import { readFixture } from '../../games/names/title.ts';
import { fingerprint } from '../runs.ts';

/** An event of a calendar: its lines, and its identity. */
interface Block {
  from: number;
  to: number;
  uid: string | undefined;
  isOccurrence: boolean;
  repeats: boolean;
  sequence: number;
  title: string;
  /** The whole line, including its zone. */
  start: string;
}

/**
 * Gives each event of a calendar its own UID, as RFC 5545, section 3.8.4.7, requires: readers keep one event per UID. Of events with the
 * same UID and title, or the same start and opponents, the highest SEQUENCE is current. Copies are removed.
 * @param text a calendar with unfolded lines
 * @returns the calendar, and the number of removed older versions
 */
export function withOwnUids(text: string, sport?: string): { text: string; older: number } {
  const lines = text.split(/\r?\n/);
  const blocks = blocksOf(lines);
  const renamed = new Map<number, string>();
  const dropped = new Set<Block>();
  let older = 0;
  for (const [uid, same] of Map.groupBy(blocks, (block) => block.uid)) {
    const events = same.filter(({ isOccurrence }) => !isOccurrence);
    if (uid === undefined || events.length < 2) continue;
    const latest = new Map<string, number>();
    const names = ({ title, start }: Block) => {
      const fixture = readFixture(title, sport);
      return fixture === undefined ? [title] : [title, `${start}\n${fixture.away}\n${fixture.home}`];
    };
    for (const event of events)
      for (const name of names(event)) latest.set(name, Math.max(event.sequence, latest.get(name) ?? 0));
    const copies = new Set<string>();
    // Occurrences listed one by one belong to the recurring event.
    const owner =
      events.find(({ repeats }) => repeats) ?? (events.length < same.length ? events[0] : undefined);
    for (const event of events) {
      const key = `${event.start}\n${event.title}`;
      const isOlder = names(event).some((name) => event.sequence < latest.get(name)!);
      if (isOlder) older += 1;
      if (isOlder || copies.has(key)) dropped.add(event);
      else if (event !== owner) renamed.set(event.from, `${uid}/${fingerprint(key).slice(0, 12)}`);
      copies.add(key);
    }
  }
  if (renamed.size === 0 && dropped.size === 0) return { text, older };
  for (const block of blocks) {
    const own = renamed.get(block.from);
    for (let at = block.from; at <= block.to; at++)
      if (dropped.has(block)) lines[at] = '';
      else if (own !== undefined && /^UID[;:]/i.test(lines[at]!)) lines[at] = `UID:${own}`;
  }
  return { text: lines.filter((line) => line !== '').join('\r\n'), older };
}

function blocksOf(lines: readonly string[]): Block[] {
  const blocks: Block[] = [];
  for (let from = 0; from < lines.length; from++) {
    if (!/^BEGIN:VEVENT\s*$/i.test(lines[from]!)) continue;
    const own = new Map<string, string>();
    let depth = 1;
    let to = from;
    while (depth > 0 && to + 1 < lines.length) {
      to += 1;
      const line = lines[to]!;
      if (/^BEGIN:/i.test(line)) depth += 1;
      else if (/^END:/i.test(line)) depth -= 1;
      else if (depth === 1) own.set(/^[A-Z-]*/i.exec(line)![0].toUpperCase(), line);
    }
    blocks.push({
      from,
      to,
      uid: textOf(own.get('UID')),
      isOccurrence: own.has('RECURRENCE-ID'),
      repeats: own.has('RRULE'),
      sequence: Number(/^\d{1,9}$/.exec(textOf(own.get('SEQUENCE')) ?? '')?.[0] ?? 0),
      title: textOf(own.get('SUMMARY')) ?? '',
      start: own.get('DTSTART') ?? '',
    });
    from = to;
  }
  return blocks;
}

function textOf(line: string | undefined): string | undefined {
  return line === undefined ? undefined : /^[^:"]*(?:"[^"]*"[^:"]*)*:(.*)$/.exec(line)?.[1]?.trim();
}
