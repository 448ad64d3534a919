import { canonical } from './canonical.ts';
import { hex, utf8 } from './encoding.ts';
import { sha256 as defaultSha256, type Sha256 } from './sha256.ts';
import {
  about,
  americanOdds,
  boolean,
  day,
  hash,
  instant,
  integer,
  keyId,
  list,
  nonce,
  nullable,
  type Of,
  oneOf,
  pair,
  publicKey,
  shape,
  signature,
  text,
  uuid,
} from './shape.ts';

const v = oneOf(1);
const score = nullable(integer(0));
const lineE3 = nullable(about(integer(), 'Thousandths of a point.'));

/** An author's signature of a pick, made before it was posted: see `capper-key.ts`. */
const author = shape(
  {
    key: about(keyId, 'The ID of the key.'),
    nonce,
    at: instant,
    signature,
    subject: about(
      nullable(text),
      'The subject as the author spelled and signed it. Null: as the pick names it.',
    ),
  },
  { title: 'Author', description: "The capper's own signature over the pick." },
);

/** The verdict on whether the pick's odds were on offer at posting, and the price it was compared with. */
const priceCheck = shape(
  {
    verdict: oneOf('available', 'above_market', 'unseen', 'unchecked'),
    odds_american: nullable(americanOdds),
    book: nullable(text),
    captured_at: nullable(instant),
    counted_american: about(
      nullable(americanOdds),
      'The odds at which the pick counts. Null: it counts in no figure.',
    ),
  },
  {
    title: 'SealedPriceCheck',
    description: 'Whether the odds were available, and the odds they were compared with.',
  },
);

/** The permanent identity of a game, beside its sport. */
const joinedGame = shape(
  { game: text, announced_start: nullable(instant), day: nullable(day) },
  { title: 'JoinedGame', description: 'The name of a game and its first announced start, or its day.' },
);

/** The fields of a pick that its author can sign: see `capper-key.ts`. */
export const signable = {
  capper: text,
  sport: text,
  game: text,
  day: about(nullable(day), 'The day of a game that was announced without a start.'),
  market: text,
  subject: about(nullable(text), 'The player, team, or question that the market is about.'),
  side: text,
  line_e3: lineE3,
  pick: text,
  odds_american: americanOdds,
  stake_e4: about(integer(1), 'Ten-thousandths of a unit.'),
  book: nullable(text),
};

/**
 * The bodies of entries. The hash of a body covers every key. From version 1.0 on, a change of the keys or their meaning gets another `v`
 * and another tag, and older bodies stay valid. Units: `line_e3` and `value_e3` are thousandths, `stake_e4` and `net_units_e4`
 * ten-thousandths of a unit, `clv_bps` basis points. A value that does not apply is `null`. Types, checks, and the API reference derive
 * from this table; `src/ledger/pick.ts` and `events.ts` say which column fills which field.
 */
export const bodyRules = {
  posted: shape(
    {
      v,
      id: integer(1),
      uuid,
      ...signable,
      capper_seq: about(integer(1), "Number of the pick among the capper's picks, in the order of sealing."),
      // Removing a pick breaks this chain.
      capper_prev: about(nullable(hash), "The hash of the capper's previous pick. Null for the first."),
      tier: oneOf('elite', 'verified_sharp', 'listed'),
      starts_at: about(nullable(instant), 'The start of the game as known when the pick was posted.'),
      source: text,
      provenance: about(
        oneOf('live', 'imported'),
        '`live`: the service timed it at posting. `imported`: `posted_at` is a claim.',
      ),
      posted_at: instant,
      author: nullable(author),
    },
    { title: 'PickBody', description: 'The fields that are hashed when a pick is posted.' },
  ),
  closed: shape(
    {
      v,
      uuid,
      prev: about(hash, 'The hash of the pick.'),
      closed_at: about(instant, 'The start of the game.'),
      odds_american: americanOdds,
      line_e3: lineE3,
      book: nullable(text),
      captured_at: instant,
      prices: about(
        list(shape({ side: text, odds_american: americanOdds })),
        "The prices of the market's sides, in the order of the sides' names.",
      ),
      prices_to: about(
        nullable(integer(1)),
        'The number of the last price that was stored when the pick closed.',
      ),
      clv_bps: about(integer(), 'Basis points.'),
    },
    { title: 'ClosingBody', description: 'The fields that are hashed when a pick closes.' },
  ),
  settled: shape(
    {
      v,
      uuid,
      prev: about(hash, 'The hash of the closing, or of the pick if there is no closing.'),
      result: oneOf('win', 'loss', 'push', 'void'),
      half: about(boolean, 'Half of the stake was returned, and `result` applies to the other half.'),
      settled_at: instant,
      away_score: about(score, 'The score that graded it: of the first half, or else the final one.'),
      home_score: score,
      sets: about(nullable(list(pair(integer(0, 999)))), 'Games of each set, home first.'),
      played: about(
        nullable(oneOf('full', 'shortened')),
        'Whether the game went its full distance, if that affects the result.',
      ),
      stat: nullable(
        shape(
          { name: text, value_e3: about(integer(), 'Thousandths.') },
          { title: 'Stat', description: 'The statistic that graded a player market.' },
        ),
      ),
      price_check: nullable(priceCheck),
      prices_to: about(
        nullable(integer(1)),
        'The number of the last price that was stored when the pick settled. Null: none was.',
      ),
      net_units_e4: about(integer(), 'Ten-thousandths of a unit.'),
      grader: about(
        text,
        'The basis of the result: `score`, `first_half_score`, `sets`, `stat`, `result`, `cancelled`, or `postponed`.',
      ),
    },
    { title: 'SettlementBody', description: 'The fields that are hashed when a pick settles.' },
  ),
  key: shape(
    { v, note: about(text, 'A signed note that names the new key, signed by the previous key and by it.') },
    { title: 'KeyBody', description: 'The announcement of a signing key.' },
  ),
  notice: shape(
    { v, at: instant, topic: text, text },
    { title: 'NoticeBody', description: "The operator's correction or remark. It changes nothing sealed." },
  ),
  start_moved: shape(
    {
      v,
      sport: text,
      game: text,
      announced_start: about(
        nullable(instant),
        'The first announced start, which identifies the game permanently.',
      ),
      from: nullable(instant),
      to: nullable(instant),
      at: about(instant, 'When it was moved.'),
      by: about(text, 'The part of the service that moved it.'),
    },
    {
      title: 'StartMovedBody',
      description: "A move of a game's start. Earlier picks keep the start that they name.",
    },
  ),
  game_joined: shape(
    {
      v,
      sport: text,
      from: joinedGame,
      to: joinedGame,
      at: about(instant, 'When they were joined.'),
      by: about(text, 'The part of the service that joined them.'),
    },
    {
      title: 'GameJoinedBody',
      description:
        'Two games that turned out to be one fixture: `to` continues, and picks on `from` keep the name and start that they were posted with.',
    },
  ),
  prices: shape(
    {
      v,
      from_seq: about(integer(1), 'The number of the first price. Prices are numbered from 1 without gaps.'),
      to_seq: integer(1),
      count: integer(1),
      root: about(hash, 'The root of the Merkle tree (RFC 6962) over the canonical JSON of the prices.'),
    },
    {
      title: 'PricesBody',
      description: 'Prices that were stored. They precede every entry that used them.',
    },
  ),
  data: shape(
    { v, note: about(text, 'The signed index: a signed note with the SHA-256 of each file.') },
    {
      title: 'DataBody',
      description: 'The index of the data files. Each repeats the lines of the one before, unchanged.',
    },
  ),
  capper_key: shape(
    {
      v,
      capper: text,
      action: oneOf('add', 'revoke'),
      key: publicKey,
      purpose: oneOf('device', 'recovery'),
      first: about(
        boolean,
        "Whether it is the first key of the capper. An unendorsed later one could be anyone's.",
      ),
      at: about(instant, 'When the statement was signed, by the clock of its author.'),
      by: about(oneOf('capper', 'operator'), 'The operator can revoke keys, but not add them.'),
      possession: about(nullable(signature), "The key's own signature. Null: it was revoked."),
      endorsed_by: about(nullable(keyId), "The ID of the capper's earlier key that signed it, too."),
      endorsement: nullable(signature),
    },
    {
      title: 'CapperKeyBody',
      description: "A capper's key, added or revoked: see docs/rules/author-keys.md.",
    },
  ),
} as const;

/** The kinds of entries. The first three are events of a pick, the others concern the log itself. */
export type Kind = keyof typeof bodyRules;
export const kinds = Object.keys(bodyRules) as Kind[];

export type Bodies = { [K in Kind]: Of<(typeof bodyRules)[K]> };
export type PickBody = Bodies['posted'];
export type ClosingBody = Bodies['closed'];
export type SettlementBody = Bodies['settled'];
export type StartMovedBody = Bodies['start_moved'];
export type CapperKeyBody = Bodies['capper_key'];
export type PricesBody = Bodies['prices'];
export type Author = Of<typeof author>;
export type PriceCheck = Of<typeof priceCheck>;

/** Domain separation: hashed before the body, so that bodies of different kinds or versions never share a hash. */
const tags: { readonly [K in Kind]: string } = {
  posted: 'pick/v1',
  closed: 'closing/v1',
  settled: 'settlement/v1',
  key: 'key/v1',
  notice: 'notice/v1',
  start_moved: 'start_moved/v1',
  game_joined: 'game_joined/v1',
  prices: 'prices/v1',
  data: 'data/v1',
  capper_key: 'capper_key/v1',
};

/**
 * Checks that a body has exactly the keys of its kind, each with a valid value, and that the values agree.
 *
 * @throws TypeError that names the invalid key
 */
export function checkBody<K extends Kind>(kind: K, body: unknown): asserts body is Bodies[K] {
  bodyRules[kind](body, tags[kind]);
  if (kind === 'posted') checkPick(body as PickBody);
  if (kind === 'closed') checkPrices(body as ClosingBody);
  if (kind === 'settled') checkHalf(body as SettlementBody);
  if (kind === 'prices') checkCount(body as PricesBody);
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

function checkCount({ from_seq, to_seq, count }: PricesBody): void {
  if (count !== to_seq - from_seq + 1)
    throw new TypeError('prices/v1.count must be the number of prices from from_seq to to_seq');
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
