package adagents

import (
	"cmp"
	"errors"
	"time"

	"github.com/avow-project/avow/internal/std/iso3166"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// agentWindowRules look at the time window of an entry. Both ends belong to
// it, and one of them may be absent.
var agentWindowRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.window_invalid", Severity: Error, Effect: EmptyEntry,
		Title: "an end of the time window is not a timestamp",
		Why:   "A window that cannot be read must not count as open, so the entry authorizes nothing.",
		Hint:  "write date, time and offset, for example 2026-01-02T00:00:00Z",
		Spec:  "RFC 3339",
		In:    InAgent,
		fix:   fixTimestamp,
		Bad:   sellerOfSite + ",\n" + `  "effective_from": "2026-01-02"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "effective_from": "2026-01-02T00:00:00Z"` + "\n}",
	}, check: func(r reporter, a *Agent) {
		windowEnd(r, "effective_from", a.member(atAgentEffectiveFrom))
		windowEnd(r, "effective_until", a.member(atAgentEffectiveUntil))
	}},
	{Rule: Rule{
		Code: "agent.window_inverted", Severity: Error, Effect: EmptyEntry,
		Title: "the time window ends before it starts",
		Why:   "No instant lies in such a window, so the entry authorizes nothing.",
		Hint:  "exchange the two, or correct one of them",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		fix:   fixInverted,
		Bad: sellerOfSite + `,
  "effective_from": "2026-06-01T00:00:00Z",
  "effective_until": "2026-01-01T00:00:00Z"
}`,
		Good: sellerOfSite + `,
  "effective_from": "2026-01-01T00:00:00Z",
  "effective_until": "2026-06-01T00:00:00Z"
}`,
	}, check: func(r reporter, a *Agent) {
		if w := a.window(); w.both() && w.from.After(w.until) {
			r.say(a.member(atAgentEffectiveUntil), "the window ends at %s, before it starts at %s",
				quote(string(a.EffectiveUntil)), quote(string(a.EffectiveFrom)))
		}
	}},
	{Rule: Rule{
		Code: "agent.window_zero", Severity: Warning,
		Title: "the time window is a single instant",
		Why:   "The window starts and ends at the same instant, which leaves no time to sell anything.",
		Hint:  "correct one of the two, or leave it out for no limit",
		Spec:  "avow docs/rules.md",
		In:    InAgent,
		Bad: sellerOfSite + `,
  "effective_from": "2026-01-01T00:00:00Z",
  "effective_until": "2026-01-01T00:00:00Z"
}`,
		Good: sellerOfSite + `,
  "effective_from": "2026-01-01T00:00:00Z",
  "effective_until": "2026-01-31T23:59:59Z"
}`,
	}, check: func(r reporter, a *Agent) {
		if w := a.window(); w.both() && w.from.Equal(w.until) {
			r.say(a.member(atAgentEffectiveUntil), "the window starts and ends at %s", quote(string(a.EffectiveUntil)))
		}
	}},
	{Rule: Rule{
		Code: "agent.window_expired", Severity: Warning, Effect: EmptyEntry,
		Title: "the time window is over",
		Why:   "The entry authorizes nothing any more. It is looked for only when the time of checking is given.",
		Hint:  "remove the entry, or extend effective_until",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		given: atMid2026,
		fix:   fixExpired,
		Bad:   sellerOfSite + ",\n" + `  "effective_until": "2026-03-01T00:00:00Z"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "effective_until": "2027-03-01T00:00:00Z"` + "\n}",
	}, check: func(r reporter, a *Agent) {
		w := a.window()
		if r.opt.Now.IsZero() || !w.hasUntil || w.inverted() {
			return
		}
		if w.until.Before(r.opt.Now) {
			r.say(a.member(atAgentEffectiveUntil), "the authorization ended at %s", quote(string(a.EffectiveUntil)))
		}
	}},
	// The rule has no effect: the window opens by itself, and a reader
	// that keeps the file until then must still have the entry.
	{Rule: Rule{
		Code: "agent.window_future", Severity: Info,
		Title: "the time window has not begun",
		Why:   "The entry authorizes nothing until then. It is looked for only when the time of checking is given.",
		Hint:  "nothing to do if the later start is meant",
		Spec:  "AdCP adagents.json Tech Spec, authorized_agents",
		In:    InAgent,
		given: atMid2026,
		Bad:   sellerOfSite + ",\n" + `  "effective_from": "2027-03-01T00:00:00Z"` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "effective_from": "2026-03-01T00:00:00Z"` + "\n}",
	}, check: func(r reporter, a *Agent) {
		w := a.window()
		if r.opt.Now.IsZero() || !w.hasFrom || w.inverted() {
			return
		}
		if w.from.After(r.opt.Now) {
			r.say(a.member(atAgentEffectiveFrom), "the authorization starts only at %s", quote(string(a.EffectiveFrom)))
		}
	}},
	endsSoonRule,
}

// endsSoonRule is the rule about entries that are about to end.
var endsSoonRule = rule[*Agent]{
	Rule: Rule{
		Code: "window.ends_soon", Severity: Info,
		Title: "the time window ends soon",
		Why: "From then on the entry authorizes nothing, and buyers stop without asking. It is looked for only when the " +
			"time of checking is given, two weeks ahead unless another lead is named.",
		Hint:   "extend effective_until, or do nothing if the agent is to stop then",
		Spec:   "AdCP adagents.json Tech Spec, authorized_agents",
		Varies: "a warning in the last three days",
		In:     InAgent,
		given:  atMid2026,
		Bad:    sellerOfSite + ",\n" + `  "effective_until": "2026-06-25T00:00:00Z"` + "\n}",
		Good:   sellerOfSite + ",\n" + `  "effective_until": "2027-06-25T00:00:00Z"` + "\n}",
	},
	check: func(r reporter, a *Agent) {
		w := a.window()
		if !w.hasUntil || w.inverted() {
			return
		}
		r.endsSoon(a.member(atAgentEffectiveUntil), w.until, "the authorization ends at "+quote(string(a.EffectiveUntil)))
	},
}

const (
	// usualLead is how long before its end something is reported.
	usualLead = 14 * 24 * time.Hour
	// urgentLead is how long before its end that is a warning.
	urgentLead = 3 * 24 * time.Hour
)

// soon reports whether a time lies ahead, and near enough to be reported.
func (c *content) soon(end time.Time) bool {
	lead := cmp.Or(c.opt.Lead, usualLead)
	return !c.opt.Now.IsZero() && !end.Before(c.opt.Now) && end.Sub(c.opt.Now) <= lead
}

// endsSoon reports something that ends soon.
func (r reporter) endsSoon(at Value, end time.Time, msg string) {
	if !r.soon(end) {
		return
	}
	left := end.Sub(r.opt.Now)
	f := r.say(at, "%s, %s", msg, leftWords(left))
	if left <= urgentLead {
		f.withSeverity(Warning)
	}
}

// leftWords says how long something lasts.
func leftWords(left time.Duration) string {
	const day = 24 * time.Hour
	if left < day {
		return "in less than a day"
	}
	return "in " + counted(int(left/day), "day")
}

func atMid2026(o *Options) { o.Now = time.Date(2026, 6, 15, 0, 0, 0, 0, time.UTC) }

// window is when an entry holds; both ends belong to it.
type window struct {
	from, until       time.Time
	hasFrom, hasUntil bool
}

func (w *window) both() bool { return w.hasFrom && w.hasUntil }

func (w *window) inverted() bool { return w.both() && w.from.After(w.until) }

// meets reports whether two windows have an instant in common.
func (w *window) meets(o *window) bool {
	return !w.endsBefore(o) && !o.endsBefore(w)
}

func (w *window) endsBefore(o *window) bool {
	return w.hasUntil && o.hasFrom && w.until.Before(o.from)
}

// window reads the ends that are present and readable.
func (a *Agent) window() window {
	var w window
	if a.EffectiveFrom != "" {
		w.from, w.hasFrom = a.EffectiveFrom.Time()
	}
	if a.EffectiveUntil != "" {
		w.until, w.hasUntil = a.EffectiveUntil.Time()
	}
	return w
}

func windowEnd(r reporter, name string, v Value) {
	if !v.Is(String) || rfc3339.Valid(v.Str()) {
		return
	}
	_, err := rfc3339.Parse(v.Str())
	f := r.say(v, "%s %s is not a timestamp: %v", name, quote(v.Str()), err)
	var fault *rfc3339.Error
	if errors.As(err, &fault) {
		f.withHint("%s", fault.Hint())
	}
}

// agentCountryRules look at the countries of an entry.
var agentCountryRules = []rule[*Agent]{
	{Rule: Rule{
		Code: "agent.country_invalid", Severity: Error, Effect: DropRef,
		Title:  "a country is not a two-letter code",
		Why:    "Countries are ISO 3166-1 codes of two capital letters, compared exactly. Anything else matches no country.",
		Hint:   "write the two-letter code in capitals, for example US",
		Spec:   "ISO 3166-1",
		Varies: "the entry authorizes nothing when no country is left",
		In:     InAgent,
		fix:    fixCountry,
		Bad:    sellerOfSite + ",\n" + `  "countries": ["US", "ca"]` + "\n}",
		Good:   sellerOfSite + ",\n" + `  "countries": ["US", "CA"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
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
	}},
	{Rule: Rule{
		Code: "agent.country_regional", Severity: Error, Effect: DropRef,
		Title:  "a region stands where a country belongs",
		Why:    "Regional shorthands are not used: readers would have to guess which countries they stand for.",
		Spec:   "ISO 3166-1",
		Varies: "the entry authorizes nothing when no country is left",
		In:     InAgent,
		fix:    fixCountry,
		Bad:    sellerOfSite + ",\n" + `  "countries": ["US", "DACH"]` + "\n}",
		Good:   sellerOfSite + ",\n" + `  "countries": ["US", "AT", "CH", "DE"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
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
	}},
	{Rule: Rule{
		Code: "agent.country_unassigned", Severity: Warning, Strict: Error,
		Title: "a country code is not assigned",
		Why:   "The code has the right form, but ISO 3166-1 gives it to no country, so a buyer's country will not match it.",
		Hint:  "write the assigned code of the country",
		Spec:  "ISO 3166-1",
		In:    InAgent,
		fix:   fixCountry,
		Bad:   sellerOfSite + ",\n" + `  "countries": ["US", "UK"]` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "countries": ["US", "GB"]` + "\n}",
	}, check: func(r reporter, a *Agent) {
		for _, v := range a.member(atAgentCountries).Elems() {
			if countryClass(v) == countryUnassigned {
				r.say(v, "%s is not an assigned country code", quote(v.Str())).withHint("%s", countryHint(v.Str()))
			}
		}
	}},
	{Rule: Rule{
		Code: "agent.country_duplicate", Severity: Warning, Strict: Error,
		Title: "a country is listed twice",
		Why:   "The second mention adds nothing, and often one of the two was meant to be another country.",
		Hint:  "remove one of the two, or correct it",
		Spec:  "AdCP adagents.json schema, authorized_agents",
		In:    InAgent,
		fix:   removeIt(Safe, "remove the repeated country"),
		Bad:   sellerOfSite + ",\n" + `  "countries": ["US", "US"]` + "\n}",
		Good:  sellerOfSite + ",\n" + `  "countries": ["US"]` + "\n}",
	}, shapes: shapes{{repeatedItem, atAgentCountries, "%s is listed twice in countries"}}},
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
