-- Subscriptions to the change feed. "position" is the number of the last event that need not be
-- told any more. A subscription is due at "next_at" if the feed has gone on since; who takes it
-- moves that and "fence", without which nothing is committed.

-- +goose Up
CREATE TABLE subscriptions (
    id            TEXT NOT NULL PRIMARY KEY,
    owner         TEXT NOT NULL,
    url           TEXT NOT NULL,
    filter        TEXT NOT NULL, -- JSON
    created_at    INTEGER NOT NULL,
    position      INTEGER NOT NULL,
    position_at   INTEGER NOT NULL,
    next_at       INTEGER NOT NULL,
    failures      INTEGER NOT NULL,
    failing_since INTEGER,
    problem       TEXT NOT NULL,
    delivered_at  INTEGER,
    suspended_at  INTEGER,
    fence         INTEGER NOT NULL
) STRICT, WITHOUT ROWID;
CREATE INDEX subscriptions_owner ON subscriptions (owner, created_at, id);
CREATE INDEX subscriptions_due ON subscriptions (next_at, position) WHERE suspended_at IS NULL;
