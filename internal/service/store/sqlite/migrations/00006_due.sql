-- Who is to be looked at, and when. "due" has a row for each publisher that is watched or
-- was named, and for each file that is not a publisher's own. Its name is the domain, or
-- "file:" and the key of the file. "at" is when it is due; while somebody is at it, "at" is
-- when its lease ends, "fence" tells that lease from earlier ones, and "attempt" counts those
-- that ended without a result. "wish" is when it was requested; zero when nobody waits.

-- +goose Up
CREATE TABLE due (
    name    TEXT    NOT NULL PRIMARY KEY,
    url     TEXT    NOT NULL, -- of a file
    class   INTEGER NOT NULL, -- the lower, the sooner
    attempt INTEGER NOT NULL,
    at      INTEGER NOT NULL,
    fence   INTEGER NOT NULL,
    wish    INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
INSERT INTO due SELECT domain, '', CASE WHEN held OR place IS NOT NULL OR listed <> '' THEN 1 ELSE 2 END, 0,
    CASE WHEN due < 9223372036854775807 THEN due ELSE 0 END, 0, 0
    FROM custody_publishers WHERE guest IS NULL;
INSERT INTO due SELECT 'file:' || lower(hex(key)), url, 1, 0, due, 0, 0
    FROM custody_files WHERE guest IS NULL AND NOT idle AND due < 9223372036854775807;
CREATE INDEX due_class ON due (class, at);
DROP INDEX custody_publishers_due;
DROP INDEX custody_files_due;
ALTER TABLE custody_publishers DROP COLUMN due;
ALTER TABLE custody_files DROP COLUMN due;
ALTER TABLE custody_files DROP COLUMN idle;

-- Looks at publishers that somebody asked for, with what became of them.
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

-- Which process asks a site at present, until when, and when the site may be sent a burst
-- again. Nothing is lost with it.
CREATE TABLE site_leases (
    site   TEXT    NOT NULL PRIMARY KEY,
    holder TEXT    NOT NULL,
    until  INTEGER NOT NULL,
    rested INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
