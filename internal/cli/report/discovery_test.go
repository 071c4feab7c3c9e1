package report

import (
	"strings"
	"testing"

	"github.com/avow-project/avow/discover"
)

func TestAnswerSentences(t *testing.T) {
	t.Parallel()
	seen := map[string]bool{}
	for _, answer := range []discover.Answer{discover.Unreachable, discover.Absent, discover.Unusable, discover.Usable} {
		for _, method := range []discover.Method{discover.Direct, discover.AuthoritativeLocation, discover.ManagerDomain} {
			for _, domain := range []string{"", "pub.example"} {
				d := &discover.Discovery{
					Domain: domain, Answer: answer, Method: method, ManagerDomain: "manager.example",
					URL: "https://me:hunter2@pub.example/a", ResolvedURL: "https://me:hunter2@cdn.example/b",
				}
				got := AnswerSentence(d)
				if got == "" || strings.Contains(got, "hunter2") || domain != "" && !strings.Contains(got, domain) {
					t.Errorf("%v, %v, %q: %q", answer, method, domain, got)
				}
				seen[got] = true
			}
		}
	}
	if len(seen) != 10 {
		t.Errorf("%d sentences, want one for each answer and each way", len(seen))
	}
}
