-- Maps of the transparency log: which leaf was the newest about each publisher and each file when the
-- log had "size" leaves. A map is pinned first, with "number" 0, and calculated later: from then on what
-- is replaced in log_subjects is kept in log_past, where "until" is the size of the last map that has
-- it. So the entries of every map can be read at any time, and never change.

-- +goose Up
CREATE TABLE log_maps (
    size    INTEGER NOT NULL PRIMARY KEY,
    at      INTEGER NOT NULL,
    number  INTEGER NOT NULL, -- of the event whose leaf has the root
    entries INTEGER NOT NULL,
    blocks  BLOB NOT NULL -- the first key and the root of every 256 entries
) STRICT;
CREATE TABLE log_past (
    subject BLOB NOT NULL,
    until   INTEGER NOT NULL,
    place   INTEGER NOT NULL,
    PRIMARY KEY (subject, until)
) STRICT, WITHOUT ROWID;
