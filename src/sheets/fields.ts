/**
 * Fields of columns, with their headers in lowercase without spaces and punctuation, most specific first. A field in {@link shared} can
 * have several columns; of the others the most specific header counts, and the rest is listed as ignored.
 */
export const synonyms = {
  capperHandle: 'capperhandle capper handle tipster handicapper analyst expert bettor cappername tipstername',
  league:
    'league leagues legleague eventleague competition tournament comp leaguename liga ligue campionato campeonato competición wettbewerb championnat competizione competitie torneio torneo',
  sport:
    'sport sports legsport sportname eventsportname eventsport sportkey deporte esporte sportart disciplina',
  game: 'game matchup gamematchup match event fixture eventname matchname gamename contest teams matchupname partido partita jogo spiel begegnung evento rencontre évènement événement wedstrijd paarung incontro encuentro',
  home: 'home hometeam homename heim domicile casa local',
  away: 'away awayteam awayname visitor visitorteam visiteur ospite visitante gast auswärts extérieur trasferta fuera',
  team: 'team teamorplayer pickteam teamname betteam selectedteam equipo équipe squadra mannschaft',
  opponent: 'opponent opp against versus vs',
  first: 'team1 teama fighter1 player1 competitor1 opponent1 participant1',
  second: 'team2 teamb fighter2 player2 competitor2 opponent2 participant2',
  subject: 'subject player playername athlete participant jugador joueur giocatore spieler jogador',
  startsAt:
    'startsat start starts starttime kickoff gametime gamestart commencetime eventstartdate eventstart eventstarttime startdate eventtime gamedatetime kickoffutc startsatutc matchtime anstoss',
  postedAt:
    'postedat posted timeplacediso timeplaced placedat placed dateplaced placeddate betplaced timestamp createdat datecreated dateposted submittedat betplacedat betdatetime loggedat',
  date: 'date day gamedate eventdate betdate matchdate pickdate fecha data datum jour',
  time: 'time hour hora heure uhrzeit ora timeofday ko kotime horaire orario',
  market:
    'market markettype marketname prop propstat stat statistic proptype betmarket bettype wagertype picktype legtype type proposition marché mercado mercato markt tipo typedepari wettart stattype propbet propcategory tipodeapuesta tipodemercado tipoaposta tipodiscommessa soorttype',
  kind: 'kind bettingtype tickettype sliptype betkind betstructure category parlaytype tags tag samegameparlay sgp isparlay',
  legs: 'legs numberoflegs teaserpoints legcount nooflegs selections numberofselections numberofbets folds numselections',
  period: 'period half quarter segment gameperiod phase ifdurationbet periodo période periode',
  side: 'side overunder direction ou betside pickside position backlay layback bl backlaytype',
  line: 'line handicap linevalue spread point points number linetaken betline pickline betonspreadtotalnumber leghandicap hcp línea linha linea linie hdp hdc hdcp ah ahline asianline handicapline total limite',
  pick: 'pick selection bet play prono pronos beton betselection betname prediction tip label wager pickdescription sélection selección selezione seleção pronostico pronóstico prognostico tipp auswahl apuesta aposta pari wette pronostic voorspelling',
  description:
    'description betinfo longdescriptionofleg legdescription betdescription details betdetails desc detail beschreibung descripción descrizione',
  oddsAmerican: 'oddsamerican americanodds betamericanodds',
  oddsDecimal: 'oddsdecimal decimalodds betdecimalodds eudecimal',
  oddsFractional: 'oddsfractional fractionalodds',
  odds: 'odds price betprice betodds myodds oddstaken pricematched avgpricematched cote quote quota cuota odd juice oddsplaced',
  oddsFormat: 'oddsformat oddstype priceformat formatodds formatofodds oddstyle',
  boost:
    'boostedodds betboostedodds boosted boost isboosted isoddsboosted boostedbet oddsboost profitboost profitboostpercent enhanced enhancedodds',
  stakeUnits:
    'stakeunits units unit unitsrisked unitsize stake wagerunits unitswagered u einsatz puntata unidades unités unità einheiten inzet',
  money:
    'risk riskamount amount wageramount betamount stakeamount wagered betsize risked atrisk mise amountrisked staked amountwagered stakemoney sizesettled importe importo valor montant stakeusd stakegbp stakeeur',
  currency: 'currency ccy cur curr currencycode devise moneda valuta moeda währung',
  result:
    'result betresult betsettled outcome wl winloss wonlost winlose wlp gradedresult legresult grade status betstatus state statut resultado esito résultat ergebnis estado stato betoutcome hit won win correct cashed uitslag risultato',
  profit:
    'profit pnl pl net profitloss netprofit betprofit amountwonorlost winloss winnings gain gains beneficio lucro gewinn profitto profitunits unitswon unitsnet netunits',
  payout: 'payout return returns totalreturn actualpayout paidout',
  score:
    'score finalscore ft ftscore fulltime fulltimescore finalresult matchscore gamescore marcador punteggio placar endstand punteggiofinale scorefinal resultadofinal',
  homeScore:
    'homescore homepoints homegoals homeruns hscore scorehome homefinal hg fthg fthome homeft homegoal toreheim toreh tore1 golcasa goleslocal',
  awayScore:
    'awayscore awaypoints awaygoals awayruns ascore scoreaway awayfinal ag ftag ftaway awayft awaygoal toregast torea tore2 goltrasferta golesvisitante',
  halfScore: 'ht htscore halftimescore halftime halbzeit',
  live: 'live inplay ingame islive livebet inrunning prelive livepre prematchlive liveprematch',
  lay: 'lay islay laybet liability backorlay',
  eachWay: 'eachway ew isew iseachway',
  freeBet:
    'freebet isfreebet freeplay iffreeplaythenamountactuallyatrisk bonusbet betbonustype riskfreebet riskfree bonus',
  cashOut: 'cashout cashedout iscashout cashoutamount cashoutvalue',
  voided: 'voided void isvoid cancelled canceled',
  further: 'primary isprimary',
  comment: 'comment comments remark remarks',
  betId: 'betid juicebetid externalbetid betslipid slipid ticket ticketid ticketnumber betnumber couponid',
  book: 'book sportsbook bookmaker bookname bookie site casino operator book maker casa buchmacher',
} as const;

export type SheetField = keyof typeof synonyms;
export const sheetFields = Object.keys(synonyms) as SheetField[];

/** Fields that can have several columns. */
export const shared: ReadonlySet<SheetField> = new Set([
  ...(['market', 'kind', 'legs', 'result', 'live', 'lay', 'eachWay', 'boost', 'freeBet', 'cashOut'] as const),
  ...(['voided', 'period', 'line', 'side', 'comment'] as const),
]);

/** A cell with the header of its column. */
export interface HeadedCell {
  header: string;
  cell: string;
}
