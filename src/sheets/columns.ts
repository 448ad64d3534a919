import { readResult, readTime } from '../intake/cells.ts';
import { type OddsFormat, readOdds } from '../rules/odds-format.ts';
import { sportMeant } from '../rules/sport-words.ts';

import type { Grid } from './grid.ts';

/** Fields that a column can hold. `kind`: straight or parlay. `money`: a stake in money. */
export const sheetFields = [
  'capperHandle',
  'sport',
  'league',
  'game',
  'home',
  'away',
  'team',
  'opponent',
  'subject',
  'date',
  'time',
  'startsAt',
  'postedAt',
  'market',
  'kind',
  'side',
  'line',
  'pick',
  'description',
  'odds',
  'oddsAmerican',
  'oddsDecimal',
  'oddsFractional',
  'stakeUnits',
  'money',
  'result',
  'homeScore',
  'awayScore',
  'live',
  'book',
] as const;
export type SheetField = (typeof sheetFields)[number];

/** Headers of each field, in lowercase without spaces and punctuation, most specific first. */
const synonyms: Readonly<Record<SheetField, string>> = {
  capperHandle: 'capperhandle capper handle tipster handicapper analyst expert bettor cappername tipstername',
  league: 'league leagues legleague competition tournament comp leaguename',
  sport: 'sport sports legsport sportname eventsportname sportkey',
  game: 'game matchup gamematchup match event fixture eventname matchname gamename contest teams matchupname',
  home: 'home hometeam',
  away: 'away awayteam visitor visitorteam',
  team: 'team teamorplayer pickteam pickside teamname betteam selectedteam',
  opponent: 'opponent opp against versus vs',
  subject: 'subject player playername athlete',
  startsAt:
    'startsat start starts starttime kickoff gametime gamestart commencetime eventstartdate eventstart startdate eventtime gamedatetime kickoffutc startsatutc',
  postedAt:
    'postedat posted timeplacediso timeplaced placedat placed dateplaced betplaced timestamp createdat datecreated dateposted submittedat betplacedat loggedat',
  date: 'date day gamedate eventdate betdate matchdate pickdate',
  time: 'time',
  market:
    'market markettype bettype wagertype picktype marketname type legtype prop propstat stat statistic marché',
  kind: 'kind bettingtype tickettype sliptype',
  side: 'side overunder direction ou betside',
  line: 'line handicap linevalue spread point number linetaken betline points betonspreadtotalnumber',
  pick: 'pick selection bet play beton betselection prediction tip label wager pickdescription sélection',
  description: 'description betinfo legdescription betdescription details betdetails desc detail',
  oddsAmerican: 'oddsamerican americanodds oddsus',
  oddsDecimal: 'oddsdecimal decimalodds oddseu',
  oddsFractional: 'oddsfractional fractionalodds',
  odds: 'odds price betodds myodds oddstaken cote quote juice',
  stakeUnits: 'stakeunits units unit unitsrisked unitsize stake wagerunits unitswagered u',
  money:
    'risk riskamount amount wageramount betamount stakeamount wagered betsize risked mise amountrisked staked amountwagered stakemoney',
  result: 'result betresult outcome wl winloss wonlost gradedresult grade status betstatus state statut',
  homeScore: 'homescore homepoints',
  awayScore: 'awayscore awaypoints',
  live: 'live inplay ingame islive',
  book: 'book sportsbook bookmaker bookie site casino',
};

/** Headers of columns that are ignored. */
const ignored = new Set(
  'id betid ev closingline closing closingodds clv clvpercent profit pnl pl net winnings payout potentialpayout potentialmaxwin maxpotentialwin towin resultdate timesettled timesettlediso settledat tags notes note comment comments confidence betslipid slipid reference référence bonus commission cashout freebet legvig amountwonorlost actual strategy category estimatedprobability estimatedprofit eachway stars rating analysis reasoning score finalscore'.split(
    ' ',
  ),
);

/** A recognized column. */
export interface SheetColumn {
  header: string;
  at: number;
  field: SheetField;
  /** How the field was recognized. `content`: guessed from the cells. */
  by: 'header' | 'content' | 'map';
}

export interface Mapping {
  /** Index of the header row in the grid. */
  header: number;
  columns: SheetColumn[];
  /** Headers of unrecognized columns. */
  unread: string[];
}

const byHeader = new Map(
  sheetFields.flatMap((field) =>
    synonyms[field].split(' ').map((word, rank) => [plain(word), { field, rank }] as const),
  ),
);

function plain(header: string): string {
  return header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Number of rows searched for the header. */
const headerSearchRows = 40;

/** Number of cells examined per column. */
const sampledCells = 200;

/**
 * Recognizes the columns of a sheet by the operator's choices, then by headers, then by cells.
 * @param given fields by normalized header
 * @returns undefined if no row looks like a header
 */
export function mappingOf(grid: Grid, given: ReadonlyMap<string, SheetField | '-'>): Mapping | undefined {
  const known = ({ cells }: Grid['rows'][number]) =>
    cells.filter((cell) => byHeader.has(plain(cell)) || given.has(plain(cell))).length;
  const candidates = grid.rows.slice(0, headerSearchRows).map((row, at) => ({ at, count: known(row) }));
  const [best] = candidates.toSorted((a, b) => b.count - a.count || a.at - b.at);
  if (best === undefined || best.count < 2) return undefined;
  const names = grid.rows[best.at]!.cells;
  const cellsOf = (at: number) =>
    grid.rows
      .slice(best.at + 1, best.at + 1 + sampledCells)
      .map(({ cells }) => cells[at] ?? '')
      .filter((cell) => cell !== '');
  const columns: SheetColumn[] = [];
  const unread: string[] = [];
  const open: { header: string; at: number; field: SheetField; rank: number }[] = [];
  names.forEach((header, at) => {
    const said = given.get(plain(header));
    if (said !== undefined) {
      if (said !== '-') columns.push({ header, at, field: said, by: 'map' });
      return;
    }
    const found = byHeader.get(plain(header));
    if (found !== undefined) open.push({ header, at, ...found });
    else if (header !== '' && !ignored.has(plain(header))) unread.push(header);
  });
  for (const { header, at, field } of open.toSorted((a, b) => a.rank - b.rank)) {
    const read = fieldByContent(field, plain(header), cellsOf(at), open);
    const isTaken = columns.some((column) => column.field === read);
    if (isTaken || read === undefined) unread.push(header);
    else columns.push({ header, at, field: read, by: read === field ? 'header' : 'content' });
  }
  columns.sort((a, b) => a.at - b.at);
  return { header: best.at, columns, unread };
}

const kinds =
  /^(?:straight|single|singles|parlay|teaser|round ?robin|sgp|same game parlay|accumulator|multi|multiple|combo|system)$/i;

/** Resolves a header with several meanings by its cells. Returns undefined if the cells contradict the header. */
function fieldByContent(
  field: SheetField,
  header: string,
  cells: readonly string[],
  open: readonly { field: SheetField; at: number }[],
): SheetField | undefined {
  const most = (test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length >= cells.length * 0.6;
  const has = (other: SheetField) => open.some((each) => each.field === other);
  const isAmerican = (cell: string) => /^[+-]?\d{3,5}$/.test(cell);
  if (
    field === 'line' &&
    most(isAmerican) &&
    !['odds', 'oddsAmerican', 'oddsDecimal'].some((each) => has(each as SheetField))
  )
    return 'odds';
  if (field === 'odds' && !most((cell) => isPrice(cell))) return undefined;
  if (field === 'market' && most((cell) => kinds.test(cell))) return 'kind';
  if (field === 'result' && !most((cell) => readResult(cell) !== undefined)) return undefined;
  if (
    (field === 'date' || field === 'startsAt' || field === 'postedAt') &&
    !most((cell) => readTime(cell) !== undefined)
  )
    return undefined;
  if (field === 'sport' && has('league') && !most((cell) => sportMeant(cell) !== undefined)) return undefined;
  // `Stake 50` and `Stake $25` are in money.
  if (field === 'stakeUnits' && header !== 'units' && header !== 'stakeunits' && isMoney(cells))
    return 'money';
  return field;
}

function isPrice(cell: string): boolean {
  const format: OddsFormat = 'decimal';
  return readOdds(cell, { proven: [], format }, { decimalComma: true }) !== undefined;
}

/** Reports whether stakes are in money: any has a currency, or most exceed 10. */
export function isMoney(cells: readonly string[]): boolean {
  if (cells.some((cell) => /[$€£]|\b(?:usd|eur|gbp|cad|aud)\b/i.test(cell))) return true;
  const amounts = cells.map(amountOf).filter((amount) => amount !== undefined);
  return amounts.filter((amount) => amount > 10).length > amounts.length / 2;
}

/** Reads an amount, with or without a currency. */
export function amountOf(cell: string): number | undefined {
  const text = cell.replace(/[$€£\s]|usd|eur|gbp|cad|aud|units?|u$/gi, '');
  const plainText = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)
    ? text.replaceAll(',', '')
    : text.replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(plainText) ? Number(plainText) : undefined;
}

/**
 * Reads the values of `--map`, such as `Header=field`.
 * @returns fields by normalized header, or a sentence about the first malformed value
 */
export function readMap(texts: readonly string[]): Map<string, SheetField | '-'> | string {
  const given = new Map<string, SheetField | '-'>();
  for (const text of texts) {
    const at = text.lastIndexOf('=');
    const field = text.slice(at + 1).trim();
    const known =
      field === '-' ? '-' : sheetFields.find((each) => each.toLowerCase() === field.toLowerCase());
    if (at < 1 || known === undefined)
      return `${text} is not a mapping. Write Header=field, where field is one of ${sheetFields.join(', ')}, or - to skip the column.`;
    given.set(plain(text.slice(0, at)), known);
  }
  return given;
}

/** Returns the chosen headers that a sheet lacks. */
export function missingHeaders(grid: Grid, given: ReadonlyMap<string, unknown>): string[] {
  const names = new Set(grid.rows.slice(0, headerSearchRows).flatMap(({ cells }) => cells.map(plain)));
  return [...given.keys()].filter((header) => !names.has(header));
}
