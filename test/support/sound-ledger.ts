import { createHash } from 'node:crypto';
import { expect } from 'chai';
import type { Database } from '../../src/platform/database.ts';

/**
 * Computes JCS (RFC 8785) independently. Bodies contain only strings, integers, booleans, and nulls, so the order of keys is all that
 * matters.
 */
function jcs(value: unknown): string {
  if (Array.isArray(value)) return `[${value.map(jcs).join(',')}]`;
  if (value === null || typeof value !== 'object') return JSON.stringify(value);
  const keys = Object.keys(value).sort();
  return `{${keys.map((key) => `${JSON.stringify(key)}:${jcs((value as Record<string, unknown>)[key])}`).join(',')}}`;
}

function h(tag: string, body: unknown): string {
  return createHash('sha256')
    .update(`public-picks/${tag}\0${jcs(body)}`, 'utf8')
    .digest('hex');
}

const iso = (at: number | null) => (at === null ? null : new Date(at).toISOString());
const hex = (bytes: Buffer | null) => (bytes === null ? null : bytes.toString('hex'));

/** Returns the signature of a pick's author, in its hashed form. */
function authorOf({
  author_key: key,
  author_nonce: nonce,
  author_at,
  author_signature: signature,
  author_subject: subject,
}: {
  author_key: string | null;
  author_nonce: string | null;
  author_at: number | null;
  author_signature: string | null;
  author_subject: string | null;
}) {
  return key === null ? null : { key, nonce, at: iso(author_at), signature, subject };
}

/**
 * Verifies the whole log with none of the service's code: every body's hash, every capper's and pick's chain, every leaf, and dense
 * numbers.
 */
export async function expectSoundLedger(database: Database): Promise<void> {
  const entries = await database('ledger_entries').orderBy('seq').select('*');
  const picks = new Map((await database('picks').select('*')).map((row) => [row.id, row]));
  const closings = new Map((await database('closings').select('*')).map((row) => [row.pick_id, row]));
  const settlements = new Map((await database('settlements').select('*')).map((row) => [row.pick_id, row]));
  const handles = new Map((await database('cappers').select('*')).map((row) => [row.id, row.handle]));
  const games = new Map((await database('games').select('*')).map((row) => [row.id, row]));
  const notices = new Map((await database('notices').select('*')).map((row) => [row.id, row]));
  const keys = new Map((await database('capper_keys').select('*')).map((row) => [row.id, row]));
  const moves = new Map((await database('start_moves').select('*')).map((row) => [row.id, row]));
  const batches = new Map((await database('price_batches').select('*')).map((row) => [row.id, row]));
  const indexes = new Map((await database('data_indexes').select('*')).map((row) => [row.id, row.note]));
  const joins = new Map((await database('game_joins').select('*')).map((row) => [row.id, row]));
  const chains = new Map<string, string[]>();
  const last = new Map<number, string>();
  for (const entry of entries) {
    let body: Record<string, unknown>;
    let tag: string;
    let prev: string | null = null;
    const pick = picks.get(entry.pick_id);
    if (entry.kind === 'notice') {
      const { at, topic, text } = notices.get(entry.notice_id);
      body = { v: 1, at: iso(at), topic, text };
      tag = 'notice/v1';
      expect(entry.body).to.equal(jcs(body));
    } else if (entry.kind === 'start_moved') {
      const { game_id, game, from_start, to_start, at, moved_by } = moves.get(entry.move_id);
      const { sport, announced_start } = games.get(game_id);
      const starts = { announced_start: iso(announced_start), from: iso(from_start), to: iso(to_start) };
      body = { v: 1, sport, game, ...starts, at: iso(at), by: moved_by };
      tag = 'start_moved/v1';
      expect(entry.body).to.equal(jcs(body));
    } else if (entry.kind === 'game_joined') {
      const { from_game, to_game, at, joined_by } = joins.get(entry.join_id);
      const identity = (id: number) => {
        const { name, announced_start, day } = games.get(id);
        return { game: name, announced_start: iso(announced_start), day };
      };
      body = { v: 1, sport: games.get(to_game).sport, from: identity(from_game), to: identity(to_game) };
      Object.assign(body, { at: iso(at), by: joined_by });
      tag = 'game_joined/v1';
      expect(entry.body).to.equal(jcs(body));
    } else if (entry.kind === 'prices') {
      const { from_seq, to_seq, root } = batches.get(entry.prices_id);
      body = { v: 1, from_seq, to_seq, count: to_seq - from_seq + 1, root: hex(root) };
      tag = 'prices/v1';
      expect(entry.body).to.equal(jcs(body));
    } else if (entry.kind === 'data') {
      body = { v: 1, note: indexes.get(entry.data_id) };
      tag = 'data/v1';
      expect(entry.body).to.equal(jcs(body));
    } else if (entry.kind === 'capper_key') {
      const { capper_id, action, key, purpose, first, at, made_by, ...rest } = keys.get(entry.capper_key_id);
      const { possession, endorsed_by, endorsement } = rest;
      const signatures = { possession, endorsed_by, endorsement };
      body = { v: 1, capper: handles.get(capper_id), action, key, purpose, first, at: iso(at), by: made_by };
      Object.assign(body, signatures);
      tag = 'capper_key/v1';
      expect(entry.body).to.equal(jcs(body));
    } else if (entry.kind === 'posted') {
      const handle = handles.get(pick.capper_id) as string;
      const chain = chains.get(handle) ?? [];
      chains.set(handle, chain);
      const game = games.get(pick.game_id);
      body = {
        v: 1,
        id: pick.id,
        uuid: pick.uuid,
        capper: handle,
        capper_seq: chain.length + 1,
        capper_prev: chain.at(-1) ?? null,
        tier: pick.tier,
        sport: game.sport,
        game: game.name,
        starts_at: iso(pick.starts_at),
        day: game.day,
        market: pick.market,
        subject: pick.subject,
        side: pick.side,
        line_e3: pick.line_e3,
        pick: pick.pick,
        odds_american: pick.odds_american,
        stake_e4: pick.stake_e4,
        book: pick.book,
        source: pick.source,
        provenance: pick.provenance,
        posted_at: iso(pick.posted_at),
        author: authorOf(pick),
      };
      tag = 'pick/v1';
      expect(entry.capper_seq).to.equal(chain.length + 1);
      expect(hex(entry.capper_prev)).to.equal(chain.at(-1) ?? null);
      chain.push(h(tag, body));
    } else if (entry.kind === 'closed') {
      const closing = closings.get(entry.pick_id);
      prev = last.get(entry.pick_id) as string;
      const { odds_american, line_e3, book, prices, clv_bps } = closing;
      const instants = { closed_at: iso(closing.closed_at), captured_at: iso(closing.captured_at) };
      body = { v: 1, uuid: pick.uuid, prev, odds_american, line_e3, book, prices, clv_bps, ...instants };
      body.prices_to = entry.prices_to;
      tag = 'closing/v1';
    } else {
      const { result, half, settled_at, away_score, home_score, sets, played, ...rest } = settlements.get(
        entry.pick_id,
      );
      const { stat_name: name, stat_value_e3: value_e3, net_units_e4, grader } = rest;
      prev = last.get(entry.pick_id) as string;
      const figures = { result, settled_at: iso(settled_at), away_score, home_score, net_units_e4, grader };
      const { price_verdict: verdict, price_odds, price_book, price_captured_at } = rest;
      const captured_at = price_captured_at === null ? null : iso(price_captured_at);
      const price_check =
        verdict === null
          ? null
          : {
              verdict,
              odds_american: price_odds,
              book: price_book,
              captured_at,
              counted_american: rest.price_counted,
            };
      const evidence = { sets, played, stat: name === null ? null : { name, value_e3 }, price_check };
      body = { v: 1, uuid: pick.uuid, prev, half, ...figures, ...evidence, prices_to: entry.prices_to };
      tag = 'settlement/v1';
    }
    const hash = h(tag, body);
    if (pick !== undefined) last.set(pick.id, hash);
    expect(hex(entry.hash), `hash of entry ${entry.seq}`).to.equal(hash);
    expect(hex(entry.prev)).to.equal(prev);
    const { seq, kind, uuid, capper, capper_seq } = entry;
    const text = jcs({ v: 1, seq, kind, uuid, capper, capper_seq, hash, prev });
    const leaf = createHash('sha256').update('\0').update(text, 'utf8').digest('hex');
    expect(hex(entry.leaf_hash), `leaf of entry ${seq}`).to.equal(leaf);
  }
  expect(entries.map(({ seq }) => seq)).to.deep.equal(entries.map((_, index) => index));
}
