package web

import (
	"regexp"
	"strings"
	"sync"
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
			next = lead{command, "/guide/cli#" + strings.ReplaceAll(withoutFlags(command), " ", "-")}
		}
		list = append(list, next)
		end = at[1]
	}
	if end < len(text) {
		list = append(list, lead{Text: text[end:]})
	}
	return list
}

// withoutFlags is a command as its description is called.
func withoutFlags(command string) string {
	name, _, _ := strings.Cut(command, " --")
	return name
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
