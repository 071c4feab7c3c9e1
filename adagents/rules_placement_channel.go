package adagents

import (
	"slices"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// enumFaults compares a list with the values it may have, each once, and calls
// yield for each fault. It is conform for the lists that every placement has,
// without its allocations.
func enumFaults(list Value, known []string, yield func(at Value, f conform.Fault)) {
	if list.Is(Array) && list.Len() == 0 {
		yield(list, conform.OutOfRange)
	}
	var seen uint64
	for _, v := range list.Elems() {
		k := slices.Index(known, v.Str())
		switch {
		case !v.Is(String):
			yield(v, conform.WrongKind)
		case k < 0:
			yield(v, conform.NotAllowed)
		case seen&(1<<k) != 0:
			yield(v, conform.Repeated)
		default:
			seen |= 1 << k
		}
	}
}

var placementChannelRules = []rule[*Placement]{
	{
		Rule: Rule{
			Code: "placement.channel_unknown", Severity: Warning, Strict: Error,
			Title: "a placement names an unknown channel",
			Why:   "Buyers search by channel. A name outside the published list is not found, unless a newer version of the protocol has added it.",
			Hint:  "use a channel of the published list, for example display, olv or ctv",
			Spec:  "AdCP adagents.json schema, placements",
			In:    InPlacement,
			Bad:   placed(`"channels": ["display", "video"]`),
			Good:  placed(`"channels": ["display"]`),
		},
		check: func(r reporter, x *Placement) {
			enumFaults(x.member(atPlacementChannels), model.Channels, func(v Value, f conform.Fault) {
				switch f {
				case conform.WrongKind:
					r.say(v, "a channel must be a string, not %s", v.Kind())
				case conform.NotAllowed:
					r.say(v, "%s is not a known channel", quote(v.Str())).withHint("%s", suggestWith(channelAliases, v.Str(), model.Channels))
				}
			})
		},
	},
	{
		Rule: Rule{
			Code: "placement.channel_duplicate", Severity: Warning, Strict: Error,
			Title: "a placement lists a channel twice",
			Why:   "Channels are a set; the second mention adds nothing and the published schema refuses it.",
			Hint:  "remove the second mention",
			Spec:  "AdCP adagents.json schema, placements",
			In:    InPlacement,
			Bad:   placed(`"channels": ["display", "display"]`),
			Good:  placed(`"channels": ["display"]`),
		},
		check: func(r reporter, x *Placement) {
			enumFaults(x.member(atPlacementChannels), model.Channels, func(v Value, f conform.Fault) {
				if f == conform.Repeated {
					r.say(v, "channel %s is listed twice", quote(v.Str()))
				}
			})
		},
	},
	{
		Rule: Rule{
			Code: "placement.channel_empty", Severity: Warning, Strict: Error,
			Title: "a placement has an empty list of channels",
			Why:   "An empty list could mean every channel or none. Leaving channels out is the way to say nothing about them.",
			Hint:  "remove channels or add one",
			Spec:  "AdCP adagents.json schema, placements",
			In:    InPlacement,
			Bad:   placed(`"channels": []`),
			Good:  placed(`"channels": ["display"]`),
		},
		check: func(r reporter, x *Placement) {
			enumFaults(x.member(atPlacementChannels), model.Channels, func(v Value, f conform.Fault) {
				if f == conform.OutOfRange {
					r.say(v, "channels is empty")
				}
			})
		},
	},
	{
		Rule: Rule{
			Code: "placement.channel_unsupported", Severity: Info,
			Title: "no property of a placement supports its channel",
			Why:   "Every property the placement runs on lists its channels, and none of them lists this one. Either list may be incomplete.",
			Hint:  "add the channel to supported_channels of a property, or remove it here",
			Spec:  "AdCP adagents.json schema, placements",
			In:    InPlacement,
			Bad:   placed(`"channels": ["display", "olv"]`),
			Good:  placed(`"channels": ["display"]`),
		},
		check: func(r reporter, x *Placement) {
			if len(x.Channels) == 0 {
				return
			}
			offered := r.offered(x)
			if offered == 0 || offered&anyChannel != 0 {
				return
			}
			for _, v := range x.member(atPlacementChannels).Elems() {
				if bit := channelBit(v.Str()); bit&^offered != 0 {
					r.say(v, "none of the placement's properties lists %s in supported_channels", quote(v.Str()))
				}
			}
		},
	},
	{
		Rule: Rule{
			Code: "placement.type_array_invalid", Severity: Warning, Strict: Error,
			Title: "a list of placement types has a wrong item",
			Why:   "The lists of video, audio, sponsored and social types take values of published sets, each once. Others are not found by buyers.",
			Hint:  "use the published values, each once, or remove the list",
			Spec:  "AdCP adagents.json schema, placements",
			In:    InPlacement,
			Bad:   placed(`"video_placement_types": ["in_stream"]`),
			Good:  placed(`"video_placement_types": ["instream"]`),
		},
		check: func(r reporter, x *Placement) {
			for _, l := range typeLists {
				v := x.member(l.at)
				if !v.Exists() {
					continue
				}
				enumFaults(v, l.known, func(v Value, f conform.Fault) { sayTypeFault(r, l.name, l.known, v, f) })
			}
		},
	},
}

// typeLists are the members of a placement that refine its channels.
var typeLists = []struct {
	at    int
	name  string
	known []string
}{
	{atPlacementVideoPlacementTypes, "video_placement_types", model.VideoPlacementTypes},
	{atPlacementAudioDistributionTypes, "audio_distribution_types", model.AudioDistributionTypes},
	{atPlacementSponsoredPlacementTypes, "sponsored_placement_types", model.SponsoredPlacementTypes},
	{atPlacementSocialPlacementSurfaces, "social_placement_surfaces", model.SocialPlacementSurfaces},
}

func sayTypeFault(r reporter, name string, known []string, v Value, f conform.Fault) {
	switch f {
	case conform.OutOfRange:
		r.say(v, "%s is empty", name)
	case conform.WrongKind:
		r.say(v, "an item of %s must be a string, not %s", name, v.Kind())
	case conform.Repeated:
		r.say(v, "%s is listed twice in %s", quote(v.Str()), name)
	default:
		r.say(v, "%s is not a known value of %s", quote(v.Str()), name).withHint("%s", suggest(v.Str(), known))
	}
}

// offered returns the channels of all properties of a placement together, 0
// when it has none.
func (c *content) offered(x *Placement) channelMask {
	var set channelMask
	c.linked(x, func(i int) bool {
		set |= c.channelsOf(i)
		return true
	}, func(_ string, k *carriers) bool {
		set |= k.channels
		return true
	})
	return set
}
