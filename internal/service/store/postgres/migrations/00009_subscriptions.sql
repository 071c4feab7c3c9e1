-- Subscriptions to the change feed. "position" is the number of the last event that need not be
-- told any more. A subscription is due at "next_at" if the feed has gone on since; who takes it
-- moves that and "fence", without which nothing is committed.

-- +goose Up
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
