package resolve

// A step is how far a question came with an entry: a reason code as a number. Those from
// stepUnknown on are in the order in which a question takes them.
type step uint8

// The steps.
const (
	_ step = iota
	stepSignalsOnly
	stepPropertiesOnly
	stepCollectionsRevoked
	stepSignalNotCovered
	stepSignalLeftOut
	stepSignalUnknown
	stepSignalCountry
	stepUnknown
	stepUnreachable
	stepWithheld
	stepAbsent
	stepUnusable
	stepMirror
	stepReplaced
	stepNoneAsserted
	stepRevoked
	stepNotListed
	stepOtherName
	stepInert
	stepOutsideWindow
	stepPropertyUnknown
	stepNotCovered
	stepCountry
	stepCollection
	stepNoPlacement
	stepPlacementUnknown
	stepPlacementLeftOut
	stepPlacementNotListed
	stepPlacementElsewhere
	stepPlacementProgram
	stepNeeds
	stepCovers
)

var stepCodes = [...]string{
	stepSignalsOnly:        "entry.signals_only",
	stepPropertiesOnly:     "entry.properties_only",
	stepCollectionsRevoked: "entry.collections_revoked",
	stepSignalNotCovered:   "signal.not_covered",
	stepSignalLeftOut:      "signal.left_out",
	stepSignalUnknown:      "signal.unknown",
	stepSignalCountry:      "signal.country_not_listed",
	stepUnknown:            "file.unreachable",
	stepUnreachable:        "file.unreachable",
	stepWithheld:           "file.withheld",
	stepAbsent:             "file.absent",
	stepUnusable:           "file.unusable",
	stepMirror:             "file.mirror_only",
	stepReplaced:           "file.replaced",
	stepNoneAsserted:       "file.none_asserted",
	stepRevoked:            "publisher.revoked",
	stepNotListed:          "agent.not_listed",
	stepOtherName:          "agent.listed_under_other_name",
	stepInert:              "entry.inert",
	stepOutsideWindow:      "entry.outside_window",
	stepPropertyUnknown:    "property.unknown",
	stepNotCovered:         "property.not_covered",
	stepCountry:            "entry.country_not_listed",
	stepCollection:         "entry.collection_not_listed",
	stepNoPlacement:        "entry.no_placement",
	stepPlacementUnknown:   "placement.unknown",
	stepPlacementLeftOut:   "placement.left_out",
	stepPlacementNotListed: "entry.placement_not_listed",
	stepPlacementElsewhere: "placement.elsewhere",
	stepPlacementProgram:   "placement.other_collection",
	stepNeeds:              "entry.placement_needed",
	stepCovers:             "entry.covers",
}

// code returns the reason code, one of those that Codes explains.
func (s step) code() string { return textOf(stepCodes[:], int(s)) }

// ranked reports whether a step has a place in the order in which questions take them.
func (s step) ranked() bool { return s > stepUnknown }

// stepsByCode are the steps that are ranked, by their reason codes.
var stepsByCode = func() map[string]step {
	all := make(map[string]step, len(stepCodes))
	for s, code := range stepCodes {
		if step(s) >= stepUnknown {
			all[code] = step(s)
		}
	}
	return all
}()
