package adagents

import "github.com/avow-project/avow/internal/model"

// propertyListRules look at tags and channels.
var propertyListRules = []rule[*propertyCheck]{
	{
		Rule: Rule{
			Code: "property.tag_pattern", Severity: Warning, Strict: Error,
			Title: "a tag has characters the schema does not allow",
			Why: "The published schema allows lower-case letters, digits and underscores in property tags, and strict consumers refuse others. " +
				"Tags are compared exactly, so News and news are two tags.",
			Hint: "use lower-case letters, digits and underscores",
			Spec: "AdCP adagents.json schema, properties",
			In:   InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", "on-site"], "publisher_domain": "example.com"}`,
			Good: goodProperty,
		},
		check: func(r reporter, x *propertyCheck) {
			for _, tag := range x.Tags {
				if !isID(tag) {
					sayTagPatterns(r, x)
					return
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "property.tag_duplicate", Severity: Warning, Strict: Error,
			Title: "a property lists a tag twice",
			Why:   "The second one adds nothing, and often another tag was meant.",
			Hint:  "remove the second one",
			Spec:  "AdCP adagents.json schema, properties",
			In:    InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", "news"], "publisher_domain": "example.com"}`,
			Good: goodProperty,
		},
		check: func(r reporter, x *propertyCheck) {
			if repeats(x.Tags) {
				sayRepeats(r, x.member(atPropertyTags), "tag")
			}
		},
	},
	{
		Rule: Rule{
			Code: "property.tag_type", Severity: Error, Effect: DropRef,
			Title: "a tag is not a string",
			Why:   "Tags are compared as text. Consumers leave out a tag that is something else and use the rest of the property.",
			Hint:  "write each tag as a string",
			Spec:  "AdCP adagents.json Tech Spec, properties",
			In:    InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news", 7], "publisher_domain": "example.com"}`,
			Good: goodProperty,
		},
		check: func(r reporter, x *propertyCheck) {
			if !r.dec.mixed {
				return
			}
			for _, e := range x.member(atPropertyTags).Elems() {
				if !e.Is(String) {
					r.say(e, "a tag must be a string, not %s", e.Kind())
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "property.channel_unknown", Severity: Warning, Strict: Error,
			Title: "a channel is not a known one",
			Why:   "Buyers filter by channel, and an unknown one is found by nobody. A newer protocol version may have added it.",
			Hint:  "use a channel of the published list, for example display, olv or ctv",
			Spec:  "AdCP adagents.json schema, properties",
			In:    InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["video"], "publisher_domain": "example.com"}`,
			Good: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["olv"], "publisher_domain": "example.com"}`,
		},
		check: func(r reporter, x *propertyCheck) {
			if r.dec.mixed || !knownChannels(x.Channels) {
				sayChannels(r, x.member(atPropertyChannels))
			}
		},
	},
	{
		Rule: Rule{
			Code: "property.channel_duplicate", Severity: Warning, Strict: Error,
			Title: "a property lists a channel twice",
			Why:   "The second one adds nothing, and often another channel was meant.",
			Hint:  "remove the second one",
			Spec:  "AdCP adagents.json schema, properties",
			In:    InProperty,
			Bad: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["display", "display"], "publisher_domain": "example.com"}`,
			Good: `{"property_id": "shop", "property_type": "website", "name": "Example Shop",
  "identifiers": [{"type": "domain", "value": "shop.example.com"}],
  "tags": ["news"], "supported_channels": ["display", "olv"], "publisher_domain": "example.com"}`,
		},
		check: func(r reporter, x *propertyCheck) {
			if repeats(x.Channels) {
				sayRepeats(r, x.member(atPropertyChannels), "channel")
			}
		},
	},
}

func sayTagPatterns(r reporter, x *propertyCheck) {
	for _, e := range x.member(atPropertyTags).Elems() {
		if !e.Is(String) || isID(e.Str()) {
			continue
		}
		f := r.say(e, "the tag %s is not made of lower-case letters, digits and underscores", quote(e.Str()))
		if id := idFrom(e.Str()); id != "" {
			f.withHint("rename it to %q here and wherever it is used", id)
		}
	}
}

// repeats reports whether a string occurs twice. Short lists, which nearly all
// are, take no memory.
func repeats(list []string) bool {
	const few = 12
	if len(list) > few {
		seen := make(map[string]struct{}, len(list))
		for _, s := range list {
			seen[s] = struct{}{}
		}
		return len(seen) < len(list)
	}
	for i, s := range list {
		for _, t := range list[:i] {
			if s == t {
				return true
			}
		}
	}
	return false
}

// sayRepeats reports the current rule at every string of an array that
// occurred before.
func sayRepeats(r reporter, array Value, what string) {
	seen := make(map[string]struct{}, array.Len())
	for _, e := range array.Elems() {
		if !e.Is(String) {
			continue
		}
		if _, ok := seen[e.Str()]; ok {
			r.say(e, "the %s %s is listed twice", what, quote(e.Str()))
		}
		seen[e.Str()] = struct{}{}
	}
}

var channelSet = setOf(model.Channels)

func setOf(words []string) map[string]bool {
	set := make(map[string]bool, len(words))
	for _, s := range words {
		set[s] = true
	}
	return set
}

func knownChannels(list []string) bool {
	for _, s := range list {
		if !channelSet[s] {
			return false
		}
	}
	return true
}

// sayChannels reports the current rule at every element that is no channel.
func sayChannels(r reporter, array Value) {
	for _, e := range array.Elems() {
		if !e.Is(String) {
			r.say(e, "a channel must be a string, not %s", e.Kind())
			continue
		}
		if !channelSet[e.Str()] {
			r.say(e, "%s is not a known channel", quote(e.Str())).
				withHint("%s", suggestWith(channelAliases, e.Str(), model.Channels))
		}
	}
}

// channelAliases are words people use for the channels.
var channelAliases = map[string]string{
	"audio":        "streaming_audio",
	"banner":       "display",
	"broadcast":    "linear_tv",
	"connected_tv": "ctv",
	"games":        "gaming",
	"instream":     "olv",
	"mobile":       "display",
	"native":       "display",
	"newsletter":   "email",
	"online_video": "olv",
	"outdoor":      "ooh",
	"retail":       "retail_media",
	"tv":           "linear_tv",
	"video":        "olv",
	"web":          "display",
}
