package model

// Onboarder discloses how offline data became digital.
var Onboarder = &ObjectType{
	Name:   "Onboarder",
	Doc:    "how offline records were matched to digital identifiers",
	Closed: true,
	Fields: []Field{
		{Name: "match_keys",
			Type: list(oneOf("name", "address", "email", "postal", "lat_long", "mobile_id", "cookie_id", "ip", "customer_id",
				"phone"), minItems(1)), Required: true, Doc: "The data the records were matched on."},
		{Name: "pre_onboarding_audience_expansion", Type: boolean(),
			Doc: "Whether similar people were added before matching."},
		{Name: "pre_onboarding_device_expansion", Type: boolean(), Doc: "Whether other devices were added before matching."},
		{Name: "pre_onboarding_precision_level", Type: oneOf("individual", "household", "business", "geography"),
			Doc: "What one offline record stood for."},
	},
}

// Modeling discloses how a modeled signal was built.
var Modeling = &ObjectType{
	Name:   "Modeling",
	Doc:    "how the model behind a signal was built",
	Closed: true,
	Fields: []Field{
		{Name: "method", Type: oneOf("lookalike", "supervised", "embedding", "rules"), Required: true,
			Doc: "The kind of model."},
		{Name: "seed_source", Type: object(SeedSource), Required: true, Doc: "The data the model started from."},
		{Name: "training_data_jurisdictions", Type: list(formatted(Country), minItems(1)), Required: true,
			Doc: "Countries the training data was collected in, as ISO 3166-1 alpha-2 codes."},
		{Name: "ai_act_risk_class", Go: "AIActRiskClass", Type: oneOf("minimal", "limited", "high_risk"), Required: true,
			Doc: "Risk class under the EU AI Act, as the provider declares it."},
		{Name: "disclosure", Type: object(Disclosure), Doc: "Where and to whom the use of a model must be disclosed."},
	},
}

// SeedSource is the starting data of a model.
var SeedSource = &ObjectType{
	Name:   "SeedSource",
	Doc:    "the data a model started from",
	Closed: true,
	Fields: []Field{
		{Name: "type", Type: oneOf("first_party_crm", "panel", "declared_survey", "transactional", "behavioral"),
			Required: true, Doc: "The kind of seed data."},
		{Name: "provider_signed", Type: boolean(), Required: true,
			Doc: "Whether the provider signed a statement about the seed."},
	},
}

// Disclosure says where the use of a model must be disclosed.
var Disclosure = &ObjectType{
	Name:   "Disclosure",
	Doc:    "duties to disclose the use of a model",
	Closed: true,
	Fields: []Field{
		{Name: "required", Type: boolean(), Required: true,
			Doc: "Whether a disclosure is owed anywhere; true needs jurisdictions."},
		{Name: "jurisdictions", Type: list(object(DisclosureJurisdiction), minItems(1)),
			Doc: "The places where a disclosure is owed."},
		{Name: "notes", Type: str(length(0, 2000)), Doc: "Remarks for people who read the disclosure."},
	},
}

// DisclosureJurisdiction is one place with a duty to disclose.
var DisclosureJurisdiction = &ObjectType{
	Name:   "DisclosureJurisdiction",
	Doc:    "one place where a disclosure is owed",
	Closed: true,
	Fields: []Field{
		{Name: "country", Type: formatted(Country), Required: true, Doc: "ISO 3166-1 alpha-2 code of the country."},
		{Name: "region", Type: str(), Doc: "Part of the country, when the duty is regional."},
		{Name: "regulation", Type: str(), Required: true, Doc: "The law or rule that asks for the disclosure."},
		{Name: "disclosure_text", Type: str(), Doc: "The text to show."},
		{Name: "disclosure_url", Type: formatted(URI), Doc: "A page with the full disclosure."},
		{Name: "audience", Type: oneOf("buyer", "data_subject", "regulator", "public"), Doc: "Whom the disclosure is for."},
	},
}

// DataSubjectRights routes requests of the people behind the data.
var DataSubjectRights = &ObjectType{
	Name:   "DataSubjectRights",
	Doc:    "where people can use their rights over the data",
	Closed: true,
	Fields: []Field{
		{Name: "upstream_source_domain", Type: formatted(Hostname),
			Doc: "The data source the channels lead to, when it is not this domain."},
		{Name: "channels", Type: list(object(RightsChannel), minItems(1)), Required: true,
			Doc: "Ways to make a request; access, erasure or objection must be among the rights."},
		{Name: "response_sla_days", Go: "ResponseSLADays", Type: integer(atLeast(1), atMost(90)),
			Doc: "Days within which requests are answered."},
		{Name: "ccpa_opt_out_url", Go: "CCPAOptOutURL", Type: formatted(HTTPS), Doc: "Page where Californians can opt out."},
	},
}

// RightsChannel is one way to make a rights request.
var RightsChannel = &ObjectType{
	Name:   "RightsChannel",
	Doc:    "one way to make a request about personal data",
	Closed: true,
	Fields: []Field{
		{Name: "rights", Type: list(oneOf("access", "rectification", "erasure", "portability", "objection"), minItems(1),
			unique), Required: true, Doc: "The rights this channel handles."},
		{Name: "url", Type: formatted(HTTPS), Doc: "Page or form for requests; url or email must be given."},
		{Name: "email", Type: formatted(Email), Doc: "Address for requests; url or email must be given."},
		{Name: "languages", Type: list(str()), Doc: "Languages requests can be made in."},
		{Name: "countries", Type: list(formatted(Country)),
			Doc: "Countries the channel serves, as ISO 3166-1 alpha-2 codes."},
	},
	AnyOf: [][]string{{"url", "email"}},
}
