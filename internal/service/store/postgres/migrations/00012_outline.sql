-- What a directory notes of itself, so that it can list publishers soon after a start: parts in their
-- order, all of one moment. "number" is that of the last event that the directory had followed. It can
-- be made again from the rest, so it is not moved with a store.

-- +goose Up
CREATE TABLE outline (
    place    BIGINT NOT NULL PRIMARY KEY,
    identity TEXT COLLATE "C" NOT NULL, -- of the store that it was made from
    number   BIGINT NOT NULL,
    part     BYTEA  NOT NULL
);
