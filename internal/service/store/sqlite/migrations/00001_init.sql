-- Times are microseconds since 1970 UTC. Hashes are SHA-256 in hexadecimal, empty for
-- none. "packed" columns are written by package pack.

-- +goose Up
CREATE TABLE documents (
    hash   TEXT    NOT NULL PRIMARY KEY,
    size   INTEGER NOT NULL, -- before packing
    packed BLOB    NOT NULL
) STRICT;

-- body and pointer are mostly in documents, but need not be: a sighting is a memory of
-- what was seen, and what is missing is fetched again.
CREATE TABLE sightings (
    domain         TEXT    NOT NULL PRIMARY KEY,
    checked_at     INTEGER NOT NULL,
    fresh_until    INTEGER NOT NULL,
    answer         TEXT    NOT NULL,
    method         TEXT    NOT NULL,
    found          INTEGER NOT NULL,
    valid          INTEGER NOT NULL,
    url            TEXT    NOT NULL,
    resolved_url   TEXT    NOT NULL,
    manager_domain TEXT    NOT NULL,
    status         INTEGER NOT NULL,
    bytes          INTEGER NOT NULL,
    body           TEXT    NOT NULL,
    pointer        TEXT    NOT NULL,
    identifiers    BLOB, -- packed
    way            BLOB -- packed: the documents that led to body
) STRICT;

-- The same identifiers by hash, to find who has one.
CREATE TABLE identifiers (
    key    BLOB NOT NULL,
    domain TEXT NOT NULL REFERENCES sightings (domain) ON DELETE CASCADE,
    PRIMARY KEY (key, domain)
) STRICT, WITHOUT ROWID;
CREATE INDEX identifiers_of ON identifiers (domain);

CREATE TABLE brands (
    domain     TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    manifest   BLOB    NOT NULL,
    updated_at INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    saved_by   TEXT    NOT NULL,
    PRIMARY KEY (domain, source)
) STRICT;

CREATE TABLE mirrors (
    platform          TEXT    NOT NULL PRIMARY KEY,
    document          TEXT    NOT NULL REFERENCES documents (hash),
    catalog_etag      TEXT    NOT NULL,
    superseded_by     TEXT    NOT NULL,
    publisher_domains BLOB, -- packed
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    superseded_at     INTEGER,
    own_file_url      TEXT    NOT NULL,
    own_file_at       INTEGER,
    checked_at        INTEGER
) STRICT;
CREATE INDEX mirrors_document ON mirrors (document);

CREATE TABLE proposals (
    id           TEXT    NOT NULL PRIMARY KEY,
    platform     TEXT    NOT NULL,
    document     TEXT    NOT NULL REFERENCES documents (hash),
    base         TEXT    NOT NULL,
    digest       TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    submitted_at INTEGER NOT NULL,
    submitted_by TEXT    NOT NULL,
    decided_at   INTEGER,
    decided_by   TEXT    NOT NULL,
    reason       TEXT    NOT NULL
) STRICT;
CREATE INDEX proposals_state ON proposals (state, submitted_at, id);
CREATE INDEX proposals_age ON proposals (submitted_at, id);
CREATE INDEX proposals_document ON proposals (document);

CREATE TABLE api_keys (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    scope      TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

CREATE TABLE budgets (
    budget TEXT    NOT NULL,
    period TEXT    NOT NULL,
    taken  INTEGER NOT NULL,
    PRIMARY KEY (budget, period)
) STRICT;

-- One row that is rewritten to see whether the store can be written.
CREATE TABLE probes (
    id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;
