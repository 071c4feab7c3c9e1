package vectors

import (
	"fmt"
	"strconv"
	"strings"

	"golang.org/x/tools/txtar"
)

// A PathCase is one vector about supply paths. supplypath/README.md has the format.
type PathCase struct {
	Name, Summary string
	// Verb is verify, files or partners.
	Verb string
	// The question.
	OwnerDomain, HostDomain, Agent, Collection string
	OwnerShared, HostShared                    bool
	HostHeld, Required                         []string
	AdsTxt                                     string
	Files                                      []string
	All                                        bool
	// Owner and Host are the two files, nil if there is none, and Texts those named ads.txt and
	// app-ads.txt.
	Owner, Host []byte
	Texts       map[string][]byte
	// Want has the keys of the answer.
	Want map[string]string
}

// PathCases returns every vector about supply paths, in the order of their names.
func PathCases() ([]*PathCase, error) { return load("supplypath", ParsePathCase) }

// ParsePathCase reads a vector about supply paths.
func ParsePathCase(name string, archive []byte) (*PathCase, error) {
	a := txtar.Parse(archive)
	c := &PathCase{Name: name, Texts: map[string][]byte{}, Want: map[string]string{}}
	c.Summary, _, _ = strings.Cut(string(a.Comment), "\n")
	if c.Summary == "" {
		return nil, fmt.Errorf("%s: the first line does not say what the vector shows", name)
	}
	for _, f := range a.Files {
		switch f.Name {
		case "question", "want":
		case "owner":
			c.Owner = f.Data
		case "host":
			c.Host = f.Data
		case "ads.txt", "app-ads.txt":
			c.Texts[f.Name] = f.Data
		default:
			return nil, fmt.Errorf("%s: the section %s is not known", name, f.Name)
		}
	}
	err := readSections(a, name, c.readQuestion, c.readWant)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *PathCase) readQuestion(text string) error {
	first, rest, _ := strings.Cut(text, "\n")
	err := oneOf(&c.Verb, "verify", "files", "partners")(first)
	if err != nil {
		return err
	}
	return readLines(rest, map[string]setter{
		"owner": word(&c.OwnerDomain), "host": word(&c.HostDomain), "agent": maybeQuoted(&c.Agent),
		"collection":   word(&c.Collection),
		"owner_shared": flag(&c.OwnerShared), "host_shared": flag(&c.HostShared), "host_held": list(&c.HostHeld),
		"required": list(&c.Required), "ads_txt": oneOf(&c.AdsTxt, "skipped"), "files": words(&c.Files), "all": flag(&c.All),
	}, "host_held", "required")
}

func (c *PathCase) readWant(text string) error {
	setters := map[string]setter{}
	for _, key := range []string{
		"state", "collection", "owner_collection_declared", "owner_distribution_carriage", "owner_agent_declared",
		"host_authorization", "inventory_partner_domain", "files", "all", "partners",
	} {
		setters[key] = func(value string) error {
			c.Want[key] = value
			return nil
		}
	}
	return readLines(text, setters)
}

// maybeQuoted reads a word, or a string in quotes if it begins with a quote.
func maybeQuoted(to *string) setter {
	return func(value string) error {
		if !strings.HasPrefix(value, `"`) {
			*to = value
			return nil
		}
		var err error
		*to, err = strconv.Unquote(value)
		return err
	}
}

// words reads words in their order.
func words(to *[]string) setter {
	return func(value string) error {
		*to = strings.Fields(value)
		return nil
	}
}
