/** MLB, season 2026. The Athletics play without a city. */
export const mlb = `
Arizona/Diamondbacks: ARI, AZ, D-backs, Dbacks
/Athletics: ATH, OAK, A's, As, Athletics Athletics, Oakland Athletics, Oakland A's, Oakland, Sacramento Athletics, Las Vegas Athletics, Sacramento, West Sacramento Athletics
Atlanta/Braves: ATL
Baltimore/Orioles: BAL, O's
Boston/Red Sox: BOS
Chicago/Cubs: CHC, CHN, Cubbies
Chicago/White Sox: CWS, CHW, CHA
Cincinnati/Reds: CIN
Cleveland/Guardians: CLE, Guards, Cleveland Indians, Indians
Colorado/Rockies: COL, Rox
Detroit/Tigers: DET
Houston/Astros: HOU, Stros
Kansas City/Royals: KC, KCR
Los Angeles/Angels: LAA, ANA, Anaheim Angels, Los Angeles Angels of Anaheim, Halos
Los Angeles/Dodgers: LAD, LAN
Miami/Marlins: MIA, FLA, Florida Marlins
Milwaukee/Brewers: MIL
Minnesota/Twins: MIN
New York/Mets: NYM, NYN
New York/Yankees: NYY, NYA, Yanks
Philadelphia/Phillies: PHI, Phils
Pittsburgh/Pirates: PIT, Bucs
San Diego/Padres: SD, SDP, Pads
San Francisco/Giants: SF, SFG
Seattle/Mariners: SEA, M's
St. Louis/Cardinals: STL, SLN, Cards
Tampa Bay/Rays: TB, TBR, Devil Rays, Tampa Bay Devil Rays
Texas/Rangers: TEX
Toronto/Blue Jays: TOR, Jays
Washington/Nationals: WSH, WAS, WSN, Nats
`;
