package suite

import (
	"crypto/sha256"
	"encoding/hex"
	"net/http"
	"net/url"
	"regexp"
	"slices"
	"strings"
	"sync"

	"github.com/go-json-experiment/json"
)

// A Site is a case with the websites that its files are found at. The websites have names of their
// own: pub.example is pub-1a2b3c4d.example, so that the sites of all cases are on one web.
type Site struct {
	// Case is the case under these names, with pages for files.
	Case *Case
	tag  string
	// open tells that every other host of the case answers, with 404.
	open bool
}

// tagLength is how much of the hash of an id is in names.
const tagLength = 8

var (
	reserved = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`(?i)([a-z0-9-]+)\.example\b`) })
	tagged   = sync.OnceValue(func() *regexp.Regexp { return regexp.MustCompile(`-([0-9a-f]{8})\.example\.?$`) })
)

// SiteOf returns the site of a case; not ok if the web cannot have it.
func SiteOf(c *Case) (*Site, bool) {
	sum := sha256.Sum256([]byte(c.ID))
	s := &Site{tag: "-" + hex.EncodeToString(sum[:])[:tagLength] + ".example"}
	mine := *c
	pages, ok := c.Files, true
	switch c.Kind {
	case "discovery", "redirect":
	case "authorize":
		s.open = true
		pages, ok = published(c.Files)
	case "supply_path":
		s.open = true
		pages, ok = paths(c)
	default:
		return nil, false
	}
	if !ok {
		return nil, false
	}
	mine.Files = slices.Clone(pages)
	whole, err := json.Marshal(mine)
	if err != nil || strings.Contains(strings.ToLower(string(whole)), "xn--") ||
		strings.ContainsFunc(string(whole), func(r rune) bool {
			return r > '~'
		}) {
		return nil, false // a name in another alphabet would become another name
	}
	for i := range mine.Files {
		f := &mine.Files[i]
		f.Name, f.Text = s.name(f.Name), s.name(f.Text)
		f.Headers = slices.Clone(f.Headers)
		for k := range f.Headers {
			f.Headers[k][1] = s.name(f.Headers[k][1])
		}
	}
	mine.Question, _ = s.rename(mine.Question).(map[string]any)
	s.Case = &mine
	owned := s.owned()
	return s, owned
}

// owned reports whether all websites have names of the site, and whether what is asked about is a domain.
func (s *Site) owned() bool {
	domain, ok := s.Case.Question["domain"].(string)
	if ok && (!tagged().MatchString(strings.ToLower(domain)) || strings.ContainsAny(domain, `:\/`)) {
		return false
	}
	return !slices.ContainsFunc(s.Case.Files, func(f File) bool {
		u, err := url.Parse(f.Name)
		return err != nil || !tagged().MatchString(strings.ToLower(u.Hostname()))
	})
}

// name puts the names of the site into a text.
func (s *Site) name(text string) string { return reserved().ReplaceAllString(text, "${1}"+s.tag) }

func (s *Site) rename(v any) any {
	switch v := v.(type) {
	case string:
		return s.name(v)
	case []any:
		out := make([]any, 0, len(v))
		for _, e := range v {
			out = append(out, s.rename(e))
		}
		return out
	case map[string]any:
		out := map[string]any{}
		for name, e := range v {
			out[name] = s.rename(e)
		}
		return out
	}
	return v
}

// Plain puts the names of the case back into an answer.
func (s *Site) Plain(text []byte) []byte {
	return []byte(strings.ReplaceAll(string(text), s.tag, ".example"))
}

// published returns the pages at which files are found as the case says.
func published(files []File) ([]File, bool) {
	var pages []File
	for i := range files {
		f := &files[i]
		home := "https://" + f.Name + "/.well-known/adagents.json"
		switch {
		case f.State == "absent":
			continue
		case f.State != "" || f.Revoked != nil || f.Replaced:
			return nil, false
		case f.Method == "ads_txt_managerdomain" &&
			(strings.Contains(f.Text, "revoked_publisher_domains") || !strings.Contains(f.Text, `"publisher_domain": "`+f.Name)):
			return nil, false // the way to a manager ends if its file revokes the publisher or does not name it
		case f.Method == "authoritative_location":
			pages = append(pages, page(home, pointerTo(f.URL)), page(f.URL, f.Text))
		case f.Method == "ads_txt_managerdomain":
			manager, _, _ := strings.Cut(strings.TrimPrefix(f.URL, "https://"), "/")
			pages = append(pages, page("https://"+f.Name+"/ads.txt", "MANAGERDOMAIN="+manager+"\n"), page(f.URL, f.Text))
		default:
			pages = append(pages, page(home, f.Text))
		}
	}
	return pages, true
}

// paths returns the pages of the two parties of a supply path.
func paths(c *Case) ([]File, bool) {
	if c.Question["asks"] != "verify" {
		return nil, false
	}
	for _, name := range []string{"host_held_revocations", "ads_txt", "required_property_ids"} {
		if c.Question[name] != nil {
			return nil, false // not to be seen on the web, or not in the question of the route
		}
	}
	if agent, _ := c.Question["agent_url"].(string); strings.TrimSpace(agent) == "" {
		return nil, false
	}
	var pages []File
	for i := range c.Files {
		f := &c.Files[i]
		if f.Name == "ads.txt" || f.Name == "app-ads.txt" {
			host, _ := c.Question["host_domain"].(string)
			pages = append(pages, page("https://"+host+"/"+f.Name, f.Text))
			continue
		}
		party, _ := c.Question[f.Name+"_domain"].(string)
		at := "https://" + party + "/.well-known/adagents.json"
		if c.Question[f.Name+"_shared"] == true {
			shared := "https://files.example/" + f.Name + ".json"
			pages = append(pages, page(at, pointerTo(shared)))
			at = shared
		}
		pages = append(pages, page(at, f.Text))
	}
	return pages, true
}

// pointerTo is a file that points to another.
func pointerTo(at string) string {
	return `{"authoritative_location": "` + at + `", "last_updated": "2026-01-02T00:00:00Z"}`
}

// page is a page that answers with a text.
func page(at, text string) File {
	kind := "application/json"
	if strings.HasSuffix(at, ".txt") {
		kind = "text/plain; charset=utf-8"
	}
	return File{Name: at, Text: text, Status: http.StatusOK, Headers: [][2]string{{"Content-Type", kind}}}
}
