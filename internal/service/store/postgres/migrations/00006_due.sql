-- Who is to be looked at, and when. "due" has a row for each publisher that is watched or
-- was named, and for each file that is not a publisher's own. Its name is the domain, or
-- "file:" and the key of the file. "at" is when it is due; while somebody is at it, "at" is
-- when its lease ends, "fence" tells that lease from earlier ones, and "attempt" counts those
-- that ended without a result. "wish" is when it was requested; zero when nobody waits.

-- +goose Up
CREATE TABLE due (
    name    TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    url     TEXT COLLATE "C" NOT NULL, -- of a file
    class   SMALLINT NOT NULL, -- the lower, the sooner
    attempt SMALLINT NOT NULL,
    at      BIGINT NOT NULL,
    fence   BIGINT NOT NULL,
    wish    BIGINT NOT NULL
) PARTITION BY HASH (name);
CREATE TABLE due_0 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 0) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_1 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 1) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_2 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 2) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_3 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 3) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_4 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 4) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_5 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 5) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_6 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 6) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_7 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 7) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_8 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 8) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_9 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 9) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_10 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 10) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_11 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 11) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_12 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 12) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_13 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 13) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_14 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 14) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
CREATE TABLE due_15 PARTITION OF due FOR VALUES WITH (MODULUS 16, REMAINDER 15) WITH (fillfactor = 80, autovacuum_vacuum_scale_factor = 0.02, autovacuum_vacuum_cost_delay = 0);
INSERT INTO due SELECT domain, '', CASE WHEN held OR place IS NOT NULL OR listed <> '' THEN 1 ELSE 2 END, 0,
    CASE WHEN due < 9223372036854775807 THEN due ELSE 0 END, 0, 0
    FROM custody_publishers WHERE guest IS NULL;
INSERT INTO due SELECT 'file:' || encode(key, 'hex'), url, 1, 0, due, 0, 0
    FROM custody_files WHERE guest IS NULL AND NOT idle AND due < 9223372036854775807;
CREATE INDEX due_class ON due (class, at);
DROP INDEX custody_publishers_due;
DROP INDEX custody_files_due;
ALTER TABLE custody_publishers DROP COLUMN due;
ALTER TABLE custody_files DROP COLUMN due;
ALTER TABLE custody_files DROP COLUMN idle;

-- Looks at publishers that somebody asked for, with what became of them.
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

-- Which process asks a site at present, until when, and when the site may be sent a burst
-- again. Nothing is lost with it.
CREATE TABLE site_leases (
    site   TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    holder TEXT COLLATE "C" NOT NULL,
    until  BIGINT NOT NULL,
    rested BIGINT NOT NULL
);
