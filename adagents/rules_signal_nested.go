package adagents

import (
	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
)

// signalNestedRules hold the remaining members to the published definition.
var signalNestedRules = []rule[*Signal]{
	{
		Rule: Rule{
			Code: "signal.closed_object_extra", Severity: Warning, Strict: Error,
			Title: "a closed object of a signal has an unknown member",
			Why:   "The published definition lists all members of these objects, and a strict reader refuses the signal for any other.",
			Hint:  "remove the member, or move what it says to description",
			Spec:  "AdCP adagents.json schema, signals",
			In:    InSignal,
			Bad: `{"id": "voter", "name": "Voter", "value_type": "binary", "data_sources": ["offline_survey"],
 "onboarder": {"match_keys": ["postal"], "vendor": "Example Data"}}`,
			Good: `{"id": "voter", "name": "Voter", "value_type": "binary", "data_sources": ["offline_survey"],
 "onboarder": {"match_keys": ["postal"]}}`,
		},
		check: func(r reporter, x *Signal) {
			eachSignalProblem(x, func(name string, p conform.Problem) {
				if p.Fault == conform.Surplus {
					r.sayProblem(name, p)
				}
			})
		},
	},
	{
		Rule: Rule{
			Code: "signal.member_invalid", Severity: Warning, Strict: Error,
			Title: "a member of a signal has a value the definition does not know",
			Why:   "Buyers filter by these members. A value outside the published definition may come from a newer version of it, but more often it is a slip that hides the signal.",
			Hint:  "use a value from the published definition",
			Spec:  "AdCP adagents.json schema, signals",
			In:    InSignal,
			Bad:   `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "methodology": "observation"}`,
			Good:  `{"id": "sports_fan", "name": "Sports fan", "value_type": "binary", "methodology": "observed"}`,
		},
		check: func(r reporter, x *Signal) {
			eachSignalProblem(x, func(name string, p conform.Problem) {
				if p.Fault != conform.Surplus {
					r.sayProblem(name, p)
				}
			})
		},
	},
}

// eachSignalProblem calls yield for the problems of every member that has no
// rules of its own. A member of another JSON type altogether is left to the
// check that does this for all objects.
func eachSignalProblem(x *Signal, yield func(name string, p conform.Problem)) {
	for i := atSignalRestrictedAttributes; i <= atSignalDTSCompliantVersion; i++ {
		v := x.member(i)
		if !v.Exists() || i == atSignalLastUpdated {
			continue
		}
		f := &model.Signal.Fields[i]
		if !conform.KindFits(v, f.Type.Kind) {
			continue
		}
		if i == atSignalCountries {
			// The countries themselves have a rule of their own.
			if v.Len() == 0 {
				yield(f.Name, conform.Problem{Fault: conform.OutOfRange, At: v, Msg: "must not be empty", Hint: "remove the member or add a country"})
			}
			continue
		}
		conform.Check(v, &f.Type, func(p conform.Problem) { yield(f.Name, p) })
	}
}
