package vectors

import (
	"fmt"
	"strings"

	"golang.org/x/tools/txtar"
)

// A FormatCase is one vector about formats: the catalog of a publisher, a product, and what
// can be bought. formats/README.md has the format.
type FormatCase struct {
	Name    string
	Summary string
	// Placement is the one asked about; empty means all that the product runs on. Strict
	// leaves out formats of which neither side is within the other. Refs are the formats
	// that a buyer names.
	Placement string
	Strict    bool
	Refs      []string
	// Catalog is the file of pub.example, and Product the product.
	Catalog, Product []byte
	// The answer, in the words of formats/README.md.
	Accepted, Refused, CatalogOnly, Findings, Common, Chosen []string
}

// Group returns the group that a vector belongs to.
func (c *FormatCase) Group() string {
	group, _, _ := strings.Cut(c.Name, "_")
	return group
}

// FormatCases returns every vector about formats, in the order of their names.
func FormatCases() ([]*FormatCase, error) { return load("formats", ParseFormatCase) }

// ParseFormatCase reads a vector about formats. Catalog and product are not looked at.
func ParseFormatCase(name string, archive []byte) (*FormatCase, error) {
	a := txtar.Parse(archive)
	c := &FormatCase{Name: name}
	c.Summary, _, _ = strings.Cut(string(a.Comment), "\n")
	if c.Summary == "" {
		return nil, fmt.Errorf("%s: the first line does not say what the vector shows", name)
	}
	sections := map[string]*[]byte{"catalog": &c.Catalog, "product": &c.Product}
	for _, f := range a.Files {
		to := sections[f.Name]
		switch {
		case f.Name == "question", f.Name == "want":
		case to == nil || *to != nil:
			return nil, fmt.Errorf("%s: the section %s is not known, or is there twice", name, f.Name)
		default:
			*to = f.Data
		}
	}
	err := readSections(a, name, c.readQuestion, c.readWant)
	if err != nil {
		return nil, err
	}
	return c, nil
}

func (c *FormatCase) readQuestion(text string) error {
	return readLines(text, map[string]setter{"placement": word(&c.Placement), "strict": flag(&c.Strict),
		"ref": list(&c.Refs)}, "ref")
}

func (c *FormatCase) readWant(text string) error {
	return readLines(text, map[string]setter{
		"accepted": list(&c.Accepted), "refused": list(&c.Refused), "catalog_only": list(&c.CatalogOnly),
		"finding": list(&c.Findings),
		"common":  list(&c.Common), "chosen": list(&c.Chosen),
	}, "accepted", "refused", "catalog_only", "finding", "common", "chosen")
}
