package agreetest

import (
	"html"
	"net/http"
	"net/url"
	"strings"
	"testing"

	"github.com/avow-project/avow/internal/headline"
	"github.com/avow-project/avow/internal/std/hostname"
	"github.com/avow-project/avow/resolve"
)

// headlines compares what every interface says first about a publisher with each other, and with
// what questions about its agents are answered.
func (l *lab) headlines(t *testing.T, w *world, publisher string, want *truth) {
	t.Helper()
	var service, command struct{ Headline headline.Headline }
	_, text := l.call(t, http.MethodGet, "/api/registry/publisher?domain="+publisher, nil)
	unmarshal(t, text, &service)
	unmarshal(t, l.run(t, nil, "validate", publisher, "--format", "json"), &command)
	h := service.Headline
	if h.State == headline.Unknown { // strangers are not told why a connection failed
		cause := strings.Index(command.Headline.Text, ": ")
		command.Headline.Text = command.Headline.Text[:cause] + h.Text[cause:]
	}
	if h != command.Headline {
		t.Errorf("the headline of %s\nservice: %+v\ncommand: %+v", publisher, h, command.Headline)
	}
	ask := url.Values{"publisher": {publisher}}
	pages := []string{"/check/" + publisher, "/check/" + publisher + "?tab=sell", "/ask?" + ask.Encode()}
	ask.Set("agent", w.agent())
	pages = append(pages, "/ask?"+ask.Encode())
	for _, page := range pages {
		_, text := l.call(t, http.MethodGet, page, nil)
		if !strings.Contains(html.UnescapeString(string(text)), h.Text[1:]) {
			t.Errorf("%s does not say %q", page, h.Text)
		}
	}
	_, text = l.call(t, http.MethodGet, "/badge/"+publisher+".svg", nil)
	if !strings.Contains(string(text), publisher+": "+h.Badge()) {
		t.Errorf("the badge of %s does not say %q", publisher, h.Badge())
	}
	l.headlineIsTrue(t, publisher, &h, want.general.Verdict)
}

// headlineIsTrue compares a headline with the answers about all agents.
func (l *lab) headlineIsTrue(t *testing.T, publisher string, h *headline.Headline, verdict string) {
	t.Helper()
	doc, err := l.docs.Document(t.Context(), publisher)
	if err != nil {
		t.Fatal(err)
	}
	able, conditional := 0, 0
	seen := map[string]bool{}
	for i := 0; doc.State == resolve.Usable && i < len(doc.File.Agents); i++ {
		agent, _, err := hostname.CanonicalURL(doc.File.Agents[i].URL)
		if err != nil || seen[agent] {
			continue
		}
		seen[agent] = true
		a, err := l.client.Authorize(t.Context(), resolve.Question{Publisher: publisher, Agent: agent, At: began})
		if err != nil {
			t.Fatal(err)
		}
		if a.Verdict >= resolve.Conditional {
			able++
		}
		if a.Verdict == resolve.Conditional {
			conditional++
		}
	}
	if h.Able != able || h.Conditional != conditional || h.Able > h.Agents {
		t.Errorf("the headline of %s: %+v; %d agents may sell, %d of them under a condition", publisher, *h, able, conditional)
	}
	states := map[headline.State]string{
		headline.NoAgents: "none_asserted", headline.NoFile: "unverified", headline.Unknown: "unverified", headline.Withheld: "unverified", headline.Unusable: "unusable", headline.Nothing: "not_authorized",
	}
	if want := states[h.State]; want != "" && verdict != want || want == "" && able == 0 {
		t.Errorf("the headline of %s: %+v, and the question has the answer %s", publisher, *h, verdict)
	}
}
