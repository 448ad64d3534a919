import { v4 } from 'uuid';
import { type CapperKey, capperKeys } from '../../cappers/keys.ts';
import { instant, isoOrNull } from '../../platform/clock.ts';
import type { Database } from '../../platform/database.ts';
import { faultsText } from '../../platform/schema.ts';
import { clocksApartMs, intentOf, isSigned, type PickIntent } from '../../proof/capper-key.ts';
import { lineFromE3, unitsFromE4 } from '../../rules/fixed-point.ts';
import type { StoredPick } from '../pick.ts';
import { pickSources } from '../pick-forms.ts';
import { checkPick } from './pick-row.ts';
import { type Posted, postAll, postedAs } from './post-picks.ts';

/** A pick as its author posts it. */
export interface SignedPost {
  intent: PickIntent;
  /** The id of the key. */
  key: string;
  /** In base64. */
  signature: string;
}

/** What became of it. `unauthorized`: the signature or its key does not hold. `conflict`: its nonce was used for another pick. */
export type SignedOutcome = Posted | { outcome: 'unauthorized' | 'conflict'; reason: string };

/** Rolls back what was stored otherwise than it was signed. */
class OtherThanSigned extends Error {}

/**
 * Posts a pick that its author signed. The same signed pick again is answered with the stored one. The stored pick says exactly what was
 * signed: where the service would write a name or a start otherwise, it refuses and says how.
 * @param now epoch milliseconds, the instant of posting
 * @param admit throws where the author posts too often; only picks that the author signed, and that are not stored yet, are counted
 */
export async function postSigned(
  database: Database,
  post: SignedPost,
  now: number,
  admit: () => Promise<void> = async () => {},
): Promise<SignedOutcome> {
  const { intent } = post;
  const key = (await capperKeys(database, [post.key])).get(post.key);
  const fault = await signerFault(database, post, key, now);
  if (fault !== undefined) return { outcome: 'unauthorized', reason: fault };
  const before = await earlier(database, post);
  if (before !== undefined) return before;
  await admit();

  const game = await gameStarting(database, intent);
  if (game === undefined)
    return {
      outcome: 'refused',
      reason: `no game ${intent.sport}: ${intent.game} starts at ${intent.starts_at}; its start may have been moved`,
    };
  const row = checkPick(rowOf(intent, game.announcedStart));
  if (!row.ok) return { outcome: 'refused', reason: faultsText(row.faults) };
  const signed = { key: post.key, nonce: intent.nonce, at: instant(intent.at), signature: post.signature };
  try {
    const posting = { row: row.value, uuid: v4(), postedAt: now, signed };
    const posted = await postAll(database, [posting], 'live', now, async (_transaction, [ended]) => {
      const one = postedAs(ended!);
      if (one.outcome === 'refused') return one;
      const difference = otherThan(intent, intentOf(one.body));
      if (difference !== undefined) throw new OtherThanSigned(difference);
      return one;
    });
    // Another request may have stored the same signed pick in the meantime.
    return posted.outcome === 'refused' ? ((await earlier(database, post)) ?? posted) : posted;
  } catch (error) {
    if (error instanceof OtherThanSigned) return { outcome: 'refused', reason: error.message };
    throw error;
  }
}

/** Why the signature of a pick counts for nothing; undefined where it holds. */
async function signerFault(
  database: Database,
  { intent, signature }: SignedPost,
  key: CapperKey | undefined,
  now: number,
): Promise<string | undefined> {
  if (key === undefined) return 'the key is not registered';
  const owner: { handle: string } | undefined = await database('cappers')
    .where({ id: key.capperId })
    .first('handle');
  if (owner?.handle !== intent.capper) return `the key is not one of ${intent.capper}`;
  if (key.revokedId !== null) return `the key was revoked at ${isoOrNull(key.revokedAt)}`;
  if (key.purpose !== 'device') return 'a recovery key signs no picks: register this device with it first';
  if (Math.abs(instant(intent.at) - now) > clocksApartMs)
    return `the pick was signed at ${intent.at}, and it is ${isoOrNull(now)} now: check the clock of the device`;
  const isOfKey = await isSigned('pick-intent/v1', intent, key.key, signature);
  return isOfKey ? undefined : 'the signature is not one of this pick by this key';
}

/** What became of an earlier request with the same key and nonce. */
async function earlier(
  database: Database,
  { intent, key, signature }: SignedPost,
): Promise<SignedOutcome | undefined> {
  const pick: StoredPick | undefined = await database('picks as p')
    .join('cappers as c', 'c.id', 'p.capper_id')
    .join('games as g', 'g.id', 'p.game_id')
    .where({ author_key: key, author_nonce: intent.nonce })
    .first(pickSources);
  if (pick === undefined) return undefined;
  if (pick.authorSignature !== signature)
    return { outcome: 'conflict', reason: `the nonce was used for pick ${pick.uuid}` };
  return postedAs({ state: 'stored', isNew: false, pick });
}

/** The first announced start, in epoch milliseconds, of the game that now starts at the signed instant. */
function gameStarting(
  database: Database,
  { sport, game, starts_at }: PickIntent,
): Promise<{ announcedStart: number | null } | undefined> {
  return database('games')
    .where({ sport, name: game, starts_at: new Date(starts_at) })
    .orderBy('id')
    .first({ announcedStart: 'announced_start' });
}

function rowOf(intent: PickIntent, announcedStart: number | null): object {
  return {
    capperHandle: intent.capper,
    sport: intent.sport,
    game: intent.game,
    startsAt: isoOrNull(announcedStart),
    market: intent.market,
    subject: intent.subject,
    side: intent.side,
    line: lineFromE3(intent.line_e3),
    pick: intent.pick,
    oddsAmerican: intent.odds_american,
    stakeUnits: unitsFromE4(intent.stake_e4),
    book: intent.book,
  };
}

/** What of a pick would be stored otherwise than it was signed, as a sentence; undefined if nothing. */
function otherThan(signed: PickIntent, stored: PickIntent): string | undefined {
  const key = (Object.keys(signed) as (keyof PickIntent)[]).find((each) => signed[each] !== stored[each]);
  return key === undefined
    ? undefined
    : `sign the pick with ${key} ${JSON.stringify(stored[key])} instead of ${JSON.stringify(signed[key])}`;
}
