import { processes } from '../src/platform/config/processes.ts';

/**
 * All rights in the database. `migrate` grants what is declared here and revokes everything else; docs/schema.sql shows it. A new table
 * needs a line in {@link tables}.
 */

/** The logins: each process of the Procfile by its name, and the read-only auditor. */
export const logins = [...processes, 'auditor'] as const;

export type Login = (typeof logins)[number];

/** Rights by login, in the syntax of GRANT: `select, update (name)`. */
export type Rights = Readonly<Partial<Record<Login, string>>>;

function all(right: string, names: readonly Login[] = logins): Rights {
  return Object.fromEntries(names.map((name) => [name, right]));
}

const select = (...names: Login[]) => all('select', names);
const intake = (right: string) => all(right, ['operator', 'ingest']);

/**
 * Rights on tables. The auditor may read each table unless its line says otherwise. `insert` excludes an identity column: no login chooses
 * an id, unless {@link sequences} let it draw one.
 */
export const tables: Readonly<Record<string, Rights>> = {
  // Sports, cappers, games, prices, and results.
  sports: select('web', 'operator', 'ingest', 'sealing', 'grading', 'boards', 'webhooks', 'status'),
  cappers: {
    ...select('web', 'sealing', 'boards', 'webhooks', 'status'),
    ...intake('select, insert, update (tier, verified, display_name)'),
  },
  // The operator creates invitations. Cappers use them, and also add and revoke keys.
  capper_invites: { operator: 'select, insert', web: 'select, update (used_at)' },
  capper_keys: {
    ...all('select, insert', ['web', 'operator']),
    ...select('ingest', 'sealing', 'boards', 'status'),
  },
  capper_profiles: { web: 'select, insert' },
  games: {
    ...select('sealing', 'boards', 'webhooks', 'status'),
    ...intake(
      'select, insert, update (name, home_known, starts_at, status, home_score, away_score, home_half_score, away_half_score, sets, played, periods_e3, final_at, was_postponed, vouched_at)',
    ),
    // Only to lock rows: SELECT FOR UPDATE requires the right to update a column, and the trigger keep_game rejects changes of this one.
    grading: 'select, update (sport)',
    web: 'select, update (sport)',
  },
  game_joins: {
    ...select('web', 'sealing', 'boards', 'status', 'ingest'),
    operator: 'select, insert (from_game, to_game)',
  },
  start_moves: select('web', 'sealing', 'grading', 'operator', 'ingest'),
  lines: {
    ...select('web', 'boards', 'webhooks', 'status'),
    ingest: 'select, insert',
    // Only a provider's prices have by_hand = false.
    operator:
      'select, insert (game_id, market, subject, side, line_e3, odds_american, captured_at, closing, book, stored_at)',
    grading: 'select, delete',
    sealing: 'select, update (price_seq)',
  },
  priced_days: select('web', 'operator', 'sealing', 'grading', 'boards', 'webhooks', 'status', 'ingest'),
  price_locks: all('select, update (name)', ['ingest', 'grading']),
  results: { ...select('sealing', 'grading', 'status'), ...intake('select, insert') },
  voids: { ...select('sealing', 'grading', 'status'), ...intake('select, insert') },
  subjects: all('select, insert', ['web', 'operator', 'ingest']),
  subject_names: { ingest: 'select, insert', ...select('web', 'boards', 'webhooks', 'status') },
  stats: { ...select('sealing', 'grading', 'status'), ...intake('select, insert') },
  stat_gaps: { ingest: 'select, insert, delete', ...select('operator', 'status') },
  player_aliases: { operator: 'select, insert, update', ...select('web', 'ingest') },
  team_aliases: {
    operator: 'select, insert, update',
    ...select('ingest', 'web', 'boards', 'sealing', 'status'),
  },
  source_runs: {
    ingest: 'select, insert, update, delete',
    ...select('operator', 'status'),
    web: 'select (source, ran_at, ok, message, next_at, left_out, quota_remaining, quota_used, quota_from, quota_at_start)',
  },
  source_requests: { ingest: 'select, insert, update, delete', ...select('operator', 'status') },
  source_days: { ingest: 'select, insert, update, delete', ...select('operator') },
  source_scores: { ingest: 'select, insert, update, delete', ...select('operator', 'status') },
  source_events: { ingest: 'select, insert, update, delete', ...select('operator', 'status', 'web') },
  source_locks: intake('select, update (name)'),
  odds_api_calls: { ingest: 'select, insert, delete', ...select('operator', 'status', 'web') },
  // A demo's clock.
  demo_progress: {
    ingest: 'select, insert, update',
    ...select('web', 'operator', 'sealing', 'grading', 'boards', 'status'),
  },
  search_words: select('web'),

  // Picks and their events.
  picks: {
    ...select('sealing', 'grading', 'boards', 'webhooks', 'status'),
    // A trigger rejects unsigned picks from the web login.
    ...all('select, insert', ['web', 'operator', 'ingest']),
  },
  pick_requests: { operator: 'select, insert, delete', auditor: '' },
  closings: {
    grading: 'insert, select (pick_id, last_line_id)',
    ingest: 'select (pick_id)',
    ...select('web', 'sealing', 'boards', 'webhooks'),
  },
  settlements: {
    grading: 'insert, select (pick_id, last_line_id)',
    ingest: 'select (pick_id, result, last_line_id)',
    ...select('web', 'sealing', 'boards', 'webhooks', 'status'),
  },
  claims: { ...select('sealing', 'grading'), ...intake('select, insert') },
  notices: { ...intake('select, insert'), ...select('web', 'sealing') },
  operator_actions: { operator: 'select, insert' },
  operator_outcomes: { operator: 'select, insert' },
  operator_files: {
    operator: 'select, insert (id, operator, name, bytes), delete',
    auditor: '',
  },

  // Work lists. Triggers fill them with the owner's rights.
  pending_picks: select('web', 'operator', 'ingest', 'grading', 'boards', 'status'),
  unsealed_events: { sealing: 'select, delete', ...select('web', 'operator', 'ingest', 'status') },
  events_set_aside: { sealing: 'select, insert', status: 'select', web: 'select (kind, subject_id)' },
  rows_set_aside: { ...all('select, insert', ['sealing', 'boards', 'webhooks']), status: 'select' },
  due_games: { grading: 'select, insert, delete', ...select('operator', 'ingest') },
  waiting_imports: intake('select, insert, delete'),
  open_imports: { ...intake('select, insert, update, delete'), ...select('grading', 'status') },
  priced_games: { grading: 'select, delete' },
  world_changes: { boards: 'select, delete' },

  // The log.
  ledger_entries: {
    sealing: 'select, insert',
    ...select('web', 'operator', 'ingest', 'boards', 'webhooks', 'status'),
  },
  data_indexes: { sealing: 'select, insert', web: 'select' },
  price_batches: { sealing: 'select, insert (from_seq, to_seq, root, rows)', web: 'select' },
  ledger_nodes: { sealing: 'select, insert', web: 'select' },
  ledger_origin: {
    ...all('select, insert (id, origin)', ['sealing', 'operator']),
    ...select('web', 'ingest', 'boards', 'status'),
  },
  signing_keys: { sealing: 'select, insert', ...select('web', 'operator', 'boards', 'status') },
  witness_keys: { sealing: 'select, insert', ...select('web', 'operator', 'boards', 'status') },
  checkpoints: { sealing: 'select, insert', ...select('web', 'operator', 'ingest', 'boards', 'status') },
  checkpoint_times: { sealing: 'select, insert' },
  earlier_seals: select('boards'),
  publisher_lease: { sealing: 'select, insert, update, delete' },
  // Only to lock rows: SELECT FOR UPDATE requires the right to update a column, and a trigger rejects changes. The same holds for
  // webhook_locks and source_locks.
  sealing_locks: { sealing: 'select, update (name)' },
  publisher_refusals: { sealing: 'select, insert, update', status: 'select' },

  // Projections of the log.
  reader_cursors: {
    boards: 'select, insert, update (next_seq, repairs)',
    webhooks: 'select, update (next_seq)',
    ...select('web', 'operator', 'ingest', 'sealing', 'status'),
  },
  board_picks: { boards: 'select, insert, update, delete', ...select('web', 'sealing', 'status') },
  daily_rollups: { boards: 'select, insert, update, delete', web: 'select' },
  capper_totals: { boards: 'select, insert, update, delete', web: 'select' },
  capper_verdicts: { boards: 'select, insert, delete', web: 'select' },
  follower_prices: { boards: 'select, insert, update, delete', web: 'select' },
  follower_days: { boards: 'select, insert, update, delete', web: 'select' },
  follower_totals: { boards: 'select, insert, update, delete', web: 'select' },
  pick_blocks: { boards: 'select, insert, update, delete', web: 'select' },
  picks_of_the_day: { boards: 'select, insert', web: 'select' },

  // Webhooks. Only logins that sign with secrets or show them can read them.
  webhook_filters: {
    web: 'select, insert',
    webhooks: 'select, update (head_seq)',
    status: 'select',
  },
  webhook_subscriptions: {
    web: 'select, insert, update',
    webhooks: 'select, update, delete',
    status: 'select (id, filter_id, status, platform, consecutive_failures, cursor_seq, retry_at)',
    operator: 'select (id, status)',
    auditor: 'select (id, filter_id, status, consecutive_failures, cursor_seq, created_at)',
  },
  webhook_locks: all('select, update (name)', ['web', 'webhooks']),
  webhook_events: { webhooks: 'select, insert, update', ...select('web', 'status') },
  webhook_cycles: { webhooks: 'select, insert, update', status: 'select' },
  webhook_attempts: {
    web: 'select, insert',
    webhooks: 'select, insert, delete',
    ...select('operator', 'status'),
  },
  // Truncating its partition removes the oldest day of attempts.
  ...Object.fromEntries(
    Array.from({ length: 35 }, (_, slot) => [
      `webhook_attempts_${slot}`,
      { webhooks: 'select, truncate', auditor: '' },
    ]),
  ),

  // The status worker.
  status_watch: { status: 'select, insert, update', ...select('web', 'operator') },
  status_incidents: { status: 'select, insert, update', ...select('web', 'operator') },
  status_days: { status: 'select, insert, update, delete', web: 'select' },

  // The database itself.
  log_kind: all('select'),
  login_roles: all('select'),
  knex_migrations: { web: 'select' },
};

/** Tables with ids from a sequence. */
const numbered = [
  'capper_invites',
  'capper_keys',
  'capper_profiles',
  'cappers',
  'data_indexes',
  'due_games',
  'game_joins',
  'games',
  'lines',
  'notices',
  'odds_api_calls',
  'open_imports',
  'operator_actions',
  'picks',
  'price_batches',
  'publisher_refusals',
  'results',
  'start_moves',
  'stats',
  'unsealed_events',
  'voids',
  'waiting_imports',
  'webhook_filters',
  'webhook_subscriptions',
  'world_changes',
];

/** Rights on sequences. Identity columns need none; the auditor compares their positions. */
export const sequences: Readonly<Record<string, Rights>> = {
  ...Object.fromEntries(numbered.map((table) => [`${table}_id_seq`, { auditor: 'select' }])),
  // The web process draws the id before it inserts the row, because the encrypted columns are bound to it.
  webhook_subscriptions_id_seq: { web: 'usage', auditor: 'select' },
};

/** Rights on functions in statements and indexes. Triggers need none. */
export const functions: Readonly<Record<string, Rights>> = {
  'words_of(text)': all('execute'),
  'joined_game(bigint, bigint)': all('execute'),
};

/**
 * Returns the session settings of a login. They are set on the role, not the connection, so that a pooler in transaction mode can share
 * connections.
 */
export function sessionSettings(login: Login): Readonly<Record<string, string>> {
  return {
    TimeZone: 'UTC',
    jit: 'off',
    // Frequently read data is in memory, so an index lookup costs little more than the next row of a scan.
    random_page_cost: '1.1',
    search_path: 'public, pg_temp',
    // A frozen or vanished process loses its locks before others give up waiting. The operator's port answers 503 sooner.
    lock_timeout: login === 'operator' ? '1s' : '15s',
    idle_in_transaction_session_timeout: idleTimeouts[login] ?? '10s',
    client_connection_check_interval: '5s',
    tcp_keepalives_idle: '5',
    tcp_keepalives_interval: '2',
    tcp_keepalives_count: '3',
    tcp_user_timeout: '10s',
    ...(login === 'web' && { statement_timeout: '15s' }),
  };
}

/** Idle timeouts of logins whose transactions can pause. They hold no lock that sealing, publishing, or readers of the log wait for. */
const idleTimeouts: Partial<Record<Login, string>> = { ingest: '1min', auditor: '10min' };
