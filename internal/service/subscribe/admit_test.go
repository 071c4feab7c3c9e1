package subscribe

import (
	"fmt"
	"testing"
	"time"

	"github.com/google/go-cmp/cmp"
)

// TestFastReceiversAreAdmittedFirst: a slow receiver that has waited longer does not take the capacity of a fast one.
func TestFastReceiversAreAdmittedFirst(t *testing.T) {
	t.Parallel()
	s := NewSender(Config{})
	var due []Due
	for i := range ofKey.all {
		id := fmt.Sprint("slow", i)
		s.took[id] = slowAfter + time.Second
		due = append(due, Due{ID: id, Owner: "key", URL: "https://" + id + ".example/"})
	}
	for i := range ofKey.all {
		id := fmt.Sprint("fast", i)
		due = append(due, Due{ID: id, Owner: "key", URL: "https://" + id + ".example/"})
	}
	var got []string
	for _, d := range s.admit(due) {
		got = append(got, d.ID)
	}
	if diff := cmp.Diff([]string{"fast0", "fast1", "fast2", "fast3"}, got); diff != "" {
		t.Error(diff)
	}
}
