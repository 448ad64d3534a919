import { nearestAmerican } from '../rules/odds.ts';
import type { Kind } from './file-rows.ts';

/** The delimiters of sheets. They tell what a comma in a number is: with `;` a decimal comma, otherwise it parts thousands. */
export const delimiters = [',', ';', '\t'] as const;
export type Delimiter = (typeof delimiters)[number];

/** A column of a sheet that is read. */
export interface Column {
  field: string;
  /** Headers that name it, as {@link plainHeader} returns them. */
  names: readonly string[];
  /** The value of a cell that is not blank; the text itself where it is none, for the schema to refuse. */
  read(text: string, delimiter: Delimiter): unknown;
  /** What a refused cell must be, where that is more than the schema says. */
  must?: string;
}

const text = (cell: string) => cell;
const slug = (cell: string) => cell.toLowerCase().replace(/\s+/g, '_');

/** A column that the name of its field names, too. */
function column(field: string, others: readonly string[], read: Column['read'] = text): Column {
  return { field, names: [plainHeader(field), ...others], read };
}

const oddsMust = 'American odds such as -110, or decimal odds such as 1.91';

const game: readonly Column[] = [
  column('sport', ['league'], slug),
  column('game', ['match', 'matchup', 'event']),
  column('startsAt', ['start', 'starts', 'starttime', 'kickoff', 'gametime'], instantOf),
];

const priced: readonly Column[] = [
  ...game,
  column('market', ['bettype'], slug),
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
    column('movedTo', [], instantOf),
    column('status', [], slug),
    column('homeScore', [], numberOf),
    column('awayScore', [], numberOf),
    column('homeHalfScore', [], numberOf),
    column('awayHalfScore', [], numberOf),
    column('finalAt', ['final', 'ended'], instantOf),
  ],
  lines: [
    ...priced,
    column('capturedAt', ['captured', 'seen', 'seenat'], instantOf),
    column('closing', [], booleanOf),
  ],
  picks: [
    ...priced,
    column('capperHandle', ['capper', 'handle']),
    column('pick', ['selection', 'bet']),
    column('stakeUnits', ['stake', 'units'], (cell, delimiter) =>
      numberOf(cell.replace(/\s*u(nits?)?$/i, ''), delimiter),
    ),
    column('source', []),
    column('postedAt', ['posted', 'placed', 'placedat', 'timestamp'], instantOf),
  ],
  results: [
    ...game,
    column('market', ['bettype'], slug),
    column('side', [], slug),
    column('line', ['handicap', 'points'], lineOf),
    column('result', ['outcome'], slug),
    column('finalAt', ['final', 'ended'], instantOf),
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
function plainNumber(cell: string, delimiter: Delimiter): string | undefined {
  let digits = cell.replace(/[\u2212\u2013]/g, '-').replace(/\s/g, '');
  if (delimiter === ';' && /^[+-]?\d{1,3}(\.\d{3})+,\d+$/.test(digits)) digits = digits.replaceAll('.', '');
  if (delimiter !== ';' && /^[+-]?\d{1,3}(,\d{3})+(\.\d+)?$/.test(digits)) {
    if (delimiter === '\t') return undefined;
    digits = digits.replaceAll(',', '');
  }
  const plain = digits.replace(',', '.').replace(/^\+/, '');
  return /^-?\d{1,9}(\.\d{1,6})?$/.test(plain) ? plain : undefined;
}

function numberOf(cell: string, delimiter: Delimiter): unknown {
  const plain = plainNumber(cell, delimiter);
  return plain === undefined ? cell : Number(plain);
}

function lineOf(cell: string, delimiter: Delimiter): unknown {
  return /^(pk|pick'?em)$/i.test(cell) ? 0 : numberOf(cell, delimiter);
}

/** Of a column that does not say which odds: those from 100 on, or with a sign, are American, since decimal odds are lower in practice. */
function oddsOf(cell: string, delimiter: Delimiter): unknown {
  if (/^(even|evens|ev)$/i.test(cell)) return 100;
  const american = numberOf(cell, delimiter);
  if (typeof american !== 'number') return cell;
  if (/^[+\u2212\u2013-]/.test(cell) || american >= 100) return american;
  return decimalOddsOf(cell, delimiter);
}

/** Decimal odds as the nearest American odds, between the longest and shortest that the ledger takes. */
function decimalOddsOf(cell: string, delimiter: Delimiter): unknown {
  const plain = plainNumber(cell, delimiter);
  const odds = Number(plain);
  if (plain === undefined || odds < 1.001 || odds > 1001) return cell;
  const den = 10 ** (plain.split('.')[1] ?? '').length;
  return nearestAmerican({ num: Math.round(odds * den), den });
}

/** RFC 3339 as sheets write it: with a space, without seconds, with `UTC` or an offset without a colon. */
function instantOf(cell: string): string {
  const [, date, time, seconds = ':00', zone = ''] =
    /^(\d{4}-\d{2}-\d{2})[ T](\d{2}:\d{2})(:\d{2}(?:\.\d+)?)? ?(Z|UTC|[+-]\d{2}:?\d{2})$/i.exec(cell) ?? [];
  if (date === undefined) return cell;
  const offset = /^[zu]/i.test(zone) ? 'Z' : zone.replace(/^(...):?/, '$1:');
  return `${date}T${time}${seconds}${offset}`;
}

function booleanOf(cell: string): unknown {
  if (/^(true|yes|y|x|1)$/i.test(cell)) return true;
  if (/^(false|no|n|0)$/i.test(cell)) return false;
  return cell;
}
