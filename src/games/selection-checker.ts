import type { Static, TSchema } from 'typebox';
import { type Checked, checker, type Fault } from '../platform/schema.ts';
import {
  type MarketMeant,
  type Meant,
  meant,
  questionMeant,
  sideMeant,
  slugOf,
} from '../rules/markets/meant.ts';

/**
 * Returns a checker of rows with a market and a side. Replaces other names of both with the declared ones
 * (docs/rules/markets.md#other-words). Files, the operator's port, and the operator's verbs all use it.
 */
export function selectionChecker<S extends TSchema>(schema: S): (value: unknown) => Checked<Static<S>> {
  const check = checker(schema);
  return (given) => {
    if (typeof given !== 'object' || given === null || Array.isArray(given)) return check(given);
    const { row, faults } = readSelection(given as Record<string, unknown>);
    const checked = check(row);
    if (faults.length === 0) return checked;
    const others = checked.ok ? [] : checked.faults.filter(({ path }) => path !== '/market');
    return { ok: false, faults: [...faults, ...others] };
  };
}

/** Replaces the market, the side, and the line of a row with the declared ones. A market that is misspelled or means several is a fault. */
function readSelection(given: Readonly<Record<string, unknown>>): { row: object; faults: Fault[] } {
  const { market, side, subject, line } = given;
  const sport = typeof given.sport === 'string' ? given.sport : undefined;
  if (typeof market !== 'string') return { row: given, faults: [] };
  const isNumber = typeof line === 'number';
  const meaning = meant(market, {
    sport,
    hasSubject: typeof subject === 'string',
    line: isNumber ? line : null,
  });
  const { found, fault } = oneMarket(market, meaning);
  const isWritten = typeof side === 'string' || typeof side === 'number';
  const question = isWritten ? questionMeant(sport, found.market, String(side), line) : undefined;
  const own = isWritten ? sideMeant(sport, found, String(side)) : undefined;
  const faults = fault === undefined ? [] : [{ path: '/market', message: fault }];
  // `NRFI` with the side no is another bet than its name says, on purpose.
  const isAnswer = isWritten && /^(?:yes|no)$/.test(sideMeant(sport, { market: found.market }, String(side)));
  if (
    found.side !== undefined &&
    own !== undefined &&
    !isAnswer &&
    sideMeant(sport, found, found.side) !== own
  )
    faults.push({
      path: '/side',
      message: `is ${JSON.stringify(side)}, but ${JSON.stringify(market)} names ${found.side}`,
    });
  if (found.line !== undefined && isNumber && line !== found.line)
    faults.push({
      path: '/line',
      message: `is ${line}, but ${JSON.stringify(market)} has the line ${found.line}`,
    });
  return {
    row: {
      ...given,
      market: found.market,
      ...(own === undefined ? {} : { side: question ?? own }),
      ...(found.side !== undefined && side === undefined
        ? { side: sideMeant(sport, found, found.side) }
        : {}),
      ...(found.line !== undefined && line == null ? { line: found.line } : {}),
      ...(question === undefined ? {} : { line: null }),
    },
    faults,
  };
}

/** Returns the one market that a name means, or the best one with a fault. A name that means no market is a slug. */
function oneMarket(written: string, meaning: Meant | undefined): { found: MarketMeant; fault?: string } {
  const undeclared = (market: string): MarketMeant => ({ kind: 'market', market, subject: 'question' });
  const name = JSON.stringify(written);
  switch (meaning?.kind) {
    case 'market':
      return { found: meaning };
    case 'misspelled':
      return {
        found: undeclared(meaning.market),
        fault: `${name} is not known: did you mean ${meaning.market}?`,
      };
    case 'several':
      return {
        found: meaning.markets[0]!,
        fault: `${name} can be ${meaning.markets.map(({ market, subject }) => `${market}${subject === 'player' ? ' of a player' : ''}`).join(' or ')}: name one`,
      };
    case 'refused':
      return { found: undeclared(slugOf(written)), fault: `${name}: ${meaning.reason}` };
    case 'period':
      return {
        found: undeclared(slugOf(written)),
        fault: `${name} is only a part of a game: name a market too, such as "${written} total"`,
      };
    default:
      return { found: undeclared(slugOf(written)) };
  }
}
