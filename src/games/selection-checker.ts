import type { Static, TSchema } from 'typebox';
import { type Checked, checker, type Fault } from '../platform/schema.ts';
import { marketMeant, questionMeant, sideMeant } from '../rules/markets/names.ts';

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
    return { ok: false, faults: [...faults, ...(checked.ok ? [] : checked.faults)] };
  };
}

/** Replaces the market and the side of a row with the declared ones. A misspelled market is a fault. */
function readSelection(given: Readonly<Record<string, unknown>>): { row: object; faults: Fault[] } {
  const { market, side, subject, line } = given;
  const sport = typeof given.sport === 'string' ? given.sport : undefined;
  if (typeof market !== 'string') return { row: given, faults: [] };
  const meaning = marketMeant(sport, market, typeof subject === 'string');
  const misspelled = 'suggestion' in meaning;
  const meant = misspelled ? { market: meaning.suggestion } : meaning;
  const isWritten = typeof side === 'string' || typeof side === 'number';
  const message = `${JSON.stringify(market)} is not known: did you mean ${meant.market}?`;
  const question = isWritten ? questionMeant(sport, meant.market, String(side), line) : undefined;
  return {
    row: {
      ...given,
      market: meant.market,
      ...(isWritten ? { side: question ?? sideMeant(sport, meant, String(side)) } : {}),
      ...(question === undefined ? {} : { line: null }),
    },
    faults: misspelled ? [{ path: '/market', message }] : [],
  };
}
