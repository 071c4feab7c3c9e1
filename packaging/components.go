package packaging

import (
	"crypto/sha256"
	"debug/buildinfo"
	"fmt"
	"net/url"
	"runtime/debug"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"
)

// A bom is the list of what is in a program, in the form of CycloneDX 1.6.
type bom struct {
	Format       string       `json:"bomFormat"`
	SpecVersion  string       `json:"specVersion"`
	SerialNumber string       `json:"serialNumber"`
	Version      int          `json:"version"`
	Metadata     metadata     `json:"metadata"`
	Components   []component  `json:"components"`
	Dependencies []dependency `json:"dependencies"`
}

type metadata struct {
	Timestamp string    `json:"timestamp"`
	Component component `json:"component"`
}

type component struct {
	Type       string     `json:"type"`
	Ref        string     `json:"bom-ref"`
	Name       string     `json:"name"`
	Version    string     `json:"version"`
	PURL       string     `json:"purl"`
	Hashes     []hash     `json:"hashes,omitempty"`
	Properties []property `json:"properties,omitempty"`
}

type hash struct {
	Algorithm string `json:"alg"`
	Content   string `json:"content"`
}

type property struct {
	Name  string `json:"name"`
	Value string `json:"value"`
}

type dependency struct {
	Ref       string   `json:"ref"`
	DependsOn []string `json:"dependsOn"`
}

// components returns the list of the modules that the linker put into a program, as the
// program itself says.
func (r *release) components(path string, program []byte, system, arch string) ([]byte, error) {
	info, err := buildinfo.ReadFile(path)
	if err != nil {
		return nil, err
	}
	sum := sha256.Sum256(program)
	own := module("application", info.Main.Path, "v"+r.version)
	own.Hashes = []hash{{"SHA-256", fmt.Sprintf("%x", sum)}}
	own.Properties = []property{{"go:os", system}, {"go:arch", arch}, {"vcs:revision", r.commit}}
	// The number says which program is meant, so that two lists of one program have the same.
	id := fmt.Sprintf("%x", sum[:16])
	doc := bom{
		Format: "CycloneDX", SpecVersion: "1.6", Version: 1,
		SerialNumber: fmt.Sprintf("urn:uuid:%s-%s-5%s-8%s-%s", id[:8], id[8:12], id[13:16], id[17:20], id[20:32]),
		Metadata:     metadata{r.date.Format("2006-01-02T15:04:05Z"), own},
	}
	uses := dependency{Ref: own.Ref}
	for _, m := range append([]*debug.Module{{Path: "std", Version: strings.Replace(info.GoVersion, "go", "v", 1)}},
		info.Deps...) {
		if m.Replace != nil {
			m = m.Replace
		}
		c := module("library", m.Path, m.Version)
		if m.Sum != "" {
			c.Properties = []property{{"go:sum", m.Sum}}
		}
		doc.Components = append(doc.Components, c)
		uses.DependsOn = append(uses.DependsOn, c.Ref)
	}
	doc.Dependencies = []dependency{uses}
	text, err := json.Marshal(doc, jsontext.WithIndent("  "))
	return append(text, '\n'), err
}

func module(kind, path, version string) component {
	purl := "pkg:golang/" + path + "@" + url.PathEscape(version)
	return component{Type: kind, Ref: purl, Name: path, Version: version, PURL: purl}
}
