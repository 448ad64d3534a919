import { readTime } from '../intake/cells.ts';
import { sportMeant } from '../rules/sport-words.ts';
import type { Grid } from './grid.ts';

/**
 * Fields of columns, with their headers in lowercase without spaces and punctuation, most specific first. A field in {@link shared} can
 * have several columns; of the others the most specific header counts, and the rest is listed as ignored.
 */
const synonyms = {
  capperHandle: 'capperhandle capper handle tipster handicapper analyst expert bettor cappername tipstername',
  league:
    'league leagues legleague eventleague competition tournament comp leaguename liga ligue campionato campeonato competición wettbewerb',
  sport:
    'sport sports legsport sportname eventsportname eventsport sportkey deporte esporte sportart disciplina',
  game: 'game matchup gamematchup match event fixture eventname matchname gamename contest teams matchupname partido partita jogo spiel begegnung evento rencontre évènement événement',
  home: 'home hometeam homename heim domicile casa local',
  away: 'away awayteam awayname visitor visitorteam visiteur ospite visitante gast auswärts extérieur',
  team: 'team teamorplayer pickteam teamname betteam selectedteam equipo équipe squadra mannschaft',
  opponent: 'opponent opp against versus vs',
  first: 'team1 teama fighter1 player1 competitor1 opponent1 participant1',
  second: 'team2 teamb fighter2 player2 competitor2 opponent2 participant2',
  subject: 'subject player playername athlete participant jugador joueur giocatore spieler jogador',
  startsAt:
    'startsat start starts starttime kickoff gametime gamestart commencetime eventstartdate eventstart eventstarttime startdate eventtime gamedatetime kickoffutc startsatutc matchtime',
  postedAt:
    'postedat posted timeplacediso timeplaced placedat placed dateplaced placeddate betplaced timestamp createdat datecreated dateposted submittedat betplacedat betdatetime loggedat',
  date: 'date day gamedate eventdate betdate matchdate pickdate fecha data datum jour',
  time: 'time hour hora heure uhrzeit ora timeofday',
  market:
    'market markettype marketname prop propstat stat statistic proptype betmarket bettype wagertype picktype legtype type proposition marché mercado mercato markt tipo typedepari wettart',
  kind: 'kind bettingtype tickettype sliptype betkind betstructure category parlaytype tags tag samegameparlay sgp isparlay',
  legs: 'legs numberoflegs teaserpoints legcount nooflegs selections numberofselections numberofbets folds numselections',
  period: 'period half quarter segment gameperiod phase ifdurationbet periodo période periode',
  side: 'side overunder direction ou betside pickside position backlay layback',
  line: 'line handicap linevalue spread point points number linetaken betline pickline betonspreadtotalnumber leghandicap hcp línea linha linea',
  pick: 'pick selection bet play beton betselection betname prediction tip label wager pickdescription sélection selección selezione seleção pronostico pronóstico prognostico tipp auswahl apuesta aposta pari wette',
  description:
    'description betinfo longdescriptionofleg legdescription betdescription details betdetails desc detail beschreibung descripción descrizione',
  oddsAmerican: 'oddsamerican americanodds betamericanodds oddsus usodds',
  oddsDecimal: 'oddsdecimal decimalodds betdecimalodds oddseu eudecimal',
  oddsFractional: 'oddsfractional fractionalodds',
  odds: 'odds price betodds myodds oddstaken pricematched avgpricematched cote quote quota cuota odd juice oddsplaced',
  oddsFormat: 'oddsformat oddstype priceformat formatodds formatofodds',
  boost:
    'boostedodds betboostedodds boosted boost isboosted isoddsboosted boostedbet oddsboost profitboost profitboostpercent enhanced enhancedodds',
  stakeUnits: 'stakeunits units unit unitsrisked unitsize stake wagerunits unitswagered u einsatz puntata',
  money:
    'risk riskamount amount wageramount betamount stakeamount wagered betsize risked atrisk mise amountrisked staked amountwagered stakemoney sizesettled importe importo valor montant stakeusd stakegbp stakeeur',
  currency: 'currency ccy currencycode devise moneda valuta moeda währung',
  result:
    'result betresult betsettled outcome wl winloss wonlost winlose wlp gradedresult legresult grade status betstatus state statut resultado esito résultat ergebnis estado stato',
  profit:
    'profit pnl pl net profitloss netprofit betprofit amountwonorlost winloss winnings gain gains beneficio lucro gewinn profitto profitunits unitswon unitsnet netunits',
  payout: 'payout return returns totalreturn actualpayout paidout',
  score:
    'score finalscore ft ftscore fulltime fulltimescore finalresult matchscore gamescore marcador punteggio placar endstand',
  homeScore: 'homescore homepoints homegoals homeruns hscore scorehome homefinal',
  awayScore: 'awayscore awaypoints awaygoals awayruns ascore scoreaway awayfinal',
  halfScore: 'ht htscore halftimescore halftime halbzeit',
  live: 'live inplay ingame islive livebet inrunning',
  lay: 'lay islay laybet',
  eachWay: 'eachway ew isew iseachway',
  freeBet:
    'freebet isfreebet freeplay iffreeplaythenamountactuallyatrisk bonusbet betbonustype riskfreebet riskfree bonus',
  cashOut: 'cashout cashedout iscashout cashoutamount cashoutvalue',
  voided: 'voided void isvoid cancelled canceled',
  further: 'primary isprimary',
  betId: 'betid juicebetid externalbetid betslipid slipid ticket ticketid ticketnumber betnumber couponid',
  book: 'book sportsbook bookmaker bookname bookie site casino operator book maker casa buchmacher',
} as const;

export type SheetField = keyof typeof synonyms;
export const sheetFields = Object.keys(synonyms) as SheetField[];

/** Fields that can have several columns. */
const shared: ReadonlySet<SheetField> = new Set([
  ...(['market', 'kind', 'legs', 'result', 'live', 'lay', 'eachWay', 'boost', 'freeBet', 'cashOut'] as const),
  ...(['voided', 'period', 'line', 'side'] as const),
]);

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
  /** Headers of columns with cells that nothing reads. */
  unread: string[];
  /** The currency that the header of the stakes names. */
  currency?: string;
}

const byHeader = new Map(
  sheetFields.flatMap((field) =>
    synonyms[field].split(' ').map((word, rank) => [plain(word), { field, rank }] as const),
  ),
);

function plain(header: string): string {
  return header.toLowerCase().replace(/[^\p{L}\p{N}]/gu, '');
}

/** Normalizes a header that ends with a currency: `Stake_GBP`, `Profit/Loss (£)`. */
function withoutCurrency(header: string): { text: string; currency?: string } {
  const [, text, currency] =
    /^(.{3,}?)[\s_(-]*(\p{Sc}|usd|eur|gbp|cad|aud|nzd|sek|nok|dkk|chf|jpy|pln|brl|inr|mxn)\)?$/iu.exec(
      header,
    ) ?? [];
  return text === undefined || currency === undefined
    ? { text: header }
    : { text, currency: currency.toUpperCase() };
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
  // JSON names a bet's fields by path: `bets event name`.
  const fieldOf = (header: string) =>
    [header, withoutCurrency(header).text, header.replace(/^(?:bets?|legs?|selections?) /i, '')]
      .map((name) => byHeader.get(plain(name)))
      .find((found) => found !== undefined);
  const known = ({ cells }: Grid['rows'][number]) =>
    cells.filter((cell) => fieldOf(cell) !== undefined || given.has(plain(cell))).length;
  const candidates = grid.rows.slice(0, headerSearchRows).map((row, at) => ({ at, count: known(row) }));
  const [best] = candidates.toSorted((a, b) => b.count - a.count || a.at - b.at);
  if (best === undefined || best.count < 2) return undefined;
  const names = grid.rows[best.at]!.cells;
  const below = grid.rows.slice(best.at + 1, best.at + 1 + sampledCells);
  const cellsOf = (at: number) => below.map(({ cells }) => cells[at] ?? '').filter((cell) => cell !== '');
  const columns: SheetColumn[] = [];
  const unread: string[] = [];
  const open: { header: string; at: number; field: SheetField; rank: number }[] = [];
  const width = Math.max(names.length, ...below.map(({ cells }) => cells.length));
  for (let at = 0; at < width; at += 1) {
    const header = names[at] ?? '';
    const said = given.get(plain(header));
    if (said !== undefined) {
      if (said !== '-') columns.push({ header, at, field: said, by: 'map' });
      continue;
    }
    const found = fieldOf(header);
    if (found !== undefined) open.push({ header, at, ...found });
    else if (header !== '' && cellsOf(at).length > 0) unread.push(header);
    else if (header === '' && isOfBets(cellsOf(at)))
      open.push({ header: `column ${at + 1}`, at, field: 'description', rank: 99 });
    else if (cellsOf(at).length > 0) unread.push(`column ${at + 1}`);
  }
  let currency: string | undefined;
  for (const { header, at, field } of open.toSorted((a, b) => a.rank - b.rank)) {
    const read = fieldByContent(field, plain(header), cellsOf(at), open);
    const isTaken =
      read !== undefined && !shared.has(read) && columns.some((column) => column.field === read);
    if (isTaken || read === undefined) {
      if (cellsOf(at).length > 0) unread.push(header);
      continue;
    }
    const isGuess = read !== field || (names[at] ?? '') === '';
    columns.push({ header, at, field: read, by: isGuess ? 'content' : 'header' });
    if (read === 'money' || read === 'stakeUnits') currency ??= withoutCurrency(header).currency;
  }
  columns.sort((a, b) => a.at - b.at);
  return { header: best.at, columns, unread, ...(currency === undefined ? {} : { currency }) };
}

/** Reports whether the cells of a column without a header are bets in words. */
function isOfBets(cells: readonly string[]): boolean {
  const bets = cells.filter(
    (cell) =>
      /\p{L}{2}/u.test(cell) && /\b(?:over|under|ml|draw|btts|yes|no|to win)\b|(?:^|\s)[ou+-]?\d/i.test(cell),
  );
  return cells.length > 0 && bets.length >= cells.length * 0.6;
}

/** A score of both teams: `2-1`, `2:1`, `2 - 1`. */
export const scorePattern = /^\(?(\d{1,3})\s*[-–:]\s*(\d{1,3})\)?$/;

/** Resolves a header with several meanings by its cells. Returns undefined if the cells contradict the header. */
function fieldByContent(
  field: SheetField,
  header: string,
  cells: readonly string[],
  open: readonly { field: SheetField; at: number; header: string }[],
): SheetField | undefined {
  const most = (test: (cell: string) => boolean) =>
    cells.length > 0 && cells.filter(test).length >= cells.length * 0.6;
  const has = (other: SheetField) => open.some((each) => each.field === other);
  const isAmerican = (cell: string) => /^[+-]?\d{3,5}$/.test(cell);
  const hasOdds = has('odds') || has('oddsAmerican') || has('oddsDecimal');
  switch (field) {
    case 'line':
      if (most(isAmerican) && !hasOdds) return 'odds';
      // `Points` can be a line or a score; words are a selection or a market.
      return most((cell) => /\d|^(?:pk|ev|even|scratch)/i.test(cell)) || cells.length === 0
        ? field
        : header === 'spread'
          ? 'pick'
          : undefined;
    case 'result':
    case 'score':
    case 'halfScore': {
      if (most((cell) => scorePattern.test(cell))) return field === 'halfScore' ? field : 'score';
      return field === 'result'
        ? field
        : most((cell) => /\p{L}|✅|❌/u.test(cell)) && !has('result')
          ? 'result'
          : undefined;
    }
    case 'profit':
      // `W/L` with amounts is a profit, with letters a result.
      return most((cell) => amountOf(cell.replace(/^[+-]/, '')) !== undefined)
        ? field
        : header === 'winloss'
          ? 'result'
          : undefined;
    case 'date':
    case 'startsAt':
    case 'postedAt':
      return cells.some((cell) => readTime(cell) !== undefined) ? field : undefined;
    case 'sport':
      return has('league') && !most((cell) => sportMeant(cell) !== undefined) ? undefined : field;
    case 'pick':
      return most((cell) => amountOf(cell) !== undefined)
        ? has('stakeUnits') || has('money')
          ? undefined
          : 'money'
        : field;
    case 'market':
      // `Type` can hold numbers of a list.
      return most((cell) => /\p{L}/u.test(cell) || /^1x2$/i.test(cell)) ? field : undefined;
    case 'stakeUnits':
      // `Stake 50` and `Stake $25` are in money.
      return header !== 'units' && header !== 'stakeunits' && isMoney(cells) ? 'money' : field;
    case 'freeBet':
      // Exports write the amount of a bonus in each row.
      return cells.every((cell) => /^0*(?:[.,]0+)?$/.test(cell)) ? undefined : field;
    default:
      return field;
  }
}

/** Currencies by sign. */
const signs: Readonly<Record<string, string>> = { $: 'USD', '€': 'EUR', '£': 'GBP', '¥': 'JPY', '₹': 'INR' };

/** Returns the currency that a cell names, as its code. */
export function currencyOf(cell: string): string | undefined {
  const sign = /\p{Sc}/u.exec(cell)?.[0];
  if (sign !== undefined) return signs[sign] ?? sign;
  return /(?:^|[\d\s.,])(usd|eur|gbp|cad|aud|nzd|sek|nok|dkk|chf|jpy|pln|brl|inr|mxn|kr|zł)\b/i
    .exec(cell)?.[1]
    ?.toUpperCase();
}

/** Reports whether stakes are in money: any has a currency, or most exceed 10. */
export function isMoney(cells: readonly string[]): boolean {
  if (cells.some((cell) => currencyOf(cell) !== undefined)) return true;
  const amounts = cells.map(amountOf).filter((amount) => amount !== undefined);
  return amounts.filter((amount) => amount > 10).length > amounts.length / 2;
}

/** Reads an amount, with or without a currency. */
export function amountOf(cell: string): number | undefined {
  const text = cell.replace(
    /\p{Sc}|\s|usd|eur|gbp|cad|aud|nzd|sek|nok|dkk|chf|jpy|pln|brl|inr|mxn|kr\.?$|zł|units?|u$/giu,
    '',
  );
  const plainText = /^\d{1,3}(?:,\d{3})+(?:\.\d+)?$/.test(text)
    ? text.replaceAll(',', '')
    : /^\d{1,3}(?:\.\d{3})+,\d+$/.test(text)
      ? text.replaceAll('.', '').replace(',', '.')
      : text.replace(',', '.');
  return /^\d{1,9}(?:\.\d{1,6})?$/.test(plainText) ? Number(plainText) : undefined;
}

/** Reads an amount with a sign, or in parentheses, which mean minus. */
export function signedAmountOf(cell: string): number | undefined {
  const text = cell
    .replace(/[\u2212\u2013]/g, '-')
    .replace(/^\((.*)\)$/, '-$1')
    .replace(/\s/g, '');
  const isMinus = /^\p{Sc}?-/u.test(text);
  const amount = amountOf(text.replace(/[+-]/, ''));
  return amount === undefined ? undefined : isMinus ? -amount : amount;
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
