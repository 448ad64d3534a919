/** A season as rows of the files that `ingest` accepts. */
export interface Season {
  cappers: object[];
  games: object[];
  lines: object[];
  picks: object[];
}

/**
 * Returns a large fictional season, the same each time. One book prices every game an hour before the start and at it, every game is
 * final, and every capper bets on some games.
 */
export function season(games: number, cappers: number, first = Date.parse('2024-01-01T18:00:00Z')): Season {
  const hour = 3_600_000;
  const rows: Season = { cappers: [], games: [], lines: [], picks: [] };
  const tiers = ['elite', 'verified_sharp', 'listed'];
  for (let c = 0; c < cappers; c += 1)
    rows.cappers.push({ handle: `capper-${c}`, tier: tiers[c % 3], verified: true });
  for (let g = 0; g < games; g += 1) {
    const start = first + g * 2 * hour;
    const name = { sport: g % 2 === 0 ? 'nba' : 'nhl', game: `Away ${g} @ Home ${g}`, startsAt: iso(start) };
    rows.games.push({
      ...name,
      status: 'final',
      homeScore: 80 + ((g * 7) % 40),
      awayScore: 80 + ((g * 11) % 40),
    });
    for (const [before, drift] of [
      [1, 0],
      [0, 10],
    ] as const)
      for (const side of ['home', 'away'])
        rows.lines.push({
          ...name,
          market: 'spread',
          side,
          line: side === 'home' ? -3.5 : 3.5,
          oddsAmerican: -110 - (side === 'home' ? drift : -drift),
          capturedAt: iso(start - before * hour),
          closing: before === 0,
          book: 'north',
        });
    for (let c = g % 3; c < cappers; c += 3) {
      const side = (c + g) % 2 === 0 ? 'home' : 'away';
      rows.picks.push({
        capperHandle: `capper-${c}`,
        ...name,
        market: 'spread',
        side,
        line: side === 'home' ? -3.5 : 3.5,
        pick: `${side} ${g}`,
        oddsAmerican: -110,
        stakeUnits: 1 + (c % 4) / 2,
        postedAt: iso(start - 5 * hour + c * 1000),
        book: 'north',
      });
    }
  }
  return rows;
}

function iso(at: number): string {
  return new Date(at).toISOString();
}
