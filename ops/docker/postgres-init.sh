#!/bin/sh
# Makes the login that the programs use: it reads and calls functions, and owns nothing. Run by the image
# of PostgreSQL once, when its data folder is new; with a database of your own, do the same there.
set -eu
psql --set=ON_ERROR_STOP=1 --set=password="$DARKROOM_APP_PASSWORD" \
  --username="$POSTGRES_USER" --dbname="$POSTGRES_DB" <<'SQL'
create role darkroom_app login password :'password';
SQL
