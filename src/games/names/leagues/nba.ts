/** NBA, season 2025/26. {@link file://./index.ts} describes the format. */
export const nba = `
Atlanta/Hawks: ATL
Boston/Celtics: BOS
Brooklyn/Nets: BKN, BK, BRK, NJN, New Jersey Nets
Charlotte/Hornets: CHA, CHO, Charlotte Bobcats, Bobcats
Chicago/Bulls: CHI
Cleveland/Cavaliers: CLE, Cavs
Dallas/Mavericks: DAL, Mavs
Denver/Nuggets: DEN
Detroit/Pistons: DET
Golden State/Warriors: GSW, GS, Dubs
Houston/Rockets: HOU
Indiana/Pacers: IND
Los Angeles/Clippers: LAC, Clips
Los Angeles/Lakers: LAL
Memphis/Grizzlies: MEM, Grizz
Miami/Heat: MIA
Milwaukee/Bucks: MIL
Minnesota/Timberwolves: MIN, T-Wolves, Wolves
New Orleans/Pelicans: NOP, NO, NOR, NOH, Pels, New Orleans Hornets
New York/Knicks: NYK, NY, Knickerbockers
Oklahoma City/Thunder: OKC
Orlando/Magic: ORL
Philadelphia/76ers: PHI, PHL, Sixers, Seventy-Sixers
Phoenix/Suns: PHX, PHO
Portland/Trail Blazers: POR, Blazers, Trailblazers
Sacramento/Kings: SAC
San Antonio/Spurs: SAS, SA
Toronto/Raptors: TOR, Raps
Utah/Jazz: UTA, UTAH
Washington/Wizards: WAS, WSH, Wiz
`;
