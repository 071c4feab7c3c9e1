-- The schema of a store. Times are microseconds since 1970 UTC; a time that may be missing is
-- NULL. A hash in a TEXT column is SHA-256 in hexadecimal, empty for none. "packed" columns are
-- written by package pack, and "record" columns are packed JSON of the types of package custody.
-- Text is compared byte by byte, whatever the locale of the database: it is the order that callers
-- are promised. Columns with storage EXTERNAL are packed: compressing them again would waste time.
--
-- A migration that a release has had never changes: later changes are files with the next numbers.

-- +goose Up

-- Documents, and what callers of the registry have stored.

-- Every document that another table refers to, once.
CREATE TABLE documents (
    hash   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    size   BIGINT NOT NULL, -- before packing
    packed BYTEA NOT NULL,
    at     BIGINT NOT NULL -- when it was last stored
);
ALTER TABLE documents ALTER COLUMN packed SET STORAGE EXTERNAL;

-- What is known about a brand, by where it comes from.
CREATE TABLE brands (
    domain     TEXT COLLATE "C" NOT NULL,
    source     TEXT COLLATE "C" NOT NULL,
    manifest   BYTEA NOT NULL,
    updated_at BIGINT NOT NULL,
    revision   BIGINT NOT NULL,
    saved_by   TEXT COLLATE "C" NOT NULL,
    PRIMARY KEY (domain, source)
);

-- Files that the registry keeps for platforms that have none of their own.
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

-- Proposed changes of mirrors, with what was decided about them.
CREATE TABLE proposals (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    platform     TEXT COLLATE "C" NOT NULL,
    document     TEXT COLLATE "C" NOT NULL REFERENCES documents (hash),
    base         TEXT COLLATE "C" NOT NULL,
    digest       TEXT COLLATE "C" NOT NULL,
    state        TEXT COLLATE "C" NOT NULL,
    submitted_at BIGINT NOT NULL,
    submitted_by TEXT COLLATE "C" NOT NULL,
    decided_at   BIGINT,
    decided_by   TEXT COLLATE "C" NOT NULL,
    reason       TEXT COLLATE "C" NOT NULL
);
CREATE INDEX proposals_state ON proposals (state, submitted_at, id);
CREATE INDEX proposals_age ON proposals (submitted_at, id);
CREATE INDEX proposals_document ON proposals (document);

-- API keys, by hash.
CREATE TABLE api_keys (
    id         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    name       TEXT COLLATE "C" NOT NULL,
    scope      TEXT COLLATE "C" NOT NULL,
    hash       TEXT COLLATE "C" NOT NULL UNIQUE,
    created_at BIGINT NOT NULL,
    revoked_at BIGINT
);

-- How much of a limited resource was used in a period.
CREATE TABLE budgets (
    budget TEXT COLLATE "C" NOT NULL,
    period TEXT COLLATE "C" NOT NULL,
    taken  BIGINT NOT NULL,
    PRIMARY KEY (budget, period)
);

-- One row, rewritten to see whether the store can be written.
CREATE TABLE probes (
    id BIGINT NOT NULL PRIMARY KEY,
    at BIGINT NOT NULL
);

-- Custody: what is known about publishers and files over time. A URL may be too long for an
-- index, so files are found by its SHA-256. "guest" is when an anonymous caller last named a
-- record that had no other reason to be kept: NULL if a caller with a key or the operator named
-- it, zero if what it refers to was removed. "site" is the registrable domain.

-- The state of each publisher.
CREATE TABLE custody_publishers (
    domain   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    revision BIGINT NOT NULL,
    held     BOOLEAN NOT NULL, -- a move waits, or was decided a moment ago
    record   BYTEA NOT NULL,
    since    BIGINT NOT NULL, -- when the record began
    current_file BYTEA, -- the key of the file at the adopted location, if that is not its own
    next_file BYTEA, -- the same for the location of a move
    file     BYTEA, -- the key of the file at the adopted location, the publisher's own or not
    guest    BIGINT,
    site     TEXT COLLATE "C" NOT NULL,
    listed   TEXT COLLATE "C" NOT NULL, -- the hash of the version whose identifiers it is found by
    told     TEXT COLLATE "C" NOT NULL, -- what the directory and the feed were last made of
    brief    BYTEA NOT NULL, -- what decides how it stands, of the record
    state    BIGINT NOT NULL, -- how it stood when the record was written
    looked   BIGINT NOT NULL, -- when it was last looked at, in hours since 1970
    shown    BYTEA NOT NULL, -- what lists show of it, by package projection; empty for nothing
    bytes    BIGINT NOT NULL -- of a guest: what the directory, the feed and its pointers take
);
ALTER TABLE custody_publishers ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE INDEX custody_publishers_counts ON custody_publishers (state, looked);
CREATE INDEX custody_publishers_held ON custody_publishers (domain) WHERE held;
CREATE INDEX custody_publishers_current_file ON custody_publishers (current_file, domain) WHERE current_file IS NOT NULL;
CREATE INDEX custody_publishers_next_file ON custody_publishers (next_file, domain) WHERE next_file IS NOT NULL;
CREATE INDEX custody_publishers_guest ON custody_publishers (guest, domain, bytes) WHERE guest IS NOT NULL;
CREATE INDEX custody_publishers_site ON custody_publishers (site, guest, bytes) WHERE guest IS NOT NULL;

-- The hashes of the identifiers that a publisher lists, to find who lists one.
CREATE TABLE identifiers (
    key    BYTEA NOT NULL,
    domain TEXT COLLATE "C" NOT NULL REFERENCES custody_publishers (domain) ON DELETE CASCADE,
    since  BIGINT NOT NULL, -- when it was first seen
    gone   BIGINT, -- when the file was first seen without it, if it is not listed
    PRIMARY KEY (key, domain)
);
CREATE INDEX identifiers_of ON identifiers (domain);

-- The state of each file.
CREATE TABLE custody_files (
    key      BYTEA NOT NULL PRIMARY KEY, -- the hash of url
    url      TEXT COLLATE "C" NOT NULL,
    revision BIGINT NOT NULL,
    held     BOOLEAN NOT NULL, -- a version was refused
    revoked  BIGINT NOT NULL, -- how many revocations there are in all parts
    record   BYTEA NOT NULL,
    guest    BIGINT,
    site     TEXT COLLATE "C" NOT NULL,
    bytes    BIGINT NOT NULL, -- of a guest: what its versions and revocations take
    brief    BYTEA NOT NULL -- what decides how it stands, of the record
);
ALTER TABLE custody_files ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE INDEX custody_files_held ON custody_files (key) WHERE held;
CREATE INDEX custody_files_guest ON custody_files (guest, key, bytes) WHERE guest IS NOT NULL;
CREATE INDEX custody_files_site ON custody_files (site, guest, bytes) WHERE guest IS NOT NULL;

-- The revocations of a file in parts, so that one more does not rewrite a million.
CREATE TABLE custody_revocations (
    file   BYTEA NOT NULL REFERENCES custody_files (key) ON DELETE CASCADE,
    first  TEXT COLLATE "C" NOT NULL, -- the first domain in the part
    digest BYTEA NOT NULL, -- the hash of the part before packing
    packed BYTEA NOT NULL,
    PRIMARY KEY (file, first)
);
ALTER TABLE custody_revocations ALTER COLUMN packed SET STORAGE EXTERNAL;

-- The versions of a file that were adopted.
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
CREATE INDEX custody_versions_age ON custody_versions (adopted_at, number);

-- The places of a publisher's file that were adopted.
CREATE TABLE custody_places (
    number     BIGINT NOT NULL PRIMARY KEY,
    domain     TEXT COLLATE "C" NOT NULL,
    adopted_at BIGINT NOT NULL,
    method     TEXT COLLATE "C" NOT NULL,
    url        TEXT COLLATE "C" NOT NULL,
    manager    TEXT COLLATE "C" NOT NULL,
    absent     BOOLEAN NOT NULL,
    pointer    TEXT COLLATE "C" NOT NULL
);
CREATE INDEX custody_places_of ON custody_places (domain, adopted_at, number);
CREATE INDEX custody_places_age ON custody_places (adopted_at, number);
CREATE INDEX custody_places_pointer ON custody_places (pointer) WHERE pointer <> '';

-- What happened to publishers and files.
CREATE TABLE custody_events (
    number    BIGINT NOT NULL PRIMARY KEY,
    severity  BIGINT NOT NULL,
    publisher TEXT COLLATE "C" NOT NULL,
    file      BYTEA, -- the hash of the URL, if it is about one
    record    BYTEA NOT NULL
);
ALTER TABLE custody_events ALTER COLUMN record SET STORAGE EXTERNAL;
CREATE INDEX custody_events_publisher ON custody_events (publisher, number) WHERE publisher <> '';
CREATE INDEX custody_events_file ON custody_events (file, number) WHERE file IS NOT NULL;
CREATE INDEX custody_events_warnings ON custody_events (number) WHERE severity >= 1;
CREATE INDEX custody_events_alerts ON custody_events (number) WHERE severity >= 2;

-- One row: the latest time that a clock showed.
CREATE TABLE custody_clock (
    id    BIGINT NOT NULL PRIMARY KEY,
    noted BIGINT NOT NULL
);

-- One row: what tells this store from others, wherever it is moved, and the last number that was
-- given to a version, a place or an event of any kind.
CREATE TABLE custody_store (
    id       BIGINT NOT NULL PRIMARY KEY,
    identity TEXT COLLATE "C" NOT NULL,
    last     BIGINT NOT NULL
);
INSERT INTO custody_store (id, identity, last) VALUES (1, replace(gen_random_uuid()::text, '-', ''), 0);

-- One row: from when on the history is complete.
CREATE TABLE custody_history (
    id    BIGINT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);
INSERT INTO custody_history (id, since) VALUES (1, 0);

-- The crawler.

-- What to look at, and when: each publisher that is watched or was named, by its domain, and each
-- file that is not a publisher's own, by "file:" and its key. While a process works on a row, "at"
-- is when its lease ends, "fence" tells that lease from earlier ones, and "attempt" counts those
-- that ended without a result.
CREATE TABLE due (
    name         TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    url          TEXT COLLATE "C" NOT NULL, -- of a file
    class        SMALLINT NOT NULL, -- the lower, the sooner
    attempt      SMALLINT NOT NULL,
    at           BIGINT NOT NULL,
    fence        BIGINT NOT NULL,
    requested_at BIGINT NOT NULL -- when it was requested; zero while no request waits
) PARTITION BY HASH (name);
-- +goose StatementBegin
DO $$ BEGIN
    FOR part IN 0..15 LOOP
        EXECUTE format('CREATE TABLE due_%s PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER %s)
            WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0)', part, part);
    END LOOP;
END $$;
-- +goose StatementEnd
CREATE INDEX due_class ON due (class, at);

-- Looks that callers asked for, with what became of them.
CREATE TABLE crawl_requests (
    id           TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    domain       TEXT COLLATE "C" NOT NULL,
    caller       TEXT COLLATE "C" NOT NULL,
    status       TEXT COLLATE "C" NOT NULL,
    attempts     BIGINT NOT NULL,
    requested_at BIGINT NOT NULL,
    started_at   BIGINT,
    attempted_at BIGINT,
    completed_at BIGINT,
    next_at      BIGINT,
    error        TEXT COLLATE "C" NOT NULL
);
CREATE INDEX crawl_requests_open ON crawl_requests (domain) WHERE completed_at IS NULL;
CREATE INDEX crawl_requests_domain ON crawl_requests (domain, requested_at);
CREATE INDEX crawl_requests_caller ON crawl_requests (caller, requested_at);
CREATE INDEX crawl_requests_age ON crawl_requests (requested_at);

-- Which process asks a site at present, until when, and when the site may be sent a burst again.
-- Nothing is lost with it.
CREATE TABLE site_leases (
    site   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    holder TEXT COLLATE "C" NOT NULL,
    until  BIGINT NOT NULL,
    rested BIGINT NOT NULL
);

-- The directory and the change feed. Both are written by the change that they are about.

-- Agents that files name, by the first 16 octets of the SHA-256 of their URL.
CREATE TABLE agents (
    key        BYTEA NOT NULL PRIMARY KEY,
    url        TEXT COLLATE "C" NOT NULL,
    known      BIGINT NOT NULL, -- how many pairs it has
    publishers BIGINT NOT NULL, -- how many of them let it sell something
    properties BIGINT NOT NULL, -- and how many properties that are
    told       BIGINT NOT NULL -- of how many publishers the feed has told; zero while it has not
);
CREATE INDEX agents_url ON agents (url) WHERE publishers > 0;

-- What publishers let agents sell, by the version in custody_publishers.listed.
CREATE TABLE pairs (
    agent       BYTEA NOT NULL,
    state       BIGINT NOT NULL, -- 0 lets it sell something, 1 was revoked by the file, 2 had the agent in a file that is not in effect
    domain      TEXT COLLATE "C" NOT NULL,
    authorized  BIGINT NOT NULL, -- how many properties of its own it may sell
    conditional BIGINT NOT NULL, -- and how many under conditions
    total       BIGINT NOT NULL, -- of how many
    limited     BIGINT NOT NULL, -- what they are limited in, a set
    types       BIGINT NOT NULL, -- the authorization types of the entries, a set
    pinned      BOOLEAN NOT NULL,
    made        BIGINT NOT NULL, -- from when on this holds
    next        BIGINT, -- until when; NULL for no end
    PRIMARY KEY (agent, state, domain)
);
CREATE INDEX pairs_of ON pairs (domain);

-- How many properties there are of each type, of publishers with a file in effect.
CREATE TABLE property_types (
    type       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    properties BIGINT NOT NULL
);

-- When what the directory says of a publisher has to be made again, because time passes or because
-- something else has changed that it rests on.
CREATE TABLE turns (
    domain TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    at     BIGINT NOT NULL
);
CREATE INDEX turns_at ON turns (at);

-- The events of the feed. One that is live says what holds at present, and is kept as long as it
-- does; the others are kept for 90 days. Nothing else about an event ever changes.
CREATE TABLE feed_events (
    number    BIGINT NOT NULL PRIMARY KEY,
    at        BIGINT NOT NULL, -- never earlier than that of the event before
    type      TEXT COLLATE "C" NOT NULL,
    publisher TEXT COLLATE "C" NOT NULL, -- empty for events about an agent
    agent     TEXT COLLATE "C" NOT NULL,
    entity    TEXT COLLATE "C" NOT NULL,
    live      BOOLEAN NOT NULL,
    digest    BYTEA NOT NULL, -- of what it says, to compare with what would be said now
    payload   BYTEA NOT NULL -- packed JSON
);
ALTER TABLE feed_events ALTER COLUMN payload SET STORAGE EXTERNAL;
CREATE INDEX feed_events_publisher ON feed_events (publisher, number) WHERE live AND publisher <> '';
CREATE INDEX feed_events_agent ON feed_events (agent, number) WHERE live AND publisher = '';
CREATE INDEX feed_events_type ON feed_events (type, number);
CREATE INDEX feed_events_ended ON feed_events (publisher, at) WHERE NOT live AND publisher <> '';
CREATE INDEX feed_events_old ON feed_events (at, number) WHERE NOT live;

-- Subscriptions to the feed. "position" is the number of the last event that need not be told any
-- more. A subscription is due at "next_at" if the feed has gone on since; a process that takes it
-- moves that and "fence", without which nothing is committed.
CREATE TABLE subscriptions (
    id            TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    owner         TEXT COLLATE "C" NOT NULL,
    url           TEXT COLLATE "C" NOT NULL,
    filter        TEXT COLLATE "C" NOT NULL, -- JSON
    created_at    BIGINT NOT NULL,
    position      BIGINT NOT NULL,
    position_at   BIGINT NOT NULL,
    next_at       BIGINT NOT NULL,
    failures      BIGINT NOT NULL,
    failing_since BIGINT,
    problem       TEXT COLLATE "C" NOT NULL,
    delivered_at  BIGINT,
    suspended_at  BIGINT,
    fence         BIGINT NOT NULL
);
CREATE INDEX subscriptions_owner ON subscriptions (owner, created_at, id);
CREATE INDEX subscriptions_due ON subscriptions (next_at, position) WHERE suspended_at IS NULL;

-- The transparency log. Its hashes are those of RFC 6962.

-- One row while there is a log.
CREATE TABLE log_state (
    id     BIGINT NOT NULL PRIMARY KEY,
    active BOOLEAN NOT NULL,
    origin TEXT COLLATE "C" NOT NULL,
    size   BIGINT NOT NULL,
    root   BYTEA NOT NULL,
    cursor BIGINT NOT NULL -- the number of the last leaf
);

-- Events that are not leaves yet. They are written with the change that they are about, and become
-- leaves exactly once, in the order of their numbers.
CREATE TABLE log_outbox (
    number  BIGINT NOT NULL PRIMARY KEY,
    subject BYTEA NOT NULL, -- the hash of the subject
    body    BYTEA NOT NULL
);
CREATE INDEX log_outbox_subject ON log_outbox (subject);

-- Leaves that are in no full bundle yet.
CREATE TABLE log_leaves (
    leaf_index BIGINT NOT NULL PRIMARY KEY,
    leaf       BYTEA  NOT NULL
);

-- Full bundles of 256 leaves.
CREATE TABLE log_bundles (
    bundle BIGINT NOT NULL PRIMARY KEY,
    packed BYTEA NOT NULL
);

-- The number of the first leaf of each bundle. Numbers rise along the log, and the others are in
-- the bundle.
CREATE TABLE log_numbers (
    number     BIGINT NOT NULL PRIMARY KEY,
    leaf_index BIGINT NOT NULL
);

-- Tiles of 256 hashes; the last one of each level grows.
CREATE TABLE log_tiles (
    level BIGINT NOT NULL,
    tile  BIGINT NOT NULL,
    data  BYTEA NOT NULL,
    PRIMARY KEY (level, tile)
);

-- Signed heads of the log.
CREATE TABLE log_checkpoints (
    size BIGINT NOT NULL PRIMARY KEY,
    at   BIGINT NOT NULL,
    note BYTEA NOT NULL
);

-- The newest leaf of each subject.
CREATE TABLE log_subjects (
    subject    BYTEA  NOT NULL PRIMARY KEY,
    leaf_index BIGINT NOT NULL,
    hash       BYTEA  NOT NULL
) WITH (fillfactor = 70);
