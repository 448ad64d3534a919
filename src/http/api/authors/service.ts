import { LRUCache } from 'lru-cache';
import type { Static } from 'typebox';
import { knownCapper } from '../../../boards/subjects.ts';
import type { Capper } from '../../../cappers/cappers.ts';
import { addKeys, revokeKey } from '../../../cappers/key-changes.ts';
import { type CapperKey, keysOfCapper } from '../../../cappers/keys.ts';
import { statementOrigins } from '../../../cappers/origins.ts';
import { profileOf, saveProfile } from '../../../cappers/profiles.ts';
import { type OpenBets, openBets } from '../../../games/open-bets.ts';
import { checkPicks, maxChecked } from '../../../ledger/grading/check-picks.ts';
import { provisionalChecks } from '../../../ledger/grading/price-checks.ts';
import { createPostingTime } from '../../../ledger/log-kind.ts';
import { postSigned, type SignedPost } from '../../../ledger/posting/post-signed.ts';
import type { Availability } from '../../../platform/availability.ts';
import { type Clock, iso, isoOrNull } from '../../../platform/clock.ts';
import type { Database } from '../../../platform/database.ts';
import { clientKey } from '../../../platform/fair-queue.ts';
import { createRateLimit } from '../../../platform/rate-limit.ts';
import type { RedisClient } from '../../../platform/redis.ts';
import { clocksApartMs, fingerprint } from '../../../proof/capper-key.ts';
import { whenAsked } from '../../../sources/odds-api/credits.ts';
import { problem, take } from '../../answer.ts';
import type { addKeysBody, profileBody, revokeKeyBody } from './schemas.ts';

export interface AuthorDeps {
  database: Database;
  redis: RedisClient;
  /** Called after a pick or a change of keys or profile is stored, so that it does not wait for the next poll. */
  sealSoon(): void;
  availability: Pick<Availability, 'run' | 'once'>;
  clock: Clock;
  baseUrl: string;
}

const inMs = 3_600_000;
/** Per key. Counts only requests that the key signed, so that nobody else can use it up. */
const picksOfKey = { times: 60, inMs };
/** Per address, whatever the outcome. Several people may share an address. */
const picksOfAddress = { times: 300, inMs };
const keyChangesOfAddress = { times: 30, inMs };
const readsOfAddress = { times: 600, inMs };
const checksOfAddress = { times: 60, inMs: 60_000 };

/** How long the list of games that take picks is cached, in ms: everyone who posts reads it. */
const recallMs = 10_000;

/** Requests of cappers with their own keys: docs/rules/author-keys.md. */
export type AuthorService = ReturnType<typeof createAuthorService>;

/** All methods may throw DatabaseUnavailable, NotFound, KeyRefusal, or a Problem: 429 over a limit, which counts by `ip`, the client's address. */
export function createAuthorService(deps: AuthorDeps) {
  const { database, redis, sealSoon, availability, clock, baseUrl } = deps;
  const postingTime = createPostingTime(database, clock);
  const keyLimit = createRateLimit(redis, 'picks-of-key', picksOfKey);
  const copyLimit = createRateLimit(redis, 'signed-pick', { times: 1, inMs: 10 * clocksApartMs });
  const addressLimit = createRateLimit(redis, 'picks-of-address', picksOfAddress);
  const changeLimit = createRateLimit(redis, 'keys-of-address', keyChangesOfAddress);
  const readLimit = createRateLimit(redis, 'bet-texts-of-address', readsOfAddress);
  const checkLimit = createRateLimit(redis, 'checks-of-address', checksOfAddress);
  const recalled = new LRUCache<'open', OpenBets & { origin: string | null }>({
    max: 1,
    ttl: recallMs,
    fetchMethod: () =>
      availability.run(async () => ({ ...(await openBets(database, clock.now())), origin: await origin() })),
  });
  const open = async () => (await recalled.fetch('open'))!;

  const origin = async () => (await statementOrigins(database))[0] ?? null;

  async function keys({ id, handle }: Pick<Capper, 'id' | 'handle'>) {
    const found = await keysOfCapper(database, id);
    return { origin: await origin(), capper: handle, count: found.length, keys: found.map(shownKey) };
  }

  async function profileAnswer(capper: Pick<Capper, 'id' | 'handle'>) {
    return (await profileOf(database, capper)) ?? { profile: null, key: null, signature: null };
  }

  async function change<T>(
    handle: string,
    ip: string,
    work: (capper: Capper, now: number) => Promise<unknown>,
    answer: (capper: Capper) => Promise<T>,
  ): Promise<T> {
    const why = `An address may change keys ${keyChangesOfAddress.times} times an hour.`;
    await take(changeLimit, clientKey(ip), why);
    const capper = await availability.run(() => knownCapper(database, handle));
    await availability.once(async () => work(capper, await postingTime()));
    sealSoon();
    return availability.run(() => answer(capper));
  }

  return {
    keys: (handle: string) => availability.run(async () => keys(await knownCapper(database, handle))),
    addKeys: (
      handle: string,
      { token, origin: named, keys: added }: Static<typeof addKeysBody>,
      ip: string,
    ) =>
      change(
        handle,
        ip,
        (capper, now) =>
          addKeys(
            database,
            capper,
            added.map(({ endorsed_by = null, endorsement = null, ...key }) => ({
              ...key,
              ...(named !== undefined && { origin: named }),
              endorsedBy: endorsed_by,
              endorsement,
            })),
            token,
            now,
          ),
        keys,
      ),
    revokeKey: (
      handle: string,
      keyId: string,
      { at, endorsed_by, endorsement, origin: named, additions = [] }: Static<typeof revokeKeyBody>,
      ip: string,
    ) =>
      change(
        handle,
        ip,
        (capper, now) => {
          const added = additions.map(({ id, ...addition }) => ({ keyId: id, ...addition }));
          const by = { at, endorsedBy: endorsed_by, endorsement };
          const origin = named !== undefined && { origin: named };
          return revokeKey(database, capper, { keyId, ...by, additions: added, ...origin }, now);
        },
        keys,
      ),
    profile: (handle: string) =>
      availability.run(async () => profileAnswer(await knownCapper(database, handle))),
    saveProfile: (handle: string, given: Static<typeof profileBody>, ip: string) =>
      change(handle, ip, (capper, now) => saveProfile(database, capper, given, now), profileAnswer),
    /** Returns the games that take picks now, with their newest prices. */
    async openGames() {
      const { games, origin } = await open();
      const now = clock.now();
      const shown = games
        .filter(({ startsAt }) => startsAt > now)
        .map(({ startsAt, bets, ...game }) => ({
          ...game,
          startsAt: iso(startsAt),
          bets: bets.map((bet) => ({ ...bet, seenAt: isoOrNull(bet.seenAt) })),
        }));
      return { origin, count: shown.length, games: shown };
    },
    /** Returns the bets that a line of text can mean. */
    async readBet(text: string, ip: string) {
      await take(readLimit, clientKey(ip), `An address may read ${readsOfAddress.times} texts an hour.`);
      const opened = await open();
      const { why, bets } = opened.read(text);
      return {
        origin: opened.origin,
        why,
        count: bets.length,
        bets: bets.map(({ startsAt, ...bet }) => ({ ...bet, startsAt: iso(startsAt) })),
      };
    },
    /** Answers what posting one pick or several would. */
    async check(given: unknown, ip: string) {
      const why = `An address may check picks ${checksOfAddress.times} times a minute.`;
      await take(checkLimit, clientKey(ip), why);
      const rows = Array.isArray(given) ? given : [given];
      if (rows.length > maxChecked)
        throw problem(413, `More than ${maxChecked} picks to check in one request.`);
      return availability.once(async () => ({
        rows: await checkPicks(database, rows, await postingTime(), whenAsked),
      }));
    },
    async post(post: SignedPost, ip: string) {
      const why = `An address may send ${picksOfAddress.times} signed picks an hour.`;
      await take(addressLimit, clientKey(ip), why);
      const admit = async () => {
        // Anyone who sees a signed pick can send copies of it.
        const isCopy = (await copyLimit.take(post.signature)) !== undefined;
        if (!isCopy) await take(keyLimit, post.key, `A key may post ${picksOfKey.times} picks an hour.`);
      };
      const posted = await availability.once(async () =>
        postSigned(database, post, await postingTime(), admit),
      );
      switch (posted.outcome) {
        case 'unauthorized':
          throw problem(401, sentence(posted.reason), { headers: { 'WWW-Authenticate': 'Signature' } });
        case 'conflict':
          throw problem(409, sentence(posted.reason));
        case 'refused':
          throw problem(posted.repeats === undefined ? 422 : 409, sentence(posted.reason));
        default: {
          const { outcome, pickUuid, postedAt, note } = posted;
          if (outcome === 'added') sealSoon();
          const [priceCheck] = await provisionalChecks(database, [posted]);
          return {
            outcome,
            pickUuid,
            postedAt,
            url: `${baseUrl}/p/${pickUuid}`,
            ...(note === undefined ? {} : { note }),
            ...(priceCheck === undefined ? {} : { priceCheck }),
          };
        }
      }
    },
  };
}

function shownKey({ keyId, key, purpose, addedAt, first, endorsedBy, revokedAt, revokedBy }: CapperKey) {
  return {
    id: keyId,
    fingerprint: fingerprint(keyId),
    key,
    purpose,
    addedAt: iso(addedAt),
    first,
    endorsedBy,
    revokedAt: isoOrNull(revokedAt),
    by: revokedBy,
  };
}

function sentence(reason: string): string {
  return `${reason.charAt(0).toUpperCase()}${reason.slice(1)}.`;
}
