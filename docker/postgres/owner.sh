#!/bin/sh
# Run once by the image of PostgreSQL, when it makes its cluster: the role that owns the tables. It may make the logins of the processes
# (CREATEROLE) and is no superuser; the superuser is for the administrator alone.
set -eu
psql --username "$POSTGRES_USER" --dbname postgres --set ON_ERROR_STOP=1 --set password="$OWNER_PASSWORD" <<'SQL'
create role picks_owner login createrole password :'password';
create database picks owner picks_owner;
revoke all on database picks from public;
SQL
