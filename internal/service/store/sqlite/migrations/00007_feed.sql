-- The change feed. An event that is "live" tells what holds at present, and is kept as long as
-- it does; the others are kept for 90 days. "digest" is that of what the event says, to be
-- compared with what would be said now. Numbers come from custody_store.

-- +goose Up
CREATE TABLE feed_events (
    number       INTEGER NOT NULL PRIMARY KEY,
    at           INTEGER NOT NULL, -- never earlier than that of the event before
    type         TEXT NOT NULL,
    publisher    TEXT NOT NULL, -- empty for events about an agent
    agent        TEXT NOT NULL,
    entity       TEXT NOT NULL,
    live         INTEGER NOT NULL,
    digest       BLOB NOT NULL,
    payload      BLOB NOT NULL -- packed JSON
) STRICT;
CREATE INDEX feed_events_publisher ON feed_events (publisher, number) WHERE live AND publisher <> '';
CREATE INDEX feed_events_agent ON feed_events (agent, type, number) WHERE live AND agent <> '';
CREATE INDEX feed_events_type ON feed_events (type, number);
CREATE INDEX feed_events_old ON feed_events (at, number) WHERE NOT live;

-- What the events of a publisher were made of.
CREATE TABLE feed_publishers (
    domain       TEXT NOT NULL PRIMARY KEY,
    input        BLOB NOT NULL
) STRICT, WITHOUT ROWID;
