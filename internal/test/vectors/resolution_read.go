package vectors

import (
	"errors"
	"fmt"
	"slices"
	"strings"
	"time"
	"unicode"

	"golang.org/x/tools/txtar"
)

// wellKnown is the path of a publisher's own file.
const wellKnown = "/.well-known/adagents.json"

// readFiles reads the sections that are publishers' files, and then the section
// sources, which may say otherwise.
func (c *Case) readFiles(a *txtar.Archive) error {
	files := map[string][]byte{}
	for _, f := range a.Files {
		publisher, ok := strings.CutSuffix(f.Name, ".json")
		switch {
		case f.Name == "question", f.Name == "want", f.Name == "sources":
			continue
		case f.Name == "brand":
			c.Brand = f.Data
			continue
		case !ok || !isName(publisher):
			return fmt.Errorf("%s is not a section that is known", f.Name)
		}
		if _, twice := files[publisher]; twice {
			return fmt.Errorf("%s is there twice", f.Name)
		}
		files[publisher] = f.Data
		c.Sources[publisher] = FileSource{State: "file", Method: "direct", URL: "https://" + publisher + wellKnown,
			JSON: f.Data}
	}
	for _, f := range a.Files {
		if f.Name != "sources" {
			continue
		}
		for line := range strings.Lines(string(f.Data)) {
			err := c.readSource(strings.TrimRight(line, "\n"), files)
			if err != nil {
				return err
			}
		}
	}
	return nil
}

// readSource reads a line "publisher: absent", "publisher: unreachable" or
// "publisher: METHOD OTHER", where OTHER is the publisher whose section is the file and
// "held DOMAIN..." may follow.
func (c *Case) readSource(line string, files map[string][]byte) error {
	publisher, text, _ := strings.Cut(line, ": ")
	words := strings.Fields(text)
	mirror := FileSource{}
	if n := len(words); n > 2 && words[n-2] == "mirror" {
		data, ok := files[words[n-1]]
		if !ok {
			return fmt.Errorf("sources: there is no section %s.json", words[n-1])
		}
		mirror.Mirror, mirror.MirrorURL = data, "https://"+words[n-1]+"/adagents.json"
		words = words[:n-2]
	}
	replaced := len(words) == 3 && words[2] == "replaced"
	if replaced {
		words = words[:2]
	}
	switch {
	case !isName(publisher):
	case len(words) == 1 && (words[0] == "absent" || words[0] == "unreachable"):
		mirror.State = words[0]
		c.Sources[publisher] = mirror
		return nil
	case (len(words) == 2 || len(words) > 3 && words[2] == "held") &&
		slices.Contains([]string{"direct", "authoritative_location", "ads_txt_managerdomain"}, words[0]):
		data, ok := files[words[1]]
		if !ok {
			return fmt.Errorf("sources: there is no section %s.json", words[1])
		}
		source := FileSource{State: "file", Method: words[0], URL: "https://" + words[1] + wellKnown, JSON: data,
			Replaced: replaced, Mirror: mirror.Mirror, MirrorURL: mirror.MirrorURL}
		if len(words) > 2 {
			source.Held = words[3:]
		}
		c.Sources[publisher] = source
		return nil
	}
	return fmt.Errorf("sources: %q is not a line that is known", line)
}

// isName reports whether the text can be told from what stands beside a publisher.
func isName(publisher string) bool {
	return publisher != "" && !strings.ContainsFunc(publisher, func(r rune) bool { return r == ':' || unicode.IsSpace(r) })
}

// arity is the number of words after each verb.
var arity = map[string]int{
	"authorize": 2, "list": 2, "match": 2, "canonical": 1, "compare": 2, "formats": 3, "agreement": 2, "relationship": 3,
}

func (q *Ask) read(text string) error {
	first, rest, _ := strings.Cut(text, "\n")
	words := strings.Fields(first)
	if len(words) == 0 || arity[words[0]] == 0 || arity[words[0]] != len(words)-1 {
		return fmt.Errorf("%q is not a question", first)
	}
	q.Verb, q.Args = words[0], words[1:]
	return readLines(rest, map[string]setter{
		"property":      word(&q.Property),
		"identifier":    pair(&q.IdentifierType, &q.IdentifierValue, "="),
		"property_type": word(&q.PropertyType),
		"placement":     list(&q.Placements),
		"collection":    pairs(&q.Collections, "/"),
		"signal":        word(&q.Signal),
		"country":       word(&q.Country),
		"at":            instant(&q.At),
		"inline":        flag(&q.Inline),
	}, "placement", "collection")
}

// verdicts are the words of a verdict.
var verdicts = []string{"authorized", "not_authorized", "conditional", "none_asserted", "unverified", "unusable"}

func (o *Outcome) read(text string) error {
	err := readLines(text, map[string]setter{
		"error":        oneOf(&o.Error, "input"),
		"verdict":      oneOf(&o.Verdict, verdicts...),
		"needs":        set(&o.Needs),
		"reasons":      set(&o.Reasons),
		"entry":        list(&o.Entries),
		"placement":    o.readPlacement,
		"exclusive":    list(&o.Exclusive),
		"property":     list(&o.Properties),
		"signal":       list(&o.Signals),
		"publisher":    list(&o.Publishers),
		"diverging":    list(&o.Diverging),
		"match":        oneOf(&o.Match, "true", "false"),
		"canonical":    word(&o.Canonical),
		"same":         oneOf(&o.Same, "true", "false"),
		"near":         word(&o.Near),
		"format":       list(&o.Formats),
		"agreement":    word(&o.Agreement),
		"brand":        word(&o.Brand),
		"relationship": list(&o.Relationships),
	}, "entry", "placement", "exclusive", "property", "signal", "publisher", "diverging", "format", "relationship")
	if err != nil {
		return err
	}
	if o.Verdict == "conditional" && o.Needs == nil && o.Placements == nil {
		return errors.New("a conditional verdict needs something")
	}
	return nil
}

func (o *Outcome) readPlacement(value string) error {
	id, verdict, ok := strings.Cut(value, "=")
	if !ok || !slices.Contains(verdicts, verdict) {
		return fmt.Errorf("%q is not id=verdict", value)
	}
	if o.Placements == nil {
		o.Placements = map[string]string{}
	}
	o.Placements[id] = verdict
	return nil
}

// pair cuts a value at a separator.
func pair(first, second *string, separator string) setter {
	return func(value string) error {
		before, after, ok := strings.Cut(value, separator)
		if !ok || before == "" || after == "" {
			return fmt.Errorf("%q has no %q", value, separator)
		}
		*first, *second = before, after
		return nil
	}
}

// pairs collects values cut at a separator, the second part of which may be
// missing.
func pairs(to *[][2]string, separator string) setter {
	return func(value string) error {
		before, after, _ := strings.Cut(value, separator)
		*to = append(*to, [2]string{before, after})
		return nil
	}
}

func instant(to *time.Time) setter {
	return func(value string) error {
		at, err := time.Parse(time.RFC3339Nano, value)
		if err != nil {
			return err
		}
		*to = at
		return nil
	}
}
