CREATE TABLE public.api_keys (
    id text NOT NULL COLLATE pg_catalog."C",
    name text NOT NULL COLLATE pg_catalog."C",
    scope text NOT NULL COLLATE pg_catalog."C",
    hash text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    revoked_at bigint
);

CREATE TABLE public.brands (
    domain text NOT NULL COLLATE pg_catalog."C",
    source text NOT NULL COLLATE pg_catalog."C",
    manifest bytea NOT NULL,
    updated_at bigint NOT NULL,
    revision bigint NOT NULL,
    saved_by text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.budgets (
    budget text NOT NULL COLLATE pg_catalog."C",
    period text NOT NULL COLLATE pg_catalog."C",
    taken bigint NOT NULL
);

CREATE TABLE public.crawl_requests (
    id text NOT NULL COLLATE pg_catalog."C",
    domain text NOT NULL COLLATE pg_catalog."C",
    caller text NOT NULL COLLATE pg_catalog."C",
    status text NOT NULL COLLATE pg_catalog."C",
    attempts bigint NOT NULL,
    requested_at bigint NOT NULL,
    started_at bigint,
    attempted_at bigint,
    completed_at bigint,
    next_at bigint,
    error text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.custody_clock (
    id bigint NOT NULL,
    noted bigint NOT NULL
);

CREATE TABLE public.custody_events (
    number bigint NOT NULL,
    severity bigint NOT NULL,
    publisher text NOT NULL COLLATE pg_catalog."C",
    file bytea,
    record bytea NOT NULL
);
ALTER TABLE ONLY public.custody_events ALTER COLUMN record SET STORAGE EXTERNAL;

CREATE TABLE public.custody_files (
    key bytea NOT NULL,
    url text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    held boolean NOT NULL,
    revoked bigint NOT NULL,
    record bytea NOT NULL,
    guest bigint,
    site text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    bytes bigint DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY public.custody_files ALTER COLUMN record SET STORAGE EXTERNAL;

CREATE TABLE public.custody_history (
    id bigint NOT NULL,
    since bigint NOT NULL
);

CREATE TABLE public.custody_places (
    number bigint NOT NULL,
    domain text NOT NULL COLLATE pg_catalog."C",
    adopted_at bigint NOT NULL,
    method text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    manager text NOT NULL COLLATE pg_catalog."C",
    absent boolean NOT NULL,
    pointer text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.custody_publishers (
    domain text NOT NULL COLLATE pg_catalog."C",
    revision bigint NOT NULL,
    held boolean NOT NULL,
    record bytea NOT NULL,
    since bigint NOT NULL,
    place bytea,
    goal bytea,
    guest bigint,
    site text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C",
    listed text DEFAULT ''::text NOT NULL COLLATE pg_catalog."C"
);
ALTER TABLE ONLY public.custody_publishers ALTER COLUMN record SET STORAGE EXTERNAL;

CREATE TABLE public.custody_revocations (
    file bytea NOT NULL,
    first text NOT NULL COLLATE pg_catalog."C",
    digest bytea NOT NULL,
    packed bytea NOT NULL
);
ALTER TABLE ONLY public.custody_revocations ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE public.custody_store (
    id bigint NOT NULL,
    identity text NOT NULL COLLATE pg_catalog."C",
    last bigint NOT NULL
);

CREATE TABLE public.custody_versions (
    number bigint NOT NULL,
    file bytea NOT NULL,
    hash text NOT NULL COLLATE pg_catalog."C",
    adopted_at bigint NOT NULL,
    last_updated bigint,
    catalog_etag text NOT NULL COLLATE pg_catalog."C",
    bytes bigint NOT NULL
);

CREATE TABLE public.documents (
    hash text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    packed bytea NOT NULL,
    at bigint DEFAULT 0 NOT NULL
);
ALTER TABLE ONLY public.documents ALTER COLUMN packed SET STORAGE EXTERNAL;

CREATE TABLE public.due (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
PARTITION BY HASH (name);

CREATE TABLE public.due_0 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_1 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_10 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_11 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_12 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_13 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_14 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_15 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_2 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_3 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_4 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_5 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_6 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_7 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_8 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.due_9 (
    name text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    class smallint NOT NULL,
    attempt smallint NOT NULL,
    at bigint NOT NULL,
    fence bigint NOT NULL,
    wish bigint NOT NULL
)
WITH (fillfactor='80', autovacuum_vacuum_scale_factor='0.02', autovacuum_vacuum_cost_delay='0');

CREATE TABLE public.feed_events (
    number bigint NOT NULL,
    at bigint NOT NULL,
    type text NOT NULL COLLATE pg_catalog."C",
    publisher text NOT NULL COLLATE pg_catalog."C",
    agent text NOT NULL COLLATE pg_catalog."C",
    entity text NOT NULL COLLATE pg_catalog."C",
    live boolean NOT NULL,
    digest bytea NOT NULL,
    payload bytea NOT NULL
);
ALTER TABLE ONLY public.feed_events ALTER COLUMN payload SET STORAGE EXTERNAL;

CREATE TABLE public.feed_publishers (
    domain text NOT NULL COLLATE pg_catalog."C",
    input bytea NOT NULL
);

CREATE TABLE public.identifiers (
    key bytea NOT NULL,
    domain text NOT NULL COLLATE pg_catalog."C",
    since bigint NOT NULL,
    gone bigint
);

CREATE TABLE public.log_bundles (
    place bigint NOT NULL,
    packed bytea NOT NULL
);

CREATE TABLE public.log_checkpoints (
    size bigint NOT NULL,
    at bigint NOT NULL,
    note bytea NOT NULL
);

CREATE TABLE public.log_leaves (
    place bigint NOT NULL,
    leaf bytea NOT NULL
);

CREATE TABLE public.log_maps (
    size bigint NOT NULL,
    at bigint NOT NULL,
    number bigint NOT NULL,
    entries bigint NOT NULL,
    blocks bytea NOT NULL,
    leaf bigint
);

CREATE TABLE public.log_numbers (
    number bigint NOT NULL,
    place bigint NOT NULL
);

CREATE TABLE public.log_outbox (
    number bigint NOT NULL,
    subject bytea NOT NULL,
    body bytea NOT NULL
);

CREATE TABLE public.log_past (
    subject bigint NOT NULL,
    place bigint NOT NULL
);

CREATE TABLE public.log_state (
    id bigint NOT NULL,
    active boolean NOT NULL,
    origin text NOT NULL COLLATE pg_catalog."C",
    size bigint NOT NULL,
    root bytea NOT NULL,
    cursor bigint NOT NULL
);

CREATE TABLE public.log_subjects (
    subject bytea NOT NULL,
    id bigint NOT NULL,
    place bigint NOT NULL,
    hash bytea NOT NULL
)
WITH (fillfactor='70');

CREATE TABLE public.log_tiles (
    level bigint NOT NULL,
    place bigint NOT NULL,
    data bytea NOT NULL
);

CREATE TABLE public.mirrors (
    platform text NOT NULL COLLATE pg_catalog."C",
    document text NOT NULL COLLATE pg_catalog."C",
    catalog_etag text NOT NULL COLLATE pg_catalog."C",
    superseded_by text NOT NULL COLLATE pg_catalog."C",
    publisher_domains bytea,
    created_at bigint NOT NULL,
    updated_at bigint NOT NULL,
    superseded_at bigint,
    own_file_url text NOT NULL COLLATE pg_catalog."C",
    own_file_at bigint,
    checked_at bigint
);

CREATE TABLE public.outline (
    place bigint NOT NULL,
    identity text COLLATE pg_catalog."C" NOT NULL,
    number bigint NOT NULL,
    part bytea NOT NULL
);

CREATE TABLE public.probes (
    id bigint NOT NULL,
    at bigint NOT NULL
);

CREATE TABLE public.proposals (
    id text NOT NULL COLLATE pg_catalog."C",
    platform text NOT NULL COLLATE pg_catalog."C",
    document text NOT NULL COLLATE pg_catalog."C",
    base text NOT NULL COLLATE pg_catalog."C",
    digest text NOT NULL COLLATE pg_catalog."C",
    state text NOT NULL COLLATE pg_catalog."C",
    submitted_at bigint NOT NULL,
    submitted_by text NOT NULL COLLATE pg_catalog."C",
    decided_at bigint,
    decided_by text NOT NULL COLLATE pg_catalog."C",
    reason text NOT NULL COLLATE pg_catalog."C"
);

CREATE TABLE public.schema_versions (
    id integer NOT NULL,
    version_id bigint NOT NULL,
    is_applied boolean NOT NULL,
    tstamp timestamp without time zone DEFAULT now() NOT NULL
);

ALTER TABLE public.schema_versions ALTER COLUMN id ADD GENERATED BY DEFAULT AS IDENTITY (
    SEQUENCE NAME public.schema_versions_id_seq
    START WITH 1
    INCREMENT BY 1
    NO MINVALUE
    NO MAXVALUE
    CACHE 1
);

CREATE TABLE public.site_leases (
    site text NOT NULL COLLATE pg_catalog."C",
    holder text NOT NULL COLLATE pg_catalog."C",
    until bigint NOT NULL,
    rested bigint NOT NULL
);

CREATE TABLE public.subscriptions (
    id text NOT NULL COLLATE pg_catalog."C",
    owner text NOT NULL COLLATE pg_catalog."C",
    url text NOT NULL COLLATE pg_catalog."C",
    filter text NOT NULL COLLATE pg_catalog."C",
    created_at bigint NOT NULL,
    "position" bigint NOT NULL,
    position_at bigint NOT NULL,
    next_at bigint NOT NULL,
    failures bigint NOT NULL,
    failing_since bigint,
    problem text NOT NULL COLLATE pg_catalog."C",
    delivered_at bigint,
    suspended_at bigint,
    fence bigint NOT NULL
);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_0 FOR VALUES WITH (modulus 16, remainder 0);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_1 FOR VALUES WITH (modulus 16, remainder 1);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_10 FOR VALUES WITH (modulus 16, remainder 10);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_11 FOR VALUES WITH (modulus 16, remainder 11);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_12 FOR VALUES WITH (modulus 16, remainder 12);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_13 FOR VALUES WITH (modulus 16, remainder 13);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_14 FOR VALUES WITH (modulus 16, remainder 14);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_15 FOR VALUES WITH (modulus 16, remainder 15);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_2 FOR VALUES WITH (modulus 16, remainder 2);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_3 FOR VALUES WITH (modulus 16, remainder 3);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_4 FOR VALUES WITH (modulus 16, remainder 4);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_5 FOR VALUES WITH (modulus 16, remainder 5);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_6 FOR VALUES WITH (modulus 16, remainder 6);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_7 FOR VALUES WITH (modulus 16, remainder 7);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_8 FOR VALUES WITH (modulus 16, remainder 8);

ALTER TABLE ONLY public.due ATTACH PARTITION public.due_9 FOR VALUES WITH (modulus 16, remainder 9);

INSERT INTO public.api_keys VALUES ('k', 'name of k', 'write', '8254c329a92850f6d539dd376f4816ee2764517da5e0235514af433164480d7a', 1772368215123456, 1772368215123456);

INSERT INTO public.brands VALUES ('a.example', 'community', '\x7b7d', 1772368215123456, 1, 'k');

INSERT INTO public.budgets VALUES ('b', 'p', 1);

INSERT INTO public.custody_clock VALUES (1, 1772368215123456);

INSERT INTO public.custody_events VALUES (4, 2, 'a.example', '\x39432ed1ed5a07df3c43338c957ac0c682943ae1a9e9a55997d5b479449ce416', '\x003dab7edc7b22636f6465223a2265222c227365766572697479223a22616c657274222c226174223a22323032362d30332d30315431323a33303a31352e3132333435365a222c227075626c6973686572223a22612e6578616d706c65222c2275726c223a2268747470733a2f2f63646e2e6578616d706c652f61646167656e74732e6a736f6e222c22646f6d61696e223a227265766f6b65642e6578616d706c65222c226265666f7265223a2278222c226166746572223a2279222c226368616e676573223a5b7b22636f6465223a226167656e742e6164646564222c227365766572697479223a22616c657274222c227375626a656374223a2268747470733a2f2f6167656e742e6578616d706c65222c226265666f7265223a2231222c226166746572223a2232222c22706f696e746572223a222f612f30222c226d657373616765223a226d227d5d2c226d6f7265223a372c226d657373616765223a22736f6d657468696e672068617070656e6564227d');
INSERT INTO public.custody_events VALUES (5, 0, '', NULL, '\x005c277bde7b22636f6465223a2266222c227365766572697479223a22696e666f222c226174223a22323032362d30332d30315431323a33303a31352e3132333435365a222c22646f6d61696e223a227265766f6b65642e6578616d706c65222c226265666f7265223a2278222c226166746572223a2279222c226368616e676573223a5b7b22636f6465223a226167656e742e6164646564222c227365766572697479223a22616c657274222c227375626a656374223a2268747470733a2f2f6167656e742e6578616d706c65222c226265666f7265223a2231222c226166746572223a2232222c22706f696e746572223a222f612f30222c226d657373616765223a226d227d5d2c226d6f7265223a372c226d657373616765223a22736f6d657468696e672068617070656e6564227d');

INSERT INTO public.custody_files VALUES ('\x39432ed1ed5a07df3c43338c957ac0c682943ae1a9e9a55997d5b479449ce416', 'https://cdn.example/adagents.json', 1, true, 2, '\x0010fc2a5b7b2275726c223a2268747470733a2f2f63646e2e6578616d706c652f61646167656e74732e6a736f6e222c2268617368223a2232333064383335386463386538383930623463353864656562363239313265653266323033353761653932613563633836316239386536386665333161636235222c226279746573223a342c226c6173745f75706461746564223a22323032362d30332d30315430373a33303a31352e3132333435365a222c22636174616c6f675f65746167223a2265746167222c2261646f707465645f6174223a22323032362d30332d30315431333a33303a31352e3132333435365a222c2266697273745f7365656e223a22323032362d30332d30315431343a33303a31352e3132333435365a222c22686967685f7761746572223a22323032362d30332d30315431353a33303a31352e3132333435365a222c22636f6e6669726d65645f6174223a22323032362d30332d30315431363a33303a31352e3132333435365a222c2277686f6c655f6174223a22323032362d30332d30315431373a33303a31352e3132333435365a222c2266726573685f756e74696c223a22323032362d30332d30315431383a33303a31352e3132333435365a222c226b6579735f756e74696c223a22323032362d30332d30315431393a33303a31352e3132333435365a222c2268656164657273223a7b224361636865436f6e74726f6c223a6e756c6c2c22416765223a22222c2244617465223a22222c2245787069726573223a22222c2245546167223a22572f5c22315c22222c224c6173744d6f646966696564223a22227d2c2274726965645f6174223a22323032362d30332d30315432303a33303a31352e3132333435365a222c226661696c696e675f73696e6365223a22323032362d30332d30315432313a33303a31352e3132333435365a222c2274726f75626c65223a2274696d656f7574222c226361757365223a2273696c656e6365222c22636c6f736564223a22676f6e65222c2272656675736564223a7b2268617368223a2263626130366235373336666166363765353462303762353631656165393433393565373734633531376137643931306135343336396531323633636366626434222c226c6173745f75706461746564223a22323032362d30332d30315430333a33303a31352e3132333435365a222c22636f6465223a2266696c652e726f6c6c6261636b222c2273696e6365223a22323032362d30332d30315432323a33303a31352e3132333435365a222c226c6f6f6b73223a302c22636f6e6669726d6564223a747275657d2c226f766572666c6f77223a747275657d', NULL, 'cdn.example', 4);

INSERT INTO public.custody_history VALUES (1, 0);

INSERT INTO public.custody_places VALUES (3, 'a.example', 1772368215123456, 'ads_txt_managerdomain', 'https://cdn.example/adagents.json', 'manager.example', true, 'f0b6b098dad8ace0369e50b5f2966ce6d620351667db81a068dd67214f1402b5');

INSERT INTO public.custody_publishers VALUES ('a.example', 1, true, '\x8e0928b52ffd648e03f51000e2276e25208d3801e02106267912b1a018a18815771a2135b01b499150d00264c25508270060004a039389e4862e560cedabbe78be8df48d21fba2af45618e06433fb9239e2fc616fd7cf4f6bc441ff12a965f93c60df103cb2f873764691d08c3af4f502f351de534b8f239837e42c9cd65d9a72c5f9347120db1742df6257a8688d497c3c3a0678be45e8833496efa7a6307b95ddf78c6077d9d21c8cfcdeb793e16faba64c8840bd011024c8e0da0ddf5fc9e4794ed6008bae948d03db751c3c9fe3af32c6ca1440b656134ad351ab64ae3698ca65118055b9ad630d4348e25621ec6b0a3513086b6d1b6351cec691e165d3fcd9dbe267fd73776916b31a1e7227cfd0d91375c2fadc2c1d7f9fac9d2559183afb7ebb9d7e0ebcaf52c117c399c7b219cacbece9a01963620b2d419f42fca86b18027680b2ed14fc96d79623cd7f0e14c9365d4f08b1384a1a48b608416bd4ee3ae62dbaf2f34cc42b128028ca24ca10a454161010a16d02c6cb91e324fa7a774d1173f64eb1bf27cf66b72fdd7619c0f02b3214bdb36011b9448e8acbaa7eb9f7c7c4996162ee574a49dd9f6fa16a766ea123d8cae178aefebfc2a6a232cb0d743b7546c9704240034204fe0ffd9d037c7e1aa18ef5ac550c0dcf089afc1dc0e3681148ab550ccb04671fe66616882b08182075ea20c27310098b189837c60163a56f7303323d1a211cc02663a879965c17b601650d106e63b9cead714b12d04ef9a572690b03c537b42cc97a9', 1772389815123456, '\x39432ed1ed5a07df3c43338c957ac0c682943ae1a9e9a55997d5b479449ce416', NULL, NULL, 'a.example', '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5');

INSERT INTO public.custody_revocations VALUES ('\x39432ed1ed5a07df3c43338c957ac0c682943ae1a9e9a55997d5b479449ce416', 'a.example', '\xee4496601d17e6487dd6b13db009476ecfed600c839e347dca60088bc52f80eb', '\x006d43633509612e6578616d706c650180a89a87cffda50609622e6578616d706c650780a89a87cffda5068088e0b499fda50680b8b7f0e9fda506');

INSERT INTO public.custody_store VALUES (1, '4dd1cdb096b94af4b89b7f42cee049fb', 8);

INSERT INTO public.custody_versions VALUES (2, '\x39432ed1ed5a07df3c43338c957ac0c682943ae1a9e9a55997d5b479449ce416', '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', 1772368215123456, 1772368215123456, 'etag', 4);

INSERT INTO public.documents VALUES ('230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', 4, '\x28b52ffd0400210000626f64790f2d3d31', 1772397015123456);
INSERT INTO public.documents VALUES ('f0b6b098dad8ace0369e50b5f2966ce6d620351667db81a068dd67214f1402b5', 20, '\x28b52ffd0400a10000706f696e746572206f6620612e6578616d706c65ff465612', 1772397015123456);

INSERT INTO public.due_12 VALUES ('file:39432ed1ed5a07df3c43338c957ac0c682943ae1a9e9a55997d5b479449ce416', 'https://cdn.example/adagents.json', 1, 0, 1772397075123456, 0, 0);

INSERT INTO public.due_3 VALUES ('a.example', '', 1, 0, 1772389875123456, 0, 0);

INSERT INTO public.feed_events VALUES (6, 1772368215123456, 'agent.discovered', '', '019f07078ce2ddfdecd0f77e5a039a68', 'https://agent.example', true, '\x30313233343536373839616263646566', '\x00c7f4b7b17b226964223a2268747470733a2f2f6167656e742e6578616d706c65227d');
INSERT INTO public.feed_events VALUES (7, 1772368215123456, 'authorization.revoked', 'a.example', '019f07078ce2ddfdecd0f77e5a039a68', 'one', false, '\x30313233343536373839616263646566', '\x0018fc445a7b226964223a226f6e65227d');
INSERT INTO public.feed_events VALUES (8, 1772368215123456, 'authorization.granted', 'a.example', '019f07078ce2ddfdecd0f77e5a039a68', 'two', true, '\x30313233343536373839616263646566', '\x00afd18a477b226964223a2274776f227d');

INSERT INTO public.feed_publishers VALUES ('a.example', '\x0102');

INSERT INTO public.identifiers VALUES ('\x1cc4b821b00ffa15fa12c938db29d3154d492da4303b8fb1393e7490d8338a31', 'a.example', 1772368215123456, NULL);
INSERT INTO public.identifiers VALUES ('\xc514f58acbc69168f910725aeb567cb8a7c62225b88fb4156afd45c33ca988bf', 'a.example', 1772368215123456, NULL);

INSERT INTO public.mirrors VALUES ('p', '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', '', '', NULL, 1772368215123456, 1772368215123456, NULL, '', NULL, NULL);

INSERT INTO public.probes VALUES (1, 1794970497412226);

INSERT INTO public.proposals VALUES ('1', 'p', '230d8358dc8e8890b4c58deeb62912ee2f20357ae92a5cc861b98e68fe31acb5', '', '6b86b273ff34fce19d6b804eff5a3f5747ada4eaa22f1d49c01e52ddb7875b4b', 'pending', 1772368215123456, 'writer', NULL, '', '');

INSERT INTO public.schema_versions VALUES (1, 0, true, '2026-11-18 02:54:56.804408');
INSERT INTO public.schema_versions VALUES (2, 1, true, '2026-11-18 02:54:56.825251');
INSERT INTO public.schema_versions VALUES (3, 2, true, '2026-11-18 02:54:56.899957');
INSERT INTO public.schema_versions VALUES (4, 3, true, '2026-11-18 02:54:57.007375');
INSERT INTO public.schema_versions VALUES (5, 4, true, '2026-11-18 02:54:57.048045');
INSERT INTO public.schema_versions VALUES (6, 5, true, '2026-11-18 02:54:57.051615');
INSERT INTO public.schema_versions VALUES (7, 6, true, '2026-11-18 02:54:57.080292');
INSERT INTO public.schema_versions VALUES (8, 7, true, '2026-11-18 02:54:57.270986');
INSERT INTO public.schema_versions VALUES (9, 8, true, '2026-11-18 02:54:57.28404');
INSERT INTO public.schema_versions VALUES (10, 9, true, '2026-11-18 02:54:57.316433');
INSERT INTO public.schema_versions VALUES (11, 10, true, '2026-11-18 02:54:57.327364');
INSERT INTO public.schema_versions VALUES (12, 11, true, '2026-11-18 02:54:57.347436');
INSERT INTO public.schema_versions VALUES (13, 12, true, '2026-11-18 02:54:57.387024');

SELECT pg_catalog.setval('public.schema_versions_id_seq', 13, true);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_hash_key UNIQUE (hash);

ALTER TABLE ONLY public.api_keys
    ADD CONSTRAINT api_keys_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.brands
    ADD CONSTRAINT brands_pkey PRIMARY KEY (domain, source);

ALTER TABLE ONLY public.budgets
    ADD CONSTRAINT budgets_pkey PRIMARY KEY (budget, period);

ALTER TABLE ONLY public.crawl_requests
    ADD CONSTRAINT crawl_requests_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.custody_clock
    ADD CONSTRAINT custody_clock_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.custody_events
    ADD CONSTRAINT custody_events_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.custody_files
    ADD CONSTRAINT custody_files_pkey PRIMARY KEY (key);

ALTER TABLE ONLY public.custody_history
    ADD CONSTRAINT custody_history_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.custody_places
    ADD CONSTRAINT custody_places_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.custody_publishers
    ADD CONSTRAINT custody_publishers_pkey PRIMARY KEY (domain);

ALTER TABLE ONLY public.custody_revocations
    ADD CONSTRAINT custody_revocations_pkey PRIMARY KEY (file, first);

ALTER TABLE ONLY public.custody_store
    ADD CONSTRAINT custody_store_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.custody_versions
    ADD CONSTRAINT custody_versions_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.documents
    ADD CONSTRAINT documents_pkey PRIMARY KEY (hash);

ALTER TABLE ONLY public.due
    ADD CONSTRAINT due_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_0
    ADD CONSTRAINT due_0_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_10
    ADD CONSTRAINT due_10_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_11
    ADD CONSTRAINT due_11_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_12
    ADD CONSTRAINT due_12_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_13
    ADD CONSTRAINT due_13_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_14
    ADD CONSTRAINT due_14_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_15
    ADD CONSTRAINT due_15_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_1
    ADD CONSTRAINT due_1_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_2
    ADD CONSTRAINT due_2_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_3
    ADD CONSTRAINT due_3_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_4
    ADD CONSTRAINT due_4_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_5
    ADD CONSTRAINT due_5_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_6
    ADD CONSTRAINT due_6_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_7
    ADD CONSTRAINT due_7_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_8
    ADD CONSTRAINT due_8_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.due_9
    ADD CONSTRAINT due_9_pkey PRIMARY KEY (name);

ALTER TABLE ONLY public.feed_events
    ADD CONSTRAINT feed_events_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.feed_publishers
    ADD CONSTRAINT feed_publishers_pkey PRIMARY KEY (domain);

ALTER TABLE ONLY public.identifiers
    ADD CONSTRAINT identifiers_pkey PRIMARY KEY (key, domain);

ALTER TABLE ONLY public.log_bundles
    ADD CONSTRAINT log_bundles_pkey PRIMARY KEY (place);

ALTER TABLE ONLY public.log_checkpoints
    ADD CONSTRAINT log_checkpoints_pkey PRIMARY KEY (size);

ALTER TABLE ONLY public.log_leaves
    ADD CONSTRAINT log_leaves_pkey PRIMARY KEY (place);

ALTER TABLE ONLY public.log_maps
    ADD CONSTRAINT log_maps_pkey PRIMARY KEY (size);

ALTER TABLE ONLY public.log_numbers
    ADD CONSTRAINT log_numbers_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.log_outbox
    ADD CONSTRAINT log_outbox_pkey PRIMARY KEY (number);

ALTER TABLE ONLY public.log_past
    ADD CONSTRAINT log_past_pkey PRIMARY KEY (subject, place);

ALTER TABLE ONLY public.log_state
    ADD CONSTRAINT log_state_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.log_subjects
    ADD CONSTRAINT log_subjects_pkey PRIMARY KEY (subject);

ALTER TABLE ONLY public.log_tiles
    ADD CONSTRAINT log_tiles_pkey PRIMARY KEY (level, place);

ALTER TABLE ONLY public.mirrors
    ADD CONSTRAINT mirrors_pkey PRIMARY KEY (platform);

ALTER TABLE ONLY public.outline
    ADD CONSTRAINT outline_pkey PRIMARY KEY (place);

ALTER TABLE ONLY public.probes
    ADD CONSTRAINT probes_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.schema_versions
    ADD CONSTRAINT schema_versions_pkey PRIMARY KEY (id);

ALTER TABLE ONLY public.site_leases
    ADD CONSTRAINT site_leases_pkey PRIMARY KEY (site);

ALTER TABLE ONLY public.subscriptions
    ADD CONSTRAINT subscriptions_pkey PRIMARY KEY (id);

CREATE INDEX crawl_requests_age ON public.crawl_requests USING btree (requested_at);

CREATE INDEX crawl_requests_caller ON public.crawl_requests USING btree (caller, requested_at);

CREATE INDEX crawl_requests_domain ON public.crawl_requests USING btree (domain, requested_at);

CREATE INDEX crawl_requests_open ON public.crawl_requests USING btree (domain) WHERE (completed_at IS NULL);

CREATE INDEX custody_events_alerts ON public.custody_events USING btree (number) WHERE (severity >= 2);

CREATE INDEX custody_events_file ON public.custody_events USING btree (file, number) WHERE (file IS NOT NULL);

CREATE INDEX custody_events_publisher ON public.custody_events USING btree (publisher, number) WHERE (publisher <> ''::text);

CREATE INDEX custody_events_warnings ON public.custody_events USING btree (number) WHERE (severity >= 1);

CREATE INDEX custody_files_guest ON public.custody_files USING btree (guest, key, bytes) WHERE (guest IS NOT NULL);

CREATE INDEX custody_files_held ON public.custody_files USING btree (key) WHERE held;

CREATE INDEX custody_files_site ON public.custody_files USING btree (site, guest, bytes) WHERE (guest IS NOT NULL);

CREATE INDEX custody_places_age ON public.custody_places USING btree (adopted_at, number);

CREATE INDEX custody_places_of ON public.custody_places USING btree (domain, adopted_at, number);

CREATE INDEX custody_places_pointer ON public.custody_places USING btree (pointer) WHERE (pointer <> ''::text);

CREATE INDEX custody_publishers_goal ON public.custody_publishers USING btree (goal, domain) WHERE (goal IS NOT NULL);

CREATE INDEX custody_publishers_guest ON public.custody_publishers USING btree (guest, domain) WHERE (guest IS NOT NULL);

CREATE INDEX custody_publishers_held ON public.custody_publishers USING btree (domain) WHERE held;

CREATE INDEX custody_publishers_place ON public.custody_publishers USING btree (place, domain) WHERE (place IS NOT NULL);

CREATE INDEX custody_publishers_site ON public.custody_publishers USING btree (site) WHERE (guest IS NOT NULL);

CREATE INDEX custody_versions_age ON public.custody_versions USING btree (adopted_at, number);

CREATE INDEX custody_versions_document ON public.custody_versions USING btree (hash);

CREATE INDEX custody_versions_of ON public.custody_versions USING btree (file, adopted_at, number);

CREATE INDEX due_class ON ONLY public.due USING btree (class, at);

CREATE INDEX due_0_class_at_idx ON public.due_0 USING btree (class, at);

CREATE INDEX due_10_class_at_idx ON public.due_10 USING btree (class, at);

CREATE INDEX due_11_class_at_idx ON public.due_11 USING btree (class, at);

CREATE INDEX due_12_class_at_idx ON public.due_12 USING btree (class, at);

CREATE INDEX due_13_class_at_idx ON public.due_13 USING btree (class, at);

CREATE INDEX due_14_class_at_idx ON public.due_14 USING btree (class, at);

CREATE INDEX due_15_class_at_idx ON public.due_15 USING btree (class, at);

CREATE INDEX due_1_class_at_idx ON public.due_1 USING btree (class, at);

CREATE INDEX due_2_class_at_idx ON public.due_2 USING btree (class, at);

CREATE INDEX due_3_class_at_idx ON public.due_3 USING btree (class, at);

CREATE INDEX due_4_class_at_idx ON public.due_4 USING btree (class, at);

CREATE INDEX due_5_class_at_idx ON public.due_5 USING btree (class, at);

CREATE INDEX due_6_class_at_idx ON public.due_6 USING btree (class, at);

CREATE INDEX due_7_class_at_idx ON public.due_7 USING btree (class, at);

CREATE INDEX due_8_class_at_idx ON public.due_8 USING btree (class, at);

CREATE INDEX due_9_class_at_idx ON public.due_9 USING btree (class, at);

CREATE INDEX feed_events_agent ON public.feed_events USING btree (agent, type, number) WHERE (live AND (agent <> ''::text));

CREATE INDEX feed_events_old ON public.feed_events USING btree (at, number) WHERE (NOT live);

CREATE INDEX feed_events_publisher ON public.feed_events USING btree (publisher, number) WHERE (live AND (publisher <> ''::text));

CREATE INDEX feed_events_type ON public.feed_events USING btree (type, number);

CREATE INDEX identifiers_of ON public.identifiers USING btree (domain);

CREATE INDEX log_outbox_subject ON public.log_outbox USING btree (subject);

CREATE INDEX mirrors_document ON public.mirrors USING btree (document);

CREATE INDEX proposals_age ON public.proposals USING btree (submitted_at, id);

CREATE INDEX proposals_document ON public.proposals USING btree (document);

CREATE INDEX proposals_state ON public.proposals USING btree (state, submitted_at, id);

CREATE INDEX subscriptions_due ON public.subscriptions USING btree (next_at, "position") WHERE (suspended_at IS NULL);

CREATE INDEX subscriptions_owner ON public.subscriptions USING btree (owner, created_at, id);

ALTER INDEX public.due_class ATTACH PARTITION public.due_0_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_0_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_10_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_10_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_11_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_11_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_12_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_12_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_13_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_13_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_14_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_14_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_15_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_15_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_1_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_1_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_2_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_2_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_3_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_3_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_4_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_4_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_5_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_5_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_6_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_6_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_7_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_7_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_8_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_8_pkey;

ALTER INDEX public.due_class ATTACH PARTITION public.due_9_class_at_idx;

ALTER INDEX public.due_pkey ATTACH PARTITION public.due_9_pkey;

ALTER TABLE ONLY public.custody_revocations
    ADD CONSTRAINT custody_revocations_file_fkey FOREIGN KEY (file) REFERENCES public.custody_files(key) ON DELETE CASCADE;

ALTER TABLE ONLY public.custody_versions
    ADD CONSTRAINT custody_versions_file_fkey FOREIGN KEY (file) REFERENCES public.custody_files(key);

ALTER TABLE ONLY public.custody_versions
    ADD CONSTRAINT custody_versions_hash_fkey FOREIGN KEY (hash) REFERENCES public.documents(hash);

ALTER TABLE ONLY public.identifiers
    ADD CONSTRAINT identifiers_domain_fkey FOREIGN KEY (domain) REFERENCES public.custody_publishers(domain) ON DELETE CASCADE;

ALTER TABLE ONLY public.mirrors
    ADD CONSTRAINT mirrors_document_fkey FOREIGN KEY (document) REFERENCES public.documents(hash);

ALTER TABLE ONLY public.proposals
    ADD CONSTRAINT proposals_document_fkey FOREIGN KEY (document) REFERENCES public.documents(hash);
