/** First-division colleges in football and basketball. Both sports are open: a missing school keeps its given name. */
export const college = `
Abilene Christian/Wildcats
Air Force/Falcons: AFA
Akron/Zips: AKR
Alabama/Crimson Tide: Bama, ALA
Alabama A&M/Bulldogs
Alabama State/Hornets
Albany/Great Danes: UAlbany
Alcorn State/Braves
American/Eagles: American University
Appalachian State/Mountaineers: App State, Appalachian St, APP
Arizona/Wildcats: ARIZ
Arizona State/Sun Devils: ASU
Arkansas/Razorbacks: ARK
Arkansas State/Red Wolves: ARST
Arkansas-Pine Bluff/Golden Lions: UAPB
Army/Black Knights: Army West Point
Auburn/Tigers: AUB
Austin Peay/Governors
Ball State/Cardinals: BALL
Baylor/Bears: BAY
Bellarmine/Knights
Belmont/Bruins
Bethune-Cookman/Wildcats
Binghamton/Bearcats
Boise State/Broncos: BSU, BOIS
Boston College/Eagles: BC
Boston University/Terriers: Boston U
Bowling Green/Falcons: BGSU
Bradley/Braves
Brown/Bears
Bryant/Bulldogs
Bucknell/Bison
Buffalo/Bulls: BUFF
Butler/Bulldogs: BUT
BYU/Cougars: Brigham Young
Cal Poly/Mustangs
Cal State Bakersfield/Roadrunners: CSU Bakersfield, Bakersfield
Cal State Fullerton/Titans: CSU Fullerton, Fullerton
Cal State Northridge/Matadors: CSUN, CSU Northridge
California/Golden Bears: Cal, Cal Golden Bears
California Baptist/Lancers: Cal Baptist
Campbell/Fighting Camels
Canisius/Golden Griffins
Central Arkansas/Bears
Central Connecticut/Blue Devils: Central Connecticut State
Central Michigan/Chippewas: CMU
Charleston/Cougars: College of Charleston
Charleston Southern/Buccaneers
Charlotte/49ers: UNC Charlotte, CLT
Chattanooga/Mocs: UT Chattanooga
Chicago State/Cougars
Cincinnati/Bearcats: CIN, CINCY
Clemson/Tigers: CLEM
Cleveland State/Vikings
Coastal Carolina/Chanticleers: CCU
Colgate/Raiders
Colorado/Buffaloes: COLO
Colorado State/Rams: CSU
Columbia/Lions
Coppin State/Eagles
Cornell/Big Red
Creighton/Bluejays: CREI
Dartmouth/Big Green
Davidson/Wildcats
Dayton/Flyers: DAY
Delaware/Blue Hens: Delaware Fightin' Blue Hens
Delaware State/Hornets
Denver/Pioneers
DePaul/Blue Demons
Detroit Mercy/Titans: Detroit
Drake/Bulldogs: DRKE
Drexel/Dragons
Duke/Blue Devils
Duquesne/Dukes
East Carolina/Pirates: ECU
East Tennessee State/Buccaneers: ETSU
East Texas A&M/Lions: Texas A&M-Commerce, Texas A&M-Commerce Lions
Eastern Illinois/Panthers
Eastern Kentucky/Colonels
Eastern Michigan/Eagles: EMU
Eastern Washington/Eagles
Elon/Phoenix
Evansville/Purple Aces
Fairfield/Stags
Fairleigh Dickinson/Knights: FDU
Florida/Gators: FLA
Florida A&M/Rattlers: FAMU
Florida Atlantic/Owls: FAU
Florida Gulf Coast/Eagles: FGCU
Florida International/Panthers: FIU, Florida Intl Golden Panthers, FIU Panthers, Florida International Golden Panthers
Florida State/Seminoles: FSU
Fordham/Rams
Fresno State/Bulldogs: FRES
Furman/Paladins
Gardner-Webb/Runnin' Bulldogs
George Mason/Patriots
George Washington/Revolutionaries: George Washington Colonials
Georgetown/Hoyas: GTWN
Georgia/Bulldogs: UGA
Georgia Southern/Eagles: GASO
Georgia State/Panthers: GAST
Georgia Tech/Yellow Jackets: GT
Gonzaga/Bulldogs: GONZ
Grambling/Tigers: Grambling State, Grambling State Tigers
Grand Canyon/Antelopes: Grand Canyon Lopes, GCU
Green Bay/Phoenix: UW-Green Bay
Hampton/Pirates
Harvard/Crimson
Hawai'i/Rainbow Warriors: Hawaii
High Point/Panthers
Hofstra/Pride
Holy Cross/Crusaders
Houston/Cougars: HOU
Houston Christian/Huskies: Houston Baptist
Howard/Bison
Idaho/Vandals
Idaho State/Bengals
Illinois/Fighting Illini: ILL
Illinois State/Redbirds
Incarnate Word/Cardinals: UIW
Indiana/Hoosiers: IND
Indiana State/Sycamores
Iona/Gaels
Iowa/Hawkeyes
Iowa State/Cyclones: ISU
IU Indianapolis/Jaguars: IUPUI, IUPUI Jaguars
Jackson State/Tigers
Jacksonville/Dolphins
Jacksonville State/Gamecocks: Jax State, JVST
James Madison/Dukes: JMU
Kansas/Jayhawks: KU
Kansas City/Roos: UMKC
Kansas State/Wildcats: K-State, KSU
Kennesaw State/Owls
Kent State/Golden Flashes: KENT
Kentucky/Wildcats: UK
La Salle/Explorers
Lafayette/Leopards
Lamar/Cardinals
Le Moyne/Dolphins
Lehigh/Mountain Hawks
Liberty/Flames: LIB
Lindenwood/Lions
Lipscomb/Bisons
Little Rock/Trojans: Arkansas-Little Rock
Long Beach State/Beach: Long Beach St, Long Beach State 49ers
Long Island University/Sharks: LIU, LIU Sharks
Longwood/Lancers
Louisiana/Ragin' Cajuns: UL Lafayette, Louisiana-Lafayette, Louisiana Lafayette, ULL
Louisiana Tech/Bulldogs: LA Tech, LT
Louisville/Cardinals: LOU
Loyola Chicago/Ramblers: Loyola (Chi), Loyola (IL), Loyola-Chicago
Loyola Maryland/Greyhounds: Loyola (MD)
Loyola Marymount/Lions: LMU
LSU/Tigers: Louisiana State
Maine/Black Bears
Manhattan/Jaspers
Marist/Red Foxes
Marquette/Golden Eagles: MARQ
Marshall/Thundering Herd: MRSH
Maryland/Terrapins: MD, UMD
Maryland-Eastern Shore/Hawks: UMES
Massachusetts/Minutemen: UMass
McNeese/Cowboys: McNeese State
Memphis/Tigers: MEM
Mercer/Bears
Mercyhurst/Lakers
Merrimack/Warriors
Miami/Hurricanes: Miami (FL), Miami FL, Miami Florida
Miami (OH)/RedHawks: Miami (Ohio), Miami OH, Miami Ohio
Michigan/Wolverines: MICH
Michigan State/Spartans: MSU Spartans, MSU
Middle Tennessee/Blue Raiders: Middle Tennessee State, MTSU
Milwaukee/Panthers: UW-Milwaukee
Minnesota/Golden Gophers: Minnesota Gophers, MINN
Mississippi State/Bulldogs: MSST, Miss State
Mississippi Valley State/Delta Devils
Missouri/Tigers: Mizzou, MIZ
Missouri State/Bears
Monmouth/Hawks
Montana/Grizzlies
Montana State/Bobcats
Morehead State/Eagles
Morgan State/Bears
Mount St. Mary's/Mountaineers
Murray State/Racers
Navy/Midshipmen
Nebraska/Cornhuskers: NEB
Nevada/Wolf Pack: NEV
New Hampshire/Wildcats
New Haven/Chargers
New Mexico/Lobos: UNM
New Mexico State/Aggies
New Orleans/Privateers
Niagara/Purple Eagles
Nicholls/Colonels: Nicholls State
NJIT/Highlanders
Norfolk State/Spartans
North Alabama/Lions
North Carolina/Tar Heels: UNC
North Carolina A&T/Aggies: NC A&T
North Carolina Central/Eagles: NC Central
NC State/Wolfpack: North Carolina State, NCST, NCSU
North Dakota/Fighting Hawks
North Dakota State/Bison: NDSU
North Florida/Ospreys
North Texas/Mean Green: UNT
Northeastern/Huskies
Northern Arizona/Lumberjacks
Northern Colorado/Bears
Northern Illinois/Huskies: NIU
Northern Iowa/Panthers: UNI
Northern Kentucky/Norse
Northwestern/Wildcats: NW, NU
Northwestern State/Demons
Notre Dame/Fighting Irish: ND
Oakland/Golden Grizzlies
Ohio/Bobcats
Ohio State/Buckeyes: OSU
Oklahoma/Sooners: OU, OKLA
Oklahoma State/Cowboys: OKST
Old Dominion/Monarchs: ODU
Ole Miss/Rebels: Mississippi, Mississippi Rebels
Omaha/Mavericks: Nebraska-Omaha
Oral Roberts/Golden Eagles
Oregon/Ducks: ORE
Oregon State/Beavers: ORST
Pacific/Tigers
Penn State/Nittany Lions: PSU
Pennsylvania/Quakers: Penn
Pepperdine/Waves
Pittsburgh/Panthers: Pitt
Portland/Pilots
Portland State/Vikings
Prairie View A&M/Panthers: Prairie View
Presbyterian/Blue Hose
Princeton/Tigers
Providence/Friars: PROV
Purdue/Boilermakers: PUR
Purdue Fort Wayne/Mastodons: Fort Wayne
Queens University/Royals: Queens
Quinnipiac/Bobcats
Radford/Highlanders
Rhode Island/Rams: URI
Rice/Owls
Richmond/Spiders
Rider/Broncs
Robert Morris/Colonials
Rutgers/Scarlet Knights: RUTG
Sacramento State/Hornets: Sac State
Sacred Heart/Pioneers
Saint Joseph's/Hawks: St. Joseph's
Saint Louis/Billikens: St. Louis
Saint Mary's/Gaels: St. Mary's, St. Mary's (CA), Saint Mary's (CA), SMC
Saint Peter's/Peacocks: St. Peter's
Sam Houston/Bearkats: Sam Houston State, SHSU
Samford/Bulldogs
San Diego/Toreros
San Diego State/Aztecs: SDSU
San Francisco/Dons: USF Dons
San José State/Spartans: San Jose St, SJSU
Santa Clara/Broncos
Seattle/Redhawks: Seattle U
Seton Hall/Pirates: HALL
Siena/Saints
SIU Edwardsville/Cougars: SIUE
SMU/Mustangs: Southern Methodist
South Alabama/Jaguars: USA
South Carolina/Gamecocks: SC
South Carolina State/Bulldogs
South Dakota/Coyotes
South Dakota State/Jackrabbits
South Florida/Bulls: USF
Southeast Missouri State/Redhawks: SE Missouri State, SEMO
Southeastern Louisiana/Lions: SE Louisiana
Southern/Jaguars: Southern University
Southern Illinois/Salukis
Southern Indiana/Screaming Eagles
Southern Miss/Golden Eagles: Southern Mississippi, USM
Southern Utah/Thunderbirds
St. Bonaventure/Bonnies
St. Francis (PA)/Red Flash: Saint Francis (PA), Saint Francis
St. John's/Red Storm: Saint John's, St. John's (NY), SJU
St. Thomas-Minnesota/Tommies: St. Thomas (MN), St. Thomas
Stanford/Cardinal: STAN
Stephen F. Austin/Lumberjacks: SFA
Stetson/Hatters
Stonehill/Skyhawks
Stony Brook/Seawolves
Syracuse/Orange: SYR, Cuse
Tarleton State/Texans: Tarleton
TCU/Horned Frogs: Texas Christian
Temple/Owls: TEM
Tennessee/Volunteers: TENN
Tennessee State/Tigers
Tennessee Tech/Golden Eagles
Texas/Longhorns: TEX
Texas A&M/Aggies: TAMU, TA&M
Texas A&M-Corpus Christi/Islanders
Texas Southern/Tigers
Texas State/Bobcats: TXST
Texas Tech/Red Raiders: TTU
The Citadel/Bulldogs: Citadel
Toledo/Rockets: TOL
Towson/Tigers
Troy/Trojans
Tulane/Green Wave: TULN
Tulsa/Golden Hurricane: TLSA
UAB/Blazers: Alabama-Birmingham
UC Davis/Aggies
UC Irvine/Anteaters
UC Riverside/Highlanders
UC San Diego/Tritons
UC Santa Barbara/Gauchos: UCSB
UCF/Knights: Central Florida
UCLA/Bruins
UConn/Huskies: Connecticut, CONN
UIC/Flames: Illinois-Chicago
UL Monroe/Warhawks: Louisiana-Monroe, ULM
UMass Lowell/River Hawks
UMBC/Retrievers
UNC Asheville/Bulldogs
UNC Greensboro/Spartans: UNCG
UNC Wilmington/Seahawks: UNCW
UNLV/Rebels: UNLV Runnin' Rebels, Nevada-Las Vegas
USC/Trojans: Southern California, Southern Cal
USC Upstate/Spartans: South Carolina Upstate
UT Arlington/Mavericks: Texas-Arlington
UT Martin/Skyhawks: Tennessee-Martin
UT Rio Grande Valley/Vaqueros: UTRGV
Utah/Utes
Utah State/Aggies: USU
Utah Tech/Trailblazers: Dixie State
Utah Valley/Wolverines
UTEP/Miners: Texas-El Paso
UTSA/Roadrunners: Texas-San Antonio
Valparaiso/Beacons: Valpo, Valparaiso Crusaders
Vanderbilt/Commodores: Vandy, VAN
VCU/Rams: Virginia Commonwealth
Vermont/Catamounts
Villanova/Wildcats: Nova, VILL
Virginia/Cavaliers: UVA
Virginia Tech/Hokies: VT
VMI/Keydets: Virginia Military
Wagner/Seahawks
Wake Forest/Demon Deacons: WAKE
Washington/Huskies: WASH, UW
Washington State/Cougars: WSU Cougars, WSU, WAZZU
Weber State/Wildcats
West Georgia/Wolves
West Virginia/Mountaineers: WVU
Western Carolina/Catamounts
Western Illinois/Leathernecks
Western Kentucky/Hilltoppers: WKU
Western Michigan/Broncos: WMU
Wichita State/Shockers
William & Mary/Tribe
Winthrop/Eagles
Wisconsin/Badgers: WIS, WISC
Wofford/Terriers
Wright State/Raiders
Wyoming/Cowboys: WYO
Xavier/Musketeers: XAV
Yale/Bulldogs
Youngstown State/Penguins: YSU
`;
