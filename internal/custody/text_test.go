package custody_test

import (
	"encoding/json"
	"slices"
	"testing"

	"github.com/avow-project/avow/internal/custody"
)

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
