/** What to know of a check when it is not ok. Sentences: alerts and docs/operations.md show them. */
export interface Entry {
  means: string;
  /** What readers notice. */
  readers: string;
  lookAt: string;
  /** What to try first. */
  first: string;
}

/** By the name of a check, or by the part of it that several have in common. */
export const runbook: Readonly<Record<string, Entry>> = {
  database: {
    means: 'PostgreSQL answers slowly or not at all.',
    readers:
      'Boards stay as they were, and pages that nobody has asked for yet are not available. Nothing can be posted.',
    lookAt: "PostgreSQL's log, its disk, `pg_stat_activity` for long transactions and used-up connections.",
    first: 'Free the disk or end the query that blocks; else fail over. Processes reconnect by themselves.',
  },
  redis: {
    means: 'Redis answers slowly or not at all, or its eviction policy may throw jobs away.',
    readers: 'Pages are slower; new picks, results and webhooks may come late.',
    lookAt: '`redis-cli info memory`, its log, its host.',
    first: 'Restart it, or point `REDIS_URL` at another one: it may be empty.',
  },
  'last-pick': {
    means: 'Games were open for betting, and no pick came.',
    readers: 'Boards show nothing new.',
    lookAt: 'The operator\'s page (`/`), logs of what posts picks, the "refused" list.',
    first: 'Ask the cappers, or those who forward their picks; post one by hand to see that it works.',
  },
  'last-settlement': {
    means: 'Games with pending picks are over, and none of their picks settled.',
    readers: 'Finished games stay pending; records stand still.',
    lookAt: '`npm run cli -- waiting`, `npm run cli -- sources`, the log of `grading`.',
    first: "If a source is silent, set the scores on the operator's page.",
  },
  sealing: {
    means: 'Events are stored and do not get their place in the log.',
    readers: 'New picks and results are not yet on boards, in receipts or in webhooks.',
    lookAt: 'The log of `sealing`; `pg_stat_activity` for who locks `sealing_locks`.',
    first: 'Restart the sealing worker.',
  },
  'events-set-aside': {
    means: 'An event cannot be sealed and was set aside, so that the others go on.',
    readers: 'A pick, a closing price or a result is missing from the log.',
    lookAt: 'The table `events_set_aside` and the log of `sealing`, which say why.',
    first: 'Repair what the reason names; do not delete the row. It is sealed once it can be.',
  },
  checkpoint: {
    means: 'Sealed entries have no signed checkpoint, or the publisher refuses to sign.',
    readers: 'New picks cannot be verified yet. Boards are right.',
    lookAt:
      "The check's message: missing witnesses, `CHECKPOINT_STORE`, the signer, or a log that does not extend what was signed.",
    first:
      'Bring back what the message names. After a restore that lost entries: restore the missing ones, or `new-origin`.',
  },
  closings: {
    means: 'A game has started, its closing price is known, and its picks are not closed.',
    readers: 'Closing prices and CLV are missing.',
    lookAt: 'The log and the queue of `grading`.',
    first: 'Restart the grading worker.',
  },
  gradings: {
    means: 'A result is known, and picks on it are not settled.',
    readers: 'Settled picks look pending.',
    lookAt: 'The log and the queue of `grading`.',
    first: 'Restart the grading worker.',
  },
  results: {
    means: 'A game should be over, and nothing says how it ended.',
    readers: 'Picks on a finished game stay pending.',
    lookAt: '`npm run cli -- waiting`: postponed, cancelled, or a source that does not list it.',
    first: "Set the score, or the game's status, on the operator's page.",
  },
  'disputed-scores': {
    means: 'Sources contradict each other about a result; nothing is graded until they agree.',
    readers: 'Picks on a game stay pending, because sources contradict each other about its score.',
    lookAt: '`npm run cli -- waiting` shows what each source says.',
    first: "Look at the league's own site, then set the score on the operator's page.",
  },
  feeds: {
    means: "A provider's feed fails or is late.",
    readers: 'Games, prices or scores come late, if no other source has them.',
    lookAt: '`npm run cli -- sources`: last answer, what was left out, credits.',
    first: '`npm run cli -- sources try <source> <league>`; check key and credits. It may be the provider.',
  },
  fanout: {
    means: 'No cycle of the webhook fanout has begun.',
    readers: 'No webhooks are sent.',
    lookAt: 'The log of `webhooks`, and its queue.',
    first: 'Restart the webhooks worker.',
  },
  deliveries: {
    means: 'Healthy receivers wait for events.',
    readers: 'Webhooks come late.',
    lookAt: '`public_picks_webhook_attempts_last_hour`, the queue `webhooks`.',
    first: 'Start more webhooks workers.',
  },
  workers: {
    means: 'A queue has no worker.',
    readers: 'New picks, results or webhooks may be missing.',
    lookAt: 'Whether the process runs, and why it ended.',
    first: 'Start it again. If it ends at once its log says which setting or store is missing.',
  },
  jobs: {
    means: 'Jobs of a queue fail, stall, or wait for long.',
    readers: 'New picks, results or webhooks may come late.',
    lookAt: "Bull Board (`/queues` on the operator's port): the reason of the failed jobs.",
    first: 'If jobs only wait, start more workers of that queue. They are repeated by themselves.',
  },
  'boards-lag': {
    means: 'The boards worker is behind the log.',
    readers: 'Boards are behind: new picks and settlements are missing.',
    lookAt: 'The log of `boards`, `pg_stat_activity` for its queries.',
    first: 'Restart the boards worker. If an import is under way it catches up by itself.',
  },
  board: {
    means: 'A board that is computed ahead is beyond its lifetime.',
    readers: 'A board is slow, or old for a moment.',
    lookAt: 'The log of `boards`: which board fails, and why.',
    first: 'Restart the boards worker.',
  },
  cdn: {
    means: 'A cache in front does not take purges.',
    readers: 'New picks and results may show only after some minutes.',
    lookAt: 'The log of `boards` names the host and what it answers; the table `outlets`.',
    first:
      'Check `CDN_PURGE_URL`, `CDN_PURGE_HEADER` and the address that it allows. What was missed is sent once it answers.',
  },
  'log-files': {
    means: 'The published log cannot be written to `LOG_FILES`.',
    readers: 'The published copy of the log is behind.',
    lookAt:
      'The log of `sealing`, the table `outlets`: disk full, rights, a bucket that is away, or files of another log.',
    first:
      'Make room or repair the rights; it goes on by itself. Empty the folder or the prefix if it is of another log.',
  },
  'status-worker': {
    means: 'The status worker is silent: checks are not made.',
    readers: 'The status of the service is not up to date. The service itself may be well.',
    lookAt: 'Whether the process runs; its log.',
    first: 'Restart the status worker.',
  },
};

/** The entry of a check: its own, or that of its kind (`workers-ingest`, `board:/api/pod`). */
export function entryOf(check: string): Entry | undefined {
  const kind = check.startsWith('board:') ? 'board' : check.replace(/^(workers|jobs)-.*$/, '$1');
  return runbook[kind];
}
