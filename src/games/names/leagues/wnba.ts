/** WNBA, season 2026. */
export const wnba = `
Atlanta/Dream: ATL
Chicago/Sky: CHI
Connecticut/Sun: CON, CONN, CT
Dallas/Wings: DAL, Tulsa Shock
Golden State/Valkyries: GSV, GS, Valks
Indiana/Fever: IND
Las Vegas/Aces: LVA, LV, San Antonio Stars
Los Angeles/Sparks: LAS, LA
Minnesota/Lynx: MIN
New York/Liberty: NYL, NY, Libs
Phoenix/Mercury: PHX, PHO
Portland/Fire: POR, PDX
Seattle/Storm: SEA
Toronto/Tempo: TOR
Washington/Mystics: WAS, WSH
`;
