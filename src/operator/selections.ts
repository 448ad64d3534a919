import { lineText, marketName } from '../boards/formats/pick-text.ts';
import type { StoredBetGame } from '../games/bet-games.ts';
import { lineField, subject as subjectField } from '../games/fields.ts';
import { readFixture } from '../games/names/title.ts';
import { wordsOf } from '../games/open-bets.ts';
import { selectionChecker } from '../games/selection-checker.ts';
import { pick } from '../intake/pick.ts';
import { labelOf, marketLabel } from '../pages/labels.ts';
import { slug } from '../platform/fields.ts';
import { Type } from '../platform/type.ts';
import { lineToE3 } from '../rules/fixed-point.ts';
import { marketIn, markets } from '../rules/markets/index.ts';
import { isQuestion } from '../rules/markets/known.ts';
import { meant } from '../rules/markets/meant.ts';
import { playerMarkets } from '../rules/markets/player-markets.ts';
import { nameKey } from '../rules/plain-name.ts';
import { selectionFault } from '../rules/selection.ts';
import type { Field, Option, Problems, Values } from './fields.ts';
import { type Details, inputOf } from './row-form.ts';

export interface Selection {
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
}

/** The fields of a game that name its sides. */
export type Sides = Pick<StoredBetGame, 'sport' | 'game' | 'away' | 'home' | 'moneylineWays' | 'players'>;

const checkSelection = selectionChecker(
  Type.Object({ sport: slug, market: slug, subject: subjectField, side: slug, line: lineField }),
);

export function selectionFields(game: Sides): Field[] {
  const declared = [...markets, ...playerMarkets].filter(
    ({ name }) => marketIn(game.sport, name) !== undefined,
  );
  return [
    inputOf(pick, 'market', {
      hint: 'Such as moneyline, spread, team total, points, or first half total.',
      suggestions: declared.map(({ label }) => ({ value: label, label })),
    }),
    inputOf(pick, 'subject', {
      suggestions: game.players.slice(0, 200).map(({ name }) => ({ value: name, label: name })),
    }),
    inputOf(pick, 'side', {
      hint: 'Over, under, yes, no, a team, or home or away.',
      suggestions: sideOptions(game),
    }),
  ];
}

function sideOptions({ away, home, moneylineWays }: Sides): Option[] {
  const names = [
    away.name,
    home.name,
    ...(moneylineWays === 3 ? ['Draw'] : []),
    'Over',
    'Under',
    'Yes',
    'No',
  ];
  return names.map((name) => ({ value: name, label: name }));
}

/** Reads market, subject, and side from fields, in any words. Returns undefined if there is a problem. */
export function selectionTyped(
  game: Sides,
  values: Values,
  problems: Problems,
  line: number | null = null,
): Selection | undefined {
  const { market, subject = null, side } = values;
  if (market === undefined) problems.set('market', { fault: 'Market is missing.' });
  if (side === undefined) problems.set('side', { fault: 'Side is missing.' });
  if (market === undefined || side === undefined) return undefined;
  const { sport } = game;
  const meaning = meant(market, { sport, hasSubject: subject !== null, line });
  if (meaning?.kind === 'misspelled' || meaning?.kind === 'several') {
    const names = meaning.kind === 'several' ? meaning.markets.map((each) => each.market) : [meaning.market];
    problems.set('market', {
      why:
        meaning.kind === 'several' ? `${market} can be several markets.` : `No market is called ${market}.`,
      choices: names.map((name) => ({ label: marketLabel(name), text: name })),
    });
    return undefined;
  }
  const checked = checkSelection({ sport, market, subject, side: sideOf(game, side), line });
  if (!checked.ok) {
    for (const { path, message } of checked.faults)
      problems.set(path.slice(1), { fault: `${message.charAt(0).toUpperCase()}${message.slice(1)}.` });
    return undefined;
  }
  const { market: name, side: read, subject: about = null, line: ownLine = null } = checked.value;
  return { market: name, subject: about, side: read, line: ownLine };
}

/** Converts a team's name to its side. Other texts stay as they are. */
function sideOf({ away, home }: Sides, text: string): string {
  const key = nameKey(text);
  const has = ({ name, names }: Sides['away']) => [name, ...names].some((each) => nameKey(each) === key);
  const [isAway, isHome] = [has(away), has(home)];
  if (isAway === isHome) return text;
  return isAway ? 'away' : 'home';
}

export function faultOf(game: Sides, { market, subject, side, line }: Selection): string | undefined {
  const fault = selectionFault({ market, subject, side, lineE3: lineToE3(line) }, game, game.moneylineWays);
  return fault === undefined ? undefined : `${fault.charAt(0).toUpperCase()}${fault.slice(1)}.`;
}

/** Reports whether a market's picks have a line; undefined for undeclared markets, where they may. */
export function hasLine(sport: string, market: string): boolean | undefined {
  const declared = marketIn(sport, market);
  return declared === undefined ? undefined : declared.line !== null;
}

export function sideText({ away, home }: Pick<Sides, 'away' | 'home'>, side: string): string {
  if (side === 'away') return away.name;
  if (side === 'home') return home.name;
  return labelOf('side', side);
}

/** Describes a selection, even without its line or with an undeclared market. */
export function selectionWords(game: Sides, selection: Selection): string {
  const { market, subject, side, line } = selection;
  const lined = hasLine(game.sport, market);
  if (line === null && lined !== false && !(subject !== null && isQuestion(market))) {
    const about = subject ?? '';
    if (market === 'total') return `${sideText(game, side)} (total)`;
    return [about === '' ? '' : `${about}:`, sideText(game, side), marketName(market)]
      .filter((part) => part !== '')
      .join(' ');
  }
  return wordsOf(game, selection);
}

/** Describes a selection on its game's page, without naming the game. */
export function shortWords(game: Sides, selection: Selection): string {
  const fixture = `${game.away.name} @ ${game.home.name}`;
  const words = selectionWords(game, selection).replace(` (${fixture})`, '').replace(`${fixture} `, '');
  return `${words.charAt(0).toUpperCase()}${words.slice(1)}`;
}

/** Returns the opponents in a game's name. */
export function sidesNamed(sport: string, name: string, moneylineWays: Sides['moneylineWays'] = 2): Sides {
  const { away, home } = readFixture(name, sport) ?? { away: 'Away', home: 'Home' };
  return {
    sport,
    game: name,
    moneylineWays,
    players: [],
    away: { name: away, names: [away] },
    home: { name: home, names: [home] },
  };
}

export function selectionDetails(game: Sides, { market, subject, side, line }: Selection): Details {
  return [
    ['Market', marketLabel(market)],
    ...(subject === null ? [] : [['About', subject] as const]),
    ['Side', sideText(game, side)],
    ...(line === null ? [] : [['Line', lineText(line, market)] as const]),
  ];
}
