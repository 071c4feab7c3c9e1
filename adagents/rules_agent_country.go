package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/std/iso3166"
)

// agentCountryRules look at the countries of an entry.
var agentCountryRules = []rule[*Agent]{
	{
		Rule: Rule{
			Code: "agent.country_invalid", Severity: Error, Effect: DropRef,
			Title:  "a country is not a two-letter code",
			Why:    "Countries are ISO 3166-1 codes of two capital letters, compared exactly. Anything else matches no country.",
			Hint:   "write the two-letter code in capitals, for example US",
			Spec:   "ISO 3166-1",
			Varies: "the entry authorizes nothing when no country is left",
			In:     InAgent,
			Bad:    sellerOfSite + ",\n" + `  "countries": ["US", "ca"]` + "\n}",
			Good:   sellerOfSite + ",\n" + `  "countries": ["US", "CA"]` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			list := a.member(atAgentCountries)
			effect := NoEffect
			for _, v := range list.Elems() {
				if countryClass(v) != countryMalformed {
					continue
				}
				if effect == NoEffect {
					effect = countriesLeft(list)
				}
				malformedCountry(r, v, effect)
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.country_regional", Severity: Error, Effect: DropRef,
			Title:  "a region stands where a country belongs",
			Why:    "Regional shorthands are not used: readers would have to guess which countries they stand for.",
			Spec:   "ISO 3166-1",
			Varies: "the entry authorizes nothing when no country is left",
			In:     InAgent,
			Bad:    sellerOfSite + ",\n" + `  "countries": ["US", "EMEA"]` + "\n}",
			Good:   sellerOfSite + ",\n" + `  "countries": ["US", "DE", "FR"]` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			list := a.member(atAgentCountries)
			effect := NoEffect
			for _, v := range list.Elems() {
				if countryClass(v) != countryRegion {
					continue
				}
				if effect == NoEffect {
					effect = countriesLeft(list)
				}
				r.sayWith(Error, effect, v, "%s is a region, not a country", quote(v.Str())).withHint("%s", countryHint(v.Str()))
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.country_unassigned", Severity: Warning, Strict: Error,
			Title: "a country code is not assigned",
			Why:   "The code has the right form, but ISO 3166-1 gives it to no country, so a buyer's country will not match it.",
			Hint:  "write the assigned code of the country",
			Spec:  "ISO 3166-1",
			In:    InAgent,
			Bad:   sellerOfSite + ",\n" + `  "countries": ["US", "UK"]` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "countries": ["US", "GB"]` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			for _, v := range a.member(atAgentCountries).Elems() {
				if countryClass(v) == countryUnassigned {
					r.say(v, "%s is not an assigned country code", quote(v.Str())).withHint("%s", countryHint(v.Str()))
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "agent.country_duplicate", Severity: Warning, Strict: Error,
			Title: "a country is listed twice",
			Why:   "The second mention adds nothing, and often one of the two was meant to be another country.",
			Hint:  "remove one of the two, or correct it",
			Spec:  "AdCP adagents.json schema, authorized_agents",
			In:    InAgent,
			Bad:   sellerOfSite + ",\n" + `  "countries": ["US", "US"]` + "\n}",
			Good:  sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
		},
		check: func(r reporter, a *Agent) {
			for v := range secondMentions(a.member(atAgentCountries)) {
				r.say(v, "%s is listed twice in countries", quote(v.Str()))
			}
		},
	},
}

// The classes of items of a list of countries.
const (
	countryGood = iota
	countryMalformed
	countryUnassigned
	countryRegion
)

func countryClass(v Value) int {
	code := v.Str()
	if iso3166.Assigned(code) {
		return countryGood
	}
	switch {
	case iso3166.Suggest(code).Kind == iso3166.Regional:
		return countryRegion
	case isCountryForm(code):
		return countryUnassigned
	}
	return countryMalformed
}

// countriesLeft says what unreadable countries do to an entry: they fall away,
// but when none is left the entry must not become worldwide.
func countriesLeft(list Value) Effect {
	for _, v := range list.Elems() {
		if class := countryClass(v); class == countryGood || class == countryUnassigned {
			return DropRef
		}
	}
	return EmptyEntry
}

func malformedCountry(r reporter, v Value, effect Effect) {
	if !v.Is(String) {
		r.sayWith(Error, effect, v, "a country must be a text of two letters, not %s", v.Kind())
		return
	}
	r.sayWith(Error, effect, v, "%s is not a two-letter country code in capitals", quote(v.Str())).
		withHint("%s", countryHint(v.Str()))
}

// countryHint puts into words what a value was probably meant to be.
func countryHint(code string) string {
	s := iso3166.Suggest(code)
	switch {
	case s.Code != "" && s.Kind == iso3166.CaseOnly:
		return "write " + s.Code
	case len(s.Members) > 1 && len(s.Members) <= few:
		return s.Text + ": " + strings.Join(s.Members, ", ")
	}
	return s.Text
}
