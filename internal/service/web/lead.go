package web

import (
	"regexp"
	"strings"
	"sync"

	"github.com/avow-project/avow/internal/changes"
	"github.com/avow-project/avow/internal/custody"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/service/registry"
)

// A lead is a part of a text; one with a URL leads to where this service does what the text says.
type lead struct{ Text, URL string }

// commandPages are the commands that this service does as well, in the words of a page. Those without an
// address are about the publisher at hand. A command that is not here leads to its description.
var commandPages = map[string]lead{
	"avow validate":      {"the report", ""},
	"avow discover":      {"the report", ""},
	"avow fix":           {"the repaired file", ""},
	"avow fix --likely":  {"the repaired file", ""},
	"avow authorize":     {"Ask", "/ask"},
	"avow create --from": {"the builder", "/build"},
	"avow create":        {"the builder", "/build"},
	"avow explain":       {"the list of rules", "/rules"},
	"avow hold confirm":  {"Confirm under Moderation", "/moderate"},
	"avow hold reject":   {"Reject under Moderation", "/moderate"},
}

// namedCommand matches a command in a text, with the domain that it is for.
var namedCommand = sync.OnceValue(func() *regexp.Regexp {
	const checked = `avow (?:validate|discover) ([a-z0-9-]+(?:\.[a-z0-9-]+)+)`
	const other = `avow (?:(?:hold|edit|log|keys|state) [a-z-]+|fix --likely|create --(?:from|etag)|authorize --batch|` +
		`validate|discover|authorize|fix|create|explain|history|diff|network|crawl)\b`
	return regexp.MustCompile(checked + `|` + other)
})

// leadsOf puts links in the place of the commands that a text names.
func leadsOf(text string) []lead {
	var list []lead
	end := 0
	for _, at := range namedCommand().FindAllStringSubmatchIndex(text, -1) {
		if at[0] > end {
			list = append(list, lead{Text: text[end:at[0]]})
		}
		command := text[at[0]:at[1]]
		next, ok := commandPages[command]
		switch {
		case at[2] >= 0:
			domain := text[at[2]:at[3]]
			next = lead{"the report of " + domain, checkURL(domain, false, false)}
		case !ok:
			name, _, _ := strings.Cut(command, " --")
			next = lead{command, "/guide/cli#" + strings.ReplaceAll(name, " ", "-")}
		}
		list = append(list, next)
		end = at[1]
	}
	if end < len(text) {
		list = append(list, lead{Text: text[end:]})
	}
	return list
}

// plainly is a text in the words of a page where links are not possible.
func plainly(text string) string {
	var b strings.Builder
	for _, part := range leadsOf(text) {
		b.WriteString(part.Text)
	}
	return b.String()
}

// leadsAbout are the leads of a text about a publisher.
func leadsAbout(domain, text string) []lead {
	list := leadsOf(text)
	for i := range list {
		if list[i].Text == "the report" || list[i].Text == "the repaired file" {
			list[i].URL = checkURL(domain, false, false)
		}
	}
	return list
}

// linkedNames are the agents and publishers that a text may name, with their pages.
type linkedNames map[string]string

// namesIn are those that changes are about.
func namesIn(list []custody.Change) linkedNames {
	n := linkedNames{}
	for i := range list {
		if n.agent(list[i].Subject); strings.HasPrefix(list[i].Code, "revocation.") {
			n[list[i].Subject] = publisherLink(list[i].Subject)
		}
	}
	return n
}

// agent adds an agent by its URL, and by the name that it has in a summary.
func (n linkedNames) agent(url string) {
	canonical, err := registry.AgentURL(url)
	if err == nil && redact.URL(url) == url {
		n[url], n[changes.AgentName(url)] = agentURL(canonical), agentURL(canonical)
	}
}

// Link puts links in the place of the names in a text.
func (n linkedNames) Link(text string) []lead {
	var list []lead
	done := 0
	for at := 0; at < len(text); at++ {
		end := at + strings.IndexAny(text[at:]+" ", ` ,;()"`)
		word := strings.TrimRight(text[at:end], ".:")
		if n[word] != "" {
			list = append(list, lead{Text: text[done:at]}, lead{word, n[word]})
			done = at + len(word)
		}
		at = end
	}
	return append(list, lead{Text: text[done:]})
}

// changeView is a difference between two versions.
type changeView struct {
	Message     []lead
	Code, Class string
}

// severityClasses are the styles of severities by their names.
var severityClasses = map[string]string{"info": "", "warning": "warn", "alert": "bad"}
