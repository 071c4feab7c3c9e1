package model

// Agent is one entry of authorized_agents.
var Agent = &ObjectType{
	Name: "Agent",
	Doc:  "an agent and the slice of inventory it may sell",
	Fields: []Field{
		{Name: "url", Go: "URL", Type: formatted(HTTPS), Required: true, Doc: "The agent's API endpoint."},
		{Name: "authorized_for", Type: str(length(1, 500)), Required: true,
			Doc: "What the agent may sell, in words, for people."},
		{Name: "authorization_type", Go: "Type", GoType: "AuthorizationType", Type: enum(AuthorizationTypes), Required: true,
			Doc: "Which selector below says what is covered."},
		{Name: "property_ids", Go: "PropertyIDs", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "With authorization_type property_ids: ids of top-level properties."},
		{Name: "property_tags", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "With authorization_type property_tags: properties carrying any of these tags."},
		{Name: "properties", Type: list(object(Property), minItems(1)),
			Doc: "With authorization_type inline_properties: the properties themselves."},
		{Name: "publisher_properties", Go: "Selectors", Type: list(object(Selector), minItems(1)),
			Doc: "With authorization_type publisher_properties: selectors over other publishers' files."},
		{Name: "signal_ids", Go: "SignalIDs", Type: list(str(pattern(SignalIDPattern)), minItems(1)),
			Doc: "With authorization_type signal_ids: ids of top-level signals."},
		{Name: "signal_tags", Type: list(str(pattern(SignalTagPattern)), minItems(1)),
			Doc: "With authorization_type signal_tags: signals carrying any of these tags."},
		{Name: "delegation_type", Type: enum(DelegationTypes),
			Doc: "Whether this is the publisher's direct path, a delegate, or a network."},
		{Name: "collections", Type: list(object(CollectionSelector), minItems(1)),
			Doc: "Narrows the entry to these content programs."},
		{Name: "placement_ids", Go: "PlacementIDs", Type: list(str(), minItems(1)),
			Doc: "Narrows the entry to these placements of this file."},
		{Name: "placement_tags", Type: list(str(), minItems(1), unique),
			Doc: "Narrows the entry to placements carrying any of these tags."},
		{Name: "countries", Type: list(formatted(Country), minItems(1), unique),
			Doc: "Narrows the entry to these countries, as ISO 3166-1 alpha-2 codes."},
		{Name: "effective_from", Type: formatted(DateTime), Doc: "The authorization starts at this instant."},
		{Name: "effective_until", Type: formatted(DateTime), Doc: "The authorization ends after this instant."},
		{Name: "exclusive", Type: boolean(), Doc: "True when this is the only authorized path for the slice."},
		{Name: "signing_keys", Type: list(object(SigningKey), minItems(1)),
			Doc: "Public keys the publisher vouches for; buyers accept signatures by these keys only."},
		{Name: "encryption_keys", Type: list(object(EncryptionKey), minItems(1)),
			Doc: "Public X25519 keys for messages to the agent."},
		{Name: "last_updated", Type: formatted(DateTime), Doc: "When this entry last changed; advisory."},
	},
}

// Selector picks properties of other publishers.
var Selector = &ObjectType{
	Name: "Selector",
	Doc:  "properties of one or several publishers",
	Fields: []Field{
		{Name: "publisher_domain", Type: formatted(Domain),
			Doc: "One publisher; exactly one of publisher_domain and publisher_domains."},
		{Name: "publisher_domains", Type: list(formatted(Domain), minItems(1), unique),
			Doc: "Several publishers; with selection_type all or by_tag only."},
		{Name: "selection_type", Type: enum(SelectionTypes), Required: true,
			Doc: "How properties are picked from each publisher's file."},
		{Name: "property_ids", Go: "PropertyIDs", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "With by_id: the property ids."},
		{Name: "property_tags", Type: list(str(pattern(IDPattern)), minItems(1)),
			Doc: "With by_tag: properties carrying any of these tags."},
	},
}

// CollectionSelector names collections of a publisher.
var CollectionSelector = &ObjectType{
	Name: "CollectionSelector",
	Doc:  "content programs of one publisher",
	Fields: []Field{
		{Name: "publisher_domain", Type: formatted(Domain), Required: true,
			Doc: "The publisher that declares the collections."},
		{Name: "collection_ids", Go: "CollectionIDs", Type: list(str(), minItems(1)),
			Doc: "Ids of its collections; all of them without this member."},
	},
}

// SigningKey is a pinned public key.
var SigningKey = &ObjectType{
	Name: "SigningKey",
	Doc:  "a public key (JWK) the publisher pins for an agent",
	Fields: []Field{
		{Name: "kid", Type: str(length(1, 0)), Required: true, Doc: "Key id, as in the signature's keyid."},
		{Name: "kty", Type: str(length(1, 0)), Required: true, Doc: "Key type: OKP (Ed25519) or EC (P-256)."},
		{Name: "alg", Type: str(), Doc: "EdDSA or ES256."},
		{Name: "use", Type: str(), Doc: "sig."},
		{Name: "key_ops", Type: list(str()), Doc: "verify."},
		{Name: "crv", Type: str(), Doc: "Ed25519 or P-256."},
		{Name: "x", Type: str(), Doc: "Public key coordinate, base64url without padding."},
		{Name: "y", Type: str(), Doc: "Second coordinate of an EC key, base64url without padding."},
		{Name: "n", Type: str(), Doc: "RSA modulus; RSA keys are read but never verify."},
		{Name: "e", Type: str(), Doc: "RSA exponent."},
		{Name: "adcp_use", Type: str(), Doc: "Purpose within the protocol, for example request-signing."},
		{Name: "revoked_at", Type: formatted(DateTime), Doc: "Signatures made at or after this instant are rejected."},
	},
}

// EncryptionKey is a public key for messages to an agent.
var EncryptionKey = &ObjectType{
	Name:   "EncryptionKey",
	Doc:    "a public X25519 key of an agent",
	Closed: true,
	Fields: []Field{
		{Name: "kid", Type: str(length(1, 8)), Required: true, Doc: "Key id, at most 8 characters."},
		{Name: "kty", Type: constant("OKP"), Required: true, Doc: "OKP."},
		{Name: "crv", Type: constant("X25519"), Required: true, Doc: "X25519."},
		{Name: "use", Type: constant("enc"), Required: true, Doc: "enc."},
		{Name: "x", Type: formatted(Base64URL), Required: true, Doc: "The 32-byte public key, base64url without padding."},
	},
}
