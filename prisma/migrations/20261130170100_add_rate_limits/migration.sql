-- How often something was tried of late. The columns are those that rate-limiter-flexible works with
-- (https://github.com/animir/node-rate-limiter-flexible/wiki/PostgreSQL); it is told not to make the table.
-- Keys are keyed digests: neither an address nor an e-mail is stored. An older program counts nothing.

create table rate_limit (
  key    text primary key constraint rate_limit_key_bounded check (
           char_length(key) between 1 and 255),
  points int not null default 0,
  -- Milliseconds since 1970, as the library writes it.
  expire bigint
);
create index rate_limit_expired on rate_limit (expire);

grant select, insert, update, delete on rate_limit to darkroom_app;
