/** Clubs and national teams with several names in feeds. Soccer is open: a missing team keeps its given name. */
export const soccer = `
Arsenal: Arsenal London
Aston Villa: Villa
AFC Bournemouth: Bournemouth
Birmingham City: Birmingham
Blackburn Rovers: Blackburn
Bolton Wanderers: Bolton
Brentford
Brighton & Hove Albion: Brighton, Brighton and Hove Albion, Brighton Hove Albion
Burnley
Cardiff City: Cardiff
Charlton Athletic: Charlton
Chelsea
Coventry City: Coventry
Crystal Palace: Palace
Derby County: Derby
Everton
Fulham
Huddersfield Town: Huddersfield
Hull City: Hull
Ipswich Town: Ipswich
Leeds United: Leeds
Leicester City: Leicester
Liverpool
Luton Town: Luton
Manchester City: Man City, Manchester C, Man C
Manchester United: Man Utd, Man United, Manchester Utd, Manchester U, Man U
Middlesbrough: Boro
Millwall
Newcastle United: Newcastle, Newcastle Utd
Norwich City: Norwich
Nottingham Forest: Nott'm Forest, Nottm Forest, Notts Forest, Forest, Nottingham
Oxford United: Oxford Utd
Peterborough United: Peterborough
Plymouth Argyle: Plymouth
Portsmouth: Pompey
Preston North End: Preston
Queens Park Rangers: QPR, Queen's Park Rangers
Reading
Rotherham United: Rotherham
Sheffield United: Sheffield Utd, Sheff Utd, Sheff United
Sheffield Wednesday: Sheff Wed, Sheffield Wed
Southampton: Saints
Stoke City: Stoke
Sunderland
Swansea City: Swansea
Tottenham Hotspur: Tottenham, Spurs
Watford
West Bromwich Albion: West Brom, WBA
West Ham United: West Ham, West Ham Utd
Wigan Athletic: Wigan
Wolverhampton Wanderers: Wolves, Wolverhampton
Wrexham
Aberdeen
Celtic: Celtic Glasgow, Glasgow Celtic
Dundee United: Dundee Utd
Heart of Midlothian: Hearts
Hibernian: Hibs
Rangers: Glasgow Rangers
St Johnstone: Saint Johnstone
St Mirren: Saint Mirren
Athletic Bilbao: Athletic Club, Ath Bilbao, Athletic Club Bilbao, Athletic Club de Bilbao
Atlético Madrid: Atletico de Madrid, Ath Madrid, Club Atlético de Madrid, Atl Madrid, Atletico
Barcelona: FC Barcelona, Barça, Barca
Celta Vigo: Celta, RC Celta, Celta de Vigo, RC Celta de Vigo
Alavés: Deportivo Alavés, Deportivo Alaves
Deportivo La Coruña: Deportivo, Deportivo de La Coruna, La Coruna
Elche
Espanyol: RCD Espanyol, Espanol, RCD Espanyol de Barcelona
Getafe
Girona
Granada
Las Palmas: UD Las Palmas
Leganés: CD Leganés
Levante: Levante UD
Mallorca: RCD Mallorca, Real Mallorca
Osasuna: CA Osasuna
Oviedo: Real Oviedo
Rayo Vallecano: Rayo, Vallecano, Rayo Vallecano de Madrid
Real Betis: Betis, Real Betis Balompie
Real Madrid: Real Madrid CF
Real Sociedad: Sociedad, Real Sociedad de Fútbol
Sevilla: Sevilla FC
Valencia: Valencia CF
Valladolid: Real Valladolid
Villarreal: Villarreal CF
AC Milan: Milan
AS Roma: Roma
Atalanta: Atalanta BC, Atalanta Bergamo
Bologna: Bologna FC 1909
Cagliari: Cagliari Calcio
Como: Como 1907
Cremonese: US Cremonese
Fiorentina: ACF Fiorentina
Genoa: Genoa CFC
Hellas Verona: Verona
Inter Milan: Inter, Internazionale, FC Internazionale Milano, Internazionale Milano, Inter Milano
Juventus: Juve, Juventus Turin
Lazio: SS Lazio
Lecce: US Lecce
Napoli: SSC Napoli
Parma: Parma Calcio 1913, Parma Calcio
Pisa: AC Pisa, Pisa SC, AC Pisa 1909
Sassuolo: US Sassuolo, US Sassuolo Calcio
Torino: Torino FC
Udinese: Udinese Calcio
Arminia Bielefeld: Bielefeld
Augsburg: FC Augsburg
Bayer Leverkusen: Leverkusen, Bayer 04 Leverkusen
Bayern Munich: FC Bayern München, Bayern, Bayern München, FC Bayern Munich
Bochum: VfL Bochum
Borussia Dortmund: Dortmund, BVB, BVB Dortmund
Borussia Mönchengladbach: Monchengladbach, M'gladbach, Mgladbach, Gladbach, Borussia M'gladbach, Bor Monchengladbach
Darmstadt 98: Darmstadt, SV Darmstadt 98
Eintracht Braunschweig: Braunschweig
Eintracht Frankfurt: Frankfurt, Ein Frankfurt
Fortuna Düsseldorf: Dusseldorf, Düsseldorf
Freiburg: SC Freiburg
Greuther Fürth: SpVgg Greuther Fürth, Furth
Hamburger SV: Hamburg, HSV, Hamburg SV
Hannover 96: Hannover, Hanover 96
Hansa Rostock: Rostock
Heidenheim: 1. FC Heidenheim, FC Heidenheim 1846, 1. FC Heidenheim 1846
Hertha Berlin: Hertha, Hertha BSC
Hoffenheim: TSG Hoffenheim, TSG 1899 Hoffenheim, 1899 Hoffenheim
Holstein Kiel: Kiel
Jahn Regensburg: Regensburg, SSV Jahn Regensburg
Kaiserslautern: 1. FC Kaiserslautern
Karlsruher SC: Karlsruhe, Karlsruher
Köln: 1. FC Köln, FC Koln, Cologne, FC Cologne, 1. FC Cologne
Magdeburg: 1. FC Magdeburg
Mainz 05: Mainz, FSV Mainz 05, 1. FSV Mainz 05, FSV Mainz
Nürnberg: 1. FC Nürnberg, Nuremberg
Paderborn: SC Paderborn 07, SC Paderborn
RB Leipzig: Leipzig, RasenBallsport Leipzig
Sandhausen: SV Sandhausen
Schalke 04: Schalke, FC Schalke 04
St. Pauli: FC St. Pauli, Saint Pauli, FC St. Pauli 1910
Stuttgart: VfB Stuttgart
Union Berlin: 1. FC Union Berlin, FC Union Berlin
Werder Bremen: Bremen, SV Werder Bremen
Wolfsburg: VfL Wolfsburg
Angers: Angers SCO
Auxerre: AJ Auxerre
Brest: Stade Brestois, Stade Brestois 29, Stade Brest
Le Havre: Le Havre AC
Lens: RC Lens, Racing Club de Lens
Lille: LOSC Lille, Lille OSC, LOSC
Lorient: FC Lorient
Lyon: Olympique Lyonnais, Olympique Lyon, OL
Marseille: Olympique de Marseille, Olympique Marseille, OM
Metz: FC Metz
Monaco: AS Monaco
Montpellier: Montpellier HSC
Nantes: FC Nantes
Nice: OGC Nice
Paris FC
Paris Saint-Germain: PSG, Paris SG, Paris St Germain, Paris St-G
Reims: Stade de Reims, Stade Reims
Rennes: Stade Rennais, Stade Rennais FC 1901
Saint-Étienne: St Etienne, AS Saint-Étienne, St-Etienne
Strasbourg: RC Strasbourg, RC Strasbourg Alsace
Toulouse: Toulouse FC
Ajax: Ajax Amsterdam, AFC Ajax
AZ Alkmaar: AZ
Feyenoord: Feyenoord Rotterdam
PSV Eindhoven: PSV
Benfica: SL Benfica, Sport Lisboa e Benfica, Benfica Lisbon
Braga: Sporting Braga, SC Braga, Sp Braga
Porto: FC Porto
Sporting CP: Sporting Lisbon, Sporting, Sporting Clube de Portugal, Sp Lisbon
Club Brugge: Club Brugge KV, Brugge
Anderlecht: RSC Anderlecht
Copenhagen: FC Copenhagen, FC København, FC Kobenhavn, F.C. København
Galatasaray: Galatasaray SK, Galatasaray A.Ş.
Fenerbahçe: Fenerbahce SK, Fenerbahçe A.Ş.
Beşiktaş: Besiktas JK
Olympiacos: Olympiakos, Olympiacos Piraeus, Olympiakos Piraeus, PAE Olympiakos SFP
Red Star Belgrade: Crvena Zvezda, FK Crvena zvezda
Red Bull Salzburg: RB Salzburg, FC Salzburg, Salzburg
Shakhtar Donetsk: Shakhtar
Slavia Praha: Slavia Prague, SK Slavia Praha
Bodø Glimt: FK Bodø Glimt
Qarabağ: Qarabağ FK, FK Qarabağ, Qarabağ Ağdam, Qarabağ Ağdam FK
Union Saint-Gilloise: Royale Union Saint-Gilloise, Union St.-Gilloise, Union SG, Union Gilloise
Pafos: Paphos
Kairat: FK Kairat, Kairat Almaty, FK Kairat Almaty
Sparta Praha: Sparta Prague, AC Sparta Praha
Atlanta United: Atlanta United FC, Atlanta Utd
Austin FC: Austin
CF Montréal: Montreal, CF Montreal, Montreal Impact
Charlotte FC: Charlotte
Chicago Fire: Chicago Fire FC
Colorado Rapids: Colorado
Columbus Crew: Columbus Crew SC, Columbus
D.C. United: DC Utd
FC Cincinnati: Cincinnati
FC Dallas: Dallas
Houston Dynamo: Houston Dynamo FC
Inter Miami: Inter Miami CF, Miami CF
LA Galaxy: Los Angeles Galaxy
Los Angeles FC: LAFC
Minnesota United: Minnesota United FC, Minnesota Utd
Nashville SC: Nashville
New England Revolution: New England
New York City FC: NYCFC, New York City
New York Red Bulls: NY Red Bulls, Red Bull New York, NYRB
Orlando City: Orlando City SC
Philadelphia Union: Philadelphia
Portland Timbers: Portland
Real Salt Lake: RSL
San Diego FC: San Diego
San Jose Earthquakes: San Jose, San José Earthquakes
Seattle Sounders: Seattle Sounders FC, Seattle
Sporting Kansas City: Sporting KC
St. Louis City: St. Louis City SC, St Louis CITY SC, Saint Louis City
Toronto FC: Toronto
Vancouver Whitecaps: Vancouver Whitecaps FC, Vancouver
América: Club América, CF América
Atlas: Atlas FC
Cruz Azul: CD Cruz Azul
Guadalajara: Chivas, CD Guadalajara, Guadalajara Chivas, Chivas Guadalajara
Monterrey: CF Monterrey, Rayados
Pumas UNAM: Pumas, UNAM
Tigres UANL: Tigres, UANL
Toluca: Deportivo Toluca
Boca Juniors: CA Boca Juniors
River Plate: CA River Plate
Flamengo: CR Flamengo, Flamengo RJ, Flamengo-RJ
Fluminense: Fluminense RJ, Fluminense-RJ
Palmeiras: SE Palmeiras, Palmeiras SP, Palmeiras-SP
Al-Hilal: Al Hilal, Al-Hilal Saudi FC, Al Hilal SFC
Al-Nassr: Al Nassr, Al Nassr FC
Bosnia and Herzegovina: Bosnia & Herzegovina, Bosnia-Herzegovina, Bosnia
Cape Verde: Cabo Verde, Cape Verde Islands
Côte d'Ivoire: Ivory Coast, Cote d'Ivoire
Curaçao: Curacao
Czech Republic: Czechia
DR Congo: Congo DR, Democratic Republic of the Congo
Iran: IR Iran
Netherlands: Holland
North Macedonia: FYR Macedonia
Republic of Ireland: Ireland, Rep of Ireland
South Korea: Korea Republic, Republic of Korea
Türkiye: Turkey
United States: USA, US, USMNT, United States of America
Afghanistan
Albania
Algeria
American Samoa
Andorra
Angola
Anguilla
Antigua and Barbuda: Antigua & Barbuda
Argentina
Armenia
Aruba
Australia
Austria
Azerbaijan
Bahamas
Bahrain
Bangladesh
Barbados
Belarus
Belgium
Belize
Benin
Bermuda
Bhutan
Bolivia
Botswana
Brazil: Brasil
British Virgin Islands
Brunei
Bulgaria
Burkina Faso
Burundi
Cambodia
Cameroon
Canada
Cayman Islands
Central African Republic
Chad
Chile
China: China PR
Chinese Taipei: Taiwan
Colombia
Comoros
Congo: Republic of the Congo
Cook Islands
Costa Rica
Croatia
Cuba
Cyprus
Denmark
Djibouti
Dominica
Dominican Republic
Ecuador
Egypt
El Salvador
England
Equatorial Guinea
Eritrea
Estonia
Eswatini: Swaziland
Ethiopia
Faroe Islands
Fiji
Finland
France
Gabon
Gambia: The Gambia
Georgia
Germany
Ghana
Gibraltar
Greece
Grenada
Guam
Guatemala
Guinea
Guinea-Bissau
Guyana
Haiti
Honduras
Hong Kong: Hong Kong China
Hungary
Iceland
India
Indonesia
Iraq
Israel
Italy
Jamaica
Japan
Jordan
Kazakhstan
Kenya
Kosovo
Kuwait
Kyrgyzstan: Kyrgyz Republic
Laos
Latvia
Lebanon
Lesotho
Liberia
Libya
Liechtenstein
Lithuania
Luxembourg
Macau: Macao
Madagascar
Malawi
Malaysia
Maldives
Mali
Malta
Mauritania
Mauritius
Mexico
Moldova
Mongolia
Montenegro
Montserrat
Morocco
Mozambique
Myanmar
Namibia
Nepal
New Caledonia
New Zealand
Nicaragua
Niger
Nigeria
North Korea: Korea DPR, DPR Korea
Northern Ireland
Norway
Oman
Pakistan
Palestine
Panama
Papua New Guinea
Paraguay
Peru
Philippines
Poland
Portugal
Puerto Rico
Qatar
Romania
Russia
Rwanda
Saint Kitts and Nevis: St Kitts and Nevis, St Kitts & Nevis
Saint Lucia: St Lucia
Saint Vincent and the Grenadines: St Vincent and the Grenadines, St Vincent & the Grenadines
Samoa
San Marino
São Tomé and Príncipe
Saudi Arabia
Scotland
Senegal
Serbia
Seychelles
Sierra Leone
Singapore
Slovakia
Slovenia
Solomon Islands
Somalia
South Africa
South Sudan
Spain
Sri Lanka
Sudan
Suriname
Sweden
Switzerland
Syria
Tahiti
Tajikistan
Tanzania
Thailand
Timor-Leste
Togo
Tonga
Trinidad and Tobago: Trinidad & Tobago
Tunisia
Turkmenistan
Turks and Caicos Islands: Turks & Caicos Islands
Uganda
Ukraine
United Arab Emirates: UAE
Uruguay
US Virgin Islands
Uzbekistan
Vanuatu
Venezuela
Vietnam: Viet Nam
Wales
Yemen
Zambia
Zimbabwe
`;
