-- The service itself: its status, its logins, and the demo.

create table status_watch (
  id int primary key check (id = 1),
  state jsonb not null,
  written_at instant not null,
  holder uuid not null,
  held_until instant not null
);
comment on table status_watch is 'One row: the state of the status worker after its last round, leased to one worker.';

create table status_incidents (
  id uuid primary key,
  check_name plain_text not null check (char_length(check_name) between 1 and 200),
  title plain_text not null check (char_length(title) between 1 and 200),
  status text not null check (status in ('degraded', 'down')),
  worst text not null check (worst in ('degraded', 'down')),
  message text not null,
  affects text[] not null,
  opened_at instant not null,
  closed_at instant check (closed_at >= opened_at),
  told_status text check (told_status in ('degraded', 'down')),
  told_at instant,
  recovery_told_at instant
);
comment on table status_incidents is 'Incidents, and the messages about each that the chat channel received.';

create index status_incidents_by_closing on status_incidents (closed_at);
create unique index status_incidents_open on status_incidents (check_name) where closed_at is null;

create table status_days (
  name text not null,
  day day not null,
  ok int not null,
  degraded int not null,
  down int not null,
  primary key (day, name)
);
comment on table status_days is 'Rounds by outcome, per check and day.';

create table demo_progress (
  id int primary key check (id = 1),
  until instant not null
);
comment on table demo_progress is 'The progress of a demo. Empty in other logs.';

create table login_roles (
  login slug primary key,
  role name not null unique
);
comment on table login_roles is 'The role of each process. `migrate` writes it.';
