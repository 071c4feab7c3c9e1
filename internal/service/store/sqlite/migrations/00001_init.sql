-- The schema of a store. Times are microseconds since 1970 UTC; a time that may be missing is
-- NULL. A hash in a TEXT column is SHA-256 in hexadecimal, empty for none. "packed" columns are
-- written by package pack, and "record" columns are packed JSON of the types of package custody.
--
-- A migration that a release has had never changes: later changes are files with the next numbers.

-- +goose Up

-- Documents, and what callers of the registry have stored.

-- Every document that another table refers to, once.
CREATE TABLE documents (
    hash   TEXT    NOT NULL PRIMARY KEY,
    size   INTEGER NOT NULL, -- before packing
    packed BLOB    NOT NULL,
    at     INTEGER NOT NULL -- when it was last stored
) STRICT;

-- What is known about a brand, by where it comes from.
CREATE TABLE brands (
    domain     TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    manifest   BLOB    NOT NULL,
    updated_at INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    saved_by   TEXT    NOT NULL,
    PRIMARY KEY (domain, source)
) STRICT;

-- Files that the registry keeps for platforms that have none of their own.
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

-- Proposed changes of mirrors, with what was decided about them.
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

-- API keys, by hash.
CREATE TABLE api_keys (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    scope      TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;

-- How much of a limited resource was used in a period.
CREATE TABLE budgets (
    budget TEXT    NOT NULL,
    period TEXT    NOT NULL,
    taken  INTEGER NOT NULL,
    PRIMARY KEY (budget, period)
) STRICT;

-- One row, rewritten to see whether the store can be written.
CREATE TABLE probes (
    id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;

-- Custody: what is known about publishers and files over time. A URL may be too long for an
-- index, so files are found by its SHA-256. "guest" is when an anonymous caller last named a
-- record that had no other reason to be kept: NULL if a caller with a key or the operator named
-- it, zero if what it refers to was removed. "site" is the registrable domain.

-- The state of each publisher.
CREATE TABLE custody_publishers (
    domain   TEXT    NOT NULL PRIMARY KEY,
    revision INTEGER NOT NULL,
    held     INTEGER NOT NULL, -- a move waits, or was decided a moment ago
    record   BLOB    NOT NULL,
    since    INTEGER NOT NULL, -- when the record began
    current_file BLOB, -- the key of the file at the adopted location, if that is not its own
    next_file BLOB, -- the same for the location of a move
    file     BLOB, -- the key of the file at the adopted location, the publisher's own or not
    guest    INTEGER,
    site     TEXT    NOT NULL,
    listed   TEXT    NOT NULL, -- the hash of the version whose identifiers it is found by
    told     TEXT NOT NULL, -- what the directory and the feed were last made of
    brief    BLOB NOT NULL, -- what decides how it stands, of the record
    state    INTEGER NOT NULL, -- how it stood when the record was written
    looked   INTEGER NOT NULL, -- when it was last looked at, in hours since 1970
    shown    BLOB NOT NULL, -- what lists show of it, by package projection; empty for nothing
    bytes    INTEGER NOT NULL -- of a guest: what the directory, the feed and its pointers take
) STRICT;
CREATE INDEX custody_publishers_counts ON custody_publishers (state, looked);
CREATE INDEX custody_publishers_held ON custody_publishers (domain) WHERE held;
CREATE INDEX custody_publishers_current_file ON custody_publishers (current_file, domain) WHERE current_file IS NOT NULL;
CREATE INDEX custody_publishers_next_file ON custody_publishers (next_file, domain) WHERE next_file IS NOT NULL;
CREATE INDEX custody_publishers_guest ON custody_publishers (guest, domain, bytes) WHERE guest IS NOT NULL;
CREATE INDEX custody_publishers_site ON custody_publishers (site, guest, bytes) WHERE guest IS NOT NULL;

-- The hashes of the identifiers that a publisher lists, to find who lists one.
CREATE TABLE identifiers (
    key    BLOB    NOT NULL,
    domain TEXT    NOT NULL REFERENCES custody_publishers (domain) ON DELETE CASCADE,
    since  INTEGER NOT NULL, -- when it was first seen
    gone   INTEGER, -- when the file was first seen without it, if it is not listed
    PRIMARY KEY (key, domain)
) STRICT, WITHOUT ROWID;
CREATE INDEX identifiers_of ON identifiers (domain);

-- The state of each file.
CREATE TABLE custody_files (
    key      BLOB    NOT NULL PRIMARY KEY, -- the hash of url
    url      TEXT    NOT NULL,
    revision INTEGER NOT NULL,
    held     INTEGER NOT NULL, -- a version was refused
    revoked  INTEGER NOT NULL, -- how many revocations there are in all parts
    record   BLOB    NOT NULL,
    guest    INTEGER,
    site     TEXT    NOT NULL,
    bytes    INTEGER NOT NULL, -- of a guest: what its versions and revocations take
    brief    BLOB NOT NULL -- what decides how it stands, of the record
) STRICT;
CREATE INDEX custody_files_held ON custody_files (key) WHERE held;
CREATE INDEX custody_files_guest ON custody_files (guest, key, bytes) WHERE guest IS NOT NULL;
CREATE INDEX custody_files_site ON custody_files (site, guest, bytes) WHERE guest IS NOT NULL;

-- The revocations of a file in parts, so that one more does not rewrite a million.
CREATE TABLE custody_revocations (
    file   BLOB NOT NULL REFERENCES custody_files (key) ON DELETE CASCADE,
    first  TEXT NOT NULL, -- the first domain in the part
    digest BLOB NOT NULL, -- the hash of the part before packing
    packed BLOB NOT NULL,
    PRIMARY KEY (file, first)
) STRICT;

-- The versions of a file that were adopted.
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
CREATE INDEX custody_versions_age ON custody_versions (adopted_at, number);

-- The places of a publisher's file that were adopted.
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
CREATE INDEX custody_places_age ON custody_places (adopted_at, number);
CREATE INDEX custody_places_pointer ON custody_places (pointer) WHERE pointer <> '';

-- What happened to publishers and files.
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

-- One row: what tells this store from others, wherever it is moved, and the last number that was
-- given to a version, a place or an event of any kind.
CREATE TABLE custody_store (
    id       INTEGER NOT NULL PRIMARY KEY,
    identity TEXT    NOT NULL,
    last     INTEGER NOT NULL
) STRICT;
INSERT INTO custody_store (id, identity, last) VALUES (1, lower(hex(randomblob(16))), 0);

-- One row: from when on the history is complete.
CREATE TABLE custody_history (
    id    INTEGER NOT NULL PRIMARY KEY,
    since INTEGER NOT NULL
) STRICT;
INSERT INTO custody_history (id, since) VALUES (1, 0);

-- The crawler.

-- What to look at, and when: each publisher that is watched or was named, by its domain, and each
-- file that is not a publisher's own, by "file:" and its key. While a process works on a row, "at"
-- is when its lease ends, "fence" tells that lease from earlier ones, and "attempt" counts those
-- that ended without a result.
CREATE TABLE due (
    name         TEXT    NOT NULL PRIMARY KEY,
    url          TEXT    NOT NULL, -- of a file
    class        INTEGER NOT NULL, -- the lower, the sooner
    attempt      INTEGER NOT NULL,
    at           INTEGER NOT NULL,
    fence        INTEGER NOT NULL,
    requested_at INTEGER NOT NULL -- when it was requested; zero while no request waits
) STRICT, WITHOUT ROWID;
CREATE INDEX due_class ON due (class, at);

-- Looks that callers asked for, with what became of them.
CREATE TABLE crawl_requests (
    id           TEXT    NOT NULL PRIMARY KEY,
    domain       TEXT    NOT NULL,
    caller       TEXT    NOT NULL,
    status       TEXT    NOT NULL,
    attempts     INTEGER NOT NULL,
    requested_at INTEGER NOT NULL,
    started_at   INTEGER,
    attempted_at INTEGER,
    completed_at INTEGER,
    next_at      INTEGER,
    error        TEXT    NOT NULL
) STRICT;
CREATE INDEX crawl_requests_open ON crawl_requests (domain) WHERE completed_at IS NULL;
CREATE INDEX crawl_requests_domain ON crawl_requests (domain, requested_at);
CREATE INDEX crawl_requests_caller ON crawl_requests (caller, requested_at);
CREATE INDEX crawl_requests_age ON crawl_requests (requested_at);

-- Which process asks a site at present, until when, and when the site may be sent a burst again.
-- Nothing is lost with it.
CREATE TABLE site_leases (
    site   TEXT    NOT NULL PRIMARY KEY,
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL,
    rested INTEGER NOT NULL
) STRICT, WITHOUT ROWID;

-- The directory and the change feed. Both are written by the change that they are about.

-- Agents that files name, by the first 16 octets of the SHA-256 of their URL.
CREATE TABLE agents (
    key        BLOB NOT NULL PRIMARY KEY,
    url        TEXT NOT NULL,
    known      INTEGER NOT NULL, -- how many pairs it has
    publishers INTEGER NOT NULL, -- how many of them let it sell something
    properties INTEGER NOT NULL, -- and how many properties that are
    told       INTEGER NOT NULL -- of how many publishers the feed has told; zero while it has not
) STRICT;
CREATE INDEX agents_url ON agents (url) WHERE publishers > 0;

-- What publishers let agents sell, by the version in custody_publishers.listed.
CREATE TABLE pairs (
    agent       BLOB NOT NULL,
    state       INTEGER NOT NULL, -- 0 lets it sell something, 1 was revoked by the file, 2 had the agent in a file that is not in effect
    domain      TEXT NOT NULL,
    authorized  INTEGER NOT NULL, -- how many properties of its own it may sell
    conditional INTEGER NOT NULL, -- and how many under conditions
    total       INTEGER NOT NULL, -- of how many
    limited     INTEGER NOT NULL, -- what they are limited in, a set
    types       INTEGER NOT NULL, -- the authorization types of the entries, a set
    pinned      INTEGER NOT NULL,
    made        INTEGER NOT NULL, -- from when on this holds
    next        INTEGER, -- until when; NULL for no end
    PRIMARY KEY (agent, state, domain)
) STRICT, WITHOUT ROWID;
CREATE INDEX pairs_of ON pairs (domain);

-- How many properties there are of each type, of publishers with a file in effect.
CREATE TABLE property_types (
    type       TEXT NOT NULL PRIMARY KEY,
    properties INTEGER NOT NULL
) STRICT;

-- When what the directory says of a publisher has to be made again, because time passes or because
-- something else has changed that it rests on.
CREATE TABLE turns (
    domain TEXT NOT NULL PRIMARY KEY,
    at     INTEGER NOT NULL
) STRICT;
CREATE INDEX turns_at ON turns (at);

-- The events of the feed. One that is live says what holds at present, and is kept as long as it
-- does; the others are kept for 90 days. Nothing else about an event ever changes.
CREATE TABLE feed_events (
    number    INTEGER NOT NULL PRIMARY KEY,
    at        INTEGER NOT NULL, -- never earlier than that of the event before
    type      TEXT    NOT NULL,
    publisher TEXT    NOT NULL, -- empty for events about an agent
    agent     TEXT    NOT NULL,
    entity    TEXT    NOT NULL,
    live      INTEGER NOT NULL,
    digest    BLOB    NOT NULL, -- of what it says, to compare with what would be said now
    payload   BLOB    NOT NULL -- packed JSON
) STRICT;
CREATE INDEX feed_events_publisher ON feed_events (publisher, number) WHERE live AND publisher <> '';
CREATE INDEX feed_events_agent ON feed_events (agent, number) WHERE live AND publisher = '';
CREATE INDEX feed_events_type ON feed_events (type, number);
CREATE INDEX feed_events_ended ON feed_events (publisher, at) WHERE NOT live AND publisher <> '';
CREATE INDEX feed_events_old ON feed_events (at, number) WHERE NOT live;

-- Subscriptions to the feed. "position" is the number of the last event that need not be told any
-- more. A subscription is due at "next_at" if the feed has gone on since; a process that takes it
-- moves that and "fence", without which nothing is committed.
CREATE TABLE subscriptions (
    id            TEXT    NOT NULL PRIMARY KEY,
    owner         TEXT    NOT NULL,
    url           TEXT    NOT NULL,
    filter        TEXT    NOT NULL, -- JSON
    created_at    INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    position_at   INTEGER NOT NULL,
    next_at       INTEGER NOT NULL,
    failures      INTEGER NOT NULL,
    failing_since INTEGER,
    problem       TEXT    NOT NULL,
    delivered_at  INTEGER,
    suspended_at  INTEGER,
    fence         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_owner ON subscriptions (owner, created_at, id);
CREATE INDEX subscriptions_due ON subscriptions (next_at, position) WHERE suspended_at IS NULL;

-- The transparency log. Its hashes are those of RFC 6962.

-- One row while there is a log.
CREATE TABLE log_state (
    id     INTEGER NOT NULL PRIMARY KEY,
    active INTEGER NOT NULL,
    origin TEXT    NOT NULL,
    size   INTEGER NOT NULL,
    root   BLOB    NOT NULL,
    cursor INTEGER NOT NULL -- the number of the last leaf
) STRICT;

-- Events that are not leaves yet. They are written with the change that they are about, and become
-- leaves exactly once, in the order of their numbers.
CREATE TABLE log_outbox (
    number  INTEGER NOT NULL PRIMARY KEY,
    subject BLOB    NOT NULL, -- the hash of the subject
    body    BLOB    NOT NULL
) STRICT;
CREATE INDEX log_outbox_subject ON log_outbox (subject);

-- Leaves that are in no full bundle yet.
CREATE TABLE log_leaves (
    leaf_index INTEGER NOT NULL PRIMARY KEY,
    leaf       BLOB    NOT NULL
) STRICT;

-- Full bundles of 256 leaves.
CREATE TABLE log_bundles (
    bundle INTEGER NOT NULL PRIMARY KEY,
    packed BLOB    NOT NULL
) STRICT;

-- The number of the first leaf of each bundle. Numbers rise along the log, and the others are in
-- the bundle.
CREATE TABLE log_numbers (
    number     INTEGER NOT NULL PRIMARY KEY,
    leaf_index INTEGER NOT NULL
) STRICT;

-- Tiles of 256 hashes; the last one of each level grows.
CREATE TABLE log_tiles (
    level INTEGER NOT NULL,
    tile  INTEGER NOT NULL,
    data  BLOB    NOT NULL,
    PRIMARY KEY (level, tile)
) STRICT;

-- Signed heads of the log.
CREATE TABLE log_checkpoints (
    size INTEGER NOT NULL PRIMARY KEY,
    at   INTEGER NOT NULL,
    note BLOB    NOT NULL
) STRICT;

-- The newest leaf of each subject.
CREATE TABLE log_subjects (
    subject    BLOB    NOT NULL PRIMARY KEY,
    leaf_index INTEGER NOT NULL,
    hash       BLOB    NOT NULL
) STRICT, WITHOUT ROWID;
