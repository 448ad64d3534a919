import type { Knex } from 'knex';
import * as ledger from './20260101000000_ledger.ts';
import * as pickOfTheDay from './20260102000000_pick_of_the_day.ts';
import * as demo from './20260103000000_demo.ts';
import * as tree from './20260104000000_tree.ts';
import * as webhooks from './20260105000000_webhooks.ts';
import * as status from './20260106000000_status.ts';
import * as publishing from './20260107000000_publishing.ts';
import * as sources from './20260108000000_sources.ts';
import * as restingCursors from './20260109000000_resting_cursors.ts';
import * as gameNames from './20260110000000_game_names.ts';
import * as declaredMarkets from './20260111000000_declared_markets.ts';
import * as publisherLease from './20260112000000_publisher_lease.ts';
import * as platforms from './20260113000000_platforms.ts';
import * as comments from './20260115000000_comments.ts';
import * as logins from './20260201000000_logins.ts';
import * as provenance from './20260202000000_provenance.ts';
import * as bodyVersion from './20260202010000_body_version.ts';
import * as sealedInTime from './20260202020000_sealed_in_time.ts';
import { logKind } from './20260203000000_log_kind.ts';
import * as rules from './20260203000001_rules.ts';
import * as refusals from './20260203000002_refusals.ts';
import * as witnessQuorum from './20260204000000_witness_quorum.ts';
import * as webhookProof from './20260205000000_webhook_proof.ts';
import * as auditable from './20260206000000_auditable.ts';
import * as finiteInstants from './20260206000001_finite_instants.ts';
import * as eventsSetAside from './20260207000000_events_set_aside.ts';
import * as locks from './20260211000000_locks.ts';
import * as vanishedEvents from './20260212000000_vanished_events.ts';
import * as listedEvents from './20260212000001_listed_events.ts';
import * as sourceScores from './20260213000000_source_scores.ts';
import * as dueGames from './20260214000000_due_games.ts';
import * as edges from './20260215000000_edges.ts';
import * as edgesFilled from './20260215000001_edges_filled.ts';
import * as totals from './20260217000000_totals.ts';
import * as oddsApiCalls from './20260218000000_odds_api_calls.ts';
import * as posting from './20260301000000_posting.ts';
import * as boundedReads from './20260302000000_bounded_reads.ts';
import * as lanes from './20260303000000_lanes.ts';
import * as search from './20260304000000_search.ts';
import * as operatorActions from './20260306000000_operator_actions.ts';
import * as homeKnown from './20260307000000_home_known.ts';
import * as pause from './20260308000000_pause.ts';
import * as postingFunctions from './20260311000000_posting_functions.ts';
import * as roomForVersions from './20260311000001_room_for_versions.ts';
import * as outlets from './20260312000000_outlets.ts';
import * as slugs from './20260313000000_slugs.ts';
import * as repeatedPrices from './20260322000000_repeated_prices.ts';
import * as pricedGamesListed from './20260322000001_priced_games_listed.ts';
import * as references from './20260323000000_references.ts';
import * as postPicksAtOnce from './20260323000001_post_picks_at_once.ts';
import * as unsealedLookUps from './20260326000000_unsealed_look_ups.ts';
import * as storedNodes from './20260403000000_stored_nodes.ts';
import * as deliveriesAtOnce from './20260406000000_deliveries_at_once.ts';
import * as bands from './20260407000000_bands.ts';
import * as sharedGames from './20260407000001_shared_games.ts';
import * as knownWords from './20260407000002_known_words.ts';
import * as readFromIndexes from './20260408000000_read_from_indexes.ts';
import * as searchedNames from './20260408000001_searched_names.ts';
import * as clvParts from './20260408000002_clv_parts.ts';
import * as blocksByTime from './20260408000003_blocks_by_time.ts';
import * as genericPostPicks from './20260408000020_generic_post_picks.ts';
import * as rowByRow from './20260409000000_row_by_row.ts';
import * as importedBesideGrading from './20260409000001_imported_beside_grading.ts';
import * as lastLineReadAtOnce from './20260409000002_last_line_read_at_once.ts';
import * as knownNamesLookedUp from './20260409000003_known_names_looked_up.ts';
import * as capperSides from './20260410000000_capper_sides.ts';
import * as noIndexOfSharedGames from './20260410000001_no_index_of_shared_games.ts';
import * as storeLivePicks from './20260410000011_store_live_picks.ts';
import * as plainActionChecks from './20260410000012_plain_action_checks.ts';
import * as plainActionChecksValidated from './20260410000013_plain_action_checks_validated.ts';
import * as capperGames from './20260411000000_capper_games.ts';
import * as picksOfGamesByTime from './20260411000001_picks_of_games_by_time.ts';
import * as notedDeliveries from './20260412000000_noted_deliveries.ts';

interface Named {
  name: string;
  migration: Knex.Migration;
}

/** The migrations in order. Names must not change: databases record them. */
const list = (kind: string): Named[] => [
  { name: '20260101000000_ledger', migration: ledger },
  { name: '20260102000000_pick_of_the_day', migration: pickOfTheDay },
  { name: '20260103000000_demo', migration: demo },
  { name: '20260104000000_tree', migration: tree },
  { name: '20260105000000_webhooks', migration: webhooks },
  { name: '20260106000000_status', migration: status },
  { name: '20260107000000_publishing', migration: publishing },
  { name: '20260108000000_sources', migration: sources },
  { name: '20260109000000_resting_cursors', migration: restingCursors },
  { name: '20260110000000_game_names', migration: gameNames },
  { name: '20260111000000_declared_markets', migration: declaredMarkets },
  { name: '20260112000000_publisher_lease', migration: publisherLease },
  { name: '20260113000000_platforms', migration: platforms },
  { name: '20260115000000_comments', migration: comments },
  { name: '20260201000000_logins', migration: logins },
  { name: '20260202000000_provenance', migration: provenance },
  { name: '20260202010000_body_version', migration: bodyVersion },
  { name: '20260202020000_sealed_in_time', migration: sealedInTime },
  { name: '20260203000000_log_kind', migration: logKind(kind) },
  { name: '20260203000001_rules', migration: rules },
  { name: '20260203000002_refusals', migration: refusals },
  { name: '20260204000000_witness_quorum', migration: witnessQuorum },
  { name: '20260205000000_webhook_proof', migration: webhookProof },
  { name: '20260206000000_auditable', migration: auditable },
  { name: '20260206000001_finite_instants', migration: finiteInstants },
  { name: '20260207000000_events_set_aside', migration: eventsSetAside },
  { name: '20260211000000_locks', migration: locks },
  { name: '20260212000000_vanished_events', migration: vanishedEvents },
  { name: '20260212000001_listed_events', migration: listedEvents },
  { name: '20260213000000_source_scores', migration: sourceScores },
  { name: '20260214000000_due_games', migration: dueGames },
  { name: '20260215000000_edges', migration: edges },
  { name: '20260215000001_edges_filled', migration: edgesFilled },
  { name: '20260217000000_totals', migration: totals },
  { name: '20260218000000_odds_api_calls', migration: oddsApiCalls },
  { name: '20260301000000_posting', migration: posting },
  { name: '20260302000000_bounded_reads', migration: boundedReads },
  { name: '20260303000000_lanes', migration: lanes },
  { name: '20260304000000_search', migration: search },
  { name: '20260306000000_operator_actions', migration: operatorActions },
  { name: '20260307000000_home_known', migration: homeKnown },
  { name: '20260308000000_pause', migration: pause },
  { name: '20260311000000_posting_functions', migration: postingFunctions },
  { name: '20260311000001_room_for_versions', migration: roomForVersions },
  { name: '20260312000000_outlets', migration: outlets },
  { name: '20260313000000_slugs', migration: slugs },
  { name: '20260322000000_repeated_prices', migration: repeatedPrices },
  { name: '20260322000001_priced_games_listed', migration: pricedGamesListed },
  { name: '20260323000000_references', migration: references },
  { name: '20260323000001_post_picks_at_once', migration: postPicksAtOnce },
  { name: '20260326000000_unsealed_look_ups', migration: unsealedLookUps },
  { name: '20260403000000_stored_nodes', migration: storedNodes },
  { name: '20260406000000_deliveries_at_once', migration: deliveriesAtOnce },
  { name: '20260407000000_bands', migration: bands },
  { name: '20260407000001_shared_games', migration: sharedGames },
  { name: '20260407000002_known_words', migration: knownWords },
  { name: '20260408000000_read_from_indexes', migration: readFromIndexes },
  { name: '20260408000001_searched_names', migration: searchedNames },
  { name: '20260408000002_clv_parts', migration: clvParts },
  { name: '20260408000003_blocks_by_time', migration: blocksByTime },
  { name: '20260408000020_generic_post_picks', migration: genericPostPicks },
  { name: '20260409000000_row_by_row', migration: rowByRow },
  { name: '20260409000001_imported_beside_grading', migration: importedBesideGrading },
  { name: '20260409000002_last_line_read_at_once', migration: lastLineReadAtOnce },
  { name: '20260409000003_known_names_looked_up', migration: knownNamesLookedUp },
  { name: '20260410000000_capper_sides', migration: capperSides },
  { name: '20260410000001_no_index_of_shared_games', migration: noIndexOfSharedGames },
  { name: '20260410000011_store_live_picks', migration: storeLivePicks },
  { name: '20260410000012_plain_action_checks', migration: plainActionChecks },
  { name: '20260410000013_plain_action_checks_validated', migration: plainActionChecksValidated },
  { name: '20260411000000_capper_games', migration: capperGames },
  { name: '20260411000001_picks_of_games_by_time', migration: picksOfGamesByTime },
  { name: '20260412000000_noted_deliveries', migration: notedDeliveries },
];

/** The migrations. @param kind of a log that begins with them: `live`, `replay` or `demo` */
export function migrationsFor(kind: string): Knex.MigrationSource<Named> {
  return {
    getMigrations: () => Promise.resolve(list(kind)),
    getMigrationName: ({ name }) => name,
    getMigration: ({ migration }) => Promise.resolve(migration),
  };
}
