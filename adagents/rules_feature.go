package adagents

import (
	"strings"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/format/jsonedit"
	"github.com/avow-project/avow/internal/std/hostname"
)

// featureRules look at governance agents with data about the properties. An entry that
// cannot be used is left out; it authorizes no agent either way.
var featureRules = []rule[*Feature]{
	{Rule: Rule{
		Code: "feature.not_object", Severity: Error, Effect: SkipEntry,
		Title: "a property feature is not an object",
		Why:   "An entry names a governance agent by url, name and features.",
		Hint:  `write {"url": "...", "name": "...", "features": ["..."]}`,
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `"https://vendor.example/"`,
		Good:  exampleFeature,
	}, shapes: shapes{{notObject, 0, "a property feature must be an object, not %s"}}},
	{Rule: Rule{
		Code: "feature.url_missing", Severity: Error, Effect: SkipEntry,
		Title: "a property feature has no url",
		Why:   "Buyers ask the governance agent at this URL.",
		Hint:  "add the endpoint of the governance agent",
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `{"name": "Vendor", "features": ["carbon_score"]}`,
		Good:  exampleFeature,
	}, shapes: shapes{{unstated, atFeatureURL, "the property feature has no url"}}},
	{Rule: Rule{
		Code: "feature.url_invalid", Severity: Error, Effect: SkipEntry,
		Title: "a property feature's url is not a URL",
		Why:   "Buyers ask the governance agent at this URL.",
		Hint:  "write the whole URL, for example https://vendor.example/mcp",
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `{"url": "vendor.example", "name": "Vendor", "features": ["carbon_score"]}`,
		Good:  exampleFeature,
		fix:   secureURL(Safe),
	}, check: func(r reporter, x *Feature) {
		v := x.member(atFeatureURL)
		if absentOrBlank(v) {
			return
		}
		if !v.Is(String) {
			r.say(v, "url must be a string, not %s", v.Kind())
			return
		}
		if fault := conform.URLFault(x.URL, false); fault != "" {
			r.say(v, "url %s", fault)
		}
	}},
	{Rule: Rule{
		Code: "feature.url_not_https", Severity: Warning,
		Title: "a property feature's url is not https",
		Why:   "Over plain http the answers of the governance agent can be altered on the way.",
		Hint:  "name the https endpoint",
		Spec:  "avow docs/rules.md",
		In:    InFeature,
		Bad:   `{"url": "http://vendor.example/mcp", "name": "Vendor", "features": ["carbon_score"]}`,
		Good:  exampleFeature,
		fix:   secureURL(Safe),
	}, check: func(r reporter, x *Feature) {
		v := x.member(atFeatureURL)
		if !v.Is(String) {
			return
		}
		_, info, err := r.index.hosts.CanonicalURL(x.URL)
		if err == nil && info.Scheme != "https" {
			r.say(v, "url uses %s instead of https", clip(info.Scheme))
		}
	}},
	{Rule: Rule{
		Code: "feature.name_missing", Severity: Error, Effect: SkipEntry,
		Title: "a property feature has no name",
		Why:   "The name tells people which vendor holds the data.",
		Hint:  "add the vendor's or agent's name",
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/mcp", "features": ["carbon_score"]}`,
		Good:  exampleFeature,
		fix: addMember(Safe, func(x fixing) (string, bool) {
			host, ok := hostOf(x.at.Get("url").Str())
			return jsonedit.String(host), ok
		}),
	}, shapes: shapes{{noText, atFeatureName, "the property feature has no name"}}},
	{Rule: Rule{
		Code: "feature.features_missing", Severity: Error, Effect: SkipEntry,
		Title: "a property feature lists no features",
		Why:   "Buyers choose the governance agent by the features it can report.",
		Hint:  `add "features" with the feature ids`,
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/mcp", "name": "Vendor"}`,
		Good:  exampleFeature,
	}, shapes: shapes{
		{absent, atFeatureFeatures, "the property feature has no features"},
		{wrongKind, atFeatureFeatures, "features must be an array, not %s"},
	}},
	{Rule: Rule{
		Code: "feature.features_empty", Severity: Error, Effect: SkipEntry,
		Title: "a property feature's list is empty",
		Why:   "An agent without features has nothing to be asked for.",
		Hint:  "list the feature ids, or remove the entry",
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/mcp", "name": "Vendor", "features": []}`,
		Good:  exampleFeature,
		fix:   removeOwner(Choice, "remove the entry, which lists nothing"),
	}, shapes: shapes{{empty, atFeatureFeatures, "features is empty"}}},
	{Rule: Rule{
		Code: "feature.feature_type", Severity: Error, Effect: SkipEntry,
		Title: "a feature id is not a string",
		Why:   "Features are named by their ids; what they mean is defined by the agent.",
		Hint:  "list plain feature ids",
		Spec:  "AdCP adagents.json Tech Spec, property_features",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/mcp", "name": "Vendor", "features": [{"id": "carbon_score"}]}`,
		Good:  exampleFeature,
		fix:   featureID,
	}, check: func(r reporter, x *Feature) {
		for _, e := range x.member(atFeatureFeatures).Elems() {
			switch {
			case !e.Is(String):
				r.say(e, "a feature id must be a string, not %s", e.Kind())
			case blank(e.Str()):
				r.say(e, "a feature id is empty")
			}
		}
	}},
	{Rule: Rule{
		Code: "feature.feature_duplicate", Severity: Warning,
		Title: "a feature is listed twice",
		Why:   "The second mention does nothing; often another feature was meant.",
		Hint:  "remove the second one",
		Spec:  "avow docs/rules.md",
		In:    InFeature,
		Bad:   `{"url": "https://vendor.example/mcp", "name": "Vendor", "features": ["carbon_score", "carbon_score"]}`,
		Good:  exampleFeature,
		fix:   removeIt(Safe, "remove the repeated feature"),
	}, check: checkFeatureTwice},
}

const exampleFeature = `{"url": "https://vendor.example/mcp", "name": "Vendor", "features": ["carbon_score", "fraud_likelihood"]}`

func checkFeatureTwice(r reporter, x *Feature) {
	for e := range secondMentions(x.member(atFeatureFeatures)) {
		if !blank(e.Str()) {
			r.say(e, "the feature %s is listed twice", quote(e.Str()))
		}
	}
}

// featureClosingRules compare the entries with each other.
var featureClosingRules = []rule[*File]{{
	Rule: Rule{
		Code: "feature.url_duplicate", Severity: Warning,
		Title: "a governance agent is listed twice",
		Why:   "Readers may take the features of one entry only.",
		Hint:  "merge the entries into one list of features",
		Spec:  "avow docs/rules.md",
		In:    InFeature,
		Bad: `{"url": "https://vendor.example/mcp", "name": "Vendor", "features": ["carbon_score"]},
{"url": "https://vendor.example/mcp", "name": "Vendor", "features": ["fraud_likelihood"]}`,
		Good: exampleFeature,
	},
	check: func(r reporter, x *File) {
		seen := make(map[string]int, len(x.Features))
		for i := range x.Features {
			url, _, err := r.index.hosts.CanonicalURL(x.Features[i].URL)
			if err != nil {
				continue
			}
			if k, ok := seen[url]; ok {
				r.say(x.Features[i].member(atFeatureURL), "url %s is already listed in entry %d", quote(x.Features[i].URL), k)
				continue
			}
			seen[url] = i
		}
	},
}, {
	Rule: Rule{
		Code: "feature.not_third_party", Severity: Warning,
		Title: "a governance agent is a sales agent of the file or the publisher itself",
		Why: "property_features is for data that third parties measure. What a publisher says about itself belongs into " +
			"tags, and what a sales agent can do belongs into its own answers.",
		Hint: "name the third party that measures, or use the tags of properties",
		Spec: "AdCP adagents.json Tech Spec, property_features",
		In:   InFeature,
		Bad:  `{"url": "https://agent.example/mcp", "name": "Our own score", "features": ["carbon_score"]}`,
		Good: exampleFeature,
	},
	check: checkThirdParties,
}}

// checkThirdParties looks for governance agents that are listed as sales agents, or that are at
// a host of the publisher.
func checkThirdParties(r reporter, x *File) {
	if len(x.Features) == 0 {
		return
	}
	sells := make(map[string]bool, len(x.Agents))
	for i := range x.Agents {
		url, _, err := r.index.hosts.CanonicalURL(x.Agents[i].URL)
		if err == nil && x.Agents[i].sells() {
			sells[url] = true
		}
	}
	for i := range x.Features {
		url, info, err := r.index.hosts.CanonicalURL(x.Features[i].URL)
		switch {
		case err != nil:
		case sells[url]:
			r.say(x.Features[i].member(atFeatureURL),
				"%s is listed as a sales agent, and property_features is for data of third parties", quote(x.Features[i].URL))
		case r.ownHost(x, info.Host):
			r.say(x.Features[i].member(atFeatureURL),
				"%s is at a host of the publisher, and property_features is for data of third parties", quote(x.Features[i].URL))
		}
	}
}

// ownHost reports whether a host belongs to the publisher: it serves the file, or is one of the
// publisher's sites.
func (c *content) ownHost(f *File, host string) bool {
	if own := c.opt.Domain; own != "" && (host == own || strings.HasSuffix(host, "."+own)) {
		return true
	}
	for i := range f.Properties {
		for _, id := range f.Properties[i].Identifiers {
			if (id.Type == "domain" || id.Type == "subdomain") && hostname.MatchesDomain(id.Value, host) {
				return true
			}
		}
	}
	return false
}
