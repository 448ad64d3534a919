import { canonical } from './canonical.ts';
import { hex, utf8 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import {
  americanOdds,
  boolean,
  hash,
  instant,
  integer,
  keyId,
  list,
  nonce,
  nullable,
  oneOf,
  pair,
  publicKey,
  type Rule,
  shape,
  signature,
  text,
  uuid,
} from './shape.ts';

/**
 * The bodies of entries. The hash of a body covers every key. From version 1.0 on, a change of the keys or their meaning gets another `v`
 * and another tag, and older bodies stay valid. Units: `line_e3` and `value_e3` are thousandths, `stake_e4` and `net_units_e4`
 * ten-thousandths of a unit, `clv_bps` basis points. A value that does not apply is `null`.
 */
export interface Bodies {
  posted: PickBody;
  closed: ClosingBody;
  settled: SettlementBody;
  key: KeyBody;
  notice: NoticeBody;
  start_moved: StartMovedBody;
  capper_key: CapperKeyBody;
}

/** The kinds of entries. The first three are events of a pick, the others concern the log itself. */
export type Kind = keyof Bodies;

/** A pick, as posted. */
export interface PickBody {
  v: 1;
  id: number;
  uuid: string;
  capper: string;
  /** Number of the pick among this capper's picks, from 1, in the order of sealing. */
  capper_seq: number;
  /** Hash of the capper's previous pick; null for the first. Removing a pick breaks this chain. */
  capper_prev: string | null;
  tier: 'elite' | 'verified_sharp' | 'listed';
  sport: string;
  game: string;
  /** The game's start, as known when the pick was posted. */
  starts_at: string | null;
  market: string;
  /** The player, team, or question that the market is about. */
  subject: string | null;
  side: string;
  line_e3: number | null;
  pick: string;
  odds_american: number;
  stake_e4: number;
  book: string | null;
  source: string;
  /** `live`: the service timed it at posting. `imported`: `posted_at` is a claim. */
  provenance: 'live' | 'imported';
  posted_at: string;
  /** The capper's own signature over the pick; null for a pick that the operator posted or imported. */
  author: Author | null;
}

/** An author's signature of a pick, made before it was posted: see `capper-key.ts`. */
export interface Author {
  /** The id of the key. */
  key: string;
  nonce: string;
  at: string;
  signature: string;
}

/** The closing line: the prices at the game's start. */
export interface ClosingBody {
  v: 1;
  uuid: string;
  /** Hash of the pick. */
  prev: string;
  closed_at: string;
  odds_american: number;
  line_e3: number | null;
  book: string | null;
  captured_at: string;
  /** The prices of the market's sides, in the order of the sides' names. */
  prices: { side: string; odds_american: number }[];
  clv_bps: number;
}

/** A pick's settlement. */
export interface SettlementBody {
  v: 1;
  uuid: string;
  /** Hash of the closing, or of the pick if there is no closing. */
  prev: string;
  result: 'win' | 'loss' | 'push' | 'void';
  /** Half of the stake was returned, and `result` applies to the other half. Quarter lines can end this way. */
  half: boolean;
  settled_at: string;
  /** The scores that graded it: those of the first half if `grader` is `first_half_score`, or else the final ones. */
  away_score: number | null;
  home_score: number | null;
  /** Games won in each set, home first. */
  sets: [home: number, away: number][] | null;
  /** Whether the game went its full distance, if that affects the result. */
  played: 'full' | 'shortened' | null;
  /** The statistic that graded a player market. */
  stat: { name: string; value_e3: number } | null;
  price_check: PriceCheck | null;
  net_units_e4: number;
  /** The basis of the result: `score`, `first_half_score`, `sets`, `stat`, `result`, `cancelled`, or `postponed`. */
  grader: string;
}

/** The verdict on whether the pick's odds were on offer at posting, and the price it was compared with. */
export interface PriceCheck {
  verdict: 'available' | 'above_market' | 'unseen' | 'unchecked';
  odds_american: number | null;
  book: string | null;
  captured_at: string | null;
}

/** The announcement of a signing key: see `key-announcement.ts`. */
export interface KeyBody {
  v: 1;
  /** A signed note that names the new key, signed by the previous key and by the new one. */
  note: string;
}

/** A correction or remark by the operator. It does not change what was sealed. */
export interface NoticeBody {
  v: 1;
  at: string;
  topic: string;
  text: string;
}

/** A move of a game's start. Earlier picks keep the start that they name. */
export interface StartMovedBody {
  v: 1;
  sport: string;
  game: string;
  /** The first announced start, which identifies the game permanently. */
  announced_start: string | null;
  from: string | null;
  to: string | null;
  /** When it was moved. */
  at: string;
  /** The process that moved it. */
  by: string;
}

/** The addition or revocation of a capper's key: see `capper-key.ts`. */
export interface CapperKeyBody {
  v: 1;
  capper: string;
  action: 'add' | 'revoke';
  /** The public key, in base64. */
  key: string;
  purpose: 'device' | 'recovery';
  /** Whether it is the capper's first key. A later key without an endorsement could be anyone's. */
  first: boolean;
  /** When the statement was signed, by the clock of its author. */
  at: string;
  /** The operator can revoke keys, but not add them. */
  by: 'capper' | 'operator';
  /** The key's own signature over the statement; null for a revocation. */
  possession: string | null;
  /** The id of the capper's earlier key that also signed the statement; null if none did. */
  endorsed_by: string | null;
  endorsement: string | null;
}

const v = oneOf(1);
const score = nullable(integer(0));

const shapes: { readonly [K in Kind]: Rule } = {
  posted: shape<PickBody>({
    v,
    id: integer(1),
    uuid,
    capper: text,
    capper_seq: integer(1),
    capper_prev: nullable(hash),
    tier: oneOf('elite', 'verified_sharp', 'listed'),
    sport: text,
    game: text,
    starts_at: nullable(instant),
    market: text,
    subject: nullable(text),
    side: text,
    line_e3: nullable(integer()),
    pick: text,
    odds_american: americanOdds,
    stake_e4: integer(1),
    book: nullable(text),
    source: text,
    provenance: oneOf('live', 'imported'),
    posted_at: instant,
    author: nullable(shape<Author>({ key: keyId, nonce, at: instant, signature })),
  }),
  closed: shape<ClosingBody>({
    v,
    uuid,
    prev: hash,
    closed_at: instant,
    odds_american: americanOdds,
    line_e3: nullable(integer()),
    book: nullable(text),
    captured_at: instant,
    prices: list(shape<ClosingBody['prices'][number]>({ side: text, odds_american: americanOdds })),
    clv_bps: integer(),
  }),
  settled: shape<SettlementBody>({
    v,
    uuid,
    prev: hash,
    result: oneOf('win', 'loss', 'push', 'void'),
    half: boolean,
    settled_at: instant,
    away_score: score,
    home_score: score,
    sets: nullable(list(pair(integer(0, 999)))),
    played: nullable(oneOf('full', 'shortened')),
    stat: nullable(shape<{ name: string; value_e3: number }>({ name: text, value_e3: integer() })),
    price_check: nullable(
      shape<PriceCheck>({
        verdict: oneOf('available', 'above_market', 'unseen', 'unchecked'),
        odds_american: nullable(americanOdds),
        book: nullable(text),
        captured_at: nullable(instant),
      }),
    ),
    net_units_e4: integer(),
    grader: text,
  }),
  key: shape<KeyBody>({ v, note: text }),
  notice: shape<NoticeBody>({ v, at: instant, topic: text, text }),
  start_moved: shape<StartMovedBody>({
    v,
    sport: text,
    game: text,
    announced_start: nullable(instant),
    from: nullable(instant),
    to: nullable(instant),
    at: instant,
    by: text,
  }),
  capper_key: shape<CapperKeyBody>({
    v,
    capper: text,
    action: oneOf('add', 'revoke'),
    key: publicKey,
    purpose: oneOf('device', 'recovery'),
    first: boolean,
    at: instant,
    by: oneOf('capper', 'operator'),
    possession: nullable(signature),
    endorsed_by: nullable(keyId),
    endorsement: nullable(signature),
  }),
};

/** Domain separation: hashed before the body, so that bodies of different kinds or versions never share a hash. */
const tags: { readonly [K in Kind]: string } = {
  posted: 'pick/v1',
  closed: 'closing/v1',
  settled: 'settlement/v1',
  key: 'key/v1',
  notice: 'notice/v1',
  start_moved: 'start_moved/v1',
  capper_key: 'capper_key/v1',
};

/**
 * Checks that a body has exactly the keys of its kind, each with a valid value, and that the values agree.
 *
 * @throws TypeError that names the invalid key
 */
export function checkBody<K extends Kind>(kind: K, body: unknown): asserts body is Bodies[K] {
  shapes[kind](body, tags[kind]);
  if (kind === 'posted') checkPick(body as PickBody);
  if (kind === 'closed') checkPrices(body as ClosingBody);
  if (kind === 'settled') checkHalf(body as SettlementBody);
  if (kind === 'capper_key') checkCapperKey(body as CapperKeyBody);
}

function checkPick({ capper_seq, capper_prev }: PickBody): void {
  if ((capper_seq === 1) !== (capper_prev === null))
    throw new TypeError(`pick/v1.capper_prev must be null for a capper's first pick, and for no other`);
}

function checkPrices({ prices }: ClosingBody): void {
  for (let i = 1; i < prices.length; i += 1) {
    if (prices[i - 1]!.side >= prices[i]!.side) {
      throw new TypeError(`closing/v1.prices must be sorted by side, each side once`);
    }
  }
}

function checkHalf({ half, result }: SettlementBody): void {
  if (half && result !== 'win' && result !== 'loss')
    throw new TypeError(`settlement/v1.half must be false for a ${result}`);
}

function checkCapperKey({ action, by, first, possession, endorsed_by, endorsement }: CapperKeyBody): void {
  const must = (ok: boolean, sentence: string) => {
    if (!ok) throw new TypeError(`capper_key/v1.${sentence}`);
  };
  must((action === 'add') === (possession !== null), 'possession must be the signature of an added key');
  must((endorsed_by === null) === (endorsement === null), 'endorsement must be the signature of endorsed_by');
  must(
    !first || (action === 'add' && endorsed_by === null),
    'first must be false for a key that an earlier key endorsed',
  );
  must(action === 'revoke' || by === 'capper', 'by must be the capper for an added key');
  if (action === 'revoke')
    must(
      (by === 'capper') === (endorsement !== null),
      'endorsement must be present exactly if the capper revokes the key',
    );
}

/**
 * Returns the hash of a body, in hex (docs/rules/ledger.md). Receipts contain it as `pick_hash`, `closing_hash`, and `settlement_hash`.
 *
 *     SHA-256( utf8("public-picks/" + tag) || 0x00 || JCS(body) )
 *
 * @throws TypeError if the body is not valid for its kind
 */
export function bodyHash<K extends Kind>(kind: K, body: Bodies[K], sha256: Sha256 = defaultSha256): string {
  checkBody(kind, body);
  return hex(sha256(utf8(`public-picks/${tags[kind]}\0${canonical(body)}`)));
}
