package catalogue

import (
	"cmp"
	"slices"

	"github.com/avow-project/avow/adagents"
)

// Facts are what is known about a code, each with its name. A code that is not a finding has
// no effect, and one that is not a fault has no severity.
func Facts(r *adagents.Rule) [][2]string {
	facts := [][2]string{
		{"severity", severityWords(r)},
		{"varies", r.Varies},
		{"effect on buyers", effectOf(r)},
		{"what to do", r.Hint},
		{"fix", fixWords[r.FixKind()]},
		{"specification", r.Spec},
	}
	return slices.DeleteFunc(facts, func(f [2]string) bool { return f[1] == "" })
}

// fixWords say what avow fix does about a finding of a rule.
var fixWords = map[adagents.FixKind]string{
	adagents.Safe:   "safe, applied by avow fix",
	adagents.Likely: "likely, applied by avow fix --likely",
	adagents.Choice: "a choice, applied by avow fix --choose",
}

// severityWords is the severity in both profiles, in words.
func severityWords(r *adagents.Rule) string {
	if strict := StrictSeverity(r); strict != r.Severity {
		return r.Severity.String() + ", " + strict.String() + " in the strict profile"
	}
	return r.Severity.String()
}

// StrictSeverity is the severity in the strict profile.
func StrictSeverity(r *adagents.Rule) adagents.Severity {
	return cmp.Or(r.Strict, r.Severity)
}

// effectOf is what buyers do about a finding, in words. For the way to a file
// that follows from the severity.
func effectOf(r *adagents.Rule) string {
	k := KindOf(r.Code)
	switch {
	case k.Name != "":
		return ""
	case k == Way && r.Severity == adagents.Error:
		return "they cannot use the file, or do not get it"
	case k == Way:
		return "none on its own"
	case r.Effect == adagents.NoEffect:
		return "none: buyers use the file as it is"
	}
	return Effects[r.Effect]
}

// Effects say what consumers do about a finding. NoEffect has no words.
var Effects = map[adagents.Effect]string{
	adagents.DropRef:    "buyers ignore this reference and use the rest of the entry",
	adagents.EmptyEntry: "this entry authorizes nothing",
	adagents.SkipEntry:  "buyers leave this entry out and use the rest of the file",
	adagents.AbortFile:  "buyers must not use this file at all",
}

// PartWords say where the examples of a rule stand.
var PartWords = map[adagents.Part]string{
	adagents.InFile:               "the whole file",
	adagents.InStateful:           "the params of a stateful format",
	adagents.InComponents:         "the params of a coordinated format",
	adagents.InAgents:             "the whole authorized_agents",
	adagents.InTopLevel:           "members of the top level",
	adagents.InContact:            "the contact",
	adagents.InProperty:           "an entry of properties",
	adagents.InIdentifier:         "an entry of a property's identifiers",
	adagents.InCollection:         "an entry of collections",
	adagents.InPlacement:          "an entry of placements",
	adagents.InMirror:             "an entry of placements of a community mirror",
	adagents.InFormatOption:       "an entry of a placement's format_options",
	adagents.InFormat:             "an entry of formats",
	adagents.InParams:             "the params of an image format",
	adagents.InSignal:             "an entry of signals",
	adagents.InTags:               "the tag maps of the top level",
	adagents.InAgent:              "an entry of authorized_agents",
	adagents.InSelector:           "an entry of an agent's publisher_properties",
	adagents.InCollectionSelector: "an entry of an agent's collections",
	adagents.InSigningKey:         "an entry of an agent's signing_keys",
	adagents.InEncryptionKey:      "an entry of an agent's encryption_keys",
	adagents.InRevocation:         "an entry of revoked_publisher_domains",
	adagents.InFeature:            "an entry of property_features",
	adagents.InBytes:              "the bytes of the whole file",
}
