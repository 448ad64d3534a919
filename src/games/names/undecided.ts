import { clubWords, nameKey, plainWords } from '../../rules/plain-name.ts';
import { arePersons } from './league-files.ts';
import { identify, leagueOf } from './leagues.ts';

/** Reports whether the caller knows a name as a team's, regardless of its form. */
type Knows = (name: string) => boolean;

/** Reports whether a fixture names an undecided opponent, or the same team twice (docs/rules/teams.md). */
export function namesUndecided(
  { away, home }: { away: string; home: string },
  sport: string | undefined,
  keyOf: (name: string) => string = nameKey,
  knows: Knows = (name) => isListed(name, sport),
): boolean {
  return keyOf(away) === keyOf(home) || [away, home].some((name) => isUndecided(name, sport, knows));
}

/** Reports whether a name is a placeholder for an undecided opponent: `TBD`, `Winner SF1`, `3A/B/C`, `TEX/NCST`. */
export function isUndecided(
  name: string,
  sport?: string,
  knows: Knows = (each) => isListed(each, sport),
): boolean {
  if (knows(name)) return false;
  if (!/\p{L}/u.test(name) || scripts.test(name)) return true;
  const text = joined(plainWords(name).join(' '));
  const words = text.split(' ');
  if (open.test(text)) return true;
  return isSlot(words) || namesResult(text, words, arePersons(sport)) || isOpenPair(name, sport, knows);
}

/** Reports whether the sport's league has a team of this name. */
function isListed(name: string, sport: string | undefined): boolean {
  return sport !== undefined && identify(sport, name).team !== undefined;
}

/** Joins terms of two words. */
function joined(text: string): string {
  return text
    .replace(/\b(runners?) up\b/g, '$1up')
    .replace(/\bwild cards?\b/g, 'wildcard')
    .replace(/\bplay (offs?|ins?)\b/g, 'play$1');
}

/** Names that say that the opponent is not announced, entirely or in part. */
const open =
  /(?:^| )tb[acd](?: |$)|^(?:(?:opponents?|teams?|fighter|player) )?(?:to be (?:announced|advised|confirmed|decided|determined|drawn)|unknown|not (?:yet )?known)$|^(?:unknown )?(?:opponents?|fighter|player)$|^(?:n a|n n|nn|none|bye|lucky loser|ll)$|^(?:(?:rival|equipo|adversario|equipe) )?(?:por|a|sin|da) (?:confirmar|confermare|decidir|definir|definire|designar|determinar|determinare|determiner)$|^(?:noch )?(?:offen|unbekannt)$|^nog te bepalen$|^(?:adversaire )?inconnu$/;

/** Such names in scripts without spaces. */
const scripts = /待定|未定|勝者|胜者|敗者|负者|승자|패자|미정|الفائز|الخاسر/;

const setOf = (text: string): ReadonlySet<string> => new Set(text.trim().split(/\s+/));

/** Results of a match that name the next opponent. */
const results = setOf(`
  winner winners loser losers runnerup runnersup champion champions seed seeds qualifier qualifiers wildcard finalist finalists
  semifinalist semifinalists quarterfinalist quarterfinalists advancer
  sieger siegerin gewinner gewinnerin verlierer verliererin gruppensieger gruppenerster gruppenzweiter gruppendritter zweitplatzierter
  vainqueur vainqueurs gagnant perdant ganador ganadora perdedor perdedora clasificado vencedor vencedora vencido
  vincente vincitore vincitrice perdente winnaar verliezer vinnare vinnaren vinner vinder vinderen forlorare taperen
  zwyciezca przegrany vitez pobjednik pobednik pobeditel kazanan galibi maglubu победитель проигравшии
`);

/** Rounds and parts of a draw. */
const stages = setOf(`
  group groups pool match game round place placed path playoff playoffs playin bracket final finals semifinal semifinals quarterfinal
  quarterfinals knockout repechage
  gruppe spiel partie finale halbfinale viertelfinale achtelfinale sechzehntelfinale platz relegation
  groupe barrage barrages demi huitieme huitiemes grupo partido semis cuartos octavos repechaje lugar puesto llave
  jogo semi quartas oitavas colocado gruppo girone gara semifinali quarti ottavi classificata
  groep wedstrijd kwartfinale grupp kvartsfinal kvartfinale halvfinal halvfinale semifinalen grupa skupina grubu группа группы матча пары место
`);

/** Words that accompany results and stages. */
const fillers = setOf(`
  of the in from to and at first second third fourth fifth one two three four top highest lowest higher lower upper bottom next remaining
  ranked rank position pos no quarter half last round conference division region section league phase stage leg tie series slot draw cup
  east west north south eastern western northern southern midwest afc nfc al nl cfp nit fcs ncaa uefa fifa concacaf caf conmebol intercontinental european euro world
  qf sf ro po ko elimination eliminator preliminary qualifying advancing team
  der die das des dem aus von im erster zweiter dritter vierter
  de du la le les des premier premiere deuxieme troisieme quatrieme quart quarts
  del el los las primero primera segundo segunda tercero tercera cuarto primer tercer
  do da dos das primeiro segundo terceiro meia di della dello prima seconda terza primo secondo terzo quarto
  van het een eerste tweede derde halve av af
`);

const best = setOf('best bester meilleur meilleure mejor melhor migliore');

const ordinal = /^\d{1,3}(?:st|nd|rd|th|o|a|e|er|re|eme|ro|ra|do|da|to|ta|de|ste)?$/;

/** `1E`, `3ABCDF`, `A1`, `W49`, `QF1`. */
const code =
  /^(?:(?=..)[1-5]a?b?c?d?e?f?g?h?i?j?k?l?m?n?o?p?|[a-p][1-5]|(?:w|l|ru|qf|sf|wqf|lqf|wsf|lsf|wf|lf|r|m|wm|lm|g|wg|lg|q|wc|po|ko)\d{1,3})$/;
const spacedCode =
  /^(?:\d{1,2}(?:st|nd|rd|th|o|a|e|er)? [a-p]|[a-p] \d|(?:w|l|ru|qf|sf|r|m|g|q|wc|po|ko) \d{1,3})$/;

/** Reports whether a name is only a slot in a draw: `Group A 2nd Place`, `Match 73`, `3rd A/B/C`. */
function isSlot(words: readonly string[]): boolean {
  if (spacedCode.test(words.join(' '))) return true;
  const isLetter = (word: string) => /^\p{L}$/u.test(word);
  const isNamed = (word: string) =>
    stages.has(word) || results.has(word) || code.test(word) || (best.has(word) && words.length > 1);
  const isBeside = (word: string) => isLetter(word) || ordinal.test(word) || fillers.has(word);
  if (!words.every((word) => isNamed(word) || isBeside(word))) return false;
  // `AFC #1`, `East 3`.
  if (
    words.length > 1 &&
    words.some((word) => fillers.has(word)) &&
    words.some((word) => /^\d{1,2}$/.test(word))
  )
    return true;
  return words.some(isNamed) || (words.length > 2 && !isLetter(words[0]!) && words.slice(1).every(isLetter));
}

const link =
  /^(?:of|from|between|aus|von|vom|der|des|zwischen|du|de|de la|del|entre|da|do|di|della|dello|tra|van|av|af)$/;

/** Reports whether a name is a result with the names of the teams in it: `Winner Gulls/Foxes`, `Gulls-Foxes winner`. */
function namesResult(text: string, words: readonly string[], ofPersons: boolean): boolean {
  const [first = '', second = ''] = words;
  if (results.has(first) && link.test(second)) return true;
  if (words.some((word) => clubWords.has(word))) return false;
  // Most of the words below are also family names.
  if (ofPersons) return /^(?:winner|loser) /.test(text);
  return (
    /^(?:winner|loser|runnerup|champion|seed|qualifier|wildcard|sieger|gewinner|verlierer|vainqueur|perdant|ganadora?|perdedora?|vencedora?|vincitore|winnaar) /.test(
      text,
    ) || / (?:winner|loser|runnerup|champions?|seed|qualifier|wildcard)$/.test(text)
  );
}

/**
 * Reports whether a name lists several teams, and only one of them will play. Doubles teams and some clubs also have a slash in their
 * names.
 */
function isOpenPair(name: string, sport: string | undefined, knows: Knows): boolean {
  const parts = name.split(/\s*\/\s*|\s+(?:or|oder|ou|o)\s+/i).filter((part) => part !== '');
  if (parts.length < 2) return false;
  if (parts.every(knows) || parts.every((part) => part.length === 1)) return true;
  // Two years can be part of a club's name.
  if (parts.some((part) => !/^\d+$/.test(part) && isUndecided(part, sport, knows))) return true;
  if (arePersons(sport)) return false;
  const isClub = sport === undefined || leagueOf(sport) === undefined || sport === 'soccer';
  return isClub ? parts.every((part) => /^[A-Z][A-Z0-9&]{1,4}$/.test(part)) : name.includes('/');
}
