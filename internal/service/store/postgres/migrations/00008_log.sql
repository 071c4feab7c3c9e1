-- The transparency log. Events are written to log_outbox with the change that they are about,
-- and become leaves later, exactly once and in the order of their numbers. Hashes are those of
-- RFC 6962; tiles are 256 hashes wide, and the last one of each level grows. Full bundles of
-- 256 leaves are packed. There is a row in log_state while there is a log.

-- +goose Up
CREATE TABLE log_state (
    id     BIGINT NOT NULL PRIMARY KEY,
    active BOOLEAN NOT NULL,
    origin TEXT COLLATE "C" NOT NULL,
    size   BIGINT NOT NULL,
    root   BYTEA   NOT NULL,
    cursor BIGINT NOT NULL  -- the number of the last leaf
);
CREATE TABLE log_outbox (
    number  BIGINT NOT NULL PRIMARY KEY,
    subject BYTEA   NOT NULL, -- the hash of the subject
    body    BYTEA   NOT NULL
);
CREATE INDEX log_outbox_subject ON log_outbox (subject);
CREATE TABLE log_leaves ( -- those that are in no full bundle yet
    place BIGINT NOT NULL PRIMARY KEY,
    leaf  BYTEA   NOT NULL
);
CREATE TABLE log_bundles (
    place  BIGINT NOT NULL PRIMARY KEY,
    packed BYTEA   NOT NULL
);
CREATE TABLE log_tiles (
    level BIGINT NOT NULL,
    place BIGINT NOT NULL,
    data  BYTEA   NOT NULL,
    PRIMARY KEY (level, place)
);
CREATE TABLE log_subjects ( -- the newest leaf of each
    subject BYTEA   NOT NULL PRIMARY KEY,
    place   BIGINT NOT NULL,
    hash    BYTEA   NOT NULL
);
CREATE TABLE log_numbers (
    number BIGINT NOT NULL PRIMARY KEY,
    place  BIGINT NOT NULL
);
CREATE TABLE log_checkpoints (
    size BIGINT NOT NULL PRIMARY KEY,
    at   BIGINT NOT NULL,
    note BYTEA   NOT NULL
);
