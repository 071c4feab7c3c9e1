-- The transparency log. Events are written to log_outbox with the change that they are about,
-- and become leaves later, exactly once and in the order of their numbers. Hashes are those of
-- RFC 6962; tiles are 256 hashes wide, and the last one of each level grows. Full bundles of
-- 256 leaves are packed. There is a row in log_state while there is a log.

-- +goose Up
CREATE TABLE log_state (
    id     INTEGER NOT NULL PRIMARY KEY,
    active INTEGER NOT NULL,
    origin TEXT    NOT NULL,
    size   INTEGER NOT NULL,
    root   BLOB    NOT NULL,
    cursor INTEGER NOT NULL  -- the number of the last leaf
) STRICT;
CREATE TABLE log_outbox (
    number  INTEGER NOT NULL PRIMARY KEY,
    subject BLOB    NOT NULL, -- the hash of the subject
    body    BLOB    NOT NULL
) STRICT;
CREATE INDEX log_outbox_subject ON log_outbox (subject);
CREATE TABLE log_leaves ( -- those that are in no full bundle yet
    place INTEGER NOT NULL PRIMARY KEY,
    leaf  BLOB    NOT NULL
) STRICT;
CREATE TABLE log_bundles (
    place  INTEGER NOT NULL PRIMARY KEY,
    packed BLOB    NOT NULL
) STRICT;
CREATE TABLE log_tiles (
    level INTEGER NOT NULL,
    place INTEGER NOT NULL,
    data  BLOB    NOT NULL,
    PRIMARY KEY (level, place)
) STRICT;
CREATE TABLE log_subjects ( -- the newest leaf of each
    subject BLOB    NOT NULL PRIMARY KEY,
    place   INTEGER NOT NULL,
    hash    BLOB    NOT NULL
) STRICT, WITHOUT ROWID;
CREATE TABLE log_numbers (
    number INTEGER NOT NULL PRIMARY KEY,
    place  INTEGER NOT NULL
) STRICT;
CREATE TABLE log_checkpoints (
    size INTEGER NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL,
    note BLOB    NOT NULL
) STRICT;
