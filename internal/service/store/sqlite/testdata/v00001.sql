PRAGMA application_id = 1635151735;
CREATE TABLE schema_versions (
		id INTEGER PRIMARY KEY AUTOINCREMENT,
		version_id INTEGER NOT NULL,
		is_applied INTEGER NOT NULL,
		tstamp TIMESTAMP DEFAULT (datetime('now'))
	);
INSERT INTO schema_versions VALUES (1, 0, 1, '2026-11-15 20:02:39');
INSERT INTO schema_versions VALUES (2, 1, 1, '2026-11-15 20:02:39');
CREATE TABLE documents (
    hash   TEXT    NOT NULL PRIMARY KEY,
    size   INTEGER NOT NULL, -- before packing
    packed BLOB    NOT NULL
) STRICT;
INSERT INTO documents VALUES ('230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', 4, X'28B52FFD0400210000626F64790F2D3D31');
CREATE TABLE sightings (
    domain         TEXT    NOT NULL PRIMARY KEY,
    checked_at     INTEGER NOT NULL,
    fresh_until    INTEGER NOT NULL,
    answer         TEXT    NOT NULL,
    method         TEXT    NOT NULL,
    found          INTEGER NOT NULL,
    valid          INTEGER NOT NULL,
    url            TEXT    NOT NULL,
    resolved_url   TEXT    NOT NULL,
    manager_domain TEXT    NOT NULL,
    status         INTEGER NOT NULL,
    bytes          INTEGER NOT NULL,
    body           TEXT    NOT NULL,
    pointer        TEXT    NOT NULL,
    identifiers    BLOB, -- packed
    way            BLOB -- packed: the documents that led to body
) STRICT;
INSERT INTO sightings VALUES ('a.example', 1772368215123456, 1772371815123456, 'found', 'pointer', 1, 1, 'https://a.example/.well-known/adagents.json', 'https://cdn.example/adagents.json', 'manager.example', 200, 123456789012, '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', '1cdf95bd12e993d5aaf216f5f4ac1148b4b003ed0a253b781b25866eeaa27af3', X'2A28B52FFD040051010006646F6D61696E09612E6578616D706C650A696F735F62756E646C650D636F6D2E612E6578616D706C659FC6B763', X'800228B52FFD44000000AD0500E28D291D6049EBA816DF2CC1742390E9150300B86625757253928C10267BA18815DA1A65F73F73DA744CC875B30D7B35C68FA783B8FAB46D8CD9BA97A9529FC87C55630B0D0E510E0AE5B93F346BC325200E41E0383EA148FCA15D2330F1CF19204981F768E26226D644080198C1776C7E54ADD552591D53F1AA65CEF2BB26AF64A629D44407CF37C39CBBDAA77F4AC8F0965728AC8D3F12442F5FB4610C28C97B05016F79040AEB420300DAC366EC435B7F13C10CE82797E5');
CREATE TABLE identifiers (
    key    BLOB NOT NULL,
    domain TEXT NOT NULL REFERENCES sightings (domain) ON DELETE CASCADE,
    PRIMARY KEY (key, domain)
) STRICT, WITHOUT ROWID;
CREATE INDEX identifiers_of ON identifiers (domain);
INSERT INTO identifiers VALUES (X'1CC4B821B00FFA15FA12C938DB29D3154D492DA4303B8FB1393E7490D8338A31', 'a.example');
INSERT INTO identifiers VALUES (X'C514F58ACBC69168F910725AEB567CB8A7C62225B88FB4156AFD45C33CA988BF', 'a.example');
CREATE TABLE brands (
    domain     TEXT    NOT NULL,
    source     TEXT    NOT NULL,
    manifest   BLOB    NOT NULL,
    updated_at INTEGER NOT NULL,
    revision   INTEGER NOT NULL,
    saved_by   TEXT    NOT NULL,
    PRIMARY KEY (domain, source)
) STRICT;
INSERT INTO brands VALUES ('a.example', 'community', X'7B7D', 1772368215123456, 1, 'k');
CREATE TABLE mirrors (
    platform          TEXT    NOT NULL PRIMARY KEY,
    document          TEXT    NOT NULL REFERENCES documents (hash),
    catalog_etag      TEXT    NOT NULL,
    superseded_by     TEXT    NOT NULL,
    publisher_domains BLOB, -- packed
    created_at        INTEGER NOT NULL,
    updated_at        INTEGER NOT NULL,
    superseded_at     INTEGER,
    own_file_url      TEXT    NOT NULL,
    own_file_at       INTEGER,
    checked_at        INTEGER
) STRICT;
CREATE INDEX mirrors_document ON mirrors (document);
INSERT INTO mirrors VALUES ('p', '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', '', '', NULL, 1772368215123456, 1772368215123456, NULL, '', NULL, NULL);
CREATE TABLE proposals (
    id           TEXT    NOT NULL PRIMARY KEY,
    platform     TEXT    NOT NULL,
    document     TEXT    NOT NULL REFERENCES documents (hash),
    base         TEXT    NOT NULL,
    digest       TEXT    NOT NULL,
    state        TEXT    NOT NULL,
    submitted_at INTEGER NOT NULL,
    submitted_by TEXT    NOT NULL,
    decided_at   INTEGER,
    decided_by   TEXT    NOT NULL,
    reason       TEXT    NOT NULL
) STRICT;
CREATE INDEX proposals_age ON proposals (submitted_at, id);
CREATE INDEX proposals_document ON proposals (document);
CREATE INDEX proposals_state ON proposals (state, submitted_at, id);
INSERT INTO proposals VALUES ('1', 'p', '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', '', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 'pending', 1772368215123456, 'writer', NULL, '', '');
CREATE TABLE api_keys (
    id         TEXT    NOT NULL PRIMARY KEY,
    name       TEXT    NOT NULL,
    scope      TEXT    NOT NULL,
    hash       TEXT    NOT NULL UNIQUE,
    created_at INTEGER NOT NULL,
    revoked_at INTEGER
) STRICT;
INSERT INTO api_keys VALUES ('k', 'name of k', 'write', '8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a', 1772368215123456, 1772368215123456);
CREATE TABLE budgets (
    budget TEXT    NOT NULL,
    period TEXT    NOT NULL,
    taken  INTEGER NOT NULL,
    PRIMARY KEY (budget, period)
) STRICT;
INSERT INTO budgets VALUES ('b', 'p', 1);
CREATE TABLE probes (
    id INTEGER NOT NULL PRIMARY KEY,
    at INTEGER NOT NULL
) STRICT;
INSERT INTO probes VALUES (1, 1794772959766208);
