import { v4 } from 'uuid';
import { type CapperKey, capperKeys } from '../../cappers/keys.ts';
import { madeElsewhere, statementOrigins } from '../../cappers/origins.ts';
import type { Game } from '../../games/game.ts';
import { instant, isoOrNull } from '../../platform/clock.ts';
import { type Database, isUnique } from '../../platform/database.ts';
import { faultsText } from '../../platform/schema.ts';
import { clocksApartMs, intentOf, isSameSubject, isSigned, type PickIntent } from '../../proof/capper-key.ts';
import { lineFromE3, unitsFromE4 } from '../../rules/fixed-point.ts';
import type { StoredPick } from '../pick.ts';
import { pickSources } from '../pick-forms.ts';
import { checkPick } from './pick-row.ts';
import { type Posted, postAll, postedAs } from './post-picks.ts';

export interface SignedPost {
  intent: PickIntent;
  /** The key's id. */
  key: string;
  /** In base64. */
  signature: string;
}

/**
 * The outcome of posting a signed pick. `unauthorized`: the signature or key is invalid. `conflict`: the nonce was used for another pick.
 */
export type SignedOutcome = Posted | { outcome: 'unauthorized' | 'conflict'; reason: string };

/** Rolls back a pick whose stored form would differ from the signed one. */
class OtherThanSigned extends Error {}

/**
 * Posts a pick that its author signed. Repeating it returns the stored pick. The stored pick equals the signed one: if the service would
 * store a different name or start, it refuses the pick and names the difference.
 * @param now the time of posting
 * @param admit throws if the author posts too often; called only for validly signed picks that are not stored yet
 */
export async function postSigned(
  database: Database,
  post: SignedPost,
  now: EpochMs,
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
      reason: `no game ${intent.sport}: ${intent.game} starts at ${intent.starts_at}; if its start has moved, sign the pick with the new one`,
    };
  const row = checkPick(rowOf(intent, game));
  if (!row.ok) return { outcome: 'refused', reason: faultsText(row.faults) };
  const signed = { key: post.key, nonce: intent.nonce, at: instant(intent.at), signature: post.signature };
  try {
    const posting = { row: row.value, uuid: v4(), postedAt: now, signed };
    const posted = await postAll(database, [posting], 'live', now, async (_transaction, [ended]) => {
      const one = postedAs(ended!);
      if (one.outcome === 'refused') return one;
      const { author, subject } = one.body;
      const isSame = author!.subject === null || isSameSubject(author!.subject, subject ?? '');
      const difference = otherThan(intent, {
        ...intentOf(one.body, intent.origin),
        ...(isSame ? {} : { subject }),
      });
      if (difference !== undefined) throw new OtherThanSigned(difference);
      return one;
    });
    // Another request could have stored the same signed pick in the meantime.
    return posted.outcome === 'refused' ? ((await earlier(database, post)) ?? posted) : posted;
  } catch (error) {
    if (error instanceof OtherThanSigned) return { outcome: 'refused', reason: error.message };
    // Another request used the nonce in the meantime.
    const other = isUnique(error) ? await earlier(database, post) : undefined;
    if (other === undefined) throw error;
    return other;
  }
}

async function signerFault(
  database: Database,
  { intent, signature }: SignedPost,
  key: CapperKey | undefined,
  now: number,
): Promise<string | undefined> {
  const elsewhere = madeElsewhere(intent.origin, (await statementOrigins(database))[0]);
  if (elsewhere !== undefined) return elsewhere;
  if (key === undefined) return 'the key is not registered';
  const owner: { handle: string } | undefined = await database('cappers')
    .where({ id: key.capperId })
    .first('handle');
  if (owner?.handle !== intent.capper) return `the key does not belong to ${intent.capper}`;
  if (key.revokedId !== null) return `the key was revoked at ${isoOrNull(key.revokedAt)}`;
  if (key.purpose !== 'device') return 'a recovery key signs no picks: register this device with it first';
  if (Math.abs(instant(intent.at) - now) > clocksApartMs)
    return `the pick was signed at ${intent.at}, but the service's time is ${isoOrNull(now)}: check the clock of the device`;
  const isOfKey = await isSigned('pick-intent/v1', intent, key.key, signature);
  return isOfKey ? undefined : 'the signature does not match this pick and this key';
}

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

/** Finds the game that now starts at the signed time. @returns its first announced start in epoch milliseconds, or its day */
function gameStarting(
  database: Database,
  { sport, game, starts_at }: PickIntent,
): Promise<AnnouncedWhen | undefined> {
  return database('games')
    .where({ sport, name: game, starts_at: new Date(starts_at) })
    .orderBy('id')
    .first({ announcedStart: 'announced_start', day: 'day' });
}

type AnnouncedWhen = Pick<Game, 'announcedStart' | 'day'>;

function rowOf(intent: PickIntent, { announcedStart, day }: AnnouncedWhen): object {
  return {
    capperHandle: intent.capper,
    sport: intent.sport,
    game: intent.game,
    startsAt: isoOrNull(announcedStart),
    day,
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

/** Names the first field in which the stored pick would differ from the signed one, as a sentence; undefined if none. */
function otherThan(signed: PickIntent, stored: PickIntent): string | undefined {
  const key = (Object.keys(signed) as (keyof PickIntent)[]).find((each) => signed[each] !== stored[each]);
  return key === undefined
    ? undefined
    : `sign the pick with ${key} ${JSON.stringify(stored[key])} instead of ${JSON.stringify(signed[key])}`;
}
