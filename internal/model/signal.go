package model

// A signal entry has one of two shapes that share no required member, so the
// union in Signal marks none; these lists say what each shape needs.
var (
	// SignalReferenceRequired are the members a catalog reference must have.
	SignalReferenceRequired = []string{"catalog_url"}
	// SignalDefinitionRequired are the members a full definition must have.
	SignalDefinitionRequired = []string{"id", "name", "value_type"}
)

// Signal is one entry of signals: a reference to a catalog, or a definition.
var Signal = &ObjectType{
	Name: "Signal",
	Doc:  "a signal: a reference to a signal catalog, or a full definition",
	Fields: []Field{
		{Name: "catalog_url", Type: formatted(URI), Doc: "Reference form: URL of the signal catalog."},
		{Name: "relationship", Type: enum(Relationships),
			Doc: "Reference form: how the publisher stands to the catalog, for example direct."},
		{Name: "id", Type: str(pattern(SignalIDPattern)),
			Doc: "Definition form: stable id, referred to by signal_ids; unique in the file."},
		{Name: "name", Type: str(length(1, 255)), Doc: "Name a person recognises."},
		{Name: "description", Type: str(length(0, 2000)), Doc: "What the signal means and how it is made."},
		{Name: "value_type", Type: enum(SignalValueTypes),
			Doc: "Whether the value is yes or no, one of a list, or a number."},
		{Name: "category", Type: str(),
			Doc: "Broad group, for example purchase_intent or location; other words are allowed."},
		{Name: "tags", Type: list(str(pattern(SignalTagPattern))),
			Doc: "Groups the signal belongs to, matched by signal_tags."},
		{Name: "allowed_values", Type: list(str(), minItems(1)), Doc: "For a categorical signal: the values it can take."},
		{Name: "range", Type: object(SignalRange), Doc: "For a numeric signal: the lowest and highest value."},
		{Name: "restricted_attributes", Type: list(enum(RestrictedAttributes), minItems(1)),
			Doc: "Protected attributes the signal touches."},
		{Name: "demographic_predicate", Type: object(DemographicPredicate),
			Doc: "The ages the signal selects; needs age among restricted_attributes."},
		{Name: "policy_categories", Type: list(str(), minItems(1)),
			Doc: "Ids of the policy categories the signal is sensitive for."},
		{Name: "taxonomy", Type: object(Taxonomy), Doc: "Where the signal sits in an outside taxonomy."},
		{Name: "segmentation_criteria", Type: str(length(0, 500)),
			Doc: "The rule that puts someone into the segment, in words."},
		{Name: "criteria_url", Type: formatted(URI), Doc: "A longer description of the criteria or method."},
		{Name: "data_sources", Type: list(enum(DataSources), minItems(1)),
			Doc: "Where the raw data came from; offline and public-record sources need onboarder."},
		{Name: "methodology", Type: oneOf("observed", "declared", "derived", "inferred", "modeled"),
			Doc: "How membership was established; modeled needs modeling."},
		{Name: "audience_expansion", Type: boolean(), Doc: "Whether similar people were added; true needs modeling."},
		{Name: "device_expansion", Type: boolean(),
			Doc: "Whether other devices of the same person, household or business were added."},
		{Name: "refresh_cadence", Type: enum(Cadences), Doc: "How often membership is computed anew."},
		{Name: "lookback_window", Type: enum(Cadences), Doc: "How far back a qualifying event may lie."},
		{Name: "onboarder", Type: object(Onboarder), Doc: "How offline records were matched to digital identifiers."},
		{Name: "subject_type", Type: oneOf("individual", "household", "business", "contextual", "none"),
			Doc: "Whom or what the signal describes."},
		{Name: "resolution_method", Type: oneOf("deterministic_id", "probabilistic_device", "browser", "geographic",
			"content_signal", "mixed"), Doc: "How the subject is recognised when an ad is decided."},
		{Name: "id_types", Type: list(oneOf("cookie", "mobile_id", "platform_id", "user_enabled_id"), minItems(1)),
			Doc: "The kinds of identifier the signal was built on."},
		{Name: "audience_scope", Type: oneOf("single_domain", "cross_domain_owned", "cross_domain_unowned", "offline"),
			Doc: "Where the behaviour was seen; single_domain needs originating_domain."},
		{Name: "originating_domain", Type: formatted(Hostname), Doc: "The site or app the audience comes from."},
		{Name: "countries", Type: list(formatted(Country), minItems(1)),
			Doc: "Countries the signal may be used in, as ISO 3166-1 alpha-2 codes."},
		{Name: "consent_basis", Type: list(oneOf("consent", "legitimate_interest", "contract", "legal_obligation"),
			minItems(1)), Doc: "Legal grounds on which the data is processed."},
		{Name: "art9_basis", Type: oneOf("explicit_consent", "manifestly_made_public", "substantial_public_interest",
			"vital_interests"), Doc: "Ground under GDPR article 9, for special categories of data."},
		{Name: "modeling", Type: object(Modeling), Doc: "How the model behind the signal was built."},
		{Name: "data_subject_rights", Type: object(DataSubjectRights),
			Doc: "Where people can use their rights over the data."},
		{Name: "last_updated", Type: formatted(DateTime), Doc: "When this definition last changed."},
		{Name: "dts_compliant_version", Go: "DTSCompliantVersion", Type: str(),
			Doc: "Version of the data transparency standard the definition follows."},
	},
	AnyOf: [][]string{{"catalog_url", "id"}},
}

// SignalRange is the span of a numeric signal.
var SignalRange = &ObjectType{
	Name:   "SignalRange",
	Doc:    "the span of a numeric signal",
	Closed: true,
	Fields: []Field{
		{Name: "min", Type: number(), Required: true, Doc: "Lowest value."},
		{Name: "max", Type: number(), Required: true, Doc: "Highest value; not below min."},
		{Name: "unit", Type: str(), Doc: "What is counted, for example score or years."},
	},
}

// DemographicPredicate states demographic limits in a form that can be compared.
var DemographicPredicate = &ObjectType{
	Name: "DemographicPredicate",
	Doc:  "demographic limits of a signal",
	Fields: []Field{
		{Name: "age", Type: object(AgePredicate), Doc: "The ages included."},
	},
}

// AgePredicate is a span of ages.
var AgePredicate = &ObjectType{
	Name: "AgePredicate",
	Doc:  "a span of ages, open at one end if only min or max is given",
	Fields: []Field{
		{Name: "min", Type: integer(atLeast(0), atMost(150)), Doc: "Youngest age included."},
		{Name: "max", Type: integer(atLeast(0), atMost(150)), Doc: "Oldest age included; not below min."},
		{Name: "include_unknown", Type: boolean(), Required: true, Doc: "Whether people of unknown age are included."},
	},
	AnyOf: [][]string{{"min", "max"}},
}

// Taxonomy places a signal in an outside taxonomy.
var Taxonomy = &ObjectType{
	Name:   "Taxonomy",
	Doc:    "the place of a signal in an outside taxonomy",
	Closed: true,
	Fields: []Field{
		{Name: "ref", Type: formatted(URI), Required: true, Doc: "URI of the taxonomy or of its documentation."},
		{Name: "version", Type: str(), Doc: "Version of the taxonomy."},
		{Name: "segtax", Type: positive(), Doc: "OpenRTB number of the taxonomy, when it has one."},
		{Name: "etag", Type: str(), Doc: "Version token of a custom taxonomy, to notice changes."},
		{Name: "values", Type: list(object(TaxonomyValue), minItems(1)), Required: true,
			Doc: "The taxonomy nodes that describe this signal."},
		{Name: "value_mappings", Type: list(object(ValueMapping), minItems(1)),
			Doc: "For a categorical signal: the node each allowed value stands for."},
		{Name: "parent_match_behavior", Type: oneOf("exact_only", "descendants_supported", "unknown"), Default: `"unknown"`,
			Doc: "Whether naming a parent node also covers the nodes below it."},
	},
}

// TaxonomyValue is one node of a taxonomy.
var TaxonomyValue = &ObjectType{
	Name:   "TaxonomyValue",
	Doc:    "one node of a taxonomy",
	Closed: true,
	Fields: []Field{
		{Name: "id", Type: str(), Required: true, Doc: "Id of the node."},
		{Name: "path", Type: str(), Doc: "Path of the node, for people."},
		{Name: "modifiers", Type: list(str()), Doc: "Qualifiers the taxonomy defines for the node."},
	},
}

// ValueMapping ties an allowed value to a taxonomy node.
var ValueMapping = &ObjectType{
	Name:   "ValueMapping",
	Doc:    "the taxonomy node an allowed value stands for",
	Closed: true,
	Fields: []Field{
		{Name: "value", Type: str(), Required: true, Doc: "One of the signal's allowed_values."},
		{Name: "taxonomy_value_id", Type: str(), Required: true, Doc: "Id of the taxonomy node."},
		{Name: "path", Type: str(), Doc: "Path of the node, for people."},
		{Name: "modifiers", Type: list(str()), Doc: "Qualifiers the taxonomy defines for the node."},
	},
}
