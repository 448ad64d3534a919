import type { Static } from 'typebox';
import { type Capper, noCapper } from '../../cappers/cappers.ts';
import { type Game, noGame } from '../../games/game.ts';
import { selectionChecker } from '../../games/selection-checker.ts';
import { subjectFaultIn } from '../../games/subjects.ts';
import { iso } from '../../platform/clock.ts';
import { orNull } from '../../platform/fields.ts';
import type { Checked } from '../../platform/schema.ts';
import { Type } from '../../platform/type.ts';
import type { MoneylineWays } from '../../rules/markets/market.ts';
import { textFault } from '../../rules/posted-words.ts';
import { selectionFault } from '../../rules/selection.ts';
import { results } from '../../rules/vocabulary.ts';
import { givenPick, givenSchemas } from '../pick-forms.ts';

const { postedAt, ...liveSchemas } = givenSchemas;

/** A live pick as clients give it. The service supplies the time. */
export const pickRow = Type.Object(liveSchemas);

/**
 * An imported pick as files give it. `result` and `half` are its claim, which is no part of its identity. The record export has `uuid`, by
 * which a stored pick is found.
 */
export const importedPickRow = Type.Object({
  ...givenSchemas,
  result: orNull(Type.Enum(results)),
  half: orNull(Type.Boolean()),
  uuid: orNull(
    Type.String({ pattern: '^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$', must: 'a UUID in lower case' }),
  ),
});

export type PickRow = Static<typeof pickRow>;
export type ImportedPickRow = Static<typeof importedPickRow>;
export const checkPick = withText(selectionChecker(pickRow));
export const checkImportedPick = withText(selectionChecker(importedPickRow));

/** Returns a check that also refuses texts that readers should not be shown. */
function withText<Row extends { pick: string }>(check: (value: unknown) => Checked<Row>): typeof check {
  return (value) => {
    const checked = check(value);
    const fault = checked.ok ? textFault(checked.value.pick) : undefined;
    return fault === undefined ? checked : { ok: false, faults: [{ path: '/pick', message: fault }] };
  };
}

/**
 * Returns the reason why a pick is refused, as a sentence for its sender; undefined if it is accepted. A declared market takes only its own
 * sides, and requires a line if it has lines.
 * @param start the start that the pick would have
 */
export function refusal(
  row: PickRow,
  capper: Pick<Capper, 'handle' | 'verified'> | undefined,
  game: Game | undefined,
  moneylineWays: ReadonlyMap<string, MoneylineWays>,
  postedAt: EpochMs,
  start: number | null,
): string | undefined {
  if (!moneylineWays.has(row.sport))
    return `sport ${row.sport} is not one of ${[...moneylineWays.keys()].join(', ')}`;
  if (capper === undefined) return noCapper(row.capperHandle);
  if (!capper.verified) return `the capper ${capper.handle} is not verified`;
  if (game === undefined) return noGame(row);
  const ways = moneylineWays.get(row.sport) ?? 2;
  const given = givenPick(row);
  const fault =
    selectionFault(given, { sport: row.sport, game: game.name }, ways) ?? subjectFaultIn(game, given);
  if (fault !== undefined) return fault;
  const passed = [start, game.startsAt].find((at) => at !== null && postedAt >= at);
  if (passed != null) return `the game started at ${iso(passed)}`;
  return undefined;
}
