import type { Knex } from 'knex';

/** What each table holds. `docs/schema.md` shows these, as does `\d+` in psql. */
const tables: Record<string, string> = {
  sports: 'The valid sports. An operator may add one.',
  cappers: 'Who posts picks. Tier and verification may change, the handle may not.',
  games: 'Games as the world announces them: identity, start as now known, status, score.',
  lines: 'Prices of one side at one book, as they were seen. Input of closings.',
  results: 'Results of what no score can grade, one per game, market, side and line. The first one stands.',
  picks: 'Picks as they were posted. Append-only.',
  closings: 'The price at which a pick closed. Append-only; a pick that closed without a price has none.',
  settlements: 'How a pick ended. Append-only, once per pick.',
  notices:
    'Corrections, remarks and other announcements of the operator. Append-only; each becomes an entry of the log.',
  ledger_entries:
    'The log: one row per event, numbered densely by seq in sealing order, with the hashes that chain it. Append-only.',
  pick_requests: 'The Idempotency-Keys of live picks, and the pick that each stands for.',
  pending_picks: 'Picks without a settlement. A work list: kept by triggers in the transaction of the event.',
  unsealed_events:
    'Events that have no seq yet, in the order in which they were stored. Filled by triggers, emptied by sealing.',
  repriced_games:
    'Games whose open picks deserve another look for a closing price. Filled when prices or late picks come in, emptied by grading.',
  world_changes:
    'Games and cappers that changed, for the reader that makes boards stale. Filled by triggers.',
  reader_cursors: 'How far each reader has read the log: the next seq.',
  board_picks: "A pick's whole life in one row, kept by the boards' reader of the log. Can be rebuilt.",
  daily_rollups: 'Sums per capper, sport, market and Eastern day, kept by the same reader. Can be rebuilt.',
  capper_streaks: 'The current streak of each capper, kept by the same reader. Can be rebuilt.',
  picks_of_the_day: 'The choice of each Eastern day, made once.',
  demo_progress: 'How far the demo world has been played. Empty in a real ledger.',
  ledger_nodes: 'Hashes of complete subtrees of the Merkle tree, from level 1 up. Append-only.',
  checkpoints:
    'Signed checkpoints with the cosignatures they had when they were made. Append-only, and chained by size.',
  checkpoint_times: 'When each checkpoint was signed: no signature covers that.',
  ledger_origin: "The log's name, kept from the first start on. Append-only.",
  signing_keys:
    "The log's keys in the order in which they took over, each but the first with its announcement. Append-only.",
  witness_keys: 'Keys of the witnesses that have cosigned a checkpoint. Append-only.',
  publisher_refusals: 'Why and since when the publisher refuses to sign.',
  publisher_lease:
    'Who publishes the next checkpoint while witnesses are asked outside any transaction, and until when.',
  webhook_filters:
    'Each combination of capper and sport that anyone subscribed to, and the newest matching event.',
  webhook_subscriptions:
    'Subscriptions: each a reader of the log with a cursor, a lease and a count of failures.',
  webhook_events: 'The entries of the log that are announced. Can be rebuilt.',
  webhook_cycles: 'The last fanout cycle. One row.',
  webhook_attempts:
    'Requests that were made, kept for 30 days. Partitioned by day, so that a day is removed whole.',
  status_watch: 'What the status worker knows after its last round. One row, leased to one worker.',
  status_incidents: 'Incidents, and what the chat has been sent about each.',
  status_days: 'Rounds by outcome, per check and Eastern day.',
  source_runs: "How each provider's feed is doing, and when it is asked next.",
  source_events: 'Which game an event of a source is, and the start that the source gave last.',
  team_aliases: 'Other names of a team.',
};

/** Columns whose name does not say enough. */
const columns: Record<string, string> = {
  'sports.moneyline_ways': 'Sides of its moneyline: 3 where a draw is one.',
  'sports.event_minutes': 'How long an event usually takes.',
  'cappers.tier': 'The tier today.',
  'games.announced_start': 'The first announced start: part of the identity.',
  'games.starts_at': 'The start as now known.',
  'games.was_postponed': 'Picks become void 48 hours after the announced start, unless it is played before.',
  'lines.closing': 'Whether the book marks it as its closing price.',
  'picks.tier': "The capper's tier when the pick was posted.",
  'picks.starts_at': 'The start as known when the pick was posted.',
  'closings.closed_at': "The game's start.",
  'closings.prices': 'The prices of all sides of the market at that line.',
  'settlements.grader': 'What decided it: score, result, cancelled or postponed.',
  'ledger_entries.capper_seq': "Counts the capper's picks from 1, in sealing order.",
  'ledger_entries.capper_prev': "The hash of the capper's previous pick.",
  'ledger_entries.hash': 'The hash of the body.',
  'ledger_entries.prev': 'The hash of the event before, of the same pick.',
  'ledger_entries.leaf_hash': 'The leaf of the Merkle tree: the hash of the entry.',
  'ledger_entries.body': 'The body of what no other table holds: keys and notices.',
  'checkpoints.previous': 'The size of the checkpoint before.',
  'daily_rollups.day': 'Posted picks count on the Eastern day of posting, results on that of settling.',
};

/** What each function that triggers and checks call keeps true. */
const functions: Record<string, string> = {
  'plain_text(text, int, int)': 'Text of a permitted length without control characters.',
  'slug(text)': 'Up to 40 lower-case letters, digits, hyphens or underscores.',
  'american(int)': 'American odds that the ledger takes.',
  'whole_ms(timestamptz)': 'An instant without a fraction of a millisecond: hashes hold milliseconds.',
  'picks_posted()': 'Puts new picks on the lists pending_picks and unsealed_events.',
  'picks_closed()': 'Marks the picks closed in pending_picks and puts their closings on unsealed_events.',
  'picks_settled()': 'Takes the picks off pending_picks and puts their settlements on unsealed_events.',
  'notices_made()': 'Puts new notices on unsealed_events.',
  'key_announced()': 'Puts new keys that have an announcement on unsealed_events.',
  'refuse_change()': 'Refuses UPDATE, DELETE and TRUNCATE, for the owner too.',
  'keep_identity()': "Refuses a change of a handle, of a game's identity, and of a final score.",
  'note_change()': 'Notes the changed game or capper in world_changes.',
};

export async function up(knex: Knex): Promise<void> {
  for (const [table, text] of Object.entries(tables))
    await knex.raw(`comment on table ${table} is ${quoted(text)}`);
  for (const [column, text] of Object.entries(columns))
    await knex.raw(`comment on column ${column} is ${quoted(text)}`);
  for (const [signature, text] of Object.entries(functions))
    await knex.raw(`comment on function ${signature} is ${quoted(text)}`);
}

export async function down(knex: Knex): Promise<void> {
  for (const table of Object.keys(tables)) await knex.raw(`comment on table ${table} is null`);
  for (const column of Object.keys(columns)) await knex.raw(`comment on column ${column} is null`);
  for (const signature of Object.keys(functions)) await knex.raw(`comment on function ${signature} is null`);
}

/** COMMENT takes no parameters. */
function quoted(text: string): string {
  return `'${text.replaceAll("'", "''").replaceAll('?', '\\?')}'`;
}
