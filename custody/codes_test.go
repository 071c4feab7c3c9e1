package custody_test

import (
	"encoding/json"
	"regexp"
	"slices"
	"strings"
	"testing"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/custody"
)

// TestCodes: every code is explained in the style of the other catalogues, and none is
// the name of a rule as well.
func TestCodes(t *testing.T) {
	t.Parallel()
	form := regexp.MustCompile(`^[a-z]+(_[a-z]+)?\.[a-z]+(_[a-z]+)*$`)
	seen := map[string]bool{}
	for _, r := range adagents.Rules() {
		seen[r.Code] = true
	}
	for _, c := range custody.Codes() {
		if seen[c.Code] || !form.MatchString(c.Code) {
			t.Errorf("%s is taken or has another form", c.Code)
		}
		seen[c.Code] = true
		if c.Title == "" || strings.HasSuffix(c.Title, ".") || !strings.HasSuffix(c.Why, ".") || c.Fix == "" || strings.HasSuffix(c.Fix, ".") {
			t.Errorf("%s: %q, %q, %q", c.Code, c.Title, c.Why, c.Fix)
		}
	}
	all := custody.Codes()
	all[0].Code = "x"
	if custody.Codes()[0].Code == "x" {
		t.Error("the catalogue can be changed")
	}
}

func TestTexts(t *testing.T) {
	t.Parallel()
	type all struct {
		Outcomes   []custody.Outcome
		Severities []custody.Severity
	}
	value := all{
		[]custody.Outcome{custody.Failed, custody.Invalid, custody.Whole, custody.NotModified, custody.Gone, custody.Denied},
		[]custody.Severity{custody.Info, custody.Warning, custody.Alert},
	}
	text, err := json.Marshal(value)
	want := `{"Outcomes":["failed","invalid","whole","not_modified","gone","denied"],"Severities":["info","warning","alert"]}`
	if err != nil || string(text) != want {
		t.Errorf("%v, %s", err, text)
	}
	var again all
	err = json.Unmarshal(text, &again)
	if err != nil || !slices.Equal(again.Outcomes, value.Outcomes) || !slices.Equal(again.Severities, value.Severities) {
		t.Errorf("%v, %+v", err, again)
	}
	standings, err := json.Marshal([]custody.Standing{custody.Unknown, custody.Fresh, custody.Stale, custody.Expired, custody.Ended, custody.Shut, 99})
	if err != nil || string(standings) != `["unknown","fresh","stale","expired","ended","shut","unknown"]` {
		t.Errorf("%v, %s", err, standings)
	}
	for _, bad := range []string{`{"Outcomes":["lost"]}`, `{"Severities":["INFO"]}`, `{"Outcomes":[""]}`} {
		err := json.Unmarshal([]byte(bad), &again)
		if err == nil {
			t.Errorf("%s was read", bad)
		}
	}
}
