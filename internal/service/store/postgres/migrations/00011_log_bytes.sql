-- A log in fewer bytes. A subject is its hash once, in log_subjects; log_past, which has a row for each
-- replaced leaf that a map has, says its id: the index of a leaf about it, which no other subject has. The
-- newest leaf of a subject in a map is the last one that the map covers, here or there, so how long it was
-- the newest is not needed. log_numbers has the number of the first leaf of each bundle: numbers rise along
-- the log, and the others are in the bundle. A map says which leaf has it, once there is one.

-- +goose Up
ALTER TABLE log_maps ADD COLUMN leaf BIGINT;
UPDATE log_maps SET leaf = (SELECT n.place FROM log_numbers n WHERE n.number = log_maps.number);

ALTER TABLE log_numbers RENAME TO log_numbers_before;
ALTER INDEX log_numbers_pkey RENAME TO log_numbers_before_pkey;
CREATE TABLE log_numbers (
    number BIGINT NOT NULL PRIMARY KEY,
    place  BIGINT NOT NULL
);
INSERT INTO log_numbers SELECT number, place FROM log_numbers_before WHERE place % 256 = 0;
DROP TABLE log_numbers_before;

ALTER TABLE log_subjects RENAME TO log_subjects_before;
ALTER INDEX log_subjects_pkey RENAME TO log_subjects_before_pkey;
CREATE TABLE log_subjects ( -- the newest leaf of each
    subject BYTEA NOT NULL PRIMARY KEY,
    id      BIGINT NOT NULL,
    place   BIGINT NOT NULL,
    hash    BYTEA NOT NULL
) WITH (fillfactor = 70);
INSERT INTO log_subjects SELECT subject, place, place, hash FROM log_subjects_before;
DROP TABLE log_subjects_before;

ALTER TABLE log_past RENAME TO log_past_before;
ALTER INDEX log_past_pkey RENAME TO log_past_before_pkey;
CREATE TABLE log_past (
    subject BIGINT NOT NULL,
    place   BIGINT NOT NULL,
    PRIMARY KEY (subject, place)
);
INSERT INTO log_past SELECT s.id, p.place FROM log_past_before p JOIN log_subjects s ON s.subject = p.subject;
DROP TABLE log_past_before;
