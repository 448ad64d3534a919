import { v4 } from 'uuid';
import { isoOrNull } from '../../platform/clock.ts';
import { type Database, undone } from '../../platform/database.ts';
import { faultsText } from '../../platform/schema.ts';
import { nearMs, type PriceCheck } from '../../rules/price-check.ts';
import { withSign } from '../../rules/written-numbers.ts';
import { postedBody } from '../pick-forms.ts';
import { type Judged, judge } from '../posting/judge.ts';
import { checkPick, type PickRow } from '../posting/pick-row.ts';
import { asProvisional, checksNow, type ProvisionalCheck } from './price-checks.ts';

export const maxChecked = 50;

/** The answer that posting a pick would give. `sentence`: at which odds it would count. */
export type CheckedPickAnswer = { index: number } & (
  | {
      outcome: 'accepted';
      note?: string;
      priceCheck: ProvisionalCheck;
      /** When the service asks a provider for a price if the pick is posted now; null: it knows a recent one, or asks nobody. */
      priceAskedAt: string | null;
      sentence: string;
    }
  | { outcome: 'refused'; reason: string; repeats?: string }
);

/** When the service asks a provider for prices of bets that are posted now; null: never. */
export type WhenAsked = (
  database: Database,
  bets: readonly { gameId: number; sport: string; market: string; startsAt: EpochMs }[],
  now: EpochMs,
) => Promise<readonly (EpochMs | null)[]>;

/**
 * Stores nothing, and asks no provider.
 * @param rows as given
 * @returns in the order of the rows
 */
export async function checkPicks(
  database: Database,
  rows: readonly unknown[],
  now: EpochMs,
  whenAsked: WhenAsked,
): Promise<CheckedPickAnswer[]> {
  const checked = rows.map((row) => checkPick(row));
  const valid = checked.flatMap((one) => (one.ok ? one.value : []));
  const judged = await wouldPost(database, valid, now);
  const accepted = judged.flatMap((one) =>
    one.state === 'accepted' ? { gameId: one.pick.gameId, body: postedBody({ ...one.pick, id: 1 }) } : [],
  );
  const bets = accepted.map(({ gameId, body: { sport, market, starts_at: start } }) => ({
    gameId,
    sport,
    market,
    startsAt: start === null ? now : Date.parse(start),
  }));
  const [outcomes, checks] = [judged.values(), (await checksNow(database, accepted)).values()];
  const asked = (await whenAsked(database, bets, now)).values();
  return checked.map((one, index): CheckedPickAnswer => {
    if (!one.ok) return { index, outcome: 'refused', reason: faultsText(one.faults) };
    const { state, ...outcome } = outcomes.next().value!;
    if (!('pick' in outcome)) return { index, outcome: 'refused', ...outcome };
    const check = checks.next().value!;
    const note = outcome.note === undefined ? {} : { note: outcome.note };
    const next = asked.next().value!;
    const isRecent = check.capturedAt !== null && now - check.capturedAt <= nearMs;
    const askedAt = isRecent ? null : next;
    const sentence = countingSentence(outcome.pick.oddsAmerican, check, now, askedAt);
    const priceCheck = asProvisional(check);
    return { index, outcome: 'accepted', ...note, priceCheck, priceAskedAt: isoOrNull(askedAt), sentence };
  });
}

function wouldPost(database: Database, rows: readonly PickRow[], now: number): Promise<Judged[]> {
  const posts = rows.map((row) => ({ row, uuid: v4(), postedAt: now }));
  return undone(database, (transaction) => judge(transaction, posts, 'live', now));
}

/**
 * Says at which odds a pick would count, before its author posts it for good (docs/rules/prices.md#before-it-is-too-late).
 * @param posted its American odds
 * @param askedAt when the service asks a provider for a price if it is posted now; null: never, or it knows a recent one
 */
export function countingSentence(
  posted: number,
  check: PriceCheck,
  now: EpochMs,
  askedAt: number | null = null,
): string {
  const seen =
    check.oddsAmerican === null
      ? 'nobody has seen a price of this bet'
      : `the best price is ${withSign(check.oddsAmerican)} (${check.book}, ${ago(now - check.capturedAt)})`;
  const asking =
    askedAt === null
      ? ''
      : askedAt <= now
        ? '; the service asks a provider for a price as soon as it is posted'
        : `; the service asks a provider for a price at ${new Date(askedAt).toISOString().slice(0, 16).replace('T', ' ')} UTC`;
  const counted =
    check.countedAmerican === null
      ? `would not count in any figure, unless a provider prices it before the start${asking}`
      : `would count at ${withSign(check.countedAmerican)}${asking}`;
  return `You ask ${withSign(posted)}; ${seen}. It ${counted}. It cannot be withdrawn.`;
}

function ago(ms: number): string {
  const minutes = Math.floor(ms / 60_000);
  if (minutes < 1) return 'just now';
  const [count, unit] = minutes < 120 ? [minutes, 'minute'] : [Math.floor(minutes / 60), 'hour'];
  return `${count} ${unit}${count === 1 ? '' : 's'} ago`;
}
