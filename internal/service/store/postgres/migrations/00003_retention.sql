-- What may be removed, and when. "guest" is when an anonymous caller last named a record
-- that nobody else did; missing for a record that somebody with a key or the operator
-- named, zero when what it refers to was removed. "site" is the registrable domain, and
-- "bytes" the size of the version that counts.

-- +goose Up
ALTER TABLE documents ADD COLUMN at BIGINT NOT NULL DEFAULT 0; -- when it was last stored
ALTER TABLE custody_publishers ADD COLUMN guest BIGINT;
ALTER TABLE custody_publishers ADD COLUMN site TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE custody_files ADD COLUMN guest BIGINT;
ALTER TABLE custody_files ADD COLUMN site TEXT COLLATE "C" NOT NULL DEFAULT '';
ALTER TABLE custody_files ADD COLUMN bytes BIGINT NOT NULL DEFAULT 0;
CREATE INDEX custody_publishers_guest ON custody_publishers (guest, domain) WHERE guest IS NOT NULL;
CREATE INDEX custody_publishers_site ON custody_publishers (site) WHERE guest IS NOT NULL;
CREATE INDEX custody_files_guest ON custody_files (guest, key, bytes) WHERE guest IS NOT NULL;
CREATE INDEX custody_files_site ON custody_files (site, guest, bytes) WHERE guest IS NOT NULL;
CREATE INDEX custody_places_pointer ON custody_places (pointer) WHERE pointer <> '';
CREATE INDEX custody_versions_age ON custody_versions (adopted_at, number);
CREATE INDEX custody_places_age ON custody_places (adopted_at, number);
CREATE INDEX sightings_age ON sightings (checked_at, domain);

-- One row: from when on the history is complete.
CREATE TABLE custody_history (
    id    BIGINT NOT NULL PRIMARY KEY,
    since BIGINT NOT NULL
);
INSERT INTO custody_history (id, since) VALUES (1, 0);
