package adagents

import (
	"strconv"
	"strings"
	"time"

	"github.com/avow-project/avow/internal/format/conform"
	"github.com/avow-project/avow/internal/model"
	"github.com/avow-project/avow/internal/std/rfc3339"
)

// clockTolerance is how far a timestamp may lie ahead of the present before it
// counts as the future: clocks differ a little.
const clockTolerance = time.Minute

// timestampRules look at the timestamps of every kind of file. Those that
// decide something (windows, revocations) have rules in their own sections.
var timestampRules = []Rule{
	{
		Code: "file.timestamp_invalid", Severity: Error,
		Title:  "a timestamp is not RFC 3339",
		Why:    "A time without offset means different instants to different readers; other forms are not understood at all.",
		Hint:   "write date, time and offset, for example 2026-01-02T00:00:00Z",
		Spec:   "RFC 3339",
		Varies: "a warning for last_updated in the default profile, because it is advisory; a signing key whose revoked_at cannot be read is dropped",
		In:     InFile,
		Bad:    `{"authoritative_location": "https://example.org/adagents.json", "last_updated": "2 January 2026"}`,
		Good:   examplePointer,
	},
	{
		Code: "file.last_updated_future", Severity: Warning,
		Title: "last_updated lies in the future",
		Why:   "Consumers compare it with their copies; a future time makes later changes look old. More than a minute ahead is reported.",
		Hint:  "write the time of the last change",
		Spec:  "AdCP adagents.json Tech Spec, caching",
		In:    InFile,
		Bad:   examplePointer,
		Good:  `{"authoritative_location": "https://example.org/adagents.json", "last_updated": "2025-12-31T00:00:00Z"}`,
		given: func(o *Options) { o.Now = time.Date(2026, 1, 1, 0, 0, 0, 0, time.UTC) },
	},
}

// timestamps checks the timestamps that no section has a rule for.
func (c *checker) checkTimestamps() {
	if p := c.report.Pointer; p != nil {
		c.lastUpdated(p.member(atPointerLastUpdated))
	}
	f := c.file
	if f == nil {
		return
	}
	c.lastUpdated(f.member(atFileLastUpdated))
	for i := range f.Signals {
		c.advisory(f.Signals[i].member(atSignalLastUpdated))
	}
	for i := range f.Agents {
		c.advisory(f.Agents[i].member(atAgentLastUpdated))
		c.keyTimestamps(&f.Agents[i])
	}
}

// lastUpdated checks the time of the whole file.
func (c *checker) lastUpdated(v Value) {
	c.advisory(v)
	instant, err := rfc3339.Parse(v.Str())
	if err == nil && !c.opt.Now.IsZero() && instant.After(c.opt.Now.Add(clockTolerance)) {
		c.under("file.last_updated_future").say(v, "last_updated %s lies in the future", quote(v.Str()))
	}
}

func (c *checker) advisory(v Value) {
	if !v.Is(String) {
		return
	}
	_, err := rfc3339.Parse(v.Str())
	if err != nil {
		c.under("file.timestamp_invalid").sayAs(c.lenient(), v, "last_updated %s is not a timestamp: %v", quote(v.Str()), err)
	}
}

// misread reports whether a known member of an object has another JSON type
// than declared.
func misread(v Value, o *model.ObjectType) bool {
	for m := range v.Members() {
		if f := o.Field(m.Name()); f != nil && !conform.KindFits(m.Value(), f.Type.Kind) {
			return true
		}
	}
	return false
}

// keyTimestamps drops keys with an unreadable end: whether a signature was
// made before it cannot be told. The same goes for keys with any member of the
// wrong type, which must not be taken for keys without that member.
func (c *checker) keyTimestamps(a *Agent) {
	for i := range a.SigningKeys {
		k := &a.SigningKeys[i]
		if misread(k.Raw, model.SigningKey) {
			c.findings.lose(&k.effect, DropRef)
		}
		v := k.member(atSigningKeyRevokedAt)
		if !v.Is(String) {
			continue
		}
		_, err := rfc3339.Parse(v.Str())
		if err == nil {
			continue
		}
		r := c.under("file.timestamp_invalid")
		r.effect = &k.effect
		r.sayWith(Error, DropRef, v, "revoked_at %s is not a timestamp: %v", quote(v.Str()), err)
	}
}

// counted writes a number with its noun: "1 agent", "2 agents".
func counted(n int, noun string) string {
	if n == 1 {
		return "1 " + noun
	}
	return strconv.Itoa(n) + " " + noun + "s"
}

// clip shortens a text from the file that stands in a message without quotes.
func clip(s string) string {
	const limit = 20
	if len(s) > limit {
		return s[:limit] + "…"
	}
	return s
}

func withoutSlash(path string) string { return strings.TrimSuffix(path, "/") }
