-- The change feed. An event that is "live" tells what holds at present, and is kept as long as
-- it does; the others are kept for 90 days. "digest" is that of what the event says, to be
-- compared with what would be said now. Numbers come from custody_store.

-- +goose Up
CREATE TABLE feed_events (
    number       BIGINT NOT NULL PRIMARY KEY,
    at           BIGINT NOT NULL, -- never earlier than that of the event before
    type         TEXT COLLATE "C" NOT NULL,
    publisher    TEXT COLLATE "C" NOT NULL, -- empty for events about an agent
    agent        TEXT COLLATE "C" NOT NULL,
    entity       TEXT COLLATE "C" NOT NULL,
    live         BOOLEAN NOT NULL,
    digest       BYTEA NOT NULL,
    payload      BYTEA NOT NULL -- packed JSON
);
CREATE INDEX feed_events_publisher ON feed_events (publisher, number) WHERE live AND publisher <> '';
CREATE INDEX feed_events_agent ON feed_events (agent, type, number) WHERE live AND agent <> '';
CREATE INDEX feed_events_type ON feed_events (type, number);
CREATE INDEX feed_events_old ON feed_events (at, number) WHERE NOT live;
ALTER TABLE feed_events ALTER COLUMN payload SET STORAGE EXTERNAL;

-- What the events of a publisher were made of.
CREATE TABLE feed_publishers (
    domain       TEXT COLLATE "C" NOT NULL PRIMARY KEY,
    input        BYTEA NOT NULL
);
