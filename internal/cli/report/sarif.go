package report

import (
	"crypto/sha256"
	"encoding/hex"
	"fmt"
	"io"
	"net/url"
	"path"
	"slices"
	"strings"
	"unicode/utf8"

	"github.com/avow-project/avow/adagents"
	"github.com/avow-project/avow/internal/buildinfo"
	"github.com/avow-project/avow/internal/catalogue"
	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/jsontree"
)

// sarifSchema names the format in its own words.
const sarifSchema = "https://docs.oasis-open.org/sarif/sarif/v2.1.0/errata01/os/schemas/sarif-schema-2.1.0.json"

// SARIF writes SARIF 2.1.0, which code scanning services read. Results
// are written as they come; the rules they refer to follow at the end, when it
// is known which ones occurred.
type SARIF struct {
	w         io.Writer
	base      string // see ProjectFolder
	begun     bool
	results   int
	index     map[string]int // of the rules in used
	used      []sarifRule
	notices   []sarifNotice
	positions editPositions
}

type sarifText struct {
	Text     string `json:"text"`
	Markdown string `json:"markdown,omitempty"`
}

type sarifRule struct {
	ID                   string          `json:"id"`
	ShortDescription     sarifText       `json:"shortDescription"`
	FullDescription      sarifText       `json:"fullDescription"`
	Help                 sarifText       `json:"help"`
	DefaultConfiguration sarifLevel      `json:"defaultConfiguration"`
	Properties           sarifRuleExtras `json:"properties"`
}

type sarifLevel struct {
	Level string `json:"level"`
}

type sarifRuleExtras struct {
	Effect string   `json:"effect"`
	Spec   string   `json:"spec"`
	Tags   []string `json:"tags"`
}

type sarifResult struct {
	RuleID              string             `json:"ruleId"`
	RuleIndex           int                `json:"ruleIndex"`
	Level               string             `json:"level"`
	Message             sarifText          `json:"message"`
	Locations           []sarifLocation    `json:"locations"`
	PartialFingerprints map[string]string  `json:"partialFingerprints"`
	Suppressions        []sarifSuppression `json:"suppressions,omitempty"`
	Fixes               []sarifFix         `json:"fixes,omitempty"`
	Properties          sarifExtras        `json:"properties"`
}

type sarifExtras struct {
	Pointer string `json:"pointer"`
	Effect  string `json:"effect"`
}

type sarifSuppression struct {
	Kind string `json:"kind"`
}

type sarifLocation struct {
	Physical sarifPhysical  `json:"physicalLocation"`
	Logical  []sarifLogical `json:"logicalLocations,omitempty"`
}

type sarifPhysical struct {
	Artifact sarifArtifact `json:"artifactLocation"`
	Region   *sarifRegion  `json:"region,omitzero"`
}

type sarifArtifact struct {
	URI       string `json:"uri"`
	URIBaseID string `json:"uriBaseId,omitempty"`
}

type sarifRegion struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndColumn   int `json:"endColumn,omitzero"`
}

type sarifLogical struct {
	FullyQualifiedName string `json:"fullyQualifiedName"`
}

type sarifNotice struct {
	Level     string          `json:"level"`
	Message   sarifText       `json:"message"`
	Locations []sarifLocation `json:"locations"`
}

// NewSARIF writes a log to w.
func NewSARIF(w io.Writer) *SARIF {
	return &SARIF{w: w, base: ProjectFolder(), index: map[string]int{}}
}

// Target writes the results of one target.
func (h *SARIF) Target(r *check.Result) error {
	err := h.begin()
	if err != nil {
		return err
	}
	artifact := artifactOf(h.base, r.Target)
	h.notice(r, artifact)
	h.positions = positionsOf(r)
	seen := map[string]int{}
	for _, i := range r.Ranked() {
		f := r.Findings[i]
		in := artifact
		if f.URL != "" {
			in = sarifArtifact{URI: webURI(f.URL)}
		}
		mark := f.Code + "\x00" + f.Pointer
		if in != artifact {
			mark += "\x00" + in.URI
		}
		err = h.result(r, i, in, fingerprint(artifact.URI, mark, seen[mark]))
		if err != nil {
			return err
		}
		seen[mark]++
	}
	return nil
}

// notice notes why a target has no answer.
func (h *SARIF) notice(r *check.Result, artifact sarifArtifact) {
	var text string
	switch {
	case r.Err != nil:
		text = console.AsError(r.Err).Message
	case r.Verdict() == check.NoFile, r.Verdict() == check.NoAnswer:
		text = AnswerSentence(r.Found)
	default:
		return
	}
	h.notices = append(h.notices, sarifNotice{
		Level:     "error",
		Message:   sarifText{Text: sarifPlain(text)},
		Locations: []sarifLocation{{Physical: sarifPhysical{Artifact: artifact}}},
	})
}

// begin writes everything before the first result. The folder of relative names is
// described and not named: it is useless elsewhere, and private.
func (h *SARIF) begin() error {
	if h.begun {
		return nil
	}
	h.begun = true
	_, err := fmt.Fprintf(h.w, `{
"$schema":%q,
"version":"2.1.0",
"runs":[{
"columnKind":"unicodeCodePoints",
"originalUriBaseIds":{"SRCROOT":{"description":{"text":"the root of the repository, or the folder avow was run in"}}},
"results":[`, sarifSchema)
	return err
}

func (h *SARIF) result(r *check.Result, i int, artifact sarifArtifact, mark string) error {
	f := r.Findings[i]
	rule, ok := h.index[f.Code]
	if !ok {
		rule = len(h.used)
		h.index[f.Code] = rule
		h.used = append(h.used, describe(f.Code))
	}
	location := sarifLocation{Physical: sarifPhysical{Artifact: artifact, Region: regionOf(f)}}
	if f.Pointer != "" {
		location.Logical = []sarifLogical{{f.Pointer}}
	}
	text := f.Message
	if f.Hint != "" {
		text += "\nhint: " + f.Hint
	}
	x := sarifResult{
		RuleID: f.Code, RuleIndex: rule, Level: sarifLevels[f.Severity], Message: sarifText{Text: sarifPlain(text)},
		Locations: []sarifLocation{location}, PartialFingerprints: map[string]string{"avow/v1": mark},
		Properties: sarifExtras{Pointer: f.Pointer, Effect: f.Effect.String()}, Fixes: h.positions.fixes(f, artifact),
	}
	if r.IsKnown(i) {
		x.Suppressions = []sarifSuppression{{"external"}}
	}
	separator := ",\n"
	if h.results == 0 {
		separator = "\n"
	}
	h.results++
	return h.member(separator, x)
}

// member writes a piece of the document after the text that leads to it.
func (h *SARIF) member(lead string, v any) error {
	b, err := console.EncodeJSON(v)
	if err != nil {
		return err
	}
	_, err = fmt.Fprintf(h.w, "%s%s", lead, b)
	return err
}

var sarifLevels = map[adagents.Severity]string{
	adagents.Error: "error", adagents.Warning: "warning", adagents.Info: "note",
}

// Finish writes the rules and ends the log.
func (h *SARIF) Finish(t *check.Summary) error {
	err := h.begin()
	if err != nil {
		return err
	}
	type invocation struct {
		ExecutionSuccessful        bool          `json:"executionSuccessful"`
		ToolExecutionNotifications []sarifNotice `json:"toolExecutionNotifications"`
	}
	err = h.member("\n],\n\"invocations\":", []invocation{{!t.Incomplete(), h.notices}})
	if err != nil {
		return err
	}
	type driver struct {
		Name    string      `json:"name"`
		Version string      `json:"version"`
		Rules   []sarifRule `json:"rules"`
	}
	type tool struct {
		Driver driver `json:"driver"`
	}
	err = h.member(",\n\"tool\":", tool{driver{console.Program, buildinfo.Get().Version, h.used}})
	if err != nil {
		return err
	}
	_, err = fmt.Fprint(h.w, "\n}]\n}\n")
	return err
}

// describe describes a rule of the catalogue.
func describe(code string) sarifRule {
	r := catalogue.Lookup(code)
	help := r.Why
	if r.Hint != "" {
		help += "\n\nWhat to do: " + r.Hint + "."
	}
	markdown := help
	if r.Good != "" {
		markdown += "\n\nWrong:\n\n" + catalogue.Fenced(r.In, r.Bad) + "\nRight:\n\n" + catalogue.Fenced(r.In, r.Good)
	}
	return sarifRule{
		ID:                   code,
		ShortDescription:     sarifText{Text: r.Title},
		FullDescription:      sarifText{Text: r.Why},
		Help:                 sarifText{Text: help, Markdown: markdown},
		DefaultConfiguration: sarifLevel{sarifLevels[max(r.Severity, adagents.Info)]},
		Properties:           sarifRuleExtras{Effect: r.Effect.String(), Spec: r.Spec, Tags: []string{"adagents"}},
	}
}

// sarifPlain keeps outside text from becoming a link: viewers turn [words](URL)
// into one even in plain messages.
func sarifPlain(s string) string { return strings.ReplaceAll(s, "](", "] (") }

// regionOf is the place of a finding, if it has one. A scalar value never spans
// lines, so its end is on the same one.
func regionOf(f check.Finding) *sarifRegion {
	src := f.Source()
	if f.Doc == nil && f.Line == 0 {
		return nil
	}
	r := &sarifRegion{StartLine: max(f.Line, 1), StartColumn: max(f.Column, 1)}
	if f.Length > 0 && f.Offset+f.Length <= len(src) {
		r.EndColumn = r.StartColumn + utf8.RuneCount(src[f.Offset:f.Offset+f.Length])
	}
	return r
}

// fingerprint recognises a finding in a later version of the file, in which
// lines have moved. n tells equal findings apart.
func fingerprint(uri, mark string, n int) string {
	sum := sha256.Sum256(fmt.Appendf(nil, "%s\x00%s\x00%d", uri, mark, n))
	return hex.EncodeToString(sum[:16])
}

// artifactOf names the file as a URI: relative to the base folder when it lies
// below it.
func artifactOf(base string, t check.Target) sarifArtifact {
	switch {
	case t.Stdin:
		return sarifArtifact{URI: "stdin"}
	case t.OnWeb():
		return sarifArtifact{URI: webURI(t.WellKnown())}
	}
	name := FromBase(base, t.Name)
	if path.IsAbs(name) || strings.Contains(name, ":/") {
		return sarifArtifact{URI: (&url.URL{Scheme: "file", Path: "/" + strings.TrimPrefix(name, "/")}).String()}
	}
	// The dot-slash that a colon in the first part would need is what String
	// adds by itself.
	return sarifArtifact{URI: (&url.URL{Path: name}).String(), URIBaseID: "SRCROOT"}
}

// webURI is a URL in the form the format demands.
func webURI(s string) string {
	u, err := url.Parse(s)
	if err != nil {
		return url.PathEscape(s)
	}
	return u.String()
}

type sarifFix struct {
	Description sarifText       `json:"description"`
	Changes     []sarifChange   `json:"artifactChanges"`
	Properties  sarifFixDetails `json:"properties"`
}

type sarifFixDetails struct {
	Kind string `json:"kind"`
}

type sarifChange struct {
	Artifact     sarifArtifact      `json:"artifactLocation"`
	Replacements []sarifReplacement `json:"replacements"`
}

type sarifReplacement struct {
	Deleted  sarifRange    `json:"deletedRegion"`
	Inserted *sarifContent `json:"insertedContent,omitzero"`
}

type sarifContent struct {
	Text string `json:"text"`
}

// sarifRange is what an edit replaces. It is empty when the edit only inserts.
type sarifRange struct {
	StartLine   int `json:"startLine"`
	StartColumn int `json:"startColumn"`
	EndLine     int `json:"endLine"`
	EndColumn   int `json:"endColumn"`
	ByteOffset  int `json:"byteOffset"`
	ByteLength  int `json:"byteLength"`
}

// editPositions are the lines and columns of the edits of all fixes of a target, by file and
// byte.
type editPositions map[*check.Document]map[int]jsontree.Position

// positionsOf finds all of them in one pass over each file, which may be one line of many
// megabytes.
func positionsOf(r *check.Result) editPositions {
	offsets := map[*check.Document][]int{}
	for _, i := range r.Shown {
		f := r.Findings[i]
		for _, fix := range f.Fixes {
			for _, e := range fix.Edits {
				offsets[f.Doc] = append(offsets[f.Doc], e.Start, e.End)
			}
		}
	}
	positions := editPositions{}
	for doc, list := range offsets {
		slices.Sort(list)
		positions[doc] = map[int]jsontree.Position{}
		for _, p := range jsontree.Positions(doc.Src, slices.Compact(list)) {
			positions[doc][p.Offset] = p
		}
	}
	return positions
}

// fixes returns the fixes of a finding.
func (p editPositions) fixes(f check.Finding, artifact sarifArtifact) []sarifFix {
	var list []sarifFix
	for _, fix := range f.Fixes {
		change := sarifChange{Artifact: artifact}
		for _, e := range fix.Edits {
			from, to := p[f.Doc][e.Start], p[f.Doc][e.End]
			x := sarifReplacement{Deleted: sarifRange{from.Line, from.Column, to.Line, to.Column, e.Start, e.End - e.Start}}
			if e.New != "" {
				x.Inserted = &sarifContent{e.New}
			}
			change.Replacements = append(change.Replacements, x)
		}
		list = append(list, sarifFix{sarifText{Text: sarifPlain(fix.Title)}, []sarifChange{change},
			sarifFixDetails{fix.Kind.String()}})
	}
	return list
}
