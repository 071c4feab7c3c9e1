-- Since when a publisher's file lists an identifier: zero for one from before dates were
-- kept, which is earlier than any date. "gone" is when a file was first seen without it;
-- missing while it is listed.

-- +goose Up
ALTER TABLE identifiers ADD COLUMN since BIGINT NOT NULL DEFAULT 0;
ALTER TABLE identifiers ADD COLUMN gone BIGINT;
