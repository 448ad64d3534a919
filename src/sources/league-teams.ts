/**
 * Teams of the closed leagues, `abbreviation/city/nickname`: a game's name may use any of the three, or city and nickname together.
 * A city with several teams names none of them.
 */
export const leagueTeams: Readonly<Record<string, string>> = {
  nba: `ATL/Atlanta/Hawks BOS/Boston/Celtics BKN/Brooklyn/Nets CHA/Charlotte/Hornets CHI/Chicago/Bulls CLE/Cleveland/Cavaliers
    DAL/Dallas/Mavericks DEN/Denver/Nuggets DET/Detroit/Pistons GSW/Golden_State/Warriors HOU/Houston/Rockets IND/Indiana/Pacers
    LAC/Los_Angeles/Clippers LAL/Los_Angeles/Lakers MEM/Memphis/Grizzlies MIA/Miami/Heat MIL/Milwaukee/Bucks
    MIN/Minnesota/Timberwolves NOP/New_Orleans/Pelicans NYK/New_York/Knicks OKC/Oklahoma_City/Thunder ORL/Orlando/Magic
    PHI/Philadelphia/76ers PHX/Phoenix/Suns POR/Portland/Trail_Blazers SAC/Sacramento/Kings SAS/San_Antonio/Spurs
    TOR/Toronto/Raptors UTA/Utah/Jazz WAS/Washington/Wizards`,
  nfl: `ARI/Arizona/Cardinals ATL/Atlanta/Falcons BAL/Baltimore/Ravens BUF/Buffalo/Bills CAR/Carolina/Panthers CHI/Chicago/Bears
    CIN/Cincinnati/Bengals CLE/Cleveland/Browns DAL/Dallas/Cowboys DEN/Denver/Broncos DET/Detroit/Lions GB/Green_Bay/Packers
    HOU/Houston/Texans IND/Indianapolis/Colts JAX/Jacksonville/Jaguars KC/Kansas_City/Chiefs LAC/Los_Angeles/Chargers
    LAR/Los_Angeles/Rams LV/Las_Vegas/Raiders MIA/Miami/Dolphins MIN/Minnesota/Vikings NE/New_England/Patriots
    NO/New_Orleans/Saints NYG/New_York/Giants NYJ/New_York/Jets PHI/Philadelphia/Eagles PIT/Pittsburgh/Steelers
    SEA/Seattle/Seahawks SF/San_Francisco/49ers TB/Tampa_Bay/Buccaneers TEN/Tennessee/Titans WAS/Washington/Commanders`,
  mlb: `ARI/Arizona/Diamondbacks ATL/Atlanta/Braves ATH//Athletics BAL/Baltimore/Orioles BOS/Boston/Red_Sox CHC/Chicago/Cubs
    CWS/Chicago/White_Sox CIN/Cincinnati/Reds CLE/Cleveland/Guardians COL/Colorado/Rockies DET/Detroit/Tigers HOU/Houston/Astros
    KC/Kansas_City/Royals LAA/Los_Angeles/Angels LAD/Los_Angeles/Dodgers MIA/Miami/Marlins MIL/Milwaukee/Brewers
    MIN/Minnesota/Twins NYM/New_York/Mets NYY/New_York/Yankees PHI/Philadelphia/Phillies PIT/Pittsburgh/Pirates
    SD/San_Diego/Padres SF/San_Francisco/Giants SEA/Seattle/Mariners STL/St._Louis/Cardinals TB/Tampa_Bay/Rays
    TEX/Texas/Rangers TOR/Toronto/Blue_Jays WSH/Washington/Nationals`,
  nhl: `ANA/Anaheim/Ducks BOS/Boston/Bruins BUF/Buffalo/Sabres CGY/Calgary/Flames CAR/Carolina/Hurricanes CHI/Chicago/Blackhawks
    COL/Colorado/Avalanche CBJ/Columbus/Blue_Jackets DAL/Dallas/Stars DET/Detroit/Red_Wings EDM/Edmonton/Oilers
    FLA/Florida/Panthers LAK/Los_Angeles/Kings MIN/Minnesota/Wild MTL/Montreal/Canadiens NSH/Nashville/Predators
    NJD/New_Jersey/Devils NYI/New_York/Islanders NYR/New_York/Rangers OTT/Ottawa/Senators PHI/Philadelphia/Flyers
    PIT/Pittsburgh/Penguins SJS/San_Jose/Sharks SEA/Seattle/Kraken STL/St._Louis/Blues TBL/Tampa_Bay/Lightning
    TOR/Toronto/Maple_Leafs UTA/Utah/Mammoth VAN/Vancouver/Canucks VGK/Vegas/Golden_Knights WSH/Washington/Capitals
    WPG/Winnipeg/Jets`,
  wnba: `ATL/Atlanta/Dream CHI/Chicago/Sky CON/Connecticut/Sun DAL/Dallas/Wings GSV/Golden_State/Valkyries IND/Indiana/Fever
    LVA/Las_Vegas/Aces LAS/Los_Angeles/Sparks MIN/Minnesota/Lynx NYL/New_York/Liberty PHX/Phoenix/Mercury
    SEA/Seattle/Storm WAS/Washington/Mystics`,
};

/** Aliases of each league's teams with their full names, in the form of the operator's aliases. */
export function leagueAliases(sport: string): { alias: string; team: string }[] {
  const teams = (leagueTeams[sport] ?? '')
    .split(/\s+/)
    .filter((entry) => entry !== '')
    .map((entry) => entry.split('/').map((part) => part.replaceAll('_', ' ')) as [string, string, string]);
  const cities = teams.map(([, city]) => city);
  return teams.flatMap(([abbreviation, city, nickname]) => {
    const team = `${city} ${nickname}`.trim();
    const alone = city !== '' && cities.indexOf(city) === cities.lastIndexOf(city);
    return [abbreviation, nickname, ...(alone ? [city] : [])].map((alias) => ({ alias, team }));
  });
}
