-- What is known about publishers and files over time. "record" columns are packed JSON
-- of the types of package custody. A URL may be too long for an index, so files are found
-- by its SHA-256. Numbers of versions, places and events come from custody_store.

-- +goose Up
CREATE TABLE custody_publishers (
    domain   TEXT    NOT NULL PRIMARY KEY,
    revision INTEGER NOT NULL,
    due      INTEGER NOT NULL,
    held     INTEGER NOT NULL, -- a move waits
    record   BLOB    NOT NULL,
    since    INTEGER NOT NULL, -- when the record began
    place    BLOB,  -- the key of the file at the adopted place, if that is not its own
    goal     BLOB   -- the same for the place of a move
) STRICT;
CREATE INDEX custody_publishers_due ON custody_publishers (due, domain);
CREATE INDEX custody_publishers_held ON custody_publishers (domain) WHERE held;
CREATE INDEX custody_publishers_place ON custody_publishers (place, domain) WHERE place IS NOT NULL;
CREATE INDEX custody_publishers_goal ON custody_publishers (goal, domain) WHERE goal IS NOT NULL;

CREATE TABLE custody_files (
    key      BLOB    NOT NULL PRIMARY KEY, -- the hash of url
    url      TEXT    NOT NULL,
    revision INTEGER NOT NULL,
    due      INTEGER NOT NULL,
    held     INTEGER NOT NULL, -- a version was refused
    revoked  INTEGER NOT NULL, -- how many revocations there are in all parts
    record   BLOB    NOT NULL,
    idle     INTEGER NOT NULL -- no publisher leads there
) STRICT;
CREATE INDEX custody_files_due ON custody_files (due, key) WHERE NOT idle;
CREATE INDEX custody_files_held ON custody_files (key) WHERE held;

-- The revocations of a file in parts, so that one more does not rewrite a million.
CREATE TABLE custody_revocations (
    file   BLOB NOT NULL REFERENCES custody_files (key) ON DELETE CASCADE,
    first  TEXT NOT NULL, -- the first domain in the part
    digest BLOB NOT NULL, -- the hash of the part before packing
    packed BLOB NOT NULL,
    PRIMARY KEY (file, first)
) STRICT;

CREATE TABLE custody_versions (
    number       INTEGER NOT NULL PRIMARY KEY,
    file         BLOB    NOT NULL REFERENCES custody_files (key),
    hash         TEXT    NOT NULL REFERENCES documents (hash),
    adopted_at   INTEGER NOT NULL,
    last_updated INTEGER,
    catalog_etag TEXT    NOT NULL,
    bytes        INTEGER NOT NULL
) STRICT;
CREATE INDEX custody_versions_of ON custody_versions (file, adopted_at, number);
CREATE INDEX custody_versions_document ON custody_versions (hash);

CREATE TABLE custody_places (
    number     INTEGER NOT NULL PRIMARY KEY,
    domain     TEXT    NOT NULL,
    adopted_at INTEGER NOT NULL,
    method     TEXT    NOT NULL,
    url        TEXT    NOT NULL,
    manager    TEXT    NOT NULL,
    absent     INTEGER NOT NULL,
    pointer    TEXT    NOT NULL
) STRICT;
CREATE INDEX custody_places_of ON custody_places (domain, adopted_at, number);

CREATE TABLE custody_events (
    number    INTEGER NOT NULL PRIMARY KEY,
    severity  INTEGER NOT NULL,
    publisher TEXT    NOT NULL,
    file      BLOB, -- the hash of the URL, if it is about one
    record    BLOB    NOT NULL
) STRICT;
CREATE INDEX custody_events_publisher ON custody_events (publisher, number) WHERE publisher <> '';
CREATE INDEX custody_events_file ON custody_events (file, number) WHERE file IS NOT NULL;
CREATE INDEX custody_events_warnings ON custody_events (number) WHERE severity >= 1;
CREATE INDEX custody_events_alerts ON custody_events (number) WHERE severity >= 2;

-- One row: the latest time that a clock showed.
CREATE TABLE custody_clock (
    id    INTEGER NOT NULL PRIMARY KEY,
    noted INTEGER NOT NULL
) STRICT;

-- One row: what tells this store from others, wherever it is moved, and the last number.
CREATE TABLE custody_store (
    id       INTEGER NOT NULL PRIMARY KEY,
    identity TEXT    NOT NULL,
    last     INTEGER NOT NULL
) STRICT;
INSERT INTO custody_store (id, identity, last) VALUES (1, lower(hex(randomblob(16))), 0);
