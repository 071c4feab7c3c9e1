package adagents

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/iso3166"
)

// signalTermsRules look at what a signal has to disclose because of what else
// it says: models, offline sources, protected attributes, places.
var signalTermsRules = []rule[*Signal]{
	{Rule: Rule{
		Code: "signal.modeling_missing", Severity: Error,
		Title: "a modeled signal does not describe its model",
		Why:   "A signal that comes from a model, or that adds similar people, must say how the model was built.",
		Hint:  "add modeling with method, seed_source, training_data_jurisdictions and ai_act_risk_class",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "methodology": "modeled"}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "methodology": "modeled",
 "modeling": {"method": "lookalike", "seed_source": {"type": "panel", "provider_signed": true},
  "training_data_jurisdictions": ["US"], "ai_act_risk_class": "minimal"}}`,
	}, check: func(r reporter, x *Signal) {
		if x.member(atSignalModeling).Exists() {
			return
		}
		switch {
		case x.Methodology == "modeled":
			r.missing(x.Raw, "modeling", `methodology is "modeled", but modeling is missing`)
		case x.AudienceExpansion:
			r.missing(x.Raw, "modeling", "audience_expansion is true, but modeling is missing")
		}
	}},
	{Rule: Rule{
		Code: "signal.onboarder_missing", Severity: Error,
		Title: "a signal from offline data does not say how it was matched",
		Why: "Offline and public records reach an ad only after they are matched to digital identifiers, and that step " +
			"must be disclosed.",
		Hint: "add onboarder with match_keys",
		Spec: "AdCP adagents.json schema, signals",
		In:   InSignal,
		Bad:  `{"id": "voter", "name": "Voter", "value_type": "binary", "data_sources": ["public_record_census"]}`,
		Good: `{"id": "voter", "name": "Voter", "value_type": "binary", "data_sources": ["public_record_census"],
 "onboarder": {"match_keys": ["postal"]}}`,
	}, check: func(r reporter, x *Signal) {
		if x.member(atSignalOnboarder).Exists() {
			return
		}
		if i := slices.IndexFunc(x.DataSources, isOfflineSource); i >= 0 {
			r.missing(x.Raw, "onboarder", "data_sources has %q, but onboarder is missing", x.DataSources[i])
		}
	}},
	{Rule: Rule{
		Code: "signal.originating_domain_missing", Severity: Error,
		Title: "a signal of one domain does not name the domain",
		Why:   "Behaviour seen on a single domain can only be judged when that domain is known.",
		Hint:  "add originating_domain, for example example.com",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad:   `{"id": "reader", "name": "Reader", "value_type": "binary", "audience_scope": "single_domain"}`,
		given: func(o *Options) { o.Domain = "example.com" },
		Good: `{"id": "reader", "name": "Reader", "value_type": "binary", "audience_scope": "single_domain",
 "originating_domain": "example.com"}`,
		fix: addMember(Likely, func(x fixing) (string, bool) {
			domain := x.selfDomain()
			return jsonedit.String(domain), domain != ""
		}),
	}, check: func(r reporter, x *Signal) {
		if x.AudienceScope == "single_domain" && !x.member(atSignalOriginatingDomain).Exists() {
			r.missing(x.Raw, "originating_domain", `audience_scope is "single_domain", but originating_domain is missing`)
		}
	}},
	{Rule: Rule{
		Code: "signal.value_mappings_missing", Severity: Error,
		Title: "a categorical signal with a taxonomy does not map its values",
		Why:   "The taxonomy describes the signal as a whole; only value_mappings say which node each value stands for.",
		Hint:  "add value_mappings to taxonomy, one entry for each allowed value",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad: `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home"],
 "taxonomy": {"ref": "https://example.com/taxonomy", "values": [{"id": "7"}]}}`,
		Good: `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home"],
 "taxonomy": {"ref": "https://example.com/taxonomy", "values": [{"id": "7"}],
  "value_mappings": [{"value": "home", "taxonomy_value_id": "7"}]}}`,
		fix: onlyMapping,
	}, check: func(r reporter, x *Signal) {
		if x.ValueType == "categorical" && x.Taxonomy != nil && !x.Taxonomy.member(atTaxonomyValueMappings).Exists() {
			r.missing(x.Taxonomy.Raw, "value_mappings", "the signal is categorical, but its taxonomy has no value_mappings")
		}
	}},
	{Rule: Rule{
		Code: "signal.value_mapping_undefined", Severity: Warning,
		Title: "a value mapping names a value the signal does not have",
		Why:   "The mapping can never be used, and the value that was meant stays unmapped.",
		Hint:  "use a value from allowed_values, or add the value there",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad: `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home"],
 "taxonomy": {"ref": "https://example.com/taxonomy", "values": [{"id": "7"}],
  "value_mappings": [{"value": "hom", "taxonomy_value_id": "7"}]}}`,
		Good: `{"id": "team", "name": "Favourite team", "value_type": "categorical", "allowed_values": ["home"],
 "taxonomy": {"ref": "https://example.com/taxonomy", "values": [{"id": "7"}],
  "value_mappings": [{"value": "home", "taxonomy_value_id": "7"}]}}`,
	}, check: checkValueMappings},
	{Rule: Rule{
		Code: "signal.demographic_without_age", Severity: Error,
		Title: "a signal selects by age without declaring the attribute",
		Why:   "Age is a restricted attribute. Buyers who must not target by it look for it in restricted_attributes.",
		Hint:  `add "age" to restricted_attributes`,
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad: `{"id": "adult", "name": "Adult", "value_type": "binary",
 "demographic_predicate": {"age": {"min": 18, "include_unknown": false}}}`,
		Good: `{"id": "adult", "name": "Adult", "value_type": "binary", "restricted_attributes": ["age"],
 "demographic_predicate": {"age": {"min": 18, "include_unknown": false}}}`,
		fix: ageRestricted,
	}, check: func(r reporter, x *Signal) {
		v := x.member(atSignalRestrictedAttributes)
		if x.DemographicPredicate == nil || slices.Contains(x.RestrictedAttributes, "age") || v.Exists() && !v.Is(Array) {
			return
		}
		r.sayOf(x.Raw, v, "restricted_attributes",
			"the signal has a demographic_predicate, but restricted_attributes does not list age")
	}},
	{Rule: Rule{
		Code: "signal.age_inverted", Severity: Error,
		Title: "an age span has min above max",
		Why:   "Such a span is empty, so the signal selects no one.",
		Hint:  "exchange min and max",
		Spec:  "avow docs/rules.md",
		In:    InSignal,
		Bad: `{"id": "adult", "name": "Adult", "value_type": "binary", "restricted_attributes": ["age"],
 "demographic_predicate": {"age": {"min": 65, "max": 18, "include_unknown": false}}}`,
		Good: `{"id": "adult", "name": "Adult", "value_type": "binary", "restricted_attributes": ["age"],
 "demographic_predicate": {"age": {"min": 18, "max": 65, "include_unknown": false}}}`,
		fix: exchange(Likely, "min", "max"),
	}, check: func(r reporter, x *Signal) {
		if x.DemographicPredicate == nil || x.DemographicPredicate.Age == nil {
			return
		}
		age := x.DemographicPredicate.Age
		low, okLow := age.Min.Int()
		high, okHigh := age.Max.Int()
		if okLow && okHigh && low > high {
			r.say(age.Raw, "the youngest age %d is above the oldest age %d", low, high)
		}
	}},
	{Rule: Rule{
		Code: "signal.rights_uncovered", Severity: Error,
		Title: "no channel handles access, erasure or objection",
		Why:   "Those are the requests people make. Channels for other rights alone do not answer them.",
		Hint:  "add access, erasure or objection to the rights of a channel",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary",
 "data_subject_rights": {"channels": [{"rights": ["portability"], "email": "privacy@example.com"}]}}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary",
 "data_subject_rights": {"channels": [{"rights": ["erasure"], "email": "privacy@example.com"}]}}`,
	}, check: checkRightsCovered},
	{Rule: Rule{
		Code: "signal.disclosure_incomplete", Severity: Error,
		Title: "a required disclosure does not say where it is owed",
		Why:   "A buyer who has to show the disclosure needs the places and the law behind it.",
		Hint:  "add jurisdictions with country and regulation, or set required to false",
		Spec:  "AdCP adagents.json schema, signals",
		In:    InSignal,
		Bad: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary",
 "modeling": {"method": "rules", "seed_source": {"type": "panel", "provider_signed": true},
  "training_data_jurisdictions": ["DE"], "ai_act_risk_class": "limited",
  "disclosure": {"required": true}}}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary",
 "modeling": {"method": "rules", "seed_source": {"type": "panel", "provider_signed": true},
  "training_data_jurisdictions": ["DE"], "ai_act_risk_class": "limited",
  "disclosure": {"required": true, "jurisdictions": [{"country": "DE", "regulation": "AI Act"}]}}}`,
	}, check: func(r reporter, x *Signal) {
		if x.Modeling == nil || x.Modeling.Disclosure == nil {
			return
		}
		d := x.Modeling.Disclosure
		if d.Required && !d.member(atDisclosureJurisdictions).Exists() {
			r.missing(d.Raw, "jurisdictions", "a disclosure is required, but jurisdictions is missing")
		}
	}},
	{Rule: Rule{
		Code: "signal.country_invalid", Severity: Error,
		Title: "a country is not a two-letter code",
		Why:   "Countries are compared as ISO 3166-1 alpha-2 codes in capitals; any other spelling matches nothing.",
		Hint:  "write the two-letter code in capitals, for example US",
		Spec:  "ISO 3166-1",
		Varies: "a warning when a country is listed twice, and in the default profile when the code has the right form but " +
			"belongs to no country",
		In:   InSignal,
		Bad:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "countries": ["usa"]}`,
		Good: `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "countries": ["US"]}`,
		fix:  countryCode(Likely),
	}, check: checkSignalCountries},
	{Rule: Rule{
		Code: "signal.art9_missing", Severity: Info,
		Title: "special categories of data are used in Europe without a stated ground",
		Why: "Data protection law of the European Economic Area and the United Kingdom forbids such use unless a ground " +
			"of article 9 applies. Buyers ask for it.",
		Hint: "add art9_basis, for example explicit_consent",
		Spec: "avow docs/rules.md",
		In:   InSignal,
		Bad: `{"id": "faith", "name": "Faith", "value_type": "binary", "countries": ["FR"],
 "restricted_attributes": ["religious_beliefs"]}`,
		Good: `{"id": "faith", "name": "Faith", "value_type": "binary", "countries": ["FR"],
 "restricted_attributes": ["religious_beliefs"], "art9_basis": "explicit_consent"}`,
	}, check: func(r reporter, x *Signal) {
		if x.member(atSignalArt9Basis).Exists() {
			return
		}
		attribute := slices.IndexFunc(x.RestrictedAttributes, isSpecialCategory)
		country := slices.IndexFunc(x.Countries, iso3166.InEEAOrUK)
		if attribute >= 0 && country >= 0 {
			r.missing(x.Raw, "art9_basis", "the signal uses %s in %s, but art9_basis is missing",
				x.RestrictedAttributes[attribute], x.Countries[country])
		}
	}},
}

// isOfflineSource reports whether data of the source had to be matched to
// digital identifiers.
func isOfflineSource(source string) bool {
	switch source {
	case "offline_survey", "offline_transaction":
		return true
	}
	return strings.HasPrefix(source, "public_record_")
}

// isSpecialCategory reports whether the attribute is one of those in article 9
// of the GDPR. Age and family status are restricted, but not by that article.
func isSpecialCategory(attribute string) bool {
	switch attribute {
	case "racial_ethnic_origin", "political_opinions", "religious_beliefs", "trade_union_membership",
		"health_data", "sex_life_sexual_orientation", "genetic_data", "biometric_data":
		return true
	}
	return false
}

func checkValueMappings(r reporter, x *Signal) {
	if x.Taxonomy == nil || len(x.Taxonomy.ValueMappings) == 0 || len(x.AllowedValues) == 0 {
		return
	}
	allowed := make(map[string]struct{}, len(x.AllowedValues))
	for _, s := range x.AllowedValues {
		allowed[s] = struct{}{}
	}
	for i := range x.Taxonomy.ValueMappings {
		m := &x.Taxonomy.ValueMappings[i]
		v := m.member(atValueMappingValue)
		if _, ok := allowed[m.Value]; ok || !v.Is(String) {
			continue
		}
		f := r.say(v, "the value %s is not in allowed_values", quote(m.Value))
		if len(x.AllowedValues) <= maxTagsCompared {
			f.withHint("%s", suggest(m.Value, x.AllowedValues))
		}
	}
}

func checkRightsCovered(r reporter, x *Signal) {
	if x.DataSubjectRights == nil || len(x.DataSubjectRights.Channels) == 0 {
		return
	}
	for i := range x.DataSubjectRights.Channels {
		ch := &x.DataSubjectRights.Channels[i]
		v := ch.member(atRightsChannelRights)
		// A channel without a readable list is reported as such.
		if !v.Is(Array) || v.Len() == 0 || slices.ContainsFunc(ch.Rights, isCoreRight) {
			return
		}
	}
	r.say(x.DataSubjectRights.member(atDataSubjectRightsChannels), "no channel handles access, erasure or objection")
}

func isCoreRight(right string) bool {
	return right == "access" || right == "erasure" || right == "objection"
}

func checkSignalCountries(r reporter, x *Signal) {
	v := x.member(atSignalCountries)
	var seen map[string]struct{}
	if len(x.Countries) > 1 {
		seen = make(map[string]struct{}, len(x.Countries))
	}
	for _, e := range v.Elems() {
		code := e.Str()
		_, twice := seen[code]
		switch {
		case !e.Is(String):
			r.say(e, "a country must be a string, not %s", e.Kind())
			continue
		case twice:
			r.sayAs(Warning, e, "the country %s is listed twice", quote(code)).withHint("remove the second mention")
		case iso3166.Suggest(code).Kind == iso3166.Regional:
			r.say(e, "%s is a region, not a country", quote(code)).withHint("%s", countryHint(code))
		case !isCountryForm(code):
			r.say(e, "%s is not a two-letter country code", quote(code)).withHint("%s", iso3166.Suggest(code).Text)
		case !iso3166.Assigned(code):
			r.sayAs(r.lenient(), e, "%s is not the code of a country", quote(code)).withHint("%s", iso3166.Suggest(code).Text)
		}
		if seen != nil {
			seen[code] = struct{}{}
		}
	}
}
