-- What checks said goes: the records of custody have it, and identifiers belong to them.
-- "listed" is the hash of the version whose identifiers a publisher is found by.
ALTER TABLE custody_publishers ADD COLUMN listed TEXT COLLATE "C" NOT NULL DEFAULT '';
UPDATE custody_publishers SET listed = COALESCE((SELECT body FROM sightings WHERE sightings.domain = custody_publishers.domain), '');
ALTER TABLE identifiers DROP CONSTRAINT identifiers_domain_fkey;
ALTER TABLE identifiers ADD CONSTRAINT identifiers_domain_fkey FOREIGN KEY (domain) REFERENCES custody_publishers (domain) ON DELETE CASCADE;
ALTER TABLE identifiers ALTER COLUMN since DROP DEFAULT;
DROP TABLE sightings;
