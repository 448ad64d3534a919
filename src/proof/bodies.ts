import { canonical } from './canonical.ts';
import { hex, utf8 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import {
  americanOdds,
  hash,
  instant,
  integer,
  list,
  nullable,
  oneOf,
  plainObject,
  type Rule,
  shape,
  text,
  uuid,
} from './shape.ts';

/**
 * The body of an entry: what happened. An entry has the hash of its body, which covers every key, so keys and
 * their meaning never change; a new meaning needs another `v` and another tag. Older versions stay valid. Units: `line_e3` is in thousandths
 * of a point, `stake_e4` and `net_units_e4` in ten-thousandths of a unit, `clv_bps` in basis points. A value
 * that does not apply is `null`.
 */
export interface Bodies {
  posted: PickBody;
  closed: ClosingBody;
  settled: SettlementBody;
  key: KeyBody;
  notice: NoticeBody;
}

/** The kinds of entries. The first three are events of a pick, the others concern the log itself. */
export type Kind = keyof Bodies;

/** A pick, as posted. Version 2 also says how it came in (docs/decisions/0026-provenance.md). */
export type PickBody = PickBodyV1 | PickBodyV2;

export interface PickBodyV1 extends PickFacts {
  v: 1;
}

export interface PickBodyV2 extends PickFacts {
  v: 2;
  /** `live`: timed by the service when it was posted. `imported`: `posted_at` is a claim. */
  provenance: 'live' | 'imported';
}

/** What the versions of a pick's body have in common. */
interface PickFacts {
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
  side: string;
  line_e3: number | null;
  pick: string;
  odds_american: number;
  stake_e4: number;
  book: string | null;
  source: string;
  posted_at: string;
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

/** How the pick ended. */
export interface SettlementBody {
  v: 1;
  uuid: string;
  /** Hash of the closing, or of the pick if there is no closing. */
  prev: string;
  result: 'win' | 'loss' | 'push' | 'void';
  settled_at: string;
  /** Both scores are those that graded it: the first half's where `grader` is `first_half_score`, else the final ones. */
  away_score: number | null;
  home_score: number | null;
  net_units_e4: number;
  /** What decided it: `score`, `first_half_score`, `result`, `cancelled` or `postponed`. */
  grader: string;
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

const v = oneOf(1);
const score = nullable(integer(0));

const pickFacts: { readonly [Field in keyof PickFacts]: Rule } = {
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
  side: text,
  line_e3: nullable(integer()),
  pick: text,
  odds_american: americanOdds,
  stake_e4: integer(1),
  book: nullable(text),
  source: text,
  posted_at: instant,
};

const pickVersions: readonly ((body: unknown, path: string) => void)[] = [
  shape<PickBodyV1>({ v, ...pickFacts }),
  shape<PickBodyV2>({ v: oneOf(2), ...pickFacts, provenance: oneOf('live', 'imported') }),
];

const shapes: { readonly [K in Kind]: (body: unknown, path: string) => void } = {
  posted(body, path) {
    const { v: version } = plainObject(body, path);
    if (version !== undefined) oneOf(1, 2)(version, `${path}.v`);
    pickVersions[version === 2 ? 1 : 0]!(body, path);
  },
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
    settled_at: instant,
    away_score: score,
    home_score: score,
    net_units_e4: integer(),
    grader: text,
  }),
  key: shape<KeyBody>({ v, note: text }),
  notice: shape<NoticeBody>({ v, at: instant, topic: text, text }),
};

const tagNames: { readonly [K in Kind]: string } = {
  posted: 'pick',
  closed: 'closing',
  settled: 'settlement',
  key: 'key',
  notice: 'notice',
};

/** Domain separation: hashed before the body, so that no body has the hash of one of another kind or version. */
function tagOf(kind: Kind, body: unknown): string {
  const version = (body as { v?: unknown } | null | undefined)?.v;
  return `${tagNames[kind]}/v${kind === 'posted' && version === 2 ? 2 : 1}`;
}

/**
 * Checks that a body has exactly the keys of its kind, each with a valid value, and that the values agree.
 *
 * @throws TypeError that names the invalid key
 */
export function checkBody<K extends Kind>(kind: K, body: unknown): asserts body is Bodies[K] {
  shapes[kind](body, tagOf(kind, body));
  if (kind === 'posted') checkPick(body as PickBody);
  if (kind === 'closed') checkPrices(body as ClosingBody);
}

function checkPick(body: PickBody): void {
  const { capper_seq, capper_prev } = body;
  if ((capper_seq === 1) !== (capper_prev === null)) {
    throw new TypeError(
      `${tagOf('posted', body)}.capper_prev must be null for a capper's first pick, and for no other`,
    );
  }
}

function checkPrices({ prices }: ClosingBody): void {
  for (let i = 1; i < prices.length; i += 1) {
    if (prices[i - 1]!.side >= prices[i]!.side) {
      throw new TypeError(`closing/v1.prices must be sorted by side, each side once`);
    }
  }
}

/**
 * The hash of a body, in hex (docs/decisions/0018-ledger-and-receipts.md). Receipts have it as `pick_hash`, `closing_hash` and
 * `settlement_hash`.
 *
 *     SHA-256( utf8("public-picks/" + tag) || 0x00 || JCS(body) )
 *
 * @throws TypeError if the body is not valid for its kind
 */
export function bodyHash<K extends Kind>(kind: K, body: Bodies[K], sha256: Sha256 = defaultSha256): string {
  checkBody(kind, body);
  return hex(sha256(utf8(`public-picks/${tagOf(kind, body)}\0${canonical(body)}`)));
}
