import { readClock, readTime } from '../intake/cells.ts';
import type { Words } from '../platform/columns.ts';
import { meant } from '../rules/markets/meant.ts';
import { plainLetters } from '../rules/plain-name.ts';
import { leagueMeant } from '../rules/sport-words.ts';
import { amountOf, currencyOf, isMoney, signedAmountOf } from './amounts.ts';
import { formatNamed, type SheetOddsFormat } from './odds-column.ts';
import { isResult } from './results.ts';
import { isStructure, saysYes, structureOf } from './structure.ts';

// The columns of sheets and files, each declared once: its label, the headers that name it, what its cells decide, and what a yes in it does
// to the bet. Recognition of headers (`mapping.ts`), the checks of a row (`modifiers.ts`), files in the service's own columns
// (`own-columns.ts`), and the operator's page derive from it.

export type SheetField =
  | Words<'capperHandle league sport game gameNumber home away team opponent homeAway first second subject'>
  | Words<'startsAt postedAt date settledAt time market kind legs leg period side line pick'>
  | Words<'description oddsAmerican oddsDecimal oddsFractional odds outcomeOdds oddsFormat boost'>
  | Words<'stakeUnits money currency result profit payout score homeScore awayScore teamScore'>
  | Words<'opponentScore halfScore live lay eachWay freeBet cashOut deduction voided further'>
  | Words<'overtime pregame made comment betId book'>;

/** The cells below a header, and the fields of the other headers. */
export interface Below {
  header: string;
  cells: readonly string[];
  /** Reports whether most cells pass a test. */
  most(test: (cell: string) => boolean): boolean;
  has(...fields: readonly SheetField[]): boolean;
}

interface Declared {
  /** The label and the headers that name it, most specific first. Those with `*` are the service's own: files of every kind may have them. */
  names: string;
  /** Whether a sheet can have several. Of the others the most specific header counts, and the rest is listed as ignored. */
  several?: true;
  /** The format of its odds. */
  format?: SheetOddsFormat;
  /** Resolves a header with several meanings by its cells. Undefined: they contradict the header. */
  fits?(below: Below): SheetField | undefined;
  /** Recognizes the column by its cells, because they change how a bet settles. */
  cells?(cells: readonly string[]): boolean;
  /** Why a row is refused if its cell says yes. */
  refusedIfYes?: string;
  /** Why a row is refused if its cell says no. */
  refusedIfNo?(cell: string, header: string): string | undefined;
  /** The remark about a cell that does not say no. */
  noted?(cell: string, header: string): string;
}

export const freeBetNote = (cell: string) =>
  `A free bet (${cell}): the record counts its stake as if it had been paid.`;
export const cashOutNote = (cell: string) =>
  `The bet was cashed out (${cell}), so the score will decide its result.`;
export const boostNote = (cell: string, header: string) =>
  `${header} says ${cell}. The price in the odds column counts.`;

export const deductionNote = (cell: string, header: string) =>
  `${header} says ${cell}. The score decides the bet, whatever was paid.`;

/** A score of both teams: `2-1`, `2:1`, `2 - 1`. */
export const scorePattern = /^\(?(\d{1,3})\s*[-–:]\s*(\d{1,3})\)?$/;

const placedLate = 'The bet was placed after the start of its game. The ledger does not accept those.';

const isOfTimes =
  (field: SheetField) =>
  ({ cells }: Below): SheetField | undefined =>
    cells.some((cell) => readTime(cell) !== undefined) ? field : undefined;

const isClock = (cell: string) => readClock(cell) !== undefined;

function scoreOrResult({ most, has }: Below): SheetField | undefined {
  if (most((cell) => scorePattern.test(cell))) return 'score';
  return most((cell) => /\p{L}|✅|❌/u.test(cell)) && !has('result') ? 'result' : undefined;
}

/** `-1` and `0` can be results. */
const isProfit = (cell: string) => {
  const amount = signedAmountOf(cell);
  return amount !== undefined && !/^[+-]?[01]$/.test(cell);
};

/** Numbers of games on a day. */
const ofDay = ({ cells }: Below): SheetField | undefined =>
  cells.length > 0 && cells.every((cell) => /^(?:game|gm|g|dh|#)? ?#?[12]$/i.test(cell))
    ? 'gameNumber'
    : undefined;

function kindMeant(cell: string): string | undefined {
  const found = meant(cell);
  return found?.kind === 'market' && found.subject === 'question' ? undefined : found?.kind;
}

// `6 pt` is a number with its unit.
const isMarket = (cell: string) =>
  /\p{L}{2}/u.test(cell) &&
  !/^[\d.]+ \p{L}+$/u.test(cell) &&
  ['market', 'several'].includes(kindMeant(cell) ?? '');

/** Passes cells most of which pass a test. */
const most = (test: (cell: string) => boolean) => (cells: readonly string[]) =>
  cells.length > 0 && cells.filter(test).length >= cells.length * 0.8;

const declared: Readonly<Record<SheetField, string | Declared>> = {
  capperHandle:
    'Capper: capperhandle* capper* handle* tipster handicapper analyst expert bettor cappername tipstername',
  league:
    'League: league* leagues legleague eventleague competition tournament comp leaguename liga ligue campionato campeonato competición wettbewerb championnat competizione competitie torneio torneo',
  sport: {
    names:
      'Sport: sport* sports legsport sportname eventsportname eventsport sportkey deporte esporte sportart disciplina',
    fits: ({ has, most }) =>
      has('league') && !most((cell) => leagueMeant(cell) !== undefined) ? undefined : 'sport',
  },
  game: {
    names:
      'Game (both teams): game* matchup* gamematchup match* event* fixture eventname matchname gamename contest fight bout teams participants matchupname partido partita jogo spiel begegnung evento rencontre évènement événement wedstrijd paarung incontro encuentro mecz kamp',
    // `Game #` above `1` and `2`.
    fits: (below) => ofDay(below) ?? 'game',
  },
  gameNumber: {
    names: 'Game of a doubleheader: gamenumber gameno gamenum gm dh doubleheader',
    fits: (below) => ofDay(below),
  },
  home: 'Home team: home hometeam homename heim domicile casa local mandante thuis thuisploeg thuisteam hemma hemmalag hjemme hjemmelag hjemmehold gospodarze gospodarz domaci',
  away: 'Away team: away awayteam awayname visitor visitorteam visiteur ospite visitante gast auswärts extérieur trasferta fuera uit uitploeg uitteam borta bortalag borte bortelag udehold goście gość hosté',
  team: 'Team of the bet: team teamorplayer teamplayer teambeton pickteam teamname betteam selectedteam equipo équipe squadra mannschaft',
  opponent: 'Opponent: opponent opp against versus vs',
  homeAway: {
    names: 'Home or away: homeaway homeoraway ha homeroad hora venue loc location site',
    fits: ({ most }) =>
      most((cell) => /^(?:h|a|n|r|v|@|at|vs\.?|home|away|road|neutral)$/i.test(cell))
        ? 'homeAway'
        : undefined,
  },
  first: 'One of two teams: team1 teama fighter1 player1 competitor1 opponent1 participant1',
  second: 'The other team: team2 teamb fighter2 player2 competitor2 opponent2 participant2',
  subject: 'Player: subject* player* playername athlete participant jugador joueur giocatore spieler jogador',
  startsAt: {
    names:
      'Start of the game: startsat* start* starts* starttime* kickoff* gametime* gamestart commencetime eventstartdate eventstart eventstarttime startdate eventtime gamedatetime kickoffutc startsatutc matchtime anstoss',
    fits: (below) => isOfTimes('startsAt')(below) ?? (below.cells.some(isClock) ? 'time' : undefined),
  },
  postedAt: {
    names:
      'Time of posting: postedat* posted* timeplacediso timeplaced placedat* placed* dateplaced placeddate betplaced timestamp* createdat datecreated dateposted submittedat betplacedat betdatetime loggedat',
    fits: (below) =>
      // `Placed` can be yes or no.
      isOfTimes('postedAt')(below) ??
      (below.most((cell) => saysYes(cell) !== undefined) ? 'made' : undefined),
  },
  date: {
    names: 'Date: date day gamedate eventdate betdate matchdate pickdate fecha data datum jour dato',
    fits: isOfTimes('date'),
  },
  settledAt: {
    names: 'Time of settling: settledat settleddate datesettled timesettled settled',
    // Only a sheet without another date needs it.
    fits: (below) => (below.has('date', 'startsAt', 'postedAt') ? undefined : isOfTimes('settledAt')(below)),
  },
  time: {
    names: 'Time of day: time hour hora heure uhrzeit ora timeofday ko kotime horaire orario',
    fits: ({ cells }) => (cells.some(isClock) ? 'time' : undefined),
  },
  market: {
    names:
      'Market: market* markettype marketname prop propstat stat statistic proptype betmarket bettype* wagertype picktype legtype type proposition marché mercado mercato markt tipo typedepari wettart stattype propbet propcategory tipodeapuesta tipodemercado tipoaposta tipodiscommessa soorttype typeweddenschap soortweddenschap speltype speltyp spilltype spiltype rodzajzakladu',
    several: true,
    fits: ({ most, cells }) =>
      // `S` and `C` are single and combined.
      cells.length > 0 && cells.every((cell) => /^[sc]$/i.test(cell))
        ? 'kind'
        : // `Type` can hold numbers of a list.
          most((cell) => /\p{L}/u.test(cell) || /^1x2$/i.test(cell))
          ? 'market'
          : undefined,
    cells: (cells) =>
      most(isMarket)(cells) ||
      // Sentences that name a market are remarks.
      (cells.every((cell) => /^(?:\S+ ?){1,4}$/.test(cell)) &&
        cells.filter(isMarket).length >= Math.max(2, cells.length * 0.4)),
  },
  kind: {
    names:
      'Single or multiple: kind bettingtype tickettype sliptype betkind betstructure category parlaytype tags tag samegameparlay sgp isparlay parlay parlayid parlayno parlaynumber teaser isteaser teaserpts roundrobin acca accumulator multi kategorie kategoria categoria',
    several: true,
    fits: ({ cells }) => (fieldOfCells(cells) === 'market' ? 'market' : 'kind'),
    cells: (cells) => {
      const found = cells.filter(isStructure);
      // Words beside `Single` say how a bet is built, too.
      const isShort = cells.every((cell) => /^(?:\S+ ?){1,3}$/.test(cell));
      const isMixed =
        found.length >= cells.length / 2 || found.some((cell) => structureOf(cell) === 'single');
      return most(isStructure)(cells) || (isShort && found.length > 0 && isMixed);
    },
  },
  legs: {
    names:
      'Number of legs: legs numberoflegs teaserpoints legcount nooflegs selections numberofselections numberofbets folds numselections',
    several: true,
  },
  leg: {
    names: 'Number of the leg: leg legno legnumber legnum',
    fits: ({ most }) => (most((cell) => /^\d$/.test(cell)) ? 'leg' : undefined),
  },
  period: {
    names:
      'Part of the game: period prd per qtr p half quarter inning innings segment scope timeframe gameperiod phase ifdurationbet periodo période periode tempo tiempo mitemps abschnitt spielabschnitt parte',
    several: true,
    // `P` can have profits.
    fits: ({ header, most }) =>
      header !== 'p' || most((cell) => /^(?:[1-4]\W?\p{L}*|\p{L}\d)$/u.test(cell)) ? 'period' : undefined,
    cells: most((cell) => /\p{L}/u.test(cell) && kindMeant(cell) === 'period'),
  },
  side: {
    names:
      'Side (over or under): side* overunder direction ou betside pickside position backlay layback bl backlaytype',
    several: true,
  },
  line: {
    names:
      'Line: line* handicap* linevalue spreadtotal spread point points* number linetaken betline pickline betonspreadtotalnumber leghandicap hcp línea linha linea linie hdp hdc hdcp ah ahline asianline handicapline total limite lineodds lineandodds linejuice lineprice spreadodds oddsline',
    several: true,
    fits({ header, cells, most, has }) {
      const isAmerican = (cell: string) => /^[+-]?\d{3,5}$/.test(cell);
      if (most(isAmerican) && !has('odds', 'oddsAmerican', 'oddsDecimal')) return 'odds';
      // `Points` can be a line or a score; words are a selection or a market.
      if (most((cell) => /\d|^(?:pk|ev|even|scratch|ml$|money ?line$)/i.test(cell)) || cells.length === 0)
        return 'line';
      return header === 'spread' ? 'pick' : undefined;
    },
  },
  pick: {
    names:
      'Pick: pick* selection* bet* play prono pronos beton betselection betname prediction tip label wager pickdescription sélection selección selezione seleção pronostico pronóstico prognostico tipp auswahl apuesta aposta pari wette pronostic voorspelling weddenschap spel typ veddemal tippet tecken zaklad typowanie esitogiocato giocata segno scommessa entrada palpite contract',
    fits: ({ cells, most, has }) => {
      if (cells.length > 0 && cells.every((cell) => /^(?:b|l|back|lay)$/i.test(cell))) return 'side';
      if (!most((cell) => amountOf(cell) !== undefined)) return 'pick';
      // `1` and `2` are sides beside a column of stakes, or beside `X`.
      if (has('stakeUnits', 'money'))
        return cells.every((cell) => amountOf(cell) === undefined || /^[12]{1,2}$/.test(cell))
          ? 'pick'
          : undefined;
      return cells.some((cell) => /^1?[xn]2?$/i.test(cell)) ? 'pick' : 'money';
    },
  },
  description:
    'The bet in words: description betinfo longdescriptionofleg legdescription betdescription details betdetails desc detail beschreibung descripción descrizione',
  oddsAmerican: { names: 'Odds, American: oddsamerican* americanodds* betamericanodds', format: 'american' },
  oddsDecimal: {
    names: 'Odds, decimal: oddsdecimal* decimalodds* betdecimalodds eudecimal',
    format: 'decimal',
  },
  oddsFractional: { names: 'Odds, fractional: oddsfractional* fractionalodds*', format: 'fractional' },
  odds: 'Odds: odds* price* betprice betodds myodds oddstaken pricematched avgpricematched cote quote quota cuota odd juice oddsplaced kurs koers quotering backodds backprice',
  outcomeOdds: {
    names:
      'Price of an outcome: 1 x 2 homeodds drawodds awayodds oddshome oddsdraw oddsaway odds1 oddsx odds2 homeprice drawprice awayprice',
    several: true,
    // Beside the price that was taken, they are those of others.
    fits: ({ cells, has }) =>
      cells.every((cell) => (amountOf(cell.replace(/^[+-]/, '')) ?? 0) > 1) && !has(...oddsFields)
        ? 'outcomeOdds'
        : undefined,
  },
  oddsFormat: {
    names: 'Format of the odds: oddsformat oddstype priceformat formatodds formatofodds oddstyle',
    cells: most(
      (cell) => cell.length > 1 && !/^ml$|moneyline/i.test(cell) && formatNamed(cell) !== undefined,
    ),
  },
  boost: {
    names:
      'Boosted odds: boostedodds betboostedodds boosted boost isboosted isoddsboosted boostedbet oddsboost profitboost profitboostpercent enhanced enhancedodds',
    several: true,
    noted: boostNote,
  },
  stakeUnits: {
    names:
      'Stake in units: stakeunits* units* unit unitsrisked unitsize stake* wagerunits unitswagered u einsatz puntata unidades unités unità einheiten inzet insats indsats innsats stawka',
    fits: ({ header, cells }) =>
      // `Stake 50` and `Stake $25` are in money.
      header !== 'units' && header !== 'stakeunits' && isMoney(cells) ? 'money' : 'stakeUnits',
  },
  money:
    'Stake in money: risk riskamount amount wageramount betamount stakeamount wagered betsize risked atrisk torisk risking mise amountrisked staked amountwagered stakemoney backstake sizesettled importe importo valor montant stakeusd stakegbp stakeeur',
  currency: {
    names: 'Currency: currency ccy cur curr currencycode devise moneda valuta moeda währung',
    cells: most((cell) => /^[a-z]{3}$/i.test(cell) && currencyOf(`1 ${cell}`) !== undefined),
  },
  result: {
    names:
      'Result: result* betresult betsettled outcome* wl winloss wonlost winlose wlp gradedresult legresult grade status betstatus state statut resultado esito gv vp gp acierto acertou résultat ergebnis estado stato betoutcome hit won win correct cashed covered cover uitslag risultato wynik resultat',
    several: true,
    fits: ({ header, cells, most, has }) => {
      if (most((cell) => scorePattern.test(cell))) return 'score';
      if (/^(?:wl|winlose|wonlost)$/.test(header) && cells.length > 0 && cells.every(isProfit))
        return has('profit') ? undefined : 'profit';
      // `Won` can be an amount, `State` a place, and `Outcome` the selection.
      const isAmount = most((cell) => amountOf(cell) !== undefined && !/^[01]$/.test(cell));
      if (/^(?:won|win|cashed)$/.test(header) && isAmount) return undefined;
      if (!/^(?:outcome|esito|state|statut|status|grade|estado|stato)$/.test(header) || most(isResult))
        return 'result';
      const isSelection = /^(?:outcome|esito)$/.test(header) && !has('pick', 'team', 'description');
      return isSelection ? 'pick' : undefined;
    },
    cells: (cells) =>
      most(isResult)(cells) &&
      cells.some((cell) => !/^(?:\p{L}|-?\d|yes|no|true|false|open|live)$/iu.test(cell)),
  },
  profit: {
    names:
      'Profit: profit pnl pl net profitloss netprofit betprofit amountwonorlost winloss winnings gain gains beneficio lucro gewinn profitto profitunits unitswon unitsnet netunits winst vinst gevinst zysk',
    fits: ({ header, most }) => {
      // `W/L` with amounts is a profit, with letters a result.
      if (most((cell) => amountOf(cell.replace(/^[+-]/, '')) !== undefined)) return 'profit';
      return header === 'winloss' ? 'result' : undefined;
    },
  },
  payout:
    'Payout: payout return returns totalreturn actualpayout paidout vincita utbetalning utbetaling uitbetaling wygrana',
  score: {
    names:
      'Score of both teams: score finalscore ft ftscore fulltime fulltimescore finalresult matchscore gamescore marcador punteggio placar endstand punteggiofinale scorefinal resultadofinal',
    fits: (below) =>
      below.has('opponentScore') && below.most((cell) => /^\d{1,3}$/.test(cell))
        ? 'teamScore'
        : scoreOrResult(below),
  },
  teamScore: 'Score of the team: teamscore teampoints teamruns teamgoals ourscore pointsfor pf',
  opponentScore:
    'Score of the opponent: opponentscore oppscore opponentpoints opppoints oppruns oppgoals pointsagainst',
  homeScore:
    'Home score: homescore homepoints homegoals homeruns hscore scorehome homefinal finalhome hg fthg fthome homeft homegoal toreheim toreh tore1 golcasa goleslocal',
  awayScore:
    'Away score: awayscore awaypoints awaygoals awayruns ascore scoreaway awayfinal finalaway ag ftag ftaway awayft awaygoal toregast torea tore2 goltrasferta golesvisitante',
  halfScore: {
    names: 'Score at half-time: ht htscore halftimescore halftime halbzeit',
    fits: (below) => {
      if (below.most((cell) => scorePattern.test(cell))) return 'halfScore';
      // `Halbzeit` can be the part of the game.
      const isPart = below.most((cell) => /^[12]\W?$/.test(cell) || meant(cell)?.kind === 'period');
      return isPart ? 'period' : undefined;
    },
  },
  live: {
    names:
      'Live bet: live inplay ingame islive livebet inrunning prelive livepre prematchlive liveprematch envivo endirecto endirect dalvivo aovivo livewette minute minuteplaced betminute gameminute matchminute scoreatbet scorewhenplaced scoreatplacement scorewhenbet',
    several: true,
    refusedIfYes: placedLate,
  },
  lay: {
    names: 'Lay bet: lay islay laybet liability backorlay layodds laystake layprice',
    several: true,
    refusedIfYes: 'A lay bet is against its selection, so it is no pick on it.',
  },
  eachWay: {
    names: 'Each-way bet: eachway ew isew iseachway',
    several: true,
    refusedIfYes: 'An each-way bet is two bets at two prices, not one pick.',
  },
  freeBet: {
    names:
      'Free bet: freebet isfreebet freeplay iffreeplaythenamountactuallyatrisk bonusbet betbonustype riskfreebet riskfree bonus gratiswette freiwette parigratuit apuestagratis apostagratis scommessagratis bonusgratis',
    several: true,
    noted: freeBetNote,
    fits: ({ cells }) =>
      // Exports write the amount of a bonus in each row.
      cells.every((cell) => /^0*(?:[.,]0+)?$/.test(cell)) ? undefined : 'freeBet',
  },
  cashOut: {
    names: 'Cashed out: cashout cashedout iscashout cashoutamount cashoutvalue',
    several: true,
    noted: cashOutNote,
  },
  deduction: {
    names: 'Deduction: deadheat deadheatreduction rule4 r4 rule4deduction',
    several: true,
    noted: deductionNote,
  },
  voided: {
    names: 'Voided: voided void isvoid cancelled canceled',
    several: true,
    refusedIfYes: 'The sheet says that the bet was voided. Its score would count, so leave the row out.',
  },
  overtime: {
    names:
      'Overtime counts: otincluded overtimeincluded inclot inclovertime includesot includesovertime includingot',
    refusedIfNo: (cell, header) =>
      `${header} says ${cell}. A bet on regulation time is another market: name it in a column.`,
  },
  pregame: {
    names: 'Before the game: pregame ispregame prematch isprematch',
    refusedIfNo: (cell) => (/^(?:pre|$)/i.test(cell) ? undefined : placedLate),
  },
  further: {
    names: 'First leg: primary isprimary',
    refusedIfNo: () => 'The row is a further leg of a bet, not a pick of its own.',
  },
  made: {
    names: 'Whether the bet was made: isplaced wasplaced taken istaken played isplayed matched ismatched',
    refusedIfNo: (cell, header) => `${header} says ${cell}, so nobody made the bet.`,
  },
  comment: { names: 'Remark: comment comments remark remarks', several: true },
  betId: {
    names:
      'Bet ID: betid slip betslip slipno slipnumber wagerid wagernumber juicebetid externalbetid betslipid slipid ticket ticketid ticketnumber betnumber couponid',
    // `Slip` can be the type of the bet.
    fits: ({ most }) => (most((cell) => /\d/.test(cell)) ? 'betId' : undefined),
  },
  book: {
    names:
      'Book: book* sportsbook* bookmaker* bookname bookie site casino operator book* maker casa buchmacher',
    fits: ({ header, has }) => (header === 'casa' && has('away') && !has('home') ? 'home' : 'book'),
  },
};

export const sheetFields = Object.keys(declared) as SheetField[];

export function columnOf(field: SheetField): Declared {
  const own = declared[field];
  return typeof own === 'string' ? { names: own } : own;
}

export function labelOf(field: SheetField): string {
  return columnOf(field).names.split(': ', 1)[0]!;
}

/** Returns the headers that name a field, most specific first, each without spaces, accents, and punctuation. */
export function headersOf(field: SheetField): string[] {
  return [...new Set(wordsOf(field).map(plain))];
}

/** The fields for times. */
export const timeFields = ['date', 'startsAt', 'postedAt', 'settledAt'] as const;

/** The fields for odds, most trusted first. */
export const oddsFields = ['oddsAmerican', 'odds', 'oddsDecimal', 'oddsFractional'] as const;

const recognized = ['kind', 'oddsFormat', 'currency', 'result', 'period', 'market'] as const;

/** Returns the field of a column that its header does not name, if its cells change how a bet settles. */
export function fieldOfCells(cells: readonly string[]): SheetField | undefined {
  return recognized.find((field) => columnOf(field).cells?.(cells));
}

/** A header's field. The more specific of two headers has the lower rank. */
export interface NamedField {
  field: SheetField;
  rank: number;
  isOwn: boolean;
}

const byHeader = new Map(
  sheetFields
    .flatMap((field) =>
      wordsOf(field).map((word, rank): [string, NamedField] => [
        plain(word),
        { field, rank, isOwn: word.endsWith('*') },
      ]),
    )
    // Without accents, two words can be the same. The more specific one counts.
    .toReversed(),
);

function wordsOf(field: SheetField): string[] {
  return columnOf(field).names.replace(/^.*: /, '').split(' ');
}

/** Normalizes a header: removes case, accents, spaces, and punctuation. */
export function plain(header: string): string {
  return plainLetters(header).replace(/[^\p{L}\p{N}]/gu, '');
}

export function fieldNamed(header: string): NamedField | undefined {
  return byHeader.get(plain(header));
}
