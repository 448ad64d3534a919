import { plainLetters } from '../rules/plain-name.ts';

/**
 * The columns of sheets and files: the label of each field, and the headers that name it, in lowercase without spaces and punctuation, most
 * specific first. Those with `*` are the service's own, which files of every kind of row may have. A field in {@link shared} can have several
 * columns; of the others the most specific header counts, and the rest is listed as ignored.
 */
const columns = {
  capperHandle:
    'Capper: capperhandle* capper* handle* tipster handicapper analyst expert bettor cappername tipstername',
  league:
    'League: league* leagues legleague eventleague competition tournament comp leaguename liga ligue campionato campeonato competición wettbewerb championnat competizione competitie torneio torneo',
  sport:
    'Sport: sport* sports legsport sportname eventsportname eventsport sportkey deporte esporte sportart disciplina',
  game: 'Game (both teams): game* matchup* gamematchup match* event* fixture eventname matchname gamename contest teams matchupname partido partita jogo spiel begegnung evento rencontre évènement événement wedstrijd paarung incontro encuentro mecz kamp',
  home: 'Home team: home hometeam homename heim domicile casa local mandante thuis thuisploeg thuisteam hemma hemmalag hjemme hjemmelag hjemmehold gospodarze gospodarz domaci',
  away: 'Away team: away awayteam awayname visitor visitorteam visiteur ospite visitante gast auswärts extérieur trasferta fuera uit uitploeg uitteam borta bortalag borte bortelag udehold goście gość hosté',
  team: 'Team of the bet: team teamorplayer pickteam teamname betteam selectedteam equipo équipe squadra mannschaft',
  opponent: 'Opponent: opponent opp against versus vs',
  homeAway: 'Home or away: homeaway homeoraway ha homeroad hora venue location site',
  first: 'One of two teams: team1 teama fighter1 player1 competitor1 opponent1 participant1',
  second: 'The other team: team2 teamb fighter2 player2 competitor2 opponent2 participant2',
  subject: 'Player: subject* player* playername athlete participant jugador joueur giocatore spieler jogador',
  startsAt:
    'Start of the game: startsat* start* starts* starttime* kickoff* gametime* gamestart commencetime eventstartdate eventstart eventstarttime startdate eventtime gamedatetime kickoffutc startsatutc matchtime anstoss',
  postedAt:
    'Time of posting: postedat* posted* timeplacediso timeplaced placedat* placed* dateplaced placeddate betplaced timestamp* createdat datecreated dateposted submittedat betplacedat betdatetime loggedat',
  date: 'Date: date day gamedate eventdate betdate matchdate pickdate fecha data datum jour dato',
  time: 'Time of day: time hour hora heure uhrzeit ora timeofday ko kotime horaire orario',
  market:
    'Market: market* markettype marketname prop propstat stat statistic proptype betmarket bettype* wagertype picktype legtype type proposition marché mercado mercato markt tipo typedepari wettart stattype propbet propcategory tipodeapuesta tipodemercado tipoaposta tipodiscommessa soorttype typeweddenschap soortweddenschap speltype spilltype spiltype rodzajzakladu',
  kind: 'Single or multiple: kind bettingtype tickettype sliptype betkind betstructure category parlaytype tags tag samegameparlay sgp isparlay',
  legs: 'Number of legs: legs numberoflegs teaserpoints legcount nooflegs selections numberofselections numberofbets folds numselections',
  period:
    'Part of the game: period half quarter segment gameperiod phase ifdurationbet periodo période periode tempo tiempo mitemps abschnitt spielabschnitt parte',
  side: 'Side (over or under): side* overunder direction ou betside pickside position backlay layback bl backlaytype',
  line: 'Line: line* handicap* linevalue spread point points* number linetaken betline pickline betonspreadtotalnumber leghandicap hcp línea linha linea linie hdp hdc hdcp ah ahline asianline handicapline total limite lineodds lineandodds linejuice lineprice spreadodds oddsline',
  pick: 'Pick: pick* selection* bet* play prono pronos beton betselection betname prediction tip label wager pickdescription sélection selección selezione seleção pronostico pronóstico prognostico tipp auswahl apuesta aposta pari wette pronostic voorspelling weddenschap spel typ veddemal tippet zaklad typowanie',
  description:
    'The bet in words: description betinfo longdescriptionofleg legdescription betdescription details betdetails desc detail beschreibung descripción descrizione',
  oddsAmerican: 'Odds, American: oddsamerican* americanodds* betamericanodds',
  oddsDecimal: 'Odds, decimal: oddsdecimal* decimalodds* betdecimalodds eudecimal',
  oddsFractional: 'Odds, fractional: oddsfractional* fractionalodds*',
  odds: 'Odds: odds* price* betprice betodds myodds oddstaken pricematched avgpricematched cote quote quota cuota odd juice oddsplaced kurs koers quotering',
  oddsFormat: 'Format of the odds: oddsformat oddstype priceformat formatodds formatofodds oddstyle',
  boost:
    'Boosted odds: boostedodds betboostedodds boosted boost isboosted isoddsboosted boostedbet oddsboost profitboost profitboostpercent enhanced enhancedodds',
  stakeUnits:
    'Stake in units: stakeunits* units* unit unitsrisked unitsize stake* wagerunits unitswagered u einsatz puntata unidades unités unità einheiten inzet insats indsats innsats stawka',
  money:
    'Stake in money: risk riskamount amount wageramount betamount stakeamount wagered betsize risked atrisk mise amountrisked staked amountwagered stakemoney sizesettled importe importo valor montant stakeusd stakegbp stakeeur',
  currency: 'Currency: currency ccy cur curr currencycode devise moneda valuta moeda währung',
  result:
    'Result: result* betresult betsettled outcome* wl winloss wonlost winlose wlp gradedresult legresult grade status betstatus state statut resultado esito résultat ergebnis estado stato betoutcome hit won win correct cashed uitslag risultato wynik resultat',
  profit:
    'Profit: profit pnl pl net profitloss netprofit betprofit amountwonorlost winloss winnings gain gains beneficio lucro gewinn profitto profitunits unitswon unitsnet netunits winst vinst gevinst zysk',
  payout:
    'Payout: payout return returns totalreturn actualpayout paidout vincita utbetalning utbetaling uitbetaling wygrana',
  score:
    'Score of both teams: score finalscore ft ftscore fulltime fulltimescore finalresult matchscore gamescore marcador punteggio placar endstand punteggiofinale scorefinal resultadofinal',
  homeScore:
    'Home score: homescore homepoints homegoals homeruns hscore scorehome homefinal finalhome hg fthg fthome homeft homegoal toreheim toreh tore1 golcasa goleslocal',
  awayScore:
    'Away score: awayscore awaypoints awaygoals awayruns ascore scoreaway awayfinal finalaway ag ftag ftaway awayft awaygoal toregast torea tore2 goltrasferta golesvisitante',
  halfScore: 'Score at half-time: ht htscore halftimescore halftime halbzeit',
  live: 'Live bet: live inplay ingame islive livebet inrunning prelive livepre prematchlive liveprematch envivo endirecto endirect dalvivo aovivo livewette minute minuteplaced betminute gameminute matchminute scoreatbet scorewhenplaced scoreatplacement scorewhenbet',
  lay: 'Lay bet: lay islay laybet liability backorlay',
  eachWay: 'Each-way bet: eachway ew isew iseachway',
  freeBet:
    'Free bet: freebet isfreebet freeplay iffreeplaythenamountactuallyatrisk bonusbet betbonustype riskfreebet riskfree bonus gratiswette freiwette parigratuit apuestagratis apostagratis scommessagratis bonusgratis',
  cashOut: 'Cashed out: cashout cashedout iscashout cashoutamount cashoutvalue',
  voided: 'Voided: voided void isvoid cancelled canceled',
  further: 'First leg: primary isprimary',
  made: 'Whether the bet was made: isplaced wasplaced taken istaken played isplayed matched ismatched',
  comment: 'Remark: comment comments remark remarks',
  betId:
    'Bet ID: betid juicebetid externalbetid betslipid slipid ticket ticketid ticketnumber betnumber couponid',
  book: 'Book: book* sportsbook* bookmaker* bookname bookie site casino operator book* maker casa buchmacher',
} as const;

export type SheetField = keyof typeof columns;
export const sheetFields = Object.keys(columns) as SheetField[];

export function labelOf(field: SheetField): string {
  return columns[field].split(': ', 1)[0]!;
}

interface NamedField {
  field: SheetField;
  /** The more specific of two headers has the lower rank. */
  rank: number;
  isOwn: boolean;
}

const byHeader = new Map(
  sheetFields.flatMap((field) =>
    columns[field]
      .replace(/^.*: /, '')
      .split(' ')
      .map((word, rank) => [plain(word), { field, rank, isOwn: word.endsWith('*') } as NamedField] as const),
  ),
);

/** Normalizes a header: removes case, accents, spaces, and punctuation. */
export function plain(header: string): string {
  return plainLetters(header).replace(/[^\p{L}\p{N}]/gu, '');
}

export function fieldNamed(header: string): NamedField | undefined {
  return byHeader.get(plain(header));
}

/** Fields that can have several columns. */
export const shared: ReadonlySet<SheetField> = new Set([
  ...(['market', 'kind', 'legs', 'result', 'live', 'lay', 'eachWay', 'boost', 'freeBet', 'cashOut'] as const),
  ...(['voided', 'period', 'line', 'side', 'comment'] as const),
]);

export interface HeadedCell {
  header: string;
  cell: string;
}

/** Returns the row's cell for a field; empty if there is none. */
export type Cells = (field: SheetField) => string;

/** Thrown if a row cannot be stored. */
export class RowRefused extends Error {
  readonly choices: string[];

  constructor(message: string, choices: string[] = []) {
    super(message);
    this.choices = choices;
  }
}
