import { Temporal } from 'temporal-polyfill';
import { nearestAmerican } from '../rules/odds.ts';
import type { Kind } from './file-rows.ts';

export const delimiters = [',', ';', '\t'] as const;

/** What the cells of a sheet have in common. */
export interface Sheet {
  /** With `;` a comma in a number is a decimal comma, otherwise it parts thousands. */
  delimiter: (typeof delimiters)[number];
  /** IANA zone of times that have none. Default: they are refused. */
  zone?: string | undefined;
}

/** A column of a sheet that is read. */
export interface Column {
  field: string;
  /** Headers that name it, as {@link plainHeader} returns them. */
  names: readonly string[];
  /** The value of a cell that is not blank; the text itself where it is none, for the schema to refuse. */
  read(text: string, sheet: Sheet): unknown;
  /** What a refused cell must be, where that is more than the schema says. */
  must?: string;
}

const text = (cell: string) => cell;
const slug = (cell: string) => cell.toLowerCase().replace(/\s+/g, '_');

/** A column that the name of its field names, too. */
function column(field: string, others: readonly string[], read: Column['read'] = text): Column {
  return { field, names: [plainHeader(field), ...others], read };
}

function instantColumn(field: string, others: readonly string[] = []): Column {
  return {
    ...column(field, others, instantOf),
    must: 'an instant such as 2026-01-10 17:05Z, or a time of --zone',
  };
}

const oddsMust = 'American odds such as -110, or decimal odds such as 1.91';

const game: readonly Column[] = [
  column('sport', ['league'], slug),
  column('game', ['match', 'matchup', 'event']),
  instantColumn('startsAt', ['start', 'starts', 'starttime', 'kickoff', 'gametime']),
];

const priced: readonly Column[] = [
  ...game,
  column('market', ['bettype'], slug),
  column('subject', ['player']),
  column('side', [], slug),
  column('line', ['handicap', 'points'], lineOf),
  { ...column('oddsAmerican', ['odds', 'price', 'americanodds'], oddsOf), must: oddsMust },
  { field: 'oddsAmerican', names: ['decimalodds', 'oddsdecimal'], read: decimalOddsOf, must: oddsMust },
  column('book', ['bookmaker', 'sportsbook'], slug),
];

/** The columns of each kind of rows. */
export const columns: Record<Kind, readonly Column[]> = {
  cappers: [
    column('handle', ['capper', 'capperhandle']),
    column('tier', [], slug),
    column('verified', [], booleanOf),
    column('displayName', ['name']),
  ],
  games: [
    ...game,
    instantColumn('movedTo', []),
    column('status', [], slug),
    column('homeScore', [], numberOf),
    column('awayScore', [], numberOf),
    column('homeHalfScore', [], numberOf),
    column('awayHalfScore', [], numberOf),
    instantColumn('finalAt', ['final', 'ended']),
  ],
  lines: [
    ...priced,
    instantColumn('capturedAt', ['captured', 'seen', 'seenat']),
    column('closing', [], booleanOf),
  ],
  picks: [
    ...priced,
    column('capperHandle', ['capper', 'handle']),
    column('pick', ['selection', 'bet']),
    column('stakeUnits', ['stake', 'units'], (cell, sheet) =>
      numberOf(cell.replace(/\s*u(nits?)?$/i, ''), sheet),
    ),
    column('source', []),
    instantColumn('postedAt', ['posted', 'placed', 'placedat', 'timestamp']),
  ],
  results: [
    ...game,
    column('market', ['bettype'], slug),
    column('subject', ['player']),
    column('side', [], slug),
    column('line', ['handicap', 'points'], lineOf),
    column('result', ['outcome'], slug),
    instantColumn('finalAt', ['final', 'ended']),
  ],
};

/** A header without what people write differently: case, spaces, punctuation. */
export function plainHeader(header: string): string {
  return header.toLowerCase().replace(/[^a-z0-9]/g, '');
}

/**
 * A number as a sheet shows it, in plain digits: `1,250.5`, `1.250,5` and `1,5` in a sheet with semicolons, with a true minus sign.
 * Undefined if it is none, or could be two: `1,909` between tabs.
 */
function plainNumber(cell: string, { delimiter }: Sheet): string | undefined {
  let digits = cell.replace(/[\u2212\u2013]/g, '-').replace(/\s/g, '');
  if (delimiter === ';' && /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(digits)) digits = digits.replaceAll('.', '');
  if (delimiter !== ';' && /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) {
    if (delimiter === '\t') return undefined;
    digits = digits.replaceAll(',', '');
  }
  const plain = digits.replace(',', '.').replace(/^\+/, '');
  return /^-?\d{1,9}(\.\d{1,6})?$/.test(plain) ? plain : undefined;
}

function numberOf(cell: string, sheet: Sheet): unknown {
  const plain = plainNumber(cell, sheet);
  return plain === undefined ? cell : Number(plain);
}

function lineOf(cell: string, sheet: Sheet): unknown {
  return /^(pk|pick'?em)$/i.test(cell) ? 0 : numberOf(cell, sheet);
}

/** Of a column that does not say which odds: those from 100 on, or with a sign, are American, since decimal odds are lower in practice. */
function oddsOf(cell: string, sheet: Sheet): unknown {
  if (/^(even|evens|ev)$/i.test(cell)) return 100;
  const american = numberOf(cell, sheet);
  if (typeof american !== 'number') return cell;
  if (/^[+\u2212\u2013-]/.test(cell) || american >= 100) return american;
  return decimalOddsOf(cell, sheet);
}

/** Decimal odds as the nearest American odds, between the longest and shortest that the ledger takes. */
function decimalOddsOf(cell: string, sheet: Sheet): unknown {
  const plain = plainNumber(cell, sheet);
  const odds = Number(plain);
  if (plain === undefined || odds < 1.001 || odds > 1001) return cell;
  const den = 10 ** (plain.split('.')[1] ?? '').length;
  return nearestAmerican({ num: Math.round(odds * den), den });
}

/**
 * RFC 3339 as sheets write it: with a space, without seconds, with `UTC` or an offset without a colon. A time without an offset is one of
 * the sheet's zone; one that its clocks skip or show twice is refused.
 */
function instantOf(cell: string, { zone }: Sheet): string {
  const [, date, time, seconds = ':00', given] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{1,2}:\d{2})(:\d{2}(?:\.\d+)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})?$/i.exec(cell) ??
    [];
  if (date === undefined || time === undefined) return cell;
  const local = `${date}T${time.padStart(5, '0')}${seconds}`;
  if (given !== undefined) return `${local}${/^[zu]/i.test(given) ? 'Z' : given.replace(/^(...):?/, '$1:')}`;
  if (zone === undefined) return cell;
  try {
    const at = Temporal.PlainDateTime.from(local).toZonedDateTime(zone, { disambiguation: 'reject' });
    return at.toInstant().toString();
  } catch (error) {
    if (error instanceof RangeError) return cell;
    throw error;
  }
}

function booleanOf(cell: string): unknown {
  if (/^(true|yes|y|x|1)$/i.test(cell)) return true;
  if (/^(false|no|n|0)$/i.test(cell)) return false;
  return cell;
}
