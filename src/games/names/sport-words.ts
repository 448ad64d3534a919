/**
 * Sports as colleges put them into the titles of their calendars, `Duke Men's Basketball vs Army`: one calendar may have all teams of a
 * college.
 */
const sports =
  /\b(?:((?:wo)?men)[’']?s\s+)?(basketball|football|baseball|softball|soccer|(?:ice |field )?hockey|volleyball|lacrosse|tennis|golf|wrestling|water polo|swimming|diving|gymnastics|rowing|rugby|cross country|track)\b/gi;

/** The sport of a college's team, by sport here. */
const own: Readonly<Record<string, string>> = { ncaaf: 'football', ncaab: 'basketball' };

/** Reports whether the title of a college's event says that it is of another sport, or of women. */
export function namesOtherSport(title: string, sport: string | undefined): boolean {
  const ours = ownOf(sport);
  if (ours === undefined) return false;
  return [...title.matchAll(sports)].some(
    ([, whose = '', named]) => whose.toLowerCase() === 'women' || named!.toLowerCase() !== ours,
  );
}

/** A side of a title without the sport of a college's team. Of other sports the name as it is. */
export function withoutSport(name: string, sport: string | undefined): string {
  return ownOf(sport) === undefined ? name : name.replace(sports, ' ').replace(/\s+/g, ' ').trim();
}

function ownOf(sport: string | undefined): string | undefined {
  return sport !== undefined && Object.hasOwn(own, sport) ? own[sport] : undefined;
}
