package model

// Collection is one content program.
var Collection = &ObjectType{
	Name: "Collection",
	Doc:  "a content program: a series, publication, event series, rotation or channel",
	Fields: []Field{
		{Name: "collection_id", Go: "ID", Type: str(), Required: true,
			Doc: "Stable id, unique in the file; placements and agents refer to it."},
		{Name: "name", Type: str(), Required: true, Doc: "Name a person recognises."},
		{Name: "kind", Type: enum(CollectionKinds), Default: `"series"`, Doc: "What sort of program this is."},
		{Name: "description", Type: str(), Doc: "What the program is about, in a sentence or two."},
		{Name: "genre", Go: "Genres", Type: list(str()),
			Doc: "Genres; ids of genre_taxonomy when that is given, free words otherwise."},
		{Name: "genre_taxonomy", Type: str(), Doc: "The taxonomy the genre values come from, for example iab_content_3.0."},
		{Name: "language", Type: str(), Doc: "Main language as a BCP 47 tag, for example en or pt-BR."},
		{Name: "content_rating", Type: object(ContentRating), Doc: "Age or content rating of the program."},
		{Name: "cadence", Type: oneOf("daily", "weekly", "monthly", "seasonal", "event", "irregular"),
			Doc: "How often a new installment comes out."},
		{Name: "season", Type: str(), Doc: "The current or most recent season."},
		{Name: "status", Type: oneOf("active", "hiatus", "ended", "upcoming"),
			Doc: "Whether the program is running, paused, over or still to come."},
		{Name: "production_quality", Type: oneOf("professional", "prosumer", "ugc"),
			Doc: "Production level; ugc stands for content made by users."},
		{Name: "talent", Type: list(object(Talent)), Doc: "People who appear in or make the program."},
		{Name: "special", Type: object(Special), Doc: "The event the program is built around, when it is a special."},
		{Name: "limited_series", Type: object(LimitedSeries),
			Doc: "Length and dates, when the program has a fixed number of installments."},
		{Name: "distribution", Type: list(object(Distribution)),
			Doc: "Where the program can be found, and under which identifiers."},
		{Name: "deadline_policy", Type: object(DeadlinePolicy),
			Doc: "How long before air bookings, cancellations and material are due."},
		{Name: "related_collections", Type: list(object(RelatedCollection)),
			Doc: "Other collections of this file that belong with this one."},
		{Name: "ext", Type: freeObject(), Doc: "Vendor data."},
	},
}

// ContentRating is a rating under a named system.
var ContentRating = &ObjectType{
	Name: "ContentRating",
	Doc:  "a content rating and the system it belongs to",
	Fields: []Field{
		{Name: "system", Type: oneOf("tv_parental", "mpaa", "podcast", "esrb", "bbfc", "fsk", "acb", "chvrs", "csa", "pegi",
			"custom"), Required: true, Doc: "The rating system."},
		{Name: "rating", Type: str(), Required: true, Doc: "The rating as that system writes it, for example TV-14."},
	},
}

// Talent is a person connected with a collection.
var Talent = &ObjectType{
	Name: "Talent",
	Doc:  "a person who appears in or makes a program",
	Fields: []Field{
		{Name: "role", Type: oneOf("host", "guest", "creator", "cast", "narrator", "producer", "correspondent", "commentator",
			"analyst"), Required: true, Doc: "What the person does."},
		{Name: "name", Type: str(), Required: true, Doc: "The person's name as credited."},
		{Name: "brand_url", Type: formatted(URI), Doc: "The person's brand file or home page."},
	},
}

// Special is the event behind a collection.
var Special = &ObjectType{
	Name: "Special",
	Doc:  "the event a program is built around",
	Fields: []Field{
		{Name: "name", Type: str(), Required: true, Doc: "Name of the event."},
		{Name: "category", Type: oneOf("awards", "championship", "concert", "conference", "election", "festival", "gala",
			"holiday", "premiere", "product_launch", "reunion", "tribute"), Doc: "What sort of event it is."},
		{Name: "starts", Type: formatted(DateTime), Doc: "When the event begins."},
		{Name: "ends", Type: formatted(DateTime), Doc: "When the event is over; not before starts."},
	},
}

// LimitedSeries bounds a collection with a fixed number of installments.
var LimitedSeries = &ObjectType{
	Name: "LimitedSeries",
	Doc:  "the length of a program with a fixed number of installments",
	Fields: []Field{
		{Name: "total_installments", Type: positive(), Required: true, Doc: "How many installments there will be."},
		{Name: "starts", Type: formatted(DateTime), Doc: "When the first installment comes out."},
		{Name: "ends", Type: formatted(DateTime), Doc: "When the last installment comes out; not before starts."},
	},
}

// Distribution is one place where a collection is published.
var Distribution = &ObjectType{
	Name: "Distribution",
	Doc:  "a publisher that carries the program, and its identifiers there",
	Fields: []Field{
		{Name: "publisher_domain", Type: str(), Required: true,
			Doc: "Domain of the publisher or platform that carries the program."},
		{Name: "property_ids", Go: "PropertyIDs", Type: list(str(pattern(IDPattern)), minItems(1), unique),
			Doc: "Properties that carry the program, by their ids in that publisher's file."},
		{Name: "identifiers", Type: list(object(DistributionIdentifier), minItems(1)),
			Doc: "The program's identifiers at that publisher; at least one."},
	},
	AnyOf: [][]string{{"property_ids", "identifiers"}},
}

// DistributionIdentifier is one identifier of a collection on a platform.
var DistributionIdentifier = &ObjectType{
	Name:   "DistributionIdentifier",
	Doc:    "one identifier of a program on a platform or in a registry",
	Closed: true,
	Fields: []Field{
		{Name: "type", Type: enum(DistributionIdentifierTypes), Required: true,
			Doc: "Which platform or registry the value belongs to."},
		{Name: "value", Type: str(), Required: true, Doc: "The identifier itself."},
	},
}

// DeadlinePolicy says how far ahead things are due.
var DeadlinePolicy = &ObjectType{
	Name:       "DeadlinePolicy",
	Doc:        "how far ahead of an installment bookings and material are due",
	MinMembers: 1,
	Fields: []Field{
		{Name: "booking_lead_days", Type: count(), Doc: "Days before air by which a booking must be made."},
		{Name: "cancellation_lead_days", Type: count(),
			Doc: "Days before air until which a booking can be cancelled; not more than booking_lead_days."},
		{Name: "material_stages", Type: list(object(MaterialStage), minItems(1)),
			Doc: "Delivery stages for material, the one due earliest first."},
		{Name: "business_days_only", Type: boolean(), Default: "false",
			Doc: "Whether the day counts skip weekends and holidays."},
	},
}

// MaterialStage is one delivery deadline for material.
var MaterialStage = &ObjectType{
	Name: "MaterialStage",
	Doc:  "one stage of material delivery",
	Fields: []Field{
		{Name: "stage", Type: str(), Required: true, Doc: "Id of the stage, for example draft or final."},
		{Name: "lead_days", Type: count(), Required: true, Doc: "Days before air by which the material is due."},
		{Name: "label", Type: str(), Doc: "What is due at this stage, for people."},
	},
}

// RelatedCollection links two collections of one file.
var RelatedCollection = &ObjectType{
	Name:   "RelatedCollection",
	Doc:    "another collection of the same file and how it relates",
	Closed: true,
	Fields: []Field{
		{Name: "collection_id", Type: str(), Required: true, Doc: "Id of the other collection, declared in this file."},
		{Name: "relationship", Type: oneOf("spinoff", "companion", "sequel", "prequel", "crossover"), Required: true,
			Doc: "What the other collection is to this one."},
	},
}
