import { type KeyStatement, type PickIntent, signedBytes } from './capper-key.ts';
import { base64 } from './encoding.ts';

/** A capper's key, whose private half never leaves the signer. */
export interface AuthorKey {
  id: string;
  /** The public key, in base64. */
  key: string;
  /** @returns the signature in base64 */
  sign(message: Uint8Array): Promise<string>;
}

export interface AuthorName {
  origin: string;
  capper: string;
}

export interface SignableBet {
  sport: string;
  game: string;
  startsAt: string;
  /** The ET day of a game that was announced without a start. Default: null. */
  day?: string | null;
  market: string;
  subject: string | null;
  side: string;
  line: number | null;
  pick: string;
  oddsAmerican: number;
  stakeUnits: number;
  book: string | null;
}

export function pickIntent({ origin, capper }: AuthorName, bet: SignableBet): PickIntent {
  const nonce = base64(crypto.getRandomValues(new Uint8Array(18)))
    .replaceAll('+', '-')
    .replaceAll('/', '_');
  return {
    origin,
    capper,
    sport: bet.sport,
    game: bet.game,
    starts_at: bet.startsAt,
    day: bet.day ?? null,
    market: bet.market,
    subject: bet.subject,
    side: bet.side,
    line_e3: bet.line === null ? null : Math.round(bet.line * 1000),
    pick: bet.pick,
    odds_american: bet.oddsAmerican,
    stake_e4: Math.round(bet.stakeUnits * 10_000),
    book: bet.book,
    nonce,
    at: new Date().toISOString(),
  };
}

export async function signedPick({ id, sign }: AuthorKey, intent: PickIntent) {
  return { intent, key: id, signature: await sign(signedBytes('pick-intent/v1', intent)) };
}

/** Returns the part of a request that adds a key, signed with the key itself and, if given, with an earlier one. */
export async function keyAddition(
  { origin, capper }: AuthorName,
  { key, sign }: AuthorKey,
  purpose: KeyStatement['purpose'],
  endorser?: AuthorKey,
) {
  const at = new Date().toISOString();
  const message = signedBytes('key-statement/v1', { origin, capper, action: 'add', key, purpose, at });
  return {
    key,
    purpose,
    at,
    possession: await sign(message),
    ...(endorser && { endorsed_by: endorser.id, endorsement: await endorser.sign(message) }),
  };
}
