-- Times are microseconds since 1970 UTC. Hashes are SHA-256 in hexadecimal, empty for
-- none. "packed" columns are written by package pack. Text is compared byte by byte,
-- whatever the locale of the database: it is the order that callers are promised.

-- +goose Up
CREATE TABLE documents (
    hash              TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    size              BIGINT NOT NULL, -- before packing
    packed            BYTEA NOT NULL
);

-- Compressing what is compressed would waste time.
ALTER TABLE documents ALTER COLUMN packed SET STORAGE EXTERNAL;

-- body and pointer are mostly in documents, but need not be: a sighting is a memory of
-- what was seen, and what is missing is fetched again.
CREATE TABLE sightings (
    domain            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    checked_at        BIGINT NOT NULL,
    fresh_until       BIGINT NOT NULL,
    answer            TEXT COLLATE "C" NOT NULL,
    method            TEXT COLLATE "C" NOT NULL,
    found             BOOLEAN NOT NULL,
    valid             BOOLEAN NOT NULL,
    url               TEXT COLLATE "C" NOT NULL,
    resolved_url      TEXT COLLATE "C" NOT NULL,
    manager_domain    TEXT COLLATE "C" NOT NULL,
    status            BIGINT NOT NULL,
    bytes             BIGINT NOT NULL,
    body              TEXT COLLATE "C" NOT NULL,
    pointer           TEXT COLLATE "C" NOT NULL,
    identifiers       BYTEA, -- packed
    way               BYTEA -- packed: the documents that led to body
);

-- The same identifiers by hash, to find who has one.
CREATE TABLE identifiers (
    key               BYTEA NOT NULL,
    domain            TEXT COLLATE "C" NOT NULL REFERENCES sightings (domain) ON DELETE CASCADE,
    PRIMARY KEY (key, domain)
);
CREATE INDEX identifiers_of ON identifiers (domain);

CREATE TABLE brands (
    domain            TEXT COLLATE "C" NOT NULL,
    source            TEXT COLLATE "C" NOT NULL,
    manifest          BYTEA NOT NULL,
    updated_at        BIGINT NOT NULL,
    revision          BIGINT NOT NULL,
    saved_by          TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (domain, source)
);

CREATE TABLE mirrors (
    platform          TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    document          TEXT COLLATE "C" NOT NULL REFERENCES documents (hash),
    catalog_etag      TEXT COLLATE "C" NOT NULL,
    superseded_by     TEXT COLLATE "C" NOT NULL,
    publisher_domains BYTEA, -- packed
    created_at        BIGINT NOT NULL,
    updated_at        BIGINT NOT NULL,
    superseded_at     BIGINT,
    own_file_url      TEXT COLLATE "C" NOT NULL,
    own_file_at       BIGINT,
    checked_at        BIGINT
);
CREATE INDEX mirrors_document ON mirrors (document);

CREATE TABLE proposals (
    id                TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    platform          TEXT COLLATE "C" NOT NULL,
    document          TEXT COLLATE "C" NOT NULL REFERENCES documents (hash),
    base              TEXT COLLATE "C" NOT NULL,
    digest            TEXT COLLATE "C" NOT NULL,
    state             TEXT COLLATE "C" NOT NULL,
    submitted_at      BIGINT NOT NULL,
    submitted_by      TEXT COLLATE "C" NOT NULL,
    decided_at        BIGINT,
    decided_by        TEXT COLLATE "C" NOT NULL,
    reason            TEXT COLLATE "C" NOT NULL
);
CREATE INDEX proposals_state ON proposals (state, submitted_at, id);
CREATE INDEX proposals_age ON proposals (submitted_at, id);
CREATE INDEX proposals_document ON proposals (document);

CREATE TABLE api_keys (
    id                TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name              TEXT COLLATE "C" NOT NULL,
    scope             TEXT COLLATE "C" NOT NULL,
    hash              TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at        BIGINT NOT NULL,
    revoked_at        BIGINT
);

CREATE TABLE budgets (
    budget            TEXT COLLATE "C" NOT NULL,
    period            TEXT COLLATE "C" NOT NULL,
    taken             BIGINT NOT NULL,
    PRIMARY KEY (budget, period)
);

-- One row that is rewritten to see whether the store can be written.
CREATE TABLE probes (
    id                BIGINT NOT NULL PRIMARY KEY,
    at                BIGINT NOT NULL
);
