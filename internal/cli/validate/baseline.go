package validate

import (
	"bytes"
	"cmp"
	"errors"
	"path/filepath"
	"slices"
	"strconv"
	"strings"

	"github.com/go-json-experiment/json"
	"github.com/go-json-experiment/json/jsontext"

	"github.com/avow-project/avow/internal/cli/check"
	"github.com/avow-project/avow/internal/cli/console"
	"github.com/avow-project/avow/internal/std/words"
)

// baselineVersion is the version of the baseline format.
const baselineVersion = 1

// maxBaseline is the largest baseline that is read: it may list every finding
// of a large file, and more is not a list anybody keeps.
const maxBaseline = 256 << 20

// baselineDocument is a baseline as it is stored. The list is sorted and has
// one line-oriented object per finding, so that a review shows what changed.
type baselineDocument struct {
	Version  int             `json:"version"`
	Findings []baselineEntry `json:"findings"`
}

// baselineEntry is a number of equal findings. Lines are left out on purpose:
// they change whenever something is added further up.
type baselineEntry struct {
	File    string `json:"file"`
	Code    string `json:"code"`
	Pointer string `json:"pointer"`
	Message string `json:"message"`
	Count   int    `json:"count"`
}

// baselineKey is what makes two findings the same.
type baselineKey struct {
	file, code, pointer, message string
}

// A baseline knows which findings are accepted. The nil baseline accepts none.
type baseline struct {
	// dir is the folder of the baseline file; the names in it are relative to
	// it, so that the folder avow is started in does not matter.
	dir string
	// left is how often each finding may still occur.
	left map[baselineKey]int
	// recording means that every finding is accepted and noted in left.
	recording bool
}

// openBaseline reads the baseline of one file, or starts one that is written to another.
// Without either there is none.
func openBaseline(read, write string) (*baseline, error) {
	switch {
	case read != "" && write != "":
		return nil, console.UsageError("to renew a baseline, use --write-baseline alone",
			"--baseline and --write-baseline exclude each other")
	case write != "":
		return &baseline{dir: filepath.Dir(write), left: map[baselineKey]int{}, recording: true}, nil
	case read != "":
		return readBaseline(read)
	}
	return nil, nil
}

func readBaseline(path string) (*baseline, error) {
	src, err := console.ReadFile(path, maxBaseline)
	if err != nil {
		return nil, console.Failure("make one with --write-baseline "+console.ShellQuote(path), "%v", err)
	}
	doc, fault := parseBaseline(src)
	if fault != "" {
		return nil, console.Failure("make a new one with --write-baseline "+console.ShellQuote(path),
			"%s is not a usable baseline: %s", path, fault)
	}
	b := &baseline{dir: filepath.Dir(path), left: make(map[baselineKey]int, len(doc.Findings))}
	for _, e := range doc.Findings {
		b.left[baselineKey{e.File, e.Code, e.Pointer, e.Message}] += e.Count
	}
	return b, nil
}

// parseBaseline reads a baseline, or says what is wrong with it.
func parseBaseline(src []byte) (*baselineDocument, string) {
	doc := new(baselineDocument)
	if len(src) > maxBaseline {
		return doc, "it is larger than " + strconv.Itoa(maxBaseline>>20) + " MiB"
	}
	err := json.Unmarshal(src, doc)
	var syntax *jsontext.SyntacticError
	switch {
	case errors.As(err, &syntax):
		return doc, "it is not JSON, from byte " + strconv.FormatInt(syntax.ByteOffset, 10) + " on"
	case err != nil, doc.Version == 0:
		return doc, "it is not a list that avow wrote"
	case doc.Version != baselineVersion:
		return doc, "it is of version " + strconv.Itoa(doc.Version) + ", this avow knows " + strconv.Itoa(baselineVersion)
	}
	return doc, ""
}

// judge marks the known findings of a result.
func (b *baseline) judge(r *check.Result) {
	if b == nil {
		return
	}
	file := b.fileName(r.Target)
	r.Known = make([]bool, len(r.Findings))
	for i, f := range r.Findings {
		if !mayBeKnown(r, f) {
			continue
		}
		key := baselineKey{file, f.Code, f.Pointer, f.Message}
		switch {
		case b.recording:
			b.left[key]++
			r.Known[i] = true
		case b.left[key] > 0:
			b.left[key]--
			r.Known[i] = true
		}
	}
}

// fileName is the name of a target in the baseline. One on the web has its
// canonical name there, however it was written.
func (b *baseline) fileName(t check.Target) string {
	switch {
	case t.Stdin:
		return t.Name
	case t.OnWeb():
		return t.Web
	}
	dir, err := filepath.Abs(b.dir)
	if err != nil {
		return filepath.ToSlash(filepath.Clean(t.Name))
	}
	path, err := filepath.Abs(t.Name)
	if err != nil {
		return filepath.ToSlash(filepath.Clean(t.Name))
	}
	rel, err := filepath.Rel(dir, path)
	if err != nil {
		rel = path
	}
	// JSON cannot hold other names, and they must match after a round trip.
	return strings.ToValidUTF8(filepath.ToSlash(rel), "\uFFFD")
}

// saveBaseline writes the recorded findings.
func saveBaseline(a *console.App, b *baseline, path string) error {
	doc := baselineDocument{Version: baselineVersion, Findings: make([]baselineEntry, 0, len(b.left))}
	total := 0
	for k, n := range b.left {
		doc.Findings = append(doc.Findings, baselineEntry{k.file, k.code, k.pointer, k.message, n})
		total += n
	}
	slices.SortFunc(doc.Findings, func(x, y baselineEntry) int {
		return cmp.Or(cmp.Compare(x.File, y.File), cmp.Compare(x.Pointer, y.Pointer),
			cmp.Compare(x.Code, y.Code), cmp.Compare(x.Message, y.Message))
	})
	var buf bytes.Buffer
	err := console.WriteJSONPretty(&buf, doc)
	if err != nil {
		return err
	}
	err = console.WriteFile(path, buf.Bytes())
	if err != nil {
		return err
	}
	a.Note("%s accepted in %s", words.Plural(total, "finding", "findings"), path)
	return nil
}
