package wire

import (
	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/discover"
	"github.com/avow-project/avow/internal/redact"
	"github.com/avow-project/avow/internal/std/textedit"
)

// Finding is one thing there is to say about a file, or about the way to it.
type Finding struct {
	Code     string      `json:"code" doc:"The rule, as avow explain knows it."`
	Severity string      `json:"severity" doc:"error, warning or info."`
	Effect   Opt[string] `json:"effect,omitzero" doc:"What consumers of the file leave out because of it."`
	URL      string      `json:"url,omitempty" doc:"The document or the request concerned."`
	Pointer  string      `json:"pointer" doc:"JSON Pointer of the value; empty for the whole file and for the way."`
	Line     Opt[int]    `json:"line,omitzero" doc:"Line in the document, from 1; of ads.txt for codes that begin with adstxt."`
	Column   Opt[int]    `json:"column,omitzero" doc:"Column in that line, in characters, from 1."`
	Message  string      `json:"message" doc:"What is wrong, in a sentence."`
	Hint     Opt[string] `json:"hint,omitzero" doc:"What to do about it."`
	Spec     Opt[string] `json:"spec,omitzero" doc:"The section of the specification behind it."`
	More     int         `json:"more,omitzero" doc:"How many findings like this one are not listed."`
	Fixes    []Fix       `json:"fixes,omitempty" doc:"Ways to repair the file, the best one first. The service has none for documents of more than 64,000 bytes."`
}

// Fix is a way to repair what a finding is about, in JSON.
type Fix struct {
	Title string          `json:"title" doc:"What is done, in a few words."`
	Kind  string          `json:"kind" doc:"safe, likely or choice. A safe fix never lets an agent sell more than before, a likely one is a best guess, and of choices the author picks one."`
	Edits []textedit.Edit `json:"edits" doc:"Parts of the document to replace, in ascending order: the bytes from start up to end become new."`
}

// Finding returns a finding about a file in JSON. The file's secrets are not in it any more.
func (f *Form) Finding(x *adagents.Finding, url string) Finding {
	return Finding{
		Code: x.Code, Severity: x.Severity.String(), Effect: Opt[string]{x.Effect.String(), f.public && x.Effect == 0},
		URL: url, Pointer: x.Pointer,
		Line: optional(f, x.Line), Column: optional(f, x.Column), Message: x.Message, Hint: optional(f, x.Hint),
		Spec: optional(f, x.Spec), More: x.More,
		Fixes: fixes(x.Fixes),
	}
}

func fixes(list []adagents.Fix) []Fix {
	var out []Fix
	for i := range list {
		out = append(out, Fix{Title: list[i].Title, Kind: list[i].Kind.String(), Edits: list[i].Edits})
	}
	return out
}

// DiscoveryFinding returns a finding about the way to a file in JSON.
func (f *Form) DiscoveryFinding(x *discover.Finding) Finding {
	return f.Finding(&adagents.Finding{
		Code: x.Code, Severity: x.Severity, Line: x.Line, Spec: x.Spec, Message: redact.Credentials(x.Message),
		Hint: redact.Credentials(x.Hint),
	}, redact.URL(x.URL))
}

// Usable is how much of a file consumers use.
type Usable struct {
	Agents      int `json:"agents" doc:"Agent entries that authorize something."`
	Properties  int `json:"properties"`
	Collections int `json:"collections"`
	Placements  int `json:"placements"`
	Formats     int `json:"formats"`
	Signals     int `json:"signals"`
}

// UsableOf returns how much of a file consumers use.
func UsableOf(f *adagents.File) *Usable {
	return &Usable{
		Agents: f.UsableAgents(), Properties: len(f.Properties), Collections: len(f.Collections),
		Placements: len(f.Placements), Formats: len(f.Formats), Signals: len(f.Signals),
	}
}
