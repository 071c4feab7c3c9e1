package custody

import (
	"slices"
	"strings"

	"github.com/avow-project/avow/internal/std/words"
)

const (
	// mostWhole is the length up to which two lists are written whole.
	mostWhole = 8
	// mostNamed is how many of the elements that make the difference are named.
	mostNamed = 5
	// Arrow stands between the value before and the one after.
	Arrow = " -> "
)

// listCodes are the changes whose values are lists, with what no list at all stands for.
var listCodes = map[string]string{
	"agent.countries_widened": "all countries", "agent.countries_narrowed": "all countries",
	"agent.limits_widened": "all", "agent.limits_narrowed": "all",
	"property.identified": "none",
}

// plainCodes are the changes whose values are texts that people can read.
var plainCodes = map[string]bool{
	"agent.delegation_downgraded": true, "agent.delegation_upgraded": true, "agent.delegation_changed": true,
	"agent.scope_changed": true, "agent.described": true,
	"signing_key.replaced": true, "signing_key.withdrawn": true, "signing_key.restored": true, "signing_key.repurposed": true,
	"property.changed": true, "contact.changed": true, "file.superseded": true,
	"file.date_back": true, "file.date_changed": true, "catalog.etag_changed": true,
}

// Difference says what it was before and is after: "DE, AT -> DE". It is empty where the message
// says that already. The text is from outside and not escaped.
func (c *Change) Difference() string {
	if none, ok := listCodes[c.Code]; ok {
		return listDifference(strings.Fields(c.Before), strings.Fields(c.After), none)
	}
	switch {
	case c.Before == c.After:
		return ""
	case strings.HasPrefix(c.Code, "agent.window_"):
		return windowWords(c.Before) + Arrow + windowWords(c.After)
	case !plainCodes[c.Code]:
		return ""
	}
	return orNone(c.Before) + Arrow + orNone(c.After)
}

// windowWords puts a window into words: FROM/UNTIL, of which either may be missing.
func windowWords(window string) string {
	from, until, _ := strings.Cut(window, "/")
	switch {
	case from == "" && until == "":
		return "always"
	case from == "":
		return "until " + until
	case until == "":
		return "from " + from
	}
	return "from " + from + " until " + until
}

func orNone(text string) string {
	if text == "" {
		return "none"
	}
	return text
}

// listDifference writes two lists: whole while they are short, and the elements that make the
// difference otherwise.
func listDifference(before, after []string, none string) string {
	whole := func(list []string) string {
		if len(list) == 0 {
			return none
		}
		return strings.Join(list, ", ")
	}
	if len(before) <= mostWhole && len(after) <= mostWhole {
		return whole(before) + Arrow + whole(after)
	}
	number := func(list []string) string {
		if len(list) == 0 {
			return none
		}
		return words.Thousands(len(list))
	}
	text := number(before) + Arrow + number(after)
	slices.Sort(before)
	slices.Sort(after)
	if len(before) > 0 && len(after) > 0 {
		text += named(": added ", missing(before, after)) + named(": removed ", missing(after, before))
	}
	return text
}

// named names the first elements of a list.
func named(lead string, list []string) string {
	if len(list) == 0 {
		return ""
	}
	text := lead + strings.Join(list[:min(len(list), mostNamed)], ", ")
	if more := len(list) - mostNamed; more > 0 {
		text += " and " + words.Thousands(more) + " more"
	}
	return text
}
