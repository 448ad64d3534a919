/** NHL, season 2026/27. The Coyotes played until 2024. */
export const nhl = `
Anaheim/Ducks: ANA, Mighty Ducks, Mighty Ducks of Anaheim
former Arizona/Coyotes: ARI, PHX, Phoenix Coyotes, Yotes
Boston/Bruins: BOS
Buffalo/Sabres: BUF
Calgary/Flames: CGY, CAL
Carolina/Hurricanes: CAR, Canes
Chicago/Blackhawks: CHI, Hawks, Black Hawks
Colorado/Avalanche: COL, Avs
Columbus/Blue Jackets: CBJ, CLB, Jackets
Dallas/Stars: DAL
Detroit/Red Wings: DET, Wings
Edmonton/Oilers: EDM
Florida/Panthers: FLA, Cats
Los Angeles/Kings: LAK, LA
Minnesota/Wild: MIN
Montreal/Canadiens: MTL, MON, Montréal Canadiens, Habs
Nashville/Predators: NSH, NAS, Preds
New Jersey/Devils: NJD, NJ, N.J.
New York/Islanders: NYI, Isles
New York/Rangers: NYR
Ottawa/Senators: OTT, Sénateurs, Ottawa Sénateurs, Sens
Philadelphia/Flyers: PHI
Pittsburgh/Penguins: PIT, Pens
San Jose/Sharks: SJS, SJ, San José Sharks
Seattle/Kraken: SEA
St. Louis/Blues: STL
Tampa Bay/Lightning: TBL, TB, TAM, Bolts
Toronto/Maple Leafs: TOR, Leafs
Utah/Mammoth: UTA, UTAH, UHC, Utah Hockey Club, Utah HC
Vancouver/Canucks: VAN, Nucks
Vegas/Golden Knights: VGK, VEG, VGS, Las Vegas Golden Knights, Knights
Washington/Capitals: WSH, WAS, Caps
Winnipeg/Jets: WPG, WIN
`;
