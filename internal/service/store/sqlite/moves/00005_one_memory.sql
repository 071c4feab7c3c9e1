-- What checks said goes: the records of custody have it, and identifiers belong to them.
-- "listed" is the hash of the version whose identifiers a publisher is found by.
ALTER TABLE custody_publishers ADD COLUMN listed TEXT NOT NULL DEFAULT '';
UPDATE custody_publishers SET listed = COALESCE((SELECT body FROM sightings WHERE sightings.domain = custody_publishers.domain), '');
ALTER TABLE identifiers RENAME TO identifiers_before;
CREATE TABLE identifiers (
    key    BLOB NOT NULL,
    domain TEXT NOT NULL REFERENCES custody_publishers (domain) ON DELETE CASCADE,
    since  INTEGER NOT NULL,
    gone   INTEGER,
    PRIMARY KEY (key, domain)
) STRICT, WITHOUT ROWID;
INSERT INTO identifiers SELECT key, domain, since, gone FROM identifiers_before;
DROP TABLE identifiers_before;
CREATE INDEX identifiers_of ON identifiers (domain);
DROP TABLE sightings;
