package main

import (
	"fmt"
	"slices"
	"strconv"
	"strings"
	"time"

	"golang.org/x/tools/txtar"

	"github.com/avow-project/avow/internal/suite"
	"github.com/avow-project/avow/internal/test/vectors"
)

// collect makes candidates of all vectors, and counts those that are left out by the reason.
func collect(b *basis, dir string) ([]candidate, map[string]int, error) {
	c := &collector{basis: b, dir: dir, leftOut: map[string]int{}}
	for _, from := range []func() error{c.resolution, c.discovery, c.formats, c.pins, c.signing, c.paths, c.checks,
		c.create} {
		err := from()
		if err != nil {
			return nil, nil, err
		}
	}
	return c.found, c.leftOut, nil
}

type collector struct {
	basis   *basis
	dir     string // of the suite
	found   []candidate
	leftOut map[string]int
}

// add adds a vector as a case of a kind. Of those with the same group, rules and answer, most are
// chosen; 0 for all.
func (c *collector) add(kind, folder, name, summary string, one suite.Case, most int) {
	title, rules := rulesOf(summary)
	one.ID, one.Kind, one.Title = kind+"/"+name, kind, title
	one.Label, one.Basis = c.basis.of(folder, name, rules)
	if one.Want["verdict"] == "conditional" && one.Label == suite.Normative {
		one.Label, one.Basis = suite.Interpretation, suite.Basis{Decision: c.basis.Decisions[folder]}
	}
	if one.Time == "" {
		one.Time = vectors.Now().Format(time.RFC3339)
	}
	if one.Files == nil {
		one.Files = []suite.File{}
	}
	group, _, _ := strings.Cut(name, "_")
	if one.Label != suite.Normative {
		most = min(most, 1)
	}
	c.found = append(c.found,
		candidate{&one, fmt.Sprint(kind, " ", one.Label, " ", group, " ", rules, " ", gist(one.Want)), most})
}

// gist is what two answers have in common that show the same.
func gist(want map[string]any) string {
	var out []string
	for name, value := range want {
		switch name {
		case "requests", "entries", "resolved_url", "skipped":
		default:
			out = append(out, fmt.Sprint(name, "=", value))
		}
	}
	slices.Sort(out)
	return strings.Join(out, " ")
}

// members makes an object of pairs, without those that are empty.
func members(pairs ...any) map[string]any {
	out := map[string]any{}
	for i := 0; i < len(pairs); i += 2 {
		switch v := pairs[i+1].(type) {
		case string:
			if v == "" {
				continue
			}
		case []string:
			if len(v) == 0 {
				continue
			}
		case nil:
			continue
		}
		out[pairs[i].(string)] = pairs[i+1] //nolint:forcetypeassert // names are written here
	}
	return out
}

func fileOf(name string, text []byte) suite.File {
	f := suite.File{Name: name}
	if s := string(text); strings.ToValidUTF8(s, "") == s {
		f.Text = s
	} else {
		f.Base64 = text
	}
	return f
}

func (c *collector) discovery() error {
	all, err := vectors.Scenarios()
	if err != nil {
		return err
	}
	for _, s := range all {
		pages, ok := site(s.Archive)
		q := &s.Question
		switch {
		case !ok:
			c.leftOut["needs a fault of the network, of a name server or of a certificate"]++
			continue
		case q.IfNoneMatch != "" || q.IfModifiedSince != "" || q.Attempts > 1 || q.File || q.FollowSuperseded:
			c.leftOut["asks for something that is not in the line protocol"]++
			continue
		}
		kind, most := "discovery", 2
		if s.Group() == "redirect" {
			kind, most = "redirect", 2
		}
		want := members("answer", s.Want.Answer, "method", s.Want.Method, "resolved_url", s.Want.ResolvedURL,
			"manager_domain", s.Want.ManagerDomain, "requests", s.Want.Requests)
		if s.Want.Error != "" {
			want["error"] = true
		} else {
			want["found"], want["usable"] = s.Want.Found, s.Want.Answer == "usable"
		}
		c.add(kind, "discovery", s.Name, s.Summary,
			suite.Case{Files: pages, Question: members("domain", q.Target), Want: want}, most)
		last := c.found[len(c.found)-1].Case
		if s.Want.ManagerDomain != "" && last.Label == suite.Normative {
			// Validators may consult ads.txt; those that do not are right, too.
			last.Label, last.Basis = suite.Interpretation, suite.Basis{Decision: c.basis.Decisions["discovery"]}
		}
	}
	return nil
}

// site reads the pages of a scenario; not ok when it has more than pages.
func site(archive []byte) ([]suite.File, bool) {
	var pages []suite.File
	seen := map[string]bool{}
	for _, f := range txtar.Parse(archive).Files {
		if f.Name == "dns" || f.Name == "tls" || seen[f.Name] {
			return nil, false
		}
		seen[f.Name] = true
		if !strings.HasPrefix(f.Name, "https://") {
			continue
		}
		head, body, _ := strings.Cut(string(f.Data), "\n\n")
		lines := strings.Split(strings.TrimSuffix(head, "\n"), "\n")
		status, err := strconv.Atoi(lines[0])
		if err != nil {
			return nil, false
		}
		p := fileOf(f.Name, []byte(body))
		p.Status, p.Headers = status, [][2]string{}
		for _, l := range lines[1:] {
			name, value, _ := strings.Cut(l, ": ")
			p.Headers = append(p.Headers, [2]string{name, value})
		}
		pages = append(pages, p)
	}
	return pages, true
}

func (c *collector) pins() error {
	all, err := vectors.PinCases()
	if err != nil {
		return err
	}
	for _, p := range all {
		if p.State != "file" || p.Age != 0 || p.Expires != 0 || p.CacheControl != "" || p.Refresh != "same" ||
			p.AskedBefore != 0 || p.Revocations != nil || p.Asked {
			c.leftOut["is about what a verifier remembers"]++
			continue
		}
		one := suite.Case{
			Question: members("publisher", p.Publisher, "agent", p.Agent, "profile", p.Profile, "digest", p.Digest, "task",
				p.Task, "brand", p.Brand, "callers", p.Callers),
			Time: p.At.Format(time.RFC3339Nano), Want: members("verdict", p.Verdict),
		}
		if p.Verdict == "accepted" || p.Verdict == "rejected" {
			one.Want["accepted"] = p.Verdict == "accepted"
		}
		for _, f := range []struct {
			name string
			text []byte
		}{{"adagents.json", p.File}, {"jwks", p.JWKS}, {"message", p.Message}, {"request", p.Request}, {"answer", p.Answer},
			{"arguments", p.Arguments}} {
			if f.text != nil {
				one.Files = append(one.Files, fileOf(f.name, f.text))
			}
		}
		c.add("signature", "pins", p.Name, p.Summary, one, 2)
		c.found[len(c.found)-1].key += " " + p.Code // other faults, other cases
	}
	return nil
}

func (c *collector) paths() error {
	all, err := vectors.PathCases()
	if err != nil {
		return err
	}
	for _, p := range all {
		one := suite.Case{Want: map[string]any{}, Question: members(
			"asks", p.Verb, "owner_domain", p.OwnerDomain, "host_domain", p.HostDomain, "agent_url", p.Agent, "collection_id",
			p.Collection,
			"required_property_ids", p.Required, "host_held_revocations", p.HostHeld, "ads_txt", p.AdsTxt, "files", p.Files,
		)}
		for name, set := range map[string]bool{"owner_shared": p.OwnerShared, "host_shared": p.HostShared, "all": p.All} {
			if set {
				one.Question[name] = true
			}
		}
		for _, f := range []struct {
			name string
			text []byte
		}{{"owner", p.Owner}, {"host", p.Host}, {"ads.txt", p.Texts["ads.txt"]}, {"app-ads.txt", p.Texts["app-ads.txt"]}} {
			if f.text != nil {
				one.Files = append(one.Files, fileOf(f.name, f.text))
			}
		}
		legs := map[string]any{}
		if p.Verb == "files" {
			one.Want["files"] = []string{}
		}
		for name, value := range p.Want {
			switch name {
			case "state":
				one.Want[name] = value
			case "collection":
				one.Want["resolved_collection_id"] = value
			case "all":
				one.Want[name] = value == "true"
			case "files":
				one.Want[name] = strings.Fields(value)
			case "partners":
				one.Want[name] = value
				if value != "none" && value != "unavailable" {
					one.Want[name] = strings.Fields(value)
				}
			default:
				legs[name] = value
			}
		}
		if len(legs) > 0 {
			one.Want["legs"] = legs
		}
		c.add("supply_path", "supplypath", p.Name, p.Summary, one, 0)
		last := c.found[len(c.found)-1].Case
		last.Label, last.Basis = suite.Normative, c.basis.Documents["supply-path"]
		last.Basis.Vector = p.Name
	}
	return nil
}
