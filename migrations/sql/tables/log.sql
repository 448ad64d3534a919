-- The log, its tree, and its publication.

create table log_kind (
  id int primary key check (id = 1),
  kind text not null check (kind in ('live', 'replay', 'demo'))
);
comment on table log_kind is 'One row: whether the log is live, a replay of past days, or a demo. Chosen when the database is created.';

create trigger log_kind_append_only before update or delete or truncate on log_kind
  for each statement execute function refuse_change();

create table ledger_origin (
  id int primary key check (id = 1),
  origin text not null,
  continues text[] not null default '{}'
);
comment on table ledger_origin is 'One row: the origin of the log, stored at the first start.';
comment on column ledger_origin.continues is 'Verifier keys of the earlier logs that new-origin continued, newest first. Statements that cappers signed for them count here.';

create trigger ledger_origin_append_only before update or delete or truncate on ledger_origin
  for each statement execute function refuse_change();

create table signing_keys (
  id int primary key check (id > 0),
  vkey text not null unique,
  note text,
  check ((id = 1) = (note is null))
);
comment on table signing_keys is 'The signing keys of the log, oldest first.';
comment on column signing_keys.note is 'The announcement, signed by the previous key and by this one. The first key has none.';

create trigger signing_keys_append_only before update or delete or truncate on signing_keys
  for each statement execute function refuse_change();
create trigger key_announced after insert on signing_keys
  for each row when (new.note is not null) execute function queue_event('key');

create table price_batches (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  from_seq seq not null unique check (from_seq > 0),
  to_seq seq not null unique check (to_seq between from_seq and from_seq + 99999),
  root sha256_hash not null,
  rows bytea not null check (octet_length(rows) between 1 and 16777216),
  at instant not null default clock_timestamp()
);
comment on table price_batches is 'Numbered prices. Each batch is an entry of the log, before those of all events that used its prices.';
comment on column price_batches.from_seq is 'The price_seq of the first row.';
comment on column price_batches.root is 'The root of the Merkle tree over the rows.';
comment on column price_batches.rows is
  'The canonical rows, one a line, compressed (raw deflate). They stay after repeated prices were removed from lines.';

create trigger check_price_batch after insert on price_batches
  for each row execute function check_price_batch();
create trigger price_batches_append_only before update or delete or truncate on price_batches
  for each statement execute function refuse_change();

create table data_indexes (
  id bigint generated always as identity primary key check (id between 1 and 9007199254740991),
  note text not null check (octet_length(note) between 1 and 4194304)
);
comment on table data_indexes is 'The signed indexes of the data files. Each is an entry of the log, and repeats the lines of the one before.';

create trigger data_indexed after insert on data_indexes
  for each row execute function queue_event('data');
create trigger data_indexes_append_only before update or delete or truncate on data_indexes
  for each statement execute function refuse_change();

create table ledger_entries (
  seq seq primary key,
  kind event_kind not null,
  pick_id id references picks,
  notice_id id references notices,
  key_id int references signing_keys,
  move_id id references start_moves,
  capper_key_id id references capper_keys,
  join_id id references game_joins,
  prices_id id references price_batches,
  data_id id references data_indexes,
  prices_to seq check (prices_to is null or prices_to > 0 and kind in ('closed', 'settled')),
  uuid uuid,
  capper text,
  capper_seq int check (capper_seq > 0),
  capper_prev sha256_hash,
  hash sha256_hash not null,
  prev sha256_hash,
  leaf_hash sha256_hash not null,
  body text,
  unique (pick_id, kind),
  check ((kind in ('posted', 'closed', 'settled')) = (pick_id is not null)),
  check ((kind = 'notice') = (notice_id is not null)),
  check ((kind = 'key') = (key_id is not null)),
  check ((kind = 'start_moved') = (move_id is not null)),
  check ((kind = 'capper_key') = (capper_key_id is not null)),
  check ((kind = 'game_joined') = (join_id is not null)),
  check ((kind = 'prices') = (prices_id is not null)),
  check ((kind = 'data') = (data_id is not null)),
  check ((kind in ('posted', 'closed', 'settled')) = (body is null)),
  check (pick_id is null or (uuid is not null and capper is not null and capper_seq is not null)),
  check (prev is not null or kind not in ('closed', 'settled')),
  check (capper_prev is null or kind = 'posted')
);
comment on table ledger_entries is 'The log: one row per event, numbered densely in sealing order.';
comment on column ledger_entries.capper_seq is 'Counts the picks of the capper from 1, in sealing order.';
comment on column ledger_entries.capper_prev is 'The hash of the capper''s previous pick.';
comment on column ledger_entries.hash is 'The hash of the body.';
comment on column ledger_entries.prices_to is 'The price_seq of the last price that a closing or settlement could use.';
comment on column ledger_entries.prev is 'The hash of the pick''s previous event.';
comment on column ledger_entries.leaf_hash is 'The leaf of the Merkle tree: the hash of the entry.';
comment on column ledger_entries.body is 'The body of an entry that does not belong to a pick. Bodies of picks derive from their tables.';

create index ledger_entries_by_hash on ledger_entries (substring(hash from 1 for 8));
create unique index ledger_entries_by_capper on ledger_entries (capper, capper_seq) where kind = 'posted';
create unique index ledger_entries_by_key on ledger_entries (key_id) where key_id is not null;
create unique index ledger_entries_by_move on ledger_entries (move_id) where move_id is not null;
create unique index ledger_entries_by_capper_key on ledger_entries (capper_key_id) where capper_key_id is not null;
create unique index ledger_entries_by_join on ledger_entries (join_id) where join_id is not null;
create unique index ledger_entries_by_prices on ledger_entries (prices_id) where prices_id is not null;
create unique index ledger_entries_by_data on ledger_entries (data_id) where data_id is not null;
create unique index ledger_entries_by_notice on ledger_entries (notice_id) where notice_id is not null;

create trigger check_entries after insert on ledger_entries referencing new table as added
  for each statement execute function check_entries();
create constraint trigger check_tile after insert on ledger_entries deferrable initially deferred
  for each row when ((new.seq + 1) % 256 = 0) execute function check_tile();
create trigger ledger_entries_append_only before update or delete or truncate on ledger_entries
  for each statement execute function refuse_change();

create table ledger_nodes (
  level smallint not null check (level > 0),
  index seq not null,
  hash sha256_hash not null,
  primary key (level, index)
);
comment on table ledger_nodes is 'Roots of the full tiles of the Merkle tree, at levels 8, 16, and so on.';

create trigger check_nodes after insert on ledger_nodes
  for each row execute function check_nodes();
create trigger ledger_nodes_append_only before update or delete or truncate on ledger_nodes
  for each statement execute function refuse_change();

create table checkpoints (
  size seq primary key check (size > 0),
  root sha256_hash not null,
  note text not null,
  previous seq unique nulls not distinct references checkpoints check (previous < size),
  check (split_part(note, e'\n', 2) = size::text and split_part(note, e'\n', 3) = encode(root, 'base64'))
);
comment on table checkpoints is 'Signed checkpoints, with their cosignatures at publication.';
comment on column checkpoints.previous is 'The size of the previous checkpoint. Each checkpoint has at most one successor, so checkpoints form one chain.';

create trigger check_checkpoint after insert on checkpoints
  for each row execute function check_checkpoint();
create trigger checkpoints_append_only before update or delete or truncate on checkpoints
  for each statement execute function refuse_change();

create table checkpoint_times (
  size seq primary key references checkpoints,
  signed_at instant not null,
  cosignatures int not null default 0 check (cosignatures >= 0),
  witnessed_at instant,
  check (witnessed_at is null or cosignatures > 0)
);
comment on table checkpoint_times is 'When each checkpoint was signed and cosigned, according to its note. The audit compares both.';
comment on column checkpoint_times.cosignatures is 'Number of witnesses that had cosigned the checkpoint at publication.';
comment on column checkpoint_times.witnessed_at is
  'When WITNESS_QUORUM witnesses had cosigned it, by their clocks. Null without a quorum. Only this time supports the claim "before the game".';

create table earlier_seals (
  pick_id id primary key references picks,
  signed_at instant not null,
  witnessed_at instant
);
comment on table earlier_seals is
  'When the first checkpoint that covered a pick was signed and witnessed, for picks that an earlier log covered. `new-origin` fills it from that log.';

create trigger earlier_seals_append_only before update or delete or truncate on earlier_seals
  for each statement execute function refuse_change();

create table witness_keys (
  vkey text primary key
);
comment on table witness_keys is 'Keys of witnesses that have cosigned a checkpoint.';

create trigger witness_keys_append_only before update or delete or truncate on witness_keys
  for each statement execute function refuse_change();

create table publisher_lease (
  id int primary key check (id = 1),
  holder uuid not null,
  until instant not null
);
comment on table publisher_lease is 'One row: the process that publishes the next checkpoint, and the expiry of its lease. No transaction is open while it asks witnesses.';

create table publisher_refusals (
  id int generated always as identity primary key check (id > 0),
  kind text not null default 'refused' check (kind in ('refused', 'withheld', 'conflict')),
  since instant not null,
  reason text not null,
  cleared_at instant
);
comment on table publisher_refusals is 'Reasons why the publisher does not publish.';
comment on column publisher_refusals.kind is
  'refused: it does not sign. withheld: too few witnesses have cosigned. conflict: a witness has cosigned a different tree.';

create unique index publisher_refusals_open on publisher_refusals (kind) where cleared_at is null;

create table sealing_locks (
  name text primary key
);
comment on table sealing_locks is 'Rows that sealing and publishing lock while they work.';

insert into sealing_locks values ('sealing'), ('publishing');

create trigger sealing_locks_append_only before update or delete or truncate on sealing_locks
  for each statement execute function refuse_change();
