/** NFL, season 2026. */
export const nfl = `
Arizona/Cardinals: ARI, ARZ, Cards
Atlanta/Falcons: ATL
Baltimore/Ravens: BAL, BLT
Buffalo/Bills: BUF
Carolina/Panthers: CAR
Chicago/Bears: CHI
Cincinnati/Bengals: CIN
Cleveland/Browns: CLE, CLV
Dallas/Cowboys: DAL
Denver/Broncos: DEN
Detroit/Lions: DET
Green Bay/Packers: GB, GNB, GBP
Houston/Texans: HOU, HST
Indianapolis/Colts: IND
Jacksonville/Jaguars: JAX, JAC, Jags
Kansas City/Chiefs: KC, KAN, KCC
Las Vegas/Raiders: LV, LVR, OAK, Oakland Raiders, Oakland
Los Angeles/Chargers: LAC, SD, SDG, San Diego Chargers, San Diego, Bolts
Los Angeles/Rams: LAR, STL, St. Louis Rams, St. Louis
Miami/Dolphins: MIA, Fins
Minnesota/Vikings: MIN, Vikes
New England/Patriots: NE, NWE, NEP, Pats
New Orleans/Saints: NO, NOR, NOS
New York/Giants: NYG
New York/Jets: NYJ
Philadelphia/Eagles: PHI, PHL
Pittsburgh/Steelers: PIT
San Francisco/49ers: SF, SFO, Niners, Forty-Niners
Seattle/Seahawks: SEA
Tampa Bay/Buccaneers: TB, TAM, TBB, Bucs
Tennessee/Titans: TEN
Washington/Commanders: WAS, WSH, Washington Football Team, Football Team, WFT, Washington Redskins, Redskins
`;
