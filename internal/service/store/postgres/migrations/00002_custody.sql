-- What is known about publishers and files over time. "record" columns are packed JSON
-- of the types of package custody. A URL may be too long for an index, so files are found
-- by its SHA-256. Numbers of versions, places and events come from custody_store.

-- +goose Up
CREATE TABLE custody_publishers (
    domain       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    revision     BIGINT NOT NULL,
    due          BIGINT NOT NULL,
    held         BOOLEAN NOT NULL, -- a move waits
    record       BYTEA NOT NULL,
    since        BIGINT NOT NULL, -- when the record began
    place        BYTEA, -- the key of the file at the adopted place, if that is not its own
    goal         BYTEA -- the same for the place of a move
);
CREATE INDEX custody_publishers_due ON custody_publishers (due, domain);
CREATE INDEX custody_publishers_held ON custody_publishers (domain) WHERE held;
CREATE INDEX custody_publishers_place ON custody_publishers (place, domain) WHERE place IS NOT NULL;
CREATE INDEX custody_publishers_goal ON custody_publishers (goal, domain) WHERE goal IS NOT NULL;
ALTER TABLE custody_publishers ALTER COLUMN record SET STORAGE EXTERNAL;

CREATE TABLE custody_files (
    key          BYTEA NOT NULL PRIMARY KEY, -- the hash of url
    url          TEXT COLLATE "C" NOT NULL,
    revision     BIGINT NOT NULL,
    due          BIGINT NOT NULL,
    held         BOOLEAN NOT NULL, -- a version was refused
    revoked      BIGINT NOT NULL, -- how many revocations there are in all parts
    record       BYTEA NOT NULL,
    idle         BOOLEAN NOT NULL -- no publisher leads there
);
CREATE INDEX custody_files_due ON custody_files (due, key) WHERE NOT idle;
CREATE INDEX custody_files_held ON custody_files (key) WHERE held;
ALTER TABLE custody_files ALTER COLUMN record SET STORAGE EXTERNAL;

-- The revocations of a file in parts, so that one more does not rewrite a million.
CREATE TABLE custody_revocations (
    file         BYTEA NOT NULL REFERENCES custody_files (key) ON DELETE CASCADE,
    first        TEXT COLLATE "C" NOT NULL, -- the first domain in the part
    digest       BYTEA NOT NULL, -- the hash of the part before packing
    packed       BYTEA NOT NULL,
    PRIMARY KEY (file, first)
);
ALTER TABLE custody_revocations ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE custody_versions (
    number       BIGINT NOT NULL PRIMARY KEY,
    file         BYTEA NOT NULL REFERENCES custody_files (key),
    hash         TEXT COLLATE "C" NOT NULL REFERENCES documents (hash),
    adopted_at   BIGINT NOT NULL,
    last_updated BIGINT,
    catalog_etag TEXT COLLATE "C" NOT NULL,
    bytes        BIGINT NOT NULL
);
CREATE INDEX custody_versions_of ON custody_versions (file, adopted_at, number);
CREATE INDEX custody_versions_document ON custody_versions (hash);

CREATE TABLE custody_places (
    number       BIGINT NOT NULL PRIMARY KEY,
    domain       TEXT COLLATE "C" NOT NULL,
    adopted_at   BIGINT NOT NULL,
    method       TEXT COLLATE "C" NOT NULL,
    url          TEXT COLLATE "C" NOT NULL,
    manager      TEXT COLLATE "C" NOT NULL,
    absent       BOOLEAN NOT NULL,
    pointer      TEXT COLLATE "C" NOT NULL
);
CREATE INDEX custody_places_of ON custody_places (domain, adopted_at, number);

CREATE TABLE custody_events (
    number       BIGINT NOT NULL PRIMARY KEY,
    severity     BIGINT NOT NULL,
    publisher    TEXT COLLATE "C" NOT NULL,
    file         BYTEA, -- the hash of the URL, if it is about one
    record       BYTEA NOT NULL
);
CREATE INDEX custody_events_publisher ON custody_events (publisher, number) WHERE publisher <> '';
CREATE INDEX custody_events_file ON custody_events (file, number) WHERE file IS NOT NULL;
CREATE INDEX custody_events_warnings ON custody_events (number) WHERE severity >= 1;
CREATE INDEX custody_events_alerts ON custody_events (number) WHERE severity >= 2;
ALTER TABLE custody_events ALTER COLUMN record SET STORAGE EXTERNAL;

-- One row: the latest time that a clock showed.
CREATE TABLE custody_clock (
    id           BIGINT NOT NULL PRIMARY KEY,
    noted        BIGINT NOT NULL
);

-- One row: what tells this store from others, wherever it is moved, and the last number.
CREATE TABLE custody_store (
    id           BIGINT NOT NULL PRIMARY KEY,
    identity     TEXT COLLATE "C" NOT NULL,
    last         BIGINT NOT NULL
);
INSERT INTO custody_store (id, identity, last) VALUES (1, replace(gen_random_uuid()::text, '-', ''), 0);
