import { readFileSync } from 'node:fs';
import { publishCheckpoint } from '../../src/ledger/publishing/publish.ts';
import { sealAll } from '../../src/ledger/sealing/seal.ts';
import { rootAt } from '../../src/ledger/sealing/tree.ts';
import type { Transaction } from '../../src/platform/database.ts';
import { rebuildProjections } from '../../src/projections/rebuild.ts';
import { updateProjections } from '../../src/projections/update.ts';
import { parseCheckpoint } from '../../src/proof/checkpoint.ts';
import { equalBytes } from '../../src/proof/encoding.ts';
import { parseNote } from '../../src/proof/signed-note.ts';
import type { Attack, Remains } from './attacker.ts';
import type { World } from './world.ts';

/** A price that a provider stored. */
export const providersPrice = `insert into lines (game_id, market, side, odds_american, captured_at, closing, book, by_hand)
  select min(id), 'moneyline', 'home', -110, '2026-01-01', false, 'north', false from games where sport = 'nba'`;

/** Changes of derived rows, by the login that may write them, or by the owner, who covers them up. */
export function* derivedAttacks(): Generator<Attack> {
  const owner = (kind: string, ...statements: string[]): Attack => ({
    kind,
    login: 'owner',
    statements,
    covered: true,
  });
  yield { kind: 'removed from due_games', login: 'grading', statements: ['delete from due_games'] };
  for (const at of [`timestamptz '2099-01-01'`, `clock_timestamp() + interval '3 days'`])
    yield {
      kind: 'postponed due_games',
      login: 'grading',
      statements: [
        `insert into due_games (game_id, due_at) select distinct game_id, ${at} from due_games`,
        `delete from due_games where due_at < clock_timestamp() + interval '2 days'`,
      ],
    };
  yield owner('postponed due_games', `update due_games set due_at = '2099-01-01'`);
  yield { kind: 'removed from status_days', login: 'status', statements: ['delete from status_days'] };
  yield {
    kind: 'moved reader_cursors to the end',
    login: 'webhooks',
    statements: [
      `update reader_cursors set next_seq = (select max(seq) + 1 from ledger_entries) where reader = 'webhooks'`,
    ],
  };
  for (const reader of ['boards', 'checkpoints', 'webhooks'])
    for (const to of ['(select max(seq) + 1 from ledger_entries)', '9007199254740991'])
      yield owner(
        'moved reader_cursors to the end',
        'delete from board_picks where pick_id > (select min(pick_id) from board_picks)',
        `update reader_cursors set next_seq = ${to} where reader = '${reader}'`,
      );
  yield {
    kind: 'moved webhook_filters.head_seq',
    login: 'webhooks',
    statements: ['update webhook_filters set head_seq = head_seq + 5'],
  };
  yield {
    kind: 'forged webhook_events',
    login: 'webhooks',
    statements: [
      `insert into webhook_events (seq, pick_id, kind, capper_id, sport, market, tier, about, at)
       select max(seq), max(pick_id), 'posted', 1, 'nba', 'moneyline', 'listed', '{}', clock_timestamp() from ledger_entries`,
    ],
  };
  yield {
    kind: 'postponed open_imports',
    login: 'ingest',
    statements: [`insert into open_imports (until) values ('2099-01-01')`],
  };
  yield owner(
    'flipped log_kind',
    'alter table log_kind disable trigger log_kind_append_only',
    `update log_kind set kind = 'replay'`,
  );
  yield { ...owner('removed from picks_of_the_day', 'delete from picks_of_the_day'), covered: false };
  yield owner('emptied search_words', 'delete from search_words');
  yield owner(
    'removed from priced_days',
    providersPrice,
    'alter table priced_days disable trigger priced_days_append_only',
    'delete from priced_days',
  );
  for (const [table, sequence] of [
    ['notices', 'notices_id_seq'],
    ['picks', 'picks_id_seq'],
    ['lines', 'lines_id_seq'],
    ['cappers', 'cappers_id_seq'],
  ]) {
    yield owner('moved sequences', `alter table ${table} alter id restart`);
    const far = table === 'cappers' ? 2_147_483_000 : 9_007_199_254_740_000;
    yield owner('moved sequences', `alter sequence ${sequence} restart with ${far}`);
  }
  yield { ...owner('removed a sport', `delete from sports where key = 'wnba'`), covered: false };
  yield owner(
    'moved a start past the log',
    'alter table games disable trigger user',
    `update games set starts_at = starts_at + interval '1 day' where starts_at > clock_timestamp()`,
  );
}

const inherent = (sentence: string): Remains => ({ result: 'inherent', sentence });
const strangers = (sentence: string): Remains => ({ result: 'found by strangers', sentence });

/** False rows that a login can store, because it stores such rows by right. */
export function* remainingAttacks({ upcoming }: Pick<World, 'upcoming'>): Generator<Attack> {
  const scores = inherent(
    'Scores, results, statistics, and prices are the word of the operator and the providers that the operator chose.',
  );
  yield {
    kind: 'fed a false price',
    login: 'operator',
    statements: [
      `insert into lines (game_id, market, side, odds_american, captured_at, closing, book)
       select id, 'moneyline', 'home', 900, date_trunc('milliseconds', clock_timestamp()), false, 'forged' from games where name = '${upcoming.game}'`,
    ],
    remains: scores,
  };
  yield {
    kind: 'fed a false score',
    login: 'operator',
    statements: [
      `insert into games (sport, name, announced_start, starts_at, status, home_score, away_score, final_at, announced_at)
       select 'nba', 'Forgers @ Bears', at, at, 'final', 99, 0, at + interval '2 hours', at
       from (select date_trunc('milliseconds', clock_timestamp()) - interval '1 day' as at) t`,
    ],
    remains: scores,
  };
  yield {
    kind: 'fed a false result',
    login: 'operator',
    statements: [
      `insert into results (game_id, market, side, result, final_at)
       select id, 'forged', 'home', 'win', date_trunc('milliseconds', clock_timestamp()) from games order by id limit 1`,
    ],
    remains: scores,
  };
  yield {
    kind: 'raised a tier',
    login: 'operator',
    statements: [`update cappers set tier = 'elite' where id = (select max(id) from cappers)`],
    remains: inherent(
      'Tiers and verification are the word of the operator; a pick keeps, in its hash, the tier that its capper had.',
    ),
  };
  yield {
    kind: 'posted a false notice',
    login: 'operator',
    statements: [
      `insert into notices (at, topic, text) values (date_trunc('milliseconds', clock_timestamp()), 'remark', 'All of it is true.')`,
    ],
    remains: inherent('A notice says what the operator wants, under the key of the log.'),
  };
  yield {
    kind: 'moved a start',
    login: 'operator',
    statements: [
      `update games set starts_at = starts_at + interval '3 days' where starts_at > clock_timestamp()`,
    ],
    remains: strangers(
      'A moved start is an entry of the log; monitors compare every live pick with all starts of its game.',
    ),
  };
  yield {
    kind: 'whitewashed status_days',
    login: 'status',
    statements: ['update status_days set ok = ok + down + degraded, degraded = 1, down = 0'],
    remains: inherent('The history of checks and incidents is the word of the status worker.'),
  };
  yield {
    kind: 'dropped world_changes',
    login: 'boards',
    statements: [`delete from world_changes where subject <> 'prices'`],
    remains: inherent(
      'The login of the boards worker may drop news of a renamed capper or a moved game; answers about them stay as they were until the next event.',
    ),
  };
  yield {
    kind: 'forgot idempotency keys',
    login: 'operator',
    statements: ['delete from pick_requests'],
    remains: inherent(
      "The login of the operator's port may forget an idempotency key; a client that repeats its request then posts twice.",
    ),
  };
  yield {
    kind: 'removed a subscription',
    login: 'webhooks',
    statements: [`delete from webhook_subscriptions`],
    remains: strangers(
      'A subscription that was removed or set forward shows to its receiver, whose deliveries end or skip.',
    ),
  };
  yield {
    kind: 'dropped priced_games',
    login: 'grading',
    statements: ['delete from priced_games'],
    remains: inherent('Disposable rows may be lost without harm.'),
  };
}

const logTables = ['ledger_entries', 'ledger_nodes', 'checkpoints'];

/** An unsettled pick of the past gets better odds, and the owner seals and signs the whole log again, with or without the store. */
export function* rewrittenLogs({ publisher, checkpointFile }: World): Generator<Attack> {
  const seen = parseCheckpoint(parseNote(readFileSync(checkpointFile, 'utf8')).text);
  for (const storeToo of [false, true])
    yield {
      kind: storeToo ? 'rewrote and signed the log and its store' : 'rewrote and signed the log',
      login: 'owner',
      covered: true,
      storeToo,
      statements: [
        ...[...logTables, 'picks', 'unsealed_events'].map(
          (table) => `alter table ${table} disable trigger user`,
        ),
        `create temp table sealed on commit drop as
           select seq, kind, coalesce(pick_id, notice_id, move_id, capper_key_id, join_id, prices_id, data_id) as id from ledger_entries where kind <> 'key'`,
        `create temp table waiting on commit drop as select * from unsealed_events`,
        `update picks set odds_american = 900
           where id = (select max(id) from picks where provenance = 'live' and id in (select pick_id from pending_picks))`,
        'delete from unsealed_events',
        'delete from checkpoint_times',
        ...logTables.map((table) => `delete from ${table}`),
        'insert into unsealed_events (kind, subject_id) select kind, id from sealed order by seq',
        'insert into unsealed_events (kind, subject_id) select kind, subject_id from waiting order by id',
      ],
      async afterwards(transaction: Transaction) {
        await sealAll(transaction);
        await publishCheckpoint(transaction, { ...publisher, store: undefined }, Date.now());
        await updateProjections(transaction);
        await rebuildProjections(transaction);
        // Anyone who has kept a checkpoint can compare.
        if (equalBytes(await rootAt(transaction, seen.size), seen.root))
          throw new Error('the rewritten log extends the published one');
      },
      ...(storeToo && {
        remains: strangers(
          'A log that was rewritten and signed again contradicts the checkpoints that monitors and witnesses keep.',
        ),
      }),
    };
}
