package ops

import (
	"time"

	"github.com/avow-project/avow/internal/wire"
)

// Freshness says how long an answer may be used.
type Freshness struct {
	CheckedAt  string `json:"checked_at" format:"date-time" doc:"The instant the answer is for."`
	FreshUntil string `json:"fresh_until,omitempty" format:"date-time" doc:"How long it may be used."`
}

// HTTPMoments implements passing. The client may use the answer for as long as it says.
func (f *Freshness) HTTPMoments() []string {
	return []string{`"checked_at":"` + f.CheckedAt + `"`, `"fresh_until":"` + f.FreshUntil + `"`}
}

func freshnessOf(checked, fresh time.Time) Freshness {
	return Freshness{wire.API.Time(checked), wireTimeOrNone(fresh)}
}
