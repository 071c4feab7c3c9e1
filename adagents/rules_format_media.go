package adagents

import (
	"fmt"
	"slices"

	"github.com/avow-project/avow/internal/format/formatkind"
	"github.com/avow-project/avow/internal/model"
)

// formatMediaRules are about video, audio and television.
var formatMediaRules = []rule[*formatkind.View]{
	{Rule: Rule{
		Code: "format.duration_both", Severity: Warning,
		Title: "an exact duration and a range at once",
		Why:   "The exact duration wins, so the range is never used and only misleads people.",
		Hint:  "keep the one that is meant",
		Spec:  "avow docs/rules.md",
		In:    InFormat,
		Bad: `{"format_option_id": "spot", "format_kind": "audio_hosted",
 "params": {"duration_ms_exact": 30000, "duration_ms_range": [15000, 30000]}}`,
		Good: `{"format_option_id": "spot", "format_kind": "audio_hosted", "params": {"duration_ms_exact": 30000}}`,
	}, check: onParts(func(r reporter, p *formatkind.Part) {
		v := p.Params.Get("duration_ms_range")
		if p.Table.Field("duration_ms_range") != nil && v.Exists() && p.Params.Has("duration_ms_exact") {
			r.say(v, "duration_ms_range has no effect beside duration_ms_exact")
		}
	})},
	{Rule: Rule{
		Code: "format.duration_ctv_floor", Severity: Warning,
		Title: "too short for the television experience",
		Why:   "Overlays and squeezebacks stay on screen for 10 seconds at least, ads within a scene for 3.",
		Hint:  "raise the duration, or choose another experience",
		Spec:  "avow docs/rules.md",
		In:    InFormat,
		Bad: `{"format_option_id": "overlay", "format_kind": "video_vast",
 "params": {"ctv_ad_experience": "overlay", "creative_type": "nonlinear", "duration_ms_exact": 6000}}`,
		Good: `{"format_option_id": "overlay", "format_kind": "video_vast",
 "params": {"ctv_ad_experience": "overlay", "creative_type": "nonlinear", "duration_ms_exact": 15000}}`,
	}, check: onParts(checkDurationFloor)},
	{Rule: Rule{
		Code: "format.linear_conflict", Severity: Error,
		Title: "linear_required with a creative that need not be linear",
		Why:   "The one asks for linear ads only, the other accepts ads that lie over the program.",
		Hint:  "remove linear_required, or set creative_type to linear",
		Spec:  "avow docs/rules.md",
		In:    InFormat,
		Bad:   `{"format_option_id": "preroll", "format_kind": "video_vast", "params": {"linear_required": true, "creative_type": "either"}}`,
		Good:  `{"format_option_id": "preroll", "format_kind": "video_vast", "params": {"linear_required": true, "creative_type": "linear"}}`,
		fix:   linearOrNot,
	}, check: onKind("video_vast", func(r reporter, p *formatkind.Part) {
		t := p.Text("creative_type")
		if p.Is("linear_required") && (t == "nonlinear" || t == "either") {
			r.say(p.Params.Get("linear_required"), "linear_required contradicts creative_type %s", t)
		}
	})},
	{Rule: Rule{
		Code: "format.ctv_experience_invalid", Severity: Error,
		Title: "the television experience does not fit the format",
		Why:   "Each kind can serve some television experiences only, and some of those need other params beside them.",
		Hint:  "choose an experience of this kind, or the kind that serves the experience",
		Spec:  "AdCP canonical formats",
		In:    InParams,
		Bad:   `{"ctv_ad_experience": "overlay"}`,
		Good:  `{"ctv_ad_experience": "pause"}`,
		fix:   experienceFix,
	}, check: checkExperience},
	{Rule: Rule{
		Code: "format.host_recorded_inconsistent", Severity: Warning,
		Title: "a host recording with assets from the buyer",
		Why: "When the publisher's host records the ad, a finished one from the buyer has no place. Only audio can be " +
			"read out.",
		Hint: "set buyer_asset_acceptance to rejected, and use kind audio_hosted",
		Spec: "avow docs/rules.md",
		In:   InFormat,
		Bad: `{"format_option_id": "host_read", "format_kind": "audio_hosted",
 "params": {"asset_source": "publisher_host_recorded", "buyer_asset_acceptance": "accepted"}}`,
		Good: `{"format_option_id": "host_read", "format_kind": "audio_hosted",
 "params": {"asset_source": "publisher_host_recorded", "buyer_asset_acceptance": "rejected"}}`,
	}, check: onParts(checkHostRecorded)},
}

// durationFloors are the shortest times of television experiences in
// milliseconds.
var durationFloors = map[string]float64{"overlay": 10000, "squeezeback": 10000, "in_scene": 3000}

// checkDurationFloor looks at the exact duration, or else at the lower end of
// the range: what it admits will be booked.
func checkDurationFloor(r reporter, p *formatkind.Part) {
	floor := durationFloors[p.Text("ctv_ad_experience")]
	if floor == 0 || p.Faulty("ctv_ad_experience", "duration_ms_exact", "duration_ms_range") {
		return
	}
	v, ms, ok := p.Number("duration_ms_exact")
	if !ok {
		v = p.Params.Get("duration_ms_range")
		ms, ok = v.Index(0).Float()
	}
	if ok && ms < floor {
		r.say(v, "%v ms is too short for %s, which needs %v ms", ms, p.Text("ctv_ad_experience"), floor)
	}
}

func checkExperience(r reporter, x *formatkind.View) {
	for _, p := range x.Parts {
		for i := range p.Faults {
			if f := &p.Faults[i]; f.Claim == formatkind.ClaimExperience {
				r.say(f.At, "%s is not possible with %s", quote(f.At.Str()), p.Kind).withHint("%s", experienceHint(f.At.Str()))
			}
		}
		if p.Faulty("ctv_ad_experience") {
			continue
		}
		switch p.Kind {
		case "video_vast":
			sayExperienceVAST(r, p)
		case "native_in_feed":
			sayExperienceNative(r, p)
		}
	}
}

// experienceHint names the kinds that serve an experience.
func experienceHint(experience string) string {
	hint := ""
	for _, kind := range model.FormatKinds {
		table := model.Params()[kind]
		if table == nil {
			continue
		}
		if f := table.Field("ctv_ad_experience"); f != nil && slices.Contains(f.Type.Enum, experience) {
			if hint != "" {
				hint += ", "
			}
			hint += kind
		}
	}
	return fmt.Sprintf("%s goes with %s", experience, hint)
}

// sayExperienceVAST reports what a television experience rules out in VAST:
// it lies beside the program, and scripts cannot run there.
func sayExperienceVAST(r reporter, p *formatkind.Part) {
	v := p.Params.Get("ctv_ad_experience")
	if !v.Is(String) {
		return
	}
	kind := p.Params.Get("creative_type")
	if !p.Faulty("creative_type") && kind.Str() != "nonlinear" {
		r.sayOf(p.Params, kind, "creative_type", "ctv_ad_experience %s needs creative_type nonlinear",
			v.Str()).withHint("set creative_type to nonlinear")
	}
	if p.Is("simid_supported") {
		r.say(p.Params.Get("simid_supported"), "ctv_ad_experience %s excludes SIMID",
			v.Str()).withHint("remove simid_supported")
	}
	if v.Str() == "in_scene" && p.Is("vpaid_enabled") {
		r.say(p.Params.Get("vpaid_enabled"), "ctv_ad_experience in_scene excludes VPAID").withHint("remove vpaid_enabled")
	}
}

// sayExperienceNative reports members that only make sense in a menu.
func sayExperienceNative(r reporter, p *formatkind.Part) {
	if p.Text("ctv_ad_experience") == "menu" {
		return
	}
	for _, name := range []string{"menu_placement", "focus_behavior"} {
		if v := p.Params.Get(name); v.Exists() && !p.Faulty(name) {
			r.say(v, "%s needs ctv_ad_experience menu", name).withHint("set ctv_ad_experience to menu, or remove %s", name)
		}
	}
}

func checkHostRecorded(r reporter, p *formatkind.Part) {
	const source, acceptance = "asset_source", "buyer_asset_acceptance"
	v := p.Params.Get(source)
	if v.Str() != "publisher_host_recorded" || p.Faulty(source, acceptance) {
		return
	}
	switch a := p.Params.Get(acceptance); {
	case p.Kind == "image" || p.Kind == "video_hosted":
		r.say(v, "a host cannot record %s", p.Kind).withHint("choose another asset_source")
	case p.Table.Field(source) == nil:
	case a.Str() == "accepted":
		r.say(a, "assets from the buyer are accepted although the host records the ad")
	case !a.Exists():
		r.missing(p.Params, acceptance, "%s is accepted when absent, but the host records the ad", acceptance)
	}
}
