package main

import (
	"fmt"
	"net/url"
	"os"
	"path/filepath"
	"slices"
	"strings"
	"time"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/suite"
)

// signingFile has the protocol's own vectors about signed requests, from the folder of the suite.
const signingFile = "../signing/vectors.jsonl"

// signerURL is the agent that the keys are pinned for.
const signerURL = "https://signer.example/mcp"

// A signingVector is one of these vectors.
type signingVector struct {
	Name     string            `json:"name"`
	Title    string            `json:"title"`
	Now      int64             `json:"now"`
	Digest   string            `json:"digest"`
	Method   string            `json:"method"`
	URL      string            `json:"url"`
	Headers  map[string]string `json:"headers"`
	Body     string            `json:"body"`
	Keys     jsontext.Value    `json:"keys"`
	Accepted bool              `json:"accepted"`
}

// signing makes cases of the protocol's vectors: the keys are pinned in a publisher's file.
func (c *collector) signing() error {
	text, err := os.ReadFile(filepath.Join(c.dir, filepath.FromSlash(signingFile)))
	if err != nil {
		return err
	}
	for line := range strings.Lines(string(text)) {
		var v signingVector
		err := json.Unmarshal([]byte(line), &v, json.RejectUnknownMembers(true))
		if err != nil {
			return fmt.Errorf("%s: %w", signingFile, err)
		}
		message, err := v.message()
		if err != nil {
			return fmt.Errorf("%s: %w", v.Name, err)
		}
		file := `{"authorized_agents": [{"url": "` + signerURL + `", "authorized_for": "Display", "authorization_type": "property_ids", "property_ids": ["site"], "signing_keys": ` + string(v.Keys) + `}],
 "properties": [{"property_id": "site", "property_type": "website", "name": "Site", "identifiers": [{"type": "domain", "value": "pub.example"}]}]}
`
		one := suite.Case{
			Files:    []suite.File{fileOf("adagents.json", []byte(file)), fileOf("message", message)},
			Question: members("publisher", "pub.example", "agent", signerURL, "profile", "request-3.1", "digest", v.Digest),
			Time:     time.Unix(v.Now, 0).UTC().Format(time.RFC3339), Want: map[string]any{"accepted": v.Accepted},
		}
		c.add("signature", "pins", strings.ReplaceAll(v.Name, "/", "_"), v.Title+".", one, 0)
		last := c.found[len(c.found)-1].Case
		last.Label, last.Basis = suite.Normative, c.basis.Documents["signing"]
		last.Basis.Vector = v.Name
	}
	return nil
}

// message writes the request as it is sent.
func (v *signingVector) message() ([]byte, error) {
	u, err := url.Parse(v.URL)
	if err != nil {
		return nil, err
	}
	_, rest, _ := strings.Cut(v.URL, "://")
	target := rest[len(u.Host):]
	out := v.Method + " " + target + " HTTP/1.1\nHost: " + u.Host + "\n"
	names := make([]string, 0, len(v.Headers))
	for name := range v.Headers {
		names = append(names, name)
	}
	slices.Sort(names)
	for _, name := range names {
		out += name + ": " + v.Headers[name] + "\n"
	}
	return fmt.Appendf(nil, "%sContent-Length: %d\n\n%s", out, len(v.Body), v.Body), nil
}
