package browsertest

import (
	"fmt"
	"net/http"
	"net/url"
	"slices"
	"testing"

	"github.com/avow-project/avow/internal/std/textsafe"
)

// ask is the address of a question: names and values in turn.
func ask(pairs ...string) string {
	q := url.Values{}
	for i := 0; i < len(pairs); i += 2 {
		q.Add(pairs[i], pairs[i+1])
	}
	return "/ask?" + q.Encode()
}

// TestQuestions looks at the page that answers questions, in every state and every look.
func TestQuestions(t *testing.T) {
	t.Parallel()
	hostile := hostileFiles(t)
	base := start(t, internet(hostile))
	see(t, base, only(slices.Concat(questionStates(), questionJourneys(), hostileQuestions())))
}

// see looks at pages and reports everything that is wrong with them.
func see(t *testing.T, base string, visits []visit) {
	t.Helper()
	sights := look(t, base, shots(t), visits)
	for i := range sights {
		for _, p := range sights[i].problems() {
			t.Error(p)
		}
	}
	checkTexts(t, visits, sights)
}

// questionStates are the answers, for people.
func questionStates() []visit {
	const agent = "https://agent.example/mcp"
	list := []visit{
		{Name: "ask", URL: "/ask", Status: http.StatusOK, shows: []string{"May this agent sell it?"}},
		{Name: "ask-agent", URL: ask("agent", agent), Status: http.StatusOK, shows: []string{"Whose inventory is it?"}},
		{Name: "ask-choose", URL: ask("publisher", "good.example"), Status: http.StatusOK, shows: []string{"Which agent?", "https://other.example/mcp"}},
		{Name: "ask-depends", URL: ask("publisher", "good.example", "agent", agent, "property", "site"), Status: http.StatusOK, shows: []string{"It depends", "The answer depends on the country."}},
		{
			Name: "ask-yes", URL: ask("publisher", "good.example", "agent", agent, "property", "site", "country", "DE", "on", "2026-05-03"), Status: http.StatusOK,
			shows: []string{"Yes, authorized", "Entry 1 of authorized_agents", "line 12", "Another country than DE, FR.", "--data-urlencode country=DE", "time.Date(2026, time.May, 3, 0, 0, 0, 0, time.UTC)"},
		},
		{Name: "ask-day", URL: ask("publisher", "good.example", "agent", agent, "country", "DE", "on", "2036-01-01"), Status: http.StatusOK, shows: []string{"The answer changes on this day.", "it is: No, not authorized"}},
		{Name: "ask-no", URL: ask("publisher", "good.example", "agent", agent, "property", "site", "country", "US"), Status: http.StatusOK, shows: []string{"No, not authorized", "this is where it ends"}},
		{Name: "ask-near", URL: ask("publisher", "good.example", "agent", agent+"/"), Status: http.StatusOK, shows: []string{"Did you mean?"}},
		{Name: "ask-nobody", URL: ask("publisher", "catalog.example", "agent", agent), Status: http.StatusOK, shows: []string{"The file authorizes no agent", "That denies nothing"}},
		{Name: "ask-none", URL: ask("publisher", "none.example", "agent", agent), Status: http.StatusOK, shows: []string{"Not known", "neither a yes nor a no"}},
		{Name: "ask-broken", URL: ask("publisher", "broken.example", "agent", agent), Status: http.StatusOK, shows: []string{"Not known: the file must not be used"}},
		{Name: "ask-managed", URL: ask("publisher", "managed.example", "agent", agent, "country", "FR"), Status: http.StatusOK, shows: []string{"names this manager"}},
		{Name: "ask-wrong", URL: ask("publisher", "good.example", "agent", agent, "country", "AB"), Status: http.StatusBadRequest, shows: []string{"for example Germany or DE"}},
		{Name: "ask-alias", URL: ask("publisher", "good.example", "agent", agent, "country", "UK"), Status: http.StatusOK, shows: []string{"UK was read as GB"}},
		{Name: "ask-more", URL: ask("publisher", "good.example", "agent", agent, "identifier", "www.good.example"), Status: http.StatusBadRequest, shows: []string{"write TYPE=VALUE, for example domain=www.example.com"}},
	}
	for i := range list {
		list[i].Shot, list[i].Text = true, true
		switch list[i].Name {
		case "ask", "ask-choose", "ask-depends", "ask-yes", "ask-no", "ask-near", "ask-more":
			list[i].Axe, list[i].Looks = true, everyLook // the others look like one of these
		}
	}
	return list
}

// questionJourneys ask, answer what is asked back, and follow what is offered.
func questionJourneys() []visit {
	const agent = "https://agent.example/mcp"
	return []visit{
		{
			Name: "grows", URL: "/ask", Text: true, shows: []string{"Yes, authorized"}, Steps: []step{
				{Fill: "#ask-publisher", Text: "good.example"}, {Submit: ".sentence button"}, {Submit: ".choices a"}, {Fill: "#ask-country", Text: "fr"}, {Enter: "#ask-country"},
			},
		},
		{
			Name: "offered", URL: ask("publisher", "good.example", "agent", agent), Text: true, shows: []string{"Yes, authorized"}, Steps: []step{{Submit: ".asks a"}},
			Lands: "/ask?publisher=good.example&agent=https%3A%2F%2Fagent.example%2Fmcp&country=DE",
		},
		{
			Name: "proof-copied", URL: ask("publisher", "good.example", "agent", agent), Axe: true, Shot: true, Looks: everyLook, Text: true, shows: []string{"in Germany (DE)"},
			Steps: []step{{Fill: "#ask-country", Text: "Germany"}, {Enter: "#ask-country"}, {Copy: "[aria-label='Copy as text: The proof']", Text: "Yes, authorized\n"}},
		},
		{
			Name: "country-kept", URL: ask("publisher", "good.example", "agent", agent), Axe: true, Shot: true, Looks: everyLook,
			Steps: []step{{Fill: "#ask-country", Text: "Germnay"}, {Enter: "#ask-country"}, {Expect: "#ask-country", Text: "Germnay"}, {Expect: "#ask-country-error", Text: "Germany or DE"}},
		},
		{
			Name: "cited", URL: ask("publisher", "good.example", "agent", agent, "country", "DE"), Text: true, shows: []string{"The file itself"},
			Steps: []step{{Submit: ".steps a"}}, Lands: "/check/good.example#L12",
		},
		{
			Name: "many", URL: "/ask", Axe: true, Shot: true, Looks: everyLook, Steps: []step{
				{Open: ".many summary"}, {Fill: "#questions", Text: "id,publisher,agent,country\n1,good.example," + agent + ",DE\n=1+1,none.example," + agent + ",\n"},
				{Download: ".many button", Text: ",authorized,/authorized_agents/0,"},
			},
		},
		{
			Name: "many-file", URL: "/ask", Looks: []string{"plain"}, Steps: []step{
				{Open: ".many summary"}, {Upload: "#table", Text: "publisher,agent\ngood.example," + agent + "\n"}, {Download: ".many button", Text: ",conditional,"},
			},
		},
		{
			Name: "many-wrong", URL: "/ask", Axe: true, Shot: true, Looks: everyLook, Lands: "/ask/batch", Text: true, shows: []string{"unknown member \"<img src=x onerror=alert(1)>\"; the names are"},
			Steps: []step{{Open: ".many summary"}, {Fill: "#questions", Text: "publisher,<img src=x onerror=alert(1)>\nx,y\n"}, {Submit: ".many button"}},
		},
		{
			Name: "meant", URL: ask("publisher", "good.example", "agent", "http://agent.example/mcp", "country", "DE"), Text: true, shows: []string{"Yes, authorized"},
			Steps: []step{{Submit: ".choices a"}}, Lands: "/ask?publisher=good.example&agent=https%3A%2F%2Fagent.example%2Fmcp&country=DE",
		},
	}
}

// hostileQuestions have every payload in the fields of the question and of the file.
func hostileQuestions() []visit {
	var list []visit
	all := payloads()
	for i, chunk := range slices.Collect(slices.Chunk(all, perFile)) {
		name := hostileName(i)
		choose := visit{Name: fmt.Sprintf("ask-hostile%d", i), URL: ask("publisher", name), Status: http.StatusOK, Text: true, Axe: i == 0}
		pairs := []string{"publisher", name, "agent", fmt.Sprintf("https://agent%d.example/%s", i%len(chunk), url.PathEscape(chunk[i%len(chunk)]))}
		for _, text := range chunk {
			choose.shows = append(choose.shows, textsafe.Line(text, 80))
			if text == string([]rune(text)) {
				pairs = append(pairs, "placement", text)
			}
		}
		list = append(list, choose, visit{Name: fmt.Sprintf("ask-answered%d", i), URL: ask(pairs...), Axe: i == 0})
	}
	for i, text := range all {
		if i%48 != 3 {
			continue
		}
		list = append(list,
			visit{Name: fmt.Sprintf("ask-property%d", i), URL: ask("publisher", "good.example", "agent", "https://agent.example/mcp", "property", text, "country", "DE")},
			visit{Name: fmt.Sprintf("ask-signal%d", i), URL: ask("publisher", "good.example", "agent", text, "signal", text, "identifier", text, "property_type", text, "collection", text, "country", text, "on", text)},
			visit{Name: fmt.Sprintf("ask-publisher%d", i), URL: ask("publisher", text, "agent", "https://agent.example/mcp"), Status: http.StatusBadRequest},
			visit{Name: fmt.Sprintf("ask-name%d", i), URL: ask("publisher", "good.example", text, text), Status: http.StatusBadRequest},
		)
	}
	return list
}
